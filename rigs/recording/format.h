/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings of what was dealt and played: the header and the rounds of a .shoe file, each one
 * line of JSON (rigs/FORMATS.md), as the structs of games/game.h. Nothing is guessed: an unknown
 * field, seat, wager or decision, and a value of the wrong type, is an error whose sentence names
 * it. A header points at its paytables, which must outlive it; nothing else is kept.
 */
#ifndef RIGS_RECORDING_FORMAT_H
#define RIGS_RECORDING_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/game.h"
#include "games/meter.h"
#include "hal/base/error.h"
#include "hal/base/json.h"
#include "rigs/recording/paytables.h"

#define RECORDING_SOURCE_SIZE 128

/* Keys of a round: seven winners, each after every way out and three wrong codes, and more. */
#define RECORDING_KEYS_MAX 256

struct recording_header {
    struct game_setup setup;
    uint8_t decks;        /* that take turns: 1 or 2 */
    struct meters meters; /* as the recording opens, Must Hit included where there is one */
    bool has_meters;      /* it says how they open; otherwise they are at their reseed values */
    bool has_must_hit;
    /* Of the source, cut where longer, printable; empty where it is not said. */
    char device[RECORDING_SOURCE_SIZE];
    char firmware[RECORDING_SOURCE_SIZE];
    char recorded[RECORDING_SOURCE_SIZE]; /* the date */
};

/*
 * One line of a recording. A line may hold a deck alone, as shufflers are judged by: its round then
 * has no seats, and game_settle() will say that there is nothing to settle.
 */
struct recording_round {
    struct round round;
    bool has_deck;
    bool has_before;
    card_t deck[DECK_SIZE];        /* the whole order that was dealt from, top card first */
    card_t before[DECK_SIZE];      /* the order that went into the shuffle */
    const struct json_value *keys; /* as they were pressed, the reader's; NULL: not said */
    bool is_free;                  /* they are not held against what was won */
};

static inline bool recording_is_deck(const struct recording_round *round)
{
    return round->has_deck && !round->round.seats;
}

/* Reads the first line of a recording; ERROR_CONFIG when nothing can be settled with it. */
int recording_read_header(const char *text, size_t length, const struct paytables *paytables,
                          struct recording_header *header, struct error *error);

/*
 * Reads one round. It may still break the game's rules: game_settle() says that. ERROR_RULE when
 * it is not a round of this recording.
 */
int recording_read_round(struct json_reader *reader, const char *text, size_t length,
                         const struct recording_header *header, struct recording_round *round,
                         struct error *error);

/* The same of what was noted at a table that is listened to: `round`, `bets` and `play` alone. */
int recording_read_note(struct json_reader *reader, const char *text, size_t length,
                        const struct recording_header *header, struct recording_round *round,
                        struct error *error);

/*
 * Which of two decks a round is dealt from: the one that it says, or else another than the last
 * that was dealt, `*previous` (0: none was), which is this one then unless the round is void before
 * its first card. 0 where the recording has one deck.
 */
uint8_t recording_deck(const struct recording_header *header, const struct round *round,
                       uint8_t *previous);

/* What is said of a line with nothing on it. */
#define RECORDING_EMPTY_LINE "the line is empty; remove it"
bool recording_is_empty(const char *text, size_t length);

/* What is said of a recording that is nothing but its header. */
#define RECORDING_NO_ROUND "has no round; there is nothing to check"

/* The number of a round that cannot be settled, from the whole line or just from its beginning. */
bool recording_find_number(struct json_reader *reader, const char *text, size_t length,
                           int64_t *number);

#endif
