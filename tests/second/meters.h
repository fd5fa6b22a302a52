/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meters of a progressive controller: what CONFIGURE says, contributions, awards, Must Hit.
   Values are millionths of a dollar; nothing is rounded before it is paid. */
#ifndef SECOND_METERS_H
#define SECOND_METERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/second/lies.h"

#define METERS_MAX    5
#define METERS_NAME   8
#define METERS_HANDS  16
#define METERS_NONE   0xff
#define METERS_A_CENT 10000u

struct meter {
    char name[METERS_NAME + 1];
    uint64_t reseed;
    uint64_t value;
    uint32_t rate;
};

struct meters {
    uint64_t wager;
    uint8_t rounding;
    struct meter list[METERS_MAX];
    size_t count;
    uint8_t must_hit;
    uint64_t ceiling;
    uint64_t target;
    struct {
        uint8_t meter;
        uint64_t cents;
    } hands[METERS_HANDS];
    size_t hand_count;
    uint64_t chance;
    struct lies *lies;
};

/* Reads what follows the administrator's code in CONFIGURE; false when the length is wrong. Whether
   the values can be is for meters_possible to say. */
bool meters_parse(struct meters *meters, const uint8_t *from, size_t size, const char *must_hit);

bool meters_possible(const struct meters *meters);

void meters_contribute(struct meters *meters, uint8_t seats);

/* What the hand would be paid now, in cents. */
uint64_t meters_due(const struct meters *meters, uint8_t hand);

/* Takes the award of a hand out of its meter, if it has one. */
void meters_pay(struct meters *meters, uint8_t hand);

/* Takes a Must Hit award out and draws a new target; returns the cents. */
uint64_t meters_pay_must_hit(struct meters *meters);

void meters_draw_target(struct meters *meters, uint64_t above);

/* Writes the reply to METERS and returns its size. */
size_t meters_put(const struct meters *meters, uint8_t *to);

#endif
