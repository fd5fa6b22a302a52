/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/checks/book.h"
#include "rigs/report/report.h"
#include "tests/support/document.h"
#include "tests/support/journal_sample.h"
#include "tests/support/process.h"
#include "tests/support/report_forms.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static bool is_junit(const struct report_forms *forms)
{
    return !document_lint("--noout --schema tests/junit.xsd 2>/dev/null", forms->text[REPORT_JUNIT],
                          forms->length[REPORT_JUNIT]);
}

/* An XPath expression about the JUnit form is true. */
static bool holds(const struct report_forms *forms, const char *expression)
{
    return document_holds(forms->text[REPORT_JUNIT], forms->length[REPORT_JUNIT], expression);
}

TEST(the_summary_fits_a_screen_and_names_each_difference_with_its_witnesses)
{
    const struct journal_sample sample = {.rounds = 200, .fail_every = 9, .timeout_every = 20};
    struct report_forms forms = report_forms_of_sample(&sample);
    const char *text = forms.text[REPORT_TEXT];

    CU_ASSERT(document_count(text, "\n") <= 24);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "timeout: dealproof " DEALPROOF_VERSION ", virtual time"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "200 rounds of 3 recordings, 4 plays in all: 169 pass, 22 fail, 9 timeout\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text,
        "fixtures/flush-rush/evening-of-six-seats.shoe round 9, seat 3, ante: wager-outcome\n"
        "    expected -$5.00, got -$15.00; recording -$5.00, engine -$5.00, device -$15.00; the "
        "terminal paid <less> than the \"sheet\" & recording say\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  and 41 more\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "round 20: timeout, shuffler: no packet within 3 s\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "serial SH-0042, driver open, at emu:shuffler, digest "
                                        "9f86d081884c..., in TEST MODE\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  packet-present 89"));
    report_forms_free(&forms);
}

TEST(junit_keeps_the_schema_and_its_counts_are_those_of_its_cases)
{
    const struct journal_sample sample = {.rounds = 400, .fail_every = 9, .timeout_every = 20};
    struct report_forms forms = report_forms_of_sample(&sample);

    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms, "/testsuites/@tests = count(//testcase)"));
    CU_ASSERT(holds(&forms, "/testsuites/@failures = count(//failure) and //failure"));
    CU_ASSERT(holds(&forms, "/testsuites/@errors = count(//error) and //error"));
    CU_ASSERT(holds(&forms, "not(//testsuite[@tests != count(testcase)])"));
    CU_ASSERT(holds(&forms, "not(//testsuite[@failures != count(testcase/failure)])"));
    CU_ASSERT(holds(&forms, "not(//testsuite[@errors != count(testcase/error)])"));
    CU_ASSERT(holds(&forms,
                    "//testcase[@name = 'round 9' and contains(failure, 'seat 3, ante: "
                    "expected -\\$5.00, got -\\$15.00; recording -\\$5.00, engine -\\$5.00')]"));
    CU_ASSERT(holds(&forms, "//error[@type = 'timeout' and contains(@message, 'no packet')]"));
    CU_ASSERT(holds(&forms, "//property[@name = 'device shuffler' and "
                            "contains(@value, 'serial SH-0042')]"));
    CU_ASSERT(holds(&forms, "not(//testsuite[@name = 'run'])"));
    report_forms_free(&forms);
}

/* The schema's own test: documents that break one rule each. */
TEST(a_document_that_breaks_a_rule_of_the_schema_is_refused)
{
#define CASE "<testcase name='a' classname='b' time='0.000'/>"
#define SUITE_OF(tests, body)                                                                      \
    "<testsuites name='x' time='0.000' tests='1' failures='0' errors='0'><testsuite name='x' "     \
    "id='0' tests='" tests "' failures='0' errors='0' skipped='0' time='0.000'>" body              \
    "</testsuite></testsuites>"
    static const char *const good = SUITE_OF("1", CASE);
    static const char *const bad[] = {
        "<testsuite/>",
        SUITE_OF("one", CASE),
        SUITE_OF("1", CASE CASE),
        SUITE_OF("1", CASE "<properties/>"),
        SUITE_OF("1", "<testcase name='a' time='0.000'/>"),
        SUITE_OF("1", "<testcase name='a' classname='b' time='1'/>"),
        SUITE_OF("1", "<testcase name='a' classname='b' time='0.000'><failure/></testcase>"),
    };

    CU_ASSERT_EQUAL(
        document_lint("--noout --schema tests/junit.xsd 2>/dev/null", good, strlen(good)), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CU_ASSERT_NOT_EQUAL(
            document_lint("--noout --schema tests/junit.xsd 2>/dev/null", bad[i], strlen(bad[i])),
            0);
}

TEST(a_run_that_was_cut_off_is_told_up_to_there_in_every_form)
{
    const struct journal_sample sample = {.rounds = 70, .fail_every = 9, .crashed = true};
    struct report_forms forms = report_forms_of_sample(&sample);

    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "cut off: dealproof"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "without an end line"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "62 pass, 7 fail, 1 cut off\n"));
    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms, "//testsuite[2]/testcase[@name = 'round 10']/error[@message = 'the "
                            "journal ends inside this round']"));
    CU_ASSERT(holds(&forms, "//testsuite[@name = 'run']/testcase/error[@type = 'cut off']"));
    CU_ASSERT(holds(&forms, "/testsuites/@errors = count(//error)"));
    CU_ASSERT(holds(&forms, "//testsuite[2]/@errors = 1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "<b>The run was cut off.</b>"));
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "data-verdict=\"cut off\""), 1);
    report_forms_free(&forms);
}

TEST(a_failure_in_the_round_that_was_cut_off_counts)
{
    const struct check_result failed = {.name = "lights", .outcome = CHECK_FAIL, .why = "dark"};
    char path[SCRATCH_PATH_SIZE];
    struct report *report;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    CU_ASSERT_EQUAL(journal_check(journal, &failed, NULL), 0);
    journal_close(journal);
    report = report_forms_read(path);
    unlink(path);
    CU_ASSERT_EQUAL(report->failed, 1);
    CU_ASSERT_EQUAL(report->unjudged, 1);
    CU_ASSERT_EQUAL(report->verdict, VERDICT_FAIL);
    report_free(report);
}

TEST(an_altered_journal_is_not_trusted_and_says_where)
{
    const struct journal_sample sample = {.rounds = 20};
    char path[SCRATCH_PATH_SIZE], *text, *at;
    struct process_result result;
    struct report_forms forms;
    struct error error;
    size_t length;

    scratch_path(path);
    CU_ASSERT_EQUAL(journal_sample_write(path, &sample, &error), 0);
    text = scratch_read(path, &length);
    at = strstr(text, "\"round\":7,");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at[8] = '8';
    scratch_write(path, text, length);
    forms = report_forms_of(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "NOT TRUSTED: line "));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "6 rounds of 1 recording: 6 pass"));
    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms, "//testsuite[@name = 'run']//error[contains(@message, 'altered')]"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "is not what the run wrote:</b> line "));
    result = process_run((const char *const[]){"report", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, " was altered: "));
    process_free(&result);
    report_forms_free(&forms);
    unlink(path);
    free(text);
}

#define HOSTILE                                                                                    \
    "<b>&\"']]>\x1b[31m\x01\n\t\xc2\x9b\xef\xbf\xbe\xf0\x9f\x83\x8f</script><script>x()//"
#define HOSTILE_JSON "\"<b>&\\\"']]>\\u001b[31m\\u0001\\n\\t\\u009b\\ufffe</script><script>x()//\""

/* Every text that a journal can hold, hostile. */
static void write_hostile(const char *path)
{
    static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static const char played[] =
        "{\"bets\":{" HOSTILE_JSON ":{" HOSTILE_JSON ":5}},\"dealt\":[" HOSTILE_JSON "]}";
    static const char settlement[] =
        "{\"board\":[" HOSTILE_JSON "],\"dealer\":{\"cards\":[" HOSTILE_JSON
        "],\"hand\":" HOSTILE_JSON "},\"seats\":{" HOSTILE_JSON ":{\"cards\":[" HOSTILE_JSON
        "],\"hand\":" HOSTILE_JSON ",\"net\":{" HOSTILE_JSON ":-5},\"total\":-5}},\"jackpots\":[{"
        "\"seat\":1,\"meter\":" HOSTILE_JSON ",\"pays\":1}],\"meters\":{" HOSTILE_JSON
        ":\"1.00\"}}";
    static const char *const command[] = {HOSTILE, NULL};
    static const struct library library = {HOSTILE, HOSTILE};
    const struct journal_start start = {.version = HOSTILE,
                                        .libraries = &library,
                                        .library_count = 1,
                                        .rig_path = HOSTILE,
                                        .rig_digest = digest,
                                        .command = command};
    const struct check_result failed = {
        HOSTILE,      CHECK_FAIL,   1,       HOSTILE, HOSTILE_JSON, HOSTILE_JSON, HOSTILE_JSON,
        HOSTILE_JSON, HOSTILE_JSON, HOSTILE, NULL};
    const struct journal_timing timing = {HOSTILE, 1, 1, false};
    struct journal *journal = NULL;
    struct clock clock;

    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(path, &(struct journal_options){.clock = &clock}, &start, &journal, NULL), 0);
    journal_device(journal,
                   &(struct journal_device){HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE,
                                            digest, true},
                   NULL);
    journal_operator(journal, HOSTILE, "page", NULL);
    journal_recording(journal,
                      &(struct journal_recording){.path = HOSTILE,
                                                  .digest = digest,
                                                  .expect_path = HOSTILE,
                                                  .expect_digest = digest,
                                                  .game = HOSTILE,
                                                  .rounds = 3},
                      NULL);
    for (uint64_t round = 1; round <= 3; round++) {
        CU_ASSERT_EQUAL(journal_round(journal, round, played, strlen(played), NULL), 0);
        journal_event(journal, HOSTILE, HOSTILE, HOSTILE_JSON, 0, NULL);
        journal_retry(journal, HOSTILE, HOSTILE, 1, HOSTILE, NULL);
        CU_ASSERT_EQUAL(journal_settlement(journal, settlement, strlen(settlement), NULL), 0);
        CU_ASSERT_EQUAL(journal_check(journal, &failed, NULL), 0);
        journal_verdict(journal, &(struct journal_verdict){VERDICT_FAIL, HOSTILE, &timing, 1},
                        NULL);
    }
    journal_end(journal, VERDICT_DEVICE, HOSTILE, NULL);
    journal_close(journal);
}

static bool has_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)text[i] < ' ' && text[i] != '\n') || text[i] == 0x7f ||
            (!memcmp(text + i, "\xc2\x9b", i + 1 < length ? 2 : 1) && i + 1 < length))
            return true;
    return false;
}

TEST(no_text_of_a_journal_becomes_markup_or_moves_a_cursor)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;

    scratch_path(path);
    write_hostile(path);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms,
                    "contains(//failure[1], ']]><U+001B>[31m') and contains(//failure[1], '<b>')"));
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<script"), 1);
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "</script"), 1);
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<b>&amp;"), 0);
    CU_ASSERT(document_count(forms.text[REPORT_HTML],
                             "&lt;b&gt;&amp;&quot;&#39;]]&gt;&lt;U+001B&gt;[31m") > 20);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_FALSE(has_control(forms.text[i], forms.length[i]));
        CU_ASSERT_PTR_NULL(strstr(forms.text[i], "\xef\xbf\xbe"));
    }
    CU_ASSERT(strstr(forms.text[REPORT_TEXT], "\xf0\x9f\x83\x8f") != NULL);
    report_forms_free(&forms);
}

TEST(no_file_that_a_journal_names_moves_the_cursor)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;

    scratch_path(path);
    write_hostile(path);
    result = process_run((const char *const[]){"verify", path, NULL}, process_input("", 0));
    unlink(path);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "x()//: missing, not compared\n"));
    CU_ASSERT_FALSE(has_control(result.out, result.out_length));
    process_free(&result);
}

TEST(every_form_names_each_who_performed_the_run_once)
{
    static const char *const names[] = {"Ann", "Bob", "Ann"};
    struct report_forms forms;
    char path[SCRATCH_PATH_SIZE];
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(journal_operator(journal, names[i], "page", NULL), 0);
    journal_recording(journal, &(struct journal_recording){.path = "x.shoe"}, NULL);
    journal_end(journal, VERDICT_PASS, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], ", performed by Ann, Bob\n"));
    CU_ASSERT(holds(&forms, "//property[@name='performed by']/@value = 'Ann, Bob'"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_HTML], "<th scope=\"row\">Performed by<td><code>Ann, Bob</code>"));
    report_forms_free(&forms);
    unlink(path);
}

TEST(of_many_who_performed_a_run_the_first_are_named)
{
    struct report *report;
    char path[SCRATCH_PATH_SIZE], name[32];
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    for (int i = 0; i < 3 * REPORT_OPERATORS; i++) {
        snprintf(name, sizeof name, "operator %d", i);
        CU_ASSERT_EQUAL(journal_operator(journal, name, "page", NULL), 0);
    }
    journal_close(journal);
    report = report_forms_read(path);
    CU_ASSERT_EQUAL(report->operator_count, REPORT_OPERATORS + 1);
    CU_ASSERT_STRING_EQUAL(report->operators[REPORT_OPERATORS - 1], "operator 15");
    report_free(report);
    unlink(path);
}

TEST(a_run_that_broke_outside_of_its_rounds_is_an_error_for_a_ci_server)
{
    struct journal *journal;
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;

    journal = report_forms_journal(path, &clock);
    journal_end(journal, VERDICT_DEVICE, "shuffler: gone", NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms, "//error[@message = 'shuffler: gone' and @type = 'device']"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "device: dealproof"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT], "\nshuffler: gone\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "shuffler: gone"));
    report_forms_free(&forms);
}

TEST(every_verdict_has_its_element_of_junit)
{
    static const struct {
        enum verdict verdict;
        const char *expression;
    } cases[] = {
        {VERDICT_PASS, "//testcase[1][not(*)]"},
        {VERDICT_SKIPPED, "//testcase[2]/skipped[@message = 'because']"},
        {VERDICT_FAIL, "//testcase[3]/failure[@type = 'fail' and @message = 'because']"},
        {VERDICT_TIMEOUT, "//testcase[4]/error[@type = 'timeout']"},
        {VERDICT_DEVICE, "//testcase[5]/error[@type = 'device']"},
        {VERDICT_RIG, "//testcase[6]/error[@type = 'rig']"},
        {VERDICT_ABORTED, "//testcase[7]/error[@type = 'aborted' and contains(@message, 'bec')]"}};
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct journal *journal;
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;

    CU_ASSERT_EQUAL(CASES, VERDICT_COUNT);
    journal = report_forms_journal(path, &clock);
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    for (unsigned i = 0; i < CASES; i++) {
        journal_round(journal, i + 1, "{}", 2, NULL);
        if (cases[i].verdict == VERDICT_PASS)
            journal_sample_pass(journal, NULL);
        else
            journal_verdict(
                journal, &(struct journal_verdict){.verdict = cases[i].verdict, .why = "because"},
                NULL);
    }
    journal_end(journal, VERDICT_ABORTED, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT(is_junit(&forms));
    for (unsigned i = 0; i < CASES; i++)
        CU_ASSERT(holds(&forms, cases[i].expression));
    CU_ASSERT(holds(&forms, "//testsuite[@tests = 7 and @failures = 1 and @errors = 4 and "
                            "@skipped = 1]"));
    report_forms_free(&forms);
}

TEST(what_nobody_could_prove_is_named_with_the_reason)
{
    static const char *const names[] = {"lights", "status", "lights", "frames", "timing", "status"};
    struct check_result skipped = {.outcome = CHECK_SKIPPED};
    struct journal *journal;
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;

    journal = report_forms_journal(path, &clock);
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        skipped.name = names[i];
        skipped.why = i < 4 ? "nobody is there" : i < 5 ? "time stands still" : CHECK_UNASKED;
        journal_check(journal, &skipped, NULL);
    }
    journal_round(journal, 1, "{}", 2, NULL);
    journal_pass(journal, "frames", NULL);
    journal_sample_pass(journal, NULL);
    journal_end(journal, VERDICT_PASS, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT],
                                  "\nnot proven: lights, status: nobody is there\n"
                                  "not proven: timing: time stands still\n"));
    CU_ASSERT(is_junit(&forms));
    CU_ASSERT(holds(&forms, "//property[@name = 'not proven' and "
                            "@value = 'lights, status: nobody is there']"));
    CU_ASSERT(holds(&forms, "count(//property[@name = 'not proven']) = 2"));
    report_forms_free(&forms);
}

TEST(a_check_that_fails_twice_in_a_round_fails_in_one_round)
{
    const struct check_result failed = {.name = "lights", .outcome = CHECK_FAIL};
    struct journal *journal;
    char path[SCRATCH_PATH_SIZE];
    struct report *report;
    struct clock clock;

    journal = report_forms_journal(path, &clock);
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    for (unsigned round = 1; round <= 3; round++) {
        journal_round(journal, round, "{}", 2, NULL);
        for (unsigned times = 1; times < round; times++)
            journal_check(journal, &failed, NULL);
        journal_verdict(journal,
                        &(struct journal_verdict){.verdict = VERDICT_FAIL, .why = "lights"}, NULL);
    }
    journal_close(journal);
    report = report_forms_read(path);
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(report->check_count, 1);
    CU_ASSERT_EQUAL(report->checks[0].failed, 3);
    CU_ASSERT_EQUAL(report->checks[0].rounds, 2);
    CU_ASSERT_EQUAL(report->checks[0].first, 1);
    CU_ASSERT_EQUAL(report->checks[0].last, 2);
    report_free(report);
}

/* 1000 rounds of one recording: more values than a curve has points. */
TEST(a_long_meter_is_thinned_out_evenly)
{
    struct journal *journal;
    char path[SCRATCH_PATH_SIZE];
    const struct report_meter *meter;
    struct report *report;
    struct clock clock;

    journal = report_forms_journal(path, &clock);
    journal_recording(journal, &(struct journal_recording){.game = "x"}, NULL);
    for (unsigned round = 0; round < 1000; round++) {
        char settlement[64];

        snprintf(settlement, sizeof settlement, "{\"meters\":{\"star\":\"%u.5\"}}", round);
        journal_round(journal, round + 1, "{}", 2, NULL);
        journal_sample_pass(journal, settlement);
    }
    journal_close(journal);
    report = report_forms_read(path);
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(report->recording_count, 1);
    CU_ASSERT_EQUAL_FATAL(report->last.meter_count, 1);
    meter = &report->last.meters[0];
    CU_ASSERT_EQUAL(meter->seen, 1000);
    CU_ASSERT_EQUAL(meter->stride, 16);
    CU_ASSERT_EQUAL(meter->count, 63);
    for (size_t i = 0; i < meter->count; i++)
        CU_ASSERT_EQUAL(meter->values[i], (int64_t)(16 * i) * 1000000 + 500000);
    report_free(report);
}

TEST(buckets_go_up_by_one_two_and_five)
{
    static const nanos_t starts[] = {0,     1000,  2000,   5000,   10000,
                                     20000, 50000, 100000, 200000, 500000};
    struct report_timing timing = {.count = 4, .slowest = 60000};

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        CU_ASSERT_EQUAL(report_bucket_start(i), starts[i]);
    CU_ASSERT_EQUAL(report_bucket_start(REPORT_BUCKETS - 1), 50 * NANOS_PER_SECOND);
    timing.buckets[2] = 2;
    timing.buckets[5] = 2;
    CU_ASSERT_EQUAL(report_timing_median(&timing), 5000);
    timing.buckets[2] = 1;
    timing.buckets[5] = 3;
    CU_ASSERT_EQUAL(report_timing_median(&timing), 50000);
    timing.buckets[5] = 0;
    timing.buckets[REPORT_BUCKETS - 1] = 3;
    CU_ASSERT_EQUAL(report_timing_median(&timing), 60000);
    timing.slowest = 40000;
    timing.buckets[5] = 3;
    CU_ASSERT_EQUAL(report_timing_median(&timing), 40000);
}

TEST(durations_are_shown_in_the_unit_that_suits_them)
{
    static const struct {
        nanos_t duration;
        const char *text;
    } cases[] = {{0, "0 ns"},           {999, "999 ns"},       {1000, "1.0 us"},
                 {87000, "87 us"},      {999999, "1000 us"},   {1000000, "1.0 ms"},
                 {412000000, "412 ms"}, {1000000000, "1.0 s"}, {60000000000, "60 s"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[DURATION_TEXT_SIZE];

        CU_ASSERT_STRING_EQUAL(report_duration(cases[i].duration, text), cases[i].text);
    }
}

TEST(a_full_disk_leaves_the_old_report_and_nothing_else)
{
    const struct journal_sample sample = {.rounds = 10};
    char journal[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE], *text;
    struct rlimit before, tight;
    struct report *report;
    struct error error;
    size_t length;

    signal(SIGXFSZ, SIG_IGN);
    scratch_path(journal);
    scratch_path(path);
    CU_ASSERT_EQUAL(journal_sample_write(journal, &sample, &error), 0);
    report = report_forms_read(journal);
    scratch_write(path, "old\n", 4);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){.rlim_cur = 9000, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    CU_ASSERT_EQUAL(report_save(report, report_format_find("html"), path, &error), ERROR_RIG);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "File too large; what was there is untouched"));
    text = scratch_read(path, &length);
    CU_ASSERT_STRING_EQUAL(text, "old\n");
    free(text);
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    CU_ASSERT_EQUAL(report_save(report, report_format_find("html"), path, &error), 0);
    text = scratch_read(path, &length);
    CU_ASSERT_EQUAL(strncmp(text, "<!DOCTYPE html>", 15), 0);
    CU_ASSERT_STRING_EQUAL(text + length - 8, "</html>\n");
    free(text);
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    CU_ASSERT_EQUAL(report_save(report, report_format_find("text"), "/nowhere/x", &error),
                    ERROR_RIG);
    report_free(report);
    unlink(path);
    unlink(journal);
}

TEST(what_is_no_file_is_written_to_and_stays_what_it_is_and_a_link_is_not_followed)
{
    const struct journal_sample sample = {.rounds = 1};
    char journal[SCRATCH_PATH_SIZE], link[SCRATCH_PATH_SIZE], fifo[SCRATCH_PATH_SIZE];
    struct report *report;
    struct error error;
    struct stat status;
    char start[4] = "";
    int reader;

    scratch_path(journal);
    scratch_path(link);
    scratch_path(fifo);
    CU_ASSERT_FATAL(!symlink("/dev/full", link) && !mkfifo(fifo, 0600));
    reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CU_ASSERT_EQUAL(journal_sample_write(journal, &sample, &error), 0);
    report = report_forms_read(journal);
    CU_ASSERT_EQUAL(report_save(report, report_format_find("text"), link, &error), 0);
    CU_ASSERT(!lstat(link, &status) && S_ISREG(status.st_mode));
    CU_ASSERT_EQUAL(report_save(report, report_format_find("text"), fifo, &error), 0);
    CU_ASSERT(!lstat(fifo, &status) && S_ISFIFO(status.st_mode));
    CU_ASSERT(read(reader, start, 4) == 4 && !memcmp(start, "pass", 4));
    close(reader);
    report_free(report);
    unlink(fifo);
    unlink(link);
    unlink(journal);
}

TEST(the_command_says_what_it_cannot_do)
{
    static const struct {
        const char *arguments[4];
        int status;
        const char *words;
    } cases[] = {
        {{"report", NULL}, 2, "no journal given"},
        {{"report", "a", "b", NULL}, 2, "a: cannot open: No such file"},
        {{"report", "--pdf", "a", NULL}, 2, "unknown option '--pdf'"},
        {{"report", "-o", NULL}, 2, "-o needs a value"},
        {{"report", "/nowhere/x", NULL}, 2, "/nowhere/x: cannot open: No such file"},
        {{"report", "-", NULL}, 2, "standard input: not a journal: the file is empty"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result = process_run(cases[i].arguments, process_input("", 0));

        CU_ASSERT_EQUAL(result.status, cases[i].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].words));
        CU_ASSERT_STRING_EQUAL(result.out, "");
        process_free(&result);
    }
}

TEST(the_command_writes_each_form_to_standard_output)
{
    static const char *const forms[][2] = {{"--text", "fail: dealproof "},
                                           {"--junit", "<?xml version=\"1.0\""},
                                           {"--html", "<!DOCTYPE html>"}};
    size_t length;
    char *journal = journal_sample_text(&length);

    for (size_t i = 0; i < 3; i++) {
        struct process_result result =
            process_run((const char *const[]){"report", forms[i][0], "-", NULL},
                        process_input(journal, length));

        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT_EQUAL(strncmp(result.out, forms[i][1], strlen(forms[i][1])), 0);
        CU_ASSERT_STRING_EQUAL(result.err, "");
        process_free(&result);
    }
    free(journal);
}
