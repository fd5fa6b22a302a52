/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/devices/bet_bench.h"
#include "tests/support/suite.h"

TEST(a_wager_counts_when_it_has_lain_for_the_debounce)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, BET_SEAT(1), true, &bench.error), 0);
    bet_bench_expect(&bench, 59.9, "");
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), 0);
    bet_bench_expect(&bench, 1000, "placed 1@60.0");
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), BET_SEAT(1));
    CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 1), BET_PLACED);
    CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, BET_SEAT(1), false, &bench.error), 0);
    bet_bench_expect(&bench, 2000, "lifted 1@1060.0");
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), 0);
    CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 1), BET_OPEN);
    bet_bench_close(&bench);
}

/* The example of the protocol page, on bare lines: the model has no part in it. */
TEST(the_example_of_the_protocol_page_holds)
{
    struct emulated_chip *chip;
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    chip = bet_sensor_model_chip(bench.model);
    emulated_chip_watch(chip, NULL, NULL);
    bet_sensor_place(&bench.sensor, BET_SEAT(1), true, NULL);
    CU_ASSERT_TRUE(emulated_line_level(chip, 2));
    bet_bench_drive(&bench, 1, BET_LINE_BET, true, 40 * BET_MS);
    bet_bench_expect(&bench, 100, "placed 1@60.0");
    CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, BET_SEAT(1), &bench.error), 0);
    bet_sensor_light(&bench.sensor, BET_SEAT(1), NULL);
    CU_ASSERT_TRUE(emulated_line_level(chip, 1));
    bet_bench_drive(&bench, 1, BET_LINE_LAMP, true, 105 * BET_MS);
    bet_bench_drive(&bench, 1, BET_LINE_BET, false, 400 * BET_MS);
    bet_bench_expect(&bench, 1000, "taken 1@420.0");
    bet_bench_close(&bench);
}

TEST(a_pulse_counts_from_the_debounce_on_and_not_below_it)
{
    const struct {
        nanos_t length;
        const char *expected;
    } pulses[] = {
        {20 * BET_MS - 1, ""},
        {20 * BET_MS, "placed 1@30.0 lifted 1@50.0"},
        {20 * BET_MS + 1, "placed 1@30.0 lifted 1@50.0"},
    };

    for (size_t i = 0; i < sizeof pulses / sizeof pulses[0]; i++) {
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){.missing = 1u << BET_LINE_CHIP});
        bet_bench_drive(&bench, 1, BET_LINE_BET, true, 10 * BET_MS);
        bet_bench_drive(&bench, 1, BET_LINE_BET, false, 10 * BET_MS + pulses[i].length);
        bet_bench_expect(&bench, 1000, pulses[i].expected);
        bet_bench_close(&bench);
    }
}

TEST(a_gap_counts_from_the_debounce_on_and_not_below_it)
{
    for (int extra = -1; extra <= 0; extra++) {
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){0});
        bet_sensor_place(&bench.sensor, BET_SEAT(1), true, NULL);
        bet_bench_expect(&bench, 100, "placed 1@60.0");
        bet_bench_drive(&bench, 1, BET_LINE_BET, false, 110 * BET_MS);
        bet_bench_drive(&bench, 1, BET_LINE_BET, true, 130 * BET_MS + extra);
        bet_bench_expect(&bench, 1000, extra < 0 ? "" : "lifted 1@130.0 placed 1@150.0");
        bet_bench_close(&bench);
    }
}

TEST(without_a_debounce_every_edge_counts)
{
    const struct bet_sensor_timing timing = {.follow = 1, .settle = 1};
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.timing = &timing, .missing = 1u << BET_LINE_CHIP});
    bet_bench_drive(&bench, 1, BET_LINE_BET, true, 1 * BET_MS);
    bet_bench_drive(&bench, 1, BET_LINE_BET, false, 1 * BET_MS);
    bet_bench_drive(&bench, 1, BET_LINE_BET, true, 2 * BET_MS);
    bet_bench_expect(&bench, 10, "placed 1@1.0 lifted 1@1.0 placed 1@2.0");
    bet_bench_close(&bench);
}

TEST(a_sensor_may_follow_until_the_end_of_its_time)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.options = "travel=480"});
    bet_sensor_place(&bench.sensor, BET_SEAT(2), true, NULL);
    bet_bench_expect(&bench, 2000, "placed 2@500.0");
    bet_bench_close(&bench);
    bet_bench_open(&bench, &(struct bet_setup){.options = "travel=481"});
    bet_sensor_place(&bench.sensor, BET_SEAT(2), true, NULL);
    bet_bench_expect(&bench, 2000, "stuck-low 2@500.0 placed 2@501.0");
    bet_bench_close(&bench);
}

TEST(a_lamp_may_settle_before_the_end_of_its_time)
{
    struct bet_bench bench;
    unsigned wrong;

    bet_bench_open(&bench, &(struct bet_setup){.options = "glow=99"});
    bet_sensor_light(&bench.sensor, BET_SEAT(2), NULL);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&bench.sensor, &wrong, &bench.error), 0);
    CU_ASSERT_EQUAL(wrong, 0);
    bet_bench_expect(&bench, 1000, "");
    bet_bench_close(&bench);
    bet_bench_open(&bench, &(struct bet_setup){.options = "glow=100"});
    bet_sensor_light(&bench.sensor, BET_SEAT(2), NULL);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&bench.sensor, &wrong, &bench.error), 0);
    CU_ASSERT_EQUAL(wrong, 0);
    bet_bench_expect(&bench, 1000, "dark 2@100.0");
    bet_bench_close(&bench);
}

TEST(lamps_that_are_wrong_after_settling_are_counted)
{
    struct bet_bench bench;
    unsigned wrong;

    bet_bench_open(&bench, &(struct bet_setup){.options = "fault=dark@seat:2,fault=lit@seat:7"});
    bet_sensor_light(&bench.sensor, BET_SEAT(1) | BET_SEAT(2), NULL);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&bench.sensor, &wrong, &bench.error), 0);
    CU_ASSERT_EQUAL(wrong, BET_SEAT(2) | BET_SEAT(7));
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 100 * BET_MS);
    bet_bench_expect(&bench, 1000, "dark 2@100.0 lit 7@100.0");
    bet_bench_close(&bench);
}

/* How a seat stands: its state, whether a wager lies there, whether a round runs. */
enum stand { OPEN, PLACED, OPEN_IN_ROUND, LATE, LOCKED, LOCKED_TAKEN, STANDS };
enum deed { WAGER, LIFT, LOCK, UNLOCK, DEEDS };

static void bring_to(struct bet_bench *bench, enum stand stand)
{
    struct bet_sensor *sensor = &bench->sensor;

    if (stand == PLACED || stand == LOCKED || stand == LOCKED_TAKEN)
        bet_sensor_model_hand(bench->model, 3, true, 0);
    bet_bench_hear(bench, 100);
    if (stand == LOCKED || stand == LOCKED_TAKEN)
        CU_ASSERT_EQUAL_FATAL(bet_sensor_lock(sensor, BET_SEAT(3), &bench->error), 0);
    if (stand == OPEN_IN_ROUND || stand == LATE)
        CU_ASSERT_EQUAL_FATAL(bet_sensor_lock(sensor, 0, &bench->error), 0);
    if (stand == LATE)
        bet_sensor_model_hand(bench->model, 3, true, 100 * BET_MS);
    if (stand == LOCKED_TAKEN)
        bet_sensor_model_hand(bench->model, 3, false, 100 * BET_MS);
    bet_bench_hear(bench, 200);
}

static int deed_do(struct bet_bench *bench, enum deed deed)
{
    if (deed == LOCK)
        return bet_sensor_lock(&bench->sensor, BET_SEAT(3), &bench->error);
    if (deed == UNLOCK)
        return bet_sensor_unlock(&bench->sensor, &bench->error);
    bet_sensor_model_hand(bench->model, 3, deed == WAGER, 200 * BET_MS);
    return 0;
}

TEST(every_deed_in_every_stand_is_allowed_or_refused_as_the_rules_say)
{
    static const struct {
        int result;
        enum bet_state after;
        const char *told;
    } rules[STANDS][DEEDS] = {
        [OPEN] = {[WAGER] = {0, BET_PLACED, "placed 3@220.0"},
                  [LIFT] = {0, BET_OPEN, ""},
                  [LOCK] = {ERROR_RULE, BET_OPEN, ""},
                  [UNLOCK] = {ERROR_RULE, BET_OPEN, ""}},
        [PLACED] = {[WAGER] = {0, BET_PLACED, ""},
                    [LIFT] = {0, BET_OPEN, "lifted 3@220.0"},
                    [LOCK] = {0, BET_LOCKED, ""},
                    [UNLOCK] = {ERROR_RULE, BET_PLACED, ""}},
        [OPEN_IN_ROUND] = {[WAGER] = {0, BET_PLACED, "late 3@220.0"},
                           [LIFT] = {0, BET_OPEN, ""},
                           [LOCK] = {ERROR_RULE, BET_OPEN, ""},
                           [UNLOCK] = {0, BET_OPEN, ""}},
        [LATE] = {[WAGER] = {0, BET_PLACED, ""},
                  [LIFT] = {0, BET_OPEN, "lifted 3@220.0"},
                  [LOCK] = {ERROR_RULE, BET_PLACED, ""},
                  [UNLOCK] = {0, BET_PLACED, ""}},
        [LOCKED] = {[WAGER] = {0, BET_LOCKED, ""},
                    [LIFT] = {0, BET_LOCKED, "taken 3@220.0"},
                    [LOCK] = {ERROR_RULE, BET_LOCKED, ""},
                    [UNLOCK] = {0, BET_PLACED, ""}},
        [LOCKED_TAKEN] = {[WAGER] = {0, BET_LOCKED, "late 3@220.0"},
                          [LIFT] = {0, BET_LOCKED, ""},
                          [LOCK] = {ERROR_RULE, BET_LOCKED, ""},
                          [UNLOCK] = {0, BET_OPEN, ""}},
    };

    for (unsigned i = 0; i < STANDS * DEEDS; i++) {
        enum stand stand = i / DEEDS;
        enum deed deed = i % DEEDS;
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){0});
        bring_to(&bench, stand);
        CU_ASSERT_EQUAL(deed_do(&bench, deed), rules[stand][deed].result);
        bet_bench_expect(&bench, 400, rules[stand][deed].told);
        CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 3), rules[stand][deed].after);
        bet_bench_close(&bench);
    }
}

TEST(a_refused_start_locks_no_seat_and_starts_no_round)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_place(&bench.sensor, BET_SEAT(1) | BET_SEAT(2), true, NULL);
    bet_bench_hear(&bench, 100);
    CU_ASSERT_EQUAL(
        bet_sensor_lock(&bench.sensor, BET_SEAT(1) | BET_SEAT(2) | BET_SEAT(5), &bench.error),
        ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:table"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "seat 5"));
    CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 1), BET_PLACED);
    CU_ASSERT_EQUAL(bet_sensor_unlock(&bench.sensor, &bench.error), ERROR_RULE);
    bet_sensor_place(&bench.sensor, BET_SEAT(5), true, NULL);
    bet_bench_expect(&bench, 400, "placed 5@160.0");
    bet_bench_close(&bench);
}

TEST(a_wager_that_still_settles_at_start_round_is_late)
{
    const struct {
        nanos_t touches;
        int result;
        const char *told;
    } wagers[] = {{80 * BET_MS, 0, "placed 4@100.0"},
                  {80 * BET_MS + 1, ERROR_RULE, "late 4@100.0"}};

    for (size_t i = 0; i < 2; i++) {
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){0});
        bet_sensor_model_hand(bench.model, 4, true, wagers[i].touches);
        clock_advance(&bench.clock, 100 * BET_MS);
        CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, BET_SEAT(4), &bench.error),
                        wagers[i].result);
        if (wagers[i].result)
            CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, 0, &bench.error), 0);
        bet_bench_expect(&bench, 400, wagers[i].told);
        bet_bench_close(&bench);
    }
}

/* A whole round on seats 1 and 4: wagers, START ROUND with its lamps, the end, wagers taken back.
 */
static void play_round(struct bet_bench *bench, unsigned seats)
{
    struct bet_sensor *sensor = &bench->sensor;
    nanos_t start = clock_now(&bench->clock);

    CU_ASSERT_EQUAL(bet_sensor_place(sensor, seats, true, &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_settle(sensor, &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_lock(sensor, bet_sensor_placed(sensor), &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_light(sensor, bet_sensor_placed(sensor), &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_settle(sensor, &bench->error), 0);
    clock_advance(&bench->clock, start + 1000 * BET_MS);
    CU_ASSERT_EQUAL(bet_sensor_unlock(sensor, &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_light(sensor, 0, &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_place(sensor, seats, false, &bench->error), 0);
    CU_ASSERT_EQUAL(bet_sensor_settle(sensor, &bench->error), 0);
    clock_advance(&bench->clock, start + 2000 * BET_MS);
}

TEST(every_fault_of_the_table_is_told_for_what_it_is)
{
    static const struct {
        const char *fault, *told;
    } faults[] = {
        {"", "placed 1@60.0 placed 4@60.0 lifted 1@1060.0 lifted 4@1060.0"},
        {"fault=stuck-high@seat:6", "placed 6@20.0 placed 1@60.0 placed 4@60.0 stuck-high 6@500.0 "
                                    "lifted 1@1060.0 lifted 4@1060.0"},
        {"fault=stuck-high@seat:4",
         "placed 4@20.0 placed 1@60.0 lifted 1@1060.0 stuck-high 4@1500.0"},
        {"fault=stuck-low@seat:4", "placed 1@60.0 stuck-low 4@500.0 lifted 1@1060.0"},
        {"fault=dark@seat:4",
         "placed 1@60.0 placed 4@60.0 dark 4@160.0 lifted 1@1060.0 lifted 4@1060.0"},
        {"fault=dark@seat:6", "placed 1@60.0 placed 4@60.0 lifted 1@1060.0 lifted 4@1060.0"},
        {"fault=lit@seat:6",
         "placed 1@60.0 placed 4@60.0 lit 6@100.0 lifted 1@1060.0 lifted 4@1060.0"},
        {"fault=bounce@seat:4", "placed 1@60.0 placed 4@68.0 lifted 1@1060.0 lifted 4@1068.0"},
        {"fault=late@seat:6", "placed 1@60.0 placed 4@60.0 late 6@380.0 lifted 1@1060.0 "
                              "lifted 4@1060.0 lifted 6@1060.0"},
        {"fault=lift@seat:4", "placed 1@60.0 placed 4@60.0 taken 4@380.0 lifted 1@1060.0"},
        {"fault=late@seat:1,fault=lift@seat:6",
         "placed 1@60.0 placed 4@60.0 lifted 1@1060.0 lifted 4@1060.0"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct bet_bench bench;

        bet_bench_open(&bench, &(struct bet_setup){.options = faults[i].fault});
        play_round(&bench, BET_SEAT(1) | BET_SEAT(4));
        bet_bench_expect(&bench, 3000, faults[i].told);
        bet_bench_close(&bench);
    }
}

TEST(a_fault_that_shows_once_leaves_the_next_round_alone)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.options = "fault=late@seat:6,fault=lift@seat:4"});
    play_round(&bench, BET_SEAT(1) | BET_SEAT(4));
    bet_bench_expect(&bench, 2000,
                     "placed 1@60.0 placed 4@60.0 taken 4@380.0 late 6@380.0 lifted 1@1060.0 "
                     "lifted 6@1060.0");
    play_round(&bench, BET_SEAT(4));
    bet_bench_expect(&bench, 4000, "placed 4@2060.0 lifted 4@3060.0");
    bet_bench_close(&bench);
}

TEST(a_lamp_that_fails_again_is_told_again)
{
    struct bet_bench bench;
    unsigned wrong;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_light(&bench.sensor, BET_SEAT(2), NULL);
    bet_sensor_model_fault(bench.model, "dark@seat:2", NULL);
    bet_bench_expect(&bench, 500, "dark 2@105.0");
    bet_sensor_model_mend(bench.model);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&bench.sensor, &wrong, &bench.error), 0);
    CU_ASSERT_EQUAL(wrong, 0);
    bet_sensor_model_fault(bench.model, "dark@seat:2", NULL);
    bet_bench_expect(&bench, 2000, "dark 2@700.0");
    bet_sensor_light(&bench.sensor, 0, NULL);
    bet_sensor_model_fault(bench.model, "lit@seat:2", NULL);
    bet_bench_expect(&bench, 3000, "lit 2@2105.0");
    bet_bench_close(&bench);
}

TEST(each_change_of_a_lamp_is_judged_for_itself)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.options = "fault=lit@seat:2"});
    bet_bench_expect(&bench, 500, "lit 2@100.0");
    bet_sensor_light(&bench.sensor, BET_SEAT(2), NULL);
    bet_bench_expect(&bench, 550, "");
    bet_sensor_light(&bench.sensor, 0, NULL);
    bet_bench_expect(&bench, 1000, "lit 2@650.0");
    bet_sensor_light(&bench.sensor, 0, NULL);
    bet_bench_expect(&bench, 2000, "");
    bet_bench_close(&bench);
}

TEST(settling_ends_as_soon_as_everything_has_followed)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_place(&bench.sensor, BET_SEAT(1) | BET_SEAT(7), true, NULL);
    bet_sensor_light(&bench.sensor, BET_SEAT(3), NULL);
    CU_ASSERT_EQUAL(bet_sensor_settle(&bench.sensor, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 60 * BET_MS);
    CU_ASSERT_EQUAL(bet_sensor_settle(&bench.sensor, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 60 * BET_MS);
    bet_bench_close(&bench);
}

TEST(settling_waits_for_a_wager_that_does_not_count_yet)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_model_hand(bench.model, 1, true, 10 * BET_MS);
    bet_bench_expect(&bench, 20, "");
    bet_sensor_place(&bench.sensor, BET_SEAT(1), true, NULL);
    CU_ASSERT_EQUAL(bet_sensor_settle(&bench.sensor, &bench.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), BET_SEAT(1));
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 30 * BET_MS);
    bet_bench_close(&bench);
}

/* One of the two is always wrong, and neither for long. */
TEST(settling_ends_even_if_lamps_flicker_in_turn)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    for (unsigned i = 0; i < 250; i++) {
        bet_bench_drive(&bench, 3, BET_LINE_LAMP, true, (i * 40 + 1) * BET_MS);
        bet_bench_drive(&bench, 3, BET_LINE_LAMP, false, (i * 40 + 31) * BET_MS);
        bet_bench_drive(&bench, 4, BET_LINE_LAMP, true, (i * 40 + 21) * BET_MS);
        bet_bench_drive(&bench, 4, BET_LINE_LAMP, false, (i * 40 + 51) * BET_MS);
    }
    bet_bench_expect(&bench, 1.5, "");
    CU_ASSERT_EQUAL(bet_sensor_settle(&bench.sensor, &bench.error), 0);
    CU_ASSERT_TRUE(clock_now(&bench.clock) <= 502 * BET_MS);
    bet_bench_close(&bench);
}

TEST(a_deadline_that_has_passed_tells_what_has_happened)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bet_sensor_place(&bench.sensor, BET_SEAT(1) | BET_SEAT(2), true, NULL);
    clock_advance(&bench.clock, 1000 * BET_MS);
    bet_bench_expect(&bench, 0, "placed 1@60.0 placed 2@60.0");
    bet_bench_close(&bench);
}

TEST(all_lamps_and_all_actuators_are_written_at_once)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    bench.spy.writes = 0;
    CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, BET_ALL_SEATS, true, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.spy.writes, 1);
    CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, BET_ALL_SEATS, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.spy.writes, 2);
    bet_bench_expect(&bench, 1000,
                     "placed 1@60.0 placed 2@60.0 placed 3@60.0 placed 4@60.0 placed 5@60.0 "
                     "placed 6@60.0 placed 7@60.0");
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), BET_ALL_SEATS);
    CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, BET_ALL_SEATS, &bench.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, BET_SEAT(7), false, &bench.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, BET_ALL_SEATS & ~BET_SEAT(7), &bench.error), 0);
    bet_bench_expect(&bench, 2000, "taken 7@1060.0");
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), BET_ALL_SEATS & ~BET_SEAT(7));
    bet_bench_close(&bench);
}

TEST(opening_puts_out_the_lamps_and_draws_back_the_actuators)
{
    const struct bet_sensor_timing timing = BET_SENSOR_TIMING;
    struct emulated_chip *chip;
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    chip = bet_sensor_model_chip(bench.model);
    pins_write(bench.pins, 6, 6, NULL);
    bet_bench_hear(&bench, 100);
    CU_ASSERT_TRUE(emulated_line_level(chip, BET_LINE_BET));
    CU_ASSERT_TRUE(emulated_line_level(chip, BET_LINE_LAMP));
    CU_ASSERT_EQUAL(bet_sensor_open(&bench.sensor, bench.pins, bench.seats, 7, &timing, NULL), 0);
    bet_bench_expect(&bench, 1000, "placed 1@120.0 lifted 1@160.0");
    CU_ASSERT_FALSE(emulated_line_level(chip, BET_LINE_BET));
    CU_ASSERT_FALSE(emulated_line_level(chip, BET_LINE_LAMP));
    bet_bench_close(&bench);
}
