/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of many rounds takes no more memory than one of fewer, and says what it leaves out. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/document.h"
#include "tests/support/process.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

/* What fails among the fewer is more than a report keeps. */
#define FEW        20000
#define MANY       60000
#define FAIL_EVERY 20
#define WHY_LENGTH 20000

static void write_rounds(char path[SCRATCH_PATH_SIZE], unsigned rounds)
{
    static char why[WHY_LENGTH + 1];
    const struct check_result failed = {
        .outcome = CHECK_FAIL, .name = "lights", .expected = "1", .got = "2", .why = why};
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    memset(why, 'x', WHY_LENGTH);
    journal_hold(journal);
    journal_sample_devices(journal);
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    for (unsigned i = 1; i <= rounds; i++) {
        journal_round(journal, i, "{}", 2, NULL);
        if (i % FAIL_EVERY) {
            journal_sample_pass(journal, NULL);
            continue;
        }
        journal_check(journal, &failed, NULL);
        journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_FAIL}, NULL);
    }
    journal_end(journal, VERDICT_FAIL, NULL, NULL);
    journal_close(journal);
}

/* The most that any process of this test has had so far, in kB, with one more that makes a page. */
static long peak_with(unsigned rounds)
{
    char journal[SCRATCH_PATH_SIZE], page[SCRATCH_PATH_SIZE];
    struct rusage usage;

    write_rounds(journal, rounds);
    scratch_path(page);
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run((const char *const[]){"report", "--html", "-o", page, journal, NULL}, -1),
            ""),
        0);
    unlink(journal);
    unlink(page);
    CU_ASSERT_EQUAL(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

/* 32 bytes more for each round would show. */
TEST(a_page_of_three_times_as_many_rounds_takes_no_more_memory)
{
    long few = peak_with(FEW), many = peak_with(MANY);

    CU_ASSERT(few > 0);
    CU_ASSERT(many - few < (MANY - FEW) * 32 / 1024);
}

TEST(what_did_not_pass_is_counted_to_the_last)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    const char *page;
    char words[80];

    write_rounds(path, MANY);
    forms = report_forms_of(path);
    unlink(path);
    page = forms.text[REPORT_HTML];
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "3000 of 60000 rounds did not pass</h1>"));
    snprintf(words, sizeof words, "<p class=\"alarm\">%u more rounds that did not pass are not",
             MANY / FAIL_EVERY - document_count(page, "data-verdict=\"fail\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, words));
    snprintf(words, sizeof words, "%u more rounds that passed or were skipped are not shown.\n",
             MANY - MANY / FAIL_EVERY - document_count(page, "data-verdict=\"pass\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, words));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "Failed checks: 3000 lights\n"));
    CU_ASSERT(forms.length[REPORT_HTML] < 5000000);
    report_forms_free(&forms);
}

TEST(a_page_says_which_rounds_that_passed_are_not_on_it)
{
    char path[SCRATCH_PATH_SIZE], words[256];
    struct report_forms forms;
    const char *page, *said, *link, *last;

    write_rounds(path, MANY);
    forms = report_forms_of(path);
    unlink(path);
    page = forms.text[REPORT_HTML];
    snprintf(
        words, sizeof words,
        "<p class=\"soft\">Of 57000 rounds that passed or were skipped %u are shown: of each "
        "recording the first 5 and then every 50th, as long as there is room. The last of them "
        "is <a href=\"#",
        document_count(page, "data-verdict=\"pass\""));
    said = strstr(page, words);
    CU_ASSERT_PTR_NOT_NULL_FATAL(said);
    CU_ASSERT(said < strstr(page, "<section "));
    link = said + strlen(words);
    snprintf(words, sizeof words, "id=\"%.*s\" ", (int)strcspn(link, "\""), link);
    last = strstr(page, words);
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT_EQUAL(document_count(last, "data-verdict=\"pass\""), 1);
    report_forms_free(&forms);
}

TEST(a_page_that_shows_all_that_passed_says_nothing_of_a_rest)
{
    const struct journal_sample sample = {.rounds = 4};
    struct report_forms forms = report_forms_of_sample(&sample);

    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "data-verdict=\"pass\""), 4);
    CU_ASSERT_PTR_NULL(strstr(forms.text[REPORT_HTML], "shown: of each"));
    report_forms_free(&forms);
}
