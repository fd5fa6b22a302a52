/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/start.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/policy.h"
#include "hal/base/json_fields.h"
#include "tools/options.h"

void station_start_add(struct station_start *start, const char *argument)
{
    char *copy = start->count < STATION_ARGUMENTS ? strdup(argument) : NULL;

    if (copy)
        start->arguments[start->count++] = copy;
    else
        start->is_short = true;
}

int station_start_finish(struct station_start *start, struct error *error)
{
    if (start->chosen)
        station_start_add(start, "--");
    JSON_EACH (recording, start->chosen)
        station_start_add(start, json_chars(recording));
    start->arguments[start->count] = NULL;
    return start->is_short ? error_set(error, ERROR_RIG, "no memory for the order") : 0;
}

void station_start_clear(struct station_start *start)
{
    while (start->count)
        free(start->arguments[--start->count]);
}

void station_start_add_two(struct station_start *start, const char *option, const char *value)
{
    station_start_add(start, option);
    station_start_add(start, value);
}

/* An option that is a number of the order, where it has one. */
static int add_number(struct station_start *start, const struct json_value *order, const char *name,
                      int64_t most, struct error *error)
{
    const struct json_value *value = json_member(order, name);
    char option[16], text[24];
    int64_t number;

    if (!value)
        return 0;
    if (field_number(value, name, 1, most, &number, error))
        return ERROR_RULE;
    snprintf(option, sizeof option, "--%s", name);
    snprintf(text, sizeof text, "%" PRId64, number);
    station_start_add_two(start, option, text);
    return 0;
}

static int add_seed(struct station_start *start, const struct json_value *order,
                    struct error *error)
{
    const struct json_value *value = json_member(order, "seed");
    const char *text;
    uint64_t seed;

    if (!value)
        return 0;
    if (field_text(value, "seed", &text, error))
        return ERROR_RULE;
    if (options_number("seed", text, 0, UINT64_MAX, &seed, error))
        return error_set(error, ERROR_CONFIG, "seed is '%.40s'; it must be from 0 to %ju", text,
                         (uintmax_t)UINT64_MAX);
    station_start_add_two(start, "--seed", text);
    return 0;
}

/* A recording of the list, or a folder that holds some of it. */
static bool is_known(const struct recording_list *recordings, const char *path)
{
    size_t length = strlen(path);

    for (size_t i = 0; i < recordings->count; i++)
        if (!strncmp(recordings->paths[i], path, length) &&
            (!recordings->paths[i][length] || (length && recordings->paths[i][length] == '/')))
            return true;
    return false;
}

static int read_run(struct station_start *start, const struct json_value *order,
                    struct error *error)
{
    static const char *const known[] = {"do",     "by",   "command", "recordings",
                                        "repeat", "seed", NULL};
    const struct json_value *recordings = json_member(order, "recordings");
    const char *path;

    if (fields_known(order, "an order to run", known, error) ||
        field_array(recordings, "recordings", error) ||
        add_number(start, order, "repeat", 1000000, error))
        return ERROR_RULE;
    if (!json_count(recordings))
        return error_set(error, ERROR_CONFIG, "recordings names none; there is nothing to play");
    JSON_EACH (recording, recordings) {
        if (field_text(recording, "a recording", &path, error))
            return ERROR_RULE;
        if (!is_known(start->recordings, path))
            return error_set(error, ERROR_CONFIG, "'%.200s' is no recording of this station", path);
    }
    start->chosen = recordings;
    return 0;
}

static int add_game(struct station_start *start, const char *game, const char *play,
                    struct error *error)
{
    const struct game *found = game_find(game);
    int policy = policy_find(play);

    if (!found)
        return error_set(error, ERROR_CONFIG, "there is no game '%.60s'", game);
    start->asks |= !strcmp(play, "ask");
    if (strcmp(play, "ask") != 0 && policy < 0)
        return error_set(error, ERROR_CONFIG,
                         "play is '%.60s'; it must be ask, plain, bet, late, fold or random", play);
    if (strcmp(play, "ask") != 0 && policy_check((enum policy)policy, found, error))
        return ERROR_CONFIG;
    station_start_add_two(start, "--game", game);
    station_start_add_two(start, "--play", play);
    return 0;
}

static int read_table(struct station_start *start, const struct json_value *order,
                      struct error *error)
{
    static const char *const known[] = {"do",   "by",     "command", "game",
                                        "play", "rounds", "seed",    NULL};
    const struct json_value *play = json_member(order, "play");
    const char *game, *how = "plain";

    if (fields_known(order, "an order to observe", known, error) ||
        field_text(json_member(order, "game"), "game", &game, error) ||
        (play && field_text(play, "play", &how, error)) ||
        add_number(start, order, "rounds", 1000000000, error))
        return ERROR_RULE;
    if (start->rig->clock == RIG_CLOCK_VIRTUAL && !json_member(order, "rounds"))
        return error_set(error, ERROR_CONFIG,
                         "time is virtual on this rig and rounds come in thousands a second: say "
                         "how many, in rounds");
    return add_game(start, game, how, error);
}

int station_start_read(struct station_start *start, const struct json_value *order,
                       struct error *error)
{
    const char *command;
    int status;

    start->count = 0;
    if (field_text(json_member(order, "command"), "command", &command, error))
        return ERROR_RULE;
    start->records = !strcmp(command, "record");
    if (strcmp(command, "run") && strcmp(command, "observe") && !start->records)
        return error_set(error, ERROR_CONFIG,
                         "command is '%.60s'; it must be run, observe or record", command);
    station_start_add(start, "dealproof");
    station_start_add(start, command);
    start->asks = rig_asks(start->rig);
    status = add_seed(start, order, error);
    if (!status)
        status = strcmp(command, "run") ? read_table(start, order, error)
                                        : read_run(start, order, error);
    if (!status && start->asks)
        station_start_add_two(start, "--questions", "orders");
    if (status)
        station_start_clear(start);
    return status;
}
