/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hands of a live table by their exact laws. */
#include "rigs/run/lines.h"

#include <math.h>
#include <string.h>

#include "rigs/run/chance.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* A settled round of one seat, a dealer and as much of a community as the game has. */
static void deal(const struct game *game, uint64_t *seed, struct settlement *settlement)
{
    card_t cards[15];
    hand_t dealt = 0;
    size_t at = 0;

    while (hand_count(dealt) < 15) {
        card_t card = card_from_index(seeded_below(seed, DECK_SIZE));

        if (!(dealt & hand_card(card)))
            cards[hand_count(dealt)] = card;
        dealt |= hand_card(card);
    }
    memset(settlement, 0, sizeof *settlement);
    settlement->seats = seat_bit(3);
    settlement->board_count = (uint8_t)(game->board_cards - game->board_burn);
    memcpy(settlement->board, cards, settlement->board_count);
    at += settlement->board_count;
    memcpy(settlement->seat[3].held.cards, cards + at, 4);
    memcpy(settlement->dealer.cards, cards + at + 4, 4);
    settlement->seat[3].held.card_count = settlement->dealer.card_count = game->hole_cards;
}

static void see_rounds(struct run_lines *lines, const char *name, unsigned rounds, uint64_t seed)
{
    struct settlement settlement;
    struct game_setup setup;

    game_setup_init(&setup, game_find(name));
    for (unsigned i = 0; i < rounds; i++) {
        deal(setup.game, &seed, &settlement);
        run_lines_see(lines, &setup, &settlement);
    }
}

/* A p below 0.05 may come once in twenty runs; corrected, hardly more than that. */
TEST(honest_tables_are_blamed_no_more_often_than_declared)
{
    static const char *const games[] = {"flush-rush", "chase-the-flush", "three-card-catch",
                                        "three-card-poker"};
    unsigned low = 0;

    for (unsigned run = 0; run < 200; run++) {
        struct run_lines lines = {0};

        see_rounds(&lines, games[run % 4], 500, run + 1);
        CU_ASSERT_PTR_NULL(run_lines_unsaid(&lines));
        low += run_lines_judge(&lines).p <= 0.05;
        CU_ASSERT(run_lines_judge(&lines).p > RUN_ALPHA);
        CU_ASSERT(run_lines_judge(&lines).p <= 1);
    }
    CU_ASSERT(low <= 20);
}

TEST(the_number_of_questions_is_two_for_each_line_and_hand)
{
    struct run_lines flush_rush = {0}, poker = {0};

    see_rounds(&flush_rush, "flush-rush", 100, 1);
    see_rounds(&poker, "three-card-poker", 100, 1);
    CU_ASSERT_EQUAL(run_lines_judge(&flush_rush).tests, 2 * (8 + 2));
    CU_ASSERT_EQUAL(run_lines_judge(&poker).tests, 2 * 2 * 5);
}

/* Every 4th hand of the dealer is replaced by three aces: due one in 425. */
TEST(a_dealer_with_too_many_good_hands_is_found)
{
    struct run_lines lines = {0};
    struct settlement settlement;
    struct game_setup setup;
    struct run_lines_found found;
    uint64_t seed = 7;

    game_setup_init(&setup, game_find("three-card-poker"));
    for (unsigned i = 0; i < 100; i++) {
        deal(setup.game, &seed, &settlement);
        for (unsigned n = 0; n < 3 && i % 4 == 0; n++)
            settlement.dealer.cards[n] = card_make(RANK_ACE, n);
        run_lines_see(&lines, &setup, &settlement);
    }
    found = run_lines_judge(&lines);
    CU_ASSERT(found.p < 1e-20);
    CU_ASSERT_STRING_EQUAL(
        found.says, "25 hands of the dealer are three of a kind, where 0.235 of 100 are due");
}

/* So many rounds of 3 Card Poker with one hand for the seat and one for the dealer. */
static void see_hands(struct run_lines *lines, unsigned rounds, const char *seat,
                      const char *dealer)
{
    struct settlement settlement = {.seats = seat_bit(5) | seat_bit(7)};
    struct game_setup setup;

    game_setup_init(&setup, game_find("three-card-poker"));
    CU_ASSERT_EQUAL(cards_parse(seat, strlen(seat), settlement.seat[5].held.cards, 3, NULL), 3);
    CU_ASSERT_EQUAL(cards_parse(dealer, strlen(dealer), settlement.seat[7].held.cards, 3, NULL), 3);
    CU_ASSERT_EQUAL(cards_parse(dealer, strlen(dealer), settlement.dealer.cards, 3, NULL), 3);
    for (unsigned i = 0; i < rounds; i++)
        run_lines_see(lines, &setup, &settlement);
}

#define PAIR    "8c 8h 2s"
#define NOTHING "2c 5h 9s"

/* 3744 of 22100 hands are a pair, and each of ten lines is asked about twice. */
TEST(p_is_that_of_so_many_or_more_times_the_questions)
{
    struct run_lines lines = {0};
    struct run_lines_found found;

    see_hands(&lines, 100, PAIR, NOTHING);
    found = run_lines_judge(&lines);
    CU_ASSERT_EQUAL(found.tests, 20);
    CU_ASSERT_DOUBLE_EQUAL(log(found.p), log(20) + 100 * log(3744.0 / 22100), 1e-6);
    CU_ASSERT_STRING_EQUAL(found.says,
                           "100 hands of the first seat are pair, where 16.9 of 100 are due");
}

TEST(of_two_that_are_as_unlikely_the_first_is_named)
{
    struct run_lines lines = {0};

    see_hands(&lines, 100, PAIR, PAIR);
    CU_ASSERT_STRING_EQUAL(run_lines_judge(&lines).says,
                           "100 hands of the first seat are pair, where 16.9 of 100 are due");
}

TEST(the_best_line_is_counted_like_any_other)
{
    struct run_lines lines = {0};

    see_hands(&lines, 3, "Ac Kc Qc", NOTHING);
    CU_ASSERT_EQUAL(lines.seen[0][LINE_HAND_SEAT][0], 3);
    CU_ASSERT_EQUAL(lines.seen[0][LINE_HAND_DEALER][0], 0);
}

TEST(a_round_that_nobody_plays_is_not_counted)
{
    struct settlement settlement = {.seats = 0};
    struct run_lines lines = {0};
    struct game_setup setup;

    game_setup_init(&setup, game_find("three-card-poker"));
    run_lines_see(&lines, &setup, &settlement);
    CU_ASSERT_EQUAL(lines.rounds, 0);
}

TEST(what_cannot_be_said_is_skipped_with_its_reason)
{
    struct run_lines none = {0}, few = {0}, mixed = {0}, enough = {0};

    see_rounds(&few, "flush-rush", RUN_LINES_MIN - 1, 1);
    see_rounds(&enough, "flush-rush", RUN_LINES_MIN, 1);
    CU_ASSERT_PTR_NULL(run_lines_unsaid(&enough));
    see_rounds(&mixed, "flush-rush", 100, 1);
    see_rounds(&mixed, "three-card-poker", 100, 1);
    CU_ASSERT_STRING_EQUAL(run_lines_unsaid(&none),
                           "no hand was dealt by chance whose exact law is known");
    CU_ASSERT_STRING_EQUAL(run_lines_unsaid(&few),
                           "too few rounds to say: at least 100 are needed");
    CU_ASSERT_STRING_EQUAL(run_lines_unsaid(&mixed),
                           "hands of several games have no law in common");
}

/* A-2-3 is a straight of the law; where the house says it is none, nothing is counted. */
TEST(another_reading_of_the_ace_has_another_law)
{
    struct run_lines lines = {0};
    struct settlement settlement;
    struct game_setup setup;
    uint64_t seed = 1;

    game_setup_init(&setup, game_find("three-card-catch"));
    setup.ace_low = !setup.ace_low;
    deal(setup.game, &seed, &settlement);
    run_lines_see(&lines, &setup, &settlement);
    CU_ASSERT_EQUAL(lines.rounds, 0);
    setup.ace_low = !setup.ace_low;
    run_lines_see(&lines, &setup, &settlement);
    CU_ASSERT_EQUAL(lines.rounds, 1);
    settlement.is_void = true;
    run_lines_see(&lines, &setup, &settlement);
    CU_ASSERT_EQUAL(lines.rounds, 1);
}
