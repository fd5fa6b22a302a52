/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/three_card_catch/rules.h"

#include <stddef.h>

#include "games/three_card_catch/three_card_catch.h"

enum { PLAY_RULES, PLAY_ALWAYS, PLAY_PLAIN, PLAY_PAIR };

const char *const catch_play_names[CATCH_PLAYS] = {
    [PLAY_RULES] = "by the rules",
    [PLAY_ALWAYS] = "never fold",
    [PLAY_PLAIN] = "play a queen or higher, a pair or better",
    [PLAY_PAIR] = "play a pair or better only",
};

const char *const catch_rules[] = {
    "fold three suits, none above a ten, every two of the cards at least three ranks apart",
    "play everything else", NULL};

/* Too low to win, too far apart to catch anything but a pair. */
static bool is_hopeless(hand_t hand)
{
    unsigned ranks = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        if (hand_count(hand_suit(hand, suit)) > 1)
            return false;
        ranks |= hand_suit(hand, suit);
    }
    return hand_count(ranks) == 3 && !(ranks >> (RANK_TEN + 1)) && !(ranks & ranks << 1) &&
           !(ranks & ranks << 2);
}

bool catch_play_bets(unsigned play, hand_t hand, bool ace_low)
{
    const struct game_setup setup = {.ace_low = ace_low};

    switch (play) {
    case PLAY_RULES:
        return !is_hopeless(hand);
    case PLAY_PLAIN:
        return catch_bets(&setup, hand, 0);
    case PLAY_PAIR:
        return three_category(hand_three(hand, ace_low)) >= THREE_PAIR;
    default:
        return true;
    }
}
