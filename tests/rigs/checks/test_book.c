/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The book of checks: what it counts, what it refuses to let pass, and why. */
#include "rigs/checks/book.h"

#include <string.h>

#include "tests/support/suite.h"

#define EVERYTHING (~0u)

struct written {
    unsigned passes, results, failures;
    struct check_result last;
    struct check_tally tally;
};

static int note_pass(void *context, const char *name, struct error *error)
{
    struct written *written = context;

    (void)name;
    (void)error;
    written->passes++;
    return 0;
}

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct written *written = context;

    (void)error;
    written->results++;
    written->last = *result;
    return 0;
}

static struct check_book open_book(struct written *written)
{
    *written = (struct written){0};
    return (struct check_book){.context = written,
                               .write_pass = note_pass,
                               .write_result = note_result,
                               .tally = &written->tally};
}

TEST(a_check_that_the_bench_cannot_prove_is_skipped_once_and_never_passes)
{
    struct written written;
    struct check_book book = open_book(&written);

    check_begin(&book, EVERYTHING & ~(unsigned)CHECK_NEEDS_WIRE);
    CU_ASSERT_EQUAL(written.results, 1);
    CU_ASSERT_STRING_EQUAL(written.last.name, "order-leak");
    CU_ASSERT_EQUAL(written.last.outcome, CHECK_SKIPPED);
    CU_ASSERT_PTR_NOT_NULL(strstr(written.last.why, "does not show its frames"));
    check_pass(&book, CHECK_ORDER_LEAK);
    check_number(&book, CHECK_ORDER_LEAK, 0, NULL, 1, 1, "the same");
    check_skip(&book, CHECK_ORDER_LEAK, "again");
    CU_ASSERT_EQUAL(written.passes, 0);
    CU_ASSERT_EQUAL(written.results, 1);
    CU_ASSERT_EQUAL(book.counts.passed[CHECK_ORDER_LEAK], 0);
    CU_ASSERT_EQUAL(book.counts.skipped[CHECK_ORDER_LEAK], 1);
}

TEST(a_check_that_cannot_be_proven_can_fail)
{
    struct written written;
    struct check_book book = open_book(&written);

    check_begin(&book, EVERYTHING & ~(unsigned)CHECK_NEEDS_TEST_MODE);
    check_number(&book, CHECK_TEST_MODE_ANNOUNCED, 0, NULL, 1, 0, "not the same");
    CU_ASSERT_EQUAL(book.counts.failed[CHECK_TEST_MODE_ANNOUNCED], 1);
    CU_ASSERT_EQUAL(written.tally.failed, 1);
    CU_ASSERT_EQUAL(written.last.outcome, CHECK_FAIL);
}

TEST(what_a_game_does_not_have_is_neither_skipped_nor_passed)
{
    struct written written;
    struct check_book book = open_book(&written);

    check_begin(&book, EVERYTHING & ~(unsigned)CHECK_NEEDS_OF_GAME);
    check_pass(&book, CHECK_JACKPOTS);
    check_pass(&book, CHECK_DRAWS);
    CU_ASSERT_EQUAL(written.results, 0);
    CU_ASSERT_EQUAL(written.passes, 0);
    check_pass(&book, CHECK_TIMING);
    CU_ASSERT_EQUAL(written.passes, 1);
}

TEST(another_recording_may_prove_what_the_one_before_could_not)
{
    struct written written;
    struct check_book book = open_book(&written);

    check_begin(&book, 0);
    check_begin(&book, EVERYTHING);
    for (unsigned i = 0; i < CHECK_COUNT; i++)
        check_pass(&book, (enum check)i);
    CU_ASSERT_EQUAL(written.passes, CHECK_COUNT);
    CU_ASSERT_EQUAL(written.tally.passed, CHECK_COUNT);
}

TEST(every_need_of_a_check_has_a_reason_or_is_of_the_game)
{
    unsigned needed = 0;

    for (unsigned i = 0; i < CHECK_COUNT; i++)
        needed |= check_kinds[i].needs;
    for (unsigned need = 1; need; need <<= 1)
        if (need & needed)
            CU_ASSERT_TRUE(need & CHECK_NEEDS_OF_GAME ? !check_missing(need)
                                                      : check_missing(need) != NULL);
    CU_ASSERT_PTR_NULL(check_missing(0));
    CU_ASSERT_EQUAL(needed & CHECK_NEEDS_OF_GAME, CHECK_NEEDS_OF_GAME);
}

TEST(what_could_be_proven_and_was_never_asked_is_skipped_at_the_end)
{
    struct written written;
    struct check_book book = open_book(&written);

    check_begin(&book, EVERYTHING & ~(unsigned)(CHECK_NEEDS_WIRE | CHECK_NEEDS_DRAWS));
    CU_ASSERT_EQUAL(written.results, 1);
    check_pass(&book, CHECK_TIMING);
    check_skip(&book, CHECK_JACKPOTS, "for a reason of its own");
    check_number(&book, CHECK_LIGHTS, 0, NULL, 1, 0, "not the same");
    check_end(&book);
    CU_ASSERT_STRING_EQUAL(written.last.why, "no round that was played has asked for it");
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        bool is_silent = i == CHECK_TIMING || i == CHECK_LIGHTS || i == CHECK_DRAWS ||
                         check_kinds[i].needs & CHECK_NEEDS_END;

        CU_ASSERT_EQUAL(book.counts.skipped[i], !is_silent);
    }

    check_begin(&book, EVERYTHING);
    check_pass(&book, CHECK_PACKET_SIZE);
    check_end(&book);
    CU_ASSERT_EQUAL(book.counts.skipped[CHECK_PACKET_SIZE], 1);
    CU_ASSERT_EQUAL(book.counts.skipped[CHECK_TIMING], 1);
    CU_ASSERT_EQUAL(book.counts.skipped[CHECK_DRAWS], 1);
}

static int refuse_pass(void *context, const char *name, struct error *error)
{
    note_pass(context, name, error);
    return error_set(error, ERROR_RIG, "the disk is full");
}

static int refuse_result(void *context, const struct check_result *result, struct error *error)
{
    note_result(context, result, error);
    return error_set(error, ERROR_RIG, "the disk is full");
}

TEST(a_book_that_cannot_be_written_says_so_and_still_counts)
{
    struct written written;
    struct check_book book = open_book(&written);

    book.write_pass = refuse_pass;
    check_pass(&book, CHECK_TIMING);
    CU_ASSERT_EQUAL(book.status, ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(book.error.text, "the disk is full");
    check_pass(&book, CHECK_TIMING);
    check_skip(&book, CHECK_LIGHTS, "for a reason");
    check_number(&book, CHECK_LIGHTS, 0, NULL, 1, 0, "not the same");
    CU_ASSERT_EQUAL(written.passes, 1);
    CU_ASSERT_EQUAL(written.results, 0);
    CU_ASSERT_EQUAL(written.tally.passed, 2);
    CU_ASSERT_EQUAL(written.tally.failed, 1);
    CU_ASSERT_EQUAL(book.counts.skipped[CHECK_LIGHTS], 1);

    book = open_book(&written);
    book.write_result = refuse_result;
    check_skip(&book, CHECK_LIGHTS, "for a reason");
    CU_ASSERT_EQUAL(book.status, ERROR_RIG);
    check_pass(&book, CHECK_TIMING);
    CU_ASSERT_EQUAL(written.results, 1);
    CU_ASSERT_EQUAL(written.passes, 0);
}

TEST(a_book_to_which_nobody_listens_counts)
{
    struct check_tally tally = {0};
    struct check_book book = {.tally = &tally};

    check_pass(&book, CHECK_TIMING);
    check_skip(&book, CHECK_LIGHTS, "for a reason");
    check_number(&book, CHECK_LIGHTS, 0, NULL, 1, 0, "not the same");
    CU_ASSERT_EQUAL(book.status, 0);
    CU_ASSERT_EQUAL(tally.passed, 1);
    CU_ASSERT_EQUAL(tally.failed, 1);
}

static void note_failure(void *context, const struct check_result *result)
{
    struct written *written = context;

    written->failures++;
    CU_ASSERT_STRING_EQUAL(result->name, "wager-outcome");
    CU_ASSERT_EQUAL(result->outcome, CHECK_FAIL);
    CU_ASSERT_EQUAL(result->seat, 3);
    CU_ASSERT_STRING_EQUAL(result->wager, "ante");
    CU_ASSERT_STRING_EQUAL(result->expected, "-9223372036854775808");
    CU_ASSERT_STRING_EQUAL(result->got, "9223372036854775807");
    CU_ASSERT_STRING_EQUAL(result->engine, result->expected);
    CU_ASSERT_STRING_EQUAL(result->device, result->got);
    CU_ASSERT_STRING_EQUAL(result->why, "the pay");
}

TEST(numbers_that_differ_are_told_with_their_place_and_both_values)
{
    struct written written;
    struct check_book book = open_book(&written);

    book.failed = note_failure;
    check_number(&book, CHECK_WAGER_OUTCOME, 3, "ante", INT64_MIN, INT64_MAX, "the pay");
    CU_ASSERT_EQUAL(written.results, 1);
    CU_ASSERT_EQUAL(written.failures, 1);
    check_number(&book, CHECK_WAGER_OUTCOME, 3, "ante", 7, 7, "the pay");
    CU_ASSERT_EQUAL(written.results, 1);
    CU_ASSERT_EQUAL(written.passes, 1);
    CU_ASSERT_EQUAL(book.counts.failed[CHECK_WAGER_OUTCOME], 1);
    CU_ASSERT_EQUAL(book.counts.passed[CHECK_WAGER_OUTCOME], 1);
}

TEST(every_recording_is_told_what_it_cannot_prove)
{
    struct written written;
    struct check_book book = open_book(&written);

    for (unsigned recordings = 1; recordings <= 2; recordings++) {
        check_begin(&book, CHECK_NEEDS_OF_GAME);
        for (unsigned i = 0; i < CHECK_COUNT; i++)
            CU_ASSERT_EQUAL(book.counts.skipped[i],
                            check_kinds[i].needs & ~(unsigned)CHECK_NEEDS_OF_GAME ? recordings : 0);
    }
}

/* It may have ended before it came so far, or before what it was asked could be told as passed. */
TEST(a_round_that_did_not_pass_may_have_asked_for_what_nobody_judged)
{
    struct written written;
    struct check_book book = open_book(&written);

    check_begin(&book, EVERYTHING);
    check_broken(&book);
    check_end(&book);
    CU_ASSERT_STRING_EQUAL(written.last.why,
                           "no round that passed has asked for it, and one that did not pass may "
                           "not have been judged so far");
    check_begin(&book, EVERYTHING); /* another recording, all of whose rounds pass */
    check_end(&book);
    CU_ASSERT_STRING_EQUAL(written.last.why, CHECK_UNASKED);
}

TEST(cents_are_what_a_wager_comes_to_and_what_says_so)
{
    CU_ASSERT_TRUE(check_is_money("wager-outcome", "ante"));
    CU_ASSERT_TRUE(check_is_money("wager-outcome", NULL));
    CU_ASSERT_TRUE(check_is_money("status", "cents"));
    CU_ASSERT_FALSE(check_is_money("status", "ante"));
    CU_ASSERT_FALSE(check_is_money("status", NULL));
}
