/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the terminal told in one round, as its journal has it, so far as it bears on the settlement:
 * the meters that it had last, and the jackpots that it paid. And which events there are at all.
 * For rigs/evidence/replay/resettle.c only. told_clear() gives back what is kept.
 */
#ifndef RIGS_EVIDENCE_REPLAY_TOLD_H
#define RIGS_EVIDENCE_REPLAY_TOLD_H

#include "hal/base/json.h"
#include "rigs/journal/read.h"

#define TOLD_AWARDS 32

struct told_award {
    int64_t seat, pays;
    char meter[16];
};

struct told {
    struct json_value *meters; /* NULL: it has told none */
    unsigned award_count;
    struct told_award awards[TOLD_AWARDS];
    bool is_too_much; /* more than is kept */
};

void told_begin(struct told *told);
void told_clear(struct told *told);

/* An event of the round. False when memory is short. */
bool told_see(struct told *told, const struct json_value *event);

/* Whether the terminal had these meters at last, whatever it calls them; it has told some. */
bool told_same_meters(const struct told *told, const struct json_value *settlement);

/* Whether it paid these jackpots. */
bool told_same_awards(const struct told *told, const struct json_value *settlement);

/* Whether a device of this name can tell such an event. */
bool told_is_known(const char *device, const char *event);

#endif
