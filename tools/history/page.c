/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "rigs/history/pages/pages.h"
#include "rigs/page/markup.h"
#include "tools/history/history.h"
#include "tools/json_print.h"
#include "tools/run/folder.h"

struct options {
    struct history_options history;
    const char *output;
};

static void say(const char *folder, const struct history_pages *pages)
{
    plain_text(stdout, folder);
    printf("/index.html: %zu machine%s, %zu recording%s\n", pages->machines,
           pages->machines == 1 ? "" : "s", pages->recordings, pages->recordings == 1 ? "" : "s");
}

static void say_json(const char *folder, const struct history_pages *pages)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "folder", folder);
    json_print_integer(&print, "machines", (int64_t)pages->machines);
    json_print_integer(&print, "recordings", (int64_t)pages->recordings);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

static int run_page(const struct command *command, int argc, char **argv)
{
    struct options options = {.output = NULL};
    struct history_pages pages;
    struct store *store;
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names || !options.output)
        return command_usage_error(command, *names ? "nothing but options is expected"
                                                   : "-o DIR says where the pages go");
    status = history_store(command, &options.history, false, &store);
    if (status)
        return status;
    if (run_folder_make(options.output, &error) ||
        history_pages_write(store, options.output, &pages, &error)) {
        status = command_error(command, &error);
    } else {
        (options.history.json ? say_json : say)(options.output, &pages);
    }
    store_close(store);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {"output", 'o', "DIR", "the folder of the pages, which is made if it is not there",
     OPTION_INTO(struct options, output)},
    {.expand = history_store_rows},
    OPTIONS_END};

static const struct command page_command = {
    .name = "history page",
    .synopsis = "-o DIR [OPTION]...",
    .summary = "Make pages with pictures: the lab, each machine's life, each recording's life",
    .about = "Writes index.html, the lab at a glance, with a page for each machine and each\n"
             "recording. Each page is complete in itself and loads nothing from anywhere. Pages\n"
             "that are there are replaced, and those of what the store has no more are removed.\n"
             "'run --history-pages URL' links to them from the report.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof history page -o /srv/www/lab\n\n"
            "Exit status: 0, 2 usage, or no history there, 4 the store failed, or a page could\n"
            "not be written.\n",
    .run = run_page,
};
REGISTER(history_commands, page_command);
