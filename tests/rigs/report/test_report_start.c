/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reports say of what a journal began with: the commit of the program, and its priority. */
#include <string.h>
#include <unistd.h>

#include "tests/support/journal_sample.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

/* Of a journal that ends after its beginning. */
static struct report_forms forms_of(const struct journal_start *start)
{
    char path[SCRATCH_PATH_SIZE];
    struct journal *journal = NULL;
    struct report_forms forms;
    struct clock clock;

    scratch_path(path);
    clock_virtual(&clock, 0);
    journal_open(path, &(struct journal_options){.clock = &clock}, start, &journal, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(journal);
    journal_sample_devices(journal);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

TEST(reports_have_the_commit_and_the_priority_of_a_run)
{
    const struct journal_start start = {
        .version = "1", .commit = "c46e03b1a2b3-dirty", .realtime = 40};
    struct report_forms forms = forms_of(&start);

    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], ", real-time priority 40\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "Real-time priority<td><code>40<"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "Commit<td><code>c46e03b1a2b3-dirty<"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_JUNIT], "name=\"real-time priority\" value=\"40\""));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_JUNIT], "name=\"commit\" value=\"c46e03b1a2b3-dirty\""));
    report_forms_free(&forms);
}

TEST(reports_do_not_speak_of_a_priority_that_a_run_did_not_have)
{
    const struct journal_start start = {.version = "1"};
    struct report_forms forms = forms_of(&start);

    for (size_t i = 0; i < REPORT_FORMS; i++)
        CU_ASSERT_PTR_NULL(strstr(forms.text[i], "eal-time priority"));
    report_forms_free(&forms);
}
