/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The orders in a journal that a shuffler made itself, gathered while it is read, and the section
 * of the page that judges them. Rounds whose order was loaded are none of them. Of emulated
 * devices, which start anew with each recording, only the first recording counts: the others would
 * repeat it.
 */
#ifndef RIGS_REPORT_HTML_SHUFFLES_H
#define RIGS_REPORT_HTML_SHUFFLES_H

#include <stdbool.h>
#include <stdio.h>

#include "rigs/report/report.h"

struct report_shuffles;

/* Takes a line of the journal; false when memory is short. */
bool report_shuffles_see(struct report *report, const struct journal_line *line);
void report_shuffles_free(struct report_shuffles *shuffled);

/* Whether there is anything to judge. */
bool report_shuffles_any(const struct report *report);

/* A page of these orders alone, as `dealproof shuffles` makes it; false: there are none. */
bool report_shuffles_page(const struct report *report, FILE *out);

/* The section: one sentence when there are too few, nothing when there are none. */
void html_shuffles(FILE *out, const struct report *report);

#endif
