#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/shuffles/shuffles.h"
#include "hal/base/lines.h"
#include "rigs/recording/recordings.h"
#include "rigs/shuffles/read.h"
#include "tools/command.h"
#include "tools/shuffles_collect.h"
#include "tools/shuffles_power.h"
#include "tools/shuffles_show.h"

static int run_shuffles(const struct command *command, int argc, char **argv);

static const struct command shuffles_command = {
    .name = "shuffles",
    .synopsis = "[--alpha A] [--json] [--html FILE] SHOE|DIR...\n"
                "       dealproof shuffles --rig FILE --count N [--returned HOW] [-o SHOE]\n"
                "       dealproof shuffles --power [--seeds S] [--count N,N...] [METHOD]...",
    .summary = "Judge a shuffler by the orders it dealt",
    .help =
        "Reads the orders of one shuffler from recordings ('-' is standard input, a DIR stands "
        "for\n"
        "every *.shoe below it) and tests them against a uniform shuffle: where cards lie, which\n"
        "neighbours they have, how they moved from the order that went in, what could be guessed,\n"
        "what came again, and how often hands are paid. Where a round has no \"deck\" the cards\n"
        "dealt before any decision are used; where it has no \"before\" the order dealt before it\n"
        "stands for what went in. Each test says what it could use and what it would catch.\n\n"
        "With --rig the orders come straight from the shuffler of a bench, which deals its deck\n"
        "to the last card and gets it back, N times. Interrupt it once to judge what there is\n"
        "after the shuffle that goes on, twice to end at once. With --power the judge is judged:\n"
        "models whose flaw is known, and one that has none, shuffle with S seeds each, and a\n"
        "table says how often they were found out, beside what theory needs.\n\n"
        "  --alpha A         significance, declared beforehand (default 0.01); Holm's correction\n"
        "                    keeps it for all tests together\n"
        "  --json            one JSON object with all results, histograms and counts\n"
        "  --html FILE       a page with pictures as well: the map of places and cards, p-values,\n"
        "                    what was counted against its exact law\n"
        "  --paytables FILE  paytables that the recordings name\n"
        "  --rig FILE        the bench whose shuffler deals\n"
        "  --count N         shuffles to deal; with --power the sizes to judge, as in 10,100\n"
        "                    (default: around what theory needs)\n"
        "  --game GAME       judge the hands it would deal from the orders (default flush-rush)\n"
        "  --returned HOW    how cards go back: dealt (the first on top), reversed or unknown\n"
        "                    (default: dealt if the device is emulated, else unknown)\n"
        "  --prompt          wait for Enter after each deal: somebody puts the cards back\n"
        "  -o, --output SHOE keep the orders as a recording\n"
        "  --force           replace a recording or a page that is there\n"
        "  --seed N          of emulated devices; with --power the first one (default 1)\n"
        "  --power           print the power table, for METHODs as --shuffle of 'dealproof\n"
        "                    emulate' has them, or for a list of them\n"
        "  --seeds S         of each line of the table (default 100)\n"
        "  -h, --help        this text\n\n"
        "Examples:\n"
        "  dealproof shuffles evening.shoe\n"
        "  dealproof shuffles --html evening.html evening.shoe\n"
        "  dealproof shuffles --rig bench.yaml --count 500 --returned dealt -o machine-4.shoe\n"
        "  dealproof shuffles --power --seeds 1000 --count 1,10,100 uniform shelf:10\n"
        "  zcat evening.shoe.gz | dealproof shuffles --alpha 0.05 -\n"
        "  dealproof shuffles --json evening.shoe | jq '.tests[] | [.test, .p, .verdict]'\n\n"
        "Exit status: 0 no evidence against the shuffler, 1 evidence against it, 2 usage, or a\n"
        "recording that cannot be used, 3 the device failed, 4 reading or writing failed, 5 the\n"
        "device did not answer in time, 6 too few shuffles to say, 130 interrupted. With --power:\n"
        "0, or 1 when the judge does worse than it should.\n",
    .run = run_shuffles,
};
REGISTER(commands, shuffles_command);

struct options {
    const struct command *command;
    double alpha;
    bool json;
    const char *html; /* the file of the page, or NULL */
    const char *paytables_path;
    struct shuffles_collect collect; /* a rig if orders are to be dealt */
    struct power_orders power;
    bool is_power;
    const char *count;
};

enum {
    OPTION_HELP = 'h',
    OPTION_OUTPUT = 'o',
    OPTION_ALPHA = 256,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_PAYTABLES,
    OPTION_RIG,
    OPTION_GAME,
    OPTION_COUNT,
    OPTION_RETURNED,
    OPTION_PROMPT,
    OPTION_FORCE,
    OPTION_SEED,
    OPTION_POWER,
    OPTION_SEEDS
};

/* More would blame a good shuffler oftener than not: most likely a confidence was meant. */
#define ALPHA_MOST 0.5

static int read_alpha(const struct command *command, const char *text, double *alpha)
{
    char *end;

    *alpha = strtod(text, &end);
    if (end != text && !*end && *alpha > ALPHA_MOST && *alpha < 1)
        return command_usage_error(command,
                                   "--alpha is '%s'; it must be above 0 and at most %g: a "
                                   "confidence of %g %% is --alpha %g",
                                   text, ALPHA_MOST, 100 * *alpha, 1 - *alpha);
    if (end == text || *end || !(*alpha > 0 && *alpha <= ALPHA_MOST))
        return command_usage_error(command, "--alpha is '%s'; it must be above 0 and at most %g",
                                   text, ALPHA_MOST);
    return EXIT_PASS;
}

static int read_number(const struct command *command, const char *option, const char *text,
                       uint64_t low, uint64_t high, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || *number < low || *number > high)
        return command_usage_error(command, "%s is '%s'; it must be from %ju to %ju", option, text,
                                   (uintmax_t)low, (uintmax_t)high);
    return EXIT_PASS;
}

static int read_seeds(struct options *options, const char *text)
{
    uint64_t seeds;
    int status = read_number(options->command, "--seeds", text, 1, POWER_SEEDS_MAX, &seeds);

    if (!status)
        options->power.seeds = (unsigned)seeds;
    return status;
}

static int read_game(struct options *options, const char *name)
{
    struct error error;

    options->collect.game = game_find(name);
    if (options->collect.game)
        return EXIT_PASS;
    game_unknown(name, &error);
    return command_usage_error(options->command, "--game: %s", error.text);
}

static int read_option(struct options *options, int option, char **argv)
{
    switch (option) {
    case OPTION_ALPHA:
        return read_alpha(options->command, optarg, &options->alpha);
    case OPTION_JSON:
        options->json = true;
        return EXIT_PASS;
    case OPTION_HTML:
        options->html = optarg;
        return EXIT_PASS;
    case OPTION_PAYTABLES:
        options->paytables_path = optarg;
        return EXIT_PASS;
    case OPTION_RIG:
        options->collect.rig = optarg;
        return EXIT_PASS;
    case OPTION_GAME:
        return read_game(options, optarg);
    case OPTION_COUNT:
        options->count = optarg;
        return EXIT_PASS;
    case OPTION_RETURNED:
        options->collect.returned = optarg;
        return EXIT_PASS;
    case OPTION_OUTPUT:
        options->collect.output = optarg;
        return EXIT_PASS;
    case OPTION_PROMPT:
        options->collect.prompts = true;
        return EXIT_PASS;
    case OPTION_FORCE:
        options->collect.replace = true;
        return EXIT_PASS;
    case OPTION_SEED:
        return read_number(options->command, "--seed", optarg, 0, UINT64_MAX,
                           &options->collect.seed);
    case OPTION_POWER:
        options->is_power = true;
        return EXIT_PASS;
    case OPTION_SEEDS:
        return read_seeds(options, optarg);
    case ':':
        return command_usage_error(options->command, "option '%s' needs a value", argv[optind - 1]);
    default:
        return command_usage_error(options->command, "unknown option '%s'", argv[optind - 1]);
    }
}

/* EXIT_PASS to go on, or a status; *done after --help. */
static int read_options(struct options *options, int argc, char **argv, bool *done)
{
    static const struct option known[] = {{"help", no_argument, NULL, OPTION_HELP},
                                          {"alpha", required_argument, NULL, OPTION_ALPHA},
                                          {"json", no_argument, NULL, OPTION_JSON},
                                          {"html", required_argument, NULL, OPTION_HTML},
                                          {"paytables", required_argument, NULL, OPTION_PAYTABLES},
                                          {"rig", required_argument, NULL, OPTION_RIG},
                                          {"game", required_argument, NULL, OPTION_GAME},
                                          {"count", required_argument, NULL, OPTION_COUNT},
                                          {"returned", required_argument, NULL, OPTION_RETURNED},
                                          {"output", required_argument, NULL, OPTION_OUTPUT},
                                          {"prompt", no_argument, NULL, OPTION_PROMPT},
                                          {"force", no_argument, NULL, OPTION_FORCE},
                                          {"seed", required_argument, NULL, OPTION_SEED},
                                          {"power", no_argument, NULL, OPTION_POWER},
                                          {"seeds", required_argument, NULL, OPTION_SEEDS},
                                          {NULL, 0, NULL, 0}};
    int option, status = EXIT_PASS;

    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
        if (option == OPTION_HELP) {
            command_help(options->command);
            *done = true;
            return command_finish(options->command, EXIT_PASS);
        }
        status = read_option(options, option, argv);
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

/* A recording that is read twice would have each of its orders come again. */
static int read_files(struct shuffles_reader *reader, char *const *names, struct error *error)
{
    struct recordings recordings;
    int status = recordings_find(names, &recordings, error);

    if (status)
        return status;
    status = recordings_check_once(&recordings, error);
    for (size_t i = 0; i < recordings.count && !status; i++)
        status = read_one(reader, recordings.paths[i], error);
    recordings_free(&recordings);
    return status;
}

/* Standard input is a recording by itself; everything else may be a directory full of them. */
static int read_named(struct shuffles_reader *reader, char **names, struct error *error)
{
    char **files = names;
    bool has_input = false;
    int status = 0;

    for (char **name = names; *name; name++)
        if (strcmp(*name, "-") == 0)
            has_input = true;
        else
            *files++ = *name;
    *files = NULL;
    if (has_input)
        status = read_one(reader, "-", error);
    return status ? status : read_files(reader, names, error);
}

static int status_of(enum shuffles_verdict verdict)
{
    if (verdict == SHUFFLES_EVIDENCE)
        return EXIT_FAIL;
    return verdict == SHUFFLES_TOO_FEW ? EXIT_TOO_FEW : EXIT_PASS;
}

/* Prints the report of what there is; EXIT_PASS and the like, or a failure to print. */
static int judge(const struct options *options, const struct shuffles *shuffles,
                 const struct shuffles_origin *origin)
{
    struct shuffles_report report;
    struct error error;

    shuffles_judge(shuffles, options->alpha, &report);
    if (!options->json)
        shuffles_show(&report, origin);
    else if (shuffles_show_json(shuffles, &report, origin, &error))
        return command_error(options->command, &error);
    if (options->html && shuffles_show_page(shuffles, &report, origin, options->html, &error))
        return command_error(options->command, &error);
    return command_finish(options->command, status_of(report.verdict));
}

static int read_all(const struct options *options, struct shuffles *shuffles, char **names)
{
    struct shuffles_reader reader = {.shuffles = shuffles, .stop = -1};
    struct shuffles_origin origin = {reader.device, reader.firmware, reader.name, 0};
    struct paytables *paytables = NULL;
    struct error error;
    int status = 0;

    if (options->paytables_path)
        status = paytables_load(options->paytables_path, &paytables, &error);
    reader.paytables = paytables;
    if (!status)
        status = read_named(&reader, names, &error);
    origin.recordings = reader.recordings;
    status = status ? command_error(options->command, &error) : judge(options, shuffles, &origin);
    paytables_free(paytables);
    return status;
}

/* What ends the dealing is said after what was dealt until then. */
static int deal_all(const struct options *options, struct shuffles *shuffles)
{
    struct shuffles_device_name name;
    const struct shuffles_origin origin = {name.device, name.firmware, options->collect.rig, 0};
    struct error error;
    int failed = shuffles_collect(&options->collect, shuffles, &name, &error);
    int status = EXIT_PASS;

    if (!failed || shuffles_count(shuffles))
        status = judge(options, shuffles, &origin);
    return failed ? command_error(options->command, &error) : status;
}

/* Said before anything is dealt, for a device may take days. */
static int check_page(const struct options *options)
{
    struct stat status;

    if (!options->html || options->collect.replace || stat(options->html, &status) ||
        !S_ISREG(status.st_mode))
        return EXIT_PASS;
    return command_usage_error(options->command, "%s: is there already; --force replaces it",
                               options->html);
}

/* What is given for one use of the command means nothing to another. */
static int check_use(struct options *options, bool has_names)
{
    const struct command *command = options->command;
    struct shuffles_collect *collect = &options->collect;
    bool about_rig = collect->game || collect->returned || collect->output || collect->prompts ||
                     (collect->replace && !options->html);

    if (options->is_power) {
        if (collect->rig || about_rig || options->html || options->paytables_path)
            return command_usage_error(command, "--power deals from models and takes --count, "
                                                "--seeds, --seed, --alpha and --json");
        return options->count ? power_read_sizes(command, options->count, &options->power)
                              : EXIT_PASS;
    }
    if (!collect->rig && (about_rig || options->count))
        return command_usage_error(command,
                                   "--count, --game, --returned, --prompt, --output and --force "
                                   "are for --rig: recordings have what they have");
    if (!collect->rig)
        return has_names ? EXIT_PASS
                         : command_usage_error(command, "no recording given, no --rig, no --power");
    if (has_names || options->paytables_path)
        return command_usage_error(command, "orders come from --rig or from recordings, not both");
    if (!options->count)
        return command_usage_error(command, "--rig needs --count: how many shuffles?");
    if (!collect->game)
        collect->game = &game_flush_rush;
    return read_number(command, "--count", options->count, 1, UINT32_MAX, &collect->count);
}

static int run_shuffles(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command,
                              .alpha = SHUFFLES_ALPHA,
                              .collect = {.seed = 1},
                              .power = {.seeds = 100}};
    struct shuffles *shuffles;
    bool done = false;
    int status = read_options(&options, argc, argv, &done);

    if (!status && !done)
        status = check_use(&options, optind < argc);
    if (!status && !done)
        status = check_page(&options);
    if (status || done)
        return status;
    if (options.is_power) {
        options.power.methods = argv + optind;
        options.power.alpha = options.alpha;
        options.power.seed = options.collect.seed;
        options.power.json = options.json;
        return power_print(command, &options.power);
    }
    shuffles = shuffles_new();
    if (!shuffles)
        return command_error(command,
                             &(struct error){.code = ERROR_RIG, .text = "no memory to count in"});
    status = options.collect.rig ? deal_all(&options, shuffles)
                                 : read_all(&options, shuffles, argv + optind);
    shuffles_free(shuffles);
    return status;
}
