/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine did over time, run by run in the order of their dates: the share of rounds that
 * did not pass and the median of each timing, with the places where their level changes
 * (rigs/history/change.h), and whether it slowed down before it failed. Recordings that came out
 * both ways with the same devices and firmware are flaky. Runs that do not verify are left out and
 * counted. The caller owns what it is given.
 */
#ifndef RIGS_HISTORY_TREND_H
#define RIGS_HISTORY_TREND_H

#include "rigs/history/change.h"
#include "rigs/history/find.h"
#include "rigs/history/spread.h"

/* For all that is said of one machine together. */
#define HISTORY_TREND_ALPHA 0.01

#define HISTORY_CHANGES 8

struct history_point {
    int64_t number;
    char id[HISTORY_ID_MAX + 1], date[32], host[64], firmware[64];
    struct history_counts rounds;
    bool is_alone; /* the bench had no other device */
};

struct history_series {
    char name[HISTORY_NAME_SIZE]; /* of a timing, or "failures" */
    double *values;               /* nanoseconds; of failures a share of the rounds */
    size_t *points;               /* which run each is of */
    size_t count;
    struct change changes[HISTORY_CHANGES];
    size_t change_count;
    bool is_enough; /* to show a change, however clear */
};

/* A round that a device failed in, and the timings of the machine before it. */
struct history_jam {
    size_t point;
    size_t recording;
    int64_t round;
    char name[HISTORY_NAME_SIZE]; /* of the timing */
    double larger, p;             /* the last ones beside those before them, rigs/history/rank.h */
};

struct history_machine {
    char serial[128], name[64], model[128]; /* the last that it said */
    struct history_point *points;
    size_t count;
    struct history_series *series;
    size_t series_count;
    struct history_jam *jams; /* that it slowed down before */
    size_t jam_count;
    size_t failed, judged; /* failures of the device in all, and those with enough before them */
    size_t unverified;     /* runs that are left out */
    size_t repeated;       /* left out: in virtual time, with the lines of another */
    size_t misdated;       /* runs dated before one that was imported earlier, of the same bench */
    size_t hosts;
};

/* ERROR_CONFIG when no run has it. history_machine_free() in any case. */
int history_trend(struct store *store, const char *serial, struct history_machine *machine,
                  struct error *error);
void history_machine_free(struct history_machine *machine);

/* Calls `each` for every serial number that there is; not 0 ends it. */
typedef int history_each_serial(void *context, const char *serial);
int history_serials(struct store *store, history_each_serial *each, void *context,
                    struct error *error);

/*
 * How often a recording passed and did not, of one set of devices and versions of firmware, with
 * one expectation; told of each machine that took part. Runs without their end have not passed.
 */
struct history_flaky {
    const char *path, *sha256, *serial, *firmware;
    int64_t passed, failed;
};

/* Of one machine, or of all with NULL. */
typedef int history_each_flaky(void *context, const struct history_flaky *flaky);
int history_flaky(struct store *store, const char *serial, history_each_flaky *each, void *context,
                  struct error *error);

/* For its files: the failures of the device, and what was before them. */
int history_trend_jams(struct store *store, struct history_machine *machine, struct error *error);

#endif
