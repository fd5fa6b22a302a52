/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of text that is no card, whether it is a joker and how long its word is, is found
 * without reading outside of the text or writing outside of the room for what is shown of it.
 *
 * Bound: any text of up to 64 characters
 * Trusts: memchr:find_promised
 * Options: --unwind 10
 * Broken: games/card.c s/i < length \&\& i < most/i < most/
 */
#include "games/card.c"
#include "tests/prove/promises.h"

#define LENGTH 64

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
    char text[LENGTH];
    size_t length, number;
    struct error error;

    GIVEN(length <= LENGTH);
    MUST(word_length(text + LENGTH - length, length) <= length);
    is_joker(text + LENGTH - length, length);
    MUST(bad_card(number, text + LENGTH - length, length, &error) == ERROR_RULE);
}
