/* What the table allows: seats, times, limits, meters, Must Hit, reopening. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/terminal/config.h"
#include "games/game.h"
#include "rigs/rig/check.h"

#define HOUR_MS   3600000u
#define TRIES_MAX 1000u
#define MUST_HIT  "must-hit"

static int check_seats(const struct rig_check *check)
{
    if (!yaml_tree_has(check->tree, "seats"))
        check->rig->seats = SEATS_MAX;
    if (check->rig->seats < 1 || check->rig->seats > SEATS_MAX)
        return yaml_tree_error(check->tree, check->error, "seats",
                               "a table of %u seats; it has 1 to %d", check->rig->seats, SEATS_MAX);
    return 0;
}

static int check_timing(const struct rig_check *check)
{
    struct rig_timing *timing = &check->rig->timing;
    const struct {
        const char *where;
        uint32_t *value, standard;
    } fields[] = {
        {"timing.reply", &timing->reply, 1000},   {"timing.shuffle", &timing->shuffle, 60000},
        {"timing.packet", &timing->packet, 5000}, {"timing.take", &timing->take, 60000},
        {"timing.card", &timing->card, 30000},    {"timing.wager", &timing->wager, 500},
        {"timing.light", &timing->light, 500},    {"timing.jackpot", &timing->jackpot, 2000},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!yaml_tree_has(check->tree, fields[i].where))
            *fields[i].value = fields[i].standard;
        if (*fields[i].value < 1 || *fields[i].value > HOUR_MS)
            return yaml_tree_error(check->tree, check->error, fields[i].where,
                                   "%u ms; a time is 1 to %u ms", *fields[i].value, HOUR_MS);
    }
    return 0;
}

/* Whether any game takes such a wager before the deal. */
static bool is_staked(const char *name)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++) {
        int index = game_wager(game, name);

        if (index >= 0 && !game->wagers[index].by_decision)
            return true;
    }
    return false;
}

static int check_limit(const struct rig_check *check, unsigned index)
{
    const struct rig_limit *limits = check->rig->limits, *limit = &limits[index];
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "limits[%u].wager", index + 1);
    if (!is_staked(limit->wager))
        return yaml_tree_error(check->tree, check->error, where,
                               "no game has a wager '%s' that is staked before the deal; write "
                               "ante, x-tra, stax, progressive, same-suit, natural-pair-plus or "
                               "all-or-nothing",
                               limit->wager);
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(limits[i].wager, limit->wager))
            return yaml_tree_error(check->tree, check->error, where,
                                   "the limits of '%s' are here twice; keep one of them",
                                   limit->wager);
    snprintf(where, sizeof where, "limits[%u].max", index + 1);
    if (limit->maximum > STAKE_MAX || (limit->maximum && limit->maximum < limit->minimum))
        return yaml_tree_error(check->tree, check->error, where,
                               "%u cents; a maximum is not below the minimum (%u) and at most "
                               "%" PRId64,
                               limit->maximum, limit->minimum, STAKE_MAX);
    snprintf(where, sizeof where, "limits[%u].min", index + 1);
    if (limit->minimum > STAKE_MAX)
        return yaml_tree_error(check->tree, check->error, where,
                               "%u cents; a minimum is at most %" PRId64, limit->minimum,
                               STAKE_MAX);
    return 0;
}

/* The game with meters of all these names but Must Hit; NULL when there is none. */
static const struct game *find_metered(const struct rig_meter *meters, unsigned count)
{
    const struct game *game;

    for (size_t at = 0; (game = game_at(at)); at++) {
        unsigned known = 0;

        for (unsigned i = 0; i < count; i++) {
            bool is_known = !strcmp(meters[i].meter, MUST_HIT);

            for (unsigned j = 0; j < game->meter_count && !is_known; j++)
                is_known = !strcmp(game->meters[j].name, meters[i].meter);
            known += is_known;
        }
        if (known == count && game->meter_count)
            return game;
    }
    return NULL;
}

static int check_meter(const struct rig_check *check, unsigned index)
{
    struct rig_meter *meters = check->rig->meters, *meter = &meters[index];
    char where[RIG_WHERE_MAX];
    struct error said;

    snprintf(where, sizeof where, "meters[%u].meter", index + 1);
    if (!find_metered(meters, index + 1))
        return yaml_tree_error(check->tree, check->error, where,
                               "'%s' is no meter beside those before it; a table has star, spade, "
                               "heart, diamond, or 1 to 5; must-hit goes with the first four",
                               meter->meter);
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(meters[i].meter, meter->meter))
            return yaml_tree_error(check->tree, check->error, where,
                                   "the meter '%s' is here twice; keep one of them", meter->meter);
    if (!strcmp(meter->meter, MUST_HIT) && !check->rig->must_hit)
        return yaml_tree_error(check->tree, check->error, where,
                               "the rig has no Must Hit; give it the field must-hit");
    snprintf(where, sizeof where, "meters[%u].opening", index + 1);
    if (micros_parse(meter->opening_text, &meter->opening, &said))
        return yaml_tree_error(check->tree, check->error, where, "%s", said.text);
    return 0;
}

static int read_must_hit(const struct rig_check *check)
{
    struct rig_must_hit *rule = check->rig->must_hit;
    const char *where = "must-hit.reset";
    struct error said;
    int status = micros_parse(rule->reset_text, &rule->reset, &said);

    if (!status) {
        where = "must-hit.hit-by";
        status = micros_parse(rule->hit_by_text, &rule->hit_by, &said);
    }
    if (!status) {
        where = "must-hit.rate";
        status = rate_parse(rule->rate_text, &rule->rate, &said);
    }
    if (!status && rule->rate < 1)
        status = error_set(&said, ERROR_CONFIG, "0 per cent; leave must-hit out for none");
    return status ? yaml_tree_error(check->tree, check->error, where, "%s", said.text) : 0;
}

/* What no table and no terminal can have. */
static int check_must_hit(const struct rig_check *check)
{
    const struct rig_must_hit *rule = check->rig->must_hit;
    struct terminal_config config = *terminal_preset("stax");
    const struct game *game;
    int status;

    if (!rule)
        return 0;
    status = read_must_hit(check);
    if (status)
        return status;
    game = find_metered(check->rig->meters, check->rig->meters_count);
    if (game && game->meter_count == METERS_MAX)
        return yaml_tree_error(check->tree, check->error, "must-hit",
                               "the meters are those of %s, which has %d; there is no room for "
                               "Must Hit beside them",
                               game->title, METERS_MAX);
    config.must_hit = (struct terminal_must_hit_rule){
        .reset = (uint64_t)rule->reset,
        .hit_by = (uint64_t)rule->hit_by,
        .opening = (uint64_t)rule->reset,
        .rate = (uint16_t)rule->rate,
    };
    if (rule->hit_by <= rule->reset)
        return yaml_tree_error(check->tree, check->error, "must-hit.hit-by",
                               "%s is not more than the reset value, %s", rule->hit_by_text,
                               rule->reset_text);
    if (terminal_config_check(&config, NULL))
        return yaml_tree_error(check->tree, check->error, "must-hit",
                               "a meter cannot run from %s to %s at %s per cent: its reset value "
                               "must be above 0, and seven wagers must not fill it in one round",
                               rule->reset_text, rule->hit_by_text, rule->rate_text);
    return 0;
}

static int check_reopen(const struct rig_check *check)
{
    const struct rig_reopen *reopen = check->rig->reopen;

    if (!reopen)
        return 0;
    if (reopen->first_ms < 1 || reopen->first_ms > HOUR_MS)
        return yaml_tree_error(check->tree, check->error, "reopen.first-ms",
                               "%u ms; it is 1 to %u ms", reopen->first_ms, HOUR_MS);
    if (reopen->longest_ms < reopen->first_ms || reopen->longest_ms > HOUR_MS)
        return yaml_tree_error(check->tree, check->error, "reopen.longest-ms",
                               "%u ms; it is first-ms (%u) to %u ms", reopen->longest_ms,
                               reopen->first_ms, HOUR_MS);
    if (reopen->tries < 1 || reopen->tries > TRIES_MAX)
        return yaml_tree_error(check->tree, check->error, "reopen.tries", "%u; it is 1 to %u",
                               reopen->tries, TRIES_MAX);
    return 0;
}

int rig_check_table(const struct rig_check *check)
{
    int status = check_seats(check);

    if (!status)
        status = check_timing(check);
    for (unsigned i = 0; i < check->rig->limits_count && !status; i++)
        status = check_limit(check, i);
    for (unsigned i = 0; i < check->rig->meters_count && !status; i++)
        status = check_meter(check, i);
    if (!status)
        status = check_must_hit(check);
    return status ? status : check_reopen(check);
}
