/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judged shuffles as a page, or as a section of another: the verdict in a sentence, the map of
 * places and cards, p-values on their axis, what was counted against its exact law, and every test.
 * Nothing is kept, and nothing fails but the stream; everything that came from a device goes
 * through rigs/page/markup.h.
 */
#ifndef RIGS_SHUFFLES_HTML_H
#define RIGS_SHUFFLES_HTML_H

#include <stdio.h>

#include "games/shuffles/shuffles.h"
#include "rigs/shuffles/looks.h"

/* What is shown, all of it the caller's. Texts are empty where it is not known. */
struct shuffles_page {
    const struct shuffles *shuffles;
    const struct shuffles_report *report;
    const char *device;
    const char *firmware;
    const char *from;     /* the first recording, or the rig */
    uint64_t recordings;  /* 0 when the orders come from no recording */
    const char *recorded; /* the dates */
    const char *digest;   /* of the recordings (rigs/shuffles/read.h) */
    /* Of a run or a rig that deals them: what was declared before the first one. */
    enum shuffles_stage stage;
    uint64_t declared; /* rounds, or shuffles; 0: none were */
    uint64_t dealt;    /* of them so far */
    double looks;      /* the significance that looks share; 0: nobody could look before */
};

/* What a page that holds the section needs in its head. */
extern const char *const shuffles_html_style;

void shuffles_html_page(const struct shuffles_page *page, FILE *out);

/* Everything but the frame and the facts, without a heading. */
void shuffles_html_section(const struct shuffles_page *page, FILE *out);

/* The verdict and what it rests on: whole sentences, without an element around them. */
void shuffles_html_sentence(const struct shuffles_report *report, FILE *out);

/* What was declared and dealt, and the significance that is left for it; nothing where nobody
 * dealt for this. */
void shuffles_html_declared(const struct shuffles_page *page, FILE *out);

/* The pictures and tables of a section, for rigs/shuffles/html.c; or nothing. */
void shuffles_html_map(const struct shuffles *shuffles, FILE *out);
void shuffles_html_tables(const struct shuffles *shuffles, FILE *out);
void shuffles_html_marks(const struct shuffles_report *report, FILE *out);
void shuffles_html_histogram(const struct shuffles_bars *bars, FILE *out);

/* A p-value with as many digits as mean something. */
void shuffles_html_p(double p, FILE *out);

/* A test that could not be made, whose reason no test before it has. */
bool shuffles_is_new_reason(const struct shuffles_report *report, size_t i);

/* The names of all tests that could not be made for the reason of the i-th. */
void shuffles_put_unmade(const struct shuffles_report *report, size_t i, FILE *out);

/* Statistic and p mean something. */
static inline bool shuffles_is_judged(const struct shuffles_result *result)
{
    return result->verdict == SHUFFLES_NO_EVIDENCE || result->verdict == SHUFFLES_EVIDENCE;
}

#endif
