/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that says which card a scanner's code stands for (rigs/FORMATS.md): JSON Lines, a code a
 * line. card_map_load() gives one that was checked as a whole; the caller frees it.
 */
#ifndef DEVICES_CARDS_MAP_H
#define DEVICES_CARDS_MAP_H

#include "devices/cards/typing.h"
#include "games/card.h"
#include "hal/base/error.h"

#define CARD_MAP_MAX  4096 /* codes of a file */
#define CARD_WORD_MAX 24

/* What a code stands for. */
struct card_code {
    char code[TYPING_CODE_MAX + 1];
    card_t card;              /* CARD_NONE: a word */
    uint8_t deck;             /* 1 and on; 0: it is not told */
    char word[CARD_WORD_MAX]; /* as people would type it: "done" */
};

struct card_map;

/*
 * ERROR_CONFIG with file and line for what is no such file, a code that is there twice, and a deck
 * that lacks a card. `*map` is NULL after a failure. card_map_free() takes NULL.
 */
int card_map_load(struct card_map **map, const char *path, struct error *error);
void card_map_free(struct card_map *map);

/* Whether it says of which deck each card is. */
bool card_map_has_decks(const struct card_map *map);

/* NULL for a code that is not in the file. */
const struct card_code *card_map_find(const struct card_map *map, const char *code);

#endif
