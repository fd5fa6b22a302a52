/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine and a recording did over time, and all orders of a shuffler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/history/orders.h"
#include "rigs/history/pool.h"
#include "rigs/history/put.h"
#include "rigs/history/trend.h"
#include "tests/support/deck.h"
#include "tests/support/history/stage.h"
#include "tests/support/lies/forge.h"
#include "tests/support/seeded.h"

#define DAYS   40
#define SLOWER 25

static void name_timings(struct history_run *run, const char *name)
{
    HISTORY_EACH(timing, run->timings, struct history_timing)
    {
        free(timing->name);
        timing->name = strdup(name);
    }
}

void a_machine_that_has_become_slower_is_found_with_the_run(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_machine machine;
    struct history_stage stage;
    struct history_run *run;
    struct error error;

    if (!stage_set_up(&stage, &sample))
        return;
    run = stage_read(&stage);
    run->is_virtual = false;
    name_timings(run, "shuffle");
    for (unsigned day = 0; day < DAYS; day++) {
        HISTORY_EACH(timing, run->timings, struct history_timing)
        {
            for (size_t at = 0; day == SLOWER && at < timing->took.length; at += HISTORY_TOOK)
                timing->took.data[at + 4] += 1;
        }
        stage_put_on_day(&stage, run, day);
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
    stage_take_down(&stage);
}

/* Day 0 passes, on day 1 the bench failed once and a person stopped it; day 2 is day 0 again. */
void what_no_machine_did_is_in_no_trend(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_unpassed *rounds = calloc(2, sizeof *rounds);
    struct history_machine machine;
    struct history_stage stage;
    struct history_run *run;

    if (!stage_set_up(&stage, &sample)) {
        free(rounds);
        return;
    }
    run = stage_read(&stage);
    name_timings(run, "take");
    stage_put_on_day(&stage, run, 0);
    stage_put_on_day(&stage, run, 2);
    rounds[0] = (struct history_unpassed){.recording = 1, .round = 5, .verdict = VERDICT_RIG};
    rounds[1] = (struct history_unpassed){.recording = 1, .round = 6, .verdict = VERDICT_ABORTED};
    run->unpassed = (struct history_list){rounds, 2, 2};
    run->rounds.ended = 2;
    name_timings(run, "reply"); /* the slowest of three devices */
    run->ending.digest[0] ^= 1;
    stage_put_on_day(&stage, run, 1);
    CU_ASSERT_EQUAL_FATAL(history_trend(stage.store, "SH-0042", &machine, NULL), 0);
    CU_ASSERT_EQUAL(machine.count, 2);
    CU_ASSERT_EQUAL(machine.repeated, 1);
    for (size_t i = 0; i < machine.series_count; i++) {
        CU_ASSERT_STRING_EQUAL(machine.series[i].name, "failures");
        CU_ASSERT_EQUAL(machine.series[i].count, 2);
        CU_ASSERT_DOUBLE_EQUAL(machine.series[i].values[1], 0, 1e-12);
    }
    history_machine_free(&machine);
    history_run_free(run);
    stage_take_down(&stage);
}

/* A run whose recording ends with a jam: the last shuffles before it take so much longer. */
static void put_jam(struct history_stage *stage, unsigned day, int64_t later)
{
    struct history_run *run = stage_read(stage);
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
    stage_put_on_day(stage, run, day);
    history_run_free(run);
}

void a_shuffler_that_slows_down_before_it_fails_is_found(void)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_machine machine;
    struct history_stage stage;

    if (!stage_set_up(&stage, &sample))
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
    stage_take_down(&stage);
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

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
    CU_ASSERT_EQUAL(history_flaky(stage.store, "SH-1", count_flaky, &count_of, NULL), 0);
    CU_ASSERT_EQUAL(count_of, 0);
    unlink(stage.journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(stage.journal, &sample, NULL), 0);
    stage_import_forged(&stage, "cccc0000000000000000000000000004", "2026-02-03T10:00:00Z", "SH-1",
                        "1.5", "Ann");
    CU_ASSERT_EQUAL(history_flaky(stage.store, "SH-1", count_flaky, &count_of, NULL), 0);
    CU_ASSERT(count_of >= 1);
    stage_take_down(&stage);
}

/* As above, but where it passes something else is not the same, or the end is not there. */
static void expect_no_flaky(const char *line, const char *key)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_stage stage;
    struct forgery forgery;
    unsigned count_of = 0;
    char *at;

    if (!stage_set_up(&stage, &sample))
        return;
    stage_import_three(&stage);
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
    stage_import_forged(&stage, "cccc0000000000000000000000000004", "2026-02-03T10:00:00Z", "SH-1",
                        "1.5", "Ann");
    CU_ASSERT_EQUAL(history_flaky(stage.store, "SH-1", count_flaky, &count_of, NULL), 0);
    CU_ASSERT_EQUAL(count_of, 0);
    stage_take_down(&stage);
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

    if (!stage_set_up(&stage, &sample)) {
        shuffles_free(shuffles);
        return;
    }
    run = stage_read(&stage);
    for (unsigned day = 0; day < 5; day++) {
        shuffle_into(run->recordings.items, seeds[day], 50);
        run->resumed = day == 1;
        snprintf(run->problem, sizeof run->problem, "%s", day == 4 ? "altered" : "");
        stage_put_on_day(&stage, run, day);
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
    stage_take_down(&stage);
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

    if (!stage_set_up(&stage, &sample)) {
        shuffles_free(shuffles);
        return;
    }
    run = stage_read(&stage);
    for (unsigned day = 0; day < 4; day++) {
        shuffle_into(run->recordings.items, day == 3 ? 9 : 1, counts[day]);
        run->is_virtual = day < 3;
        stage_put_on_day(&stage, run, day);
    }
    history_run_free(run);
    CU_ASSERT_EQUAL(history_pool(stage.store, "SH-0042", NULL, shuffles, &pooled, NULL), 0);
    CU_ASSERT_EQUAL(pooled.orders, 160);
    CU_ASSERT_EQUAL(shuffles_count(shuffles), 160);
    CU_ASSERT_EQUAL(pooled.repeated, 1);
    CU_ASSERT_EQUAL(pooled.runs, 4);
    shuffles_free(shuffles);
    stage_take_down(&stage);
}
