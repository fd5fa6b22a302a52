/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/report_forms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

struct report *report_forms_read(const char *path)
{
    struct report *report = NULL;
    struct error error = {.text = ""};

    CU_ASSERT_EQUAL(report_read(path, &report, &error), 0);
    if (!report)
        fprintf(stderr, "%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    return report;
}

static char *render(const struct report *report, const char *name, size_t *length)
{
    const struct report_format *format = report_format_find(name);
    char *text = NULL;
    FILE *out = open_memstream(&text, length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(format);
    format->write(report, out);
    fclose(out);
    return text;
}

struct report_forms report_forms_of(const char *path)
{
    static const char *const names[REPORT_FORMS] = {
        [REPORT_TEXT] = "text", [REPORT_JUNIT] = "junit", [REPORT_HTML] = "html"};
    struct report *report = report_forms_read(path);
    struct report_forms forms;

    for (unsigned i = 0; i < REPORT_FORMS; i++)
        forms.text[i] = render(report, names[i], &forms.length[i]);
    report_free(report);
    return forms;
}

void report_forms_free(struct report_forms *forms)
{
    for (unsigned i = 0; i < REPORT_FORMS; i++)
        free(forms->text[i]);
}

struct report_forms report_forms_of_sample(const struct journal_sample *sample)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct error error;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(path, sample, &error), 0);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

struct journal *report_forms_journal(char path[SCRATCH_PATH_SIZE], struct clock *clock)
{
    const struct journal_start start = {.version = "1"};
    struct journal *journal = NULL;

    scratch_path(path);
    clock_virtual(clock, 0);
    journal_open(path, &(struct journal_options){.clock = clock}, &start, &journal, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(journal);
    return journal;
}
