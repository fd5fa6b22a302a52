/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that were played in shards, and stores that an earlier version made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/history/details.h"
#include "rigs/history/store/schema.h"
#include "rigs/history/trend.h"
#include "tests/support/history/stage.h"
#include "tests/support/lies/forge.h"

static const struct journal_sample good = {.rounds = 20};
static const struct journal_sample failing = {.rounds = 20, .fail_every = 7};
static const struct journal_sample ended = {.rounds = 20, .fail_every = 7, .timeout_every = 20};
static const struct journal_sample silent = {.rounds = 20, .timeout_every = 20};

/* A journal of one shard, on a real clock, with an id of its own. */
struct shard {
    const struct journal_sample *sample;
    const char *shard, *job, *recordings;
    unsigned attempt;
    unsigned number; /* makes its id */
};

static int import_shard(struct history_stage *stage, const struct shard *shard,
                        struct history_imported *imported, struct error *error)
{
    char clock[128], start[4096];
    struct forgery forgery;

    unlink(stage->journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage->journal, shard->sample, NULL), 0);
    forgery = forge_read(stage->journal);
    snprintf(clock, sizeof clock,
             "\"clock\":\"real\",\"date\":\"2026-03-01T10:%02u:00Z\","
             "\"run\":\"cccc00000000000000000000000000%02u\"",
             shard->number, shard->number);
    forge_replace(&forgery, 0, "\"clock\":\"virtual\"", clock);
    snprintf(start, sizeof start,
             "%s,\"shard\":\"%s\",\"recordings\":\"%s\",\"job\":\"%s\",\"attempt\":%u",
             forgery.bodies[0], shard->shard, shard->recordings ? shard->recordings : "aaaa",
             shard->job ? shard->job : "night 7", shard->attempt ? shard->attempt : 1);
    forge_remove(&forgery, 0, 1);
    forge_insert(&forgery, 0, start);
    forge_write(&forgery, stage->journal);
    forge_free(&forgery);
    return stage_import(stage, NULL, imported, error);
}

static void take_shard(struct history_stage *stage, struct shard shard)
{
    struct history_imported imported;

    CU_ASSERT_EQUAL_FATAL(import_shard(stage, &shard, &imported, NULL), 0);
}

static int say_run(void *context, const struct history_found *run)
{
    char *said = context;

    snprintf(said + strlen(said), 1024 - strlen(said), "%s %jd/%jd %jd journals%s%s; ",
             run->verdict, (intmax_t)run->rounds.passed,
             (intmax_t)(run->rounds.passed + run->rounds.failed), (intmax_t)atol(run->source),
             run->why ? ", " : "", run->why ? run->why : "");
    return 0;
}

/* All runs of the store. */
static void expect_runs(struct history_stage *stage, const char *expected)
{
    char said[1024] = "";

    CU_ASSERT_EQUAL(
        history_find(stage->store, &(struct history_filter){.id = NULL}, say_run, said, NULL), 0);
    CU_ASSERT_STRING_EQUAL(said, expected);
}

static int count_one(void *context, const struct history_found *run)
{
    (void)run;
    ++*(int *)context;
    return 0;
}

void shards_are_one_run_when_all_are_there(void)
{
    struct history_imported imported;
    struct history_stage stage;
    int journals = 0, runs = 0;
    int64_t rows;

    if (!stage_set_up(&stage, NULL))
        return;
    take_shard(&stage, (struct shard){&good, "3/3", .number = 3});
    take_shard(&stage, (struct shard){&good, "1/3", .number = 1});
    expect_runs(&stage, "cut off 40/40 2 journals, 2 of 3 shards are here; shard 2 is missing; ");
    take_shard(&stage, (struct shard){&good, "2/3", .number = 2});
    expect_runs(&stage, "pass 60/60 3 journals; ");
    stage_find(&stage, &(struct history_filter){.verdict = "cut off"}, "");
    rows = stage_count(stage.store, "run") + stage_count(stage.store, "recording");
    CU_ASSERT_EQUAL(
        import_shard(&stage, &(struct shard){&good, "1/3", .number = 1}, &imported, NULL), 0);
    CU_ASSERT_EQUAL(imported.outcome, HISTORY_SAME);
    CU_ASSERT_EQUAL(stage_count(stage.store, "run") + stage_count(stage.store, "recording"), rows);
    expect_runs(&stage, "pass 60/60 3 journals; ");
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.journals = true}, count_one,
                                 &journals, NULL),
                    0);
    CU_ASSERT_EQUAL(journals, 3);
    CU_ASSERT_EQUAL(history_find(stage.store, &(struct history_filter){.serial = "SH-0042"},
                                 count_one, &runs, NULL),
                    0);
    CU_ASSERT_EQUAL(runs, 1);
    stage_take_down(&stage);
}

static int add_made(void *context, const struct history_check *check)
{
    int64_t *sums = context;

    sums[0] += check->counts.passed;
    sums[1] += check->counts.failed;
    return 0;
}

static int see_place(void *context, const struct history_unpassed *round)
{
    char *said = context;

    snprintf(said + strlen(said), 1024 - strlen(said), "%zu:%jd ", round->recording,
             (intmax_t)round->round);
    return 0;
}

/* Recordings are numbered as the whole run would have played them: in turn. */
void what_is_kept_of_shards_is_told_of_their_run(void)
{
    struct history_imported imported;
    char id[HISTORY_ID_MAX + 1], said[1024] = "";
    int64_t alone[2] = {0, 0}, together[2] = {0, 0}, number;
    struct history_stage stage;

    if (!stage_set_up(&stage, NULL))
        return;
    CU_ASSERT_EQUAL(
        import_shard(&stage, &(struct shard){&failing, "2/2", .number = 2}, &imported, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, imported.id, id, &number, NULL), 0);
    CU_ASSERT_EQUAL(history_checks(stage.store, number, add_made, alone, NULL), 0);
    take_shard(&stage, (struct shard){&failing, "1/2", .number = 1});
    CU_ASSERT_EQUAL_FATAL(history_find_id(stage.store, imported.whole, id, &number, NULL), 0);
    CU_ASSERT_EQUAL(history_checks(stage.store, number, add_made, together, NULL), 0);
    CU_ASSERT_EQUAL(together[0], 2 * alone[0]);
    CU_ASSERT_EQUAL(together[1], 2 * alone[1]);
    CU_ASSERT(alone[1] > 0);
    CU_ASSERT_EQUAL(history_rounds(stage.store, number, see_place, said, NULL), 0);
    CU_ASSERT_STRING_EQUAL(said, "1:7 1:14 2:7 2:14 ");
    stage_take_down(&stage);
}

void an_attempt_that_proved_nothing_is_kept_and_not_counted(void)
{
    struct history_machine machine;
    struct history_stage stage;

    if (!stage_set_up(&stage, NULL))
        return;
    take_shard(&stage, (struct shard){&good, "1/2", .attempt = 2, .number = 2});
    expect_runs(&stage,
                "cut off 20/20 1 journals, the journal of attempt 1 at shard 1 of 2 is not here; ");
    take_shard(&stage, (struct shard){&good, "2/2", .number = 3});
    take_shard(&stage, (struct shard){&silent, "1/2", .number = 1});
    expect_runs(&stage, "pass 40/40 3 journals, 1 attempt that proved nothing is not counted; ");
    CU_ASSERT_EQUAL_FATAL(history_trend(stage.store, "SH-0042", &machine, NULL), 0);
    CU_ASSERT_EQUAL(machine.count, 3);
    history_machine_free(&machine);
    stage_take_down(&stage);
}

void a_failure_of_a_shard_cannot_be_tried_away(void)
{
    struct history_stage stage;

    if (!stage_set_up(&stage, NULL))
        return;
    take_shard(&stage, (struct shard){&failing, "1/1", .number = 1});
    expect_runs(&stage, "fail 18/20 1 journals; ");
    take_shard(&stage, (struct shard){&good, "1/1", .attempt = 2, .number = 2});
    expect_runs(&stage,
                "fail 18/20 2 journals, attempt 1 at shard 1 of 1 failed, and was attempted "
                "again: what was judged cannot be replaced; ");
    stage_take_down(&stage);
}

/* What failed has failed, also where the device gave no answer after that. */
void a_failure_before_a_shard_was_ended_is_not_left_out(void)
{
    struct history_stage stage;

    if (!stage_set_up(&stage, NULL))
        return;
    take_shard(&stage, (struct shard){&ended, "1/1", .number = 1});
    take_shard(&stage, (struct shard){&good, "1/1", .attempt = 2, .number = 2});
    expect_runs(&stage, "timeout 17/20 2 journals, attempt 1 at shard 1 of 1 failed, and was "
                        "attempted again: what was judged cannot be replaced; ");
    stage_take_down(&stage);
}

/* Whichever of the two comes first. */
void a_shard_with_two_journals_of_one_attempt_has_not_passed(void)
{
    struct history_stage stage;

    if (!stage_set_up(&stage, NULL))
        return;
    take_shard(&stage, (struct shard){&good, "1/1", .number = 1});
    take_shard(&stage, (struct shard){&good, "1/1", .number = 2});
    take_shard(&stage, (struct shard){&silent, "1/1", .job = "b", .number = 3});
    take_shard(&stage, (struct shard){&good, "1/1", .job = "b", .number = 4});
    take_shard(&stage, (struct shard){&good, "1/1", .job = "c", .number = 5});
    take_shard(&stage, (struct shard){&failing, "1/1", .job = "c", .number = 6});
    expect_runs(&stage, "cut off 20/20 2 journals, attempt 1 at shard 1 of 1 passed, and was "
                        "attempted again: what was judged cannot be replaced; "
                        "cut off 20/20 2 journals, attempt 1 at shard 1 of 1 has two journals; "
                        "fail 20/20 2 journals, attempt 1 at shard 1 of 1 passed, and was "
                        "attempted again: what was judged cannot be replaced; ");
    stage_take_down(&stage);
}

void shards_of_other_recordings_are_another_run(void)
{
    struct history_imported imported;
    struct history_stage stage;
    struct error error;

    if (!stage_set_up(&stage, NULL))
        return;
    take_shard(&stage, (struct shard){&good, "1/2", .number = 1});
    take_shard(&stage, (struct shard){&good, "2/2", .recordings = "bbbb", .number = 2});
    take_shard(&stage, (struct shard){&good, "3/3", .number = 3});
    expect_runs(&stage, "cut off 20/20 1 journals, 1 of 2 shards are here; shard 2 is missing; "
                        "cut off 20/20 1 journals, 1 of 2 shards are here; shard 1 is missing; "
                        "cut off 20/20 1 journals, 1 of 3 shards are here; shard 1 is missing; ");
    CU_ASSERT_EQUAL(
        import_shard(&stage, &(struct shard){&good, "5/4", .number = 4}, &imported, &error),
        ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a shard that there cannot be"));
    stage_take_down(&stage);
}

static int see_rounds(void *context, const struct history_found *run)
{
    *(struct history_counts *)context = run->rounds;
    return 0;
}

/* Of the first version: rounds that a person ended were counted as failed, shards were not known.
 */
static void make_first_version(struct store *store)
{
    static const char *const steps[] = {
        "UPDATE run SET rounds_failed = rounds_failed + rounds_ended",
        "UPDATE recording SET rounds_failed = rounds_failed + rounds_ended",
        "DROP INDEX run_whole",
        "DROP INDEX run_digest",
        "ALTER TABLE recording DROP COLUMN rounds_ended",
        "ALTER TABLE run DROP COLUMN rounds_ended",
        "ALTER TABLE run DROP COLUMN job",
        "ALTER TABLE run DROP COLUMN part",
        "ALTER TABLE run DROP COLUMN parts",
        "ALTER TABLE run DROP COLUMN attempt",
        "ALTER TABLE run DROP COLUMN sharded",
        "ALTER TABLE run DROP COLUMN whole",
        "ALTER TABLE run DROP COLUMN counted",
        "DELETE FROM history_schema WHERE version > 1"};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        CU_ASSERT_EQUAL_FATAL(store_do(store, steps[i], NULL, 0, NULL), 0);
}

void a_store_of_an_earlier_schema_is_brought_to_this_one(void)
{
    struct history_counts before, after;
    struct history_unpassed round = {.recording = 1, .round = 20, .verdict = VERDICT_ABORTED};
    struct history_stage stage;
    struct history_run *run;

    if (!stage_set_up(&stage, &failing))
        return;
    run = stage_read(&stage);
    ((struct history_unpassed *)run->unpassed.items)[0].verdict = round.verdict;
    run->rounds.failed--;
    run->rounds.ended++;
    stage_put_on_day(&stage, run, 0);
    history_run_free(run);
    history_find(stage.store, &(struct history_filter){.id = "day-00"}, see_rounds, &before, NULL);
    make_first_version(stage.store);
    store_close(stage.store);
    CU_ASSERT_EQUAL_FATAL(history_open(stage.address, false, &stage.store, NULL), 0);
    history_find(stage.store, &(struct history_filter){.id = "day-00"}, see_rounds, &after, NULL);
    CU_ASSERT_EQUAL(memcmp(&before, &after, sizeof before), 0);
    CU_ASSERT_EQUAL(after.ended, 1);
    CU_ASSERT_EQUAL(after.failed, 1);
    expect_runs(&stage, "fail 18/19 0 journals; ");
    stage_take_down(&stage);
}
