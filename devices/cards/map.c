/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/json_lines.h"
#include "hal/base/names.h"

struct card_map {
    size_t count, room;
    bool has_decks;
    struct entry {
        struct card_code code;
        uint64_t line;
    } * entries; /* in the order of their codes once all are read */
};

static int by_code(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->code.code, ((const struct entry *)b)->code.code);
}

const struct card_code *card_map_find(const struct card_map *map, const char *code)
{
    struct entry wanted = {.line = 0};
    const struct entry *found;

    if (strlen(code) > TYPING_CODE_MAX)
        return NULL;
    strcpy(wanted.code.code, code);
    found = bsearch(&wanted, map->entries, map->count, sizeof *map->entries, by_code);
    return found ? &found->code : NULL;
}

bool card_map_has_decks(const struct card_map *map)
{
    return map->has_decks;
}

/* What a scanner can type: printable characters of ASCII. */
static int read_code(const struct json_value *value, struct card_code *code, struct error *error)
{
    const char *text;

    if (field_text(value, "code", &text, error))
        return error->code;
    if (!*text || strlen(text) > TYPING_CODE_MAX)
        return error_set(error, ERROR_CONFIG, "a code has 1 to %d characters, and this one %zu",
                         TYPING_CODE_MAX, strlen(text));
    for (const char *at = text; *at; at++)
        if (*at < ' ' || *at > '~')
            return error_set(error, ERROR_CONFIG,
                             "character %zu of code '%s' is none that a scanner types",
                             (size_t)(at - text) + 1, text);
    strcpy(code->code, text);
    return 0;
}

static int read_card(const struct json_value *value, struct card_code *code, struct error *error)
{
    const char *text;

    if (field_text(value, "card", &text, error))
        return error->code;
    if (strlen(text) != 2 || !card_parse(text, &code->card))
        return error_set(error, ERROR_CONFIG,
                         "'%.20s' is no card; write one as in \"As\" or \"Td\"", text);
    return 0;
}

static int read_word(const struct json_value *value, struct card_code *code, struct error *error)
{
    const char *text;

    if (field_text(value, "word", &text, error))
        return error->code;
    if (!*text || strlen(text) >= CARD_WORD_MAX)
        return error_set(error, ERROR_CONFIG, "a word has 1 to %d characters, as in \"done\"",
                         CARD_WORD_MAX - 1);
    code->card = CARD_NONE;
    strcpy(code->word, text);
    return 0;
}

static int read_entry(const struct json_value *line, struct card_code *code, struct error *error)
{
    static const char *const known[] = {"code", "card", "deck", "word", NULL};
    const struct json_value *card = json_member(line, "card"), *word = json_member(line, "word");
    const struct json_value *deck = json_member(line, "deck");
    int64_t number = 0;

    if (fields_known(line, "a line of a map", known, error) ||
        read_code(json_member(line, "code"), code, error))
        return error->code;
    if (!card == !word)
        return error_set(error, ERROR_CONFIG, "code '%s' stands for %s; give it a card or a word",
                         code->code, card ? "both a card and a word" : "nothing");
    if (deck && !card)
        return error_set(error, ERROR_CONFIG, "a word is of no deck");
    if (deck && field_number(deck, "deck", 1, DECKS_MAX, &number, error))
        return error->code;
    code->deck = (uint8_t)number;
    return card ? read_card(card, code, error) : read_word(word, code, error);
}

static int make_room(struct card_map *map, struct error *error)
{
    size_t room = map->room ? 2 * map->room : 64;
    struct entry *entries;

    if (map->count == CARD_MAP_MAX)
        return error_set(error, ERROR_CONFIG, "a map has at most %d codes", CARD_MAP_MAX);
    if (map->count < map->room)
        return 0;
    entries = realloc(map->entries, room * sizeof *entries);
    if (!entries)
        return error_set(error, ERROR_RIG, "no memory for more codes");
    map->entries = entries;
    map->room = room;
    return 0;
}

static int add_line(void *context, const struct json_value *line, uint64_t number,
                    struct error *error)
{
    struct card_map *map = context;
    struct entry *entry;

    if (make_room(map, error))
        return error->code;
    entry = &map->entries[map->count];
    *entry = (struct entry){.line = number};
    if (read_entry(line, &entry->code, error))
        return error->code;
    map->count++;
    return 0;
}

/* The line that has a code again; the file's first such line is told. */
static int check_codes(const struct card_map *map, const char *path, struct error *error)
{
    const struct entry *again = NULL, *before = NULL;

    for (size_t i = 1; i < map->count; i++) {
        const struct entry *one = &map->entries[i - 1], *two = &map->entries[i];
        const struct entry *later = one->line > two->line ? one : two;

        if (strcmp(one->code.code, two->code.code) || (again && again->line < later->line))
            continue;
        again = later;
        before = later == one ? two : one;
    }
    if (!again)
        return 0;
    error_set(error, ERROR_CONFIG, "code '%s' is on line %" PRIu64 " already", again->code.code,
              before->line);
    return json_lines_place(path, again->line, error);
}

static int say_missing(const char *path, unsigned deck, uint64_t there, struct error *error)
{
    struct name_list names;
    char of_deck[24] = "";
    unsigned count = 0;

    name_list_start(&names);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        char text[3] = "";

        if (there >> i & 1)
            continue;
        card_format(card_from_index(i), text);
        name_list_add(&names, text);
        count++;
    }
    if (deck)
        snprintf(of_deck, sizeof of_deck, " of deck %u", deck);
    return error_set(error, ERROR_CONFIG, "%s: %u card%s%s %s no code: %s", path, count,
                     count == 1 ? "" : "s", of_deck, count == 1 ? "has" : "have",
                     name_list_text(&names));
}

/* Every deck is whole, and either all cards are of a deck or none is. */
static int check_decks(struct card_map *map, const char *path, struct error *error)
{
    uint64_t there[DECKS_MAX + 1] = {0};

    for (size_t i = 0; i < map->count; i++) {
        const struct card_code *code = &map->entries[i].code;

        if (code->card == CARD_NONE)
            continue;
        there[code->deck] |= UINT64_C(1) << card_index(code->card);
        map->has_decks |= code->deck > 0;
    }
    if (map->has_decks && there[0])
        for (size_t i = 0; i < map->count; i++)
            if (map->entries[i].code.card != CARD_NONE && !map->entries[i].code.deck) {
                error_set(error, ERROR_CONFIG,
                          "code '%s' is of no deck, and others are; give each card its deck",
                          map->entries[i].code.code);
                return json_lines_place(path, map->entries[i].line, error);
            }
    for (unsigned deck = 0; deck <= DECKS_MAX; deck++)
        if ((there[deck] || (!deck && !map->has_decks)) &&
            there[deck] != (UINT64_C(1) << DECK_SIZE) - 1)
            return say_missing(path, deck, there[deck], error);
    return 0;
}

static int read_file(struct card_map *map, const char *path, struct error *error)
{
    int status = json_lines_read(path, add_line, map, error);

    if (status)
        return status;
    if (!map->count)
        return error_set(error, ERROR_CONFIG, "%s: empty; no code is in it", path);
    qsort(map->entries, map->count, sizeof *map->entries, by_code);
    status = check_codes(map, path, error);
    return status ? status : check_decks(map, path, error);
}

int card_map_load(struct card_map **map, const char *path, struct error *error)
{
    struct card_map *loaded = calloc(1, sizeof *loaded);
    struct error unheard;
    int status = loaded ? read_file(loaded, path, error ? error : &unheard)
                        : error_set(error, ERROR_RIG, "%s: out of memory", path);

    *map = status ? NULL : loaded;
    if (status)
        card_map_free(loaded);
    return status;
}

void card_map_free(struct card_map *map)
{
    if (!map)
        return;
    free(map->entries);
    free(map);
}
