/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "hal/base/turns.h"
#include "tests/support/suite.h"

#define PIECES  2000
#define THREADS 4
#define WINDOW  5

/* What was heard, in which order; how far anybody was ahead. */
struct log {
    struct turns turns;
    size_t heard[PIECES];
    size_t count;
    size_t cut_at; /* hearing this one cuts the rest off */
    bool ahead;
};

static void note(void *context, size_t index)
{
    struct log *log = context;

    log->heard[log->count++] = index;
    if (index == log->cut_at)
        turns_cut(&log->turns, index);
}

static void *work(void *context)
{
    struct log *log = context;
    size_t index;

    while (turns_take(&log->turns, &index)) {
        /* Nobody counts further while this piece is not done. */
        if (turns_is_next(&log->turns, index + 1))
            log->ahead = true;
        turns_done(&log->turns, index);
    }
    return NULL;
}

static void work_together(struct log *log)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, log), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static bool in_order(const struct log *log)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->heard[i] != i)
            return false;
    return true;
}

TEST(pieces_are_heard_once_and_in_order_whoever_does_them)
{
    struct log *log = calloc(1, sizeof *log);

    log->cut_at = PIECES;
    CU_ASSERT_TRUE_FATAL(turns_init(&log->turns, PIECES, WINDOW, note, log));
    work_together(log);
    CU_ASSERT_EQUAL(log->count, PIECES);
    CU_ASSERT_TRUE(in_order(log));
    CU_ASSERT_FALSE(log->ahead);
    turns_free(&log->turns);
    free(log);
}

TEST(nothing_is_heard_after_the_piece_that_cuts)
{
    struct log *log = calloc(1, sizeof *log);

    log->cut_at = 700;
    CU_ASSERT_TRUE_FATAL(turns_init(&log->turns, PIECES, WINDOW, note, log));
    work_together(log);
    CU_ASSERT_EQUAL(log->count, 701);
    CU_ASSERT_TRUE(in_order(log));
    turns_free(&log->turns);
    free(log);
}

TEST(a_piece_done_early_waits_for_those_before_it)
{
    struct log log = {.cut_at = PIECES};
    size_t first, second, third;

    CU_ASSERT_TRUE_FATAL(turns_init(&log.turns, 3, 3, note, &log));
    CU_ASSERT_TRUE(turns_take(&log.turns, &first));
    CU_ASSERT_TRUE(turns_take(&log.turns, &second));
    CU_ASSERT_TRUE(turns_take(&log.turns, &third));
    CU_ASSERT_FALSE(turns_take(&log.turns, &third));
    turns_done(&log.turns, second);
    CU_ASSERT_EQUAL(log.count, 0);
    CU_ASSERT_TRUE(turns_is_next(&log.turns, first));
    CU_ASSERT_FALSE(turns_is_next(&log.turns, third));
    turns_done(&log.turns, first);
    CU_ASSERT_EQUAL(log.count, 2);
    CU_ASSERT_TRUE(turns_is_next(&log.turns, third));
    turns_free(&log.turns);
}

/* What it adds early would stand behind the end, since nobody hears it. */
TEST(a_piece_behind_the_one_that_cuts_is_never_the_next)
{
    struct log log = {.cut_at = 0};
    size_t first, second;

    CU_ASSERT_TRUE_FATAL(turns_init(&log.turns, 2, 2, note, &log));
    CU_ASSERT_TRUE(turns_take(&log.turns, &first));
    CU_ASSERT_TRUE(turns_take(&log.turns, &second));
    turns_done(&log.turns, first);
    CU_ASSERT_FALSE(turns_is_next(&log.turns, second));
    turns_done(&log.turns, second);
    CU_ASSERT_EQUAL(log.count, 1);
    turns_free(&log.turns);
}

TEST(after_closing_what_was_taken_is_heard_and_nothing_else)
{
    struct log log = {.cut_at = PIECES};
    size_t first, second;

    CU_ASSERT_TRUE_FATAL(turns_init(&log.turns, 9, 4, note, &log));
    CU_ASSERT_TRUE(turns_take(&log.turns, &first));
    CU_ASSERT_TRUE(turns_take(&log.turns, &second));
    turns_close(&log.turns);
    CU_ASSERT_FALSE(turns_take(&log.turns, &(size_t){0}));
    turns_done(&log.turns, second);
    turns_done(&log.turns, first);
    CU_ASSERT_EQUAL(log.count, 2);
    turns_free(&log.turns);
}

static void *close_later(void *context)
{
    turns_close(context);
    return NULL;
}

/* It would wait for ever: what it needs to be heard first is never done. */
TEST(who_waits_for_room_is_woken_by_the_end)
{
    struct log log = {.cut_at = PIECES};
    pthread_t closer;
    size_t index;

    CU_ASSERT_TRUE_FATAL(turns_init(&log.turns, 9, 1, note, &log));
    CU_ASSERT_TRUE(turns_take(&log.turns, &index));
    CU_ASSERT_EQUAL_FATAL(pthread_create(&closer, NULL, close_later, &log.turns), 0);
    CU_ASSERT_FALSE(turns_take(&log.turns, &index));
    pthread_join(closer, NULL);
    turns_free(&log.turns);
}
