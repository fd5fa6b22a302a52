/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/write.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_text.h"

#define SOURCE_TEXT_MAX 256

#define PUT(text, literal) JSON_TEXT_PUT(text, literal)

static void put_key(struct json_text *text, bool *is_first, const char *key)
{
    if (!*is_first)
        PUT(text, ",");
    *is_first = false;
    json_text_string(text, key);
    PUT(text, ":");
}

static void put_tables(struct json_text *text, const struct game_setup *setup)
{
    bool is_first = true;

    for (unsigned i = 0; i < setup->game->wager_count; i++) {
        const struct wager *wager = &setup->game->wagers[i];

        if (!wager->table_count || setup->table[i] == &wager->tables[wager->default_table])
            continue;
        if (is_first)
            PUT(text, ",\"tables\":{");
        put_key(text, &is_first, wager->name);
        json_text_string(text, setup->table[i]->name);
    }
    if (!is_first)
        PUT(text, "}");
}

static void put_rules(struct json_text *text, const struct game_setup *setup)
{
    struct game_setup sheet;
    bool is_first = true;

    game_setup_init(&sheet, setup->game);
    if (setup->ace_low == sheet.ace_low && setup->rounding == sheet.rounding)
        return;
    PUT(text, ",\"rules\":{");
    if (setup->ace_low != sheet.ace_low) {
        put_key(text, &is_first, "ace-low");
        json_text_raw(text, setup->ace_low ? "true" : "false", setup->ace_low ? 4 : 5);
    }
    if (setup->rounding != sheet.rounding) {
        put_key(text, &is_first, "progressive-rounding");
        json_text_string(text, setup->rounding == ROUNDING_NEAREST ? "nearest" : "up");
    }
    PUT(text, "}");
}

static void put_micros(struct json_text *text, micros_t micros)
{
    char dollars[MICROS_TEXT_SIZE];

    micros_format(micros, dollars);
    json_text_string(text, dollars);
}

static void put_meters(struct json_text *text, const struct meters *meters)
{
    bool is_first = true;

    if (!meters->count)
        return;
    PUT(text, ",\"meters\":{");
    for (unsigned i = 0; i < meters->count; i++) {
        put_key(text, &is_first, meters->meter[i].name);
        put_micros(text, meters->meter[i].value);
    }
    PUT(text, "}");
}

static void put_must_hit(struct json_text *text, const struct meters *meters)
{
    const struct meter *meter;
    char rate[24];

    if (meters->must_hit < 0)
        return;
    meter = &meters->meter[meters->must_hit];
    PUT(text, ",\"must-hit\":{\"reset\":");
    put_micros(text, meter->reseed);
    PUT(text, ",\"hit-by\":");
    put_micros(text, meter->ceiling);
    snprintf(rate, sizeof rate, "%d.%02d", meter->rate / 100, meter->rate % 100);
    PUT(text, ",\"rate\":");
    json_text_string(text, rate);
    PUT(text, "}");
}

static void put_origin(struct json_text *text, bool *is_first, const char *key, const char *value)
{
    char shown[SOURCE_TEXT_MAX];

    if (!value || !*value)
        return;
    snprintf(shown, sizeof shown, "%s", value);
    put_key(text, is_first, key);
    json_text_string(text, shown);
}

static void put_source(struct json_text *text, const struct recording_source *source)
{
    bool is_first = true;

    PUT(text, ",\"source\":{");
    put_origin(text, &is_first, "recorded", source->recorded);
    put_origin(text, &is_first, "device", source->device);
    put_origin(text, &is_first, "firmware", source->firmware);
    put_origin(text, &is_first, "by", source->by);
    put_origin(text, &is_first, "note", source->note);
    put_origin(text, &is_first, "decisions", source->decisions);
    put_origin(text, &is_first, "devices", source->devices);
    put_origin(text, &is_first, "capture", source->capture);
    put_origin(text, &is_first, "wagers", source->wagers);
    put_origin(text, &is_first, "mode", source->mode);
    PUT(text, "}");
}

static size_t end_line(struct json_text *text)
{
    PUT(text, "}\n");
    return (size_t)(text->at - text->start);
}

size_t recording_write_header(char line[RECORDING_LINE_SIZE], const struct recording_header *header,
                              const struct recording_source *source)
{
    const struct game_setup *setup = &header->setup;
    struct json_text text;

    json_text_begin(&text, line, RECORDING_LINE_SIZE);
    PUT(&text, "{\"shoe\":1,\"game\":");
    json_text_string(&text, setup->game->name);
    PUT(&text, ",\"deal\":");
    json_text_string(&text, setup->deal == DEAL_CARDS ? "cards" : "packets");
    PUT(&text, ",\"burn\":");
    json_text_unsigned(&text, setup->burn);
    if (header->decks > 1) {
        PUT(&text, ",\"decks\":");
        json_text_unsigned(&text, header->decks);
    }
    put_tables(&text, setup);
    put_rules(&text, setup);
    put_meters(&text, &header->meters);
    put_must_hit(&text, &header->meters);
    put_source(&text, source);
    return end_line(&text);
}

static void put_seat(struct json_text *text, bool *is_first, unsigned seat)
{
    const char key[] = {(char)('0' + seat), '\0'};

    put_key(text, is_first, key);
}

static void put_bets(struct json_text *text, const struct game *game, const struct round *round)
{
    bool is_first = true;

    PUT(text, ",\"bets\":{");
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        bool is_first_bet = true;

        if (!(round->seats & seat_bit(seat)))
            continue;
        put_seat(text, &is_first, seat);
        PUT(text, "{");
        for (unsigned i = 0; i < game->wager_count; i++)
            if (round->bets[seat][i]) {
                put_key(text, &is_first_bet, game->wagers[i].name);
                json_text_number(text, round->bets[seat][i]);
            }
        PUT(text, "}");
    }
    PUT(text, "}");
}

static void put_cards(struct json_text *text, const card_t *cards, unsigned count)
{
    PUT(text, "\"");
    for (unsigned i = 0; i < count; i++) {
        char card[2];

        if (i)
            PUT(text, " ");
        card_format(cards[i], card);
        json_text_raw(text, card, sizeof card);
    }
    PUT(text, "\"");
}

static void put_dealt(struct json_text *text, const struct round *round)
{
    unsigned card = 0;

    PUT(text, ",\"dealt\":[");
    for (unsigned i = 0; i < round->packet_count; card += round->packet[i++]) {
        if (i)
            PUT(text, ",");
        put_cards(text, round->dealt + card, round->packet[i]);
    }
    PUT(text, "]");
}

static void put_play(struct json_text *text, const struct round *round)
{
    bool is_first = true;

    PUT(text, ",\"play\":{");
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        if (!(round->seats & seat_bit(seat)))
            continue;
        put_seat(text, &is_first, seat);
        PUT(text, "[");
        for (unsigned i = 0; i < round->decision_count[seat]; i++) {
            if (i)
                PUT(text, ",");
            json_text_string(text, decision_names[round->decisions[seat][i]]);
        }
        PUT(text, "]");
    }
    PUT(text, "}");
}

size_t recording_write_round(char line[RECORDING_LINE_SIZE], const struct game *game,
                             const struct recording_round *recorded)
{
    const struct round *round = &recorded->round;
    struct json_text text;

    json_text_begin(&text, line, RECORDING_LINE_SIZE);
    PUT(&text, "{\"round\":");
    json_text_number(&text, round->number);
    put_bets(&text, game, round);
    put_dealt(&text, round);
    put_play(&text, round);
    if (round->is_void)
        PUT(&text, ",\"void\":\"misdeal\"");
    else if (round->cancelled)
        PUT(&text, ",\"keys\":[\"start-round\",\"cancel-round\"]");
    if (round->must_hit_seat) {
        PUT(&text, ",\"must-hit\":{\"seat\":");
        json_text_unsigned(&text, round->must_hit_seat);
        PUT(&text, "}");
    }
    if (round->deck_id) {
        PUT(&text, ",\"deck-id\":");
        json_text_unsigned(&text, round->deck_id);
    }
    if (recorded->has_deck) {
        PUT(&text, ",\"deck\":");
        put_cards(&text, recorded->deck, DECK_SIZE);
    }
    if (recorded->has_before) {
        PUT(&text, ",\"before\":");
        put_cards(&text, recorded->before, DECK_SIZE);
    }
    return end_line(&text);
}
