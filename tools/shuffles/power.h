/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The power table: how often the judge of shuffles finds evidence against models with a known flaw,
 * and how often against a uniform one. On standard output, as a table or as JSON Lines.
 */
#ifndef TOOLS_SHUFFLES_POWER_H
#define TOOLS_SHUFFLES_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/command.h"

#define POWER_SIZES_MAX 16
#define POWER_SEEDS_MAX 1000000

struct power_orders {
    char *const *methods; /* "riffle:7"; NULL at the end. None at all: those of a list */
    uint64_t sizes[POWER_SIZES_MAX];
    size_t size_count; /* 0: around what theory needs */
    unsigned seeds;
    uint64_t seed; /* the first */
    double alpha;
    bool json;
};

/* Reads "10,100,1000", which must ascend; 0 or ERROR_CONFIG. */
int power_read_sizes(const char *text, struct power_orders *orders, struct error *error);

/* Returns the exit status: EXIT_FAIL when the judge does worse than it should. */
int power_print(const struct command *command, const struct power_orders *orders);

#endif
