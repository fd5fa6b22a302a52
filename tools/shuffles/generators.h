/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `dealproof shuffles --generators`: searches the catalogue of weak generators for what made the
 * orders, and prints what was found and what it predicts. Progress and how long a dear generator
 * takes go to standard error.
 */
#ifndef TOOLS_SHUFFLES_GENERATORS_H
#define TOOLS_SHUFFLES_GENERATORS_H

#include "rigs/shuffles/generators.h"
#include "tools/command.h"
#include "tools/shuffles/show.h"

struct generators_use {
    const char *only; /* names of generators, mappings or entries, with commas; NULL: all */
    unsigned jobs;
    bool json;
    const char *html; /* the file of a page, or NULL */
};

/* Returns the exit status: EXIT_FAIL when a generator was found. */
int generators_search(const struct command *command, const struct generators_use *use,
                      const struct generators_orders *orders, const struct shuffles_origin *origin);

#endif
