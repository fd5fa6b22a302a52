/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact meters: integers in millionths of a dollar, from the wager to the payment. */
#include "devices/terminal/open/device.h"
#include "hal/base/random.h"

static bool is_must_hit(const struct terminal_memory *memory, unsigned meter)
{
    return meter == memory->config.meter_count;
}

static uint64_t draw_below(uint64_t *random, uint64_t count)
{
    uint64_t fair = UINT64_MAX - UINT64_MAX % count, drawn;

    do
        drawn = random_next(random);
    while (drawn >= fair);
    return drawn % count;
}

/* Each value above `from` up to the ceiling is as likely as any other. */
static void draw_target(struct terminal_memory *memory, uint64_t from)
{
    uint64_t hit_by = memory->config.must_hit.hit_by;

    memory->target = from < hit_by ? from + 1 + draw_below(&memory->random, hit_by - from) : hit_by;
}

/* A meter that stands somewhere has not been hit below: its target is above. */
void terminal_bank_set(struct terminal_memory *memory, unsigned meter, uint64_t value)
{
    memory->meters[meter] = value;
    if (is_must_hit(memory, meter))
        draw_target(memory, value);
}

void terminal_bank_open(struct terminal_memory *memory)
{
    const struct terminal_config *config = &memory->config;

    for (unsigned i = 0; i < config->meter_count; i++)
        terminal_bank_set(memory, i, config->meters[i].opening);
    if (terminal_config_has_must_hit(config))
        terminal_bank_set(memory, config->meter_count, config->must_hit.opening);
}

uint64_t terminal_bank_due(const struct terminal_memory *memory, unsigned meter)
{
    const struct terminal_config *config = &memory->config;
    uint64_t value = memory->meters[meter];
    const uint64_t dollar = TERMINAL_MICROS_PER_DOLLAR;

    if (is_must_hit(memory, meter)) {
        if (value > config->must_hit.hit_by)
            value = config->must_hit.hit_by;
    } else if (config->rounding == TERMINAL_ROUND_UP) {
        value = (value + dollar - 1) / dollar * dollar;
    } else if (config->rounding == TERMINAL_ROUND_NEAREST) {
        value = (value + dollar / 2) / dollar * dollar;
    }
    return value / TERMINAL_MICROS_PER_CENT;
}

uint64_t terminal_bank_hand_due(const struct terminal_memory *memory)
{
    const struct terminal_hand *hand = &memory->config.hands[memory->hand];

    return hand->meter == TERMINAL_NONE ? hand->cents : terminal_bank_due(memory, hand->meter);
}

void terminal_bank_pay(struct terminal_memory *memory, unsigned meter)
{
    const struct terminal_config *config = &memory->config;
    uint64_t *value = &memory->meters[meter];

    if (is_must_hit(memory, meter)) {
        *value -= terminal_bank_due(memory, meter) * TERMINAL_MICROS_PER_CENT;
        *value += config->must_hit.reset;
        draw_target(memory, config->must_hit.reset);
        return;
    }
    if (config->rounding == TERMINAL_ROUND_CENTS)
        *value -= terminal_bank_due(memory, meter) * TERMINAL_MICROS_PER_CENT;
    else
        *value = 0;
    *value += config->meters[meter].reseed;
}

/* Cents times basis points are millionths of a dollar. */
static void add_share(uint64_t *value, uint64_t wagered, unsigned rate)
{
    *value += wagered * rate;
    if (*value > TERMINAL_METER_MAX)
        *value = TERMINAL_METER_MAX;
}

void terminal_bank_contribute(struct terminal_memory *memory, unsigned wagers)
{
    const struct terminal_config *config = &memory->config;
    uint64_t wagered = (uint64_t)wagers * config->wager;

    for (unsigned i = 0; i < config->meter_count; i++)
        add_share(&memory->meters[i], wagered, config->meters[i].rate);
    if (terminal_config_has_must_hit(config))
        add_share(&memory->meters[config->meter_count], wagered, config->must_hit.rate);
}

bool terminal_bank_must_hit_due(const struct terminal_memory *memory)
{
    return memory->meters[memory->config.meter_count] >= memory->target;
}

bool terminal_bank_must_hit_over(const struct terminal_memory *memory)
{
    return memory->meters[memory->config.meter_count] > memory->config.must_hit.hit_by;
}

unsigned terminal_bank_draw_seat(struct terminal_memory *memory, uint8_t seats)
{
    uint64_t skip = draw_below(&memory->random, (uint64_t)__builtin_popcount(seats));

    while (skip--)
        seats &= (uint8_t)(seats - 1);
    return (unsigned)__builtin_ctz(seats);
}
