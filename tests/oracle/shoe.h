/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two file formats: a recording (.shoe) is read line by line, its expectation (.expect) is
 * written line by line. A bad header ends the run; a bad round is a round with an error in it.
 */
#ifndef TESTS_ORACLE_SHOE_H
#define TESTS_ORACLE_SHOE_H

#include <jansson.h>

#include "tests/oracle/table.h"

/* Reads the header's line. On failure returns false with a sentence in `error`. */
bool shoe_read_header(const char *line, struct table *table, char error[160]);

/* Reads a round's line; what is wrong with it is in round->error. */
void shoe_read_round(const char *line, const struct table *table, struct round *round);

/* One line of the expectation. */
void expect_write(const struct table *table, const struct round *round, FILE *out);

/* GAME/WAGER/TABLE/LINE of every wager that a paytable decided. */
void expect_write_lines(const struct table *table, const struct round *round, FILE *out);

#endif
