/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards as people and scanners give them: typed texts, files of codes, keys. An input is a text
 * that each of them is given. What was read can be written and read again.
 *
 * Covers: devices/cards/typed.c devices/cards/map.c devices/cards/typing.c games/card.c
 */
#include <linux/input-event-codes.h>
#include <stdlib.h>
#include <string.h>

#include "devices/cards/map.h"
#include "devices/cards/typed.h"
#include "devices/cards/typing.h"
#include "tests/fuzz/fuzz.h"

static void type_cards(const char *text)
{
    card_t cards[DECK_SIZE], again[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    char written[3 * DECK_SIZE + 1];
    struct error error = {.text = ""};
    int count = cards_typed(text, cards, NULL, &error), decks;

    FUZZ_MUST(count >= 0 || (count == ERROR_CONFIG && error.text[0]));
    for (int i = 0; i < count; i++) {
        FUZZ_MUST(card_valid(cards[i]));
        card_format(cards[i], written + 3 * i);
        written[3 * i + 2] = ' ';
    }
    if (count > 0) {
        FUZZ_MUST(cards_parse(written, (size_t)(3 * count - 1), again, DECK_SIZE, &error) == count);
        FUZZ_MUST(!memcmp(cards, again, (size_t)count));
        written[3 * count - 1] = '\0';
        FUZZ_MUST(cards_typed(written, again, NULL, &error) == count);
        FUZZ_MUST(cards_once(cards, (size_t)count) <= (size_t)count);
    }
    count = cards_parse(text, strlen(text), again, DECK_SIZE, &error);
    FUZZ_MUST(count >= 0 || (count == ERROR_RULE && error.text[0]));
    decks = cards_typed(text, cards, backs, &error);
    for (int i = 1; i < decks; i++)
        FUZZ_MUST(!backs[i] == !backs[0]);
}

static void read_map(const struct fuzz_file *file, const char *code)
{
    struct card_map *map = NULL;
    struct error error = {.text = ""};
    int status = card_map_load(&map, file->path, &error);

    FUZZ_MUST(!status == (map != NULL));
    FUZZ_MUST(!status || (status == ERROR_CONFIG && error.text[0]));
    if (map) {
        const struct card_code *found = card_map_find(map, code);

        FUZZ_MUST(!found || found->card == CARD_NONE || card_valid(found->card));
        card_map_has_decks(map);
    }
    card_map_free(map);
}

static void press_keys(const uint8_t *data, size_t size)
{
    struct typing typing = {0};

    for (size_t i = 0; i < size; i++) {
        enum typing_result result = typing_key(&typing, data[i] & 0x7f, data[i] & 0x80);

        FUZZ_MUST(strlen(typing.code) <= TYPING_CODE_MAX);
        FUZZ_MUST(result != TYPING_CODE || typing.code[0]);
        typing_is_open(&typing);
        if (data[i] == 0xff)
            typing_lost(&typing);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input), code[TYPING_CODE_MAX + 1] = "";
    struct fuzz_file file = fuzz_file(data, size);

    type_cards(text);
    strncat(code, text, strcspn(text, ":, \n") < TYPING_CODE_MAX ? strcspn(text, ":, \n") : 0);
    read_map(&file, code);
    press_keys(data, size);
    fuzz_file_close(&file);
    free(text);
    return 0;
}

FUZZ_WORDS
