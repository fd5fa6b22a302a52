/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/config.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define DOLLARS(n) ((uint64_t)(n)*TERMINAL_MICROS_PER_DOLLAR)
#define METER(name, dollars, rate)                                                                 \
    {                                                                                              \
        name, DOLLARS(dollars), DOLLARS(dollars), rate                                             \
    }
#define PAYS_METER(name, index)                                                                    \
    {                                                                                              \
        name, index, 0                                                                             \
    }
#define PAYS_DOLLARS(name, dollars)                                                                \
    {                                                                                              \
        name, TERMINAL_NONE, (dollars)*100                                                         \
    }

/* Progressive controllers as they are sold: one that pays cents, one that pays whole dollars. */
static const struct terminal_config four_meters = {
    .wager = 500,
    .rounding = TERMINAL_ROUND_CENTS,
    .meter_count = 4,
    .meters = {METER("star", 10000, 200), METER("spade", 2500, 500), METER("heart", 1000, 500),
               METER("diamond", 500, 500)},
    .hand_count = 8,
    .hands = {PAYS_METER("7-card straight flush", 0), PAYS_METER("6-card straight flush", 1),
              PAYS_METER("A-K-Q-J-10 suited", 2), PAYS_METER("5-card straight flush", 3),
              PAYS_DOLLARS("A-K-Q-J suited", 250), PAYS_DOLLARS("4-card straight flush", 150),
              PAYS_DOLLARS("A-K-Q suited", 100), PAYS_DOLLARS("3-card straight flush", 25)},
};

static const struct terminal_config five_meters = {
    .wager = 500,
    .rounding = TERMINAL_ROUND_UP,
    .meter_count = 5,
    .meters = {METER("1", 5000, 500), METER("2", 250, 400), METER("3", 250, 400),
               METER("4", 250, 400), METER("5", 250, 400)},
    .hand_count = 10,
    .hands = {PAYS_METER("natural royal flush in spades", 0),
              PAYS_METER("catch straight flush in spades", 1),
              PAYS_METER("catch straight flush in diamonds", 2),
              PAYS_METER("catch straight flush in hearts", 3),
              PAYS_METER("catch straight flush in clubs", 4),
              PAYS_DOLLARS("natural royal flush", 1000),
              PAYS_DOLLARS("natural straight flush", 100),
              PAYS_DOLLARS("natural three of a kind", 75),
              PAYS_DOLLARS("catch three of a kind", 50), PAYS_DOLLARS("catch straight", 25)},
};

const struct terminal_config *terminal_preset(const char *name)
{
    if (!strcmp(name, "stax"))
        return &four_meters;
    return strcmp(name, "three-card-catch") ? NULL : &five_meters;
}

int terminal_config_hand(const struct terminal_config *config, const char *name)
{
    for (int i = 0; i < config->hand_count; i++)
        if (config->hands[i].name && !strcmp(config->hands[i].name, name))
            return i;
    return -1;
}

static bool is_name(const char *name)
{
    size_t length = strnlen(name, TERMINAL_METER_NAME_MAX + 1);

    for (size_t i = 0; i < length; i++)
        if (!isgraph((unsigned char)name[i]))
            return false;
    return length && length <= TERMINAL_METER_NAME_MAX && strcmp(name, "must-hit") != 0;
}

static int check_meter(const struct terminal_config *config, unsigned index, struct error *error)
{
    const struct terminal_meter_rule *meter = &config->meters[index];

    if (!is_name(meter->name))
        return error_set(error, ERROR_CONFIG,
                         "meter %u: its name must have 1 to %d characters without blanks, and "
                         "'must-hit' is the name of another",
                         index + 1, TERMINAL_METER_NAME_MAX);
    for (unsigned i = 0; i < index; i++)
        if (!strcmp(config->meters[i].name, meter->name))
            return error_set(error, ERROR_CONFIG, "meters %u and %u are both named '%s'", i + 1,
                             index + 1, meter->name);
    if (meter->reseed > TERMINAL_METER_MAX || meter->opening > TERMINAL_METER_MAX)
        return error_set(error, ERROR_CONFIG,
                         "meter %s: reseed %" PRIu64 " and opening %" PRIu64
                         " millionths; no meter may pass 1000000000 dollars",
                         meter->name, meter->reseed, meter->opening);
    if (meter->rate > TERMINAL_RATE_MAX)
        return error_set(error, ERROR_CONFIG, "meter %s: a rate of %u basis points is over %d",
                         meter->name, meter->rate, TERMINAL_RATE_MAX);
    return 0;
}

/*
 * A full table's contribution must fit between reset and ceiling, so that what is carried over a
 * ceiling never passes the next one: there is one award a round.
 */
int terminal_must_hit_check(const struct terminal_must_hit_rule *rule, uint32_t wager,
                            struct error *error)
{
    uint64_t full = (uint64_t)TERMINAL_SEATS * wager * rule->rate;

    if (rule->rate > TERMINAL_RATE_MAX)
        return error_set(error, ERROR_CONFIG, "must-hit: a rate of %u basis points is over %d",
                         rule->rate, TERMINAL_RATE_MAX);
    if (!rule->reset || rule->hit_by <= rule->reset || rule->hit_by > TERMINAL_METER_MAX ||
        rule->hit_by - rule->reset < full)
        return error_set(error, ERROR_CONFIG,
                         "must-hit: reset %" PRIu64 " and hit-by %" PRIu64
                         " millionths; the reset must be above 0, and hit-by at least a full "
                         "round's %" PRIu64 " above it",
                         rule->reset, rule->hit_by, full);
    if (rule->opening < rule->reset || rule->opening > rule->hit_by)
        return error_set(error, ERROR_CONFIG,
                         "must-hit cannot open at %" PRIu64 " millionths, only from %" PRIu64
                         " to %" PRIu64,
                         rule->opening, rule->reset, rule->hit_by);
    return 0;
}

static int check_hand(const struct terminal_config *config, unsigned index, struct error *error)
{
    const struct terminal_hand *hand = &config->hands[index];

    if (hand->meter != TERMINAL_NONE && (hand->meter >= config->meter_count || hand->cents))
        return error_set(error, ERROR_CONFIG,
                         "hand %u pays meter %u and %" PRIu32 " cents; the table has %u meters, "
                         "and a hand pays a meter or cents",
                         index, hand->meter + 1u, hand->cents, config->meter_count);
    if (hand->meter == TERMINAL_NONE && (!hand->cents || hand->cents > TERMINAL_PAYS_MAX))
        return error_set(error, ERROR_CONFIG, "hand %u pays %" PRIu32 " cents, not 1 to %d", index,
                         hand->cents, TERMINAL_PAYS_MAX);
    return 0;
}

int terminal_config_check(const struct terminal_config *config, struct error *error)
{
    if (!config->wager || config->wager > TERMINAL_WAGER_MAX)
        return error_set(error, ERROR_CONFIG, "a wager of %" PRIu32 " cents, not 1 to %d",
                         config->wager, TERMINAL_WAGER_MAX);
    if ((unsigned)config->rounding >= TERMINAL_ROUNDINGS)
        return error_set(error, ERROR_CONFIG, "there is no rounding %u",
                         (unsigned)config->rounding);
    if (!config->meter_count || config->meter_count > TERMINAL_METERS_MAX)
        return error_set(error, ERROR_CONFIG, "%u meters, not 1 to %d", config->meter_count,
                         TERMINAL_METERS_MAX);
    if (!config->hand_count || config->hand_count > TERMINAL_HANDS_MAX)
        return error_set(error, ERROR_CONFIG, "%u hands, not 1 to %d", config->hand_count,
                         TERMINAL_HANDS_MAX);
    for (unsigned i = 0; i < config->meter_count; i++)
        if (check_meter(config, i, error))
            return ERROR_CONFIG;
    for (unsigned i = 0; i < config->hand_count; i++)
        if (check_hand(config, i, error))
            return ERROR_CONFIG;
    if (!terminal_config_has_must_hit(config))
        return 0;
    if (config->meter_count >= TERMINAL_METERS_MAX)
        return error_set(error, ERROR_CONFIG,
                         "must-hit needs a table with four meters or fewer, this one has %u",
                         config->meter_count);
    return terminal_must_hit_check(&config->must_hit, config->wager, error);
}
