/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a journal is told: plain values, whose texts stay the caller's. rigs/journal/journal.h has
 * the functions that take them.
 */
#ifndef RIGS_JOURNAL_ENTRY_H
#define RIGS_JOURNAL_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/clock.h"
#include "rigs/checks/result.h"
#include "rigs/checks/verdict.h"
#include "rigs/journal/libraries.h"

#define JOURNAL_VERSION    1
#define JOURNAL_RUN_DIGITS 32 /* of the id that a run on a real clock has */
#define JOURNAL_PASSES     64 /* names of checks in a line; beyond them a further one is written */

struct journal_named {
    const char *path, *digest;
};

struct journal_start {
    const char *version; /* of this program */
    const char *build;   /* of it; NULL or "": not known */
    const char *commit;  /* that it was built from, with "-dirty"; NULL: not known */
    const struct library *libraries;
    size_t library_count;
    const char *rig_path;              /* as given; NULL for the rig that is built in */
    const char *rig_digest;            /* of the rig file; NULL where there is none */
    const struct journal_named *files; /* that the rig file names */
    size_t file_count;
    uint64_t seed;
    const char *const *command; /* the command line, NULL at the end */
    uint64_t rounds;            /* that there are to play in all; 0: not known */
    const char *shard;          /* "2/4": of a run that several journals tell; NULL: all of it */
    const char *recordings;     /* of a shard: digest of what all of them play together */
    const char *job;            /* what these journals have in common; NULL: nobody said so */
    uint64_t attempt;           /* to play it, from 2 on; 0: the first */
    uint64_t realtime;          /* priority that it is played with; 0: none */
};

struct journal_options {
    const struct clock *clock;
    bool sync; /* wait for the disk at the end of every round, not only of the run */
};

/*
 * A part: the lines of one recording, put together on a thread of its own while others are still at
 * the recordings before it, then added to the journal by journal_join(). All functions that add
 * lines take a part, and journal_close() too. One that has much to keep asks, between two lines,
 * `full` whether to join now (that is the function's to do) or keep its lines in a file; memory is
 * bounded either way.
 */
struct journal_part {
    const struct clock *clock;
    uint64_t recording; /* its number, from 1 */
    int (*full)(void *context, struct error *error);
    void *context;
};

/* Texts that a device does not give are NULL. */
struct journal_device {
    const char *name; /* in the rig: "shuffler" */
    const char *driver;
    const char *address;
    const char *model;
    const char *firmware;
    const char *serial;
    const char *digest; /* of the firmware, as the device says */
    bool test_mode;
};

struct journal_recording {
    const char *path;
    const char *digest;
    const char *expect_path; /* NULL where nothing is expected: observed rounds */
    const char *expect_digest;
    const char *game;
    uint64_t rounds;
    const char *header; /* what the recording says of the table, as JSON; NULL: not known */
    size_t header_length;
};

/* A device that went away has come back, since this was told last. */
struct journal_reconnect {
    const char *device;
    unsigned times, tries; /* how often, and the tries that this took in all */
    nanos_t away;          /* for how long in all */
    const bool *is_same;   /* whether it is the one that it was; NULL: it has not said */
};

/* A device or a person is waited for from now on, so many milliseconds at most. */
struct journal_wait {
    const char *what;   /* "packet" */
    const char *device; /* that will tell of it */
    uint64_t limit_ms;  /* 0: as long as it takes */
    unsigned try;       /* to open a device that went away, from 1; 0: nothing is opened */
};

/* A duration that was measured, and the longest that is allowed (0: no limit). */
struct journal_timing {
    const char *name; /* "packet-present" */
    nanos_t took;
    nanos_t limit;
    bool by_hand; /* people have taken it, not the machine */
};

struct journal_verdict {
    enum verdict verdict;
    const char *why; /* a sentence, or NULL */
    const struct journal_timing *timings;
    size_t timing_count;
};

#endif
