/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/pool.h"
#include "rigs/shuffles/looks.h"
#include "tools/history/history.h"
#include "tools/shuffles/show.h"

struct options {
    struct history_options history;
    const char *firmware, *alpha, *output;
    uint64_t declared;
};

/* What the orders may be judged by now: of the looks that there could be, this is the last. */
static double spend(const struct options *options, double alpha,
                    const struct history_pooled *pooled)
{
    enum shuffles_stage stage =
        options->declared && pooled->looks == options->declared ? SHUFFLES_ALL : SHUFFLES_COMING;

    return shuffles_look(alpha, stage, options->declared, pooled->looks);
}

/* What was declared is used up: another look would blame good machines more often than that. */
static int say_spent(const struct command *command, const struct options *options,
                     const struct history_pooled *pooled)
{
    struct error error;

    error_set(&error, ERROR_CONFIG,
              "--declared %" PRIu64 ": there were %" PRIu64
              " looks, and the significance is spent with the last that was declared: nothing is "
              "left to judge this one by; --declared is said before the first run and kept, and "
              "without it every run may be the last",
              options->declared, pooled->looks);
    return command_error(command, &error);
}

static void print_looks(const struct options *options, double alpha, double left,
                        const struct history_pooled *pooled)
{
    printf("%" PRIu64 " order%s of %" PRIu64 " run%s, firmware %s\n", pooled->orders,
           pooled->orders == 1 ? "" : "s", pooled->runs, pooled->runs == 1 ? "" : "s",
           *pooled->firmware ? pooled->firmware : "-");
    if (pooled->unknown)
        printf("of %" PRIu64 " more round%s the order is not known\n", pooled->unknown,
               pooled->unknown == 1 ? "" : "s");
    if (pooled->repeated)
        printf("%" PRIu64 " recording%s left out: the orders are those of an earlier run, card by "
               "card\n",
               pooled->repeated, pooled->repeated == 1 ? " is" : "s are");
    if (pooled->repeated_orders)
        printf("%" PRIu64
               " more order%s left out: a run in virtual time begins as an earlier one\n",
               pooled->repeated_orders, pooled->repeated_orders == 1 ? " is" : "s are");
    if (pooled->unverified)
        printf("%" PRIu64 " run%s not verify left out\n", pooled->unverified,
               pooled->unverified == 1 ? " that does" : "s that do");
    if (options->declared)
        printf("look %" PRIu64 " of %" PRIu64 " that were declared", pooled->looks,
               options->declared);
    else
        printf("look %" PRIu64 " at the most, and each may be the last", pooled->looks);
    printf(": of a significance of %g it has %.2g\n\n", alpha, left);
}

static void print_csv(const struct shuffles_report *report)
{
    printf("test,count,needed,p,holm,verdict\n");
    for (size_t i = 0; i < report->result_count; i++) {
        const struct shuffles_result *result = &report->results[i];

        history_print_field(stdout, result->name);
        printf(",%" PRIu64 ",%" PRIu64 ",", result->count, result->needed);
        if (result->verdict == SHUFFLES_NO_EVIDENCE || result->verdict == SHUFFLES_EVIDENCE)
            printf("%.6g,%.6g", result->p, result->holm);
        else
            putchar(',');
        printf(",%s\n", shuffles_verdict_names[result->verdict]);
    }
}

static int show(const struct command *command, const struct options *options, const char *serial,
                const struct shuffles *shuffles, double alpha, const struct history_pooled *pooled)
{
    char dates[72], device[160];
    const struct shuffles_origin origin = {.device = device,
                                           .firmware = pooled->firmware,
                                           .from = "the history",
                                           .recorded = dates,
                                           .digest = ""};
    static const int statuses[] = {[SHUFFLES_NO_EVIDENCE] = EXIT_PASS,
                                   [SHUFFLES_EVIDENCE] = EXIT_FAIL,
                                   [SHUFFLES_TOO_FEW] = EXIT_TOO_FEW};
    double left = spend(options, alpha, pooled);
    struct shuffles_report report;
    struct error error;

    if (options->declared && pooled->looks > options->declared)
        return say_spent(command, options, pooled);
    snprintf(device, sizeof device, "%.120s", serial);
    snprintf(dates, sizeof dates, "%s to %s", pooled->first, pooled->last);
    shuffles_judge(shuffles, left, &report);
    if (options->history.json) {
        shuffles_show_json(shuffles, &report, &origin);
    } else if (options->history.csv) {
        print_csv(&report);
    } else {
        print_looks(options, alpha, left, pooled);
        shuffles_show(&report, &origin);
    }
    if (options->output && shuffles_show_page(shuffles, &report, &origin, options->output, &error))
        return command_error(command, &error);
    return statuses[report.verdict];
}

static int judge(const struct command *command, const struct options *options, const char *serial,
                 double alpha)
{
    struct shuffles *shuffles;
    struct history_pooled pooled;
    struct store *store;
    struct error error;
    int status = history_store(command, &options->history, false, &store);

    if (status)
        return status;
    shuffles = shuffles_new();
    if (!shuffles)
        error_set(&error, ERROR_RIG, "no memory to judge shuffles");
    if (!shuffles || history_pool(store, serial, options->firmware, shuffles, &pooled, &error))
        status = command_error(command, &error);
    else
        status = show(command, options, serial, shuffles, alpha, &pooled);
    shuffles_free(shuffles);
    store_close(store);
    return command_finish(command, status);
}

static int run_shuffles(const struct command *command, int argc, char **argv)
{
    struct options options = {.firmware = NULL};
    double alpha = SHUFFLES_ALPHA;
    char *end = NULL;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command,
                                   names[0] ? "one machine at a time" : "no serial number given");
    if (options.alpha)
        alpha = strtod(options.alpha, &end);
    if (options.alpha && (*end || !(alpha > 0 && alpha < 1)))
        return command_usage_error(command, "--alpha is '%s'; it must be between 0 and 1",
                                   options.alpha);
    return judge(command, &options, names[0], alpha);
}

static const struct option_row rows[] = {
    {"firmware", 0, "VERSION", "only runs with this firmware",
     OPTION_INTO(struct options, firmware)},
    {"alpha", 0, "A", "the significance, declared once for the life of the machine (default 0.01)",
     OPTION_INTO(struct options, alpha)},
    {"declared", 0, "N",
     "how many runs there will be, each resumption counted as one, declared before the first: nine "
     "tenths of the significance are kept for the last, and nothing is left after it",
     OPTION_INTO(struct options, declared), 1, 1000000000},
    {"output", 'o', "FILE", "a page with pictures as well", OPTION_INTO(struct options, output),
     .use = OPTION_WRITES},
    {.expand = history_rows},
    OPTIONS_END};

static const struct command shuffles_command = {
    .name = "history shuffles",
    .synopsis = "[OPTION]... SERIAL",
    .summary = "Judge all orders that a machine has ever shuffled, together",
    .about =
        "Takes the orders that the shuffler made by itself in all its runs and judges them as\n"
        "'dealproof shuffles' does (rigs/SHUFFLES.md): what no single run has enough of. One\n"
        "significance is declared for all of it. Each run may be looked at and be the last one,\n"
        "so that after n of them a look has 1 / (n (n + 1)) of it; with --declared each look\n"
        "before the last has its share of one tenth, and the last has nine. So a good machine is\n"
        "blamed no more often than declared, however often somebody looks.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof history shuffles S-1042\n"
            "  dealproof history shuffles --declared 50 -o S-1042.html S-1042\n\n"
            "Exit status: 0 no evidence against the machine, 1 evidence against it, 2 usage, or "
            "no\n"
            "such orders, 4 the store failed, 6 too few orders to say.\n",
    .run = run_shuffles,
};
REGISTER(history_commands, shuffles_command);
