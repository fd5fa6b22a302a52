/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A round with more lines than anybody reads costs a report neither memory nor time. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/report/report.h"
#include "tests/support/journal_sample.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

#define EVENTS 30000
#define CHECKS 20000

/* One round of a device that never stops, and that is told of each time. */
static void write_flood(char path[SCRATCH_PATH_SIZE])
{
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);
    const char digest[] = "0000000000000000000000000000000000000000000000000000000000000000";
    const struct journal_recording recording = {
        .path = "flood.shoe", .digest = digest, .game = "flush-rush", .rounds = 1};
    const struct check_result failed = {.outcome = CHECK_FAIL,
                                        .name = "packet-order",
                                        .expected = "null",
                                        .got = "1",
                                        .why = "a packet too many"};

    journal_sample_devices(journal);
    CU_ASSERT_EQUAL_FATAL(journal_recording(journal, &recording, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_round(journal, 1, "{\"round\":1}", 11, NULL), 0);
    for (unsigned i = 0; i < EVENTS; i++)
        CU_ASSERT_EQUAL_FATAL(journal_event(journal, "shuffler", "button", "4", 0, NULL), 0);
    for (unsigned i = 0; i < CHECKS; i++)
        CU_ASSERT_EQUAL_FATAL(journal_check(journal, &failed, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(
        journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_FAIL}, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_end(journal, VERDICT_FAIL, NULL, NULL), 0);
    journal_close(journal);
}

TEST(what_is_kept_of_a_round_is_bounded_and_what_is_not_is_counted)
{
    char path[SCRATCH_PATH_SIZE];
    struct report *report;
    struct report_round round;

    write_flood(path);
    report = report_forms_read(path);
    round = report_round_at(report, 0);
    CU_ASSERT_PTR_NOT_NULL(round.lines);
    CU_ASSERT(round.length < 1024 * 1024);
    CU_ASSERT_EQUAL(round.events_left_out, EVENTS - 2000);
    CU_ASSERT_EQUAL(round.checks_left_out, CHECKS - 1000);
    CU_ASSERT_EQUAL(round.failed, CHECKS);
    CU_ASSERT_PTR_NOT_NULL(strstr(round.lines + round.length - 512, "\"kind\":\"verdict\""));
    report_free(report);
    unlink(path);
}

TEST(each_form_says_that_it_does_not_show_all)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;

    write_flood(path);
    forms = report_forms_of(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "19000 more checks are not shown"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "30000 events"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "The other 29900 are in the journal"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_JUNIT], "19000 more checks are not shown"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "more\n"));
    for (unsigned i = 0; i < REPORT_FORMS; i++)
        CU_ASSERT(forms.length[i] < 1024 * 1024);
    report_forms_free(&forms);
    unlink(path);
}
