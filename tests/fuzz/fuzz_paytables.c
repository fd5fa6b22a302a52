/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paytables out of a file. What is read can be looked up, passes the checks of its game, and
 * settles a recording that names it.
 *
 * Covers: rigs/recording/paytables.c games/paytable.c
 */
#include <stdio.h>
#include <stdlib.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
    return 0;
}

FUZZ_WORDS
