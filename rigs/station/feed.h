/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of one run while it is written, read once for everybody who follows it: how far its
 * complete lines go, where each line begins, and which round, and which recording,
 * has no verdict yet. A client has its
 * own place in the file, and reads on from there.
 */
#ifndef RIGS_STATION_FEED_H
#define RIGS_STATION_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/lines.h"
#include "rigs/station/progress.h"
#include "rigs/station/server.h"

#define FEED_BLOCK (LINES_LONGEST + 1) /* a line with its newline */
#define FEED_NONE  UINT64_MAX

struct feed {
    struct feed *next;
    struct server_run run;
    unsigned users; /* streams that read it */
    int fd;
    bool is_awaited;         /* the journal is not there yet, and `fd` is of nothing */
    int watch;               /* of the server's inotify; negative: none */
    uint64_t lines;          /* complete ones */
    uint64_t complete;       /* bytes of those */
    uint64_t open_round;     /* where the line of the round without a verdict begins; FEED_NONE */
    uint64_t open_recording; /* likewise of the recording that has rounds to come, or FEED_NONE */
    uint64_t rounds_left;    /* of that recording; 0: nobody knows */
    bool is_at_end;          /* all that has been written is known */
    struct progress progress;
    uint64_t *places; /* where each FEED_STEP-th line begins */
    size_t place_count, place_room;
};

/* Takes the descriptor. NULL when memory is short; the descriptor is closed then. */
struct feed *feed_new(int fd, const struct server_run *run);
void feed_free(struct feed *feed);

/* Reads what was added, as much as one turn may take. `block` has room for FEED_BLOCK bytes. */
void feed_grow(struct feed *feed, char *block);

/* Where the line after number `line` begins; `line` must be one of the complete ones, or 0. */
uint64_t feed_place(const struct feed *feed, uint64_t line, char *block);

/* Reads complete lines from `offset` on, at least one where there is one: how many bytes. */
size_t feed_read(const struct feed *feed, uint64_t offset, size_t wanted, char *block);

/* The text after `"kind":"` of a line, and how long it is; NULL where there is none. */
const char *feed_kind(const char *line, size_t length, size_t *kind_length);
bool feed_is_kind(const char *kind, size_t length, const char *name);

#endif
