/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards that are found to be there once each are cards of the deck and differ from each other; the
 * first that is not is named by its place, and is none of the deck or was there before.
 *
 * Bound: any 12 bytes or fewer
 * Options: --unwind 14
 * Broken: games/card.c s/0xe000e000e000e000/0xe000e000e000c000/
 */
#include "games/card.c"
#include "tests/prove/prove.h"

#define MOST 12

int main(void)
{
    card_t any[MOST], *cards;
    size_t count, once, a, b;
    bool was_there = false;

    GIVEN(count <= MOST);
    cards = any + MOST - count;
    once = cards_once(cards, count);
    MUST(once <= count);
    for (size_t i = 0; i < once; i++)
        was_there |= once < count && cards[i] == cards[once];
    MUST(once == count || was_there || !card_valid(cards[once]));
    GIVEN(a < once && b < once && a != b);
    MUST(card_valid(cards[a]));
    MUST(cards[a] != cards[b]);
}
