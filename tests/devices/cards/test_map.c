/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A map file that is written piece by piece. */
struct file {
    char path[SCRATCH_PATH_SIZE];
    char *text;
    size_t length;
    struct error error;
};

static void file_open(struct file *file)
{
    memset(file, 0, sizeof *file);
    scratch_path(file->path);
    file->text = calloc(1, 1 << 20);
}

static void add(struct file *file, const char *line)
{
    file->length += (size_t)sprintf(file->text + file->length, "%s\n", line);
}

/* All cards of a deck but the first `left_out`, with codes that begin so. */
static void add_deck(struct file *file, const char *beginning, const char *more, unsigned left_out)
{
    for (unsigned i = left_out; i < DECK_SIZE; i++) {
        char line[96], card[3] = "";

        card_format(card_from_index(i), card);
        snprintf(line, sizeof line, "{\"code\":\"%s%02u\",\"card\":\"%s\"%s}", beginning, i, card,
                 more);
        add(file, line);
    }
}

static int load(struct file *file, struct card_map **map)
{
    scratch_write(file->path, file->text, file->length);
    return card_map_load(map, file->path, &file->error);
}

static void file_close(struct file *file)
{
    unlink(file->path);
    free(file->text);
}

/* The sentence after the path, which names the line where there is one. */
static void expect_refusal(struct file *file, const char *sentence)
{
    struct card_map *map;
    size_t length = strlen(file->path);

    CU_ASSERT_EQUAL(load(file, &map), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(map);
    CU_ASSERT_EQUAL(strncmp(file->error.text, file->path, length), 0);
    if (strcmp(file->error.text + length, sentence) != 0)
        printf("%s\n", file->error.text);
    CU_ASSERT_STRING_EQUAL(file->error.text + length, sentence);
    file_close(file);
}

TEST(a_code_stands_for_its_card_its_deck_or_a_word)
{
    const struct card_code *code;
    struct card_map *map;
    struct file file;

    file_open(&file);
    add_deck(&file, "B", ",\"deck\":2", 0);
    add(&file, "{\"code\":\"END\",\"word\":\"done\"}");
    add_deck(&file, "A", ",\"deck\":1", 0);
    CU_ASSERT_EQUAL_FATAL(load(&file, &map), 0);
    code = card_map_find(map, "B51");
    CU_ASSERT_PTR_NOT_NULL_FATAL(code);
    CU_ASSERT_EQUAL(code->card, card_from_index(51));
    CU_ASSERT_EQUAL(code->deck, 2);
    code = card_map_find(map, "END");
    CU_ASSERT_PTR_NOT_NULL_FATAL(code);
    CU_ASSERT_EQUAL(code->card, CARD_NONE);
    CU_ASSERT_STRING_EQUAL(code->word, "done");
    CU_ASSERT_PTR_NULL(card_map_find(map, "A52"));
    CU_ASSERT_PTR_NULL(card_map_find(map, ""));
    card_map_free(map);
    file_close(&file);
}

TEST(a_card_may_have_several_codes)
{
    struct card_map *map;
    struct file file;

    file_open(&file);
    add_deck(&file, "top", "", 0);
    add_deck(&file, "bottom", "", 0);
    CU_ASSERT_EQUAL_FATAL(load(&file, &map), 0);
    CU_ASSERT_EQUAL(card_map_find(map, "top07")->card, card_map_find(map, "bottom07")->card);
    card_map_free(map);
    file_close(&file);
}

TEST(a_code_that_is_there_twice_is_refused_with_both_lines)
{
    struct file file;

    file_open(&file);
    add_deck(&file, "", "", 0);
    add(&file, "{\"code\":\"51\",\"card\":\"2c\"}");
    add(&file, "{\"code\":\"07\",\"card\":\"2c\"}");
    expect_refusal(&file, ":53: code '51' is on line 52 already");
}

TEST(a_map_that_lacks_cards_is_refused_with_their_names)
{
    struct file file;

    file_open(&file);
    add_deck(&file, "", "", 2);
    expect_refusal(&file, ": 2 cards have no code: 2c, 3c");
    file_open(&file);
    add_deck(&file, "A", ",\"deck\":1", 0);
    add_deck(&file, "B", ",\"deck\":2", 1);
    expect_refusal(&file, ": 1 card of deck 2 has no code: 2c");
    file_open(&file);
    expect_refusal(&file, ": empty; no code is in it");
}

TEST(what_is_no_line_of_a_map_is_refused_with_its_line)
{
    static const struct {
        const char *line, *sentence;
    } cases[] = {
        {"", ":1: not valid JSON at byte 0: '[' or '{' expected near end of file"},
        {"{\"code\":\"1\",\"card\":\"1s\"}",
         ":1: '1s' is no card; write one as in \"As\" or \"Td\""},
        {"{\"code\":\"1\",\"card\":\"as\"}",
         ":1: 'as' is no card; write one as in \"As\" or \"Td\""},
        {"{\"code\":\"1\",\"card\":7}", ":1: card must be a string, not 7"},
        {"{\"card\":\"As\"}", ":1: code is missing; it must be a string"},
        {"{\"code\":\"\",\"card\":\"As\"}", ":1: a code has 1 to 64 characters, and this one 0"},
        {"{\"code\":\"1\\t2\",\"card\":\"As\"}",
         ":1: character 2 of code '1?2' is none that a scanner types"},
        {"{\"code\":\"1\"}", ":1: code '1' stands for nothing; give it a card or a word"},
        {"{\"code\":\"1\",\"card\":\"As\",\"word\":\"done\"}",
         ":1: code '1' stands for both a card and a word; give it a card or a word"},
        {"{\"code\":\"1\",\"word\":\"\"}", ":1: a word has 1 to 23 characters, as in \"done\""},
        {"{\"code\":\"1\",\"word\":\"done\",\"deck\":1}", ":1: a word is of no deck"},
        {"{\"code\":\"1\",\"card\":\"As\",\"deck\":3}", ":1: deck is 3; it must be from 1 to 2"},
        {"{\"code\":\"1\",\"card\":\"As\",\"back\":\"red\"}",
         ":1: unknown field 'back' in a line of a map; the fields are code, card, deck, word"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file;

        file_open(&file);
        add(&file, cases[i].line);
        expect_refusal(&file, cases[i].sentence);
    }
}

TEST(cards_of_a_deck_and_cards_of_none_are_not_mixed)
{
    struct file file;

    file_open(&file);
    add_deck(&file, "A", ",\"deck\":1", 0);
    add(&file, "{\"code\":\"X\",\"card\":\"2c\"}");
    expect_refusal(&file, ":53: code 'X' is of no deck, and others are; give each card its deck");
}

TEST(a_map_has_a_bound)
{
    struct file file;

    file_open(&file);
    for (unsigned i = 0; i <= CARD_MAP_MAX; i++) {
        char line[64];

        snprintf(line, sizeof line, "{\"code\":\"%u\",\"card\":\"As\"}", i);
        add(&file, line);
    }
    expect_refusal(&file, ":4097: a map has at most 4096 codes");
}

TEST(a_map_that_is_not_there_is_a_mistake_of_who_named_it)
{
    struct card_map *map;
    struct error error;

    CU_ASSERT_EQUAL(card_map_load(&map, "/nonexistent/map.jsonl", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(map);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/nonexistent/map.jsonl"));
}

TEST(the_shipped_map_is_right)
{
    struct card_map *map;
    struct error error;

    CU_ASSERT_EQUAL_FATAL(card_map_load(&map, "rigs/cards.jsonl", &error), 0);
    CU_ASSERT_EQUAL(card_map_find(map, "TD")->card, card_make(RANK_TEN, SUIT_DIAMONDS));
    CU_ASSERT_STRING_EQUAL(card_map_find(map, "DONE")->word, "done");
    card_map_free(map);
}
