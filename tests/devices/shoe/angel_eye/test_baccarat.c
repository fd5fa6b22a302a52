/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose card comes next in baccarat. */
#include "devices/shoe/angel_eye/baccarat.h"

#include <string.h>

#include "tests/support/suite.h"

static struct error error;

/* Cards, the sides they go to, and the points at the end. */
static const struct {
    const char *cards, *sides;
    unsigned player, banker;
} games[] = {
    {"9c 2c Th 3c", "PBPB", 9, 5},         /* a natural */
    {"6c 2c Th 6d", "PBPB", 6, 8},         /* the banker's */
    {"2c 2h 3c 6d", "PBPB", 5, 8},         /* the player does not draw against it */
    {"6c 2c Th 3d 4c", "PBPBB", 6, 9},     /* the player stands, the banker draws at 5 */
    {"6c 2c Th 2d Kc", "PBPBB", 6, 4},     /* and draws no more at 4 */
    {"7c 4c Th 2d", "PBPB", 7, 6},         /* both stand */
    {"2c 3c 3h Td 8c", "PBPBP", 3, 3},     /* 3 against an 8: the banker stands */
    {"2c 3c 3h Td 9c Kc", "PBPBPB", 4, 3}, /* 3 against a 9: the banker draws */
    {"2c 4c 3h Td Ac", "PBPBP", 6, 4},     /* 4 against an ace: stands */
    {"2c 4c 3h Td 7c Ac", "PBPBPB", 2, 5}, /* 4 against a 7: draws */
    {"2c 5c 3h Td 3c", "PBPBP", 8, 5},     /* 5 against a 3: stands */
    {"2c 5c 3h Td 4c Ac", "PBPBPB", 9, 6}, /* 5 against a 4: draws */
    {"2c 6c 3h Td 5c", "PBPBP", 0, 6},     /* 6 against a 5: stands */
    {"2c 6c 3h Td 6d Ac", "PBPBPB", 1, 7}, /* 6 against a 6: draws */
    {"2c 7c 3h Td 6d", "PBPBP", 1, 7},     /* 7 stands */
};

TEST(the_shoe_deals_by_the_rules_of_baccarat)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct angel_eye_baccarat game = {0};
        enum baccarat_side side;
        card_t cards[6];
        int count = cards_parse(games[i].cards, strlen(games[i].cards), cards, 6, &error);

        for (int card = 0; card < count; card++) {
            CU_ASSERT_TRUE(angel_eye_baccarat_next(&game, &side));
            CU_ASSERT_EQUAL("PB"[side], games[i].sides[card]);
            angel_eye_baccarat_take(&game, side, cards[card]);
        }
        CU_ASSERT_FALSE(angel_eye_baccarat_next(&game, &side));
        CU_ASSERT_EQUAL(angel_eye_baccarat_points(&game, BACCARAT_PLAYER), games[i].player);
        CU_ASSERT_EQUAL(angel_eye_baccarat_points(&game, BACCARAT_BANKER), games[i].banker);
        CU_ASSERT_FALSE(angel_eye_baccarat_pair(&game, BACCARAT_PLAYER));
    }
}

TEST(two_cards_of_a_rank_are_a_pair_and_the_third_does_not_count)
{
    struct angel_eye_baccarat game = {0};

    angel_eye_baccarat_take(&game, BACCARAT_PLAYER, card_make(RANK_KING, SUIT_CLUBS));
    CU_ASSERT_FALSE(angel_eye_baccarat_pair(&game, BACCARAT_PLAYER));
    angel_eye_baccarat_take(&game, BACCARAT_PLAYER, card_make(RANK_KING, SUIT_SPADES));
    CU_ASSERT_TRUE(angel_eye_baccarat_pair(&game, BACCARAT_PLAYER));
    angel_eye_baccarat_take(&game, BACCARAT_BANKER, card_make(RANK_TEN, SUIT_CLUBS));
    angel_eye_baccarat_take(&game, BACCARAT_BANKER, card_make(RANK_JACK, SUIT_CLUBS));
    angel_eye_baccarat_take(&game, BACCARAT_BANKER, card_make(RANK_JACK, SUIT_SPADES));
    CU_ASSERT_FALSE(angel_eye_baccarat_pair(&game, BACCARAT_BANKER));
    CU_ASSERT_EQUAL(angel_eye_baccarat_points(&game, BACCARAT_BANKER), 0);
}
