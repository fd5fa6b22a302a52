/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/history/stage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "rigs/history/put.h"
#include "rigs/history/store/schema.h"
#include "tests/support/lies/forge.h"

bool stage_set_up(struct history_stage *stage, const struct journal_sample *sample)
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

void stage_take_down(struct history_stage *stage)
{
    store_close(stage->store);
    unlink(stage->journal);
    history_contract.remove(stage->address);
}

int64_t stage_count(struct store *store, const char *table)
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

int stage_import(struct history_stage *stage, const char *id, struct history_imported *imported,
                 struct error *error)
{
    const struct history_import import = {.id = id, .host = "bench"};

    return history_import(stage->store, stage->journal, &import, imported, error);
}

int stage_list_id(void *context, const struct history_found *run)
{
    char *list = context;

    strcat(list, run->id);
    strcat(list, " ");
    return 0;
}

void stage_find(struct history_stage *stage, const struct history_filter *filter,
                const char *expected)
{
    char list[256] = "";

    CU_ASSERT_EQUAL(history_find(stage->store, filter, stage_list_id, list, NULL), 0);
    CU_ASSERT_STRING_EQUAL(list, expected);
}

/* Another evening: with another machine, on another day, by somebody. */
void stage_import_forged(struct history_stage *stage, const char *id, const char *date,
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
    CU_ASSERT_EQUAL(stage_import(&forged, NULL, &imported, NULL), 0);
    CU_ASSERT_STRING_EQUAL(imported.id, id);
    unlink(forged.journal);
}

void stage_import_three(struct history_stage *stage)
{
    const struct journal_sample failing = {.rounds = 20, .fail_every = 7};

    stage_import_forged(stage, STAGE_SECOND, "2026-02-01T10:00:00Z", "SH-2", "1.5", "Bob");
    stage_import_forged(stage, STAGE_FIRST, "2026-01-31T10:00:00Z", "SH-1", "1.4", "Ann");
    unlink(stage->journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage->journal, &failing, NULL), 0);
    stage_import_forged(stage, STAGE_THIRD, "2026-02-02T10:00:00Z", "SH-1", "1.5", "Ann");
}

/* Puts a run into the store as if it had been imported on that day. */
void stage_put_on_day(struct history_stage *stage, const struct history_run *run, unsigned day)
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

struct history_run *stage_read(struct history_stage *stage)
{
    struct history_run *run = NULL;

    CU_ASSERT_EQUAL_FATAL(history_run_read(lines_open(stage->journal, NULL), &run, NULL), 0);
    return run;
}
