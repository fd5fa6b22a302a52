/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests that look for one kind of flaw, each on a machine that has it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/shuffles/shuffles.h"
#include "tests/support/deck.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct shuffles_report report;
static struct shuffles *shuffles;

static void begin(void)
{
    shuffles_free(shuffles);
    shuffles = shuffles_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(shuffles);
}

static void add(const card_t *cards, size_t count, const card_t *before)
{
    const struct shuffles_order order = {.cards = cards, .count = count, .before = before};

    CU_ASSERT_EQUAL_FATAL(shuffles_add(shuffles, &order, NULL), 0);
}

static const struct shuffles_result *judged(const char *name)
{
    shuffles_judge(shuffles, SHUFFLES_ALPHA, &report);
    for (size_t i = 0; i < report.result_count; i++)
        if (!strcmp(report.results[i].name, name))
            return &report.results[i];
    CU_FAIL_FATAL("no such test");
    return NULL;
}

static bool says(const char *name, const char *words)
{
    const struct shuffles_result *result = judged(name);

    return result->verdict == SHUFFLES_EVIDENCE && strstr(result->says, words);
}

static void put_at(card_t deck[DECK_SIZE], card_t card, unsigned place)
{
    card_t *at = memchr(deck, card, DECK_SIZE);

    *at = deck[place];
    deck[place] = card;
}

/* The card of one place goes to another in `times` of `count` shuffles; others are uniform. */
static void add_slot(unsigned count, unsigned times, unsigned from, unsigned to, size_t seen)
{
    card_t deck[DECK_SIZE], before[DECK_SIZE];
    uint64_t state = 11;

    begin();
    deck_in_order(deck);
    for (unsigned i = 0; i < count; i++) {
        memcpy(before, deck, sizeof before);
        deck_mix(deck, &state);
        if (i % count < times)
            put_at(deck, before[from], to);
        add(deck, seen, seen == DECK_SIZE ? before : NULL);
    }
}

TEST(a_slot_that_sends_its_card_to_one_place_is_named)
{
    add_slot(50, 45, 0, 25, DECK_SIZE);
    CU_ASSERT(says("one place to another", "from place 1 to 26: 45 times, 1.0 due") ||
              says("one place to another", "from place 1 to 26: 46 times, 1.0 due"));
    CU_ASSERT_EQUAL(judged("place to place")->verdict, SHUFFLES_TOO_FEW);
    add_slot(400, 200, 6, 39, DECK_SIZE);
    CU_ASSERT_EQUAL(judged("place to place")->verdict, SHUFFLES_EVIDENCE);
    CU_ASSERT_EQUAL(judged("place to place")->df, 2601);
}

/* The place before is that of the deal before, of which as many cards are known. */
TEST(a_slot_is_found_in_dealt_cards_where_both_places_are_dealt)
{
    add_slot(100, 50, 6, 9, 20);
    CU_ASSERT(says("one place to another", "from place 7 to 10: "));
    add_slot(100, 50, 6, 39, 20);
    CU_ASSERT_EQUAL(judged("one place to another")->verdict, SHUFFLES_NO_EVIDENCE);
}

TEST(a_card_that_favours_a_place_is_named)
{
    card_t deck[DECK_SIZE];
    uint64_t state = 5;

    begin();
    deck_in_order(deck);
    for (unsigned i = 0; i < 600; i++) {
        deck_mix(deck, &state);
        if (i % 15 == 0)
            put_at(deck, card_make(RANK_QUEEN, SUIT_HEARTS), 16);
        add(deck, DECK_SIZE, NULL);
    }
    CU_ASSERT(says("one card at one place", "Qh at place 17: "));
    CU_ASSERT(says("each position", "place 17: X²"));
}

TEST(two_cards_that_stick_are_named_whether_all_cards_are_seen_or_some)
{
    for (size_t seen = 20; seen <= DECK_SIZE; seen += DECK_SIZE - 20) {
        card_t deck[DECK_SIZE], above = card_make(RANK_EIGHT, SUIT_DIAMONDS);
        uint64_t state = 6;

        begin();
        deck_in_order(deck);
        for (unsigned i = 0; i < 400; i++) {
            const card_t *at;

            deck_mix(deck, &state);
            at = memchr(deck, above, DECK_SIZE - 1);
            if (i % 5 == 0 && at)
                put_at(deck, card_make(RANK_QUEEN, SUIT_CLUBS), (unsigned)(at - deck) + 1);
            add(deck, seen, NULL);
        }
        CU_ASSERT(says("one card after another", "8d right above Qc: "));
    }
}

/* One permutation of three, of whatever went in; dealt cards tell it as far as they go. */
TEST(moves_that_come_again_are_found_in_whole_orders_and_in_dealt_cards)
{
    for (size_t seen = 26; seen <= DECK_SIZE; seen += 26) {
        card_t deck[DECK_SIZE];

        begin();
        deck_in_order(deck);
        for (uint64_t i = 0; i < 12; i++) {
            uint64_t state = 77 + i % 3;

            deck_mix(deck, &state);
            add(deck, seen, NULL);
        }
        CU_ASSERT(says("repeated moves", " shuffles moved all cards as one before"));
        CU_ASSERT_EQUAL(judged("repeated moves")->mean, 8);
        CU_ASSERT_EQUAL(judged("repeated orders")->mean, 0);
    }
}

/* Two decks, each turned over at the middle by every shuffle. */
static void add_in_turn(size_t seen)
{
    card_t decks[2][DECK_SIZE], next[DECK_SIZE];
    uint64_t state = 8;

    begin();
    for (unsigned i = 0; i < 2; i++) {
        deck_in_order(decks[i]);
        deck_mix(decks[i], &state);
    }
    for (unsigned i = 0; i < 40; i++) {
        card_t *deck = decks[i % 2];
        unsigned upper = 0, lower = 26, cut = 20 + seeded_below(&state, 12);

        lower = cut;
        for (unsigned at = 0; at < DECK_SIZE; at++)
            next[at] = lower < DECK_SIZE && (upper == cut || seeded_below(&state, 2))
                           ? deck[lower++]
                           : deck[upper++];
        memcpy(deck, next, sizeof next);
        add(deck, seen, NULL);
    }
}

TEST(two_decks_in_turn_are_set_against_the_order_before_the_last)
{
    add_in_turn(DECK_SIZE);
    CU_ASSERT_EQUAL(judged("order before the last")->verdict, SHUFFLES_EVIDENCE);
    CU_ASSERT_EQUAL(judged("order before the last")->count, 38);
    CU_ASSERT_EQUAL(judged("rising sequences")->verdict, SHUFFLES_NO_EVIDENCE);
    add_in_turn(20);
    CU_ASSERT_EQUAL(judged("order before the last")->verdict, SHUFFLES_EVIDENCE);
    CU_ASSERT_EQUAL(judged("adjacent pairs kept")->verdict, SHUFFLES_NO_EVIDENCE);
}

TEST(the_order_before_the_last_is_not_asked_where_what_went_in_is_known)
{
    add_slot(30, 0, 0, 0, DECK_SIZE);
    CU_ASSERT_EQUAL(judged("order before the last")->verdict, SHUFFLES_UNKNOWN);
    CU_ASSERT_STRING_EQUAL(judged("order before the last")->uses,
                           "what went in is known, which tells more");
}

TEST(high_cards_that_drift_up_are_found_by_their_trend)
{
    card_t deck[DECK_SIZE];
    uint64_t state = 9;

    begin();
    deck_in_order(deck);
    for (unsigned i = 0; i < 300; i++) {
        deck_mix(deck, &state);
        for (unsigned times = 0; times < 4; times++) {
            unsigned upper = seeded_below(&state, 26), lower = 26 + seeded_below(&state, 26);

            if (card_rank(deck[lower]) > card_rank(deck[upper]))
                put_at(deck, deck[lower], upper);
        }
        add(deck, DECK_SIZE, NULL);
    }
    CU_ASSERT_EQUAL(judged("rank and place")->verdict, SHUFFLES_EVIDENCE);
    CU_ASSERT(judged("rank and place")->mean > 0);
}

/* Aces of places 3 and 30 change places so that the ranks there are alike. */
TEST(two_places_whose_ranks_go_together_are_named)
{
    card_t deck[DECK_SIZE];
    uint64_t state = 10;

    begin();
    deck_in_order(deck);
    for (unsigned i = 0; i < 2000; i++) {
        deck_mix(deck, &state);
        if (i % 4 == 0) {
            card_t like = card_make(card_rank(deck[2]), (card_suit(deck[2]) + 1) % SUIT_COUNT);

            put_at(deck, like, 29);
        }
        add(deck, DECK_SIZE, NULL);
    }
    CU_ASSERT(says("pairs of positions", "places 3 and 30: "));
    CU_ASSERT(shuffles_pair(shuffles, 2, 29) > 5);
    CU_ASSERT(fabs(shuffles_pair(shuffles, 2, 28)) < 5);
    CU_ASSERT(isnan(shuffles_position(shuffles, 0).p) == 0);
}

/* Sums are carried over every 900 orders; the ranks of a deck in order go up by one. */
TEST(pairs_of_places_are_counted_beyond_what_small_numbers_hold)
{
    card_t deck[DECK_SIZE];
    double once;

    begin();
    deck_in_order(deck);
    for (unsigned i = 0; i < 899; i++)
        add(deck, DECK_SIZE, NULL);
    once = shuffles_pair(shuffles, 0, 13) / sqrt(899);
    for (unsigned i = 0; i < 1801; i++)
        add(deck, DECK_SIZE, NULL);
    CU_ASSERT_DOUBLE_EQUAL(shuffles_pair(shuffles, 0, 13) / sqrt(2700), once, 1e-9);
    /* 36 each time, where -728/2652 is due; mean and variance of two ranks by hand. */
    CU_ASSERT_DOUBLE_EQUAL(
        once, (36 + 728.0 / 2652) / sqrt((728.0 * 728 - 18200) / 2652 - pow(728.0 / 2652, 2)),
        1e-9);
}

static void add_uniform(unsigned count, size_t seen, bool with_before, uint64_t seed)
{
    card_t deck[DECK_SIZE], before[DECK_SIZE];

    deck_in_order(deck);
    for (unsigned i = 0; i < count; i++) {
        memcpy(before, deck, sizeof before);
        deck_mix(deck, &seed);
        add(deck, seen, with_before ? before : NULL);
    }
}

/*
 * Few orders, where counts of a cell are whole numbers far apart: 1000 sets, of which a hundred
 * may be blamed at 0.1, and more than 130 with a chance below 1 in 1000.
 */
TEST(few_uniform_shuffles_are_blamed_no_more_often_than_declared)
{
    static const unsigned sizes[] = {3, 5, 8, 20};

    begin();
    for (unsigned way = 0; way < 3; way++)
        for (unsigned size = 0; size < 4; size++) {
            unsigned blamed = 0;

            for (uint64_t seed = 0; seed < 1000; seed++) {
                shuffles_clear(shuffles);
                add_uniform(sizes[size], way == 2 ? 20 : DECK_SIZE, way == 0, seed * 7919 + way);
                shuffles_judge(shuffles, 0.1, &report);
                blamed += report.verdict == SHUFFLES_EVIDENCE;
            }
            CU_ASSERT(blamed <= 130);
        }
    shuffles_free(shuffles);
    shuffles = NULL;
}
