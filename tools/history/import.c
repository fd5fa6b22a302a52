/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rigs/history/import.h"
#include "rigs/page/markup.h"
#include "rigs/recording/list.h"
#include "tools/history/history.h"
#include "tools/json_print.h"
#include "tools/run/history.h"

struct options {
    struct history_options history;
    const char *id, *host;
    bool unverified;
};

static void say_json(const char *path, const struct history_imported *imported)
{
    static const char *const words[] = {
        [HISTORY_NEW] = "new", [HISTORY_SAME] = "same", [HISTORY_LONGER] = "longer"};
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "journal", path);
    json_print_text(&print, "run", imported->id);
    json_print_text(&print, "outcome", words[imported->outcome]);
    json_print_bool(&print, "verified", imported->is_verified);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

static void say(const char *path, const struct history_imported *imported)
{
    static const char *const words[] = {[HISTORY_NEW] = "imported",
                                        [HISTORY_SAME] = "was there already",
                                        [HISTORY_LONGER] = "imported in place of its shorter self"};

    plain_text(stdout, path);
    printf(": run %s %s%s", imported->id, words[imported->outcome],
           imported->is_verified ? "" : ", marked as NOT VERIFIED");
    if (*imported->whole)
        printf(", a shard of %s", imported->whole);
    putchar('\n');
}

/* All are tried, whatever becomes of one; the worst status counts. */
static int import_all(const struct command *command, struct store *store,
                      const struct options *options, const struct recording_list *journals)
{
    const struct history_import import = {.id = options->id,
                                          .is_shared = journals->count > 1,
                                          .host = options->host,
                                          .unverified = options->unverified};
    int worst = EXIT_PASS;

    for (size_t i = 0; i < journals->count; i++) {
        struct history_imported imported;
        struct error error;
        int status = EXIT_PASS;

        if (history_import(store, journals->paths[i], &import, &imported, &error))
            status = command_error(command, &error);
        else
            (options->history.json ? say_json : say)(journals->paths[i], &imported);
        worst = status > worst ? status : worst;
    }
    return worst;
}

static int check(const struct command *command, const struct options *options)
{
    struct error error;

    if (options->id && history_check_id(options->id, &error))
        return command_usage_error(command, "--run-id: %s", error.text);
    return EXIT_PASS;
}

static int run_import(const struct command *command, int argc, char **argv)
{
    struct options options = {.id = NULL};
    struct recording_list journals;
    struct store *store;
    struct error error;
    bool is_input = false;
    int status, waited;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!*names)
        return command_usage_error(command, "no journal given");
    for (size_t i = 0; names[i]; i++)
        is_input |= !strcmp(names[i], "-");
    if (is_input && names[1])
        return command_usage_error(command,
                                   "standard input is a journal of its own, and '%s' is another",
                                   names[!strcmp(names[0], "-")]);
    if (is_input)
        journals = (struct recording_list){.paths = names, .count = 1};
    else if (recording_list_journals(names, &journals, &error))
        return command_error(command, &error);
    status = check(command, &options);
    if (!status)
        status = history_store(command, &options.history, true, &store);
    if (!status) {
        status = import_all(command, store, &options, &journals);
        waited = run_history_send(command, store, true);
        status = waited > status ? waited : status;
        store_close(store);
    }
    if (journals.paths != names)
        recording_list_free(&journals);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {.expand = history_store_rows},
    {"run-id", 0, "ID",
     "what the run is called, of a journal that has no id itself, or of all its shards (default: "
     "when the journal was written, this machine's name and the beginning of a digest; of shards "
     "their job and the beginning of one)",
     OPTION_INTO(struct options, id)},
    {"host", 0, "NAME", "the bench that the journals are from (default: this machine)",
     OPTION_INTO(struct options, host)},
    {"unverified", 0, NULL,
     "take also what stands before the first line that was altered, and mark that run for ever",
     OPTION_INTO(struct options, unverified)},
    OPTIONS_END};

static const struct command import_command = {
    .name = "history import",
    .synopsis = "[OPTION]... JOURNAL|DIR...",
    .summary = "Put journals into the history",
    .about = "Reads and verifies each journal and keeps what it tells. A DIR stands for every\n"
             "*.journal below it, '-' for standard input. The same journal again changes nothing;\n"
             "one that has grown, since its run was resumed, replaces its shorter self; another\n"
             "journal under an id that is there is refused. Each is imported whole or not at all.\n"
             "Shards of one job are put together as one run, whatever order they come in.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof history import friday/run.journal\n"
            "  dealproof history import --store postgresql://lab@server/lab /srv/runs\n"
            "  dealproof history import --run-id nightly-117 build/run/run.journal\n\n"
            "Exit status: 0 all are in the history, 1 a journal was altered, or is another than\n"
            "the one of its id, 2 usage, not a journal, or a store that cannot be used, 4 the\n"
            "store or reading failed.\n",
    .run = run_import,
};
REGISTER(history_commands, import_command);
