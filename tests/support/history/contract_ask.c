/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found in a history, and what differs in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/history/details.h"
#include "rigs/history/diff.h"
#include "tests/support/history/stage.h"
#include "tests/support/lies/forge.h"

static void refuse_date(struct history_stage *stage, const char *date)
{
    struct error error = {.text = ""};

    CU_ASSERT_EQUAL(history_find(stage->store, &(struct history_filter){.until = date},
                                 stage_list_id, (char[256]){""}, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "there is no such date"));
}

void runs_are_found_by_what_they_have(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage;
    struct error error;

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
    stage_find(&stage, &(struct history_filter){.id = NULL},
               STAGE_FIRST " " STAGE_SECOND " " STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.serial = "SH-1"}, STAGE_FIRST " " STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.firmware = "1.5"},
               STAGE_SECOND " " STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.serial = "SH-1", .firmware = "1.5"},
               STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.serial = "SH-1", .firmware = "2.0.1"}, "");
    stage_find(&stage, &(struct history_filter){.operator= "Bob" }, STAGE_SECOND " ");
    stage_find(&stage, &(struct history_filter){.verdict = "fail"}, STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.since = "2026-02-01"},
               STAGE_SECOND " " STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.until = "2026-02-01"},
               STAGE_FIRST " " STAGE_SECOND " ");
    stage_find(&stage, &(struct history_filter){.until = "2026-02-01T09:59:59Z"}, STAGE_FIRST " ");
    stage_find(&stage, &(struct history_filter){.until = "2026-02-01T10:00:00Z"},
               STAGE_FIRST " " STAGE_SECOND " ");
    stage_find(&stage, &(struct history_filter){.since = "2026-02-02T10:00:00Z"}, STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.check = "wager-outcome"}, STAGE_THIRD " ");
    stage_find(&stage, &(struct history_filter){.check = "' OR 1 = 1 --"}, "");
    stage_find(&stage, &(struct history_filter){.rig = "%"}, "");
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.since = "monday"},
                                 stage_list_id, NULL, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--since is 'monday'"));
    refuse_date(&stage, "2026-02-29");
    refuse_date(&stage, "2026-13-01");
    refuse_date(&stage, "2026-00-10");
    refuse_date(&stage, "2026-01-31T24:00:00Z");
    refuse_date(&stage, "2026-01-31T10:00:61Z");
    stage_find(&stage, &(struct history_filter){.since = "2024-02-29"},
               STAGE_FIRST " " STAGE_SECOND " " STAGE_THIRD " ");
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.verdict = "good"},
                                 stage_list_id, NULL, &error),
                    ERROR_CONFIG);
    stage_take_down(&stage);
}

void a_run_is_found_by_the_beginning_of_its_id(void)
{
    const struct journal_sample sample = {.rounds = 20};
    char id[HISTORY_ID_MAX + 1];
    struct history_stage stage;
    struct error error;
    int64_t number;

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
    CU_ASSERT_EQUAL(history_find_id(stage.store, "bbbb", id, &number, &error), 0);
    CU_ASSERT_STRING_EQUAL(id, STAGE_THIRD);
    CU_ASSERT_EQUAL(history_find_id(stage.store, STAGE_FIRST, id, &number, &error), 0);
    CU_ASSERT_STRING_EQUAL(id, STAGE_FIRST);
    CU_ASSERT_EQUAL(history_find_id(stage.store, "aaaa", id, &number, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "may be any of " STAGE_FIRST ", " STAGE_SECOND));
    CU_ASSERT_EQUAL(history_find_id(stage.store, "cccc", id, &number, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(history_find_id(stage.store, "bb", id, &number, &error), ERROR_CONFIG);
    stage_take_down(&stage);
}

void a_run_on_a_real_clock_is_known_by_the_id_in_its_journal(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    struct forgery forgery;
    struct history_stage stage;
    struct error error;

    if (!stage_set_up(&stage, &sample))
        return;
    forgery = forge_read(stage.journal);
    forge_replace(&forgery, 0, "\"clock\":\"virtual\"",
                  "\"clock\":\"real\",\"date\":\"2026-01-31T10:00:00Z\"");
    forge_write(&forgery, stage.journal);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), 0);
    CU_ASSERT_EQUAL(strncmp(imported.id, "20260131T100000Z-bench-", 23), 0);
    forge_replace(&forgery, 0, "10:00:00Z\"", "10:00:00Z\",\"run\":\"" STAGE_FIRST "\"");
    forge_write(&forgery, stage.journal);
    CU_ASSERT_EQUAL(stage_import(&stage, "other", &imported, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "its first line has an id, " STAGE_FIRST));
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), 0);
    CU_ASSERT_STRING_EQUAL(imported.id, STAGE_FIRST);
    forge_replace(&forgery, 0, "\"seed\":\"", "\"seed\":\"1");
    forge_write(&forgery, stage.journal);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "which it keeps: take another store"));
    CU_ASSERT_PTR_NULL(strstr(error.text, "--run-id"));
    forge_free(&forgery);
    stage_take_down(&stage);
}

/* The number of differences of each kind, as "fact 1 device 2 ". */
static void diff(struct history_stage *stage, const char *first, const char *second,
                 const char *expected)
{
    struct history_side sides[2] = {{.count = 1}, {.count = 1}};
    unsigned counts[HISTORY_DIFF_KINDS] = {0};
    int64_t numbers[2];
    struct history_diff found;
    char id[HISTORY_ID_MAX + 1], list[128] = "";

    CU_ASSERT_EQUAL_FATAL(history_find_id(stage->store, first, id, &numbers[0], NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage->store, second, id, &numbers[1], NULL), 0);
    sides[0].runs = &numbers[0];
    sides[1].runs = &numbers[1];
    CU_ASSERT_EQUAL(history_diff(stage->store, sides, &found, NULL), 0);
    for (size_t i = 0; i < found.count; i++)
        counts[found.items[i].kind]++;
    for (unsigned i = 0; i < HISTORY_DIFF_KINDS; i++)
        if (counts[i])
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s %u ",
                     history_kind_name((enum history_kind)i), counts[i]);
    CU_ASSERT_STRING_EQUAL(list, expected);
    CU_ASSERT(found.timed_count > 0);
    CU_ASSERT_EQUAL(found.timed_that_differ, 0);
    history_diff_free(&found);
}

void what_differs_between_two_runs_is_told_and_nothing_else(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage;

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
    diff(&stage, STAGE_FIRST, STAGE_FIRST, "");
    diff(&stage, STAGE_FIRST, STAGE_SECOND, "device 2 ");
    diff(&stage, STAGE_FIRST, STAGE_THIRD, "fact 1 device 1 check 2 verdict 1 ");
    stage_take_down(&stage);
}

/* The differences between lists of runs, each "what: first | second; ". */
static void diff_many(struct history_stage *stage, int64_t *first, size_t first_count,
                      int64_t *second, size_t second_count, char list[1024])
{
    const struct history_side sides[2] = {{.runs = first, .count = first_count},
                                          {.runs = second, .count = second_count}};
    struct history_diff found;

    list[0] = '\0';
    CU_ASSERT_EQUAL(history_diff(stage->store, sides, &found, NULL), 0);
    for (size_t i = 0; i < found.count; i++)
        snprintf(list + strlen(list), 1024 - strlen(list), "%s: %s | %s; ",
                 history_kind_name(found.items[i].kind), found.items[i].first,
                 found.items[i].second);
    history_diff_free(&found);
}

/* How many of the rates between so many runs of one kind and so many of the other differ. */
static size_t count_that_differ(struct history_stage *stage, int64_t first, int64_t second,
                                size_t each)
{
    int64_t runs[2][16];
    const struct history_side sides[2] = {{.is_many = true, .runs = runs[0], .count = each},
                                          {.is_many = true, .runs = runs[1], .count = each}};
    struct history_diff found;
    size_t that_differ;

    for (size_t i = 0; i < each; i++) {
        runs[0][i] = first;
        runs[1][i] = second;
    }
    CU_ASSERT_EQUAL(history_diff(stage->store, sides, &found, NULL), 0);
    CU_ASSERT_EQUAL(found.count, first == second ? 0 : 3); /* two checks and a verdict */
    that_differ = found.that_differ;
    history_diff_free(&found);
    return that_differ;
}

/* Three runs that failed are no evidence against three that passed, eight are. */
void a_rate_differs_where_chance_does_not_explain_it(void)
{
    const struct journal_sample sample = {.rounds = 20};
    char id[HISTORY_ID_MAX + 1];
    struct history_stage stage;
    int64_t good, bad;

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, STAGE_FIRST, id, &good, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, STAGE_THIRD, id, &bad, NULL), 0);
    CU_ASSERT_EQUAL(count_that_differ(&stage, good, good, 8), 0);
    CU_ASSERT_EQUAL(count_that_differ(&stage, good, bad, 1), 0);
    CU_ASSERT_EQUAL(count_that_differ(&stage, good, bad, 3), 0);
    CU_ASSERT_EQUAL(count_that_differ(&stage, good, bad, 8), 3);
    stage_take_down(&stage);
}

void many_runs_are_compared_with_many_by_rate(void)
{
    const struct journal_sample sample = {.rounds = 20};
    int64_t good_bad[2], bad_good[2], bad_bad[2];
    char id[HISTORY_ID_MAX + 1], list[1024];
    struct history_stage stage;

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, STAGE_FIRST, id, &good_bad[0], NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, STAGE_THIRD, id, &good_bad[1], NULL), 0);
    bad_good[0] = bad_bad[0] = bad_bad[1] = good_bad[1];
    bad_good[1] = good_bad[0];
    diff_many(&stage, good_bad, 2, bad_good, 2, list);
    CU_ASSERT_STRING_EQUAL(list, "");
    diff_many(&stage, bad_bad, 2, bad_bad, 1, list);
    CU_ASSERT_STRING_EQUAL(list, "");
    diff_many(&stage, bad_good, 2, bad_bad, 1, list);
    CU_ASSERT_PTR_NOT_NULL(strstr(list, "verdict: 1 of 2 pass, 1 of 2 fail | 1 of 1 fail; "));
    diff_many(&stage, bad_bad, 1, good_bad, 2, list);
    CU_ASSERT_PTR_NOT_NULL(strstr(list, "verdict: 1 of 1 fail | 1 of 2 pass, 1 of 2 fail; "));
    CU_ASSERT_PTR_NOT_NULL(strstr(list, "check: "));
    stage_take_down(&stage);
}

/* Of one round the engine has made something else. */
void a_round_that_was_settled_otherwise_is_named(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_side sides[2] = {{.count = 1}, {.count = 1}};
    struct history_imported imported;
    char id[HISTORY_ID_MAX + 1], list[1024];
    struct history_stage stage;
    struct history_diff found;
    struct forgery forgery;
    int64_t numbers[2];

    if (!stage_set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(stage_import(&stage, "first", &imported, NULL), 0);
    forgery = forge_read(stage.journal);
    forge_replace(&forgery, forge_find(&forgery, "\"kind\":\"settled\"", 5), "\"jackpots\":[",
                  "\"more\":1,\"jackpots\":[");
    forge_write(&forgery, stage.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(stage_import(&stage, "second", &imported, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, "first", id, &numbers[0], NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, "second", id, &numbers[1], NULL), 0);
    sides[0].runs = &numbers[0];
    sides[1].runs = &numbers[1];
    CU_ASSERT_EQUAL(history_diff(stage.store, sides, &found, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(found.count, 1);
    CU_ASSERT_EQUAL(found.items[0].kind, HISTORY_DIFF_SETTLEMENT);
    CU_ASSERT_STRING_EQUAL(found.items[0].second,
                           "1 of 20 rounds settled otherwise, first round 5");
    history_diff_free(&found);
    diff_many(&stage, numbers, 2, &numbers[1], 1, list);
    CU_ASSERT_STRING_EQUAL(list, "settlement: 1 of 2 settled as usual | 1 of 1 settled as usual; "
                                 "round 5 is the first that is not; ");
    stage_take_down(&stage);
}

static int see_others(void *context, const struct history_recording *recording, int64_t others)
{
    (void)recording;
    *(int64_t *)context += others;
    return 0;
}

void the_same_name_with_another_content_is_another_recording(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    char id[HISTORY_ID_MAX + 1], *digest;
    struct history_stage stage;
    struct forgery forgery;
    int64_t number, others = 0;

    if (!stage_set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(stage_import(&stage, "first", &imported, NULL), 0);
    forgery = forge_read(stage.journal);
    digest =
        strstr(forgery.bodies[forge_find(&forgery, "\"kind\":\"recording\"", 1)], "\"sha256\":\"");
    digest += strlen("\"sha256\":\"");
    *digest = *digest == '0' ? '1' : '0';
    forge_write(&forgery, stage.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(stage_import(&stage, "second", &imported, NULL), 0);
    diff(&stage, "first", "second", "recording 1 ");
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, "second", id, &number, NULL), 0);
    CU_ASSERT_EQUAL(history_recordings(stage.store, number, see_others, &others, NULL), 0);
    CU_ASSERT_EQUAL(others, 1);
    stage_take_down(&stage);
}
