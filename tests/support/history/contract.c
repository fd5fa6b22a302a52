/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/history/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/history/details.h"
#include "rigs/history/spread.h"
#include "rigs/history/store/schema.h"
#include "rigs/report/report.h"
#include "tests/support/history/stage.h"
#include "tests/support/lies/forge.h"

static int64_t count_all(struct store *store)
{
    static const char *const tables[] = {"run",     "performer", "device", "recording", "unpassed",
                                         "checked", "failure",   "timing", "shuffled"};
    int64_t all = 0;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        all += stage_count(store, tables[i]);
    return all;
}

/* The first lines of the journal alone. */
static void cut(const char *path, unsigned lines, size_t more)
{
    size_t length, at = 0;
    char *text = scratch_read(path, &length);

    for (unsigned line = 0; line < lines; line++)
        at = (size_t)(strchr(text + at, '\n') - text) + 1;
    scratch_write(path, text, at + more);
    free(text);
}

/* Up to the first line with this in it. */
static void cut_after(const char *path, const char *within)
{
    size_t length;
    char *text = scratch_read(path, &length), *found = strstr(text, within);

    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    scratch_write(path, text, (size_t)(strchr(found, '\n') - text) + 1);
    free(text);
}

void values_of_every_kind_come_back_as_they_were(void)
{
    static const unsigned char bytes[] = {0, 1, 127, 128, 255, '\'', '\\', 0};
    const struct store_value values[] = {store_of_integer(INT64_MIN), store_of_text("x' -- é\n\\"),
                                         store_of_blob(bytes, sizeof bytes), store_of_text(NULL),
                                         store_of_blob(NULL, 0)};
    struct history_stage stage;
    struct store_rows *rows = NULL;
    size_t length;

    if (!stage_set_up(&stage, NULL))
        return;
    CU_ASSERT_EQUAL(store_do(stage.store,
                             "CREATE TABLE kinds (a BIGINT, b TEXT, c BYTEA, d TEXT, e BYTEA)",
                             NULL, 0, NULL),
                    0);
    CU_ASSERT_EQUAL(
        store_do(stage.store, "INSERT INTO kinds VALUES ($1, $2, $3, $4, $5)", values, 5, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(
        store_ask(stage.store, "SELECT a, b, c, d, e FROM kinds", NULL, 0, &rows, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(store_next(rows, NULL), 1);
    CU_ASSERT_EQUAL(store_integer(rows, 0), INT64_MIN);
    CU_ASSERT_STRING_EQUAL(store_text(rows, 1), "x' -- é\n\\");
    CU_ASSERT_EQUAL(memcmp(store_blob(rows, 2, &length), bytes, sizeof bytes), 0);
    CU_ASSERT_EQUAL(length, sizeof bytes);
    CU_ASSERT_PTR_NULL(store_text(rows, 3));
    store_blob(rows, 4, &length);
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_EQUAL(store_next(rows, NULL), 0);
    store_rows_free(rows);
    stage_take_down(&stage);
}

void what_is_undone_was_never_there(void)
{
    struct history_stage stage;

    if (!stage_set_up(&stage, NULL))
        return;
    CU_ASSERT_EQUAL(store_begin(stage.store, NULL), 0);
    CU_ASSERT_EQUAL(store_do(stage.store, "INSERT INTO history_schema VALUES (99)", NULL, 0, NULL),
                    0);
    store_undo(stage.store);
    CU_ASSERT_EQUAL(stage_count(stage.store, "history_schema"), HISTORY_SCHEMA_VERSION);
    stage_take_down(&stage);
}

void a_store_of_a_later_schema_is_refused(void)
{
    struct store *again = NULL;
    struct history_stage stage;
    struct error error;

    if (!stage_set_up(&stage, NULL))
        return;
    store_do(stage.store, "INSERT INTO history_schema VALUES (1000)", NULL, 0, NULL);
    CU_ASSERT_EQUAL(history_open(stage.address, true, &again, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a history of version 1000; this program knows"));
    CU_ASSERT_EQUAL(history_open(stage.address, false, &again, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(stage_count(stage.store, "history_schema"), HISTORY_SCHEMA_VERSION + 1);
    stage_take_down(&stage);
}

/* What was found is compared while it is there. */
struct expected {
    const struct report *report;
    unsigned times;
};

static int compare_run(void *context, const struct history_found *run)
{
    struct expected *expected = context;
    const struct report *report = expected->report;

    expected->times++;
    CU_ASSERT_STRING_EQUAL(run->verdict, verdict_name(report->verdict));
    CU_ASSERT_EQUAL(run->rounds.passed, (int64_t)report->verdicts[VERDICT_PASS]);
    CU_ASSERT_EQUAL(run->rounds.passed + run->rounds.failed + run->rounds.skipped,
                    (int64_t)report->round_count);
    CU_ASSERT_EQUAL(run->checks.passed, report->passed);
    CU_ASSERT_EQUAL(run->checks.failed, report->failed);
    CU_ASSERT_EQUAL(run->checks.skipped, report->skipped);
    CU_ASSERT_EQUAL(run->recordings, (int64_t)report->recording_count);
    CU_ASSERT_EQUAL(run->lines, (int64_t)report->ending.lines);
    CU_ASSERT_STRING_EQUAL(run->digest, report->ending.digest);
    CU_ASSERT(run->is_complete && run->is_verified);
    CU_ASSERT_EQUAL(run->device_count, report->device_count);
    CU_ASSERT_STRING_EQUAL(run->devices[0].serial, "SH-0042");
    CU_ASSERT_PTR_NULL(run->devices[2].serial);
    CU_ASSERT_STRING_EQUAL(run->host, "bench");
    return 0;
}

static void compare_checks(struct store *store, const struct report *report)
{
    CU_ASSERT_EQUAL(stage_count(store, "checked"), (int64_t)report->check_count);
    for (size_t i = 0; i < report->check_count; i++) {
        const struct store_value value = store_of_text(report->checks[i].name);
        struct store_rows *rows;

        CU_ASSERT_EQUAL_FATAL(
            store_ask(store, "SELECT passed, failed, skipped FROM checked WHERE name = $1", &value,
                      1, &rows, NULL),
            0);
        CU_ASSERT_EQUAL_FATAL(store_next(rows, NULL), 1);
        CU_ASSERT_EQUAL(store_integer(rows, 0), (int64_t)report->checks[i].passed);
        CU_ASSERT_EQUAL(store_integer(rows, 1), (int64_t)report->checks[i].failed);
        CU_ASSERT_EQUAL(store_integer(rows, 2), (int64_t)report->checks[i].skipped);
        store_rows_free(rows);
    }
}

/* Every timing that the report counts is there. */
static void compare_timings(struct store *store, const struct report *report)
{
    for (size_t i = 0; i < report->timing_count; i++) {
        const struct store_value value = store_of_text(report->timings[i].name);
        struct store_rows *rows;
        int64_t slowest = 0;
        size_t length, all = 0;

        CU_ASSERT_EQUAL_FATAL(
            store_ask(store, "SELECT took FROM timing WHERE name = $1", &value, 1, &rows, NULL), 0);
        while (store_next(rows, NULL) > 0) {
            const unsigned char *took = store_blob(rows, 0, &length);

            all += length / HISTORY_TOOK;
            for (size_t at = 0; at < length; at += HISTORY_TOOK)
                if (history_bytes_number(took + at) > slowest)
                    slowest = history_bytes_number(took + at);
        }
        store_rows_free(rows);
        CU_ASSERT_EQUAL(all, report->timings[i].count);
        CU_ASSERT_EQUAL(slowest, report->timings[i].slowest);
    }
    CU_ASSERT(report->timing_count > 0);
}

void a_run_in_the_history_is_what_its_report_says(void)
{
    const struct journal_sample sample = {.rounds = 60, .fail_every = 7, .timeout_every = 11};
    struct expected expected = {.times = 0};
    struct history_imported imported;
    struct report *report;
    struct history_stage stage;

    if (!stage_set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL_FATAL(report_read(stage.journal, &report, NULL), 0);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, NULL), 0);
    CU_ASSERT_EQUAL(imported.outcome, HISTORY_NEW);
    expected.report = report;
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.id = imported.id},
                                 compare_run, &expected, NULL),
                    0);
    CU_ASSERT_EQUAL(expected.times, 1);
    compare_checks(stage.store, report);
    compare_timings(stage.store, report);
    CU_ASSERT_EQUAL(stage_count(stage.store, "unpassed"),
                    (int64_t)(report->round_count - report->verdicts[VERDICT_PASS]));
    CU_ASSERT_EQUAL(stage_count(stage.store, "failure"), report->failed);
    report_free(report);
    stage_take_down(&stage);
}

void the_same_journal_again_changes_nothing(void)
{
    const struct journal_sample sample = {.rounds = 20, .fail_every = 7};
    struct history_imported first, second;
    struct history_stage stage;
    int64_t rows;

    if (!stage_set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &first, NULL), 0);
    rows = count_all(stage.store);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &second, NULL), 0);
    CU_ASSERT_EQUAL(second.outcome, HISTORY_SAME);
    CU_ASSERT_STRING_EQUAL(first.id, second.id);
    CU_ASSERT_EQUAL(count_all(stage.store), rows);
    CU_ASSERT_EQUAL(stage_import(&stage, "by-another-name", &second, NULL), 0);
    CU_ASSERT_EQUAL(second.outcome, HISTORY_NEW);
    CU_ASSERT_EQUAL(stage_count(stage.store, "run"), 2);
    CU_ASSERT_EQUAL(count_all(stage.store), 2 * rows);
    stage_take_down(&stage);
}

void a_journal_that_has_grown_replaces_its_shorter_self(void)
{
    const struct journal_sample sample = {.rounds = 20, .fail_every = 7};
    struct history_imported imported;
    struct history_stage stage, alone;
    size_t length;
    char *whole;

    if (!stage_set_up(&stage, &sample))
        return;
    whole = scratch_read(stage.journal, &length);
    cut(stage.journal, 40, 0);
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, NULL), 0);
    scratch_write(stage.journal, whole, length);
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, NULL), 0);
    CU_ASSERT_EQUAL(imported.outcome, HISTORY_LONGER);
    CU_ASSERT_EQUAL(stage_count(stage.store, "run"), 1);
    CU_ASSERT_EQUAL_FATAL(stage_set_up(&alone, &sample), true);
    CU_ASSERT_EQUAL(stage_import(&alone, "friday", &imported, NULL), 0);
    CU_ASSERT_EQUAL(count_all(stage.store), count_all(alone.store));
    free(whole);
    stage_take_down(&alone);
    stage_take_down(&stage);
}

void another_journal_of_the_same_id_is_refused(void)
{
    const struct journal_sample sample = {.rounds = 20}, longer = {.rounds = 30, .fail_every = 3};
    struct history_imported imported;
    struct history_stage stage;
    struct error error;
    int64_t rows;

    if (!stage_set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, NULL), 0);
    rows = count_all(stage.store);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &longer, NULL), 0);
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the store has another run friday"));
    cut(stage.journal, 10, 0);
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "and this journal only 10"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--run-id gives this one another id"));
    CU_ASSERT_EQUAL(stage_import(&stage, "fri day", &imported, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(stage_import(&stage, "fri", &imported, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "4 to 64 letters"));
    CU_ASSERT_EQUAL(count_all(stage.store), rows);
    stage_take_down(&stage);
}

static int see_verified(void *context, const struct history_found *run)
{
    *(bool *)context = run->is_verified && !run->problem;
    return 0;
}

void a_journal_that_does_not_verify_is_refused_or_marked_for_ever(void)
{
    const struct journal_sample sample = {.rounds = 20};
    const struct history_import anyway = {.id = "friday", .unverified = true};
    struct history_imported imported;
    bool is_verified = true;
    struct history_stage stage;
    struct error error;
    size_t length;
    char *text;

    if (!stage_set_up(&stage, &sample))
        return;
    text = scratch_read(stage.journal, &length);
    text[length / 2] ^= 1;
    scratch_write(stage.journal, text, length);
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "was altered"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--unverified"));
    CU_ASSERT_EQUAL(count_all(stage.store), 0);
    CU_ASSERT_EQUAL(history_import(stage.store, stage.journal, &anyway, &imported, &error), 0);
    CU_ASSERT_FALSE(imported.is_verified);
    text[length / 2] ^= 1;
    scratch_write(stage.journal, text, length);
    CU_ASSERT_EQUAL(stage_import(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "that one does not verify"));
    history_find(stage.store, &(struct history_filter){.id = "friday"}, see_verified, &is_verified,
                 NULL);
    CU_ASSERT_FALSE(is_verified);
    free(text);
    stage_take_down(&stage);
}

static int see_cut(void *context, const struct history_found *run)
{
    *(bool *)context = !run->is_complete && run->is_verified && run->torn == 5;
    return 0;
}

void a_torn_journal_is_imported_as_one_that_was_cut_off(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    bool is_so = false;
    struct history_stage stage;

    if (!stage_set_up(&stage, &sample))
        return;
    cut(stage.journal, 40, 5);
    CU_ASSERT_EQUAL(stage_import(&stage, "torn", &imported, NULL), 0);
    history_find(stage.store, &(struct history_filter){.id = "torn"}, see_cut, &is_so, NULL);
    CU_ASSERT(is_so);
    stage_take_down(&stage);
}

static int see_verdict(void *context, const struct history_found *run)
{
    snprintf(context, 16, "%s", run->verdict);
    return 0;
}

static int see_recording_verdict(void *context, const struct history_recording *recording,
                                 int64_t others)
{
    (void)others;
    *(enum verdict *)context = recording->verdict;
    return 0;
}

/* Nobody knows what would have come; what has failed before the end has failed. */
void a_run_that_was_cut_off_has_not_passed(void)
{
    const struct journal_sample good = {.rounds = 20, .crashed = true};
    const struct journal_sample bad = {.rounds = 20, .fail_every = 20};
    enum verdict recording = VERDICT_PASS;
    struct history_imported imported;
    char verdict[16] = "", id[HISTORY_ID_MAX + 1];
    struct history_stage stage;
    int64_t number;

    if (!stage_set_up(&stage, &good))
        return;
    CU_ASSERT_EQUAL(stage_import(&stage, "good", &imported, NULL), 0);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &bad, NULL), 0);
    cut_after(stage.journal, "\"result\":\"fail\"");
    CU_ASSERT_EQUAL(stage_import(&stage, "failed", &imported, NULL), 0);
    history_find(stage.store, &(struct history_filter){.id = "good"}, see_verdict, verdict, NULL);
    CU_ASSERT_STRING_EQUAL(verdict, "cut off");
    history_find(stage.store, &(struct history_filter){.id = "failed"}, see_verdict, verdict, NULL);
    CU_ASSERT_STRING_EQUAL(verdict, "fail");
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, "failed", id, &number, NULL), 0);
    CU_ASSERT_EQUAL(
        history_recordings(stage.store, number, see_recording_verdict, &recording, NULL), 0);
    CU_ASSERT_EQUAL(recording, VERDICT_FAIL);
    stage_find(&stage, &(struct history_filter){.verdict = "pass"}, "");
    stage_find(&stage, &(struct history_filter){.verdict = "fail"}, "failed ");
    stage_find(&stage, &(struct history_filter){.verdict = "cut off"}, "good ");
    stage_take_down(&stage);
}

void what_is_no_journal_is_refused(void)
{
    struct history_imported imported;
    struct history_stage stage;
    struct error error;

    if (!stage_set_up(&stage, NULL))
        return;
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), ERROR_CONFIG);
    scratch_write(stage.journal, "{}\n", 3);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not a journal"));
    scratch_write(stage.journal, "", 0);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(count_all(stage.store), 0);
    stage_take_down(&stage);
}

/* The last table that is written is not there, so that all before it has to be undone. */
void an_import_that_fails_leaves_nothing(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    struct history_stage stage;
    struct error error;

    if (!stage_set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(store_do(stage.store, "ALTER TABLE timing RENAME TO away", NULL, 0, NULL), 0);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, store_shown(stage.store)));
    CU_ASSERT_EQUAL(store_do(stage.store, "ALTER TABLE away RENAME TO timing", NULL, 0, NULL), 0);
    CU_ASSERT_EQUAL(count_all(stage.store), 0);
    CU_ASSERT_EQUAL(stage_import(&stage, NULL, &imported, &error), 0);
    CU_ASSERT_EQUAL(stage_count(stage.store, "run"), 1);
    stage_take_down(&stage);
}

#define IMPORTERS 4
#define OWN       12

/* Runs of its own and one that all of them have; the first of them also makes the tables. */
static void import_many(const struct history_stage *stage, int which)
{
    struct history_stage own = *stage;
    struct history_imported imported;
    char id[32];
    int status = history_open(stage->address, true, &own.store, NULL);

    if (!status)
        status = stage_import(&own, "shared", &imported, NULL);
    for (int i = 0; i < OWN && !status; i++) {
        snprintf(id, sizeof id, "own-%d-%d", which, i);
        status = stage_import(&own, id, &imported, NULL);
    }
    store_close(own.store);
    _exit(status ? 1 : 0);
}

void importers_at_once_import_each_run_once(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage = {.store = NULL};
    pid_t pids[IMPORTERS];
    int status;

    if (!history_contract.make(stage.address))
        return;
    scratch_path(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &sample, NULL), 0);
    for (int i = 0; i < IMPORTERS; i++) {
        pids[i] = fork();
        if (!pids[i])
            import_many(&stage, i);
    }
    for (int i = 0; i < IMPORTERS; i++) {
        CU_ASSERT_EQUAL(waitpid(pids[i], &status, 0), pids[i]);
        CU_ASSERT_EQUAL(status, 0);
    }
    CU_ASSERT_EQUAL_FATAL(history_open(stage.address, false, &stage.store, NULL), 0);
    CU_ASSERT_EQUAL(stage_count(stage.store, "run"), IMPORTERS * OWN + 1);
    CU_ASSERT_EQUAL(stage_count(stage.store, "device"), 3 * (IMPORTERS * OWN + 1));
    stage_take_down(&stage);
}
