/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a report: what it shows, what it leaves out, and that it needs nothing else. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/document.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

TEST(a_page_needs_nothing_from_elsewhere)
{
    static const char *const words[] = {"http:", "https:", " src=", "url(", "@import", "fetch("};
    const struct journal_sample sample = {.rounds = 10, .fail_every = 3};
    struct report_forms forms = report_forms_of_sample(&sample);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], words[i]), 0);
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<link "), 1);
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<link rel=\"icon\" href=\"data:,\">"),
                    1);
    report_forms_free(&forms);
}

TEST(a_page_draws_cards_and_marks_the_wager_and_the_witness_that_differ)
{
    const struct journal_sample sample = {.rounds = 9, .fail_every = 9};
    struct report_forms forms = report_forms_of_sample(&sample);
    const char *page = forms.text[REPORT_HTML];

    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<i class=\"red\">8\n\u2665</i><i>2\n\u2663"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<i>10\n\u2663</i>"));
    CU_ASSERT_EQUAL(document_count(page, "<span class=\"wager wrong\">ante $5.00 \u2192 "), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td>\u2212$5.00<td class=\"wrong\">\u2212$15.00"
                                        "<td>\u2212$5.00<td>\u2212$5.00"
                                        "<td class=\"wrong\">\u2212$15.00"));
    CU_ASSERT_EQUAL(document_count(page, "<span class=\"soft\">silent</span>"), 1);
    report_forms_free(&forms);
}

TEST(a_thousand_rounds_stay_below_five_megabytes_whatever_failed)
{
    for (uint64_t every = 0; every < 2; every++) {
        const struct journal_sample sample = {.rounds = 1000, .fail_every = every};
        struct report_forms forms = report_forms_of_sample(&sample);

        CU_ASSERT(forms.length[REPORT_HTML] < 5000000);
        CU_ASSERT(document_count(forms.text[REPORT_HTML], "<details class=\"round") >=
                  (every ? 1000u : 100u));
        CU_ASSERT_EQUAL(strstr(forms.text[REPORT_HTML], " more rounds that passed") != NULL,
                        !every);
        report_forms_free(&forms);
    }
}

TEST(what_a_page_leaves_out_it_counts)
{
    const struct journal_sample sample = {.rounds = 1500, .fail_every = 1};
    struct report_forms forms = report_forms_of_sample(&sample);
    const char *page = forms.text[REPORT_HTML], *words = " more rounds that did not pass";
    unsigned left = 0;

    CU_ASSERT(forms.length[REPORT_HTML] < 5000000);
    for (const char *at = strstr(page, words); at; at = strstr(at + 1, words)) {
        const char *number = at;

        while (number[-1] >= '0' && number[-1] <= '9')
            number--;
        left += (unsigned)atoi(number);
    }
    CU_ASSERT(left > 0);
    CU_ASSERT_EQUAL(left + document_count(page, "<details class=\"round"), 1500);
    report_forms_free(&forms);
}

TEST(a_page_of_many_recordings_stays_small_and_counts_the_others)
{
    enum { RECORDINGS = 20000, BROKEN_EVERY = 2 };
    struct journal *journal;
    char path[SCRATCH_PATH_SIZE], name[300];
    struct report_forms forms;
    struct clock clock;
    const char *page;

    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    journal = report_forms_journal(path, &clock);
    journal_hold(journal);
    for (unsigned i = 0; i < RECORDINGS; i++) {
        journal_recording(journal, &(struct journal_recording){.path = name, .game = "x"}, NULL);
        journal_round(journal, 1, "{}", 2, NULL);
        if (i % BROKEN_EVERY)
            journal_sample_pass(journal, NULL);
        else
            journal_verdict(
                journal, &(struct journal_verdict){.verdict = VERDICT_FAIL, .why = "broken"}, NULL);
    }
    journal_end(journal, VERDICT_PASS, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    page = forms.text[REPORT_HTML];
    CU_ASSERT(forms.length[REPORT_HTML] < 5000000);
    CU_ASSERT(document_count(page, "<section ") > 1000);
    CU_ASSERT(document_count(page, "<section ") < RECORDINGS);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, " more rounds that did not pass, in "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, " more recordings that passed or were skipped are not shown."));
    report_forms_free(&forms);
}

TEST(a_page_says_what_did_not_pass_and_what_every_check_came_to)
{
    const struct journal_sample sample = {.rounds = 200, .fail_every = 9, .timeout_every = 20};
    struct report_forms forms = report_forms_of_sample(&sample);
    const char *page = forms.text[REPORT_HTML];

    CU_ASSERT_PTR_NOT_NULL(strstr(page, "31 of 200 rounds did not pass</h1>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        page, "<tr><th scope=\"row\">wager-outcome<small>every wager wins or loses what the sheet "
              "says</small><td class=\"path\"><a href=\"#round-9\">"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "</a><td class=\"n wrong\">22<td class=\"n\">22\n"));
    CU_ASSERT_EQUAL(document_count(page, "id=\"round-9\""), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "Rounds that could not be judged"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "intact to the end"));
    report_forms_free(&forms);
}

TEST(an_amount_of_any_size_is_shown)
{
    static const char settlement[] = "{\"seats\":{\"1\":{\"net\":{\"ante\":-9223372036854775808},"
                                     "\"total\":9223372036854775807}}}";
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_recording(journal, &(struct journal_recording){.game = "x"}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_sample_pass(journal, settlement);
    journal_close(journal);
    forms = report_forms_of(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "\u2212$92233720368547758.08"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "+$92233720368547758.07"));
    report_forms_free(&forms);
    unlink(path);
}

/* A page with one timing, measured these times. */
static struct report_forms forms_of_timings(nanos_t limit, const nanos_t *took, size_t count)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    for (size_t i = 0; i < count; i++) {
        const struct journal_timing timing = {.name = "shuffle", .took = took[i], .limit = limit};
        const struct check_result failed = {.outcome = CHECK_FAIL, .name = "timing", .why = "slow"};

        journal_round(journal, i + 1, "{}", 2, NULL);
        journal_check(journal, &failed, NULL);
        journal_verdict(journal,
                        &(struct journal_verdict){
                            .verdict = VERDICT_FAIL, .timings = &timing, .timing_count = 1},
                        NULL);
    }
    journal_end(journal, VERDICT_FAIL, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

/* Where the limit of the only chart is drawn. */
static double limit_of(const char *page)
{
    const char *line = strstr(page, "<line class=\"limit\" x1=\"");

    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    return strtod(line + strlen("<line class=\"limit\" x1=\""), NULL);
}

/* The next bar of it: whether there is one, and from where to where it goes. */
static bool next_bar(const char **at, double *from, double *to)
{
    const char *bar = strstr(*at, "<rect class=\"bar\" x=\""), *width;

    if (!bar)
        return false;
    *from = strtod(bar + strlen("<rect class=\"bar\" x=\""), NULL);
    width = strstr(bar, "width=\"");
    *to = *from + strtod(width + strlen("width=\""), NULL);
    *at = width;
    return true;
}

TEST(no_bar_of_a_timing_is_drawn_across_its_limit)
{
    static const nanos_t second = NANOS_PER_SECOND;
    const nanos_t kept[] = {20 * second, 25 * second, 30 * second};
    const nanos_t late[] = {20 * second, 30 * second + 1, 49 * second, 60 * second};
    struct report_forms forms[] = {
        forms_of_timings(30 * second, kept, 3), forms_of_timings(30 * second, late, 4),
        forms_of_timings(30 * second, late + 1, 1), forms_of_timings(20 * second, kept, 1),
        forms_of_timings(50 * second - 1, kept, 3)};
    static const unsigned before[] = {1, 1, 0, 1, 1}, behind[] = {0, 2, 1, 0, 0};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *at = forms[i].text[REPORT_HTML];
        double limit = limit_of(at), from, to;
        unsigned kept_bars = 0, late_bars = 0;

        while (next_bar(&at, &from, &to)) {
            CU_ASSERT(to - from > 4);
            CU_ASSERT(to <= limit || from >= limit);
            kept_bars += to <= limit;
            late_bars += from >= limit;
        }
        CU_ASSERT_EQUAL(kept_bars, before[i]);
        CU_ASSERT_EQUAL(late_bars, behind[i]);
        report_forms_free(&forms[i]);
    }
}

TEST(void_rounds_are_named_where_it_says_that_all_passed)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "flush-rush"},
                      NULL);
    for (unsigned i = 1; i <= 2; i++) {
        journal_round(journal, i, "{}", 2, NULL);
        journal_sample_pass(journal, i == 1 ? "{\"void\":\"misdeal\"}" : NULL);
    }
    journal_end(journal, VERDICT_PASS, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_HTML], "all 2 rounds passed, 1 of them void</h1>"));
    report_forms_free(&forms);
}
