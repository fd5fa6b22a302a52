/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts that drive devices, tried against a model. */
#include <stdio.h>
#include <string.h>

#include "devices/scripts/contract.h"
#include "hal/base/printable.h"
#include "rigs/page/markup.h"
#include "tools/json_print.h"
#include "tools/options.h"

#define OPTIONS_SIZE 1024

struct options {
    const char *model;
    uint64_t seed;
    bool json;
    char options[OPTIONS_SIZE]; /* of the script */
};

static int read_option(const struct option_row *row, char *option, void *context,
                       struct error *error)
{
    char *list = ((struct options *)context)->options;
    size_t used = strlen(list);
    int more = snprintf(list + used, OPTIONS_SIZE - used, "%s%s", used ? "," : "", option);

    (void)row;
    if (!strchr(option, '=') || *option == '=' || strchr(option, ','))
        return error_set(error, ERROR_CONFIG,
                         "'%s' is no option of a script: write KEY=VALUE, one with each --option",
                         option);
    if (more < 0 || used + (size_t)more >= OPTIONS_SIZE)
        return error_set(error, ERROR_CONFIG, "too many options: '%.40s' is over the limit",
                         option);
    return 0;
}

static const struct option_row rows[] = {
    {"model", 0, "emu:NAME",
     "the model to try it against, with its options after a '?'; without it the one that the "
     "script "
     "has itself",
     OPTION_INTO(struct options, model)},
    {"option", 0, "KEY=VALUE",
     "an option of the script, as `options` has it in a rig file; may be given again",
     .read = read_option},
    {"seed", 0, "N", "seed of everything random (default 1)", OPTION_INTO(struct options, seed),
     .low = 0, .high = UINT64_MAX},
    {"json", 0, NULL, "a line of JSON for each rule", OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const char *const words[CONTRACT_OUTCOMES] = {
    [CONTRACT_HOLDS] = "holds", [CONTRACT_BROKEN] = "broken", [CONTRACT_SKIPPED] = "skipped"};

static void tell(void *context, const char *rule, enum contract_outcome outcome, const char *why)
{
    const struct options *options = context;

    if (options->json) {
        struct json_print line = {.out = stdout};

        json_print_open(&line, NULL, "{}");
        json_print_text(&line, "rule", rule);
        json_print_text(&line, "outcome", words[outcome]);
        if (why)
            json_print_text(&line, "why", why);
        json_print_close(&line, "{}");
        printf("\n");
        return;
    }
    printf("%-7s %s%s%s\n", words[outcome], rule, why ? ": " : "", why ? why : "");
}

static void print_line(void *context, const char *line)
{
    char text[400];

    (void)context;
    printable_copy(text, sizeof text, line);
    fprintf(stderr, "script: %s\n", text);
}

static int check(const struct command *command, const char *path, struct options *options)
{
    struct contract contract = {.path = path,
                                .model = options->model,
                                .options = options->options,
                                .seed = options->seed,
                                .told = tell,
                                .printed = print_line,
                                .context = options};
    struct error error;

    if (contract_try(&contract, &error))
        return command_error(command, &error);
    if (!options->json) {
        plain_text(stdout, path);
        printf(": %u rules hold, %u do not, %u could not be tried\n",
               contract.counts[CONTRACT_HOLDS], contract.counts[CONTRACT_BROKEN],
               contract.counts[CONTRACT_SKIPPED]);
    }
    return command_finish(command, contract.counts[CONTRACT_BROKEN] ? EXIT_FAIL : EXIT_PASS);
}

static int run_script(const struct command *command, int argc, char **argv)
{
    struct options options = {.seed = 1};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0])
        return command_usage_error(command, "what is to be done? Write: script check FILE");
    if (strcmp(names[0], "check") != 0)
        return command_usage_error(command,
                                   "'%s' is nothing that can be done with a script; write: script "
                                   "check FILE",
                                   names[0]);
    if (!names[1])
        return command_usage_error(command, "which script? Write: script check FILE");
    if (names[2])
        return command_usage_error(command, "one script at a time, and '%s' is the second",
                                   names[2]);
    return check(command, names[1], &options);
}

static const struct command script = {
    .name = "script",
    .synopsis = "check FILE [--model emu:NAME] [OPTION]...",
    .summary = "Try a script that drives a device",
    .about = "Runs the contract suite of its class against a script (devices/SCRIPTS.md): it is "
             "opened,\n"
             "everything is asked, rounds are dealt, a fault is mended; bytes come one by one, "
             "damaged,\n"
             "of no protocol or not at all; the link is torn, and a request cancelled. Each rule "
             "is\n"
             "tried on a bench of its own in virtual time. A line for each says whether it holds, "
             "and\n"
             "what the script prints goes to standard error.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof script check my-shuffler.lua\n"
            "  dealproof script check my-shoe.lua --model 'emu:angel-eye?draw=700,refill=2000'\n"
            "\n"
            "Exit status: 0 all rules hold that could be tried, 1 one does not, 2 usage, or a "
            "script\n"
            "or a model that cannot be used.\n",
    .run = run_script,
};
REGISTER(commands, script);
