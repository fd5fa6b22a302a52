/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store and a journal for one test of a history, and what several of them do with the two. The
 * store is the one that the suite's `history_contract` makes.
 */
#ifndef TESTS_SUPPORT_HISTORY_STAGE_H
#define TESTS_SUPPORT_HISTORY_STAGE_H

#include "rigs/history/find.h"
#include "rigs/history/import.h"
#include "tests/support/history/contract.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"

struct history_stage {
    char address[STORE_ADDRESS_MAX];
    char journal[SCRATCH_PATH_SIZE];
    struct store *store;
};

/* False: this machine can have no such store. The sample may be NULL. */
bool stage_set_up(struct history_stage *stage, const struct journal_sample *sample);
void stage_take_down(struct history_stage *stage);

/* The rows of a table. */
int64_t stage_count(struct store *store, const char *table);

/* Imports its journal, from a bench called "bench". */
int stage_import(struct history_stage *stage, const char *id, struct history_imported *imported,
                 struct error *error);

/* The ids of the runs that are found are these, each with a blank after it. */
void stage_find(struct history_stage *stage, const struct history_filter *filter,
                const char *expected);
int stage_list_id(void *list, const struct history_found *run); /* a history_each */

/* Another evening: with another machine, on another day, by somebody. */
void stage_import_forged(struct history_stage *stage, const char *id, const char *date,
                         const char *serial, const char *firmware, const char *operator);

/* Ann with SH-1 and 1.4, Bob with SH-2 and 1.5, and Ann with SH-1 and 1.5, which fails. */
#define STAGE_FIRST  "aaaa0000000000000000000000000001"
#define STAGE_SECOND "aaaa0000000000000000000000000002"
#define STAGE_THIRD  "bbbb0000000000000000000000000003"
void stage_import_three(struct history_stage *stage);

/* Its journal, read; and a run put into the store as if it had been imported on that day. */
struct history_run *stage_read(struct history_stage *stage);
void stage_put_on_day(struct history_stage *stage, const struct history_run *run, unsigned day);

#endif
