/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search for generators prints: for people, as one JSON object, and as a page. */
#ifndef TOOLS_SHUFFLES_GENERATORS_SHOW_H
#define TOOLS_SHUFFLES_GENERATORS_SHOW_H

#include "rigs/shuffles/generators.h"
#include "tools/shuffles/show.h"

/* How far a search came. */
struct generators_done {
    unsigned whole;          /* generators */
    const struct seek *part; /* and of one more; NULL: none was begun */
};

struct generators_shown {
    const struct generators *generators;
    const struct generators_found *found;
    const struct shuffles_origin *origin;
};

void generators_show(const struct generators_shown *shown);
void generators_show_json(const struct generators_shown *shown);

/* The catalogue, on standard output. */
void generators_list(bool json);

/* Written whole or not at all; ERROR_RIG when it cannot be. */
int generators_show_page(const struct generators_shown *shown, const char *path,
                         struct error *error);

#endif
