/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a report's HTML page, which rigs/report/html/html.c puts together. Each writes
 * markup that is complete in itself; everything that came out of a journal goes through
 * rigs/page/markup.h.
 */
#ifndef RIGS_REPORT_HTML_HTML_H
#define RIGS_REPORT_HTML_HTML_H

#include <stdio.h>

#include "rigs/page/page.h"
#include "rigs/report/report.h"

/* The rounds that are on the page, by their place in the run, in that order. */
struct html_shown {
    size_t *rounds;
    size_t count, size;
};

/* "evening.shoe, round 7", as a link where the page has the round. */
void html_round_link(FILE *out, const struct report *report, size_t index,
                     const struct html_shown *shown);

/* The head of the page, one part after the other. */
/* Of the run, or that it has none. */
const char *html_state(const struct report *report);
void html_banner(FILE *out, const struct report *report);
void html_alarms(FILE *out, const struct report *report);
void html_tiles(FILE *out, const struct report *report);
bool html_broken_any(const struct report *report);
void html_broken(FILE *out, const struct report *report, const struct html_shown *shown);
void html_checks(FILE *out, const struct report *report);
void html_devices(FILE *out, const struct report *report);
void html_timings(FILE *out, const struct report *report, const struct html_shown *shown);
void html_facts(FILE *out, const struct report *report);

/* Where the pages of a history are (rigs/page/links.h); NULL: the run does not say. */
const char *html_history(const struct report *report);
/* A serial number, or a digest, with a link to its page there. */
void html_history_machine(FILE *out, const struct report *report, const char *serial);
void html_history_recording(FILE *out, const struct report *report, const char *sha256);

/* A word in the colour of its verdict. */
void html_verdict(FILE *out, const char *verdict);

/* How a round that is kept is shown. */
struct html_round {
    size_t number; /* of all rounds of the run, from 1: what links to it say */
    bool open;
    bool brief;  /* one line on paper */
    bool events; /* with what the devices said */
};
void html_round(FILE *out, const struct report *report, const struct report_round *round,
                const struct html_round *how);

/* Curves of the meters of a recording; nothing when there are too few values for one. */
void html_meters(FILE *out, const struct report_recording *recording);

/* A histogram of one timing. */
void html_timing(FILE *out, const struct report *report, const struct report_timing *timing,
                 const struct html_shown *shown);

#endif
