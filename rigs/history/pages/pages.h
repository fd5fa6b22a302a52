/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A history as pages with pictures, each complete in itself: the lab at a glance, a machine's life,
 * a recording's life, and what differs between two sides. Everything that came from a journal goes
 * through rigs/page/markup.h; names of files come from numbers and digests alone.
 */
#ifndef RIGS_HISTORY_PAGES_PAGES_H
#define RIGS_HISTORY_PAGES_PAGES_H

#include <stdio.h>

#include "rigs/history/diff.h"
#include "rigs/history/trend.h"
#include "rigs/page/links.h"

/* Runs that the first page lists: the latest. */
#define HISTORY_PAGE_RUNS 100

struct history_pages {
    size_t machines, recordings;
};

/*
 * index.html and the pages of machines and recordings (rigs/page/links.h) into a folder that is
 * there. Such pages that were there and are of nothing any more are removed.
 */
int history_pages_write(struct store *store, const char *folder, struct history_pages *pages,
                        struct error *error);

/* Two sides as one page, written whole or not at all. */
int history_page_diff(const char *path, const struct history_side sides[2],
                      const struct history_diff *diff, struct error *error);

/* For its files: the names of pages that were written; false without memory. */
struct history_names {
    char (*items)[PAGE_LINK_SIZE];
    size_t count;
};
bool history_names_add(struct history_names *names, const char *name);

/* A page of a machine; what the first page says of it; pages of all recordings. */
struct history_summary {
    char serial[128], name[64], model[128], firmware[64], last[32];
    size_t runs, changes, jams;
    struct history_counts rounds;
};

int history_page_machine(struct store *store, const char *path,
                         const struct history_machine *machine, struct error *error);
int history_page_lab(struct store *store, const char *path, const struct history_summary *machines,
                     size_t count, struct error *error);
int history_page_recordings(struct store *store, const char *folder, struct history_names *names,
                            struct error *error);

/* A page that is put together in memory, since it is written whole or not at all. */
struct history_page {
    FILE *out;
    char *text;
    size_t length;
};

/* NULL for `out` without memory, which saving says. */
void history_page_begin(struct history_page *page, const char *title);
int history_page_save(struct history_page *page, const char *path, struct error *error);

/* A verdict with its colour, a cell of a table, and a link within the folder to a recording. */
void history_page_verdict(FILE *out, const char *verdict);
void history_page_cell(FILE *out, const char *text);
void history_page_flaky(FILE *out, const struct history_flaky *flaky);
void history_page_date(FILE *out, const char *date, int length); /* so much of it */

#define HISTORY_PAGE_FLAKY_HEAD                                                                    \
    "<div class=\"scroll\"><table><thead><tr><th>recording<th>machine<th>firmware<th>passed"       \
    "<th>did not</thead>\n"

#endif
