/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit XML from inside, for its own files only: what a recording is called in it, and the case of
 * one round. Everything goes to the stream of the sheet, whose errors are asked with ferror().
 */
#ifndef RIGS_REPORT_JUNIT_JUNIT_H
#define RIGS_REPORT_JUNIT_JUNIT_H

#include "rigs/report/report.h"

struct junit_sheet {
    const struct report *report;
    FILE *out;       /* NULL: cases are counted and not written */
    size_t strip;    /* bytes of a path from the root on that are not shown */
    bool is_long;    /* the run: rounds share cases */
    uint64_t failed; /* of a long run: rounds that had a case of their own */
};

void junit_attribute(FILE *out, const char *name, const char *value);
void junit_seconds(FILE *out, nanos_t duration);

/*
 * Of a path from the root on, what is left out: all that the recordings of the run have in common
 * but their last folder, so that names are the same wherever a workspace lies.
 */
size_t junit_strip(const struct report *report);

/* What a recording is called; and its class, as an attribute. */
const char *junit_name(const struct junit_sheet *sheet, const struct report_recording *recording);
void junit_class(const struct junit_sheet *sheet, const struct report_recording *recording);

/* What a failed check says, in one sentence. */
void junit_failure(const struct json_value *failure, FILE *out);

void junit_case(const struct junit_sheet *sheet, const struct report_recording *recording,
                const struct report_round *round);

#endif
