/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders and the hands of rounds, as far as a device leaves them to chance. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/chance.h"
#include "rigs/run/observation.h"
#include "tests/support/deck.h"
#include "tests/support/suite.h"

/* Rounds of 3 Card Poker at one seat: three cards for it and three for the dealer. */
#define DEALT 6

struct rounds {
    struct run run;
    struct recording_header header;
    struct observation observation;
    struct run_chance chance;
    card_t deck[DECK_SIZE];
    uint64_t seed;
};

static struct rounds *open_rounds(void)
{
    struct rounds *rounds = calloc(1, sizeof *rounds);

    CU_ASSERT_PTR_NOT_NULL_FATAL(rounds);
    game_setup_init(&rounds->header.setup, game_find("three-card-poker"));
    deck_in_order(rounds->deck);
    rounds->seed = 1;
    rounds->run.recording.header = &rounds->header;
    rounds->run.round.shuffle.is_told = true;
    rounds->run.round.dealt.seats = seat_bit(3);
    rounds->run.round.dealt.dealt_count = DEALT;
    memcpy(rounds->run.round.dealt.dealt, rounds->deck, DECK_SIZE);
    rounds->run.round.outcome.seats = seat_bit(3);
    return rounds;
}

static void close_rounds(struct rounds *rounds)
{
    run_chance_free(&rounds->chance);
    CU_ASSERT_PTR_NULL(rounds->chance.shuffles);
    CU_ASSERT_FALSE(rounds->chance.is_linked[0]);
    CU_ASSERT_EQUAL(rounds->chance.lines.rounds, 0);
    free(rounds);
}

static void see(struct rounds *rounds, int status)
{
    CU_ASSERT_EQUAL(run_chance_see(&rounds->chance, &rounds->run, status, NULL), 0);
}

static void expect_orders(const struct rounds *rounds, unsigned count, bool first, bool second)
{
    const struct run_chance *chance = &rounds->chance;

    CU_ASSERT_EQUAL(chance->shuffles ? shuffles_count(chance->shuffles) : 0, count);
    CU_ASSERT_EQUAL(chance->is_linked[0], first);
    CU_ASSERT_EQUAL(chance->is_linked[1], second);
}

TEST(an_order_that_the_device_shuffled_is_counted_with_its_deck)
{
    struct rounds *rounds = open_rounds();

    see(rounds, 0);
    expect_orders(rounds, 1, true, false);
    rounds->run.round.dealt.deck_id = 1;
    see(rounds, 0);
    expect_orders(rounds, 2, true, false);
    rounds->run.round.dealt.deck_id = 2;
    see(rounds, 0);
    expect_orders(rounds, 3, true, true);
    close_rounds(rounds);
}

TEST(a_round_without_a_shuffle_of_its_own_leaves_the_last_order_known)
{
    struct rounds *rounds = open_rounds();

    rounds->run.round.shuffle.is_told = false;
    see(rounds, 0);
    CU_ASSERT_PTR_NULL(rounds->chance.shuffles);
    rounds->chance.is_linked[0] = rounds->chance.is_linked[1] = true;
    rounds->run.round.shuffle.is_loaded = true;
    see(rounds, 0);
    expect_orders(rounds, 0, true, true);
    close_rounds(rounds);
}

/* Sees a round with both decks known before. */
static void expect_unlinked(struct rounds *rounds, int status, unsigned count, bool first)
{
    rounds->chance.is_linked[0] = rounds->chance.is_linked[1] = true;
    see(rounds, status);
    expect_orders(rounds, count, first, false);
}

TEST(after_a_round_that_cannot_be_judged_no_order_is_known)
{
    struct rounds *rounds = open_rounds();
    struct run_round *round = &rounds->run.round;

    expect_unlinked(rounds, ERROR_DEVICE, 0, false);
    round->device_failed = true;
    expect_unlinked(rounds, 0, 0, false);
    round->device_failed = false;
    round->unknown = 1;
    expect_unlinked(rounds, 0, 0, false);
    round->unknown = 0;
    round->backs[1] = 1;
    round->backs[DEALT - 1] = 2;
    expect_unlinked(rounds, 0, 0, false);
    memset(round->backs, 0, sizeof round->backs);
    round->shuffle.is_loaded = true;
    expect_unlinked(rounds, 0, 0, false);
    round->shuffle.is_loaded = false;
    round->has_passed_deck = true;
    expect_unlinked(rounds, 0, 1, true);
    close_rounds(rounds);
}

static void expect_counted(const char *backs, unsigned count)
{
    struct rounds *rounds = open_rounds();

    for (size_t i = 0; backs[i]; i++)
        rounds->run.round.backs[i] = (uint8_t)(backs[i] - '0');
    see(rounds, 0);
    expect_orders(rounds, count, count, false);
    close_rounds(rounds);
}

/* 0 where nobody says it; what stands behind the last card is of no card. */
TEST(cards_of_two_decks_are_no_order_of_either)
{
    expect_counted("111111", 1);
    expect_counted("222222", 1);
    expect_counted("0200202", 1);
    expect_counted("1111112", 1);
    expect_counted("2000001", 1);
    expect_counted("211111", 0);
    expect_counted("200001", 0);
    expect_counted("121212", 0);
}

TEST(an_order_is_known_only_as_far_as_everybody_was_dealt_to)
{
    struct rounds *rounds = open_rounds();

    rounds->run.round.dealt.dealt_count = DEALT - 1;
    rounds->chance.is_linked[0] = rounds->chance.is_linked[1] = true;
    see(rounds, 0);
    expect_orders(rounds, 0, false, true);
    close_rounds(rounds);
    rounds = open_rounds();
    rounds->run.round.dealt.dealt[1] = rounds->run.round.dealt.dealt[0];
    rounds->chance.is_linked[0] = true;
    see(rounds, 0);
    expect_orders(rounds, 0, false, false);
    close_rounds(rounds);
    rounds = open_rounds();
    rounds->run.round.dealt.seats = 0;
    rounds->run.round.dealt.dealt_count = 0;
    rounds->chance.is_linked[0] = true;
    see(rounds, 0);
    expect_orders(rounds, 0, false, false);
    close_rounds(rounds);
}

TEST(hands_of_rounds_that_are_observed_and_settled_are_counted)
{
    struct rounds *rounds = open_rounds();

    rounds->run.round.is_settled = true;
    see(rounds, 0);
    CU_ASSERT_EQUAL(rounds->chance.lines.rounds, 0);
    rounds->run.recording.observation = &rounds->observation;
    see(rounds, 0);
    CU_ASSERT_EQUAL(rounds->chance.lines.rounds, 1);
    rounds->run.round.is_settled = false;
    see(rounds, 0);
    CU_ASSERT_EQUAL(rounds->chance.lines.rounds, 1);
    close_rounds(rounds);
}

/* What the check of that name has come to. */
static struct {
    const char *name;
    unsigned failed, skipped;
    char got[32], why[240];
} told;

static int note(void *context, const struct check_result *result, struct error *error)
{
    (void)context;
    (void)error;
    if (strcmp(result->name, told.name) != 0)
        return 0;
    told.failed += result->outcome == CHECK_FAIL;
    told.skipped += result->outcome == CHECK_SKIPPED;
    snprintf(told.got, sizeof told.got, "%s", result->got ? result->got : "");
    snprintf(told.why, sizeof told.why, "%s", result->why);
    return 0;
}

/* How often it has passed. */
static unsigned judge(const struct rounds *rounds, enum check check, const char *name)
{
    struct check_tally tally = {0};
    struct check_book book = {.write_result = note, .tally = &tally};

    memset(&told, 0, sizeof told);
    told.name = name;
    run_chance_judge(&rounds->chance, &book);
    return (unsigned)book.counts.passed[check];
}

static unsigned judge_shuffle(const struct rounds *rounds)
{
    return judge(rounds, CHECK_SHUFFLE, "shuffle");
}

static void see_mixed(struct rounds *rounds, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        deck_mix(rounds->deck, &rounds->seed);
        memcpy(rounds->run.round.dealt.dealt, rounds->deck, DECK_SIZE);
        see(rounds, 0);
    }
}

TEST(a_shuffler_passes_once_it_has_shuffled_often_enough)
{
    struct rounds *rounds = open_rounds();
    struct shuffles_report report;
    char why[100];

    CU_ASSERT_EQUAL(judge_shuffle(rounds), 0);
    CU_ASSERT_EQUAL(told.skipped, 1);
    CU_ASSERT_STRING_EQUAL(told.why, "no round was dealt in an order of the device's own");
    see_mixed(rounds, 3);
    CU_ASSERT_EQUAL(judge_shuffle(rounds), 0);
    CU_ASSERT_EQUAL(told.skipped, 1);
    shuffles_judge(rounds->chance.shuffles, RUN_ALPHA, &report);
    snprintf(why, sizeof why, "too few shuffles to say: 3, at least %u needed",
             (unsigned)report.results[0].needed);
    CU_ASSERT_STRING_EQUAL(told.why, why);
    CU_ASSERT(report.results[0].needed > 3);
    see_mixed(rounds, (unsigned)report.results[0].needed);
    CU_ASSERT_EQUAL(judge_shuffle(rounds), 1);
    CU_ASSERT_EQUAL(told.failed + told.skipped, 0);
    close_rounds(rounds);
}

/* The first of those that are the most unlikely. */
static const struct shuffles_result *find_worst(const struct shuffles_report *report)
{
    const struct shuffles_result *worst = NULL;

    for (size_t i = report->result_count; i-- > 0;)
        if (report->results[i].verdict == SHUFFLES_EVIDENCE &&
            (!worst || report->results[i].p <= worst->p))
            worst = &report->results[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(worst);
    return worst;
}

static void expect_evidence(const struct rounds *rounds)
{
    struct shuffles_report report;
    const struct shuffles_result *worst;
    char got[32], why[300];

    CU_ASSERT_EQUAL(judge_shuffle(rounds), 0);
    CU_ASSERT_EQUAL(told.failed, 1);
    shuffles_judge(rounds->chance.shuffles, RUN_ALPHA, &report);
    worst = find_worst(&report);
    snprintf(got, sizeof got, "%.3g", worst->holm);
    snprintf(why, sizeof told.why,
             "p of what chance alone would do, corrected for %u questions: %s, %.100s",
             (unsigned)report.judged, worst->name, worst->says);
    CU_ASSERT_STRING_EQUAL(told.got, got);
    CU_ASSERT_STRING_EQUAL(told.why, why);
}

TEST(a_shuffler_that_deals_the_same_order_each_time_fails_by_the_most_unlikely)
{
    struct rounds *rounds = open_rounds();

    for (unsigned i = 0; i < 300; i++)
        see(rounds, 0);
    expect_evidence(rounds);
    close_rounds(rounds);
}

/* Each order comes twice: where single cards lie tells less of it than that orders come again. */
TEST(a_shuffler_is_told_by_the_test_that_finds_most)
{
    struct rounds *rounds = open_rounds();
    struct shuffles_report report;

    rounds->run.round.dealt.seats = 0xfe;
    rounds->run.round.dealt.dealt_count = 24;
    for (unsigned i = 0; i < 400; i++) {
        see_mixed(rounds, 1);
        see(rounds, 0);
    }
    expect_evidence(rounds);
    shuffles_judge(rounds->chance.shuffles, RUN_ALPHA, &report);
    CU_ASSERT(find_worst(&report) > &report.results[0]);
    close_rounds(rounds);
}

static unsigned judge_hands(const char *cards, unsigned count)
{
    struct rounds *rounds = open_rounds();
    unsigned passed;

    rounds->run.recording.observation = &rounds->observation;
    rounds->run.round.is_settled = true;
    for (unsigned i = 0; i < count; i++) {
        struct settlement *outcome = &rounds->run.round.outcome;

        deck_mix(rounds->deck, &rounds->seed);
        memcpy(outcome->seat[3].held.cards, rounds->deck, 3);
        memcpy(outcome->dealer.cards, rounds->deck + 3, 3);
        if (*cards)
            CU_ASSERT_EQUAL(cards_parse(cards, 8, outcome->dealer.cards, 3, NULL), 3);
        see(rounds, 0);
    }
    passed = judge(rounds, CHECK_DEALT_LINES, "dealt-lines");
    close_rounds(rounds);
    return passed;
}

TEST(hands_pass_as_their_law_has_them_and_fail_where_it_has_them_not)
{
    CU_ASSERT_EQUAL(judge_hands("", RUN_LINES_MIN), 1);
    CU_ASSERT_EQUAL(told.failed + told.skipped, 0);
    CU_ASSERT_EQUAL(judge_hands("", RUN_LINES_MIN - 1), 0);
    CU_ASSERT_EQUAL(told.skipped, 1);
    CU_ASSERT_STRING_EQUAL(told.why, "too few rounds to say: at least 100 are needed");
    CU_ASSERT_EQUAL(judge_hands("8c 8h 2s", RUN_LINES_MIN), 0);
    CU_ASSERT_EQUAL(told.failed, 1);
    CU_ASSERT_STRING_EQUAL(told.why, "p of what chance alone would do, corrected for 20 questions: "
                                     "100 hands of the dealer are pair, where 16.9 of 100 are due");
    CU_ASSERT_PTR_NOT_NULL(strstr(told.got, "e-7"));
}
