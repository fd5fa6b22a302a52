/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/card.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char rank_names[] = "23456789TJQKA";
static const char suit_names[] = "cdhs";

/* Places in the names, from 1. */
static const uint8_t ranks[256] = {
    ['2'] = 1, ['3'] = 2, ['4'] = 3,  ['5'] = 4,  ['6'] = 5,  ['7'] = 6, ['8'] = 7,
    ['9'] = 8, ['T'] = 9, ['J'] = 10, ['Q'] = 11, ['K'] = 12, ['A'] = 13};
static const uint8_t suits[256] = {['c'] = 1, ['d'] = 2, ['h'] = 3, ['s'] = 4};

bool card_parse(const char text[2], card_t *card)
{
    unsigned rank = ranks[(unsigned char)text[0]], suit = suits[(unsigned char)text[1]];

    if (!rank || !suit)
        return false;
    *card = card_make(rank - 1, suit - 1);
    return true;
}

void card_format(card_t card, char text[2])
{
    bool valid = card_valid(card);

    text[0] = valid ? rank_names[card_rank(card)] : '?';
    text[1] = valid ? suit_names[card_suit(card)] : '?';
}

/* A word as it can be shown in a sentence: long ones cut, bytes that do not print as \x00. */
struct shown {
    char text[48];
};

static struct shown show(const char *word, size_t length)
{
    const size_t most = 8;
    struct shown shown = {0};
    size_t used = 0;

    for (size_t i = 0; i < length && i < most; i++) {
        unsigned char byte = (unsigned char)word[i];
        const char *format = byte >= ' ' && byte <= '~' ? "%c" : "\\x%02x";

        used += (size_t)snprintf(shown.text + used, sizeof shown.text - used, format, byte);
    }
    if (length > most)
        snprintf(shown.text + used, sizeof shown.text - used, "...");
    return shown;
}

static size_t word_length(const char *text, size_t length)
{
    const char *space = memchr(text, ' ', length);

    return space ? (size_t)(space - text) : length;
}

/* Written in whatever way people do. */
static bool is_joker(const char *text, size_t word)
{
    static const char *const names[] = {"joker", "jk", "jo", "jkr"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == word && !strncasecmp(text, names[i], word))
            return true;
    return false;
}

/* Says what is wrong where card `number`, counted from 1, should begin. */
static int bad_card(size_t number, const char *text, size_t length, struct error *error)
{
    size_t word = word_length(text, length);
    struct shown shown = show(text, word);

    if (word == 0)
        return error_set(error, ERROR_RULE,
                         "card %zu is missing; write one space between cards, none at the ends",
                         number);
    if (is_joker(text, word))
        return error_set(error, ERROR_RULE,
                         "card %zu, '%s', is a joker; decks have 52 cards here: take the jokers "
                         "out and record the others",
                         number, shown.text);
    if (word != 2)
        return error_set(error, ERROR_RULE,
                         "card %zu, '%s', is not a card; write rank and suit, as in 'Td', and one "
                         "space between cards",
                         number, shown.text);
    if (!ranks[(unsigned char)text[0]])
        return error_set(error, ERROR_RULE,
                         "card %zu, '%s', has no known rank; write one of %s, then the suit",
                         number, shown.text, rank_names);
    return error_set(error, ERROR_RULE,
                     "card %zu, '%s', has no known suit; write the rank, then one of %s", number,
                     shown.text, suit_names);
}

int cards_parse(const char *text, size_t length, card_t *cards, size_t size, struct error *error)
{
    size_t count = 0;

    for (size_t at = 0; length > 0 && at <= length; at += 3) {
        size_t left = length - at;
        bool whole = left == 2 || (left > 2 && text[at + 2] == ' ');

        if (count == size && is_joker(text + at, word_length(text + at, left)))
            return bad_card(count + 1, text + at, left, error);
        if (count == size)
            return error_set(error, ERROR_RULE, "more than %zu cards in one place", size);
        if (!whole || !card_parse(text + at, &cards[count]))
            return bad_card(count + 1, text + at, left, error);
        count++;
    }
    return (int)count;
}

size_t cards_once(const card_t *cards, size_t count)
{
    /* Where no rank is, in each suit, there is no card: as if it had been seen before. */
    uint64_t seen = UINT64_C(0xe000e000e000e000);

    for (size_t i = 0; i < count; i++) {
        if (cards[i] > 63 || seen >> cards[i] & 1)
            return i;
        seen |= UINT64_C(1) << cards[i];
    }
    return count;
}
