/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/angel_eye/baccarat.h"

unsigned angel_eye_baccarat_points(const struct angel_eye_baccarat *game, enum baccarat_side side)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < game->hands[side].count; i++)
        sum += game->hands[side].points[i];
    return sum % 10;
}

bool angel_eye_baccarat_pair(const struct angel_eye_baccarat *game, enum baccarat_side side)
{
    return game->hands[side].count >= 2 && game->hands[side].ranks[0] == game->hands[side].ranks[1];
}

/* The banker's third card when the player has drawn one, by the points of that card. */
static bool banker_draws(unsigned banker, unsigned third)
{
    switch (banker) {
    case 3:
        return third != 8;
    case 4:
        return third >= 2 && third <= 7;
    case 5:
        return third >= 4 && third <= 7;
    case 6:
        return third == 6 || third == 7;
    default:
        return banker <= 2;
    }
}

bool angel_eye_baccarat_next(const struct angel_eye_baccarat *game, enum baccarat_side *side)
{
    unsigned players = game->hands[BACCARAT_PLAYER].count;
    unsigned bankers = game->hands[BACCARAT_BANKER].count;
    unsigned player = angel_eye_baccarat_points(game, BACCARAT_PLAYER);
    unsigned banker = angel_eye_baccarat_points(game, BACCARAT_BANKER);

    *side = players > bankers ? BACCARAT_BANKER : BACCARAT_PLAYER;
    if (bankers < 2)
        return true;
    if (players == 2) {
        if (player >= 8 || banker >= 8)
            return false;
        *side = player <= 5 ? BACCARAT_PLAYER : BACCARAT_BANKER;
        return player <= 5 || (bankers == 2 && banker <= 5);
    }
    *side = BACCARAT_BANKER;
    return bankers == 2 && banker_draws(banker, game->hands[BACCARAT_PLAYER].points[2]);
}

void angel_eye_baccarat_take(struct angel_eye_baccarat *game, enum baccarat_side side, card_t card)
{
    uint8_t at = game->hands[side].count++;
    unsigned rank = card_rank(card);

    if (at < 2)
        game->hands[side].ranks[at] = (uint8_t)rank;
    if (rank == RANK_ACE)
        game->hands[side].points[at] = 1;
    else
        game->hands[side].points[at] = rank < RANK_TEN ? (uint8_t)(rank + 2) : 0;
}
