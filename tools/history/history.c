/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/history/history.h"

#include <stdio.h>
#include <string.h>

#include "rigs/history/store/place.h"
#include "rigs/history/store/schema.h"

REGISTRY(history_commands);

static const struct option_row common[] = {
    {"store", 0, "STORE",
     "sqlite:FILE or postgresql://USER@HOST/DATABASE (default: $DEALPROOF_STORE, or history.db in "
     "$XDG_DATA_HOME/dealproof); a password belongs into ~/.pgpass",
     OPTION_INTO(struct history_options, store)},
    {"json", 0, NULL, "as JSON, for a program", OPTION_INTO(struct history_options, json)},
    {"csv", 0, NULL, "as comma-separated values, for a spreadsheet",
     OPTION_INTO(struct history_options, csv)},
};

size_t history_rows(struct option_row *rows, size_t room)
{
    size_t count = sizeof common / sizeof common[0];

    if (count > room)
        count = room;
    memcpy(rows, common, count * sizeof *rows);
    return count;
}

/* Without --csv, which is the last. */
size_t history_store_rows(struct option_row *rows, size_t room)
{
    return history_rows(rows, room < 2 ? room : 2);
}

int history_store(const struct command *command, const struct history_options *options, bool make,
                  struct store **store)
{
    char address[STORE_ADDRESS_MAX];
    struct error error;

    if (options->json && options->csv)
        return command_usage_error(command, "--json or --csv, not both");
    if (history_place(options->store, make, address, &error) ||
        history_open(address, make, store, &error))
        return command_error(command, &error);
    return EXIT_PASS;
}

static void list_commands(void)
{
    const struct command *command;

    printf("What can be done:\n");
    for (size_t i = 0; (command = registry_at(&history_commands, i)); i++)
        options_print_item(command->name + strlen("history "), command->summary);
}

static const struct command *find(const char *name)
{
    char whole[64];

    snprintf(whole, sizeof whole, "history %s", name);
    return registry_find(&history_commands, whole);
}

static int run_history(const struct command *command, int argc, char **argv)
{
    const struct command *found = argc > 1 ? find(argv[1]) : NULL;
    struct name_list names;
    int status;

    if (found)
        return found->run(found, argc - 1, argv + 1);
    if (argc > 1 && argv[1][0] == '-' && !options_read(command, argc, argv, NULL, &status))
        return status;
    name_list_start_long(&names);
    for (size_t i = 0; (found = registry_at(&history_commands, i)); i++)
        name_list_add(&names, found->name + strlen("history "));
    return command_usage_error(command,
                               argc > 1 ? "'%s' is nothing that can be done: %s"
                                        : "%swhat is to be done? It may be told: %s",
                               argc > 1 ? argv[1] : "", name_list_text(&names));
}

static const struct option_row rows[] = {OPTIONS_END};

static const struct command history = {
    .name = "history",
    .synopsis = "COMMAND [OPTION]... [ARGUMENT]...",
    .summary = "Keep what journals tell, and say what machines did before",
    .about =
        "Keeps what journals tell in a database: SQLite in a file of this user's, or PostgreSQL\n"
        "where several benches share one. Journals stay the truth: a store is made from them, and\n"
        "can be made again. rigs/HISTORY.md says what is kept, and what a store is not.\n",
    .list = list_commands,
    .parts = &history_commands,
    .options = rows,
    .help = "Examples:\n"
            "  dealproof run --rig bench.yaml --reports friday --history evening.shoe\n"
            "  dealproof history import friday/run.journal\n"
            "  dealproof history search --serial S-1042 --since 2026-01-01\n"
            "  dealproof history show 9f2c11d0\n\n"
            "'dealproof history COMMAND --help' explains one of them, with its own exit status.\n\n"
            "Exit status: 0 it was done, and nothing speaks against a machine or a journal, 1 a\n"
            "journal was altered, two runs differ, or there is evidence against a shuffler, 2\n"
            "usage, no history there, or not what was named, 4 the store failed, or reading or\n"
            "writing did, 6 too few shuffles to say.\n",
    .run = run_history,
};
REGISTER(commands, history);
