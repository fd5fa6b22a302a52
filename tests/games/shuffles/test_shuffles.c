/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/shuffles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/shuffles/places.h"
#include "tests/support/deck.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct shuffles_report report;

static void add(struct shuffles *shuffles, const card_t *cards, size_t count, const card_t *before)
{
    const struct shuffles_order order = {.cards = cards, .count = count, .before = before};

    CU_ASSERT_EQUAL_FATAL(shuffles_add(shuffles, &order, NULL), 0);
}

/* Uniform orders, each knowing the one before. */
static void add_uniform(struct shuffles *shuffles, unsigned count, uint64_t seed)
{
    card_t deck[DECK_SIZE], before[DECK_SIZE];

    deck_in_order(deck);
    for (unsigned i = 0; i < count; i++) {
        memcpy(before, deck, sizeof deck);
        deck_mix(deck, &seed);
        add(shuffles, deck, DECK_SIZE, before);
    }
}

static const struct shuffles_result *judged(const struct shuffles *shuffles, const char *name)
{
    shuffles_judge(shuffles, SHUFFLES_ALPHA, &report);
    for (size_t i = 0; i < report.result_count; i++)
        if (!strcmp(report.results[i].name, name))
            return &report.results[i];
    CU_FAIL_FATAL("no such test");
    return NULL;
}

static bool is_evidence(const struct shuffles *shuffles, const char *name)
{
    return judged(shuffles, name)->verdict == SHUFFLES_EVIDENCE &&
           report.verdict == SHUFFLES_EVIDENCE;
}

TEST(uniform_shuffles_give_no_evidence)
{
    struct shuffles *shuffles = shuffles_new();

    add_uniform(shuffles, 1000, 1);
    shuffles_judge(shuffles, SHUFFLES_ALPHA, &report);
    CU_ASSERT_EQUAL(report.verdict, SHUFFLES_NO_EVIDENCE);
    CU_ASSERT_EQUAL(report.count, 1000);
    CU_ASSERT_EQUAL(report.whole, 1000);
    CU_ASSERT_EQUAL(report.result_count, 28);
    CU_ASSERT_EQUAL(report.judged, 26);
    CU_ASSERT_EQUAL(report.weight, 18 + 8 * SHUFFLES_SPECIAL_WEIGHT);
    shuffles_free(shuffles);
}

/* 400 seeds: alarms are binomial, with less than one chance in a thousand of more than 12. */
TEST(uniform_shuffles_are_blamed_no_more_often_than_declared)
{
    struct shuffles *shuffles = shuffles_new();
    unsigned blamed = 0, tenth[SHUFFLES_RESULTS_MAX] = {0};

    for (uint64_t seed = 0; seed < 400; seed++) {
        shuffles_clear(shuffles);
        add_uniform(shuffles, 520, 1000 + seed * 7919);
        shuffles_judge(shuffles, SHUFFLES_ALPHA, &report);
        blamed += report.verdict == SHUFFLES_EVIDENCE;
        for (size_t i = 0; i < report.result_count; i++)
            tenth[i] += report.results[i].p <= 0.1;
    }
    CU_ASSERT_TRUE(blamed <= 12);
    for (size_t i = 0; i < report.result_count; i++)
        CU_ASSERT_TRUE(tenth[i] <= 40 + 20);
    /* Both sides, of the tests whose p-value is spread evenly over 0 … 1. */
    CU_ASSERT_TRUE(tenth[0] >= 40 - 20 && tenth[1] >= 40 - 20 && tenth[2] >= 40 - 20);
    CU_ASSERT_TRUE(tenth[5] >= 40 - 20);
    shuffles_free(shuffles);
}

static int by_weighed_p(const void *a, const void *b)
{
    const struct shuffles_result *x = *(const struct shuffles_result *const *)a;
    const struct shuffles_result *y = *(const struct shuffles_result *const *)b;

    return (x->p / x->weight > y->p / y->weight) - (x->p / x->weight < y->p / y->weight);
}

/* Uniform but for its top card. */
static void mix_below(card_t deck[DECK_SIZE], card_t top, uint64_t *state)
{
    deck_mix(deck, state);
    for (unsigned at = 0; at < DECK_SIZE; at++)
        if (deck[at] == top) {
            deck[at] = deck[0];
            deck[0] = top;
        }
}

/* Holm 1979, with weights: each p against its weight's share of all that are left. */
TEST(p_values_are_corrected_by_holms_rule_and_their_weights)
{
    struct shuffles *shuffles = shuffles_new();
    const struct shuffles_result *sorted[SHUFFLES_RESULTS_MAX];
    card_t deck[DECK_SIZE], before[DECK_SIZE];
    uint64_t state = 5;
    double expected = 0;
    size_t count = 0, special = 0, below = 0;

    deck_in_order(deck);
    for (unsigned i = 0; i < 700; i++) {
        memcpy(before, deck, sizeof before);
        if (i % 16)
            deck_mix(deck, &state);
        else
            mix_below(deck, card_make(RANK_ACE, SUIT_SPADES), &state);
        add(shuffles, deck, DECK_SIZE, before);
    }
    shuffles_judge(shuffles, 1e-200, &report);
    for (size_t i = 0; i < report.result_count; i++)
        if (report.results[i].verdict == SHUFFLES_NO_EVIDENCE) {
            sorted[count++] = &report.results[i];
            special += report.results[i].weight == SHUFFLES_SPECIAL_WEIGHT;
        }
    CU_ASSERT_EQUAL(count, report.judged);
    CU_ASSERT_EQUAL(special, 8);
    qsort(sorted, count, sizeof sorted[0], by_weighed_p);
    for (size_t i = 0; i < count; i++) {
        double left = 0;

        for (size_t j = i; j < count; j++)
            left += sorted[j]->weight;
        expected = fmax(expected, fmin(1, sorted[i]->p * left / sorted[i]->weight));
        below += expected < 1;
        CU_ASSERT_DOUBLE_EQUAL(sorted[i]->holm / expected, 1, 1e-12);
    }
    CU_ASSERT(below >= 3);
    shuffles_free(shuffles);
}

TEST(evidence_depends_on_the_significance_declared)
{
    struct shuffles *shuffles = shuffles_new();
    card_t deck[DECK_SIZE];
    uint64_t state = 3;
    double holm;

    deck_in_order(deck);
    for (unsigned i = 0; i < 600; i++) {
        deck_mix(deck, &state);
        add(shuffles, deck, DECK_SIZE, NULL);
    }
    for (unsigned i = 0; i < 30; i++) {
        mix_below(deck, card_make(RANK_ACE, SUIT_SPADES), &state);
        add(shuffles, deck, DECK_SIZE, NULL);
    }
    holm = judged(shuffles, "first position")->holm;
    CU_ASSERT_TRUE_FATAL(holm > 0 && holm < 0.5);
    shuffles_judge(shuffles, holm * 1.01, &report);
    CU_ASSERT_EQUAL(report.results[1].verdict, SHUFFLES_EVIDENCE);
    shuffles_judge(shuffles, holm * 0.99, &report);
    CU_ASSERT_EQUAL(report.results[1].verdict, SHUFFLES_NO_EVIDENCE);
    shuffles_free(shuffles);
}

TEST(a_top_card_that_tends_to_stay_is_caught)
{
    struct shuffles *shuffles = shuffles_new();
    card_t deck[DECK_SIZE], before[DECK_SIZE];
    uint64_t state = 3;

    deck_in_order(deck);
    for (unsigned i = 0; i < PLACE_ORDERS_MIN; i++) {
        memcpy(before, deck, sizeof deck);
        if (i % 10)
            deck_mix(deck, &state);
        else
            mix_below(deck, before[0], &state);
        add(shuffles, deck, DECK_SIZE, before);
    }
    CU_ASSERT_TRUE(is_evidence(shuffles, "places kept"));
    shuffles_free(shuffles);
}

/* 100 seeds: 90 of them are expected, fewer than 78 or all but one have a chance of 1 in 1000. */
TEST(a_bias_that_would_be_shown_is_shown_nine_times_in_ten)
{
    struct shuffles *shuffles = shuffles_new();
    card_t deck[DECK_SIZE], top = card_make(RANK_ACE, SUIT_SPADES);
    unsigned shown = 0;
    double more;

    add_uniform(shuffles, 1000, 1);
    more = (judged(shuffles, "first position")->detectable - 1.0 / 52) / (51.0 / 52);
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint64_t state = seed * 7919;

        shuffles_clear(shuffles);
        deck_in_order(deck);
        for (unsigned i = 0; i < 1000; i++) {
            if (seeded_below(&state, 1000000) < 1000000 * more)
                mix_below(deck, top, &state);
            else
                deck_mix(deck, &state);
            add(shuffles, deck, DECK_SIZE, NULL);
        }
        shown += is_evidence(shuffles, "first position");
    }
    CU_ASSERT_TRUE(shown >= 78 && shown <= 98);
    shuffles_free(shuffles);
}

/* Each deck is followed by its 51 rotations: every card is ten times at every place. */
TEST(places_that_are_filled_too_evenly_are_evidence)
{
    struct shuffles *shuffles = shuffles_new();
    card_t deck[2 * DECK_SIZE];
    uint64_t state = 8;

    for (unsigned i = 0; i < 10; i++) {
        deck_in_order(deck);
        deck_mix(deck, &state);
        memcpy(deck + DECK_SIZE, deck, DECK_SIZE);
        for (unsigned from = 0; from < DECK_SIZE; from++)
            add(shuffles, deck + from, DECK_SIZE, NULL);
    }
    CU_ASSERT_TRUE(is_evidence(shuffles, "position and card"));
    CU_ASSERT_EQUAL(judged(shuffles, "position and card")->statistic, 0);
    CU_ASSERT_TRUE(is_evidence(shuffles, "adjacent pairs kept"));
    shuffles_free(shuffles);
}

TEST(a_machine_that_repeats_itself_is_caught)
{
    struct shuffles *shuffles = shuffles_new();

    add_uniform(shuffles, 20, 6);
    CU_ASSERT_FALSE(is_evidence(shuffles, "repeated orders"));
    add_uniform(shuffles, 1, 6);
    CU_ASSERT_TRUE(is_evidence(shuffles, "repeated orders"));
    CU_ASSERT_EQUAL(judged(shuffles, "repeated orders")->mean, 1);
    shuffles_free(shuffles);
}

/* 150,000 orders of six cards: the first 65,536 are watched, then half of them, then a quarter. */
TEST(repetitions_due_to_chance_are_no_evidence)
{
    struct shuffles *shuffles = shuffles_new();
    const struct shuffles_result *repeats;
    card_t deck[DECK_SIZE];
    uint64_t state = 4;

    deck_in_order(deck);
    for (unsigned i = 0; i < 150000; i++) {
        deck_mix(deck, &state);
        add(shuffles, deck, 6, NULL);
    }
    repeats = judged(shuffles, "repeated orders");
    CU_ASSERT_PTR_NOT_NULL(strstr(repeats->uses, "one in 4 of 150000 orders"));
    CU_ASSERT_DOUBLE_EQUAL(repeats->expected, 0.411, 0.01);
    CU_ASSERT_TRUE(repeats->p > 0.01);
    shuffles_free(shuffles);
}

/* Ten shelves, each card on top or below of what is there; cards come from the bottom of the deck.
 */
static void shuffle_by_shelves(const card_t *from, card_t *to, uint64_t *state)
{
    card_t shelves[10][2 * DECK_SIZE];
    unsigned first[10], last[10], count = 0;

    for (unsigned i = 0; i < 10; i++)
        first[i] = last[i] = DECK_SIZE;
    for (unsigned i = DECK_SIZE; i-- > 0;) {
        unsigned shelf = seeded_below(state, 10);

        if (seeded_below(state, 2))
            shelves[shelf][--first[shelf]] = from[i];
        else
            shelves[shelf][last[shelf]++] = from[i];
    }
    for (unsigned i = 0; i < 10; i++)
        for (unsigned at = first[i]; at < last[i]; at++)
            to[count++] = shelves[i][at];
}

TEST(ten_shelves_are_caught_by_a_single_known_shuffle)
{
    struct shuffles *shuffles = shuffles_new();
    card_t before[DECK_SIZE], deck[DECK_SIZE];

    deck_in_order(before);
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint64_t state = seed;

        shuffles_clear(shuffles);
        shuffle_by_shelves(before, deck, &state);
        add(shuffles, deck, DECK_SIZE, before);
        CU_ASSERT_TRUE(judged(shuffles, "valleys")->statistic <= 9);
        CU_ASSERT_TRUE(is_evidence(shuffles, "valleys"));
    }
    shuffles_free(shuffles);
}

TEST(what_went_in_may_be_what_came_out_the_last_time)
{
    struct shuffles *shuffles = shuffles_new();
    struct shuffles_order order = {.count = DECK_SIZE};
    card_t before[DECK_SIZE], deck[DECK_SIZE];
    uint64_t state = 2;

    deck_in_order(before);
    shuffle_by_shelves(before, deck, &state);
    add(shuffles, before, DECK_SIZE, NULL);
    CU_ASSERT_EQUAL(judged(shuffles, "valleys")->verdict, SHUFFLES_UNKNOWN);
    add(shuffles, deck, DECK_SIZE, NULL);
    CU_ASSERT_TRUE(is_evidence(shuffles, "valleys"));
    shuffles_clear(shuffles);
    add(shuffles, before, DECK_SIZE, NULL);
    order.cards = deck;
    order.unrelated = true;
    CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, NULL), 0);
    CU_ASSERT_EQUAL(judged(shuffles, "valleys")->verdict, SHUFFLES_UNKNOWN);
    CU_ASSERT_EQUAL(judged(shuffles, "overlap")->count, 0);
    shuffles_free(shuffles);
}

TEST(a_test_says_how_many_it_needs)
{
    struct shuffles *shuffles = shuffles_new();
    const struct shuffles_result *places;

    add_uniform(shuffles, 259, 1);
    places = judged(shuffles, "position and card");
    CU_ASSERT_EQUAL(places->verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(places->count, 259);
    CU_ASSERT_EQUAL(places->needed, 260);
    CU_ASSERT_TRUE(isnan(places->p));
    add_uniform(shuffles, 1, 2);
    CU_ASSERT_EQUAL(judged(shuffles, "position and card")->verdict, SHUFFLES_NO_EVIDENCE);
    shuffles_free(shuffles);
}

TEST(no_evidence_is_said_when_positions_could_be_judged)
{
    struct shuffles *shuffles = shuffles_new();

    add_uniform(shuffles, 259, 1);
    CU_ASSERT_EQUAL(judged(shuffles, "position and card")->verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(report.verdict, SHUFFLES_TOO_FEW);
    add_uniform(shuffles, 260, 2);
    CU_ASSERT_EQUAL(judged(shuffles, "first position")->verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(judged(shuffles, "last position")->verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(judged(shuffles, "places kept")->verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(report.verdict, SHUFFLES_NO_EVIDENCE);
    add_uniform(shuffles, 1, 3);
    CU_ASSERT_EQUAL(judged(shuffles, "places kept")->verdict, SHUFFLES_NO_EVIDENCE);
    CU_ASSERT_EQUAL(report.verdict, SHUFFLES_NO_EVIDENCE);
    shuffles_free(shuffles);
}

TEST(a_mean_of_twenty_is_as_good_as_normal)
{
    struct shuffles *shuffles = shuffles_new();

    add_uniform(shuffles, 19, 1);
    CU_ASSERT_EQUAL(judged(shuffles, "serial correlation")->verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(judged(shuffles, "serial correlation")->needed, 20);
    add_uniform(shuffles, 1, 2);
    CU_ASSERT_EQUAL(judged(shuffles, "serial correlation")->verdict, SHUFFLES_NO_EVIDENCE);
    shuffles_free(shuffles);
}

TEST(no_shuffle_at_all_is_too_few)
{
    struct shuffles *shuffles = shuffles_new();

    shuffles_judge(shuffles, SHUFFLES_ALPHA, &report);
    CU_ASSERT_EQUAL(report.verdict, SHUFFLES_TOO_FEW);
    CU_ASSERT_EQUAL(report.judged, 0);
    shuffles_free(shuffles);
}

TEST(dealt_cards_tell_less_than_whole_orders)
{
    struct shuffles *shuffles = shuffles_new();
    card_t deck[DECK_SIZE];
    uint64_t state = 7;

    deck_in_order(deck);
    for (unsigned i = 0; i < 1040; i++) {
        deck_mix(deck, &state);
        add(shuffles, deck, i % 2 ? 20 : 17, NULL);
    }
    CU_ASSERT_EQUAL(judged(shuffles, "position and card")->df, 20 * 51);
    CU_ASSERT_EQUAL(judged(shuffles, "last position")->verdict, SHUFFLES_UNKNOWN);
    CU_ASSERT_EQUAL(judged(shuffles, "rising sequences")->verdict, SHUFFLES_UNKNOWN);
    CU_ASSERT_EQUAL(judged(shuffles, "suit runs")->law, SHUFFLES_NORMAL);
    CU_ASSERT_EQUAL(report.whole, 0);
    CU_ASSERT_EQUAL(report.verdict, SHUFFLES_NO_EVIDENCE);
    shuffles_free(shuffles);
}

TEST(a_card_twice_is_no_order_and_counts_nowhere)
{
    struct shuffles *shuffles = shuffles_new();
    struct shuffles_order order = {.count = DECK_SIZE};
    card_t deck[DECK_SIZE], before[DECK_SIZE];
    struct error error;

    deck_in_order(deck);
    deck_in_order(before);
    deck[51] = deck[0];
    order.cards = deck;
    CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, &error), ERROR_RULE);
    CU_ASSERT_STRING_EQUAL(error.text, "the order: 2c is there twice, the second time as card 52");
    deck[51] = card_make(RANK_ACE, SUIT_SPADES);
    before[3] = 0x4f;
    order.before = before;
    CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, &error), ERROR_RULE);
    order.before = NULL;
    order.count = 0;
    CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, &error), ERROR_RULE);
    order.count = DECK_SIZE + 1;
    CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, &error), ERROR_RULE);
    CU_ASSERT_EQUAL(shuffles_count(shuffles), 0);
    shuffles_free(shuffles);
}

TEST(what_is_cleared_is_as_new)
{
    struct shuffles *used = shuffles_new(), *fresh = shuffles_new();
    struct shuffles_report other;
    struct game_setup setup;
    card_t deck[DECK_SIZE];
    const struct shuffles_order order = {
        .cards = deck, .count = DECK_SIZE, .setup = &setup, .seats = seat_bit(1)};

    add_uniform(used, 500, 3);
    game_setup_init(&setup, game_find("flush-rush"));
    deck_in_order(deck);
    CU_ASSERT_EQUAL(shuffles_add(used, &order, NULL), 0);
    shuffles_clear(used);
    add_uniform(used, 600, 4);
    add_uniform(fresh, 600, 4);
    memset(&report, 0, sizeof report);
    memset(&other, 0, sizeof other);
    shuffles_judge(used, SHUFFLES_ALPHA, &report);
    shuffles_judge(fresh, SHUFFLES_ALPHA, &other);
    CU_ASSERT_EQUAL(report.count, 600);
    CU_ASSERT_EQUAL(report.result_count, other.result_count);
    CU_ASSERT_EQUAL(report.judged, other.judged);
    for (size_t i = 0; i < report.result_count; i++) {
        CU_ASSERT_EQUAL(report.results[i].count, other.results[i].count);
        CU_ASSERT_STRING_EQUAL(report.results[i].says, other.results[i].says);
    }
    shuffles_free(used);
    shuffles_free(fresh);
}

TEST(bars_hold_what_was_counted)
{
    struct shuffles *shuffles = shuffles_new();
    struct shuffles_bars bars;
    card_t deck[DECK_SIZE];

    deck_in_order(deck);
    add(shuffles, deck, DECK_SIZE, deck);
    bars = shuffles_bars(shuffles, SHUFFLES_RISING);
    CU_ASSERT_EQUAL(bars.total, 1);
    CU_ASSERT_EQUAL(bars.seen[1], 1);
    bars = shuffles_bars(shuffles, SHUFFLES_SUIT_RUNS);
    CU_ASSERT_EQUAL(bars.seen[4], 1);
    bars = shuffles_bars(shuffles, SHUFFLES_RANK_RUNS);
    CU_ASSERT_EQUAL(bars.seen[52], 1);
    bars = shuffles_bars(shuffles, SHUFFLES_FIXED_POINTS);
    CU_ASSERT_EQUAL(bars.seen[52], 1);
    bars = shuffles_bars(shuffles, SHUFFLES_OVERLAP);
    CU_ASSERT_EQUAL(bars.total, 0);
    add(shuffles, deck, DECK_SIZE, deck);
    CU_ASSERT_EQUAL(bars.seen[26], 1);
    CU_ASSERT_EQUAL((*shuffles_place_counts(shuffles))[51][51], 2);
    shuffles_free(shuffles);
}

/* Neither of two decks is shuffled at all: each comes again as it was, and only with its own. */
TEST(the_order_before_is_the_last_one_of_the_same_deck)
{
    card_t decks[DECKS_MAX][DECK_SIZE];
    struct shuffles *shuffles = shuffles_new();
    struct shuffles_bars bars;

    CU_ASSERT_PTR_NOT_NULL_FATAL(shuffles);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        decks[0][i] = card_from_index(i);
        decks[1][i] = card_from_index((7 * i + 3) % DECK_SIZE);
    }
    for (unsigned i = 0; i < 10; i++) {
        struct shuffles_order order = {.cards = decks[i % 2], .count = DECK_SIZE, .deck = i % 2};

        CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, NULL), 0);
    }
    bars = shuffles_bars(shuffles, SHUFFLES_FIXED_POINTS);
    CU_ASSERT_EQUAL(bars.total, 8);
    CU_ASSERT_EQUAL(bars.seen[DECK_SIZE], 8);
    CU_ASSERT_EQUAL(shuffles_add(shuffles,
                                 &(struct shuffles_order){
                                     .cards = decks[0], .count = DECK_SIZE, .deck = DECKS_MAX},
                                 NULL),
                    ERROR_RULE);
    shuffles_free(shuffles);
}
