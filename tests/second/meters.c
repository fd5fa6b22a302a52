/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/meters.h"

#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/cards.h"

#define DOLLAR       1000000u
#define HIGHEST      (1000000000ull * DOLLAR)
#define HIGHEST_RATE 10000u

struct reader {
    const uint8_t *at;
    size_t left;
    bool short_of;
};

static uint64_t number(struct reader *reader, size_t size)
{
    if (reader->left < size) {
        reader->short_of = true;
        reader->left = 0;
        return 0;
    }
    uint64_t value = bytes_get(reader->at, size);
    reader->at += size;
    reader->left -= size;
    return value;
}

static void text(struct reader *reader, char *to, size_t longest)
{
    size_t size = (size_t)number(reader, 1);
    for (size_t i = 0; i < size; i++) {
        char character = (char)number(reader, 1);
        if (i < longest)
            to[i] = character;
    }
    to[size < longest ? size : longest] = '\0';
}

static void parse_must_hit(struct meters *meters, struct reader *reader, const char *name)
{
    uint32_t rate = (uint32_t)number(reader, 2);
    meters->must_hit = METERS_NONE;
    if (rate == 0)
        return;
    struct meter extra = {.rate = rate};
    strncpy(extra.name, name, METERS_NAME);
    extra.reseed = number(reader, 8);
    meters->ceiling = number(reader, 8);
    extra.value = number(reader, 8);
    if (meters->count < METERS_MAX) {
        meters->must_hit = (uint8_t)meters->count;
        meters->list[meters->count++] = extra;
    } else {
        meters->count = METERS_MAX + 1;
    }
}

bool meters_parse(struct meters *meters, const uint8_t *from, size_t size, const char *must_hit)
{
    struct reader reader = {from, size, false};
    meters->wager = number(&reader, 4);
    meters->rounding = (uint8_t)number(&reader, 1);
    meters->count = (size_t)number(&reader, 1);
    for (size_t i = 0; i < meters->count && i < METERS_MAX; i++) {
        struct meter *meter = &meters->list[i];
        text(&reader, meter->name, METERS_NAME);
        meter->reseed = number(&reader, 8);
        meter->value = number(&reader, 8);
        meter->rate = (uint32_t)number(&reader, 2);
    }
    parse_must_hit(meters, &reader, must_hit);
    meters->hand_count = (size_t)number(&reader, 1);
    for (size_t i = 0; i < meters->hand_count && i < METERS_HANDS; i++) {
        meters->hands[i].meter = (uint8_t)number(&reader, 1);
        meters->hands[i].cents = number(&reader, 4);
    }
    return !reader.short_of && reader.left == 0;
}

static uint64_t contribution(const struct meters *meters, size_t index)
{
    return meters->wager * meters->list[index].rate;
}

static bool must_hit_possible(const struct meters *meters)
{
    if (meters->must_hit == METERS_NONE)
        return true;
    const struct meter *meter = &meters->list[meters->must_hit];
    return meters->ceiling <= HIGHEST && meters->must_hit > 0 &&
           meter->reseed + 7 * contribution(meters, meters->must_hit) <= meters->ceiling &&
           meter->value >= meter->reseed && meter->value <= meters->ceiling;
}

bool meters_possible(const struct meters *meters)
{
    size_t plain = meters->count - (meters->must_hit != METERS_NONE ? 1 : 0);
    if (meters->count > METERS_MAX || plain == 0 || meters->rounding > 2 ||
        meters->hand_count == 0 || meters->hand_count > METERS_HANDS)
        return false;
    for (size_t i = 0; i < meters->count; i++)
        if (meters->list[i].rate > HIGHEST_RATE || meters->list[i].value > HIGHEST ||
            meters->list[i].reseed > HIGHEST || meters->list[i].name[0] == '\0')
            return false;
    for (size_t i = 0; i < meters->hand_count; i++) {
        bool pays_meter = meters->hands[i].meter != METERS_NONE;
        if (pays_meter == (meters->hands[i].cents != 0) ||
            (pays_meter && meters->hands[i].meter >= plain))
            return false;
    }
    return must_hit_possible(meters);
}

void meters_contribute(struct meters *meters, uint8_t seats)
{
    unsigned wagers = (unsigned)__builtin_popcount(seats);
    if (lies_deed(meters->lies, "contribution-of-one-more"))
        wagers++;
    for (size_t i = 0; i < meters->count; i++) {
        uint64_t share = contribution(meters, i);
        if (i == 0 && lies_deed(meters->lies, "rate-wrong-by-a-basis-point"))
            share += meters->wager;
        meters->list[i].value += wagers * share;
        if (i == 1 && lies_deed(meters->lies, "second-meter-not-fed"))
            meters->list[i].value -= wagers * share;
    }
    if (lies_deed(meters->lies, "meter-a-millionth-more"))
        meters->list[0].value++;
}

uint64_t meters_due(const struct meters *meters, uint8_t hand)
{
    uint8_t index = meters->hands[hand].meter;
    if (index == METERS_NONE)
        return meters->hands[hand].cents;
    uint64_t value = meters->list[index].value;
    uint8_t rounding = meters->rounding;
    if (lies_deed(meters->lies, "rounding-other-way"))
        rounding = rounding == 1 ? 2 : 1;
    if (rounding == 0)
        return value / METERS_A_CENT;
    uint64_t extra = rounding == 1 ? DOLLAR - 1 : DOLLAR / 2;
    if (lies_deed(meters->lies, "half-goes-down"))
        extra--;
    return (value + extra) / DOLLAR * 100;
}

void meters_pay(struct meters *meters, uint8_t hand)
{
    uint8_t index = meters->hands[hand].meter;
    if (index == METERS_NONE)
        return;
    struct meter *meter = &meters->list[index];
    uint64_t fraction = meters->rounding == 0 ? meter->value % METERS_A_CENT : 0;
    if (lies_deed(meters->lies, "fraction-lost"))
        fraction = 0;
    if (lies_deed(meters->lies, "meter-not-reseeded"))
        return;
    meter->value = meter->reseed + fraction;
    if (lies_deed(meters->lies, "reseed-a-cent-short"))
        meter->value -= METERS_A_CENT;
    if (lies_deed(meters->lies, "wrong-meter-reseeded"))
        meters->list[(index + 1u) % meters->count].value += METERS_A_CENT;
}

void meters_draw_target(struct meters *meters, uint64_t above)
{
    if (meters->must_hit == METERS_NONE || above >= meters->ceiling) {
        meters->target = meters->ceiling;
        return;
    }
    meters->target = above + 1 + cards_chance(&meters->chance, meters->ceiling - above);
}

uint64_t meters_pay_must_hit(struct meters *meters)
{
    struct meter *meter = &meters->list[meters->must_hit];
    uint64_t value = meter->value < meters->ceiling ? meter->value : meters->ceiling;
    uint64_t cents = value / METERS_A_CENT;
    if (lies_deed(meters->lies, "must-hit-above-ceiling"))
        cents = meter->value / METERS_A_CENT + 1;
    if (lies_deed(meters->lies, "must-hit-a-cent-short"))
        cents--;
    uint64_t rest = meter->value - cents * METERS_A_CENT;
    if (lies_deed(meters->lies, "must-hit-rest-lost"))
        rest = 0;
    meter->value = meter->reseed + rest;
    if (lies_deed(meters->lies, "must-hit-reset-wrong"))
        meter->value += METERS_A_CENT;
    meters_draw_target(meters, meter->reseed);
    return cents;
}

size_t meters_put(const struct meters *meters, uint8_t *to)
{
    size_t at = 2;
    to[0] = (uint8_t)meters->count;
    to[1] = meters->must_hit;
    for (size_t i = 0; i < meters->count; i++) {
        size_t size = strlen(meters->list[i].name);
        to[at++] = (uint8_t)size;
        memcpy(to + at, meters->list[i].name, size);
        at += size;
        bytes_put(to + at, meters->list[i].value, 8);
        at += 8;
    }
    return at;
}
