/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes recordings from a seed: the same arguments give the same bytes on every machine. Both
 * kinds are legal recordings of the file format; only deal_random() spoils a round now and then.
 */
#ifndef TESTS_ORACLE_DEAL_H
#define TESTS_ORACLE_DEAL_H

#include "tests/oracle/table.h"

/* Wagers, tables, deals and decisions drawn at random; the deck is stacked with rare hands. */
void deal_random(const struct game *game, uint64_t seed, int count, FILE *out);

/* A fair deck, six seats with guests who come and go, and decisions that a player would make. */
void deal_evening(const struct game *game, uint64_t seed, int count, FILE *out);

#endif
