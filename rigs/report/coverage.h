/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rules the rounds of a journal have exercised: they are settled again by what the journal
 * has of the recordings' headers. Journals of earlier versions have none of that, nor have rounds
 * that were only observed, and nothing is said of them. A round that was skipped, or that nothing
 * came of, has exercised nothing.
 */
#ifndef RIGS_REPORT_COVERAGE_H
#define RIGS_REPORT_COVERAGE_H

#include <stdio.h>

#include "rigs/cover/book.h"
#include "rigs/report/report.h"

struct report_coverage {
    struct cover_book book;
    struct cover_game *page; /* of the recording that is read; NULL: nothing is known of it */
    struct cover_table_state state;
    const char *path;
    struct cover_set shown; /* by the round that is read */
    int64_t round;          /* its number */
    bool is_open;           /* it has no verdict yet */
    struct json_reader *json;
};

/*
 * For the reader: a recording and its header, a round as it was to be played, and what came of it.
 * The path stays. False without memory.
 */
bool report_coverage_recording(struct report *report, const struct json_value *header,
                               const char *path);
void report_coverage_round(struct report *report, const struct json_value *played);
void report_coverage_verdict(struct report *report, enum verdict verdict);
void report_coverage_free(struct report_coverage *coverage);

/* Lines of paytables that a hand was paid by, and how many there are; of one game, or of all. */
struct report_lines {
    unsigned seen, all;
};
struct report_lines report_coverage_lines(const struct report *report,
                                          const struct cover_game *page);

/* What was seen, as a line; nothing where nothing is known. */
void report_coverage_line(const struct report *report, FILE *out);

/* As a section of the page. */
bool report_coverage_any(const struct report *report);
void html_coverage(FILE *out, const struct report *report);

#endif
