/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two characters are read as a card only if that card is of the deck and is written so; whatever is
 * a card of the deck is read again as what it is.
 *
 * Bound: any two bytes, any card
 * Broken: games/card.c s/\['T'\] = 9/['T'] = 8/
 */
#include "games/card.c"
#include "tests/prove/prove.h"

int main(void)
{
    char text[2], written[2];
    card_t card, again;

    if (card_parse(text, &card)) {
        MUST(card_valid(card));
        card_format(card, written);
        MUST(written[0] == text[0] && written[1] == text[1]);
    }
    GIVEN(card_valid(card));
    card_format(card, written);
    MUST(card_parse(written, &again) && again == card);
}
