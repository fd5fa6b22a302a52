/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rigs/report/format.h"
#include "tools/options.h"
#include "tools/report/report_json.h"

struct options {
    const struct report_format *format;
    const char *output;
    bool altered;
    bool partial;
};

/* What a journal that was altered tells is shown to nobody who has not asked for that. */
static int refuse(const struct command *command, const char *journal, const struct report *report,
                  bool is_shown)
{
    bool is_one = report->journal_count == 1;
    struct error error;

    error_set(&error, ERROR_RULE, "%s%s%s%s",
              !is_one                ? ""
              : strcmp(journal, "-") ? journal
                                     : "standard input",
              is_one ? ": " : "", report->problem,
              is_shown ? "" : "; --altered shows what stands before that, marked as not trusted");
    return command_error(command, &error);
}

static int write_report(const struct command *command, const struct report *report,
                        const struct options *options, int status)
{
    struct error error;

    if (!options->output || !strcmp(options->output, "-")) {
        if (report_write(report, options->format, stdout, &error))
            status = command_error(command, &error);
        return command_finish(command, status);
    }
    if (report_save(report, options->format, options->output, &error))
        return command_error(command, &error);
    return status;
}

static int make_report(const struct command *command, char *const *journals,
                       const struct options *options)
{
    struct report *report;
    struct error error;
    int status = EXIT_PASS;

    if (options->partial && journals[1])
        return command_usage_error(command, "--partial is for one journal");
    if (options->partial ? report_read(journals[0], &report, &error)
                         : report_read_shards(journals, &report, &error))
        return command_error(command, &error);
    if (report->problem[0])
        status = refuse(command, journals[0], report, options->altered);
    if (!status || options->altered)
        status = write_report(command, report, options, status);
    report_free(report);
    return status;
}

static int run_report(const struct command *command, int argc, char **argv)
{
    struct options options = {.format = report_format_find("text")};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0])
        return command_usage_error(command, "no journal given");
    return make_report(command, names, &options);
}

static int choose_json(const struct option_row *row, char *value, void *context,
                       struct error *error)
{
    struct options *options = context;

    (void)row, (void)value, (void)error;
    options->format = &report_json;
    return 0;
}

static int read_format(const struct option_row *row, char *value, void *context,
                       struct error *error)
{
    struct options *options = context;

    (void)value, (void)error;
    options->format = report_format_find(row->name);
    return 0;
}

/* An option for each format. */
static size_t put_formats(struct option_row *rows, size_t room)
{
    const struct report_format *format;
    size_t count;

    for (count = 0; count < room && (format = report_format_at(count)); count++)
        rows[count] =
            (struct option_row){.name = format->name, .help = format->summary, .read = read_format};
    return count;
}

static const struct option_row rows[] = {
    {.expand = put_formats},
    {.name = "json",
     .help = "one JSON object, for programs: totals, checks, and the rounds that did not pass",
     .read = choose_json},
    {"output", 'o', "FILE", "write FILE, whole or not at all, instead of standard output",
     OPTION_INTO(struct options, output), .use = OPTION_WRITES},
    {"altered", 0, NULL,
     "show what stands before the first line that was altered, marked as not trusted; without this "
     "nothing of such a journal is shown",
     OPTION_INTO(struct options, altered)},
    {"partial", 0, NULL, "one shard of a run alone, marked as a part of it",
     OPTION_INTO(struct options, partial)},
    OPTIONS_END};

static const struct command report_command = {
    .name = "report",
    .synopsis = "[OPTION]... JOURNAL...",
    .summary = "Show what a journal tells: for people, for a CI server, as a page",
    .about =
        "Reads the journal of a run ('-' is standard input), also one that a crash has cut, and\n"
        "prints a report of it. Its lines are judged as 'dealproof verify' judges them: of a\n"
        "journal that was altered nothing is shown, and the exit status is 1. The journals of all\n"
        "shards of a run ('run --shard I/N') are reported as that run.\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof report evening.journal\n"
        "  dealproof report --html -o evening.html evening.journal\n"
        "  dealproof report --junit -o report.xml evening.journal\n"
        "  dealproof report shard-*.journal\n\n"
        "Exit status: 0 the report was made, whatever the run came to, 1 the journal was altered,\n"
        "2 usage, or not a journal, 4 reading or writing failed, or nobody can tell whether it "
        "was.\n",
    .run = run_report,
};
REGISTER(commands, report_command);
