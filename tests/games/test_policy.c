/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/policy.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

/* A round of random cards and seats whose decisions are still open. */
static size_t deal(struct table *table, const struct game *game, uint64_t *state,
                   struct deal_step *steps)
{
    table_open(table, game);
    table_random_round(table, 1 + table_random(state, SEATS_MAX), state);
    return game_deal(&table->setup, table->round.seats, steps);
}

/* Draws as the decisions have it, off the deck that the round was dealt from. */
static int settle(struct table *table, size_t count)
{
    struct round *round = &table->round;

    if (table->setup.game->draws) {
        round->dealt_count = 0;
        for (unsigned i = 0; i < count; i++)
            round->dealt_count = (uint8_t)(round->dealt_count + round->packet[i]);
        for (unsigned draws = 0; draws <= SEATS_MAX + 1; draws++) {
            round->packet_count = (uint8_t)(count + draws);
            memset(round->packet + count, 1, draws);
            if (!game_settle(&table->setup, round, &table->result, &table->error))
                return 0;
            round->dealt_count++;
        }
        return ERROR_RULE;
    }
    return game_settle(&table->setup, round, &table->result, &table->error);
}

TEST(every_policy_is_legal_in_every_game)
{
    uint64_t state = 7;
    const struct game *game;

    for (size_t at = 0; (game = game_at(at)); at++)
        for (int policy = 0; policy < POLICY_COUNT; policy++)
            for (unsigned i = 0; i < 200; i++) {
                struct deal_step steps[PACKETS_MAX];
                struct table table;
                size_t count = deal(&table, game, &state, steps);
                int status;

                policy_decide((enum policy)policy, &table.setup, steps, count, i, &table.round);
                status = settle(&table, count);
                if (status)
                    printf("%s, %s: %s\n", game->name, policy_names[policy], table.error.text);
                CU_ASSERT_EQUAL(status, 0);
            }
}

/* The decisions of seat 1 alone with these cards, joined by blanks. */
static const char *decide(const struct game *game, enum policy policy, const char *packets,
                          char text[32])
{
    struct deal_step steps[PACKETS_MAX];
    struct table table;
    size_t count;

    table_open(&table, game);
    table.round.seats = seat_bit(1);
    table_deal(&table, packets);
    count = game_deal(&table.setup, table.round.seats, steps);
    policy_decide(policy, &table.setup, steps, count, 1, &table.round);
    *text = '\0';
    for (unsigned i = 0; i < table.round.decision_count[1]; i++)
        sprintf(text + strlen(text), "%s%s", i ? " " : "",
                decision_names[table.round.decisions[1][i]]);
    return text;
}

#define CHASE(policy, packets) decide(game_find("chase-the-flush"), policy, packets, text)
#define RUSH(policy, packets)  decide(game_find("flush-rush"), policy, packets, text)
#define CATCH(policy, packets) decide(game_find("three-card-catch"), policy, packets, text)

TEST(policies_other_than_plain_do_not_look_at_the_cards)
{
    static const char chase[] = "2s 3d 4c, 5h 6h 7h, 8s 9d Tc Jh";
    static const char rush[] = "2s 3d 4c 5h, 8s 9d Tc Jh";
    char text[32];

    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_BET, chase), "bet");
    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_LATE, chase), "check check bet");
    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_FOLD, chase), "check check fold");
    CU_ASSERT_STRING_EQUAL(RUSH(POLICY_BET, rush), "bet bet");
    CU_ASSERT_STRING_EQUAL(RUSH(POLICY_LATE, rush), "bet bet");
    CU_ASSERT_STRING_EQUAL(RUSH(POLICY_FOLD, rush), "fold");
    CU_ASSERT_STRING_EQUAL(CATCH(POLICY_FOLD, "As Ah Ad, 5h 6h 7h"), "fold");
}

TEST(plain_chases_with_three_suited_then_four_then_what_qualifies)
{
    char text[32];

    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_PLAIN, "2s 3s 4s, 5h 6h 7h, 8d 9d Tc Jh"), "bet");
    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_PLAIN, "2s 3s 4d, 5h 6h 7h, 8s 9s Tc Jh"), "check bet");
    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_PLAIN, "2s 3s 4d, 5h 6h 7h, 7s 9d 9s Jh"),
                           "check check bet");
    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_PLAIN, "2s 3s 4d, 5h 6h 7h, 7s 9d 8c Jh"),
                           "check check fold");
    CU_ASSERT_STRING_EQUAL(CHASE(POLICY_PLAIN, "2s 3s 4d, 5h 6h 7h, 9s Td 8c Jh"),
                           "check check bet");
}

TEST(plain_rushes_with_two_suited_then_three)
{
    char text[32];

    CU_ASSERT_STRING_EQUAL(RUSH(POLICY_PLAIN, "2s 3d 4c 5h, 8s 9d Tc Jh"), "fold");
    CU_ASSERT_STRING_EQUAL(RUSH(POLICY_PLAIN, "2s 3s 4c 5h, 8d 9d Ts Js"), "bet fold");
    CU_ASSERT_STRING_EQUAL(RUSH(POLICY_PLAIN, "2s 3s 4c 5h, 8d 9s Td Jd"), "bet bet");
}

TEST(plain_catches_with_a_queen_or_a_pair)
{
    char text[32];

    CU_ASSERT_STRING_EQUAL(CATCH(POLICY_PLAIN, "2s 5d Jc, 5h 6h 7h"), "fold");
    CU_ASSERT_STRING_EQUAL(CATCH(POLICY_PLAIN, "2s 5d Qc, 5h 6h 7h"), "bet");
    CU_ASSERT_STRING_EQUAL(CATCH(POLICY_PLAIN, "2s 2d 4c, 5h 6h 7h"), "bet");
    CU_ASSERT_STRING_EQUAL(CATCH(POLICY_PLAIN, "2s 4s Js, 5h 6h 7h"), "bet");
}

/* Swapping what nobody has seen yet changes nothing that was decided before. */
TEST(no_decision_looks_at_a_card_that_its_player_cannot_see)
{
    char first[32], second[32];

    /* The turn and the river would make a flush. */
    decide(game_find("chase-the-flush"), POLICY_PLAIN, "2s 3s 4d, 5h 6h 7h, 8d 9d Ts Js", first);
    decide(game_find("chase-the-flush"), POLICY_PLAIN, "2s 3s 4d, Kh Ah 7h, 8d 9d Tc Jh", second);
    CU_ASSERT_EQUAL(strncmp(first, "check check", 11), 0);
    CU_ASSERT_EQUAL(strncmp(second, "check check", 11), 0);
    /* The burned card would. */
    decide(game_find("flush-rush"), POLICY_PLAIN, "2s 3s 4c 5h, 8d 9d Ts Js", first);
    CU_ASSERT_STRING_EQUAL(first, "bet fold");
}

TEST(the_same_seed_decides_the_same_and_another_one_otherwise)
{
    struct deal_step steps[PACKETS_MAX];
    struct table table;
    struct round first;
    uint64_t state = 3;
    size_t count = deal(&table, game_find("chase-the-flush"), &state, steps);
    unsigned differing = 0;

    policy_decide(POLICY_RANDOM, &table.setup, steps, count, 1, &table.round);
    first = table.round;
    for (uint64_t seed = 1; seed < 20; seed++) {
        policy_decide(POLICY_RANDOM, &table.setup, steps, count, seed, &table.round);
        if (seed == 1)
            CU_ASSERT_EQUAL(memcmp(&first, &table.round, sizeof first), 0);
        differing += memcmp(&first, &table.round, sizeof first) != 0;
    }
    CU_ASSERT_TRUE(differing > 0);
}

TEST(policies_are_found_by_their_names)
{
    for (int i = 0; i < POLICY_COUNT; i++)
        CU_ASSERT_EQUAL(policy_find(policy_names[i]), i);
    CU_ASSERT_EQUAL(policy_find("bold"), -1);
}
