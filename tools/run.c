#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/recording/paytables.h"
#include "rigs/recording/recordings.h"
#include "rigs/recording/survey.h"
#include "rigs/rig/rig.h"
#include "tools/command.h"
#include "tools/number.h"
#include "tools/run_crew.h"
#include "tools/run_reports.h"
#include "tools/run_show.h"

static int run_run(const struct command *command, int argc, char **argv);

static const struct command run = {
    .name = "run",
    .synopsis = "[OPTION]... SHOE|DIR...\n       dealproof run --list-checks",
    .summary = "Replay recordings through the rig and check everything",
    .help =
        "Plays each recording round by round through the devices of the rig and checks what they\n"
        "do against the recording, its .expect file and the rules. A DIR stands for every *.shoe\n"
        "below it. Without --rig all devices are emulated, in virtual time.\n\n"
        "  --rig FILE       the bench to run on\n"
        "  --journal FILE   write everything that happens to a new file\n"
        "  --reports DIR    leave a page, JUnit XML, a text and the journal in DIR, also after\n"
        "                   failures and Ctrl-C; files that are there already are not touched\n"
        "  --filter TEXT    only recordings with TEXT in their path or the name of their game,\n"
        "                   in capitals or not; they are always played whole, since the meters\n"
        "                   of a round come from the rounds before it\n"
        "  --fail-fast      stop after the first round that does not pass\n"
        "  --repeat N       play all recordings N times\n"
        "  --seed N         of emulated devices and injected faults (default 1)\n"
        "  --jobs N         benches side by side, on emulated rigs without a capture only\n"
        "  --json           one line of JSON for each round and for the whole\n"
        "  --quiet          only the exit status, and what keeps the run from starting\n"
        "  --verbose        say every recording, also those that pass\n"
        "  --list-checks    the checks, their rules and where those are written\n"
        "  --help           this text\n\n"
        "Recordings that cannot be used, such as one without its .expect or without a round, are\n"
        "all named before anything is played, and then nothing is. A recording that no device of\n"
        "the rig deals like is skipped; when all are, the run ends as one whose bench failed. On\n"
        "a terminal there is a bar, and colour unless NO_COLOR is set.\n\n"
        "Examples:\n"
        "  dealproof run fixtures\n"
        "  dealproof run --filter stax --fail-fast fixtures\n"
        "  dealproof run --rig rigs/bench-usb.yaml --reports friday evening.shoe\n"
        "  dealproof run --list-checks\n\n"
        "Exit status: 0 all rounds passed, 1 some failed, 2 usage or configuration, 3 a device\n"
        "failed, 4 the bench failed, 5 a device did not answer in time, 130 interrupted: the\n"
        "round that was being played is finished first; interrupt again to cut it short.\n",
    .run = run_run,
};
REGISTER(commands, run);

enum {
    OPTION_HELP = 'h',
    OPTION_JOBS = 'j',
    OPTION_QUIET = 'q',
    OPTION_VERBOSE = 'v',
    OPTION_RIG = 256,
    OPTION_JOURNAL,
    OPTION_REPORTS,
    OPTION_FILTER,
    OPTION_FAIL_FAST,
    OPTION_REPEAT,
    OPTION_SEED,
    OPTION_JSON,
    OPTION_LIST_CHECKS
};

static const struct option known[] = {{"help", no_argument, NULL, OPTION_HELP},
                                      {"rig", required_argument, NULL, OPTION_RIG},
                                      {"journal", required_argument, NULL, OPTION_JOURNAL},
                                      {"reports", required_argument, NULL, OPTION_REPORTS},
                                      {"filter", required_argument, NULL, OPTION_FILTER},
                                      {"fail-fast", no_argument, NULL, OPTION_FAIL_FAST},
                                      {"repeat", required_argument, NULL, OPTION_REPEAT},
                                      {"seed", required_argument, NULL, OPTION_SEED},
                                      {"jobs", required_argument, NULL, OPTION_JOBS},
                                      {"json", no_argument, NULL, OPTION_JSON},
                                      {"quiet", no_argument, NULL, OPTION_QUIET},
                                      {"verbose", no_argument, NULL, OPTION_VERBOSE},
                                      {"list-checks", no_argument, NULL, OPTION_LIST_CHECKS},
                                      {NULL, 0, NULL, 0}};

struct options {
    const char *rig;
    const char *filter;
    const char *journal;
    const char *folder; /* of the reports */
    bool list_checks;
    bool help;
    struct run_orders orders;
    struct run_show show;
    struct run_reports reports;
};

static int read_option(const struct command *command, int option, struct options *options)
{
    uint64_t jobs = 1;
    int status = EXIT_PASS;

    switch (option) {
    case OPTION_HELP:
        options->help = true;
        break;
    case OPTION_RIG:
        options->rig = optarg;
        break;
    case OPTION_JOURNAL:
        options->journal = optarg;
        break;
    case OPTION_REPORTS:
        options->folder = optarg;
        break;
    case OPTION_FILTER:
        options->filter = optarg;
        break;
    case OPTION_FAIL_FAST:
        options->orders.fail_fast = true;
        break;
    case OPTION_REPEAT:
        return number_read(command, "--repeat", optarg, 1, 1000000000, &options->orders.repeat);
    case OPTION_SEED:
        return number_read(command, "--seed", optarg, 0, UINT64_MAX, &options->orders.seed);
    case OPTION_JOBS:
        status = number_read(command, "--jobs", optarg, 1, RUN_JOBS_MAX, &jobs);
        options->orders.jobs = (unsigned)jobs;
        break;
    case OPTION_JSON:
        options->show.json = true;
        break;
    case OPTION_QUIET:
        options->show.quiet = true;
        break;
    case OPTION_VERBOSE:
        options->show.verbose = true;
        break;
    case OPTION_LIST_CHECKS:
        options->list_checks = true;
        break;
    default:
        break;
    }
    return status;
}

static int read_options(const struct command *command, int argc, char **argv,
                        struct options *options)
{
    int option, status = EXIT_PASS;

    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, ":hj:qv", known, NULL)) != -1) {
        if (option == ':')
            return command_usage_error(command, "%s needs a value", argv[optind - 1]);
        if (option == '?')
            return command_usage_error(command, "unknown option '%s'", argv[optind - 1]);
        status = read_option(command, option, options);
    }
    return status;
}

static bool is_wanted(const char *filter, const char *path, const struct survey *survey)
{
    return !filter || strcasestr(path, filter) ||
           (survey->game && strcasestr(survey->game->name, filter));
}

/*
 * Keeps the recordings that the filter lets through and says which of them cannot be used: how many
 * those are.
 */
static size_t look_through(const struct command *command, struct options *options,
                           struct recordings *recordings, const struct rig *rig,
                           const struct paytables *paytables)
{
    size_t kept = 0, bad = 0;

    for (size_t i = 0; i < recordings->count; i++) {
        char *path = recordings->paths[i];
        struct survey survey;
        struct error error;
        int status = survey_recording(path, rig, paytables, &survey, &error);

        if (!is_wanted(options->filter, path, &survey)) {
            free(path);
            continue;
        }
        recordings->paths[kept++] = path;
        options->show.total += survey.rounds * options->orders.repeat;
        if (status) {
            command_error(command, &error);
            bad++;
        }
    }
    recordings->count = kept;
    return bad;
}

/* Everything that can be wrong before a card is dealt. */
static int prepare(const struct command *command, struct options *options,
                   struct recordings *recordings, const struct rig *rig)
{
    struct paytables *paytables;
    struct error error;
    size_t bad;

    if (rig_paytables(rig, &paytables, &error))
        return command_error(command, &error);
    bad = look_through(command, options, recordings, rig, paytables);
    paytables_free(paytables);
    if (!recordings->count)
        return command_usage_error(command, "no recording has '%s' in its path or game",
                                   options->filter);
    if (bad) {
        error_set(&error, ERROR_CONFIG, "%zu of %zu recordings cannot be used; none was played",
                  bad, recordings->count);
        return command_error(command, &error);
    }
    if (run_reports_prepare(&options->reports, options->folder, options->journal, &error))
        return command_error(command, &error);
    return EXIT_PASS;
}

static int play(const struct command *command, struct options *options, struct rig *rig,
                char **argv, char **names)
{
    struct recordings recordings;
    struct error error;
    int status;

    if (recordings_find(names, &recordings, &error))
        return command_error(command, &error);
    status = prepare(command, options, &recordings, rig);
    options->orders.rig = rig;
    options->orders.rig_path = options->rig;
    options->orders.recordings = &recordings;
    options->orders.command = (const char *const *)argv;
    options->orders.show = &options->show;
    options->orders.journal_path = options->reports.journal;
    options->show.reports = options->orders.reports = &options->reports;
    if (!status)
        status = run_crew(command, &options->orders);
    recordings_free(&recordings);
    return status;
}

static int run_run(const struct command *command, int argc, char **argv)
{
    struct options options = {.orders = {.jobs = 1, .repeat = 1, .seed = 1}};
    struct rig *rig;
    struct error error;
    int status = read_options(command, argc, argv, &options);

    if (status)
        return status;
    if (options.help || options.list_checks) {
        if (options.help)
            command_help(command);
        else
            run_show_checks();
        return command_finish(command, EXIT_PASS);
    }
    if (optind == argc)
        return command_usage_error(command, "no recording given");
    status = options.rig ? rig_load(&rig, options.rig, &error) : rig_default(&rig, &error);
    if (status)
        return command_error(command, &error);
    status = play(command, &options, rig, argv, argv + optind);
    rig_free(rig);
    return status;
}
