/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings made up by a seeded generator: well-formed rounds of Chase the Flush, every wager of
 * every seat made, cards and decisions at random. The same seed writes the same bytes.
 */
#ifndef TESTS_SUPPORT_ROUNDS_H
#define TESTS_SUPPORT_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#define ROUNDS_LINE_SIZE 2048

/* Writes the header line or one round, newline included; returns the length. */
size_t rounds_header(char line[ROUNDS_LINE_SIZE]);
size_t rounds_line(char line[ROUNDS_LINE_SIZE], unsigned seats, uint64_t number, uint64_t *seed);

/* A whole recording into a file; -1 if it cannot be written. */
int rounds_write(int fd, unsigned seats, uint64_t count, uint64_t seed);

#endif
