/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that a person has stopped, or its first failure, is told as that, in every form. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/document.h"
#include "tests/support/lies/forge.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

/* One round that passes and one with this verdict, by a run that ends as aborted. */
static void write_stopped(char path[SCRATCH_PATH_SIZE], const char *by, enum verdict last)
{
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_sample_devices(journal);
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_sample_pass(journal, NULL);
    journal_round(journal, 2, "{}", 2, NULL);
    if (last == VERDICT_PASS)
        journal_sample_pass(journal, NULL);
    else
        journal_verdict(journal, &(struct journal_verdict){.verdict = last, .why = "at once"},
                        NULL);
    if (by)
        journal_order(journal, "stop", by, NULL);
    journal_end(journal, VERDICT_ABORTED, "stopped before line 3 of a.shoe", NULL);
    journal_close(journal);
}

static struct report_forms forms_of_stopped(const char *by, enum verdict last)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;

    write_stopped(path, by, last);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

static bool tells(const struct report_forms *forms, const char *words)
{
    for (unsigned i = 0; i < REPORT_FORMS; i++)
        if (!strstr(forms->text[i], words))
            return false;
    return true;
}

TEST(an_interrupt_is_told_as_a_persons_with_the_round_it_came_after)
{
    struct report_forms forms = forms_of_stopped(NULL, VERDICT_PASS);
    const char *page = forms.text[REPORT_HTML];

    CU_ASSERT_TRUE(
        tells(&forms, "stopped by a person, with Ctrl-C or a signal, after round 2 of a.shoe"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "2 rounds passed before the run was stopped</h1>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li><b>1</b>recording\n<li><b>2</b>rounds\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<p class=\"stopped\" role=\"status\">The run was <b>"));
    CU_ASSERT_EQUAL(document_count(page, "<p class=\"alarm\""), 0);
    CU_ASSERT_EQUAL(document_count(page, "did not pass"), 1); /* the sentence for paper */
    report_forms_free(&forms);
}

TEST(who_has_ordered_a_stop_on_the_page_is_named)
{
    struct report_forms forms = forms_of_stopped("Ann <b>", VERDICT_PASS);

    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_TEXT], "stopped by Ann <b> on the page, after round 2 of"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_HTML], "stopped by Ann &lt;b&gt; on the page, after round 2 of"));
    report_forms_free(&forms);
}

TEST(a_round_that_was_stopped_is_not_among_those_that_did_not_pass)
{
    struct report_forms forms = forms_of_stopped(NULL, VERDICT_ABORTED);
    const char *page = forms.text[REPORT_HTML];

    CU_ASSERT_TRUE(
        tells(&forms, "stopped by a person, with Ctrl-C or a signal, in round 2 of a.shoe"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "1 round passed before the run was stopped</h1>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<span class=\"v aborted\">aborted</span> "
                                        "<a href=\"#round-2\">a.shoe, round 2</a>: at once\n"));
    report_forms_free(&forms);
}

TEST(a_real_clock_says_when_a_run_was_stopped_and_where)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct forgery forgery;

    write_stopped(path, NULL, VERDICT_PASS);
    forgery = forge_read(path);
    forge_replace(&forgery, 0, "\"clock\":\"virtual\"",
                  "\"clock\":\"real\",\"date\":\"2026-01-31T23:59:00Z\",\"host\":\"bench-3\"");
    forge_replace(&forgery, forgery.count - 1, "\"t\":0", "\"t\":90000000000");
    forge_write(&forgery, path);
    forge_free(&forgery);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT_TRUE(tells(&forms, "a signal at 2026-02-01T00:00:30Z, after round 2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "rig built in, host bench-3\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "\u00b7 host bench-3"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_JUNIT], "<property name=\"host\" value=\"bench-3\"/>"));
    report_forms_free(&forms);
}

/* A run of so many rounds that ends after its first one, which fails. */
static struct report_forms forms_of_failed_fast(unsigned rounds, const char *why)
{
    static const char *const command[] = {"dealproof", "run", "--fail-fast", "a.shoe", NULL};
    const struct journal_start start = {.version = "1", .rounds = rounds, .command = command};
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct journal *journal = NULL;
    struct clock clock;

    scratch_path(path);
    clock_virtual(&clock, 0);
    journal_open(path, &(struct journal_options){.clock = &clock}, &start, &journal, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(journal);
    journal_sample_devices(journal);
    journal_recording(journal,
                      &(struct journal_recording){.path = "a.shoe", .game = "x", .rounds = rounds},
                      NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_check(journal, &(struct check_result){.name = "lights", .outcome = CHECK_FAIL}, NULL);
    journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_FAIL}, NULL);
    journal_end(journal, why ? VERDICT_DEVICE : VERDICT_FAIL, why, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

TEST(a_run_that_has_stopped_at_its_first_failure_says_what_was_not_played)
{
    struct report_forms forms = forms_of_failed_fast(60, NULL);

    CU_ASSERT_TRUE(tells(&forms, "stopped at the first round that did not pass (--fail-fast), "
                                 "round 1 of a.shoe; 59 of 60 rounds were not played"));
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<p class=\"alarm\""), 0);
    report_forms_free(&forms);
    forms = forms_of_failed_fast(2, NULL);
    CU_ASSERT_TRUE(tells(&forms, "a.shoe; 1 of 2 rounds was not played"));
    report_forms_free(&forms);
    forms = forms_of_failed_fast(1, NULL);
    CU_ASSERT_PTR_NULL(strstr(forms.text[REPORT_TEXT], "not played"));
    report_forms_free(&forms);
}

TEST(what_became_of_the_devices_after_the_first_failure_is_told_beside_it)
{
    struct report_forms forms = forms_of_failed_fast(60, "the shuffler hums");

    CU_ASSERT_TRUE(tells(&forms, "59 of 60 rounds were not played"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "\nthe shuffler hums\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_HTML], "<p class=\"alarm\">the shuffler hums\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_JUNIT], "<error message=\"the shuffler hums\""));
    report_forms_free(&forms);
}
