/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The book in which the results of a run's checks are kept. It counts, hands results to whoever
 * writes them down and failures to whoever listens; it allocates nothing. Where results could not
 * be written is remembered in `status`, so that a round is judged to its end before anybody looks.
 */
#ifndef RIGS_CHECKS_BOOK_H
#define RIGS_CHECKS_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/checks/check.h"
#include "rigs/checks/result.h"

struct check_counts {
    uint64_t passed[CHECK_COUNT];
    uint64_t failed[CHECK_COUNT];
    uint64_t skipped[CHECK_COUNT];
};

/*
 * Why a check that could be proven was not, where all rounds have passed; and where one has not:
 * what it would have asked for after that nobody knows.
 */
#define CHECK_UNASKED "no round that was played has asked for it"
#define CHECK_UNREACHED                                                                            \
    "no round that passed has asked for it, and one that did not pass may not have been judged "   \
    "so far"

/* Of one round. */
struct check_tally {
    unsigned passed, failed;
};

/* Functions are NULL where nobody listens; those that write return 0 or a negative code. */
struct check_book {
    void *context;
    int (*write_pass)(void *context, const char *name, struct error *error);
    int (*write_result)(void *context, const struct check_result *result, struct error *error);
    void (*failed)(void *context, const struct check_result *result);
    struct check_counts counts;
    struct check_counts begun;     /* when this recording began */
    bool has_broken;               /* a round of it did not pass */
    bool is_unproven[CHECK_COUNT]; /* by this recording on this bench, whatever is compared */
    struct check_tally *tally;     /* of the round that is played, whose it is */
    int status;                    /* 0, or what writing failed with */
    struct error error;
};

/*
 * For the first round of a recording: skips, each with its reason, the checks that the bench cannot
 * prove because it lacks something that they need; `has` is a set of enum check_need. Those that
 * the game has no use for are left out in silence. None of either passes until this is called
 * again; all of them can fail.
 */
void check_begin(struct check_book *book, unsigned has);

/* A round of it did not pass, and may have asked for less than it would have. */
void check_broken(struct check_book *book);

/* After its last round: skips the checks that could be proven and that no round has asked for. */
void check_end(struct check_book *book);

void check_pass(struct check_book *book, enum check check);

/* Name and outcome of the result are set here. */
void check_fail(struct check_book *book, enum check check, struct check_result result);

/* Not proven here, for that reason. */
void check_skip(struct check_book *book, enum check check, const char *why);

/* Two numbers that must be equal: seat 0 and NULL texts where they do not apply. */
void check_number(struct check_book *book, enum check check, unsigned seat, const char *wager,
                  int64_t expected, int64_t got, const char *why);

#endif
