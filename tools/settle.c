/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/page/markup.h"
#include "rigs/recording/compare.h"
#include "rigs/recording/paytables.h"
#include "rigs/recording/settle.h"
#include "rigs/rig/rig.h"
#include "rigs/run/table.h"
#include "tools/interrupt.h"
#include "tools/jobs.h"
#include "tools/json_print.h"
#include "tools/options.h"
#include "tools/output.h"
#include "tools/recordings.h"

_Static_assert(JOBS_MAX <= SETTLE_JOBS_MAX, "every number of jobs can be had");

struct options {
    const char *name; /* of the command */
    bool check, json;
    unsigned jobs;
    const char *paytables_path;
    struct paytables *paytables;
    const char *rig_path;
    struct rig *rig; /* NULL: none is named */
    struct settle_table table;
    int stop;
};

static int write_lines(void *context, const char *lines, size_t length, struct error *error)
{
    const struct options *options = context;

    return output_write(STDOUT_FILENO, options->stop, lines, length, error);
}

/* An error of writing is left to the next write to standard output, which reports it. */
static void print_complaint(void *context, const char *sentence)
{
    const struct options *options = context;
    char line[COMMAND_ERROR_SIZE];
    size_t length = options->json ? command_json_error(options->name, sentence, EXIT_FAIL, line)
                                  : (size_t)snprintf(line, COMMAND_MESSAGE_SIZE, "%s\n", sentence);

    output_write(STDERR_FILENO, options->stop, line, length, NULL);
}

static int settle_one(const struct command *command, struct options *options, const char *path)
{
    struct recording_file file;
    struct settle_job job = {.input = &file,
                             .jobs = options->jobs,
                             .paytables = options->paytables,
                             .table = options->rig ? &options->table : NULL,
                             .context = options,
                             .write = write_lines,
                             .complain = print_complaint};
    struct settle_count count;
    struct error error;
    int status;

    if (recording_file_open(&file, path, options->stop, &error))
        return command_error(command, &error);
    status = settle_run(&job, &count, &error);
    if (!status && !count.rounds)
        status = error_set(&error, ERROR_CONFIG, "%s: " RECORDING_NO_ROUND, file.name);
    recording_file_close(&file);
    if (status < 0)
        return command_error(command, &error);
    return count.errors ? EXIT_FAIL : EXIT_PASS;
}

/* What a file's name or a value holds that is not for a terminal; the new length, or -1. */
static int make_plain(char **line)
{
    char *plain = NULL;
    size_t size;
    FILE *out = open_memstream(&plain, &size);

    (*line)[strcspn(*line, "\n")] = '\0';
    if (out) {
        plain_text(out, *line);
        putc('\n', out);
    }
    free(*line);
    *line = NULL;
    if (!out || fclose(out)) {
        free(plain);
        return -1;
    }
    *line = plain;
    return (int)size;
}

/* Prints one line of a check's result; EXIT_PASS, or the status of an output that failed. */
static int __attribute__((format(printf, 3, 4)))
say(const struct command *command, const struct options *options, const char *format, ...)
{
    va_list arguments;
    struct error error;
    char *line;
    int length, status;

    va_start(arguments, format);
    length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length >= 0)
        length = make_plain(&line);
    if (length < 0) {
        error_set(&error, ERROR_RIG, "out of memory");
        return command_error(command, &error);
    }
    status = output_write(STDOUT_FILENO, options->stop, line, (size_t)length, &error);
    free(line);
    return status < 0 ? command_error(command, &error) : EXIT_PASS;
}

static int say_comparison(const struct command *command, const struct options *options,
                          const char *path, const struct compare_result *result)
{
    const char *plural = result->rounds == 1 ? "" : "s";
    char difference[EXPECT_TEXT_SIZE];
    int status;

    if (!result->differing)
        return say(command, options, "ok %s (%ju round%s)\n", path, (uintmax_t)result->rounds,
                   plural);
    status = say(command, options, "FAILED %s: %ju of %ju round%s differ%s\n", path,
                 (uintmax_t)result->differing, (uintmax_t)result->rounds, plural,
                 result->differing == 1 ? "s" : "");
    for (size_t i = 0; i < result->shown && !status; i++)
        status =
            say(command, options, "  %s\n", expect_describe(&result->differences[i], difference));
    return status ? status : EXIT_FAIL;
}

/* The line is put together first, so that a pipe gets whole ones. */
static int say_json(const struct command *command, const struct options *options, const char *path,
                    const struct compare_result *result)
{
    char difference[EXPECT_TEXT_SIZE], *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    struct json_print print = {.out = out};
    struct error error;
    int status;

    if (!out)
        return command_error(command, &(struct error){.code = ERROR_RIG, .text = "out of memory"});
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "recording", path);
    json_print_bool(&print, "passed", !result->differing);
    json_print_integer(&print, "rounds", (int64_t)result->rounds);
    json_print_integer(&print, "differing", (int64_t)result->differing);
    json_print_open(&print, "differences", "[]");
    for (size_t i = 0; i < result->shown; i++)
        json_print_text(&print, NULL, expect_describe(&result->differences[i], difference));
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    json_print_end(&print);
    if (fclose(out))
        error_set(&error, status = ERROR_RIG, "out of memory");
    else
        status = output_write(STDOUT_FILENO, options->stop, line, size, &error);
    free(line);
    if (status)
        return command_error(command, &error);
    return result->differing ? EXIT_FAIL : EXIT_PASS;
}

static int check_one(const struct command *command, const struct options *options, const char *path)
{
    struct compare_result result;
    struct error error;

    if (compare_recording(path, options->paytables, options->rig ? &options->table : NULL,
                          options->jobs, options->stop, &result, &error))
        return command_error(command, &error);
    return (options->json ? say_json : say_comparison)(command, options, path, &result);
}

/* The highest exit status of all recordings: one that cannot be checked outdoes one that differs.
 */
static int check_all(const struct command *command, const struct options *options, char **names)
{
    struct recording_list recordings;
    struct error error;
    size_t failed = 0;
    int worst = EXIT_PASS;

    if (recordings_find(command, names, &recordings, &error))
        return command_error(command, &error);
    for (size_t i = 0; i < recordings.count && worst < EXIT_RIG; i++) {
        int status = check_one(command, options, recordings.paths[i]);

        failed += status != EXIT_PASS;
        worst = status > worst ? status : worst;
    }
    if (worst < EXIT_RIG) {
        int status =
            say(command, options,
                options->json ? "{\"passed\":%zu,\"failed\":%zu}\n" : "%zu passed, %zu failed\n",
                recordings.count - failed, failed);

        worst = status ? status : worst;
    }
    recording_list_free(&recordings);
    return worst;
}

/* Limits, meters and Must Hit of the rig, as a run on it has them. */
static int lay_table(const void *rig, struct recording_header *header, struct error *error)
{
    return run_table_lay(rig, header, error);
}

/* The rig, if one is named, and the paytables: those that are named, or the rig's. */
static int load(struct options *options, struct error *error)
{
    int status = options->rig_path ? rig_load(&options->rig, options->rig_path, error) : 0;

    options->table = (struct settle_table){.context = options->rig,
                                           .seats = options->rig ? options->rig->seats : 0,
                                           .apply = lay_table};
    if (!status && options->paytables_path)
        return paytables_load(options->paytables_path, &options->paytables, error);
    return status || !options->rig ? status
                                   : rig_paytables(options->rig, &options->paytables, error);
}

static int run_with(const struct command *command, struct options *options, char **names)
{
    struct error error;
    int status;

    if (load(options, &error)) {
        rig_free(options->rig);
        return command_error(command, &error);
    }
    options->stop = interrupt_descriptor(&error);
    if (options->stop < 0) {
        status = command_error(command, &error);
    } else {
        status = options->check ? check_all(command, options, names)
                                : settle_one(command, options, names[0]);
        close(options->stop);
    }
    paytables_free(options->paytables);
    rig_free(options->rig);
    return status;
}

static int run_settle(const struct command *command, int argc, char **argv)
{
    struct options options = {.name = command->name, .jobs = jobs_default(), .stop = -1};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0])
        return command_usage_error(command, "no recording given");
    for (size_t i = 0; options.check && names[i]; i++)
        if (!strcmp(names[i], "-"))
            return command_usage_error(command, "--check needs files: beside standard input there "
                                                "is no .expect");
    if (!options.check && names[1])
        return command_usage_error(command, "one recording at a time, and '%s' is the second",
                                   names[1]);
    return run_with(command, &options, names);
}

static const struct option_row rows[] = {
    {"check", 0, NULL,
     "compare each recording with the .expect file beside it; a DIR stands for every *.shoe below "
     "it",
     OPTION_INTO(struct options, check)},
    {"json", 0, NULL,
     "with --check: a line of JSON for each recording, and one with the totals; without it results "
     "are JSON anyway, and errors are so too",
     OPTION_INTO(struct options, json)},
    {"paytables", 0, "FILE", "paytables beyond those of the sheets, one a line",
     OPTION_INTO(struct options, paytables_path)},
    {"rig", 0, "FILE",
     "the rig whose table limits, opening meters, Must Hit and paytables hold; no device is "
     "touched",
     OPTION_INTO(struct options, rig_path)},
    {"jobs", 'j', "N", JOBS_HELP, OPTION_INTO(struct options, jobs), 1, JOBS_MAX},
    OPTIONS_END};

static const struct command settle = {
    .name = "settle",
    .synopsis = "[--rig FILE] [--paytables FILE] [--jobs N] SHOE\n"
                "       dealproof settle --check [--json] [--rig FILE] [--paytables FILE]\n"
                "                        [--jobs N] SHOE|DIR...",
    .summary = "Say what the rules make of a recording, without devices",
    .about =
        "Reads the rounds of SHOE ('-' is standard input) and prints one line of JSON for each:\n"
        "cards, hands, what every wager wins or loses, jackpots, and the meters after the round.\n"
        "A round that cannot be settled prints {\"round\":N,\"error\":\"...\"}, the reason goes "
        "to\n"
        "standard error as FILE:LINE, and the rest goes on.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof settle evening.shoe > evening.expect\n"
            "  zcat evening.shoe.gz | dealproof settle - | jq .seats\n"
            "  dealproof settle --check fixtures\n\n"
            "Exit status: 0 all settled (with --check: all as expected), 1 some round was not,\n"
            "2 usage, or a recording that cannot be used at all, 4 reading or writing failed,\n"
            "130 interrupted; every line printed until then is whole.\n",
    .run = run_settle,
};
REGISTER(commands, settle);
