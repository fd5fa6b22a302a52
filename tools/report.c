#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "rigs/report/report.h"
#include "tools/command.h"

static int run_report(const struct command *command, int argc, char **argv);

static const struct command report_command = {
    .name = "report",
    .synopsis = "[--text|--junit|--html] [-o FILE] JOURNAL",
    .summary = "Show what a journal tells: for people, for a CI server, as a page",
    .help =
        "Reads the journal of a run ('-' is standard input), also one that a crash has cut, and\n"
        "prints a report of it. A journal that was altered is reported up to there and not\n"
        "trusted: the exit status is 1, and 'dealproof verify' says more.\n\n"
        "  --text         a summary that fits a screen (the default)\n"
        "  --junit        JUnit XML, as Jenkins and GitLab read it: a suite for each recording,\n"
        "                 a case for each round\n"
        "  --html         one page that needs nothing else: rounds with their cards, differences\n"
        "                 with what each witness says, meters, timings, filters, and the shuffles\n"
        "                 that a device made itself\n"
        "  -o, --output FILE  write FILE, whole or not at all, instead of standard output\n"
        "  --help         this text\n\n"
        "Examples:\n"
        "  dealproof report evening.journal\n"
        "  dealproof report --html -o evening.html evening.journal\n"
        "  dealproof report --junit -o report.xml evening.journal\n\n"
        "Exit status: 0 the report was made, whatever the run came to, 1 the journal was altered,\n"
        "2 usage, or not a journal, 4 reading or writing failed.\n",
    .run = run_report,
};
REGISTER(commands, report_command);

static int make_report(const struct command *command, const char *journal,
                       enum report_format format, const char *output)
{
    struct report *report;
    struct error error;
    int status = EXIT_PASS;

    if (report_read(journal, &report, &error))
        return command_error(command, &error);
    if (report->problem[0]) {
        error_set(&error, ERROR_RULE, "%s: %s", journal, report->problem);
        status = command_error(command, &error);
    }
    if (!output) {
        report_write(report, format, stdout);
        status = command_finish(command, status);
    } else if (report_save(report, format, output, &error)) {
        status = command_error(command, &error);
    }
    report_free(report);
    return status;
}

enum { OPTION_TEXT = 256, OPTION_JUNIT, OPTION_HTML };

static int run_report(const struct command *command, int argc, char **argv)
{
    static const struct option known[] = {
        {"help", no_argument, NULL, 'h'},         {"output", required_argument, NULL, 'o'},
        {"text", no_argument, NULL, OPTION_TEXT}, {"junit", no_argument, NULL, OPTION_JUNIT},
        {"html", no_argument, NULL, OPTION_HTML}, {NULL, 0, NULL, 0}};
    enum report_format format = REPORT_TEXT;
    const char *output = NULL;
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":ho:", known, NULL)) != -1)
        switch (option) {
        case 'h':
            command_help(command);
            return command_finish(command, EXIT_PASS);
        case 'o':
            output = strcmp(optarg, "-") ? optarg : NULL;
            break;
        case OPTION_TEXT:
        case OPTION_JUNIT:
        case OPTION_HTML:
            format = (enum report_format)(option - OPTION_TEXT);
            break;
        case ':':
            return command_usage_error(command, "%s needs a value", argv[optind - 1]);
        default:
            return command_usage_error(command, "unknown option '%s'", argv[optind - 1]);
        }
    if (optind + 1 != argc)
        return command_usage_error(command,
                                   optind == argc ? "no journal given" : "one journal at a time");
    return make_report(command, argv[optind], format, output);
}
