#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/json_pool.h"
#include "rigs/lines.h"
#include "rigs/recordings.h"
#include "rigs/shuffles.h"
#include "rigs/shuffles_read.h"
#include "tools/command.h"
#include "tools/shuffles_show.h"

static int run_shuffles(const struct command *command, int argc, char **argv);

static const struct command shuffles_command = {
    .name = "shuffles",
    .synopsis = "[--alpha A] [--json] SHOE|DIR...",
    .summary = "Judge a shuffler by the orders it dealt",
    .help =
        "Reads the orders of one shuffler from recordings ('-' is standard input, a DIR stands "
        "for\n"
        "every *.shoe below it) and tests them against a uniform shuffle: where cards lie, which\n"
        "neighbours they have, how they moved from the order that went in, what could be guessed,\n"
        "what came again, and how often hands are paid. Where a round has no \"deck\" the cards\n"
        "dealt before any decision are used; where it has no \"before\" the order dealt before it\n"
        "stands for what went in. Each test says what it could use and what it would catch.\n\n"
        "  --alpha A         significance, declared beforehand (default 0.01); Holm's correction\n"
        "                    keeps it for all tests together\n"
        "  --json            one JSON object with all results, histograms and counts\n"
        "  --paytables FILE  paytables that the recordings name\n"
        "  -h, --help        this text\n\n"
        "Examples:\n"
        "  dealproof shuffles evening.shoe\n"
        "  zcat week-*.shoe.gz | dealproof shuffles --alpha 0.05 -\n"
        "  dealproof shuffles --json evening.shoe | jq '.tests[] | [.test, .p, .verdict]'\n\n"
        "Exit status: 0 no evidence against the shuffler, 1 evidence against it, 2 usage, or a\n"
        "recording that cannot be used, 4 reading or writing failed, 6 too few shuffles to say.\n",
    .run = run_shuffles,
};
COMMAND(shuffles_command);

struct options {
    double alpha;
    bool json;
    const char *paytables_path;
};

enum { OPTION_HELP = 'h', OPTION_ALPHA = 256, OPTION_JSON, OPTION_PAYTABLES };

static int read_alpha(const struct command *command, const char *text, double *alpha)
{
    char *end;

    *alpha = strtod(text, &end);
    if (end == text || *end || !(*alpha > 0 && *alpha < 1))
        return command_usage_error(command, "--alpha is '%s'; it must be between 0 and 1", text);
    return EXIT_PASS;
}

/* EXIT_PASS to go on, or a status; *done after --help. */
static int read_options(const struct command *command, int argc, char **argv,
                        struct options *options, bool *done)
{
    static const struct option known[] = {{"help", no_argument, NULL, OPTION_HELP},
                                          {"alpha", required_argument, NULL, OPTION_ALPHA},
                                          {"json", no_argument, NULL, OPTION_JSON},
                                          {"paytables", required_argument, NULL, OPTION_PAYTABLES},
                                          {NULL, 0, NULL, 0}};
    int option, status = EXIT_PASS;

    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, ":h", known, NULL)) != -1)
        switch (option) {
        case OPTION_HELP:
            command_help(command);
            *done = true;
            return command_finish(command, EXIT_PASS);
        case OPTION_ALPHA:
            status = read_alpha(command, optarg, &options->alpha);
            break;
        case OPTION_JSON:
            options->json = true;
            break;
        case OPTION_PAYTABLES:
            options->paytables_path = optarg;
            break;
        case ':':
            return command_usage_error(command, "option '%s' needs a value", argv[optind - 1]);
        default:
            return command_usage_error(command, "unknown option '%s'", argv[optind - 1]);
        }
    return status;
}

static int read_one(struct shuffles_reader *reader, const char *path, struct error *error)
{
    int input = lines_open(path, error), status;

    if (input < 0)
        return input;
    status = shuffles_read(reader, input, strcmp(path, "-") ? path : "standard input", error);
    close(input);
    return status;
}

/* Standard input is a recording by itself; everything else may be a directory full of them. */
static int read_named(struct shuffles_reader *reader, char *name, struct error *error)
{
    char *const names[] = {name, NULL};
    struct recordings recordings;
    int status;

    if (!strcmp(name, "-"))
        return read_one(reader, name, error);
    status = recordings_find(names, &recordings, error);
    if (status)
        return status;
    for (size_t i = 0; i < recordings.count && !status; i++)
        status = read_one(reader, recordings.paths[i], error);
    recordings_free(&recordings);
    return status;
}

static int status_of(enum shuffles_verdict verdict)
{
    if (verdict == SHUFFLES_EVIDENCE)
        return EXIT_FAIL;
    return verdict == SHUFFLES_TOO_FEW ? EXIT_TOO_FEW : EXIT_PASS;
}

static int judge(const struct command *command, const struct options *options,
                 const struct shuffles_reader *reader)
{
    const struct shuffles_origin origin = {reader->device, reader->firmware};
    struct shuffles_report report;
    struct error error;

    shuffles_judge(reader->shuffles, options->alpha, &report);
    if (!options->json)
        shuffles_show(&report, &origin);
    else if (shuffles_show_json(reader->shuffles, &report, &origin, &error))
        return command_error(command, &error);
    return command_finish(command, status_of(report.verdict));
}

static int read_and_judge(const struct command *command, const struct options *options,
                          char **names)
{
    struct shuffles_reader reader = {.shuffles = shuffles_new(), .stop = -1};
    struct paytables *paytables = NULL;
    struct error error;
    int status = 0;

    json_pool_install();
    if (!reader.shuffles)
        status = error_set(&error, ERROR_RIG, "no memory to count in");
    if (!status && options->paytables_path)
        status = paytables_load(options->paytables_path, &paytables, &error);
    reader.paytables = paytables;
    for (; !status && *names; names++)
        status = read_named(&reader, *names, &error);
    status = status ? command_error(command, &error) : judge(command, options, &reader);
    paytables_free(paytables);
    shuffles_free(reader.shuffles);
    return status;
}

static int run_shuffles(const struct command *command, int argc, char **argv)
{
    struct options options = {.alpha = SHUFFLES_ALPHA};
    bool done = false;
    int status = read_options(command, argc, argv, &options, &done);

    if (status || done)
        return status;
    if (optind == argc)
        return command_usage_error(command, "no recording given");
    return read_and_judge(command, &options, argv + optind);
}
