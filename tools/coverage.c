/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/cover/book.h"
#include "rigs/recording/files.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/recordings.h"

struct options {
    bool json, all, complete;
    bool is_input; /* the recording comes from standard input */
    const char *paytables_path;
};

/* Lines that were heard of, whether they are rounds or not. */
static uint64_t lines_of(const struct cover_book *book)
{
    uint64_t lines = book->unread;

    for (const struct cover_game *page = book->games; page; page = page->next)
        lines += page->rounds;
    return lines;
}

/* Decks without a round show nothing, and are there. */
static bool has_decks(const char *path, int stop)
{
    struct recording_file file;
    struct text_line line;
    unsigned count = 0;

    if (!strcmp(path, "-") || recording_file_open(&file, path, stop, NULL))
        return false;
    while (count < 2 && recording_file_next(&file, &line, NULL) > 0)
        count++;
    recording_file_close(&file);
    return count == 2;
}

static int read_one(struct cover_book *book, const char *path, const struct paytables *paytables,
                    int stop, struct error *error)
{
    uint64_t before = lines_of(book);
    int status = cover_book_read(book, path, paytables, stop, error);

    if (status || lines_of(book) > before || has_decks(path, stop))
        return status;
    return error_set(error, ERROR_CONFIG, "%s: " RECORDING_NO_ROUND,
                     strcmp(path, "-") ? path : "standard input");
}

static int read_all(const struct recording_list *recordings, const struct options *options,
                    struct cover_book *book, struct error *error)
{
    struct paytables *paytables = NULL;
    int status =
        options->paytables_path ? paytables_load(options->paytables_path, &paytables, error) : 0;
    int stop = status ? -1 : interrupt_descriptor(error);

    if (!status && stop < 0)
        status = error->code;
    for (size_t i = 0; i < recordings->count && !status; i++)
        status = read_one(book, recordings->paths[i], paytables, stop, error);
    if (!status && options->is_input)
        status = read_one(book, "-", paytables, stop, error);
    if (stop >= 0)
        close(stop);
    paytables_free(paytables);
    return status;
}

/* What stands there twice would be counted twice. */
static int find(const struct command *command, char *const *names,
                struct recording_list *recordings, struct error *error)
{
    int status = recordings_find(command, names, recordings, error);

    if (status)
        return status;
    status = recording_list_check_once(recordings, error);
    if (status)
        recording_list_free(recordings);
    return status;
}

static bool is_complete(const struct cover_book *book)
{
    for (const struct cover_game *page = book->games; page; page = page->next)
        if (cover_book_missed(page))
            return false;
    return true;
}

/* A line that is no round. */
static void complain(const void *context, const struct error *why)
{
    command_error(context, why);
}

static int show(const struct command *command, const struct options *options,
                const struct cover_book *book)
{
    struct cover_trace trace;
    struct error error;

    if (cover_trace_open(&trace, &error))
        return command_error(command, &error);
    if (options->json)
        cover_book_write_json(book, &trace, stdout);
    else
        cover_book_write_text(book, &trace, options->all, stdout);
    cover_trace_close(&trace);
    return command_finish(
        command, book->unread || (options->complete && !is_complete(book)) ? EXIT_FAIL : EXIT_PASS);
}

static int run_coverage(const struct command *command, int argc, char **argv)
{
    struct options options = {.json = false};
    struct recording_list recordings;
    struct cover_book book = {.complain = complain, .context = command};
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0])
        return command_usage_error(command, "no recording given");
    if (options.json && options.all)
        return command_usage_error(command, "--json has all points already; leave out --all");
    for (size_t i = 0; names[i]; i++)
        options.is_input |= !strcmp(names[i], "-");
    if (options.is_input && names[1])
        return command_usage_error(command,
                                   "standard input is a recording of its own, and '%s' is "
                                   "another",
                                   names[!strcmp(names[0], "-")]);
    if (find(command, names + options.is_input, &recordings, &error))
        return command_error(command, &error);
    status = read_all(&recordings, &options, &book, &error) ? command_error(command, &error)
                                                            : show(command, &options, &book);
    cover_book_clear(&book);
    recording_list_free(&recordings);
    return status;
}

static const struct option_row rows[] = {
    {"all", 'a', NULL, "every point, and the recording and round that first showed it",
     OPTION_INTO(struct options, all)},
    {"complete", 0, NULL, "exit with 1 unless every point was seen",
     OPTION_INTO(struct options, complete)},
    {"json", 0, NULL, "one line of JSON with all points and statements",
     OPTION_INTO(struct options, json)},
    {"paytables", 0, "FILE",
     "paytables beyond those of the sheets; their lines are no points, the rest of the round is",
     OPTION_INTO(struct options, paytables_path)},
    OPTIONS_END};

static const struct command coverage = {
    .name = "coverage",
    .synopsis = "[--all] [--complete] [--json] [--paytables FILE] SHOE|DIR...",
    .summary = "Say which rules a set of recordings exercises, and which never",
    .about =
        "Settles every round and marks what came up in it: each paying line of each table, hands\n"
        "that just qualify or just do not, ties, decisions, deals, meter events, what the rules\n"
        "refuse, and each key of the terminal in each state. Prints what was never seen, with the\n"
        "statements of games/TRACE.md that it stands for. A DIR stands for every *.shoe below it,\n"
        "'-' alone for standard input. No device is touched.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof coverage friday.shoe\n"
            "  dealproof coverage --all fixtures | grep 'round that was cancelled'\n"
            "  dealproof coverage --complete fixtures\n"
            "  dealproof generate --rounds 1000 flush-rush | dealproof coverage -\n\n"
            "'dealproof generate GAME --cover' makes recordings that show everything.\n\n"
            "Exit status: 0 read (with --complete: and nothing is missing), 1 something is "
            "missing, or\n"
            "a line is no round (it says why, and tells the rest), 2 usage, or a recording that "
            "cannot\n"
            "be used, 4 reading or writing failed, 130 interrupted.\n",
    .run = run_coverage,
};
REGISTER(commands, coverage);
