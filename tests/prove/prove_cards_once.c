/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards that are found to be there once each are cards of the deck and differ from each other; the
 * one that is not is named by its place, and is there before or is none.
 *
 * Bound: any 52 bytes or fewer
 * Options: --unwind 53
 * Broken: games/card.c s/0xe000e000e000e000/0xe000e000e000c000/
 */
#include "games/card.c"
#include "tests/prove/prove.h"

int main(void)
{
    card_t cards[DECK_SIZE];
    size_t count, once, a, b;

    GIVEN(count <= DECK_SIZE);
    once = cards_once(cards + DECK_SIZE - count, count);
    MUST(once <= count);
    GIVEN(a < once && b < once && a != b);
    MUST(card_valid(cards[DECK_SIZE - count + a]));
    MUST(cards[DECK_SIZE - count + a] != cards[DECK_SIZE - count + b]);
}
