/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game that has its rules and nothing else: what needs more refuses it or leaves it out. */
#include <string.h>

#include "games/audit/audit.h"
#include "games/policy.h"
#include "games/shuffles/hands.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

static const struct wager wagers[] = {
    {.name = "ante", .required = true, .equal_to = NO_WAGER},
    {.name = "raise", .by_decision = true, .equal_to = NO_WAGER},
};

static const struct stage stages[] = {
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_BET, 1, 1, true}}, 0},
};

/* The house takes all. */
static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    (void)setup;
    (void)folded;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        if (!(settlement->seats & seat_bit(seat)))
            continue;
        settlement->seat[seat].held.hand = "lost";
        for (unsigned i = 0; i < 2; i++)
            settlement->seat[seat].net[i] = -stakes[seat][i];
    }
}

static const struct game bare = {
    .name = "bare",
    .title = "Bare",
    .wagers = wagers,
    .stages = stages,
    .wager_count = 2,
    .stage_count = 1,
    .hole_cards = 2,
    .rounding = ROUNDING_CENTS,
    .settle = settle,
};

REGISTER(games, bare);

TEST(a_game_is_known_by_being_registered)
{
    size_t found = 0;

    CU_ASSERT_PTR_EQUAL(game_find("bare"), &bare);
    for (size_t i = 0; game_at(i); i++)
        found += game_at(i) == &bare;
    CU_ASSERT_EQUAL(found, 1);
    CU_ASSERT_EQUAL(game_check(&bare, NULL), 0);
}

TEST(a_game_without_policy_audit_and_rated_hands_is_settled)
{
    struct table table;

    table_open(&table, &bare);
    table_seat(&table, 2, "ante 1000", "raise");
    table_deal(&table, "As Ks");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.seat[2].total, -2000);
}

TEST(a_game_without_an_audit_is_refused_by_it)
{
    struct audit_request request;
    struct audit *audit;
    struct error error;

    audit_request_init(&request, &bare);
    CU_ASSERT_EQUAL(audit_new(&audit, &request, &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text, "bare cannot be audited: it has no audit of its own");
}

TEST(a_game_without_a_plain_policy_is_not_played_by_that_of_another)
{
    struct error error;

    CU_ASSERT_EQUAL(policy_check(POLICY_PLAIN, &bare, &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "bare has no plain policy; play it by bet, late, fold or random");
    for (int policy = POLICY_PLAIN + 1; policy < POLICY_COUNT; policy++)
        CU_ASSERT_EQUAL(policy_check((enum policy)policy, &bare, &error), 0);
    CU_ASSERT_EQUAL(policy_check(POLICY_PLAIN, game_find("flush-rush"), &error), 0);
}

TEST(hands_of_a_game_that_rates_none_are_not_counted)
{
    struct game_setup setup;
    struct hands hands;
    card_t deck[DECK_SIZE];
    uint64_t total = 0;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index(i);
    hands_init(&hands);
    game_setup_init(&setup, &bare);
    hands_add(&hands, &setup, seat_bit(1), deck, DECK_SIZE);
    for (size_t i = 0; i < hands.game_count; i++) {
        CU_ASSERT_PTR_NOT_EQUAL(hands.games[i].game, &bare);
        total += hands.games[i].total;
    }
    CU_ASSERT_EQUAL(total, 0);
}
