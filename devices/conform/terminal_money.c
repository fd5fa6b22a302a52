/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meters as the page has them, computed here and not by the model. */
#include "devices/conform/terminal.h"

#define MICROS_PER_CENT UINT64_C(10000)
#define MICROS          UINT64_C(1000000)

static uint8_t *put_text(uint8_t *at, const char *text)
{
    size_t length = strlen(text);

    *at++ = (uint8_t)length;
    memcpy(at, text, length);
    return at + length;
}

static uint8_t *put64(uint8_t *at, uint64_t value)
{
    wire_put64(at, value);
    return at + 8;
}

static uint8_t *put16(uint8_t *at, unsigned value)
{
    wire_put16(at, value);
    return at + 2;
}

size_t conform_terminal_put_config(const struct terminal_config *config, const char *code,
                                   uint8_t *payload)
{
    uint8_t *at = put_text(payload, code);

    wire_put32(at, config->wager);
    at += 4;
    *at++ = (uint8_t)config->rounding;
    *at++ = config->meter_count;
    for (unsigned i = 0; i < config->meter_count; i++) {
        at = put_text(at, config->meters[i].name);
        at = put64(at, config->meters[i].reseed);
        at = put64(at, config->meters[i].opening);
        at = put16(at, config->meters[i].rate);
    }
    at = put16(at, config->must_hit.rate);
    if (config->must_hit.rate) {
        at = put64(at, config->must_hit.reset);
        at = put64(at, config->must_hit.hit_by);
        at = put64(at, config->must_hit.opening);
    }
    *at++ = config->hand_count;
    for (unsigned i = 0; i < config->hand_count; i++) {
        *at++ = config->hands[i].meter;
        wire_put32(at, config->hands[i].cents);
        at += 4;
    }
    return (size_t)(at - payload);
}

/* Cents times basis points are millionths of a dollar. */
void conform_terminal_contribute(struct conform_terminal_follow *follow, unsigned wagers)
{
    const struct terminal_config *config = &follow->config;
    uint64_t wagered = (uint64_t)wagers * config->wager;

    for (unsigned i = 0; i < config->meter_count; i++)
        follow->now.meters[i] += wagered * config->meters[i].rate;
    if (config->must_hit.rate)
        follow->now.meters[config->meter_count] += wagered * config->must_hit.rate;
}

static uint64_t meter_due(const struct conform_terminal_follow *follow, unsigned meter)
{
    uint64_t value = follow->now.meters[meter], dollars = value / MICROS, rest = value % MICROS;

    if (follow->config.rounding == TERMINAL_ROUND_UP)
        return (dollars + (rest > 0)) * 100;
    if (follow->config.rounding == TERMINAL_ROUND_NEAREST)
        return (dollars + (rest >= MICROS / 2)) * 100;
    return value / MICROS_PER_CENT;
}

uint64_t conform_terminal_due(const struct conform_terminal_follow *follow, unsigned hand)
{
    const struct terminal_hand *paid = &follow->config.hands[hand % TERMINAL_HANDS_MAX];

    return paid->meter == TERMINAL_NONE ? paid->cents : meter_due(follow, paid->meter);
}

void conform_terminal_pay(struct conform_terminal_follow *follow, unsigned meter)
{
    uint64_t fraction = follow->config.rounding == TERMINAL_ROUND_CENTS
                            ? follow->now.meters[meter] % MICROS_PER_CENT
                            : 0;

    follow->now.meters[meter] = follow->config.meters[meter].reseed + fraction;
}

uint64_t conform_terminal_must_hit_due(const struct conform_terminal_follow *follow)
{
    uint64_t value = follow->now.meters[follow->config.meter_count];
    uint64_t ceiling = follow->config.must_hit.hit_by;

    return (value < ceiling ? value : ceiling) / MICROS_PER_CENT;
}

void conform_terminal_pay_must_hit(struct conform_terminal_follow *follow)
{
    uint64_t *value = &follow->now.meters[follow->config.meter_count];

    *value = *value - conform_terminal_must_hit_due(follow) * MICROS_PER_CENT +
             follow->config.must_hit.reset;
}
