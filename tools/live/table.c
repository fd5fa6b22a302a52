/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rigs/recording/recorder.h"
#include "tools/live/header.h"
#include "tools/live/recorded.h"
#include "tools/others.h"
#include "tools/record/from.h"

struct live_table {
    struct live_options options;
    bool is_real;        /* the rig's clock */
    const char *devices; /* as a header has it: "emulated" … */
    struct recorder *recorder;
};

static int write_header(void *context, const struct bench_device *device,
                        const struct recording_header *header, struct error *error)
{
    const struct live_table *table = context;
    bool is_known = device->has_identity;
    char name[2 * WIRE_TEXT_MAX + 2], date[32];
    char decisions[32];
    time_t now = time(NULL);
    struct tm utc;

    snprintf(name, sizeof name, "%s%s%s", is_known ? device->identity.model : device->driver,
             is_known ? " " : "", is_known ? device->identity.serial : "");
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    snprintf(decisions, sizeof decisions, "%s%s", table->options.asks ? "asked" : "policy ",
             table->options.asks ? "" : policy_names[table->options.observation.policy]);
    return recorder_header(
        table->recorder, header,
        &(struct recording_source){.recorded = table->is_real ? date : NULL,
                                   .device = name,
                                   .firmware = is_known ? device->identity.firmware : NULL,
                                   .by = table->options.setup.by,
                                   .note = table->options.note,
                                   .decisions = decisions,
                                   .devices = table->devices},
        error);
}

static int write_round(void *context, const struct round *round, const char *line, size_t length,
                       struct error *error)
{
    const struct live_table *table = context;
    const struct recording_round played = {.round = *round};

    return recorder_round(table->recorder, &played, line, length, error);
}

static int play_rounds(struct runner *runner, const char *path, void *context, struct error *error)
{
    const struct live_table *table = context;

    return runner_observe(runner, path, &table->options.observation, error);
}

static int play(const struct command *command, struct live_table *table, const struct rig *rig,
                char **argv)
{
    struct live_options *options = &table->options;
    char *name = (char *)(options->output ? options->output : "observed");
    const struct recording_list rounds = {.paths = &name, .count = 1};

    options->observation.context = table;
    options->setup.orders.play = play_rounds;
    options->setup.orders.context = table;
    options->setup.orders.until_stopped = !options->observation.rounds;
    options->setup.show.total = options->observation.rounds;
    return run_setup_play(command, &options->setup, rig, &rounds, argv);
}

static void say_recorded(const struct live_options *options, uint64_t rounds)
{
    if (options->setup.show.quiet)
        return;
    if (options->setup.show.json)
        printf("{\"recorded\":%ju}", (uintmax_t)rounds);
    else
        live_say_recorded(options->output, rounds);
    printf("\n");
}

static int record(const struct command *command, struct live_table *table, const struct rig *rig,
                  char **argv)
{
    struct live_options *options = &table->options;
    const struct recorder_options how = {.force = options->setup.force, .sync = table->is_real};
    struct error error;
    uint64_t rounds;
    int status;

    if (recorder_open(&table->recorder, options->output, &how, &error))
        return command_error(command, &error);
    options->observation.opened = write_header;
    options->observation.settled = write_round;
    status = play(command, table, rig, argv);
    rounds = recorder_rounds(table->recorder);
    if (recorder_close(table->recorder, &error)) {
        int failed = command_error(command, &error);

        return status ? status : failed;
    }
    say_recorded(options, rounds);
    return command_finish(command, status);
}

/* Before a device is touched or a file made. */
static int check_table(const struct live_options *options, const struct rig *rig,
                       struct error *error)
{
    struct paytables *paytables;
    int status = rig_paytables(rig, &paytables, error);

    if (!status)
        status = observe_check(rig, paytables, &options->observation, error);
    paytables_free(paytables);
    return status;
}

/* Of all devices of the rig, as the header of a recording has it; NULL where they are real. */
static const char *kind_of_devices(const struct rig *rig)
{
    const struct rig_device *devices[] = {
        rig->devices.shuffler, rig->devices.shoe, rig->devices.terminal,
        rig->devices.sensors ? &rig->devices.sensors->device : NULL};
    bool has_emulated = false, has_real = false;

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        bool is_emulated = devices[i] && rig_is_emulated(devices[i]->address);

        has_emulated |= is_emulated;
        has_real |= devices[i] && !is_emulated;
    }
    return !has_emulated ? NULL : has_real ? "partly emulated" : "emulated";
}

/* From what there is. */
static const char *deal_of(const struct rig *rig)
{
    return rig->devices.shuffler || !rig->devices.shoe ? "packets" : "cards";
}

static int play_table(const struct command *command, struct live_table *table,
                      const struct rig *rig, char **argv)
{
    struct live_options *options = &table->options;
    struct observation *observation = &options->observation;
    struct error error;
    char header[LIVE_HEADER_SIZE];

    table->is_real = rig->clock == RIG_CLOCK_REAL;
    table->devices = kind_of_devices(rig);
    if (!live_header(options, options->deal ? options->deal : deal_of(rig), header))
        return command_usage_error(command, "an option is too long, or holds what is no UTF-8");
    observation->header = header;
    observation->bets = options->bets;
    observation->seed = options->setup.orders.seed;
    observation->pause = (uint32_t)(options->pause_seconds * 1000);
    if (check_table(options, rig, &error))
        return command_error(command, &error);
    if (!table->is_real && !observation->rounds)
        return command_usage_error(command, "time is virtual on this rig and rounds come in "
                                            "thousands a second: say how many, --rounds N");
    if (run_setup_reports(&options->setup, &(struct run_used){.rig = rig}, &error))
        return command_error(command, &error);
    return options->output && !options->setup.again ? record(command, table, rig, argv)
                                                    : play(command, table, rig, argv);
}

/* With somebody at the desk, where people are asked. */
static int play_with_people(const struct command *command, struct live_table *table,
                            const struct rig *rig, char **argv)
{
    struct live_options *options = &table->options;
    int status;

    options->observation.asks = options->asks;
    options->setup.asks = options->asks                      ? "--play ask"
                          : options->observation.asks_wagers ? "--bets ask"
                                                             : NULL;
    options->observation.answer_limit = (uint32_t)(options->answer_seconds * 1000);
    status = run_setup_people(command, &options->setup, rig);
    if (!status)
        status = play_table(command, table, rig, argv);
    run_setup_leave(&options->setup);
    return status;
}

/* The first option that only --from has a use for; NULL: none was given. */
static const char *for_from(const struct live_options *options)
{
    return options->notes      ? "--notes"
           : options->script   ? "--script"
           : options->protocol ? "--protocol"
                               : NULL;
}

/* What was only listened to has no journal, and is played in none. */
static int run_with(const struct command *command, int argc, char **argv, bool records,
                    struct live_table *table, const struct command_again *again)
{
    struct rig *rig;
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &table->options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command, "'%s' is no option", *names);
    if (!table->options.game)
        return command_usage_error(command, "--game is missing; nothing else says what is dealt");
    if (records && !table->options.output)
        return command_usage_error(command, "-o is missing; it names the recording to make");
    if (!table->options.from_count && for_from(&table->options))
        return command_usage_error(command, "%s is for --from alone", for_from(&table->options));
    if (!table->options.asks && table->options.answer_seconds)
        return command_usage_error(command, "--answer-limit is for --play ask alone");
    if (again && table->options.from_count)
        return command_usage_error(command, "nothing was played: a table was listened to");
    if (again && (table->options.asks || table->options.observation.asks_wagers))
        return command_usage_error(command, "people have decided what was played");
    if (again)
        run_setup_again(&table->options.setup, again);
    if (!table->options.from_count &&
        (status = run_setup_force(command, &table->options.setup, names)))
        return status;
    if (run_setup_rig(&table->options.setup, &rig, &error))
        return command_error(command, &error);
    if (!table->options.from_count)
        others_warn_of_rig(command->name, rig);
    status = table->options.from_count ? record_from(command, &table->options, rig)
                                       : play_with_people(command, table, rig, argv);
    rig_free(rig);
    return status;
}

int live_table_run(const struct command *command, int argc, char **argv, bool records)
{
    struct live_table table = {.options = {.setup = RUN_SETUP}};

    return run_with(command, argc, argv, records, &table, NULL);
}

int live_table_again(const struct command *command, int argc, char **argv,
                     const struct command_again *again)
{
    struct live_table table = {.options = {.setup = RUN_SETUP}};

    return run_with(command, argc, argv, false, &table, again);
}
