/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/checks/check.h"
#include "rigs/minimise/minimise.h"
#include "rigs/page/markup.h"
#include "tools/interrupt.h"
#include "tools/json_print.h"
#include "tools/options.h"
#include "tools/output.h"
#include "tools/together.h"

/* So often it is played before anything is left out: one that fails at random is found so. */
#define REPEATS 3
/* That it writes. */
#define FILES 3

struct options {
    const char *rig_path, *check, *output;
    char name[PATH_MAX]; /* of the output, without ".shoe" */
    uint64_t seed, budget;
    bool yes, json;
};

/* The rig as NAME.yaml has it, where the files that it names are found; the caller's. */
static int move_rig(const struct trials *trials, const struct failing_case *failing,
                    const struct options *options, char **moved, struct error *error)
{
    static const struct together_file file = {".yaml", NULL, 0};
    char path[PATH_MAX];

    *moved = NULL;
    if (!options->output)
        return 0;
    if (together_path(options->name, &file, path, sizeof path, error))
        return error->code;
    return rig_move(trials->rig_path, failing->rig, path, moved, error);
}

/* NAME.expect and the rig first: a recording has what it needs. */
static int save_texts(struct trials *trials, const struct failing_case *failing,
                      const struct options *options, const char *rig, struct error *error)
{
    struct together_file files[] = {
        {".yaml", rig, rig ? strlen(rig) : 0}, {".expect", NULL, 0}, {".shoe", NULL, 0}};
    char *expect = case_text(trials, failing, true, &files[1].length);
    char *shoe = case_text(trials, failing, false, &files[2].length);
    int status = shoe && expect ? 0 : error_set(error, ERROR_RIG, "out of memory");

    files[1].text = expect;
    files[2].text = shoe;
    if (!status && !options->output)
        status = output_write(STDOUT_FILENO, -1, shoe, files[2].length, error);
    if (!status && options->output)
        status = together_save(options->name, files, FILES, error);
    free(shoe);
    free(expect);
    return status;
}

static int save_case(struct trials *trials, const struct failing_case *failing,
                     const struct options *options, struct error *error)
{
    char *rig;
    int status = move_rig(trials, failing, options, &rig, error);

    if (!status)
        status = save_texts(trials, failing, options, rig, error);
    free(rig);
    return status;
}

/* Nothing is overwritten, and that it can be written is known before the work is done. */
static int check_output(struct options *options, struct error *error)
{
    static const struct together_file files[FILES] = {
        {".shoe", NULL, 0}, {".expect", NULL, 0}, {".yaml", NULL, 0}};

    if (!options->output)
        return 0;
    if (together_name(options->output, options->name, sizeof options->name, error))
        return error->code;
    return together_check(options->name, files, FILES, error);
}

/* Real devices wear, and people must attend them: nobody hammers them without saying so. */
static int check_rig(const struct options *options, const struct trials *trials,
                     const struct failing_case *failing, struct error *error)
{
    struct rig *rig;
    bool is_emulated, asks;

    if (rig_parse(&rig, trials->rig_path, failing->rig, strlen(failing->rig), error))
        return error->code;
    is_emulated = rig_is_all_emulated(rig);
    asks = rig_asks(rig);
    rig_free(rig);
    if (asks)
        return error_set(error, ERROR_CONFIG,
                         "%s: people are asked on this rig, and nobody would answer hundreds of "
                         "times; minimise it on emulated devices",
                         trials->rig_path);
    if (!is_emulated && (!options->budget || !options->yes))
        return error_set(error, ERROR_CONFIG,
                         "%s: has real devices, which would play the recording again and again; "
                         "say how many rounds they may with --budget ROUNDS, and --yes",
                         trials->rig_path);
    if (options->budget && options->budget < REPEATS * failing->count)
        return error_set(error, ERROR_CONFIG,
                         "--budget %ju: it has %zu round%s and is played %d times before anything "
                         "is left out; allow %zu at least",
                         (uintmax_t)options->budget, failing->count, failing->count == 1 ? "" : "s",
                         REPEATS, REPEATS * failing->count);
    return 0;
}

/* It was stopped before it was known to fail every time: that is all that can be told. */
static int say_stopped(const struct command *command, const struct trials *trials, const char *path,
                       unsigned failed)
{
    struct error error;

    if (failed)
        error_set(
            &error, ERROR_ABORTED,
            "%s: stopped after it had failed %s (%s), before it was known to fail every time; "
            "nothing is written",
            path, failed == 1 ? "once" : "twice", trials->wanted.sentence);
    else
        error_set(&error, ERROR_ABORTED,
                  "%s: stopped before anything had failed there; whether it does cannot be told, "
                  "and nothing is written",
                  path);
    return command_error(command, &error);
}

/* Whether it fails, and every time: EXIT_PASS, or what to exit with. */
static int look(const struct command *command, const struct options *options, struct trials *trials,
                const struct failing_case *failing, const char *path)
{
    unsigned again;
    struct error error = {0};
    int found = trials_find(trials, failing, options->check, &error);

    if (found == ERROR_ABORTED)
        return say_stopped(command, trials, path, 0);
    if (found < 0)
        return command_error(command, &error);
    if (!found) {
        enum verdict verdict;
        const char *check = options->check ? options->check : "";

        error_set(&error, ERROR_CONFIG,
                  failure_verdict(check, &verdict)
                      ? "%s: no round ends as %s there; there is nothing to minimise"
                  : *check ? "%s: nothing fails in %s there; there is nothing to minimise"
                           : "%s: passes there%s; there is nothing to minimise",
                  path, check);
        return command_error(command, &error);
    }
    if (trials_again(trials, failing, REPEATS - 1, &again))
        return say_stopped(command, trials, path, 1 + again);
    if (again == REPEATS - 1)
        return EXIT_PASS;
    error_set(
        &error, ERROR_RULE,
        "%s: fails at random: %u of %d times in the same way (%s); what is left out cannot be "
        "told from luck",
        path, 1 + again, REPEATS, trials->wanted.sentence);
    return command_error(command, &error);
}

static void say(const struct options *options, const struct trials *trials, size_t left,
                size_t rounds, bool is_spent)
{
    static const char *const endings[FILES] = {".yaml", ".expect", ".shoe"};

    if (options->json)
        return;
    fprintf(stderr, "%zu of %zu round%s left after %ju trial%s of %ju round%s%s\n", left, rounds,
            rounds == 1 ? "" : "s", (uintmax_t)trials->played, trials->played == 1 ? "" : "s",
            (uintmax_t)trials->rounds, trials->rounds == 1 ? "" : "s",
            trials_stopped(trials) ? ", when it was stopped"
            : is_spent             ? ", which is all that --budget allows"
                                   : "");
    for (unsigned i = 0; i < FILES && options->output; i++) {
        fputs("minimised: ", stderr);
        plain_text(stderr, options->name);
        fprintf(stderr, "%s\n", endings[i]);
    }
}

static void say_json(const struct options *options, const struct trials *trials, size_t left,
                     size_t rounds)
{
    static const char *const endings[FILES] = {".shoe", ".expect", ".yaml"};
    struct json_print print = {.out = stdout};
    char path[PATH_MAX + sizeof ".expect"];

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "failure", trials->wanted.sentence);
    json_print_integer(&print, "rounds", (int64_t)left);
    json_print_integer(&print, "of", (int64_t)rounds);
    json_print_integer(&print, "trials", (int64_t)trials->played);
    json_print_integer(&print, "rounds-played", (int64_t)trials->rounds);
    json_print_bool(&print, "stopped", trials_stopped(trials));
    json_print_open(&print, "files", "[]");
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s%s", options->name, endings[i]);
        json_print_text(&print, NULL, path);
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    json_print_end(&print);
}

/* Plays what was written once more: 1 where it fails so, 0 where not, or an error. */
static int play_written(struct trials *trials, const struct failing_case *failing,
                        const struct options *options, struct error *error)
{
    static const struct together_file files[] = {{".yaml", NULL, 0}, {".shoe", NULL, 0}};
    char paths[2][PATH_MAX];
    unsigned failed;

    if (!options->output) {
        int status = trials_again(trials, failing, 1, &failed);

        return status ? status : (int)failed;
    }
    for (unsigned i = 0; i < 2; i++)
        if (together_path(options->name, &files[i], paths[i], sizeof paths[i], error))
            return error->code;
    return trials_written(trials, paths[0], paths[1], error);
}

/* Nobody is to find out later that what was written does not fail. */
static int check_written(struct trials *trials, const struct failing_case *failing,
                         const struct options *options, const char *path, struct error *error)
{
    int status = play_written(trials, failing, options, error);

    if (status > 0 || status == ERROR_ABORTED)
        return 0;
    if (status < 0)
        return status;
    return error_set(error, ERROR_RULE,
                     "%s: what was written was played once more, and does not fail as this did "
                     "(%s); it may fail at random: do not rely on it",
                     path, trials->wanted.sentence);
}

/* The recording that is played ends with its round, and what is smallest so far is written. */
static void stop(void *context, unsigned times)
{
    (void)times;
    atomic_store((atomic_bool *)context, true);
}

/* Neither after `stop` nor when the budget is spent is anything played any more. */
static int finish(const struct command *command, const struct options *options,
                  struct trials *trials, const struct failing_case *failing, const char *path,
                  size_t rounds)
{
    bool can = trials_can(trials, failing->count);
    struct error error;
    int status = save_case(trials, failing, options, &error);

    if (status)
        return command_error(command, &error);
    if (can)
        status = check_written(trials, failing, options, path, &error);
    say(options, trials, failing->count, rounds, !can);
    if (status)
        return command_error(command, &error);
    if (options->json)
        say_json(options, trials, failing->count, rounds);
    return trials_stopped(trials) ? EXIT_ABORTED : EXIT_PASS;
}

static int minimise_case(const struct command *command, const struct options *options,
                         struct trials *trials, struct failing_case *failing, const char *path)
{
    size_t rounds = failing->count;
    struct error error;
    char *moved;
    int status;

    status = check_rig(options, trials, failing, &error);
    if (!status)
        status = move_rig(trials, failing, options, &moved, &error);
    if (status)
        return command_error(command, &error);
    free(moved); /* that it can be done is known now */
    trials->budget = options->budget;
    status = look(command, options, trials, failing, path);
    if (status)
        return status;
    if (!options->json) {
        plain_text(stderr, path);
        fprintf(stderr, ": %s\n", trials->wanted.sentence);
    }
    minimise(trials, failing);
    return finish(command, options, trials, failing, path, rounds);
}

static int run_minimise(const struct command *command, int argc, char **argv)
{
    struct options options = {.seed = 1};
    enum verdict verdict;
    struct interrupt interrupt;
    atomic_bool stopped = false;
    struct failing_case failing;
    struct trials trials;
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command,
                                   names[0] ? "one recording at a time" : "no recording given");
    if (!strcmp(names[0], "-"))
        return command_usage_error(command, "a recording and its .expect are files");
    if (options.check && check_find(options.check) < 0 && !failure_verdict(options.check, &verdict))
        return command_usage_error(
            command,
            "there is no check '%s'; 'dealproof run --list-checks' has them, "
            "and timeout, device and rig are verdicts that it takes too",
            options.check);
    if (options.json && !options.output)
        return command_usage_error(command, "--json says what was written: name it with -o; "
                                            "without it standard output is the recording");
    if (check_output(&options, &error))
        return command_error(command, &error);
    if (interrupt_watch(&interrupt, stop, &stopped, &error))
        return command_error(command, &error);
    if (trials_open(&trials, &failing, options.rig_path, names[0], options.seed, &error)) {
        status = command_error(command, &error);
    } else {
        trials.stop = &stopped;
        status = minimise_case(command, &options, &trials, &failing, names[0]);
    }
    interrupt_release(&interrupt);
    case_free(&failing);
    trials_close(&trials);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {"rig", 0, "FILE", "the rig that it fails on (the emulated one)",
     OPTION_INTO(struct options, rig_path)},
    {"check", 0, "NAME",
     "the check that is to fail, or how a round, or the run after its last, is to end: timeout, "
     "device, rig; what fails first, if it is not said",
     OPTION_INTO(struct options, check)},
    {"output", 'o', "NAME.shoe",
     "write NAME.shoe, NAME.expect and the rig as NAME.yaml; nothing is overwritten (the recording "
     "to standard output)",
     OPTION_INTO(struct options, output)},
    {"seed", 0, "N", "of the emulated devices, as 'dealproof run' has it (1)",
     OPTION_INTO(struct options, seed), 0, UINT64_MAX},
    {"budget", 0, "ROUNDS", "play no more rounds than these; real devices need it",
     OPTION_INTO(struct options, budget), 1, 1000000000},
    {"yes", 'y', NULL, "real devices may be used so often", OPTION_INTO(struct options, yes)},
    {"json", 0, NULL, "with -o: one line of JSON", OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const struct command minimise_command = {
    .name = "minimise",
    .synopsis = "[--rig FILE] [--check NAME] [-o NAME.shoe [--json]] [--seed N]\n"
                "       [--budget ROUNDS --yes] SHOE",
    .summary = "Find the smallest recording that still fails in the same check",
    .about =
        "Plays SHOE on the rig, again and again with less of it: rounds, defects of emulated\n"
        "devices, cards that are burned, seats, wagers, decisions, keys, fields of the header,\n"
        "and lower cards. What is left still fails in the same check, or ends with the same\n"
        "verdict, and no single one of these can be spared. Where emulated devices without\n"
        "defects do not fail so with the whole of SHOE, they do not with what is left of it. What\n"
        "a changed round is expected to come to is settled anew; where the expectation was wrong,\n"
        "it stays wrong. A line that is no round is left out, or kept as it is. The header of a\n"
        "recording that was changed, other than by leaving rounds out, says that no device dealt\n"
        "it and what it was made of. What is written is played once more, while --budget lasts.\n"
        "Nothing is captured. Files that FILE reads, from its own folder, are named in the rig\n"
        "that is left so that they are found from wherever that is written.\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof minimise --rig lying.yaml -o small.shoe evening.shoe\n"
        "  dealproof run --rig small.yaml small.shoe\n"
        "  dealproof minimise --rig lying.yaml --check device -o stuck.shoe evening.shoe\n"
        "  dealproof minimise --rig bench-usb.yaml --budget 500 --yes evening.shoe\n\n"
        "Exit status: 0 made, 1 it fails at random, or what was written does not fail so, 2\n"
        "usage, a recording that does not fail, or real devices without --budget and --yes, 3 a\n"
        "device, 4 the rig or writing failed, 130 interrupted; what was smallest by then is\n"
        "written, once it is known to fail every time.\n",
    .run = run_minimise,
};
REGISTER(commands, minimise_command);
