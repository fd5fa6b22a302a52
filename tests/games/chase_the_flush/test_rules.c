/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules for 2x as their words say, on both sides of every limit. What they cost is the audit's.
 */
#include "games/chase_the_flush/rules.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

struct example {
    const char *held, *flop;
    bool bets;
};

static void decides(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool bets = chase_rule_2x(table_hand(examples[i].held), table_hand(examples[i].flop));

        if (bets != examples[i].bets)
            printf("%s on %s\n", examples[i].held, examples[i].flop);
        CU_ASSERT_EQUAL(bets, examples[i].bets);
    }
}

#define DECIDES(...)                                                                               \
    do {                                                                                           \
        static const struct example examples[] = {__VA_ARGS__};                                    \
                                                                                                   \
        decides(examples, sizeof examples / sizeof examples[0]);                                   \
    } while (0)

TEST(four_of_a_suit_or_three_and_two_are_bet_on)
{
    DECIDES({"2c 3c 2d", "4c 5c", true}, {"2c 3c 2d", "4c 3d", true}, {"2c 3c 2d", "4c 3h", false});
}

TEST(three_with_two_in_hand_are_bet_on_if_they_are_high_enough)
{
    DECIDES({"2c 3c 2d", "9c Ah", true}, {"9c 3c 2d", "2c Ah", true}, {"2c 8c 7d", "3c Kh", true},
            {"2c 8c 6d", "3c Kh", false}, {"2c 7c 7d", "3c 9h", true}, {"2c 7c 6d", "3c 9h", false},
            {"2c 6c 6d", "3c 3h", true}, {"2c 6c 5d", "3c 3h", false}, {"2c 5c 8d", "3c 2h", true},
            {"2c 5c 7d", "3c 2h", false}, {"2c 4c Ad", "3c 2h", false});
}

TEST(three_with_one_in_hand_are_bet_on_if_few_higher_cards_are_unseen)
{
    DECIDES({"9c 2d 3h", "4c 5c", true}, {"8c 2d 3h", "4c 5c", false}, {"7c 2d 3h", "4c 9c", false},
            {"7c 2d 3h", "4c Tc", true}, {"6c 2d 3h", "4c Jc", false}, {"6c 2d 3h", "4c Qc", true},
            {"5c 2d 3h", "4c Kc", false}, {"5c 2d 3h", "4c Ac", true},
            {"4c 2d 3h", "2c Ac", false});
}

TEST(a_high_card_of_two_others_of_one_suit_makes_up_for_a_low_flop)
{
    DECIDES({"7c 2d 4d", "3c 9c", true}, {"7c 2d 3d", "3c 9c", false}, {"6c 2d 6d", "4c Qc", true},
            {"6c 2d 5d", "4c Qc", false}, {"5c 2d 9d", "4c Kc", true}, {"5c 2d 8d", "4c Kc", false},
            {"4c Qd Ad", "2c Ac", false});
}

TEST(two_pairs_of_a_suit_are_bet_on_by_the_higher_cards_unseen)
{
    DECIDES({"Ac 2d 2h", "2c 3d", true}, {"Kc 2d 2h", "Ac 3d", true}, {"Qc 2d 2h", "Ac 3d", true},
            {"Kc 8d 2h", "2c 3d", true}, {"Kc 7d 2h", "2c 3d", false}, {"Kc 7d 5h", "2c 3d", true},
            {"Qc 8d 2h", "Kc 3d", true}, {"Qc 7d 4h", "Kc 3d", false}, {"Qc Td 7h", "2c 3d", true},
            {"Qc Td 6h", "2c 3d", false}, {"Jc 8d 2h", "Ac 9d", true}, {"Jc 7d 4h", "Ac 3d", true},
            {"Jc 6d 4h", "Ac 3d", false}, {"Jc Td 2h", "Kc 3d", true}, {"Jc 9d 4h", "Kc 3d", false},
            {"Jc Td 8h", "Qc 3d", true}, {"Jc Td 7h", "Qc 3d", false}, {"Jc Jd Jh", "2c 3d", true},
            {"Jc Jd Th", "2c 3d", false}, {"Tc 9d 2h", "Ac 3d", true}, {"Tc 8d 4h", "Ac 3d", false},
            {"Tc Jd 4h", "Kc 3d", true}, {"Tc Jd 3h", "Kc 3d", false}, {"9c Td 6h", "Ac 3d", true},
            {"9c Td 5h", "Ac 3d", false}, {"8c Jd 8h", "Ac 3d", true},
            {"8c Jd 7h", "Ac 3d", false});
}

TEST(a_pair_of_a_suit_and_two_of_another_are_bet_on_with_the_ace)
{
    DECIDES({"Ac 2d 4d", "2c 8h", true}, {"Ac 2d 3d", "2c 8h", false}, {"Kc 2d 4d", "Ac Th", true},
            {"Kc 2d 3d", "Ac Th", false}, {"Qc 2d 4d", "Ac 5h", true}, {"Qc 2d 3d", "Ac 5h", false},
            {"Jc 2d 8d", "Ac 4h", true}, {"Jc 2d 7d", "Ac 4h", false}, {"Kc 2d Qd", "Qc 2h", false},
            {"Tc 2d Kd", "Ac 2h", false});
}

TEST(without_two_of_two_suits_nothing_is_bet)
{
    DECIDES({"Ac Qd Jh", "Kc 2s", false}, {"Ac Kd Qh", "As Ks", false},
            {"Ac Kc Qd", "As Ks", false});
}
