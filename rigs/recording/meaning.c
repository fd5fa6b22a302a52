/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/meaning.h"

#include <stdio.h>
#include <string.h>

#include "rigs/recording/steps.h"
#include "rigs/recording/write.h"

#define PUT(text, literal) JSON_TEXT_PUT(text, literal)

_Static_assert(MEANING_SIZE >= RECORDING_LINE_SIZE, "a round has room");

/* "wagers:1,4", whatever their order; once each. */
static void put_wagers(struct json_text *text, seats_t seats)
{
    char step[sizeof "wagers:" + 2 * SEATS_MAX] = "wagers:";
    size_t length = strlen(step);

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat))
            length += (size_t)snprintf(step + length, sizeof step - length, "%s%u",
                                       step[length - 1] == ':' ? "" : ",", seat);
    json_text_string(text, step);
}

/* "correct-meter:star=10000.100000", whatever number of decimals it was written with. */
static void put_correction(struct json_text *text, const struct meters *meters,
                           const struct correction *correction)
{
    char step[64], dollars[MICROS_TEXT_SIZE];

    micros_format(correction->value, dollars);
    snprintf(step, sizeof step, "correct-meter:%s=%s", meters->meter[correction->meter].name,
             dollars);
    json_text_string(text, step);
}

static void put_key(struct json_text *text, const struct meters *meters, const char *key)
{
    struct correction correction;
    struct error unheard;
    seats_t seats;

    if (recording_step_wagers(key, &seats))
        put_wagers(text, seats);
    else if (recording_step_correction(key, meters, &correction, &unheard) > 0)
        put_correction(text, meters, &correction);
    else
        json_text_string(text, key);
}

/* No keys in a game without a terminal are what such a game always has. */
static void put_keys(struct json_text *text, const struct recording_header *header,
                     const struct json_value *keys)
{
    bool is_first = true;

    if (!keys || (!json_count(keys) && game_progressive(header->setup.game) < 0))
        return;
    PUT(text, ",\"keys\":[");
    JSON_EACH (key, keys) {
        if (!is_first)
            PUT(text, ",");
        is_first = false;
        put_key(text, &header->meters, json_chars(key));
    }
    PUT(text, "]");
}

size_t recording_mean_round(char line[MEANING_SIZE], const struct recording_header *header,
                            const struct recording_round *recorded, uint8_t *deck)
{
    struct recording_round meant = *recorded;
    struct json_text text;

    meant.round.cancelled = false; /* the keys say that */
    meant.round.deck_id = recording_deck(header, &recorded->round, deck);
    json_text_begin(&text, line, MEANING_SIZE);
    text.at += recording_write_round(line, header->setup.game, &meant) - strlen("}\n");
    put_keys(&text, header, recorded->keys);
    if (recorded->is_free)
        PUT(&text, ",\"procedure\":\"free\"");
    PUT(&text, "}");
    return text.full ? 0 : (size_t)(text.at - text.start);
}
