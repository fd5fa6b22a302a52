/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every device of a rig to rest and out of test mode. */
#include <stdio.h>

#include "rigs/bench/rest.h"
#include "tools/json_print.h"
#include "tools/options.h"
#include "tools/others.h"

/* What a shuffle and somebody who takes a packet may need. */
static int64_t patience(const struct rig *rig)
{
    return (int64_t)rig->timing.shuffle + rig->timing.take;
}

static const char *deed(const struct bench_rest *rest, int status)
{
    return *rest->done ? rest->done : status ? "nothing was done" : "nothing had to be done";
}

static void say(const char *name, const struct bench_rest *rest, int status)
{
    if (*rest->found)
        printf("%s: %s; %s\n", name, rest->found, deed(rest, status));
}

static void say_json(const char *name, const struct bench_rest *rest, int status,
                     const struct error *error)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "device", name);
    json_print_bool(&print, "at-rest", !status);
    json_print_text(&print, "found", *rest->found ? rest->found : NULL);
    json_print_text(&print, "done", *rest->found ? deed(rest, status) : NULL);
    json_print_text(&print, "why", status ? error->text : NULL);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

/* The status of the device; a failure is told on standard error. */
static int reset_device(const struct command *command, struct bench *bench,
                        const struct bench_device *device, bool json)
{
    struct bench_rest rest = {.leaves_test_mode = true, .wait = patience(bench->rig)};
    struct error error = device->error;
    int status = device->status;

    if (!status)
        status = bench_rest(bench, device, &rest, &error);
    if (json)
        say_json(device->name, &rest, status, &error);
    else
        say(device->name, &rest, status);
    if (status && !device->status)
        error_prefix(&error, "%s", device->name);
    if (status)
        command_error(command, &error);
    return status;
}

static int reset_bench(const struct command *command, struct bench *bench, bool json)
{
    const struct bench_device *device;
    int status = EXIT_PASS;

    for (unsigned i = 0; (device = bench_device(bench, i)); i++)
        if (reset_device(command, bench, device, json))
            status = EXIT_DEVICE;
    return status;
}

static int reset_rig(const struct command *command, const char *path, bool json)
{
    struct error error;
    struct bench bench;
    struct rig *rig;
    int status;

    if (rig_load(&rig, path, &error))
        return command_error(command, &error);
    /* What the last run has captured stays. */
    rig->capture[0] = '\0';
    others_warn_of_rig(command->name, rig);
    if (bench_try(&bench, rig, 1, &error)) {
        rig_free(rig);
        return command_error(command, &error);
    }
    status = reset_bench(command, &bench, json);
    bench_close(&bench, NULL);
    rig_free(rig);
    return command_finish(command, status);
}

struct options {
    const char *rig;
    bool json;
};

static const struct option_row rows[] = {
    {"rig", 0, "FILE", "the bench to reset", OPTION_INTO(struct options, rig)},
    {"json", 0, NULL, "a line of JSON for each device", OPTION_INTO(struct options, json)},
    OPTIONS_END};

static int run_reset(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command, "unknown argument '%s'", *names);
    if (!options.rig)
        return command_usage_error(command, "no rig given; name one by --rig FILE");
    return reset_rig(command, options.rig, options.json);
}

static const struct command reset = {
    .name = "reset",
    .synopsis = "--rig FILE [--json]",
    .summary = "Take every device of a rig to rest and out of test mode",
    .about = "For a bench that a run was cut off on, or that somebody left as it is. A shuffler "
             "has its\n"
             "deck returned, a shoe is locked, errors are cleared, the terminal's round is "
             "cancelled, or\n"
             "ended where a jackpot was paid in it, lamps go out and actuators are drawn back. "
             "Then the\n"
             "device leaves test mode. A line for each says what it was doing and what was done.\n"
             "\n"
             "A shuffler that deals is waited for; somebody may have to take a packet. An award "
             "that was\n"
             "approved outside test mode is left to people. Meters stay as they are.\n",
    .options = rows,
    .help = "Example:\n"
            "  dealproof reset --rig rigs/bench-usb.yaml\n\n"
            "Exit status: 0 all are at rest, 2 usage or rig file, 3 a device is not, or is not\n"
            "there; the others were reset all the same.\n",
    .run = run_reset,
};
REGISTER(commands, reset);
