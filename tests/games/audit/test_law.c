/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of net results, against rounds that the engines settle and against sums in another order. */
#include "games/audit/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/audit/audit.h"
#include "games/policy.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

#define ROUNDS 200000

static struct audit_entry entries[AUDIT_ENTRIES_MAX];

/* The whole audit of a small game. */
static size_t audit(const char *name)
{
    struct audit_request request;
    struct audit_part *part;
    struct audit *all;
    size_t count;

    audit_request_init(&request, game_find(name));
    CU_ASSERT_EQUAL_FATAL(audit_new(&all, &request, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(audit_part_new(&part, all, NULL), 0);
    for (size_t unit = 0; unit < audit_units(all); unit++)
        audit_part_do(part, unit);
    count = audit_entries(part, entries);
    audit_part_free(part);
    audit_free(all);
    return count;
}

static double decimal(struct ratio ratio)
{
    return (double)ratio.numerator / (double)ratio.denominator;
}

/* A round of one seat, which decides by the game's plain policy, from a seeded deck. */
static void play(const struct game_setup *setup, uint64_t *seed, struct settlement *settlement)
{
    struct deal_step steps[PACKETS_MAX];
    struct round round = {.number = 1, .seats = seat_bit(1)};
    size_t count = game_deal(setup, round.seats, steps);

    for (unsigned w = 0; w < setup->game->wager_count; w++)
        if (!setup->game->wagers[w].by_decision)
            round.bets[1][w] = setup->game->wagers[w].fixed ? setup->game->wagers[w].fixed : 100;
    for (size_t i = 0; i < count; i++) {
        round.packet[round.packet_count++] = steps[i].cards;
        round.dealt_count = (uint8_t)(round.dealt_count + steps[i].cards);
    }
    for (hand_t dealt = 0; hand_count(dealt) < round.dealt_count;) {
        card_t card = card_from_index(seeded_below(seed, DECK_SIZE));

        if (dealt & hand_card(card))
            continue;
        round.dealt[hand_count(dealt)] = card;
        dealt |= hand_card(card);
    }
    policy_decide(POLICY_PLAIN, setup, steps, count, 0, &round);
    CU_ASSERT_EQUAL_FATAL(game_settle(setup, &round, settlement, NULL), 0);
}

/* How often each result of the law came up must be near what it says: within five deviations. */
static void compare(const struct audit_entry *entry, const unsigned *seen, unsigned unknown)
{
    CU_ASSERT_EQUAL(unknown, 0);
    for (unsigned i = 0; i < entry->law.count; i++) {
        double chance = (double)entry->law.outcome[i].deals / (double)law_deals(&entry->law);
        double due = chance * ROUNDS, spread = sqrt(due * (1 - chance));

        CU_ASSERT(fabs(seen[i] - due) < 5 * spread + 1);
    }
}

/* The wagers of the main game: those that are no bet of their own. */
static cents_t main_net(const struct game *game, const struct seat_result *seat)
{
    cents_t net = 0;

    for (unsigned w = 0; w < game->wager_count; w++)
        if (game->wagers[w].required || game->wagers[w].by_decision)
            net += seat->net[w];
    return net;
}

static void settle_many(const char *name, const char *wager, const struct audit_entry *entry)
{
    const struct game *game = game_find(name);
    int alone = strcmp(wager, "ante") ? game_wager(game, wager) : -1;
    unsigned seen[LAW_MAX] = {0}, unknown = 0;
    struct settlement settlement;
    struct game_setup setup;
    uint64_t seed = 1;

    game_setup_init(&setup, game);
    for (unsigned n = 0; n < ROUNDS; n++) {
        unsigned i = 0;
        int64_t net;

        play(&setup, &seed, &settlement);
        net = alone < 0 ? main_net(game, &settlement.seat[1]) : settlement.seat[1].net[alone];
        while (i < entry->law.count && entry->law.outcome[i].net * 100 != net * entry->law.per)
            i++;
        if (i < entry->law.count)
            seen[i]++;
        else
            unknown++;
    }
    compare(entry, seen, unknown);
}

TEST(settled_rounds_of_flush_rush_follow_its_laws)
{
    CU_ASSERT_EQUAL_FATAL(audit("flush-rush"), 2);
    settle_many("flush-rush", "ante", &entries[0]);
    settle_many("flush-rush", "all-or-nothing", &entries[1]);
}

TEST(settled_rounds_of_three_card_poker_follow_its_laws)
{
    CU_ASSERT_EQUAL_FATAL(audit("three-card-poker"), 6);
    settle_many("three-card-poker", "ante", &entries[0]);
    settle_many("three-card-poker", "pair-plus", &entries[1]);
}

TEST(the_mean_of_a_law_is_the_ev_that_is_added_up_apart_from_it)
{
    static const char *const games[] = {"flush-rush", "three-card-poker"};

    for (unsigned g = 0; g < 2; g++) {
        size_t count = audit(games[g]);

        for (size_t i = 0; i < count; i++) {
            struct ratio apart = ratio_subtract(law_mean(&entries[i].law), entries[i].ev);

            CU_ASSERT(!apart.numerator);
        }
    }
}

TEST(flush_rush_has_a_standard_deviation_of_5_4841_antes)
{
    char text[RATIO_TEXT_SIZE];

    audit("flush-rush");
    ratio_format(audit_standard_deviation(&entries[0]), 4, text);
    CU_ASSERT_STRING_EQUAL(text, "5.4841");
    ratio_format(audit_volatility_index(&entries[0]), 4, text);
    CU_ASSERT_STRING_EQUAL(text, "9.0213");
}

/* By the textbook, in floating point: the mean of squares less the square of the mean. */
TEST(a_standard_deviation_is_the_root_of_the_mean_square_distance)
{
    size_t count = audit("three-card-poker");

    for (size_t i = 0; i < count; i++) {
        const struct audit_law *law = &entries[i].law;
        double mean = decimal(entries[i].ev), sum = 0;

        for (unsigned n = 0; n < law->count; n++) {
            double net = (double)law->outcome[n].net / (double)law->per - mean;

            sum += net * net * (double)law->outcome[n].deals / (double)law_deals(law);
        }
        CU_ASSERT(fabs(decimal(audit_standard_deviation(&entries[i])) - sqrt(sum)) < 1e-9);
    }
}

TEST(the_four_parts_add_up_to_the_ev)
{
    static const char *const games[] = {"flush-rush", "three-card-poker"};

    for (unsigned g = 0; g < 2; g++) {
        size_t count = audit(games[g]);

        for (size_t i = 0; i < count; i++) {
            struct ratio left = ratio_subtract(entries[i].ev, entries[i].parts.base);

            left = ratio_subtract(left, entries[i].parts.pays);
            left = ratio_subtract(left, entries[i].parts.meters);
            CU_ASSERT(!ratio_subtract(left, entries[i].parts.contributions).numerator);
        }
    }
}

/* Rules cost nothing, errors something; who never folds three cards loses 7.65 % of an ante. */
TEST(rules_are_exact_and_errors_cost)
{
    static const char *const games[] = {"flush-rush", "three-card-poker"};
    char text[RATIO_TEXT_SIZE];

    for (unsigned g = 0; g < 2; g++) {
        audit(games[g]);
        CU_ASSERT(!ratio_subtract(entries[0].ev, entries[0].plays[0].ev).numerator);
        for (unsigned i = 1; i < entries[0].play_count; i++)
            CU_ASSERT(ratio_subtract(entries[0].ev, entries[0].plays[i].ev).numerator > 0);
    }
    ratio_format(entries[0].plays[1].ev, 4, text);
    CU_ASSERT_STRING_EQUAL(text, "-0.0765");
}

/* Seven cards are paid whoever folds: the lines of the sheet and three units lost otherwise. */
TEST(never_folding_flush_rush_is_worth_what_its_lines_say)
{
    wide_t value = 0;

    audit("flush-rush");
    for (unsigned i = 0; i < entries[0].line_count; i++)
        value += entries[0].lines[i].combinations * (entries[0].lines[i].pay.amount + 5);
    CU_ASSERT(!ratio_subtract(entries[0].plays[1].ev,
                              ratio_make(value - 3 * (wide_t)133784560, 133784560))
                   .numerator);
}

TEST(results_are_kept_in_their_order_and_reduced)
{
    struct audit_law law;

    law_init(&law, 4);
    law_add(&law, 6, 10);
    law_add(&law, -4, 30);
    law_add(&law, 6, 20);
    law_add(&law, 2, 0);
    CU_ASSERT_EQUAL(law.count, 2);
    law_reduce(&law);
    CU_ASSERT_EQUAL(law.per, 2);
    CU_ASSERT_EQUAL(law.outcome[0].net, -2);
    CU_ASSERT_EQUAL(law.outcome[1].net, 3);
    CU_ASSERT_EQUAL((int)law.outcome[0].deals, 1);
    CU_ASSERT_EQUAL((int)law_deals(&law), 2);
    CU_ASSERT(decimal(law_mean(&law)) == 0.25);
    CU_ASSERT(decimal(law_variance(&law)) == 1.5625);
}

TEST(roots_are_rounded_to_the_nearest)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio_root(ratio_make(2, 1)), 10, text);
    CU_ASSERT_STRING_EQUAL(text, "1.4142135624");
    ratio_format(ratio_root(ratio_make(1, 9)), 10, text);
    CU_ASSERT_STRING_EQUAL(text, "0.3333333333");
    ratio_format(ratio_root(ratio_make(4, 9)), 10, text);
    CU_ASSERT_STRING_EQUAL(text, "0.6666666667");
    ratio_format(ratio_root(ratio_make((wide_t)1 << 40, 1)), 0, text);
    CU_ASSERT_STRING_EQUAL(text, "1048576");
}
