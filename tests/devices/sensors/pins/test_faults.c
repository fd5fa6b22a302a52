/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "hal/base/random.h"
#include "tests/support/devices/bet_bench.h"
#include "tests/support/suite.h"

#define PIN(seat, line) (UINT64_C(1) << (((seat)-1) * BET_LINES + BET_LINE_##line))

static void place_and_light_seat_2(struct bet_bench *bench)
{
    bet_sensor_place(&bench->sensor, BET_SEAT(2), true, NULL);
    bet_sensor_light(&bench->sensor, BET_SEAT(2), NULL);
}

TEST(a_stuck_pin_shows_as_what_its_line_is_for)
{
    static const struct {
        struct pin_faults faults;
        const char *told;
    } pins[] = {
        {{.stuck_low = PIN(2, BET)}, "stuck-low 2@500.0"},
        {{.stuck_high = PIN(2, BET)}, "placed 2@20.0"},
        {{.stuck_high = PIN(3, BET)}, "placed 3@20.0 placed 2@60.0 stuck-high 3@500.0"},
        {{.stuck_low = PIN(2, CHIP)}, "stuck-low 2@500.0"},
        {{.stuck_high = PIN(3, CHIP)}, "placed 2@60.0 placed 3@60.0"},
        {{.stuck_low = PIN(2, LIGHT)}, "placed 2@60.0 dark 2@100.0"},
        {{.stuck_low = PIN(2, LAMP)}, "placed 2@60.0 dark 2@100.0"},
        {{.stuck_high = PIN(3, LIGHT)}, "placed 2@60.0 lit 3@105.0"},
        {{.stuck_high = PIN(3, LAMP)}, "placed 2@60.0 lit 3@100.0"},
    };

    for (size_t i = 0; i < sizeof pins / sizeof pins[0]; i++) {
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){.faults = &pins[i].faults});
        place_and_light_seat_2(&bench);
        bet_bench_expect(&bench, 1000, pins[i].told);
        bet_bench_close(&bench);
    }
}

/*
 * Rounds on random seats, by actuators and by hands that place late wagers and lift locked ones;
 * what the driver tells goes into `told` without its times.
 */
static void play_random_rounds(struct bet_bench *bench, uint64_t random, struct bet_event *told,
                               unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        unsigned seats = (unsigned)random_next(&random) & BET_ALL_SEATS;
        unsigned hand = 1 + (unsigned)(random_next(&random) % 7);
        nanos_t start = i * 1000 * BET_MS;
        struct bet_event event;

        clock_advance(&bench->clock, start);
        bet_sensor_place(&bench->sensor, seats, true, NULL);
        bet_sensor_settle(&bench->sensor, NULL);
        CU_ASSERT_EQUAL(bet_sensor_lock(&bench->sensor, seats, &bench->error), 0);
        bet_sensor_model_hand(bench->model, hand, !(seats >> hand & 1), start + 200 * BET_MS);
        clock_advance(&bench->clock, start + 400 * BET_MS);
        CU_ASSERT_EQUAL(bet_sensor_unlock(&bench->sensor, &bench->error), 0);
        bet_sensor_place(&bench->sensor, seats, false, NULL);
        bet_sensor_model_hand(bench->model, hand, false, start + 440 * BET_MS);
        while (bet_sensor_next(&bench->sensor, &event, start + 1000 * BET_MS, NULL) == 1)
            *told++ = (struct bet_event){.kind = event.kind, .seat = event.seat};
        CU_ASSERT_EQUAL(bet_sensor_placed(&bench->sensor), 0);
    }
}

#define ROUNDS 40
#define TOLD   (ROUNDS * 16)

TEST(contacts_that_bounce_below_the_debounce_change_nothing)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct pin_faults faults = {
            .seed = seed, .bounce = 700000, .bounce_edges = 5, .bounce_for = 15 * BET_MS};
        struct bet_event plain[TOLD] = {{0}}, bounced[TOLD] = {{0}};
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){0});
        play_random_rounds(&bench, seed, plain, ROUNDS);
        bet_bench_close(&bench);
        bet_bench_open(&bench, &(struct bet_setup){.faults = &faults});
        play_random_rounds(&bench, seed, bounced, ROUNDS);
        CU_ASSERT_TRUE(fault_pins_counts(bench.spy.inner)->injected > 100);
        bet_bench_close(&bench);
        CU_ASSERT_NOT_EQUAL(plain[ROUNDS].kind, BET_EVENT_NONE);
        /* Bouncing moves the order of seats whose wagers settle together, never their number. */
        for (unsigned seat = 1; seat <= BET_SENSOR_SEATS; seat++)
            for (unsigned kind = 0; kind < BET_EVENT_KINDS; kind++) {
                int difference = 0;

                for (size_t i = 0; i < TOLD; i++) {
                    difference += plain[i].seat == seat && plain[i].kind == kind;
                    difference -= bounced[i].seat == seat && bounced[i].kind == kind;
                }
                CU_ASSERT_EQUAL(difference, 0);
            }
    }
}

TEST(two_runs_with_one_seed_are_identical)
{
    const struct pin_faults faults = {
        .seed = 5, .bounce = 500000, .bounce_edges = 9, .bounce_for = 90 * BET_MS};
    const struct bet_setup setup = {.faults = &faults, .options = "seed=3,fault=bounce@seat:2"};
    char first[sizeof((struct bet_bench *)0)->log];
    struct bet_bench bench;

    for (int run = 0; run < 2; run++) {
        bet_bench_open(&bench, &setup);
        bet_sensor_place(&bench.sensor, BET_ALL_SEATS, true, NULL);
        bet_bench_hear(&bench, 1000);
        if (!run)
            strcpy(first, bench.log);
        bet_bench_close(&bench);
    }
    CU_ASSERT_STRING_EQUAL(first, bench.log);
    CU_ASSERT_TRUE(strlen(first) > 100);
}

TEST(polarity_changes_nothing_that_is_told)
{
    static const char *const options[] = {
        "fault=dark@seat:2", "fault=dark@seat:2,active-low=bet+light+chip+lamp",
        "fault=dark@seat:2,active-low=bet+lamp", "active-low=light,fault=dark@seat:2"};
    static const unsigned active_low[] = {
        0, BET_ALL_LINES, 1u << BET_LINE_BET | 1u << BET_LINE_LAMP, 1u << BET_LINE_LIGHT};

    for (size_t i = 0; i < 4; i++) {
        struct bet_bench bench;

        bet_bench_open(&bench,
                       &(struct bet_setup){.options = options[i], .active_low = active_low[i]});
        place_and_light_seat_2(&bench);
        bet_sensor_model_hand(bench.model, 6, true, 200 * BET_MS);
        bet_bench_expect(&bench, 1000, "placed 2@60.0 dark 2@100.0 placed 6@220.0");
        bet_bench_close(&bench);
    }
}

TEST(a_lost_edge_is_told_and_its_wager_is_found)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    emulated_chip_lose(bet_sensor_model_chip(bench.model), 1);
    bet_sensor_model_hand(bench.model, 3, true, 10 * BET_MS);
    bet_sensor_model_hand(bench.model, 5, true, 50 * BET_MS);
    bet_bench_expect(&bench, 1000, "lost 0@50.0 placed 3@70.0 placed 5@70.0");
    bet_bench_close(&bench);
}

TEST(what_counted_before_a_loss_is_told_before_it)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_model_hand(bench.model, 2, true, 10 * BET_MS);
    bet_bench_expect(&bench, 15, "");
    emulated_chip_lose(bet_sensor_model_chip(bench.model), 1);
    bet_sensor_model_hand(bench.model, 3, true, 40 * BET_MS);
    bet_sensor_model_hand(bench.model, 5, true, 50 * BET_MS);
    clock_advance(&bench.clock, 60 * BET_MS);
    bet_bench_expect(&bench, 200, "placed 2@30.0 lost 0@50.0 placed 5@70.0 placed 3@80.0");
    bet_bench_close(&bench);
}

TEST(an_edge_that_comes_too_late_does_not_turn_back_time)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_model_hand(bench.model, 2, true, 10 * BET_MS);
    bet_sensor_model_hand(bench.model, 2, false, 25 * BET_MS);
    bench.spy.withheld = 31 * BET_MS;
    bet_bench_expect(&bench, 200, "placed 2@30.0 lifted 2@50.0");
    bet_bench_close(&bench);
}

TEST(after_a_loss_nobody_waits_for_the_next_edge)
{
    struct bet_bench bench;
    struct bet_event event;

    bet_bench_open(&bench, &(struct bet_setup){0});
    emulated_chip_lose(bet_sensor_model_chip(bench.model), 1);
    bet_sensor_model_hand(bench.model, 3, true, 10 * BET_MS);
    bet_bench_drive(&bench, 5, BET_LINE_LAMP, true, 50 * BET_MS);
    bet_bench_drive(&bench, 5, BET_LINE_LAMP, false, 51 * BET_MS);
    CU_ASSERT_EQUAL(bet_sensor_next(&bench.sensor, &event, NEVER, &bench.error), 1);
    CU_ASSERT_EQUAL(event.kind, BET_EVENT_EDGES_LOST);
    CU_ASSERT_EQUAL(bet_sensor_next(&bench.sensor, &event, NEVER, &bench.error), 1);
    CU_ASSERT_EQUAL(event.kind, BET_EVENT_PLACED);
    CU_ASSERT_EQUAL(event.seat, 3);
    bet_bench_close(&bench);
}

TEST(where_a_loss_is_not_told_the_level_is_believed)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.is_loss_unknown = true});
    bench.spy.to_drop = 1;
    bet_sensor_model_hand(bench.model, 3, true, 10 * BET_MS);
    bet_bench_expect(&bench, 100, "");
    bet_bench_expect(&bench, 200, "placed 3@120.0");
    bet_sensor_model_hand(bench.model, 3, false, 210 * BET_MS);
    bet_sensor_model_hand(bench.model, 3, true, 215 * BET_MS);
    bet_bench_hear(&bench, 212);
    bench.spy.to_drop = 1;
    bet_bench_expect(&bench, 400, "");
    bet_bench_close(&bench);
}

TEST(a_queue_that_overflows_ends_with_the_word_that_something_is_missing)
{
    struct bet_event event;
    struct bet_bench bench;
    unsigned placed = 0;

    bet_bench_open(&bench, &(struct bet_setup){0});
    for (unsigned i = 0; i < BET_EVENTS_MAX + 10; i++)
        bet_bench_drive(&bench, 3, BET_LINE_BET, i % 2 == 0, (i + 1) * 30 * BET_MS);
    clock_advance(&bench.clock, 10000 * BET_MS);
    CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, 0, &bench.error), 0);
    while (bet_sensor_next(&bench.sensor, &event, 0, &bench.error) == 1 &&
           event.kind != BET_EVENT_EDGES_LOST)
        placed++;
    CU_ASSERT_EQUAL(placed, BET_EVENTS_MAX - 1);
    CU_ASSERT_EQUAL(event.kind, BET_EVENT_EDGES_LOST);
    CU_ASSERT_EQUAL(bet_sensor_next(&bench.sensor, &event, 0, &bench.error), 0);
    bet_bench_close(&bench);
}

TEST(a_line_that_chatters_holds_nobody_beyond_the_deadline)
{
    struct bet_event event;
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bench.spy.chatters = true;
    CU_ASSERT_EQUAL(bet_sensor_next(&bench.sensor, &event, 3 * BET_MS, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 3 * BET_MS + NANOS_PER_MICRO);
    CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, 0, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 3 * BET_MS + 2 * NANOS_PER_MICRO);
    bet_bench_close(&bench);
}

TEST(every_call_ends_with_what_ended_the_pins)
{
    for (int i = 0; i < 2; i++) {
        int expected = i ? ERROR_ABORTED : ERROR_DEVICE;
        struct bet_event event;
        struct bet_bench bench;
        unsigned wrong;

        bet_bench_open(&bench, &(struct bet_setup){0});
        if (i)
            hal_cancel(&bench.hal);
        else
            emulated_chip_unplug(bet_sensor_model_chip(bench.model));
        CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, 2, true, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, 0, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_unlock(&bench.sensor, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, 2, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_settle(&bench.sensor, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_check_lamps(&bench.sensor, &wrong, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_next(&bench.sensor, &event, NEVER, &bench.error), expected);
        CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 1), BET_OPEN);
        bet_bench_close(&bench);
    }
}

TEST(waiting_for_ever_for_nothing_is_an_error_of_the_rig)
{
    struct bet_event event;
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    CU_ASSERT_EQUAL(bet_sensor_next(&bench.sensor, &event, NEVER, &bench.error), ERROR_RIG);
    bet_bench_close(&bench);
}

#define STEPS 6

/* One step of a round on seats 2 and 5. */
static int play_step(struct bet_bench *bench, unsigned step)
{
    const unsigned seats = BET_SEAT(2) | BET_SEAT(5);
    struct bet_sensor *sensor = &bench->sensor;

    switch (step) {
    case 0:
        return bet_sensor_place(sensor, seats, true, &bench->error);
    case 1:
        return bet_sensor_lock(sensor, seats, &bench->error);
    case 2:
        return bet_sensor_light(sensor, seats, &bench->error);
    case 3:
        return bet_sensor_unlock(sensor, &bench->error);
    case 4:
        return bet_sensor_place(sensor, seats, false, &bench->error);
    default:
        return bet_sensor_light(sensor, 0, &bench->error);
    }
}

TEST(a_power_cycle_at_any_step_is_heard_and_the_next_round_is_whole)
{
    static const char *const whole[2 * STEPS] = {
        "placed 2@60.0 placed 5@60.0",     "", "", "", "lifted 2@4060.0 lifted 5@4060.0",   "",
        "placed 2@6060.0 placed 5@6060.0", "", "", "", "lifted 2@10060.0 lifted 5@10060.0", ""};
    static const char *const cut[STEPS] = {
        "placed 2@70.0 placed 5@70.0",
        "taken 2@1020.0 taken 5@1020.0 late 2@1070.0 late 5@1070.0",
        "taken 2@2020.0 taken 5@2020.0 late 2@2070.0 late 5@2070.0",
        "lifted 2@3020.0 lifted 5@3020.0 placed 2@3070.0 placed 5@3070.0",
        "lifted 2@4020.0 lifted 5@4020.0",
        "",
    };

    for (unsigned at = 0; at < STEPS; at++) {
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){0});
        for (unsigned step = 0; step < 2 * STEPS; step++) {
            if (step == at)
                bet_sensor_model_power_cycle(bench.model, clock_now(&bench.clock));
            CU_ASSERT_EQUAL(play_step(&bench, step % STEPS), 0);
            bet_bench_expect(&bench, (step + 1) * 1000, step == at ? cut[step] : whole[step]);
        }
        bet_bench_close(&bench);
    }
}

TEST(a_table_that_boots_longer_than_lamps_may_settle_is_dark)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.options = "boot=101"});
    bet_sensor_light(&bench.sensor, BET_SEAT(3), NULL);
    bet_bench_expect(&bench, 1000, "");
    bet_sensor_model_power_cycle(bench.model, clock_now(&bench.clock));
    bet_bench_expect(&bench, 2000, "dark 3@1100.0");
    bet_bench_close(&bench);
}
