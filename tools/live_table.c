/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hal/base/json_text.h"
#include "hal/base/utf8.h"
#include "rigs/recording/recorder.h"
#include "tools/ask.h"

#define HEADER_SIZE 8192

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
                                   .by = table->options.by,
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
    size_t stem = strlen(options->output) - strlen(".shoe");

    if (options->setup.show.quiet)
        return;
    if (options->setup.show.json)
        printf("{\"recorded\":%ju}\n", (uintmax_t)rounds);
    else if (rounds)
        printf("recorded: %ju round%s in %s and %.*s.expect\n", (uintmax_t)rounds,
               rounds == 1 ? "" : "s", options->output, (int)stem, options->output);
    else
        printf("recorded: nothing; %s was not made\n", options->output);
}

static int record(const struct command *command, struct live_table *table, const struct rig *rig,
                  char **argv)
{
    struct live_options *options = &table->options;
    const struct recorder_options how = {.force = options->force, .sync = table->is_real};
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

/* A text of an option; one that is no UTF-8 spoils the header. */
static void put_text(struct json_text *header, const char *text)
{
    header->full |= !utf8_is_valid(text);
    json_text_string(header, text);
}

static void put_pairs(struct json_text *header, const struct live_pair pairs[LIVE_PAIRS])
{
    for (size_t i = 0; i < LIVE_PAIRS && pairs[i].name; i++) {
        const char *value = pairs[i].value;

        json_text_raw(header, ",", i > 0);
        put_text(header, pairs[i].name);
        JSON_TEXT_PUT(header, ":");
        if (!strcmp(value, "true") || !strcmp(value, "false"))
            json_text_raw(header, value, strlen(value));
        else
            put_text(header, value);
    }
}

/* What is played as the first line of a recording; false when a text in it is no UTF-8. */
static bool make_header(const struct live_options *options, const struct rig *rig,
                        char line[HEADER_SIZE])
{
    struct json_text header;

    json_text_begin(&header, line, HEADER_SIZE - 1);
    JSON_TEXT_PUT(&header, "{\"shoe\":1,\"game\":");
    put_text(&header, options->game);
    JSON_TEXT_PUT(&header, ",\"deal\":");
    put_text(&header, options->deal                                 ? options->deal
                      : rig->devices.shuffler || !rig->devices.shoe ? "packets"
                                                                    : "cards");
    JSON_TEXT_PUT(&header, ",\"burn\":");
    json_text_unsigned(&header, options->burn);
    JSON_TEXT_PUT(&header, ",\"tables\":{");
    put_pairs(&header, options->tables);
    JSON_TEXT_PUT(&header, "},\"rules\":{");
    put_pairs(&header, options->rules);
    JSON_TEXT_PUT(&header, "}}");
    *header.at = '\0';
    return !header.full;
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

static int play_table(const struct command *command, struct live_table *table,
                      const struct rig *rig, char **argv)
{
    struct live_options *options = &table->options;
    struct observation *observation = &options->observation;
    struct error error;
    char header[HEADER_SIZE];
    int status;

    table->is_real = rig->clock == RIG_CLOCK_REAL;
    table->devices = kind_of_devices(rig);
    if (!table->is_real && !observation->rounds)
        return command_usage_error(command, "time is virtual on this rig and rounds come in "
                                            "thousands a second: say how many, --rounds N");
    if (!make_header(options, rig, header))
        return command_usage_error(command, "an option is too long, or holds what is no UTF-8");
    observation->header = header;
    observation->bets = options->bets;
    observation->seed = options->setup.orders.seed;
    observation->pause = (uint32_t)(options->pause_seconds * 1000);
    if (check_table(options, rig, &error) || run_setup_reports(&options->setup, &error))
        status = command_error(command, &error);
    else
        status =
            options->output ? record(command, table, rig, argv) : play(command, table, rig, argv);
    return status;
}

/* Who can answer a question. */
static unsigned find_sides(const struct live_options *options)
{
    return ask_side(options->questions) | (options->setup.page.listen ? DESK_PAGE : 0);
}

/* With somebody at the desk, who is asked what the players decide. */
static int play_asked(const struct command *command, struct live_table *table,
                      const struct rig *rig, char **argv)
{
    struct live_options *options = &table->options;
    unsigned sides = find_sides(options);
    struct desk *desk;
    struct ask *ask = NULL;
    struct error error;
    int status;

    if (!sides)
        return command_usage_error(command, "--play ask: nobody is there to answer; use a "
                                            "terminal, --page or --questions json");
    desk = desk_new(&error);
    if (!desk)
        return command_error(command, &error);
    desk_sides(desk, sides);
    status = sides & (DESK_TERMINAL | DESK_SCRIPT)
                 ? ask_open(&ask, desk, sides & DESK_SCRIPT ? DESK_SCRIPT : DESK_TERMINAL,
                            options->by, &options->setup.show, &error)
                 : 0;
    options->setup.desk = options->observation.desk = desk;
    options->observation.answer_limit = (uint32_t)(options->answer_seconds * 1000);
    options->setup.show.json |= options->questions != NULL;
    status = status ? command_error(command, &error) : play_table(command, table, rig, argv);
    ask_close(ask);
    desk_free(desk);
    return status;
}

static int run_with(const struct command *command, int argc, char **argv, bool records,
                    struct live_table *table)
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
    if (!table->options.asks && (table->options.questions || table->options.answer_seconds))
        return command_usage_error(command,
                                   "--questions and --answer-limit are for --play ask alone");
    if (run_setup_rig(&table->options.setup, &rig, &error))
        return command_error(command, &error);
    status = table->options.asks ? play_asked(command, table, rig, argv)
                                 : play_table(command, table, rig, argv);
    rig_free(rig);
    return status;
}

int live_table_run(const struct command *command, int argc, char **argv, bool records)
{
    struct live_table table = {.options = {.setup = RUN_SETUP}};

    return run_with(command, argc, argv, records, &table);
}
