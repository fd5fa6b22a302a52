/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a list of cards stays within its text and the room for cards, and ends. What it takes is
 * made of cards of the deck, which are written again as they were read.
 *
 * Bound: any text of up to 29 characters, which are ten cards, and room for up to ten
 * Trusts: word_length:word_promised is_joker:joker_promised bad_card:bad_card_promised
 * Options: --unwind 12
 * Broken: games/card.c s/(count == size)$/(count > size)/
 */
#include "games/card.c"
#include "tests/prove/prove.h"

#define LENGTH 29
#define SIZE   10

/* As prove_cards_refused.c has them. */
size_t word_promised(const char *text, size_t length)
{
    size_t word;

    MAY_READ(text, length);
    GIVEN(word <= length);
    return word;
}

bool joker_promised(const char *text, size_t word)
{
    bool is_joker;

    MAY_READ(text, word);
    return is_joker;
}

int bad_card_promised(size_t number, const char *text, size_t length, struct error *error)
{
    MAY_READ(text, length);
    return ERROR_RULE;
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
