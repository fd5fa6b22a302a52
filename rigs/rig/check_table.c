/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the table allows: seats, times, limits, meters, Must Hit, reopening. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/terminal/config.h"
#include "games/game.h"
#include "rigs/rig/check.h"

#define MUST_HIT "must-hit"

/* The first game that takes such a wager; NULL when none does. */
static const struct game *find_wagered(const char *name)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++)
        if (game_wager(game, name) >= 0)
            return game;
    return NULL;
}

static int no_such_wager(const struct rig_check *check, const char *where, const char *wager)
{
    const struct game *game;
    struct name_list known;

    name_list_start(&known);
    for (size_t at = 0; (game = game_at(at)); at++)
        for (unsigned i = 0; i < game->wager_count; i++)
            if (find_wagered(game->wagers[i].name) == game)
                name_list_add(&known, game->wagers[i].name);
    return tree_error(check->tree, check->error, where,
                      "no game has a wager '%s'; write " RIG_LIMIT_TOTAL " or one of %s", wager,
                      name_list_text(&known));
}

static int check_limit(const struct rig_check *check, unsigned index)
{
    const struct rig_limit *limits = check->rig->limits, *limit = &limits[index];
    bool is_total = !strcmp(limit->wager, RIG_LIMIT_TOTAL);
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "limits[%u].wager", index + 1);
    if (!find_wagered(limit->wager) && !is_total)
        return no_such_wager(check, where, limit->wager);
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(limits[i].wager, limit->wager))
            return tree_error(check->tree, check->error, where,
                              "the limits of '%s' are here twice; keep one of them", limit->wager);
    snprintf(where, sizeof where, "limits[%u].min", index + 1);
    if (is_total && limit->minimum)
        return tree_error(check->tree, check->error, where,
                          "%u cents; all stakes of a seat together have a maximum only",
                          limit->minimum);
    snprintf(where, sizeof where, "limits[%u].max", index + 1);
    if (limit->maximum && limit->maximum < limit->minimum)
        return tree_error(check->tree, check->error, where,
                          "%u cents; a maximum is not below the minimum (%u cents)", limit->maximum,
                          limit->minimum);
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
    const struct rig_meter *meters = check->rig->meters, *meter = &meters[index];
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "meters[%u].meter", index + 1);
    if (!find_metered(meters, index + 1))
        return tree_error(check->tree, check->error, where,
                          "'%s' is no meter beside those before it; a table has star, spade, "
                          "heart, diamond, or 1 to 5; must-hit goes with the first four",
                          meter->meter);
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(meters[i].meter, meter->meter))
            return tree_error(check->tree, check->error, where,
                              "the meter '%s' is here twice; keep one of them", meter->meter);
    if (!strcmp(meter->meter, MUST_HIT) && !check->rig->must_hit)
        return tree_error(check->tree, check->error, where,
                          "the rig has no Must Hit; give it the field must-hit");
    return 0;
}

static const char *text_of(const struct rig_check *check, const char *where)
{
    return tree_find(check->tree, where)->text;
}

/* What no table and no terminal can have. */
static int check_must_hit(const struct rig_check *check)
{
    const struct rig_must_hit *rule = check->rig->must_hit;
    struct terminal_must_hit_rule must_hit;
    const struct game *game;

    if (!rule)
        return 0;
    if (rule->rate < 1)
        return tree_error(check->tree, check->error, "must-hit.rate",
                          "0 per cent; leave must-hit out for none");
    game = find_metered(check->rig->meters, check->rig->meters_count);
    if (game && game->meter_count == METERS_MAX)
        return tree_error(check->tree, check->error, "must-hit",
                          "the meters are those of %s, which has %d; there is no room for "
                          "Must Hit beside them",
                          game->title, METERS_MAX);
    must_hit = (struct terminal_must_hit_rule){
        .reset = (uint64_t)rule->reset,
        .hit_by = (uint64_t)rule->hit_by,
        .opening = (uint64_t)rule->reset,
        .rate = (uint16_t)rule->rate,
    };
    if (rule->hit_by <= rule->reset)
        return tree_error(check->tree, check->error, "must-hit.hit-by",
                          "%s is not more than the reset value, %s",
                          text_of(check, "must-hit.hit-by"), text_of(check, "must-hit.reset"));
    if (terminal_must_hit_check(&must_hit, game ? (uint32_t)game_progressive_stake(game) : 0, NULL))
        return tree_error(check->tree, check->error, "must-hit",
                          "a meter cannot run from %s to %s at %s per cent: its reset value "
                          "must be above 0, and seven wagers must not fill it in one round",
                          text_of(check, "must-hit.reset"), text_of(check, "must-hit.hit-by"),
                          text_of(check, "must-hit.rate"));
    return 0;
}

static int check_reopen(const struct rig_check *check)
{
    const struct rig_reopen *reopen = check->rig->reopen;

    if (!reopen)
        return 0;
    if (reopen->longest_ms < reopen->first_ms)
        return tree_error(check->tree, check->error, "reopen.longest-ms",
                          "%u ms; it is not below first-ms (%u)", reopen->longest_ms,
                          reopen->first_ms);
    return 0;
}

int rig_check_table(const struct rig_check *check)
{
    int status = 0;

    for (unsigned i = 0; i < check->rig->limits_count && !status; i++)
        status = check_limit(check, i);
    for (unsigned i = 0; i < check->rig->meters_count && !status; i++)
        status = check_meter(check, i);
    if (!status)
        status = check_must_hit(check);
    return status ? status : check_reopen(check);
}
