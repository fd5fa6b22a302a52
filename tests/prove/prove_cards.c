/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading cards stays within the text and the room for cards, and ends. What it takes is made of
 * cards of the deck, which are written again as they were read.
 *
 * Bound: any text of up to 17 characters, room for up to 6 cards
 * Options: --unwind 19
 * Broken: games/card.c s/count == size)$/count > size)/
 */
#include "games/card.c"
#include "tests/prove/prove.h"

#define LENGTH 17
#define SIZE   6

/* Of a byte of a word, or of what stands for the rest of a long one. */
int snprintf(char *text, size_t size, const char *format, ...)
{
    int length;

    MUST(size > 4);
    MAY_WRITE(text, size);
    GIVEN(length >= 1 && length <= 4);
    return length;
}

int main(void)
{
    char text[LENGTH], written[2];
    card_t cards[SIZE];
    size_t length, size;
    struct error error;
    int count;

    GIVEN(length <= LENGTH && size <= SIZE);
    /* Both end where their arrays do. */
    count = cards_parse(text + LENGTH - length, length, cards + SIZE - size, size, &error);
    MUST(count == ERROR_RULE || (count >= 0 && (size_t)count <= size));
    MUST(count < 0 || (size_t)count == (length + 1) / 3);
    for (int i = 0; i < count; i++) {
        card_t card = cards[SIZE - size + (size_t)i];

        MUST(card_valid(card));
        card_format(card, written);
        MUST(written[0] == text[LENGTH - length + 3 * (size_t)i]);
        MUST(written[1] == text[LENGTH - length + 3 * (size_t)i + 1]);
    }
}
