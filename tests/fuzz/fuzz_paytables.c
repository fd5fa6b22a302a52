/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paytables out of a file. What is read can be looked up, passes the checks of its game, and
 * settles a recording that names it. With a '#' before it an input is a table as it may be built
 * in, which is taken or refused with a sentence.
 *
 * Covers: rigs/recording/paytables.c games/paytable.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "rigs/recording/format.h"
#include "rigs/recording/paytables.h"
#include "tests/fuzz/fuzz.h"

static void use(const struct paytables *set, const struct game *game, unsigned wager)
{
    const struct paytable *table;
    struct error error;

    for (size_t i = 0; (table = paytables_at(set, game, wager, i)); i++) {
        FUZZ_MUST(paytables_find(set, game, wager, table->name) == table);
        FUZZ_MUST(!game_check_table(game, wager, table, &error));
        for (unsigned lines = 0; lines < 64; lines++)
            FUZZ_MUST(paytable_line(table, (lines_t)lines) < 64);
    }
}

static void check_built_in(struct fuzz_input *input)
{
    static const char *const names[] = {"flush", "straight", "pair", "", NULL};
    uint8_t line_count = fuzz_byte(input), table_count = fuzz_byte(input) % 3;
    bool is_progressive = fuzz_byte(input) & 1;
    struct line lines[LINES_MAX + 1] = {{.name = NULL}};
    struct paytable tables[2] = {{.name = ""}};
    struct error error = {.text = ""};

    line_count %= LINES_MAX + 2;
    for (unsigned i = 0; i < line_count; i++)
        lines[i] = (struct line){names[fuzz_byte(input) % 5], fuzz_byte(input) % 4};
    for (unsigned i = 0; i < table_count; i++) {
        memset(tables[i].name, fuzz_byte(input), 1u + fuzz_byte(input) % TABLE_NAME_MAX);
        for (unsigned j = 0; j < LINES_MAX; j++)
            tables[i].pays[j] =
                (struct pay){(enum pay_kind)(fuzz_byte(input) % 5), (int8_t)fuzz_byte(input)};
    }
    if (paytables_check("it", lines, line_count, tables, table_count, is_progressive, &error))
        FUZZ_MUST(error.code == ERROR_CONFIG && error.text[0]);
}

static void read_file(const uint8_t *data, size_t size)
{
    struct fuzz_file file = fuzz_file(data, size);
    struct paytables *set = NULL;
    struct error error = {.text = ""};
    const struct game *game;
    int status = paytables_load(file.path, &set, &error);

    FUZZ_MUST(status ? status == ERROR_CONFIG && error.text[0] : set != NULL);
    for (size_t i = 0; !status && (game = game_at(i)); i++)
        for (unsigned wager = 0; wager < game->wager_count; wager++)
            use(set, game, wager);
    if (!status)
        paytables_free(set);
    fuzz_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == '#')
        check_built_in(&(struct fuzz_input){data + 1, size - 1});
    else
        read_file(data, size);
    return 0;
}

FUZZ_WORDS
