/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/recording/expect.h"
#include "rigs/recording/files.h"
#include "rigs/recording/view.h"
#include "tools/interrupt.h"
#include "tools/json_print.h"
#include "tools/options.h"

struct options {
    uint64_t round; /* 0: all of them */
    const char *paytables_path;
    bool json;
    struct view_options view;
};

struct viewing {
    const struct options *options;
    struct recording_file file;
    struct recording_header header;
    struct json_reader *json;
    uint64_t lines, shown, refused; /* all of those after the header */
};

static bool is_wanted(const struct viewing *viewing, bool is_numbered, int64_t number)
{
    uint64_t wanted = viewing->options->round;

    return !wanted || (is_numbered && (uint64_t)number == wanted);
}

/* The line as it was recorded, and what the rules make of it; NULL: nothing is settled. */
static void show_json(const struct text_line *line, const char *settled, size_t length)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_integer(&print, "line", (int64_t)line->number);
    json_print_raw(&print, "recorded", line->text, line->length);
    if (settled)
        json_print_raw(&print, "settled", settled, length - 1);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

/* A line that is no JSON is told in the sentence alone. */
static void refuse_json(struct viewing *viewing, const struct text_line *line,
                        const int64_t *number, const char *why)
{
    char settled[EXPECT_LINE_SIZE];
    size_t length = expect_write_error(settled, number, why);
    struct text_line shown = *line;

    if (!json_read(viewing->json, line->text, line->length, NULL)) {
        shown.text = "null";
        shown.length = strlen("null");
    }
    show_json(&shown, settled, length);
}

static void settle_json(const struct viewing *viewing, const struct text_line *line,
                        const struct settlement *settlement)
{
    char settled[EXPECT_LINE_SIZE];
    size_t length =
        expect_write(settled, viewing->header.setup.game, settlement, &viewing->header.meters);

    show_json(line, settled, length);
}

static void show_line(struct viewing *viewing, const struct text_line *line)
{
    struct recording_header *header = &viewing->header;
    struct recording_round round;
    struct settlement settlement;
    struct error why;
    int64_t number = 0;
    int status =
        recording_read_round(viewing->json, line->text, line->length, header, &round, &why);
    bool is_numbered = !status;

    if (!status && recording_is_deck(&round)) {
        if (is_wanted(viewing, true, round.round.number)) {
            if (viewing->options->json)
                show_json(line, NULL, 0);
            else
                view_deck(&round, &viewing->options->view, stdout);
            viewing->shown++;
        }
        return;
    }
    if (!status) {
        number = round.round.number;
        status = game_settle(&header->setup, &round.round, &settlement, &why);
    } else {
        is_numbered = recording_find_number(viewing->json, line->text, line->length, &number);
    }
    if (!status)
        status =
            game_settle_meters(&header->setup, &round.round, &header->meters, &settlement, &why);
    viewing->refused += status != 0;
    if (!is_wanted(viewing, is_numbered, number))
        return;
    viewing->shown++;
    if (viewing->options->json && status)
        refuse_json(viewing, line, is_numbered ? &number : NULL, why.text);
    else if (viewing->options->json)
        settle_json(viewing, line, &settlement);
    else if (status)
        view_refused(is_numbered ? &number : NULL, why.text, &viewing->options->view, stdout);
    else
        view_round(header, &round, &settlement, &viewing->options->view, stdout);
}

static int show_file(struct viewing *viewing, const struct paytables *paytables,
                     struct error *error)
{
    struct text_line line;
    int status = recording_file_next(&viewing->file, &line, error);

    if (!status)
        return error_set(error, ERROR_CONFIG, "%s: is empty; a recording begins with its header",
                         viewing->file.name);
    if (status < 0)
        return status;
    status = recording_read_header(line.text, line.length, paytables, &viewing->header, error);
    if (status) {
        error_prefix(error, "%s:1", viewing->file.name);
        return status;
    }
    if (viewing->options->json)
        show_json(&line, NULL, 0);
    else
        view_header(&viewing->header, json_read(viewing->json, line.text, line.length, NULL),
                    &viewing->options->view, stdout);
    while ((status = recording_file_next(&viewing->file, &line, error)) > 0 && !ferror(stdout)) {
        viewing->lines++;
        show_line(viewing, &line);
    }
    if (!status && !viewing->lines)
        return error_set(error, ERROR_CONFIG, "%s: " RECORDING_NO_ROUND, viewing->file.name);
    if (!status && viewing->options->round && !viewing->shown)
        return error_set(error, ERROR_CONFIG, "%s: has no round %ju", viewing->file.name,
                         (uintmax_t)viewing->options->round);
    return status < 0 ? status : 0;
}

static int view_file(const struct command *command, const struct options *options, const char *path)
{
    struct viewing viewing = {.options = options, .json = json_reader_new(JSON_LONGEST)};
    struct paytables *paytables = NULL;
    struct error error;
    int status = viewing.json ? 0 : error_set(&error, ERROR_RIG, "out of memory");
    int stop = status ? -1 : interrupt_descriptor(&error);

    if (!status && stop < 0)
        status = error.code;
    if (!status && options->paytables_path)
        status = paytables_load(options->paytables_path, &paytables, &error);
    if (!status)
        status = recording_file_open(&viewing.file, path, stop, &error);
    if (!status) {
        status = show_file(&viewing, paytables, &error);
        recording_file_close(&viewing.file);
    }
    if (stop >= 0)
        close(stop);
    paytables_free(paytables);
    json_reader_free(viewing.json);
    if (status) {
        command_finish(command, EXIT_PASS);
        return command_error(command, &error);
    }
    return command_finish(command, viewing.refused ? EXIT_FAIL : EXIT_PASS);
}

/* On a terminal that knows it, and whose owner has not asked for none. */
static bool has_color(void)
{
    const char *kind = getenv("TERM"), *none = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) && kind && strcmp(kind, "dumb") != 0 && !(none && *none);
}

static int run_view(const struct command *command, int argc, char **argv)
{
    struct options options = {.view = {.color = has_color()}};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0])
        return command_usage_error(command, "no recording given");
    if (names[1])
        return command_usage_error(command, "one recording at a time, and '%s' is the second",
                                   names[1]);
    return view_file(command, &options, names[0]);
}

static const struct option_row rows[] = {{"round", 'r', "N", "only the round with that number",
                                          OPTION_INTO(struct options, round), 1, INT64_MAX},
                                         {"paytables", 0, "FILE",
                                          "paytables beyond those of the sheets, one a line",
                                          OPTION_INTO(struct options, paytables_path)},
                                         {"json", 0, NULL,
                                          "a line of JSON for each line of the recording: what was "
                                          "recorded, and what the rules make of it",
                                          OPTION_INTO(struct options, json)},
                                         OPTIONS_END};

static const struct command view = {
    .name = "view",
    .synopsis = "[--round N] [--paytables FILE] [--json] SHOE",
    .summary = "Show a recording as a table with its cards, for people",
    .about =
        "Prints what the header of SHOE ('-' is standard input) states of the table, then each\n"
        "round: burned cards, board, dealer, and of each seat the cards, the hand, every stake\n"
        "that was placed with what it won or lost, what each wager came to that a decision made\n"
        "(its stake follows from that), a Must Hit award, the decisions and the sum; keys where\n"
        "they were recorded, jackpots, and the meters after the round.\n"
        "Colours are for terminals; NO_COLOR leaves them out.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof view evening.shoe | less\n"
            "  dealproof view --round 12 evening.shoe\n\n"
            "Exit status: 0 all rounds were settled, 1 some cannot be (it says why), 2 usage, a\n"
            "recording that cannot be used or has no such round, 4 reading or writing failed,\n"
            "130 interrupted.\n",
    .run = run_view,
};
REGISTER(commands, view);
