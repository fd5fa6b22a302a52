#include "games/card.h"

#include <ctype.h>
#include <string.h>

static const char rank_names[] = "23456789TJQKA";
static const char suit_names[] = "cdhs";

bool card_parse(const char text[2], card_t *card)
{
    const char *rank = text[0] ? strchr(rank_names, text[0]) : NULL;
    const char *suit = rank && text[1] ? strchr(suit_names, text[1]) : NULL;

    if (!suit)
        return false;
    *card = card_make((unsigned)(rank - rank_names), (unsigned)(suit - suit_names));
    return true;
}

void card_format(card_t card, char text[2])
{
    text[0] = rank_names[card_rank(card)];
    text[1] = suit_names[card_suit(card)];
}

static int bad_card(const char *text, size_t length, struct error *error)
{
    char shown[12];
    size_t count = 0;

    while (count < length && count < sizeof shown - 1 && text[count] != ' ') {
        shown[count] = isprint((unsigned char)text[count]) ? text[count] : '?';
        count++;
    }
    shown[count] = '\0';
    return error_set(error, ERROR_RULE,
                     "'%s' is not a card; write a rank (23456789TJQKA) and a suit (cdhs), as in "
                     "'Td', with one space between cards",
                     shown);
}

int cards_parse(const char *text, size_t length, card_t *cards, size_t size, struct error *error)
{
    size_t count = 0;

    for (size_t at = 0; at < length; at += 3) {
        card_t card;

        if (length - at < 2 || !card_parse(text + at, &card) || length - at == 3 ||
            (length - at > 3 && text[at + 2] != ' '))
            return bad_card(text + at, length - at, error);
        if (count == size)
            return error_set(error, ERROR_RULE, "more than %zu cards in one place", size);
        cards[count++] = card;
    }
    return (int)count;
}
