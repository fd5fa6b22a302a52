/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/history_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/history/diff.h"
#include "rigs/history/import.h"
#include "rigs/history/orders.h"
#include "rigs/history/pool.h"
#include "rigs/history/put.h"
#include "rigs/history/schema.h"
#include "rigs/history/trend.h"
#include "rigs/report/report.h"
#include "tests/support/deck.h"
#include "tests/support/forge.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"
#include "tests/support/seeded.h"

/* A store and a journal for one test. */
struct history_stage {
    char address[STORE_ADDRESS_MAX];
    char journal[SCRATCH_PATH_SIZE];
    struct store *store;
};

static bool set_up(struct history_stage *stage, const struct journal_sample *sample)
{
    struct error error;

    if (!history_contract.make(stage->address))
        return false;
    scratch_path(stage->journal);
    stage->store = NULL;
    if (history_open(stage->address, true, &stage->store, &error)) {
        CU_FAIL_FATAL("the store does not open");
    }
    if (sample)
        CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage->journal, sample, NULL), 0);
    return true;
}

static void take_down(struct history_stage *stage)
{
    store_close(stage->store);
    unlink(stage->journal);
    history_contract.remove(stage->address);
}

static int64_t count(struct store *store, const char *table)
{
    struct store_rows *rows;
    char sql[64];
    int64_t counted = -1;

    snprintf(sql, sizeof sql, "SELECT COUNT(*) FROM %s", table);
    if (!store_ask(store, sql, NULL, 0, &rows, NULL) && store_next(rows, NULL) > 0)
        counted = store_integer(rows, 0);
    store_rows_free(rows);
    return counted;
}

static int64_t count_all(struct store *store)
{
    static const char *const tables[] = {"run",     "performer", "device", "recording", "unpassed",
                                         "checked", "failure",   "timing", "shuffled"};
    int64_t all = 0;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        all += count(store, tables[i]);
    return all;
}

static int import_as(struct history_stage *stage, const char *id, struct history_imported *imported,
                     struct error *error)
{
    const struct history_import import = {.id = id, .host = "bench"};

    return history_import(stage->store, stage->journal, &import, imported, error);
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

    if (!set_up(&stage, NULL))
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
    take_down(&stage);
}

void what_is_undone_was_never_there(void)
{
    struct history_stage stage;

    if (!set_up(&stage, NULL))
        return;
    CU_ASSERT_EQUAL(store_begin(stage.store, NULL), 0);
    CU_ASSERT_EQUAL(store_do(stage.store, "INSERT INTO history_schema VALUES (99)", NULL, 0, NULL),
                    0);
    store_undo(stage.store);
    CU_ASSERT_EQUAL(count(stage.store, "history_schema"), HISTORY_SCHEMA_VERSION);
    take_down(&stage);
}

void a_store_of_a_later_schema_is_refused(void)
{
    struct store *again = NULL;
    struct history_stage stage;
    struct error error;

    if (!set_up(&stage, NULL))
        return;
    store_do(stage.store, "INSERT INTO history_schema VALUES (1000)", NULL, 0, NULL);
    CU_ASSERT_EQUAL(history_open(stage.address, true, &again, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a history of version 1000; this program knows"));
    CU_ASSERT_EQUAL(history_open(stage.address, false, &again, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(count(stage.store, "history_schema"), HISTORY_SCHEMA_VERSION + 1);
    take_down(&stage);
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
    CU_ASSERT_EQUAL(count(store, "checked"), (int64_t)report->check_count);
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

    if (!set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL_FATAL(report_read(stage.journal, &report, NULL), 0);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, NULL), 0);
    CU_ASSERT_EQUAL(imported.outcome, HISTORY_NEW);
    expected.report = report;
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.id = imported.id},
                                 compare_run, &expected, NULL),
                    0);
    CU_ASSERT_EQUAL(expected.times, 1);
    compare_checks(stage.store, report);
    compare_timings(stage.store, report);
    CU_ASSERT_EQUAL(count(stage.store, "unpassed"),
                    (int64_t)(report->round_count - report->verdicts[VERDICT_PASS]));
    CU_ASSERT_EQUAL(count(stage.store, "failure"), report->failed);
    report_free(report);
    take_down(&stage);
}

void the_same_journal_again_changes_nothing(void)
{
    const struct journal_sample sample = {.rounds = 20, .fail_every = 7};
    struct history_imported first, second;
    struct history_stage stage;
    int64_t rows;

    if (!set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &first, NULL), 0);
    rows = count_all(stage.store);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &second, NULL), 0);
    CU_ASSERT_EQUAL(second.outcome, HISTORY_SAME);
    CU_ASSERT_STRING_EQUAL(first.id, second.id);
    CU_ASSERT_EQUAL(count_all(stage.store), rows);
    CU_ASSERT_EQUAL(import_as(&stage, "by-another-name", &second, NULL), 0);
    CU_ASSERT_EQUAL(second.outcome, HISTORY_NEW);
    CU_ASSERT_EQUAL(count(stage.store, "run"), 2);
    CU_ASSERT_EQUAL(count_all(stage.store), 2 * rows);
    take_down(&stage);
}

void a_journal_that_has_grown_replaces_its_shorter_self(void)
{
    const struct journal_sample sample = {.rounds = 20, .fail_every = 7};
    struct history_imported imported;
    struct history_stage stage, alone;
    size_t length;
    char *whole;

    if (!set_up(&stage, &sample))
        return;
    whole = scratch_read(stage.journal, &length);
    cut(stage.journal, 40, 0);
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, NULL), 0);
    scratch_write(stage.journal, whole, length);
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, NULL), 0);
    CU_ASSERT_EQUAL(imported.outcome, HISTORY_LONGER);
    CU_ASSERT_EQUAL(count(stage.store, "run"), 1);
    CU_ASSERT_EQUAL_FATAL(set_up(&alone, &sample), true);
    CU_ASSERT_EQUAL(import_as(&alone, "friday", &imported, NULL), 0);
    CU_ASSERT_EQUAL(count_all(stage.store), count_all(alone.store));
    free(whole);
    take_down(&alone);
    take_down(&stage);
}

void another_journal_of_the_same_id_is_refused(void)
{
    const struct journal_sample sample = {.rounds = 20}, longer = {.rounds = 30, .fail_every = 3};
    struct history_imported imported;
    struct history_stage stage;
    struct error error;
    int64_t rows;

    if (!set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, NULL), 0);
    rows = count_all(stage.store);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &longer, NULL), 0);
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the store has another run friday"));
    cut(stage.journal, 10, 0);
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "and this journal only 10"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--run-id gives this one another id"));
    CU_ASSERT_EQUAL(import_as(&stage, "fri day", &imported, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(import_as(&stage, "fri", &imported, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "4 to 64 letters"));
    CU_ASSERT_EQUAL(count_all(stage.store), rows);
    take_down(&stage);
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

    if (!set_up(&stage, &sample))
        return;
    text = scratch_read(stage.journal, &length);
    text[length / 2] ^= 1;
    scratch_write(stage.journal, text, length);
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "was altered"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--unverified"));
    CU_ASSERT_EQUAL(count_all(stage.store), 0);
    CU_ASSERT_EQUAL(history_import(stage.store, stage.journal, &anyway, &imported, &error), 0);
    CU_ASSERT_FALSE(imported.is_verified);
    text[length / 2] ^= 1;
    scratch_write(stage.journal, text, length);
    CU_ASSERT_EQUAL(import_as(&stage, "friday", &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "that one does not verify"));
    history_find(stage.store, &(struct history_filter){.id = "friday"}, see_verified, &is_verified,
                 NULL);
    CU_ASSERT_FALSE(is_verified);
    free(text);
    take_down(&stage);
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

    if (!set_up(&stage, &sample))
        return;
    cut(stage.journal, 40, 5);
    CU_ASSERT_EQUAL(import_as(&stage, "torn", &imported, NULL), 0);
    history_find(stage.store, &(struct history_filter){.id = "torn"}, see_cut, &is_so, NULL);
    CU_ASSERT(is_so);
    take_down(&stage);
}

static int list_id(void *context, const struct history_found *run)
{
    char *list = context;

    strcat(list, run->id);
    strcat(list, " ");
    return 0;
}

static void find(struct history_stage *stage, const struct history_filter *filter,
                 const char *expected)
{
    char list[256] = "";

    CU_ASSERT_EQUAL(history_find(stage->store, filter, list_id, list, NULL), 0);
    CU_ASSERT_STRING_EQUAL(list, expected);
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

    if (!set_up(&stage, &good))
        return;
    CU_ASSERT_EQUAL(import_as(&stage, "good", &imported, NULL), 0);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &bad, NULL), 0);
    cut_after(stage.journal, "\"result\":\"fail\"");
    CU_ASSERT_EQUAL(import_as(&stage, "failed", &imported, NULL), 0);
    history_find(stage.store, &(struct history_filter){.id = "good"}, see_verdict, verdict, NULL);
    CU_ASSERT_STRING_EQUAL(verdict, "cut off");
    history_find(stage.store, &(struct history_filter){.id = "failed"}, see_verdict, verdict, NULL);
    CU_ASSERT_STRING_EQUAL(verdict, "fail");
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, "failed", id, &number, NULL), 0);
    CU_ASSERT_EQUAL(
        history_recordings(stage.store, number, see_recording_verdict, &recording, NULL), 0);
    CU_ASSERT_EQUAL(recording, VERDICT_FAIL);
    find(&stage, &(struct history_filter){.verdict = "pass"}, "");
    find(&stage, &(struct history_filter){.verdict = "fail"}, "failed ");
    find(&stage, &(struct history_filter){.verdict = "cut off"}, "good ");
    take_down(&stage);
}

void what_is_no_journal_is_refused(void)
{
    struct history_imported imported;
    struct history_stage stage;
    struct error error;

    if (!set_up(&stage, NULL))
        return;
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), ERROR_CONFIG);
    scratch_write(stage.journal, "{}\n", 3);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not a journal"));
    scratch_write(stage.journal, "", 0);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(count_all(stage.store), 0);
    take_down(&stage);
}

/* The last table that is written is not there, so that all before it has to be undone. */
void an_import_that_fails_leaves_nothing(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    struct history_stage stage;
    struct error error;

    if (!set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(store_do(stage.store, "ALTER TABLE timing RENAME TO away", NULL, 0, NULL), 0);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, store_shown(stage.store)));
    CU_ASSERT_EQUAL(store_do(stage.store, "ALTER TABLE away RENAME TO timing", NULL, 0, NULL), 0);
    CU_ASSERT_EQUAL(count_all(stage.store), 0);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), 0);
    CU_ASSERT_EQUAL(count(stage.store, "run"), 1);
    take_down(&stage);
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
        status = import_as(&own, "shared", &imported, NULL);
    for (int i = 0; i < OWN && !status; i++) {
        snprintf(id, sizeof id, "own-%d-%d", which, i);
        status = import_as(&own, id, &imported, NULL);
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
    CU_ASSERT_EQUAL(count(stage.store, "run"), IMPORTERS * OWN + 1);
    CU_ASSERT_EQUAL(count(stage.store, "device"), 3 * (IMPORTERS * OWN + 1));
    take_down(&stage);
}

/* Another evening: with another machine, on another day, by somebody. */
static void import_forged(struct history_stage *stage, const char *id, const char *date,
                          const char *serial, const char *firmware, const char *operator)
{
    char clock[128], person[128];
    struct forgery forgery = forge_read(stage->journal);
    struct history_imported imported;
    struct history_stage forged = *stage;

    snprintf(clock, sizeof clock, "\"clock\":\"real\",\"date\":\"%s\",\"run\":\"%s\"", date, id);
    snprintf(person, sizeof person,
             "\"t\":0,\"kind\":\"operator\",\"name\":\"%s\",\"from\":\"command\"", operator);
    forge_replace(&forgery, 0, "\"clock\":\"virtual\"", clock);
    forge_replace_all(&forgery, "SH-0042", serial);
    forge_replace_all(&forgery, "1.4.2", firmware);
    forge_insert(&forgery, forge_find(&forgery, "\"kind\":\"recording\"", 1), person);
    scratch_path(forged.journal);
    forge_write(&forgery, forged.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(import_as(&forged, NULL, &imported, NULL), 0);
    CU_ASSERT_STRING_EQUAL(imported.id, id);
    unlink(forged.journal);
}

#define FIRST  "aaaa0000000000000000000000000001"
#define SECOND "aaaa0000000000000000000000000002"
#define THIRD  "bbbb0000000000000000000000000003"

static void import_three(struct history_stage *stage)
{
    const struct journal_sample failing = {.rounds = 20, .fail_every = 7};

    import_forged(stage, SECOND, "2026-02-01T10:00:00Z", "SH-2", "1.5", "Bob");
    import_forged(stage, FIRST, "2026-01-31T10:00:00Z", "SH-1", "1.4", "Ann");
    unlink(stage->journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage->journal, &failing, NULL), 0);
    import_forged(stage, THIRD, "2026-02-02T10:00:00Z", "SH-1", "1.5", "Ann");
}

static void refuse_date(struct history_stage *stage, const char *date)
{
    struct error error = {.text = ""};

    CU_ASSERT_EQUAL(history_find(stage->store, &(struct history_filter){.until = date}, list_id,
                                 (char[256]){""}, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "there is no such date"));
}

void runs_are_found_by_what_they_have(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage;
    struct error error;

    if (!set_up(&stage, &sample))
        return;
    import_three(&stage);
    find(&stage, &(struct history_filter){.id = NULL}, FIRST " " SECOND " " THIRD " ");
    find(&stage, &(struct history_filter){.serial = "SH-1"}, FIRST " " THIRD " ");
    find(&stage, &(struct history_filter){.firmware = "1.5"}, SECOND " " THIRD " ");
    find(&stage, &(struct history_filter){.serial = "SH-1", .firmware = "1.5"}, THIRD " ");
    find(&stage, &(struct history_filter){.serial = "SH-1", .firmware = "2.0.1"}, "");
    find(&stage, &(struct history_filter){.operator= "Bob" }, SECOND " ");
    find(&stage, &(struct history_filter){.verdict = "fail"}, THIRD " ");
    find(&stage, &(struct history_filter){.since = "2026-02-01"}, SECOND " " THIRD " ");
    find(&stage, &(struct history_filter){.until = "2026-02-01"}, FIRST " " SECOND " ");
    find(&stage, &(struct history_filter){.until = "2026-02-01T09:59:59Z"}, FIRST " ");
    find(&stage, &(struct history_filter){.until = "2026-02-01T10:00:00Z"}, FIRST " " SECOND " ");
    find(&stage, &(struct history_filter){.since = "2026-02-02T10:00:00Z"}, THIRD " ");
    find(&stage, &(struct history_filter){.check = "wager-outcome"}, THIRD " ");
    find(&stage, &(struct history_filter){.check = "' OR 1 = 1 --"}, "");
    find(&stage, &(struct history_filter){.rig = "%"}, "");
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.since = "monday"}, list_id,
                                 NULL, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--since is 'monday'"));
    refuse_date(&stage, "2026-02-29");
    refuse_date(&stage, "2026-13-01");
    refuse_date(&stage, "2026-00-10");
    refuse_date(&stage, "2026-01-31T24:00:00Z");
    refuse_date(&stage, "2026-01-31T10:00:61Z");
    find(&stage, &(struct history_filter){.since = "2024-02-29"}, FIRST " " SECOND " " THIRD " ");
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.verdict = "good"}, list_id,
                                 NULL, &error),
                    ERROR_CONFIG);
    take_down(&stage);
}

void a_run_is_found_by_the_beginning_of_its_id(void)
{
    const struct journal_sample sample = {.rounds = 20};
    char id[HISTORY_ID_MAX + 1];
    struct history_stage stage;
    struct error error;
    int64_t number;

    if (!set_up(&stage, &sample))
        return;
    import_three(&stage);
    CU_ASSERT_EQUAL(history_find_id(stage.store, "bbbb", id, &number, &error), 0);
    CU_ASSERT_STRING_EQUAL(id, THIRD);
    CU_ASSERT_EQUAL(history_find_id(stage.store, FIRST, id, &number, &error), 0);
    CU_ASSERT_STRING_EQUAL(id, FIRST);
    CU_ASSERT_EQUAL(history_find_id(stage.store, "aaaa", id, &number, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "may be any of " FIRST ", " SECOND));
    CU_ASSERT_EQUAL(history_find_id(stage.store, "cccc", id, &number, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(history_find_id(stage.store, "bb", id, &number, &error), ERROR_CONFIG);
    take_down(&stage);
}

void a_run_on_a_real_clock_is_known_by_the_id_in_its_journal(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    struct forgery forgery;
    struct history_stage stage;
    struct error error;

    if (!set_up(&stage, &sample))
        return;
    forgery = forge_read(stage.journal);
    forge_replace(&forgery, 0, "\"clock\":\"virtual\"",
                  "\"clock\":\"real\",\"date\":\"2026-01-31T10:00:00Z\"");
    forge_write(&forgery, stage.journal);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), 0);
    CU_ASSERT_EQUAL(strncmp(imported.id, "20260131T100000Z-bench-", 23), 0);
    forge_replace(&forgery, 0, "10:00:00Z\"", "10:00:00Z\",\"run\":\"" FIRST "\"");
    forge_write(&forgery, stage.journal);
    CU_ASSERT_EQUAL(import_as(&stage, "other", &imported, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "its first line has an id, " FIRST));
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), 0);
    CU_ASSERT_STRING_EQUAL(imported.id, FIRST);
    forge_replace(&forgery, 0, "\"seed\":\"", "\"seed\":\"1");
    forge_write(&forgery, stage.journal);
    CU_ASSERT_EQUAL(import_as(&stage, NULL, &imported, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "which it keeps: take another store"));
    CU_ASSERT_PTR_NULL(strstr(error.text, "--run-id"));
    forge_free(&forgery);
    take_down(&stage);
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

    if (!set_up(&stage, &sample))
        return;
    import_three(&stage);
    diff(&stage, FIRST, FIRST, "");
    diff(&stage, FIRST, SECOND, "device 2 ");
    diff(&stage, FIRST, THIRD, "fact 1 device 1 check 2 verdict 1 ");
    take_down(&stage);
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

void many_runs_are_compared_with_many_by_rate(void)
{
    const struct journal_sample sample = {.rounds = 20};
    int64_t good_bad[2], bad_good[2], bad_bad[2];
    char id[HISTORY_ID_MAX + 1], list[1024];
    struct history_stage stage;

    if (!set_up(&stage, &sample))
        return;
    import_three(&stage);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, FIRST, id, &good_bad[0], NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, THIRD, id, &good_bad[1], NULL), 0);
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
    take_down(&stage);
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

    if (!set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(import_as(&stage, "first", &imported, NULL), 0);
    forgery = forge_read(stage.journal);
    forge_replace(&forgery, forge_find(&forgery, "\"kind\":\"settled\"", 5), "\"jackpots\":[",
                  "\"more\":1,\"jackpots\":[");
    forge_write(&forgery, stage.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(import_as(&stage, "second", &imported, NULL), 0);
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
    CU_ASSERT_STRING_EQUAL(list, "settlement: round 5 settled in one way by 1 of 2 | in that way "
                                 "by 0 of 1; 1 of 20 rounds differ; ");
    take_down(&stage);
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

    if (!set_up(&stage, &sample))
        return;
    CU_ASSERT_EQUAL(import_as(&stage, "first", &imported, NULL), 0);
    forgery = forge_read(stage.journal);
    digest =
        strstr(forgery.bodies[forge_find(&forgery, "\"kind\":\"recording\"", 1)], "\"sha256\":\"");
    digest += strlen("\"sha256\":\"");
    *digest = *digest == '0' ? '1' : '0';
    forge_write(&forgery, stage.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(import_as(&stage, "second", &imported, NULL), 0);
    diff(&stage, "first", "second", "recording 1 ");
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, "second", id, &number, NULL), 0);
    CU_ASSERT_EQUAL(history_recordings(stage.store, number, see_others, &others, NULL), 0);
    CU_ASSERT_EQUAL(others, 1);
    take_down(&stage);
}

/* Puts a run into the store as if it had been imported on that day. */
static void put_on_day(struct history_stage *stage, const struct history_run *run, unsigned day)
{
    char id[16], date[32];
    const struct history_entry entry = {.id = id,
                                        .source = "run.journal",
                                        .host = "bench",
                                        .date = date,
                                        .dated_by = "file",
                                        .imported = date};

    snprintf(id, sizeof id, "day-%02u", day);
    snprintf(date, sizeof date, "2026-%02u-%02uT10:00:00Z", day / 28 + 1, day % 28 + 1);
    CU_ASSERT_EQUAL_FATAL(history_put(stage->store, day + 1, run, &entry, NULL), 0);
}

static struct history_run *read_run(struct history_stage *stage)
{
    struct history_run *run = NULL;

    CU_ASSERT_EQUAL_FATAL(history_run_read(lines_open(stage->journal, NULL), &run, NULL), 0);
    return run;
}

#define DAYS   40
#define SLOWER 25

void a_machine_that_has_become_slower_is_found_with_the_run(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_machine machine;
    struct history_stage stage;
    struct history_run *run;
    struct error error;

    if (!set_up(&stage, &sample))
        return;
    run = read_run(&stage);
    run->is_virtual = false;
    for (unsigned day = 0; day < DAYS; day++) {
        HISTORY_EACH(timing, run->timings, struct history_timing)
        {
            for (size_t at = 0; day == SLOWER && at < timing->took.length; at += HISTORY_TOOK)
                timing->took.data[at + 4] += 1;
        }
        put_on_day(&stage, run, day);
    }
    history_run_free(run);
    CU_ASSERT_EQUAL_FATAL(history_trend(stage.store, "SH-0042", &machine, NULL), 0);
    CU_ASSERT_EQUAL(machine.count, DAYS);
    CU_ASSERT_EQUAL(machine.misdated, 0);
    for (size_t i = 0; i < machine.series_count; i++) {
        const struct history_series *series = &machine.series[i];
        bool is_failures = !strcmp(series->name, "failures");

        CU_ASSERT_EQUAL(series->count, DAYS);
        CU_ASSERT_EQUAL_FATAL(series->change_count, is_failures ? 0 : 1);
        if (!is_failures)
            CU_ASSERT_STRING_EQUAL(machine.points[series->points[series->changes[0].at]].id,
                                   "day-25");
    }
    CU_ASSERT(machine.series_count >= 2);
    history_machine_free(&machine);
    CU_ASSERT_EQUAL(history_trend(stage.store, "SH-9", &machine, &error), ERROR_CONFIG);
    take_down(&stage);
}

/* Day 0 passes, on day 1 the bench failed once and a person stopped it; day 2 is day 0 again. */
void what_no_machine_did_is_in_no_trend(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_unpassed *rounds = calloc(2, sizeof *rounds);
    struct history_machine machine;
    struct history_stage stage;
    struct history_run *run;

    if (!set_up(&stage, &sample)) {
        free(rounds);
        return;
    }
    run = read_run(&stage);
    HISTORY_EACH(timing, run->timings, struct history_timing)
    {
        free(timing->name);
        timing->name = strdup("take");
    }
    put_on_day(&stage, run, 0);
    put_on_day(&stage, run, 2);
    rounds[0] = (struct history_unpassed){.recording = 1, .round = 5, .verdict = VERDICT_RIG};
    rounds[1] = (struct history_unpassed){.recording = 1, .round = 6, .verdict = VERDICT_ABORTED};
    run->unpassed = (struct history_list){rounds, 2, 2};
    run->rounds.failed = 2;
    run->ending.digest[0] ^= 1;
    put_on_day(&stage, run, 1);
    CU_ASSERT_EQUAL_FATAL(history_trend(stage.store, "SH-0042", &machine, NULL), 0);
    CU_ASSERT_EQUAL(machine.count, 2);
    CU_ASSERT_EQUAL(machine.repeated, 1);
    for (size_t i = 0; i < machine.series_count; i++) {
        CU_ASSERT_STRING_NOT_EQUAL(machine.series[i].name, "take");
        CU_ASSERT_EQUAL(machine.series[i].count, 2);
        if (!strcmp(machine.series[i].name, "failures"))
            CU_ASSERT_DOUBLE_EQUAL(machine.series[i].values[1], 0, 1e-12);
    }
    history_machine_free(&machine);
    history_run_free(run);
    take_down(&stage);
}

/* A run whose recording ends with a jam: the last shuffles before it take so much longer. */
static void put_jam(struct history_stage *stage, unsigned day, int64_t later)
{
    struct history_run *run = read_run(stage);
    struct history_timing *timing = run->timings.items;
    struct history_unpassed *round = calloc(1, sizeof *round);
    uint64_t random = day + 1;

    free(timing->name);
    timing->name = strdup("shuffle");
    timing->took.length = 0;
    for (int i = 0; i < 49; i++)
        history_bytes_add_number(&timing->took, 1000 + (int64_t)seeded_below(&random, 100) +
                                                    (i >= 39 ? later : 0));
    *round = (struct history_unpassed){.recording = 1, .round = 50, .verdict = VERDICT_DEVICE};
    run->unpassed = (struct history_list){round, 1, 1};
    run->rounds.failed = 1;
    run->is_virtual = false;
    put_on_day(stage, run, day);
    history_run_free(run);
}

void a_shuffler_that_slows_down_before_it_fails_is_found(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_machine machine;
    struct history_stage stage;

    if (!set_up(&stage, &sample))
        return;
    for (unsigned day = 0; day < 6; day++)
        put_jam(&stage, day, day == 3 ? 300 : day == 4 ? -300 : 0);
    CU_ASSERT_EQUAL_FATAL(history_trend(stage.store, "SH-0042", &machine, NULL), 0);
    CU_ASSERT_EQUAL(machine.failed, 6);
    CU_ASSERT_EQUAL(machine.judged, 6);
    CU_ASSERT_EQUAL_FATAL(machine.jam_count, 1);
    CU_ASSERT_STRING_EQUAL(machine.points[machine.jams[0].point].id, "day-03");
    CU_ASSERT_EQUAL(machine.jams[0].round, 50);
    CU_ASSERT_DOUBLE_EQUAL(machine.jams[0].larger, 1, 1e-9);
    history_machine_free(&machine);
    take_down(&stage);
}

static int count_flaky(void *context, const struct history_flaky *flaky)
{
    CU_ASSERT_STRING_EQUAL(flaky->serial, "SH-1");
    CU_ASSERT_STRING_EQUAL(flaky->firmware, "1.5");
    CU_ASSERT_EQUAL(flaky->passed, 1);
    CU_ASSERT_EQUAL(flaky->failed, 1);
    ++*(unsigned *)context;
    return 0;
}

/* The first passes with firmware 1.4, the third fails with 1.5: that alone is not flaky. */
void a_recording_that_came_out_both_ways_is_flaky(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage;
    unsigned count_of = 0;

    if (!set_up(&stage, &sample))
        return;
    import_three(&stage);
    CU_ASSERT_EQUAL(history_flaky(stage.store, "SH-1", count_flaky, &count_of, NULL), 0);
    CU_ASSERT_EQUAL(count_of, 0);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &sample, NULL), 0);
    import_forged(&stage, "cccc0000000000000000000000000004", "2026-02-03T10:00:00Z", "SH-1", "1.5",
                  "Ann");
    CU_ASSERT_EQUAL(history_flaky(stage.store, "SH-1", count_flaky, &count_of, NULL), 0);
    CU_ASSERT(count_of >= 1);
    take_down(&stage);
}

/* As above, but where it passes something else is not the same, or the end is not there. */
static void expect_no_flaky(const char *line, const char *key)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage;
    struct forgery forgery;
    unsigned count_of = 0;
    char *at;

    if (!set_up(&stage, &sample))
        return;
    import_three(&stage);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &sample, NULL), 0);
    forgery = forge_read(stage.journal);
    if (key) {
        at = strstr(forgery.bodies[forge_find(&forgery, line, 1)], key);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        at += strlen(key);
        *at = *at == '0' ? '1' : '0';
    } else {
        forge_remove(&forgery, forgery.count - 1, 1);
    }
    forge_write(&forgery, stage.journal);
    forge_free(&forgery);
    import_forged(&stage, "cccc0000000000000000000000000004", "2026-02-03T10:00:00Z", "SH-1", "1.5",
                  "Ann");
    CU_ASSERT_EQUAL(history_flaky(stage.store, "SH-1", count_flaky, &count_of, NULL), 0);
    CU_ASSERT_EQUAL(count_of, 0);
    take_down(&stage);
}

void what_passed_with_something_else_is_not_flaky(void)
{
    expect_no_flaky("\"name\":\"terminal\"", "\"firmware\":\"");
    expect_no_flaky("\"kind\":\"recording\"", "\"expect-sha256\":\"");
    expect_no_flaky(NULL, NULL);
}

/* So many orders of twenty cards, which follow from the seed. */
static void shuffle_into(struct history_recording *recording, uint64_t seed, int count_of)
{
    struct game_setup setup;
    card_t cards[DECK_SIZE];
    struct shuffles_order order = {
        .cards = cards, .count = 20, .setup = &setup, .seats = 2, .unrelated = true};

    game_setup_init(&setup, game_find("flush-rush"));
    recording->orders.length = 0;
    recording->order_count = count_of;
    for (int turn = 0; turn < count_of; turn++) {
        deck_in_order(cards);
        deck_mix(cards, &seed);
        CU_ASSERT(history_orders_add(&recording->orders, &order));
    }
}

void orders_of_all_runs_of_a_machine_are_pooled_each_once(void)
{
    static const uint64_t seeds[] = {1, 2, 1, 3, 4};
    const struct journal_sample sample = {.rounds = 20};
    struct shuffles *shuffles = shuffles_new();
    struct history_pooled pooled;
    struct history_stage stage;
    struct history_run *run;
    struct error error;

    if (!set_up(&stage, &sample)) {
        shuffles_free(shuffles);
        return;
    }
    run = read_run(&stage);
    for (unsigned day = 0; day < 5; day++) {
        shuffle_into(run->recordings.items, seeds[day], 50);
        run->resumed = day == 1;
        snprintf(run->problem, sizeof run->problem, "%s", day == 4 ? "altered" : "");
        put_on_day(&stage, run, day);
    }
    history_run_free(run);
    CU_ASSERT_EQUAL(history_pool(stage.store, "SH-0042", NULL, shuffles, &pooled, &error), 0);
    CU_ASSERT_EQUAL(pooled.orders, 150);
    CU_ASSERT_EQUAL(shuffles_count(shuffles), 150);
    CU_ASSERT_EQUAL(pooled.runs, 4);
    CU_ASSERT_EQUAL(pooled.looks, 5);
    CU_ASSERT_EQUAL(pooled.repeated, 1);
    CU_ASSERT_EQUAL(pooled.unverified, 1);
    CU_ASSERT_STRING_EQUAL(pooled.firmware, "1.4.2");
    CU_ASSERT_EQUAL(history_pool(stage.store, "SH-0042", "1.4.2", shuffles, &pooled, &error), 0);
    CU_ASSERT_EQUAL(history_pool(stage.store, "SH-0042", "1.4", shuffles, &pooled, &error),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(history_pool(stage.store, "SH-1", NULL, shuffles, &pooled, &error),
                    ERROR_CONFIG);
    shuffles_free(shuffles);
    take_down(&stage);
}

/* The same seed, for a shorter run and a longer one, before and after; then on a real clock. */
void orders_that_a_longer_run_begins_with_are_no_second_sample(void)
{
    static const int counts[] = {50, 80, 30, 80};
    const struct journal_sample sample = {.rounds = 20};
    struct shuffles *shuffles = shuffles_new();
    struct history_pooled pooled;
    struct history_stage stage;
    struct history_run *run;

    if (!set_up(&stage, &sample)) {
        shuffles_free(shuffles);
        return;
    }
    run = read_run(&stage);
    for (unsigned day = 0; day < 4; day++) {
        shuffle_into(run->recordings.items, day == 3 ? 9 : 1, counts[day]);
        run->is_virtual = day < 3;
        put_on_day(&stage, run, day);
    }
    history_run_free(run);
    CU_ASSERT_EQUAL(history_pool(stage.store, "SH-0042", NULL, shuffles, &pooled, NULL), 0);
    CU_ASSERT_EQUAL(pooled.orders, 160);
    CU_ASSERT_EQUAL(shuffles_count(shuffles), 160);
    CU_ASSERT_EQUAL(pooled.repeated, 1);
    CU_ASSERT_EQUAL(pooled.runs, 4);
    shuffles_free(shuffles);
    take_down(&stage);
}
