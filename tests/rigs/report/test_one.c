/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One of a thing is not told as several, in any form. */
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lies/forge.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

/* One round in which one thing happens, one check passes and one fails, and the run is stopped. */
static void write_one(char path[SCRATCH_PATH_SIZE])
{
    const struct check_result failed = {
        .outcome = CHECK_FAIL, .name = "lights", .expected = "1", .got = "2", .why = "x"};
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_sample_devices(journal);
    journal_recording(
        journal, &(struct journal_recording){.path = "a.shoe", .game = "x", .rounds = 1}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_event(journal, "shuffler", "packet-present",
                  "{\"packet\":1,\"cards\":\"As\",\"witness\":\"operator\"}", 0, NULL);
    journal_retry(journal, "shuffler", "frames", 1, "a frame came damaged", NULL);
    journal_reconnect(journal, &(struct journal_reconnect){.device = "shuffler", .times = 1}, NULL);
    journal_check(journal, &failed, NULL);
    journal_pass(journal, "identity", NULL);
    journal_passes(journal, NULL);
    journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_FAIL, .why = "x"}, NULL);
    journal_end(journal, VERDICT_ABORTED, "stopped", NULL);
    journal_close(journal);
}

TEST(one_of_a_thing_is_not_told_as_several)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct forgery forgery;
    regmatch_t at;
    regex_t several;

    CU_ASSERT_EQUAL_FATAL(regcomp(&several,
                                  "(^|[^0-9.])1( |</b>)(more |of 1 "
                                  ")?(round|recording|check|event|tim|retri|reconnect)e?s[^a-z]",
                                  REG_EXTENDED),
                          0);
    write_one(path);
    forgery = forge_read(path);
    forge_replace(&forgery, 0, "\"command\":[]", "\"command\":[],\"rounds\":1");
    forge_write(&forgery, path);
    forge_free(&forgery);
    forms = report_forms_of(path);
    unlink(path);
    for (unsigned i = 0; i < REPORT_FORMS; i++) {
        bool is_told = !regexec(&several, forms.text[i], 1, &at, 0);

        if (is_told)
            printf("%.60s\n", forms.text[i] + at.rm_so);
        CU_ASSERT_FALSE(is_told);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT],
                                  "\n1 check passed, 1 failed, 0 skipped; "
                                  "1 retry, 1 reconnect\ncards read 1 time "));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "1 check passed, 1 failed"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "<b>1</b>retry\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "<b>0</b>checks skipped\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "; 1 of 1 round was begun"));
    regfree(&several);
    report_forms_free(&forms);
}
