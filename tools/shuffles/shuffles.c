/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/shuffles/shuffles.h"
#include "hal/base/lines.h"
#include "rigs/shuffles/read.h"
#include "tools/jobs.h"
#include "tools/options.h"
#include "tools/recordings.h"
#include "tools/shuffles/collect.h"
#include "tools/shuffles/generators.h"
#include "tools/shuffles/generators_show.h"
#include "tools/shuffles/power.h"
#include "tools/shuffles/show.h"

struct options {
    const struct command *command;
    double alpha;
    bool json;
    const char *html; /* the file of the page, or NULL */
    const char *paytables_path;
    struct shuffles_collect collect; /* a rig if orders are to be dealt */
    struct power_orders power;
    bool is_power;
    struct generators_use generators;
    bool is_generators;
    const char *count;
};

/* The largest significance that is taken; a larger one was most likely meant as a confidence. */
#define ALPHA_MOST 0.5

static int read_alpha(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct options *options = context;
    char *end;
    double alpha = strtod(text, &end);

    (void)row;
    if (end != text && !*end && alpha > ALPHA_MOST && alpha < 1)
        return error_set(
            error, ERROR_CONFIG,
            "--alpha is '%s'; it must be above 0 and at most %g: a confidence of %g %% "
            "is --alpha %g",
            text, ALPHA_MOST, 100 * alpha, 1 - alpha);
    if (end == text || *end || !(alpha > 0 && alpha <= ALPHA_MOST))
        return error_set(error, ERROR_CONFIG, "--alpha is '%s'; it must be above 0 and at most %g",
                         text, ALPHA_MOST);
    options->alpha = alpha;
    return 0;
}

static int read_game(const struct option_row *row, char *name, void *context, struct error *error)
{
    struct options *options = context;

    (void)row;
    options->collect.game = game_find(name);
    if (options->collect.game ? !game_check(options->collect.game, error)
                              : !game_unknown(name, error))
        return 0;
    error_prefix(error, "--game");
    return ERROR_CONFIG;
}

/*
 * Whose hands are judged where --game names no other: the game that deals most cards to a hand, as
 * its hands use most of an order.
 */
static const struct game *default_game(void)
{
    const struct game *game, *found = NULL;

    for (size_t i = 0; (game = game_at(i)); i++)
        if (game->rated.lines && !game_check(game, NULL) &&
            (!found || game->hole_cards > found->hole_cards))
            found = game;
    return found;
}

static size_t expand_game(struct option_row *row, size_t room)
{
    static char help[96];

    (void)room;
    snprintf(help, sizeof help, "judge the hands it would deal from the orders (default %s)",
             default_game()->name);
    *row = (struct option_row){"game", 0, "GAME", help, .read = read_game};
    return 1;
}

static const struct option_row rows[] = {
    {"alpha", 0, "A",
     "significance, declared beforehand (default 0.01); Holm's correction keeps it for all tests "
     "together",
     .read = read_alpha},
    {"json", 0, NULL, "one JSON object with all results, histograms and counts",
     OPTION_INTO(struct options, json)},
    {"html", 0, "FILE",
     "a page with pictures as well: the map of places and cards, p-values, what was counted "
     "against its exact law",
     OPTION_INTO(struct options, html), .use = OPTION_WRITES},
    {"paytables", 0, "FILE", "paytables that the recordings name",
     OPTION_INTO(struct options, paytables_path)},
    {"rig", 0, "FILE", "the bench whose shuffler deals", OPTION_INTO(struct options, collect.rig)},
    {"count", 0, "N",
     "shuffles to deal; with --power the sizes to judge, as in 10,100 (default: around what theory "
     "needs)",
     OPTION_INTO(struct options, count)},
    {.expand = expand_game},
    {"returned", 0, "HOW",
     "how cards go back: dealt (the first on top), reversed or unknown (default: dealt if the "
     "device is emulated, else unknown)",
     OPTION_INTO(struct options, collect.returned)},
    {"prompt", 0, NULL, "wait for Enter after each deal: somebody puts the cards back",
     OPTION_INTO(struct options, collect.prompts)},
    {"output", 'o', "SHOE", "keep the orders as a recording",
     OPTION_INTO(struct options, collect.output), .use = OPTION_RECORDS},
    {"force", 0, NULL, "replace a recording or a page that is there",
     OPTION_INTO(struct options, collect.replace)},
    {"seed", 0, "N", "of emulated devices; with --power the first one (default 1)",
     OPTION_INTO(struct options, collect.seed), 0, UINT64_MAX},
    {"power", 0, NULL,
     "print the power table, for METHODs as --shuffle of 'dealproof emulate' has them, or for a "
     "list of them",
     OPTION_INTO(struct options, is_power)},
    {"seeds", 0, "S", "of each line of the table (default 100)",
     OPTION_INTO(struct options, power.seeds), 1, POWER_SEEDS_MAX},
    {"generators", 0, NULL,
     "search for the weak generator that made the orders, and predict the next one; without a "
     "recording, list those that are known",
     OPTION_INTO(struct options, is_generators)},
    {"only", 0, "NAMES",
     "generators, mappings or entries to search alone, as in lcg,msvc:down-modulo",
     OPTION_INTO(struct options, generators.only)},
    {"jobs", 'j', "N", "with --generators: " JOBS_HELP,
     OPTION_INTO(struct options, generators.jobs), 1, JOBS_MAX},
    OPTIONS_END};

static int read_one(struct shuffles_reader *reader, const char *path, struct error *error)
{
    int input = lines_open(path, error), status;

    if (input < 0)
        return input;
    status = shuffles_read(reader, input, strcmp(path, "-") ? path : "standard input", error);
    close(input);
    return status;
}

/* Refuses a recording that is named twice: its orders would look like repeats. */
static int read_files(const struct command *command, struct shuffles_reader *reader,
                      char *const *names, struct error *error)
{
    struct recording_list recordings;
    int status = recordings_find(command, names, &recordings, error);

    if (status)
        return status;
    status = recording_list_check_once(&recordings, error);
    for (size_t i = 0; i < recordings.count && !status; i++)
        status = read_one(reader, recordings.paths[i], error);
    recording_list_free(&recordings);
    return status;
}

/* "-" is read as one recording; other names may be folders with recordings in them. */
static int read_named(const struct command *command, struct shuffles_reader *reader, char **names,
                      struct error *error)
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
    return status ? status : read_files(command, reader, names, error);
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
    else
        shuffles_show_json(shuffles, &report, origin);
    if (options->html && shuffles_show_page(shuffles, &report, origin, options->html, &error))
        return command_error(options->command, &error);
    return command_finish(options->command, status_of(report.verdict));
}

static int read_all(const struct options *options, struct shuffles *shuffles, char **names)
{
    struct generators_orders orders = {.count = 0};
    struct shuffles_reader reader = {
        .shuffles = shuffles, .kept = options->is_generators ? &orders : NULL, .stop = -1};
    char digest[DIGEST_SIZE], dates[SHUFFLES_DATES_SIZE];
    struct shuffles_origin origin = {.device = reader.device,
                                     .firmware = reader.firmware,
                                     .from = reader.name,
                                     .recorded = dates,
                                     .digest = digest};
    struct paytables *paytables = NULL;
    struct error error;
    int status = 0;

    if (options->paytables_path)
        status = paytables_load(options->paytables_path, &paytables, &error);
    reader.paytables = paytables;
    if (!status)
        status = read_named(options->command, &reader, names, &error);
    origin.recordings = reader.recordings;
    shuffles_read_digest(&reader, digest);
    shuffles_read_dates(&reader, dates);
    if (status)
        status = command_error(options->command, &error);
    else if (options->is_generators)
        status = generators_search(options->command, &options->generators, &orders, &origin);
    else
        status = judge(options, shuffles, &origin);
    generators_orders_free(&orders);
    paytables_free(paytables);
    return status;
}

/* Judges what was dealt also after an error, which is printed last. */
static int deal_all(const struct options *options, struct shuffles *shuffles)
{
    struct shuffles_device_name name;
    const struct shuffles_origin origin = {.device = name.device,
                                           .firmware = name.firmware,
                                           .from = options->collect.rig,
                                           .recorded = name.recorded,
                                           .digest = name.digest,
                                           .declared = options->collect.count};
    struct error error;
    int failed = shuffles_collect(&options->collect, shuffles, &name, &error);
    int status = EXIT_PASS;

    if (!failed || shuffles_count(shuffles))
        status = judge(options, shuffles, &origin);
    return failed ? command_error(options->command, &error) : status;
}

/* Refuses a page that is there already before anything is dealt, which may take days. */
static int check_page(const struct options *options)
{
    struct stat status;

    if (!options->html || options->collect.replace || stat(options->html, &status) ||
        !S_ISREG(status.st_mode))
        return EXIT_PASS;
    return command_usage_error(options->command, "%s: is there already; --force replaces it",
                               options->html);
}

/* Of --generators, which searches recordings. */
static int check_generators(struct options *options)
{
    const struct command *command = options->command;
    const struct shuffles_collect *collect = &options->collect;

    if (collect->rig || options->is_power || options->count || collect->game || collect->returned ||
        collect->output || collect->prompts || (collect->replace && !options->html))
        return command_usage_error(command, "--generators searches recordings and takes --only, "
                                            "--jobs, --json, --html and --paytables");
    options->generators.json = options->json;
    options->generators.html = options->html;
    return EXIT_PASS;
}

/* Refuses options that belong to another of the uses: recordings, --rig, --power, --generators. */
static int check_use(struct options *options, bool has_names)
{
    const struct command *command = options->command;
    struct shuffles_collect *collect = &options->collect;
    struct error error;
    bool about_rig = collect->game || collect->returned || collect->output || collect->prompts ||
                     (collect->replace && !options->html);

    if (options->is_generators)
        return check_generators(options);
    if (options->generators.only)
        return command_usage_error(command, "--only is for --generators");
    if (options->is_power) {
        if (collect->rig || about_rig || options->html || options->paytables_path)
            return command_usage_error(command, "--power deals from models and takes --count, "
                                                "--seeds, --seed, --alpha and --json");
        if (options->count && power_read_sizes(options->count, &options->power, &error))
            return command_usage_error(command, "%s", error.text);
        return EXIT_PASS;
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
        collect->game = default_game();
    if (options_number("count", options->count, 1, UINT32_MAX, &collect->count, &error))
        return command_usage_error(command, "%s", error.text);
    return EXIT_PASS;
}

static int run_shuffles(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command,
                              .alpha = SHUFFLES_ALPHA,
                              .collect = {.seed = 1},
                              .power = {.seeds = 100},
                              .generators = {.jobs = jobs_default()}};
    struct shuffles *shuffles;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    status = check_use(&options, *names != NULL);
    if (!status)
        status = check_page(&options);
    if (status)
        return status;
    if (options.is_power) {
        options.power.methods = names;
        options.power.alpha = options.alpha;
        options.power.seed = options.collect.seed;
        options.power.json = options.json;
        return power_print(command, &options.power);
    }
    if (options.is_generators && !*names) {
        generators_list(options.json);
        return command_finish(command, EXIT_PASS);
    }
    shuffles = shuffles_new();
    if (!shuffles)
        return command_error(command,
                             &(struct error){.code = ERROR_RIG, .text = "no memory to count in"});
    status =
        options.collect.rig ? deal_all(&options, shuffles) : read_all(&options, shuffles, names);
    shuffles_free(shuffles);
    return status;
}

static const struct command shuffles_command = {
    .name = "shuffles",
    .synopsis = "[--alpha A] [--json] [--html FILE] SHOE|DIR...\n"
                "       dealproof shuffles --rig FILE --count N [--returned HOW] [-o SHOE]\n"
                "       dealproof shuffles --power [--seeds S] [--count N,N...] [METHOD]...\n"
                "       dealproof shuffles --generators [--only NAMES] [SHOE|DIR]...",
    .summary = "Judge a shuffler by the orders it dealt",
    .about =
        "Reads the orders of one shuffler from recordings ('-' is standard input, a DIR stands "
        "for\n"
        "every *.shoe below it) and tests them against a uniform shuffle: where cards lie, which\n"
        "neighbours they have, how they moved from the order that went in, what could be guessed,\n"
        "what came again, and how often hands are paid. Where a round has no \"deck\" the cards\n"
        "dealt before any decision are used; where it has no \"before\" the order dealt before it\n"
        "stands for what went in. Each test says what it could use and what it would catch; the\n"
        "summary names those that could not be made.\n\n"
        "With --rig the orders come straight from the shuffler of a bench, which deals its deck\n"
        "to the last card and gets it back, N times. That number is declared beforehand: nothing\n"
        "is shown before the end. Interrupt it once to judge what there is after the shuffle that\n"
        "goes on, twice to end at once. With --power the judge is judged: models whose flaw is\n"
        "known, and one that has none, shuffle with S seeds each, and a table says how often they\n"
        "were found out, beside what theory needs.\n\n"
        "With --generators no test is made: every seed of the weak generators that are known is\n"
        "tried, by every way to shuffle with their numbers, from the order that went in and from "
        "a\n"
        "sorted deck. What is found is evidence by itself: no uniform shuffler's order would be.\n"
        "The orders after it are predicted and compared, and the next one is printed. A generator\n"
        "that takes long says so before it starts; an interrupt ends the search at once.\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof shuffles evening.shoe\n"
        "  dealproof shuffles --html evening.html evening.shoe\n"
        "  dealproof shuffles --rig bench.yaml --count 500 --returned dealt -o machine-4.shoe\n"
        "  dealproof shuffles --power --seeds 1000 --count 1,10,100 uniform shelf:10\n"
        "  dealproof shuffles --generators --only lcg,msvc evening.shoe\n"
        "  zcat evening.shoe.gz | dealproof shuffles --alpha 0.05 -\n"
        "  dealproof shuffles --json evening.shoe | jq '.tests[] | [.test, .p, .verdict]'\n\n"
        "Exit status: 0 no evidence against the shuffler, 1 evidence against it, 2 usage, or a\n"
        "recording that cannot be used, 3 the device failed, 4 reading or writing failed, 5 the\n"
        "device did not answer in time, 6 too few shuffles to say, 130 interrupted while shuffles\n"
        "are collected or generators searched. With --power: 0, or 1 when the judge does worse\n"
        "than it should. With --generators: 0 none was found, 1 one was, 6 too few cards of any\n"
        "order are known.\n",
    .run = run_shuffles,
};
REGISTER(commands, shuffles_command);
