/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What differs between two sides, each a run or all runs with one firmware: facts and devices of
 * single runs, checks, recordings, settlements, and timings by a rank test. Recordings are matched
 * by what is in them, never by name. Between many runs a rate is tested too: the shares of a check
 * that failed in each run by ranks, how often a recording passed, and was settled in the usual way,
 * by Fisher's exact test. The diff owns all it has.
 */
#ifndef RIGS_HISTORY_DIFF_H
#define RIGS_HISTORY_DIFF_H

#include "rigs/history/find.h"
#include "rigs/history/spread.h"

/* Timings differ where this, over all their names, is passed, and rates over all rates. */
#define HISTORY_DIFF_ALPHA 0.01

struct history_side {
    char label[128];
    bool is_many;  /* all runs of something, be it one: rates are compared */
    int64_t *runs; /* their numbers */
    size_t count;
    size_t unverified, cut_off;        /* of these */
    size_t left_unverified, left_same; /* left out: not verified; the lines of another run */
};

/* "2 runs, 1 of them cut off; 1 that does not verify is left out". */
#define HISTORY_SIDE_SIZE 256
const char *history_side_say(const struct history_side *side, char said[HISTORY_SIDE_SIZE]);

enum history_kind {
    HISTORY_DIFF_FACT,       /* the rig, the version, the verdict of a run */
    HISTORY_DIFF_DEVICE,     /* what a device says of itself */
    HISTORY_DIFF_CHECK,      /* how often one failed, or whether it could be made */
    HISTORY_DIFF_RECORDING,  /* played on one side alone, or another content under the same name */
    HISTORY_DIFF_VERDICT,    /* of the same recording */
    HISTORY_DIFF_SETTLEMENT, /* of the same recording */
    HISTORY_DIFF_KINDS
};

/* "fact", "device", "check", "recording", "verdict", "settlement". */
const char *history_kind_name(enum history_kind kind);

#define HISTORY_SAID_SIZE 256

struct history_difference {
    enum history_kind kind;
    char what[HISTORY_SAID_SIZE]; /* "shuffler firmware" */
    char first[HISTORY_SAID_SIZE], second[HISTORY_SAID_SIZE];
    bool is_tested; /* a rate; all else differs */
    double p;       /* of a rate, corrected for all rates that were tested */
};

struct history_timed {
    char name[HISTORY_NAME_SIZE];
    bool by_hand;
    size_t first_count, second_count;
    int64_t first_median, second_median;
    bool is_tested; /* both sides have it */
    double larger;  /* rigs/history/rank.h */
    double p;       /* corrected for all names that were tested */
    bool is_exact;
};

struct history_diff {
    struct history_difference *items; /* also rates that are not shown to differ */
    size_t count, size, that_differ;
    size_t rates; /* that were tested, also those that are the same */
    struct history_timed *timed;
    size_t timed_count, timed_that_differ;
    size_t compared; /* recordings that both sides have played */
};

/* Errors as store_ask(), ERROR_RIG without memory. history_diff_free() in any case. */
int history_diff(struct store *store, const struct history_side sides[2], struct history_diff *diff,
                 struct error *error);
void history_diff_free(struct history_diff *diff);

/* Whether a timing, or a rate, differs at HISTORY_DIFF_ALPHA. */
bool history_timed_differs(const struct history_timed *timed);
bool history_difference_differs(const struct history_difference *difference);

/* For its files: one more; false when memory is short. */
bool history_diff_add(struct history_diff *diff, enum history_kind kind, const char *what,
                      const char *first, const char *second);
/* A rate that was tested; it is kept where the two are not the same. */
bool history_diff_rate(struct history_diff *diff, enum history_kind kind, const char *what,
                       const char *first, const char *second, bool is_same, double p);
bool history_diff_is_many(const struct history_side sides[2]);
int history_diff_checks(struct store *store, const struct history_side sides[2],
                        struct history_diff *diff, struct error *error);
int history_diff_recordings(struct store *store, const struct history_side sides[2],
                            struct history_diff *diff, struct error *error);

#endif
