/*
 * The parts of the HTML page, which rigs/report_html.c puts together. Each writes markup that is
 * complete in itself; everything that came out of a journal goes through rigs/markup.h.
 */
#ifndef RIGS_REPORT_HTML_H
#define RIGS_REPORT_HTML_H

#include <stdio.h>

#include "rigs/report.h"

extern const char html_style[];
extern const char html_script[];

/* A word in the colour of its verdict. */
void html_verdict(FILE *out, const char *verdict);

/* A round that is kept, as an element that opens. */
void html_round(FILE *out, const struct report_round *round, bool open);

/* Curves of the meters of a recording; nothing when there are too few values for one. */
void html_meters(FILE *out, const struct report_recording *recording);

/* A histogram of one timing. */
void html_timing(FILE *out, const struct report *report, const struct report_timing *timing);

#endif
