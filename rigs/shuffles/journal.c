/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/shuffles/hands.h"

static const char *text_of(const struct json_value *object, const char *key)
{
    const char *text = json_chars(json_member(object, key));

    return text ? text : "";
}

static void unlink_orders(struct shuffles_journal *journal)
{
    for (unsigned i = 0; i < DECKS_MAX; i++)
        journal->linked[i] = false;
}

static void see_shuffle(struct shuffles_journal *journal, const struct json_value *details)
{
    if (journal->begun)
        unlink_orders(journal);
    journal->begun = true;
    journal->deck = 0;
    journal->has_deck = journal->is_mixed = false;
    journal->own = json_is(json_member(details, "loaded"), JSON_KIND_FALSE) &&
                   (journal->recordings == 1 || !journal->is_virtual);
    journal->count = 0;
}

/* A packet that is none leaves too few cards, which is seen when the round is settled. */
static void see_packet(struct shuffles_journal *journal, const struct json_value *details)
{
    const char *text = text_of(details, "cards");
    int count = cards_parse(text, strlen(text), journal->cards + journal->count,
                            DECK_SIZE - journal->count, NULL);

    journal->count += count > 0 ? (size_t)count : 0;
}

static seats_t seats_of(const struct json_value *settlement)
{
    seats_t seats = 0;

    JSON_EACH (seat, json_member(settlement, "seats")) {
        int number = atoi(seat->key);

        if (number >= 1 && number <= SEATS_MAX)
            seats |= seat_bit((unsigned)number);
    }
    return seats;
}

/* The deal that the cards were for; false when this program does not know it. */
static bool setup_of(const struct shuffles_journal *journal, const struct json_value *settlement,
                     struct game_setup *setup)
{
    const struct game *game = game_find(journal->game);
    size_t burned = json_count(json_member(settlement, "burned"));

    if (!game || burned < game->board_burn || burned > DECK_SIZE)
        return false;
    game_setup_init(setup, game);
    setup->burn = (uint8_t)(burned - game->board_burn);
    return true;
}

static bool add_round(struct shuffles_journal *journal, const struct json_value *settlement)
{
    struct game_setup setup;
    struct shuffles_order order = {.cards = journal->cards,
                                   .deck = journal->deck,
                                   .unrelated = !journal->linked[journal->deck],
                                   .setup = &setup,
                                   .seats = seats_of(settlement)};

    if (!setup_of(journal, settlement, &setup))
        return false;
    order.count = hands_dealt(&setup, order.seats);
    return order.count && order.count <= journal->count && journal->take(journal->context, &order);
}

static void see_settled(struct shuffles_journal *journal, const struct json_value *settlement)
{
    if (!journal->begun || !journal->recordings)
        return;
    journal->begun = false;
    if (!journal->own || journal->is_mixed || json_member(settlement, "void")) {
        journal->left += journal->own;
        unlink_orders(journal);
        return;
    }
    journal->linked[journal->deck] = add_round(journal, settlement);
    journal->left += !journal->linked[journal->deck];
}

/* Which of two decks the shuffle that was told last is of. */
static void see_deck(struct shuffles_journal *journal, const struct json_value *details)
{
    unsigned deck = json_int(json_member(details, "deck")) == 2;

    journal->is_mixed |= journal->has_deck && deck != journal->deck;
    journal->has_deck = true;
    journal->deck = deck;
}

static void see_event(struct shuffles_journal *journal, const struct json_value *fields)
{
    const struct json_value *details = json_member(fields, "details");
    const char *event = text_of(fields, "event");

    if (!strcmp(event, "deck"))
        see_deck(journal, details);
    if (strcmp(text_of(fields, "device"), SHUFFLES_JOURNAL_DEVICE) != 0)
        return;
    if (!strcmp(event, "shuffled"))
        see_shuffle(journal, details);
    if (!strcmp(event, "packet-present"))
        see_packet(journal, details);
}

void shuffles_journal_see(struct shuffles_journal *journal, const struct journal_line *line)
{
    if (line->kind == JOURNAL_START)
        journal->is_virtual = !strcmp(text_of(line->fields, "clock"), "virtual");
    if (line->kind == JOURNAL_RECORDING) {
        journal->recordings++;
        snprintf(journal->game, sizeof journal->game, "%s", text_of(line->fields, "game"));
        unlink_orders(journal);
    }
    if (line->kind == JOURNAL_SETTLED)
        see_settled(journal, json_member(line->fields, "settlement"));
    if (line->kind == JOURNAL_EVENT)
        see_event(journal, line->fields);
}
