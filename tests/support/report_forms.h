/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports in their three forms, as texts for a suite to look into, and journals to make them of. A
 * suite's own failure ends its test.
 */
#ifndef TESTS_SUPPORT_REPORT_FORMS_H
#define TESTS_SUPPORT_REPORT_FORMS_H

#include <stddef.h>

#include "rigs/report/format.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"

enum report_form { REPORT_TEXT, REPORT_JUNIT, REPORT_HTML, REPORT_FORMS };

/* By enum report_form; they end with a NUL. */
struct report_forms {
    char *text[REPORT_FORMS];
    size_t length[REPORT_FORMS];
};

/* Of a journal, or of a sample that is gone afterwards. */
struct report_forms report_forms_of(const char *path);
struct report_forms report_forms_of_sample(const struct journal_sample *sample);
void report_forms_free(struct report_forms *forms);

/* The report itself, to be freed with report_free(). */
struct report *report_forms_read(const char *path);

/* A journal in virtual time that a test fills by hand, and the path it is given. */
struct journal *report_forms_journal(char path[SCRATCH_PATH_SIZE], struct clock *clock);

#endif
