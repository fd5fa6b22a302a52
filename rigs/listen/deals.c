/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/listen/deals.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void spoil(struct deal *deal, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first reason counts. */
static void spoil(struct deal *deal, const char *format, ...)
{
    va_list arguments;

    if (deal->why[0])
        return;
    va_start(arguments, format);
    vsnprintf(deal->why, sizeof deal->why, format, arguments);
    va_end(arguments);
}

/* Of a deal without a card nothing is told: a deck was shuffled and shuffled again. */
static int close_deal(struct deals *deals, struct error *error)
{
    struct deal *deal = &deals->deal;

    if (!deals->is_open)
        return 0;
    deals->is_open = false;
    if (!deal->card_count && !deal->why[0]) {
        deals->count--;
        /* Its START ROUND is that of the next. */
        deals->is_started |= deal->is_started;
        if (deal->is_started)
            deals->wagers = deal->wagers;
        return 0;
    }
    if (deal->is_started && !deal->is_ended)
        spoil(deal, "its round was not ended while it was listened to");
    deals->missed = 0;
    deal->has_after = deals->has_meters;
    deal->after = deals->meters;
    return deals->ended(deals->context, deal, error);
}

/* Once wagers were heard of at all, silence means that there are none. */
static void take_start(struct deals *deals)
{
    struct deal *deal = &deals->deal;

    deal->is_started = deals->is_started;
    deal->has_wagers = deals->knows_wagers;
    deal->wagers = deals->wagers;
    deals->is_started = false;
    deals->wagers = 0;
}

#define NUMBERS 65536u /* of shuffles and decks, after which they begin again */

/*
 * How many decks there were between the last one and this. A number that goes back is of another
 * count, which begins with 1 where the line began anew; otherwise nothing is known.
 */
static unsigned count_missed(struct deals *deals, const struct heard *heard)
{
    bool has_cards = deals->is_open && deals->deal.card_count;
    unsigned step;

    if (!heard || !heard->has_number || !deals->has_last) {
        deals->is_count_lost |= deals->has_gap;
        return 0;
    }
    step = (uint16_t)(heard->number - deals->last);
    if (step > NUMBERS / 2)
        deals->is_count_lost |= !deals->is_anew || heard->number != 1;
    else
        deals->is_count_lost |= step > 1 || (!step && has_cards);
    return step > 1 && step <= NUMBERS / 2 ? step - 1 : 0;
}

/* Before its deal is opened: what its number says of those before it. */
static unsigned number_deal(struct deals *deals, const struct heard *heard)
{
    unsigned missed = count_missed(deals, heard);

    if (missed && deals->is_open && deals->deal.card_count)
        spoil(&deals->deal, "the next shuffle that was heard after it is %u, not %u", heard->number,
              (uint16_t)(deals->last + 1));
    deals->has_gap = deals->is_anew = false;
    deals->has_last = heard && heard->has_number;
    deals->last = deals->has_last ? heard->number : 0;
    return missed;
}

/* `heard` is the deck; NULL for cards of which no deck was heard. */
static int open_deal(struct deals *deals, enum deal_mode mode, const struct heard *heard,
                     struct error *error)
{
    unsigned missed = number_deal(deals, heard);
    int status = close_deal(deals, error);

    if (status)
        return status;
    deals->missed += missed;
    memset(&deals->deal, 0, sizeof deals->deal);
    deals->is_open = true;
    deals->count += missed;
    deals->deal.number = ++deals->count;
    deals->deal.missed = deals->missed;
    deals->deal.is_count_known = !deals->is_count_lost;
    memcpy(deals->deal.why, deals->next_why, sizeof deals->deal.why);
    deals->next_why[0] = '\0';
    deals->deal.mode = mode;
    deals->deal.has_before = deals->has_meters;
    deals->deal.before = deals->meters;
    take_start(deals);
    return 0;
}

/* A card before any shuffle, and not the first: somebody began to listen in the middle of it. */
static int need_deal(struct deals *deals, enum deal_mode mode, int index, struct error *error)
{
    int status = 0;

    if (!deals->is_open) {
        status = open_deal(deals, mode, NULL, error);
        if (index)
            spoil(&deals->deal, "its beginning was not heard");
    }
    if (deals->deal.mode != mode)
        spoil(&deals->deal, "packets and single cards were heard in one deal");
    return status;
}

static bool is_dealt_before(const struct deal *deal, card_t card)
{
    return memchr(deal->cards, card, deal->card_count) != NULL;
}

static void add_cards(struct deal *deal, const struct heard *heard)
{
    for (unsigned i = 0; i < heard->count; i++) {
        char text[3] = "";

        card_format(heard->cards[i], text);
        if (!card_valid(heard->cards[i]))
            spoil(deal, "byte %02x was heard in place of a card", heard->cards[i]);
        else if (is_dealt_before(deal, heard->cards[i]))
            spoil(deal, "%s was heard twice", text);
        if (deal->card_count == DECK_SIZE)
            spoil(deal, "more cards than a deck has were heard");
        else
            deal->cards[deal->card_count++] = heard->cards[i];
    }
    if (deal->packets < PACKETS_MAX)
        deal->sizes[deal->packets++] = (uint8_t)heard->count;
    deal->is_in_test_mode |= heard->test_mode;
}

/* Where the cards of a packet that was heard stand. */
static const card_t *cards_of(const struct deal *deal, unsigned packet)
{
    const card_t *cards = deal->cards;

    for (unsigned i = 0; i < packet; i++)
        cards += deal->sizes[i];
    return cards;
}

static bool is_repeat(const struct deal *deal, const struct heard *heard)
{
    unsigned index = (unsigned)heard->index;

    return index < deal->packets && deal->sizes[index] == heard->count &&
           !memcmp(cards_of(deal, index), heard->cards, heard->count);
}

/* By its number; one that comes again with the same cards was said again. */
static int hear_cards(struct deals *deals, const struct heard *heard, enum deal_mode mode,
                      struct error *error)
{
    const char *what = mode == DEAL_CARDS ? "card" : "packet";
    struct deal *deal = &deals->deal;
    int status = need_deal(deals, mode, heard->index, error);

    if (status)
        return status;
    if (heard->index >= 0 && is_repeat(deal, heard))
        return 0;
    if (heard->index >= 0 && heard->index < deal->packets)
        spoil(deal, "%s %d was heard twice, with other cards", what, heard->index + 1);
    else if (heard->index > deal->packets)
        spoil(deal, "%s %d was heard after %s %u", what, heard->index + 1, what, deal->packets);
    add_cards(deal, heard);
    return 0;
}

/* A card that was sent again is the last one, or one that was missed. */
static int hear_again(struct deals *deals, const struct heard *heard, struct error *error)
{
    const struct deal *deal = &deals->deal;

    if (deals->is_open && deal->card_count && deal->cards[deal->card_count - 1] == heard->cards[0])
        return 0;
    return hear_cards(deals, heard, DEAL_CARDS, error);
}

static int hear_outside(struct deals *deals, struct error *error)
{
    int status = need_deal(deals, DEAL_CARDS, -1, error);

    spoil(&deals->deal, "a card was drawn although the shoe was locked or in error");
    return status;
}

/* Of the deal that is there unless cards of it have come: then it is of the next. */
static void hear_start(struct deals *deals)
{
    deals->is_started = true;
    deals->wagers = deals->laid;
    if (deals->is_open && !deals->deal.card_count)
        take_start(deals);
}

static void hear_end(struct deals *deals, bool is_cancelled)
{
    struct deal *deal = &deals->deal;

    if (deals->is_open && deal->card_count && !deal->is_ended) {
        deal->is_ended = true;
        deal->is_cancelled = is_cancelled;
        return;
    }
    if (deals->is_open && deal->is_ended && deals->is_started)
        spoil(deal, "its round was closed, started again and closed again");
    deals->is_started = false;
    if (deals->is_open && !deal->card_count)
        deal->is_started = false;
}

static void hear_wagers(struct deals *deals, const struct heard *heard)
{
    deals->knows_wagers = true;
    deals->laid = (seats_t)heard->seats;
    if (!deals->is_started)
        deals->wagers = deals->laid;
    /* Sensors without a terminal: LOCK is the start of the round. */
    if (deals->is_open && !deals->deal.card_count && !deals->deal.is_started) {
        deals->deal.has_wagers = true;
        deals->deal.wagers = deals->laid;
    }
}

int deals_hear(struct deals *deals, const struct heard *heard, struct error *error)
{
    switch (heard->kind) {
    case HEARD_SHUFFLED:
        return open_deal(deals, DEAL_PACKETS, heard, error);
    case HEARD_NEW_DECK:
        return open_deal(deals, DEAL_CARDS, heard, error);
    case HEARD_PACKET:
        return hear_cards(deals, heard, DEAL_PACKETS, error);
    case HEARD_CARD:
        return hear_cards(deals, heard, DEAL_CARDS, error);
    case HEARD_CARD_AGAIN:
        return hear_again(deals, heard, error);
    case HEARD_CARD_OUTSIDE:
        return hear_outside(deals, error);
    case HEARD_WAGERS:
        hear_wagers(deals, heard);
        return 0;
    case HEARD_ROUND_STARTED:
        hear_start(deals);
        return 0;
    case HEARD_ROUND_ENDED:
    case HEARD_ROUND_CANCELLED:
        hear_end(deals, heard->kind == HEARD_ROUND_CANCELLED);
        return 0;
    case HEARD_METERS:
        deals->has_meters = true;
        deals->meters = *heard;
        return 0;
    case HEARD_MUST_HIT:
        if (deals->is_open)
            deals->deal.must_hit = (uint8_t)heard->seat;
        return 0;
    default:
        return 0;
    }
}

void deals_miss(struct deals *deals, bool is_dealing, const char *why)
{
    deals_spoil(deals, why);
    deals->has_gap |= is_dealing;
    if (!is_dealing)
        snprintf(deals->next_why, sizeof deals->next_why, "%s", why);
}

void deals_spoil(struct deals *deals, const char *why)
{
    if (deals->is_open)
        spoil(&deals->deal, "%s", why);
}

void deals_renew(struct deals *deals)
{
    deals->is_anew = true;
}

int deals_end(struct deals *deals, struct error *error)
{
    return close_deal(deals, error);
}
