/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of whatever did not pass the first of each kind is shown, however much there is. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/report/report.h"
#include "tests/support/lies/forge.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

#define FLOOD    600
#define LONG_WHY 32000 /* bytes: more in all than a report keeps, or a page shows */

static void add_round(struct journal *journal, uint64_t number, const char *check, const char *why,
                      enum verdict verdict)
{
    const struct check_result failed = {
        .outcome = CHECK_FAIL, .name = check, .expected = "1", .got = "2", .why = why};

    journal_round(journal, number, "{}", 2, NULL);
    if (check)
        CU_ASSERT_EQUAL_FATAL(journal_check(journal, &failed, NULL), 0);
    journal_verdict(journal,
                    &(struct journal_verdict){.verdict = verdict, .why = check ? NULL : why}, NULL);
}

static struct report_forms forms_of_flood(void)
{
    char path[SCRATCH_PATH_SIZE], *why = malloc(LONG_WHY + 1);
    struct report_forms forms;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    CU_ASSERT_PTR_NOT_NULL_FATAL(why);
    memset(why, 'x', LONG_WHY);
    why[LONG_WHY] = '\0';
    journal_sample_devices(journal);
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    for (uint64_t i = 1; i <= FLOOD; i++)
        add_round(journal, i, "wager-outcome", why, VERDICT_FAIL);
    add_round(journal, FLOOD + 1, "lights", "a lamp is dark", VERDICT_FAIL);
    for (uint64_t i = 2; i <= 9; i++)
        add_round(journal, FLOOD + i, NULL, "the shuffler is jammed", VERDICT_DEVICE);
    add_round(journal, FLOOD + 10, NULL, "the disk is full", VERDICT_RIG);
    journal_end(journal, VERDICT_RIG, NULL, NULL);
    journal_close(journal);
    free(why);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

TEST(the_first_failure_of_each_check_is_shown_after_a_flood_of_another)
{
    struct report_forms forms = forms_of_flood();
    const char *page = forms.text[REPORT_HTML];

    CU_ASSERT(forms.length[REPORT_HTML] < 5000000);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<a href=\"#round-601\">a.shoe, round 601</a>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "id=\"round-601\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "a lamp is dark"));
    CU_ASSERT_PTR_NULL(strstr(page, "id=\"round-600\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, " more rounds that did not pass are not shown"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forms.text[REPORT_TEXT], "Failed checks: 600 wager-outcome, 1 lights\n"));
    report_forms_free(&forms);
}

TEST(why_a_round_could_not_be_judged_stands_beside_it)
{
    struct report_forms forms = forms_of_flood();
    const char *page = forms.text[REPORT_HTML], *text = forms.text[REPORT_TEXT];

    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<a href=\"#round-602\">a.shoe, round 602</a>: the shuffler is jammed\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li>and 3 more: device\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<a href=\"#round-610\">a.shoe, round 610</a>: the disk is full\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  a.shoe round 602: device, the shuffler is jammed\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  and 6 more: device\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  a.shoe round 610: rig, the disk is full\n"));
    report_forms_free(&forms);
}

/* Every link within the page has something to go to. */
TEST(nothing_links_to_a_round_that_the_page_leaves_out)
{
    struct report_forms forms = forms_of_flood();
    const char *page = forms.text[REPORT_HTML], *link = page;
    unsigned links = 0;

    while ((link = strstr(link, "<a href=\"#"))) {
        const char *name = link + strlen("<a href=\"#");
        char target[64];

        snprintf(target, sizeof target, "id=\"%.*s\"", (int)strcspn(name, "\""), name);
        CU_ASSERT_PTR_NOT_NULL(strstr(page, target));
        links++;
        link = name;
    }
    CU_ASSERT(links > 8);
    report_forms_free(&forms);
}

/* A failure in a round that a power cut took, and that passed when it was played again. */
TEST(what_failed_in_a_round_that_was_played_again_is_not_told_of_that_one)
{
    static const char resumed[] =
        "\"t\":0,\"kind\":\"resumed\",\"version\":\"1\",\"date\":\"2026-01-31T18:00:00Z\",\"by\":"
        "\"ann\",\"away-s\":3,\"recordings\":1,\"judged\":0,\"lost\":{\"round\":1,\"lines\":2},"
        "\"torn-bytes\":0,\"torn\":null,\"devices\":[],\"command\":[]";
    const struct check_result failed = {
        .outcome = CHECK_FAIL, .name = "lights", .expected = "1", .got = "2", .why = "dark"};
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct forgery forgery;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_check(journal, &failed, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_sample_pass(journal, NULL);
    journal_end(journal, VERDICT_FAIL, "a check failed", NULL);
    journal_close(journal);
    forgery = forge_read(path);
    forge_replace(&forgery, 0, "\"virtual\"", "\"real\",\"date\":\"2026-01-31T17:00:00Z\"");
    forge_insert(&forgery, forge_find(&forgery, "\"kind\":\"round\"", 2), resumed);
    forge_write(&forgery, path);
    forge_free(&forgery);
    forms = report_forms_of(path);
    unlink(path);
    CU_ASSERT_PTR_NULL(strstr(forms.text[REPORT_TEXT], "NOT TRUSTED"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML],
                                  "<td class=\"path\">a round that was cut off and played again"
                                  "<td class=\"n wrong\">1<td class=\"n\">0\n"));
    report_forms_free(&forms);
}
