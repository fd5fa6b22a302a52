#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "rigs/compare.h"
#include "rigs/json_pool.h"
#include "rigs/lines.h"
#include "rigs/paytables.h"
#include "rigs/recordings.h"
#include "rigs/settle.h"
#include "tools/command.h"

struct options {
    bool check;
    unsigned jobs;
    const char *paytables_path;
    struct paytables *paytables;
    int stop;
};

static int run_settle(const struct command *command, int argc, char **argv);

static const struct command settle = {
    .name = "settle",
    .synopsis = "[--jobs N] [--paytables FILE] SHOE\n"
                "       dealproof settle --check [--jobs N] [--paytables FILE] SHOE|DIR...",
    .summary = "Say what the rules make of a recording, without devices",
    .help =
        "Reads the rounds of SHOE ('-' is standard input) and prints one line of JSON for each:\n"
        "cards, hands, what every wager wins or loses, jackpots, and the meters after the round.\n"
        "A round that cannot be settled prints {\"round\":N,\"error\":\"...\"}, the reason goes "
        "to\n"
        "standard error as FILE:LINE, and the rest goes on.\n\n"
        "  --check           compare each recording with the .expect file beside it; a DIR\n"
        "                    stands for every *.shoe below it\n"
        "  --jobs N          threads (default: one per core); the output is the same for any N\n"
        "  --paytables FILE  paytables beyond those of the sheets, one a line\n"
        "  --help            this text\n\n"
        "Examples:\n"
        "  dealproof settle evening.shoe > evening.expect\n"
        "  zcat evening.shoe.gz | dealproof settle - | jq .seats\n"
        "  dealproof settle --check fixtures\n\n"
        "Exit status: 0 all settled (with --check: all as expected), 1 some round was not,\n"
        "2 usage, or a recording that cannot be used at all, 4 reading or writing failed,\n"
        "130 interrupted; every line printed until then is whole.\n",
    .run = run_settle,
};
COMMAND(settle);

static unsigned default_jobs(void)
{
    cpu_set_t cores;
    int count = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);

    return count < SETTLE_JOBS_MAX ? (unsigned)count : SETTLE_JOBS_MAX;
}

/* A descriptor that becomes readable at SIGINT or SIGTERM, which then do nothing else. */
static int catch_signals(struct error *error)
{
    sigset_t signals;
    int fd;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    fd = signalfd(-1, &signals, SFD_CLOEXEC);
    return fd >= 0 ? fd : error_set(error, ERROR_RIG, "cannot watch signals: %s", strerror(errno));
}

static int write_lines(void *context, const char *lines, size_t length, struct error *error)
{
    (void)context;
    while (length) {
        ssize_t written = write(STDOUT_FILENO, lines, length);

        if (written < 0 && errno != EINTR)
            return error_set(error, ERROR_RIG, "cannot write standard output: %s", strerror(errno));
        if (written > 0) {
            lines += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

static void print_complaint(void *context, const char *sentence)
{
    (void)context;
    fprintf(stderr, "%s\n", sentence);
}

static int settle_one(const struct command *command, const struct options *options,
                      const char *path)
{
    struct settle_job job = {.name = strcmp(path, "-") ? path : "standard input",
                             .stop = options->stop,
                             .jobs = options->jobs,
                             .paytables = options->paytables,
                             .write = write_lines,
                             .complain = print_complaint};
    struct settle_count count;
    struct error error;
    int status;

    job.input = lines_open(path, &error);
    if (job.input < 0)
        return command_error(command, &error);
    status = settle_run(&job, &count, &error);
    close(job.input);
    if (status < 0)
        return command_error(command, &error);
    return count.errors ? EXIT_FAIL : EXIT_PASS;
}

static int print_comparison(const char *path, const struct compare_result *result)
{
    if (!result->differing) {
        printf("ok %s (%ju round%s)\n", path, (uintmax_t)result->rounds,
               result->rounds == 1 ? "" : "s");
        return EXIT_PASS;
    }
    printf("FAILED %s: %ju of %ju rounds differ\n", path, (uintmax_t)result->differing,
           (uintmax_t)result->rounds);
    for (size_t i = 0; i < result->shown; i++)
        printf("  %s: expected %s, got %s\n", result->differences[i].where,
               result->differences[i].expected, result->differences[i].got);
    return EXIT_FAIL;
}

static int check_one(const struct command *command, const struct options *options, const char *path)
{
    struct compare_result result;
    struct error error;

    if (compare_recording(path, options->paytables, options->jobs, options->stop, &result, &error))
        return command_error(command, &error);
    return print_comparison(path, &result);
}

/* The worst status of all; what cannot be checked at all is worse than a difference. */
static int check_all(const struct command *command, const struct options *options, char **names)
{
    struct recordings recordings;
    struct error error;
    size_t failed = 0, i;
    int worst = EXIT_PASS;

    if (recordings_find(names, &recordings, &error))
        return command_error(command, &error);
    for (i = 0; i < recordings.count && worst < EXIT_RIG; i++) {
        int status = check_one(command, options, recordings.paths[i]);

        failed += status != EXIT_PASS;
        worst = status > worst ? status : worst;
    }
    printf("%zu passed, %zu failed\n", i - failed, failed);
    recordings_free(&recordings);
    return command_finish(command, worst);
}

static int read_jobs(const struct command *command, const char *text, unsigned *jobs)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < 1 || value > SETTLE_JOBS_MAX)
        return command_usage_error(command, "--jobs is '%s'; it must be from 1 to %d", text,
                                   SETTLE_JOBS_MAX);
    *jobs = (unsigned)value;
    return EXIT_PASS;
}

enum { OPTION_HELP = 'h', OPTION_JOBS = 'j', OPTION_CHECK = 256, OPTION_PAYTABLES };

/* EXIT_PASS to go on, or a status; *done after --help. */
static int read_options(const struct command *command, int argc, char **argv,
                        struct options *options, bool *done)
{
    static const struct option known[] = {{"help", no_argument, NULL, OPTION_HELP},
                                          {"jobs", required_argument, NULL, OPTION_JOBS},
                                          {"check", no_argument, NULL, OPTION_CHECK},
                                          {"paytables", required_argument, NULL, OPTION_PAYTABLES},
                                          {NULL, 0, NULL, 0}};
    int option, status = EXIT_PASS;

    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, ":hj:", known, NULL)) != -1)
        switch (option) {
        case OPTION_HELP:
            command_help(command);
            *done = true;
            return command_finish(command, EXIT_PASS);
        case OPTION_JOBS:
            status = read_jobs(command, optarg, &options->jobs);
            break;
        case OPTION_CHECK:
            options->check = true;
            break;
        case OPTION_PAYTABLES:
            options->paytables_path = optarg;
            break;
        case ':':
            return command_usage_error(command, "%s needs a value", argv[optind - 1]);
        default:
            return command_usage_error(command, "unknown option '%s'", argv[optind - 1]);
        }
    return status;
}

static int run_with(const struct command *command, struct options *options, char **names)
{
    struct error error;
    int status;

    json_pool_install();
    if (options->paytables_path &&
        paytables_load(options->paytables_path, &options->paytables, &error))
        return command_error(command, &error);
    options->stop = catch_signals(&error);
    if (options->stop < 0) {
        status = command_error(command, &error);
    } else {
        status = options->check ? check_all(command, options, names)
                                : settle_one(command, options, names[0]);
        close(options->stop);
    }
    paytables_free(options->paytables);
    return status;
}

static int run_settle(const struct command *command, int argc, char **argv)
{
    struct options options = {.jobs = default_jobs(), .stop = -1};
    bool done = false;
    int status = read_options(command, argc, argv, &options, &done);

    if (status || done)
        return status;
    if (optind == argc)
        return command_usage_error(command, "no recording given");
    if (!options.check && optind + 1 < argc)
        return command_usage_error(command, "one recording at a time, and '%s' is the second",
                                   argv[optind + 1]);
    return run_with(command, &options, argv + optind);
}
