/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JUnit XML as a CI server wants it: names, sentences, times, and a long run in bounded space. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/report/report.h"
#include "tests/support/document.h"
#include "tests/support/journal_sample.h"
#include "tests/support/report_forms.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static bool holds(const struct report_forms *forms, const char *expression)
{
    return document_holds(forms->text[REPORT_JUNIT], forms->length[REPORT_JUNIT], expression);
}

static bool is_junit(const struct report_forms *forms)
{
    return !document_lint("--noout --schema tests/junit.xsd 2>/dev/null", forms->text[REPORT_JUNIT],
                          forms->length[REPORT_JUNIT]);
}

/* Observed rounds of one recording, of which the failing ones say why. */
static void add_recording(struct journal *journal, const char *path, unsigned rounds,
                          unsigned fail_every)
{
    journal_recording(journal, &(struct journal_recording){.path = path, .game = "x"}, NULL);
    for (unsigned i = 1; i <= rounds; i++) {
        journal_round(journal, i, "{}", 2, NULL);
        if (fail_every && i % fail_every == 0)
            journal_verdict(journal,
                            &(struct journal_verdict){.verdict = VERDICT_DEVICE, .why = "a jam"},
                            NULL);
        else
            journal_sample_pass(journal, NULL);
    }
}

static struct report_forms ended(struct journal *journal, const char *path)
{
    struct report_forms forms;

    journal_end(journal, VERDICT_PASS, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

TEST(names_of_recordings_do_not_hold_the_folder_of_a_workspace)
{
    static const struct {
        const char *paths[2], *classes[2];
    } cases[] = {
        {{"/home/ci/w/fixtures/rush/a.shoe", "/home/ci/w/fixtures/catch/b.shoe"},
         {"fixtures.rush.a", "fixtures.catch.b"}},
        {{"/home/ci/w/rush/a.shoe", "/home/ci/w/rush/ab.shoe"}, {"rush.a", "rush.ab"}},
        {{"/a.shoe", "/b.shoe"}, {"a", "b"}},
        {{"fixtures/rush/a.shoe", "../b.shoe"}, {"fixtures.rush.a", "b"}},
        {{"/home/one/a.shoe", "/home/two/a.shoe"}, {"home.one.a", "home.two.a"}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[SCRATCH_PATH_SIZE], expression[128];
        struct clock clock;
        struct journal *journal = report_forms_journal(path, &clock);
        struct report_forms forms;

        for (unsigned r = 0; r < 2; r++)
            add_recording(journal, cases[i].paths[r], 1, 0);
        forms = ended(journal, path);
        CU_ASSERT(is_junit(&forms));
        for (unsigned r = 0; r < 2; r++) {
            snprintf(expression, sizeof expression, "//testsuite[%u]/testcase[@classname = '%s']",
                     r + 1, cases[i].classes[r]);
            CU_ASSERT(holds(&forms, expression));
            snprintf(expression, sizeof expression,
                     "//testsuite[%u]//property[@name = 'recording' and @value = '%s']", r + 1,
                     cases[i].paths[r]);
            CU_ASSERT(holds(&forms, expression));
        }
        report_forms_free(&forms);
    }
}

TEST(the_message_of_a_failure_is_the_sentence_of_its_first_check)
{
    const struct journal_sample sample = {.rounds = 20, .fail_every = 9};
    struct report_forms forms = report_forms_of_sample(&sample);

    CU_ASSERT(holds(&forms,
                    "//testcase[@name = 'round 9']/failure[starts-with(@message, "
                    "'wager-outcome, seat 3, ante: expected -\\$5.00, got -\\$15.00; recording "
                    "-\\$5.00, engine -\\$5.00, device -\\$15.00; the terminal paid ')]"));
    report_forms_free(&forms);
}

TEST(times_are_marked_as_virtual_in_every_suite)
{
    const struct journal_sample sample = {.rounds = 200};
    struct report_forms forms = report_forms_of_sample(&sample);

    CU_ASSERT(holds(&forms, "count(//testsuite) = 4"));
    CU_ASSERT(holds(&forms, "count(//property[@name = 'clock' and @value = 'virtual']) = 4"));
    report_forms_free(&forms);
}

/* 2,100 recordings of 12 rounds: more rounds than have cases, and more recordings than suites. */
TEST(a_long_run_is_told_in_bounded_space_and_its_counts_are_those_of_its_cases)
{
    char path[SCRATCH_PATH_SIZE], name[32];
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);
    struct report_forms forms;

    journal_hold(journal);
    for (unsigned i = 0; i < 2100; i++) {
        snprintf(name, sizeof name, "%04u.shoe", i);
        add_recording(journal, name, 12, 6);
    }
    forms = ended(journal, path);
    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms, "//property[@name = 'rounds']/@value = 25200"));
    CU_ASSERT(holds(&forms, "/testsuites/@tests = count(//testcase)"));
    CU_ASSERT(holds(&forms, "/testsuites/@errors = count(//error)"));
    CU_ASSERT(holds(&forms, "not(//testsuite[@tests != count(testcase)])"));
    CU_ASSERT(holds(&forms, "not(//testsuite[@errors != count(testcase/error)])"));
    CU_ASSERT(holds(&forms, "count(//testsuite) = 2000"));
    CU_ASSERT(holds(&forms, "count(//testcase[starts-with(@name, 'round ')]) = 1000"));
    CU_ASSERT(holds(&forms, "//testsuite[1]/testcase[@name = '10 rounds: pass']"));
    CU_ASSERT(
        holds(&forms, "//testsuite[1]/testcase[@name = 'round 6']/error[@message = 'a jam']"));
    CU_ASSERT(holds(&forms, "//testsuite[501]/testcase[@name = '2 rounds: device']/error"));
    CU_ASSERT(holds(&forms, "//testsuite[2000]/@name = '101 more recordings, from 1999.shoe'"));
    CU_ASSERT(holds(&forms, "//testsuite[2000]/testcase[@name = '1010 rounds: pass']"));
    CU_ASSERT(holds(&forms, "//testsuite[2000]/testcase[@name = '202 rounds: device']/error"));
    report_forms_free(&forms);
}
