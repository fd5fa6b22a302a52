/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a run is, by the lines of its journal, in the words of GET /status: its rounds, its
 * expected end, and what is waited for.
 */
#ifndef RIGS_STATION_PROGRESS_H
#define RIGS_STATION_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/json_text.h"
#include "hal/clock.h"

#define PROGRESS_NAME 32 /* of what is waited for, of a device or an event, with its NUL */

struct progress {
    bool is_real;    /* the journal's times are of a real clock, which is this machine's */
    uint64_t total;  /* rounds that there are to play; 0: not known */
    uint64_t rounds; /* that have ended */
    nanos_t judged;  /* when the last of them did */
    char what[PROGRESS_NAME], device[PROGRESS_NAME]; /* that is waited for; "": nothing */
    nanos_t since;
    uint64_t limit_ms, try; /* 0: none */
    uint32_t sensed;        /* bits 1 to 9: the seats on whose sensors a wager lies */
};

/* Takes a line of the journal, of that kind. A struct of zeros has seen none. */
void progress_take(struct progress *progress, const char *kind, size_t kind_length,
                   const char *line, size_t length);

/*
 * Writes the fields, each with a comma before it; what is waited for of a run that is being played.
 * `ran` is how long it has been played so far, by the clock of people: an expected end follows from
 * it. 0: nothing is said of an end.
 */
void progress_write(const struct progress *progress, bool is_played, nanos_t ran,
                    struct json_text *out);

/* What a run with so many rounds behind and before it still takes; -1: that cannot be said. */
int64_t progress_left_ms(uint64_t rounds, uint64_t total, nanos_t ran, nanos_t since_last);

#endif
