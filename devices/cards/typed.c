/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/typed.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define BLANKS  " \t"
#define BETWEEN BLANKS ",;"
#define WORD    "deck"

/* One card, and how many characters it has; 0: it is none. */
static size_t read_card(const char *text, card_t *card)
{
    bool is_ten = text[0] == '1' && text[1] == '0';
    char pair[2] = {is_ten ? 'T' : (char)toupper((unsigned char)text[0]), '\0'};

    pair[1] = text[0] ? (char)tolower((unsigned char)text[is_ten ? 2 : 1]) : '\0';
    if (!card_parse(pair, card))
        return 0;
    return is_ten ? 3 : 2;
}

/* The number of a deck and the blanks before it, and how many characters they have; 0: none. */
static size_t read_deck(const char *text, uint8_t *deck)
{
    size_t blanks = strspn(text, BLANKS);

    if (text[blanks] < '1' || text[blanks] > '0' + DECKS_MAX)
        return 0;
    *deck = (uint8_t)(text[blanks] - '0');
    return blanks + 1;
}

/* "/2" after a card. */
static size_t read_own_deck(const char *text, uint8_t *deck)
{
    size_t length = *text == '/' ? read_deck(text + 1, deck) : 0;

    return length ? length + 1 : 0;
}

/* "deck 2", a word of its own. */
static size_t read_deck_of_all(const char *text, uint8_t *deck)
{
    size_t word = sizeof WORD - 1, length;

    if (strncasecmp(text, WORD, word))
        return 0;
    length = read_deck(text + word, deck);
    return length && (!text[word + length] || strchr(BETWEEN, text[word + length])) ? word + length
                                                                                    : 0;
}

static int refuse(const char *text, bool has_decks, struct error *error)
{
    bool is_deck = *text == '/' || !strncasecmp(text, WORD, sizeof WORD - 1);
    int length = (int)(is_deck ? strlen(text) : strcspn(text, BETWEEN));

    if (is_deck && has_decks)
        return error_set(error, ERROR_CONFIG,
                         "'%.*s' names no deck, or a second one; write /1 or /2 after a card, or "
                         "once deck 1 or deck 2 for all others",
                         length, text);
    if (is_deck)
        return error_set(error, ERROR_CONFIG,
                         "'%.*s' names a deck, and the rig has but one; write the cards alone",
                         length, text);
    return error_set(error, ERROR_CONFIG, "'%.*s' is no card; write rank and suit, as in As or 10h",
                     length, text);
}

/* Every card has a deck, its own or that of all others, or none has. */
static int fill_backs(const card_t *cards, uint8_t *backs, int count, uint8_t others,
                      struct error *error)
{
    int known = 0, unknown = 0;
    char card[3] = "";

    for (int i = 0; i < count; i++) {
        if (!backs[i])
            backs[i] = others;
        if (backs[i])
            known++;
        else
            unknown = i;
    }
    if (!known || known == count)
        return count;
    card_format(cards[unknown], card);
    return error_set(error, ERROR_CONFIG,
                     "%s has no deck, and others have; write it after each card, as in %s/1, or "
                     "deck 1 for all others",
                     card, card);
}

int cards_typed(const char *text, card_t cards[DECK_SIZE], uint8_t backs[DECK_SIZE],
                struct error *error)
{
    uint8_t others = 0;
    int count = 0;

    for (text += strspn(text, BETWEEN); *text; text += strspn(text, BETWEEN)) {
        size_t word = backs && !others ? read_deck_of_all(text, &others) : 0;
        card_t card;
        size_t length = word ? word : read_card(text, &card);

        if (!length)
            return refuse(text, backs, error);
        text += length;
        if (word)
            continue;
        if (count == DECK_SIZE)
            return error_set(error, ERROR_CONFIG, "a deck has no more than %d cards", DECK_SIZE);
        cards[count] = card;
        if (backs) {
            backs[count] = 0;
            text += read_own_deck(text, &backs[count]);
        }
        count++;
    }
    return backs ? fill_backs(cards, backs, count, others, error) : count;
}
