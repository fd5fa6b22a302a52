/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/devices/bet_bench.h"
#include "tests/support/suite.h"

#define HAS(lines, line) ((lines) >> BET_LINE_##line & 1)

static void place_somehow(struct bet_bench *bench, unsigned lines, bool placed)
{
    nanos_t now = clock_now(&bench->clock);
    int result = bet_sensor_place(&bench->sensor, BET_SEAT(1), placed, &bench->error);

    CU_ASSERT_EQUAL(result, HAS(lines, CHIP) ? 0 : ERROR_CONFIG);
    if (result)
        bet_sensor_model_hand(bench->model, 1, placed, now + 40 * BET_MS);
}

/* The table of a rig with just these lines; its lamp is broken and its wager is lifted late. */
static void play_with_lines(unsigned lines)
{
    struct bet_bench bench;
    unsigned wrong;

    bet_bench_open(&bench, &(struct bet_setup){.missing = BET_ALL_LINES & ~lines,
                                               .options = "fault=dark@seat:1"});
    place_somehow(&bench, lines, true);
    bet_bench_expect(&bench, 1000, HAS(lines, BET) ? "placed 1@60.0" : "");
    CU_ASSERT_EQUAL(bet_sensor_placed(&bench.sensor), HAS(lines, BET) ? BET_SEAT(1) : 0);
    CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, BET_SEAT(1), &bench.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 1), BET_LOCKED);
    CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, BET_SEAT(1), &bench.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&bench.sensor, &wrong, &bench.error), 0);
    CU_ASSERT_EQUAL(wrong, HAS(lines, LAMP) ? BET_SEAT(1) : 0);
    bet_bench_expect(&bench, 2000, HAS(lines, LAMP) ? "dark 1@1100.0" : "");
    place_somehow(&bench, lines, false);
    bet_bench_expect(&bench, 3000, HAS(lines, BET) ? "taken 1@2060.0" : "");
    CU_ASSERT_EQUAL(bet_sensor_unlock(&bench.sensor, &bench.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_state(&bench.sensor, 1), BET_OPEN);
    bet_bench_close(&bench);
}

TEST(a_seat_works_with_whatever_lines_it_has)
{
    for (unsigned lines = 0; lines <= BET_ALL_LINES; lines++)
        play_with_lines(lines);
}

static bool is_listed(const struct bet_unchecked *unchecked, size_t count, const char *words)
{
    for (size_t i = 0; i < count; i++)
        if (unchecked[i].seat == 1 && strstr(unchecked[i].sentence, words))
            return true;
    return false;
}

TEST(what_a_seat_cannot_check_is_said)
{
    for (unsigned lines = 0; lines <= BET_ALL_LINES; lines++) {
        struct bet_unchecked unchecked[BET_UNCHECKED_MAX];
        struct bet_bench bench;
        bool is_stuck_unknown = !HAS(lines, BET) || !HAS(lines, CHIP);
        size_t expected = 4u - (unsigned)__builtin_popcount(lines) + is_stuck_unknown, count;

        bet_bench_open(&bench, &(struct bet_setup){.missing = BET_ALL_LINES & ~lines});
        count = bet_sensor_unchecked(&bench.sensor, unchecked);
        CU_ASSERT_EQUAL(count, expected);
        CU_ASSERT_EQUAL(is_listed(unchecked, count, "no bet line"), !HAS(lines, BET));
        CU_ASSERT_EQUAL(is_listed(unchecked, count, "no chip line"), !HAS(lines, CHIP));
        CU_ASSERT_EQUAL(is_listed(unchecked, count, "no light line"), !HAS(lines, LIGHT));
        CU_ASSERT_EQUAL(is_listed(unchecked, count, "no lamp line"), !HAS(lines, LAMP));
        CU_ASSERT_EQUAL(is_listed(unchecked, count, "stuck"), is_stuck_unknown);
        bet_bench_close(&bench);
    }
}

TEST(a_bench_without_any_line_has_the_longest_list)
{
    static const struct bet_sensor_seat none[BET_SENSOR_SEATS] = {
        BET_NO_SEAT, BET_NO_SEAT, BET_NO_SEAT, BET_NO_SEAT, BET_NO_SEAT, BET_NO_SEAT, BET_NO_SEAT};
    const struct bet_sensor_timing timing = BET_SENSOR_TIMING;
    struct bet_unchecked unchecked[BET_UNCHECKED_MAX];
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.is_loss_unknown = true});
    CU_ASSERT_EQUAL(bet_sensor_unchecked(&bench.sensor, unchecked), 1);
    CU_ASSERT_EQUAL(unchecked[0].seat, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(unchecked[0].sentence, "lost edges"));
    CU_ASSERT_EQUAL(bet_sensor_open(&bench.sensor, bench.pins, none, 7, &timing, NULL), 0);
    CU_ASSERT_EQUAL(bet_sensor_unchecked(&bench.sensor, unchecked), BET_UNCHECKED_MAX);
    CU_ASSERT_EQUAL(unchecked[BET_UNCHECKED_MAX - 1].seat, 7);
    CU_ASSERT_EQUAL(bet_sensor_open(&bench.sensor, bench.pins, none, 2, &timing, NULL), 0);
    CU_ASSERT_EQUAL(bet_sensor_unchecked(&bench.sensor, unchecked), 11);
    bet_bench_close(&bench);
}

TEST(the_seats_with_a_line_are_known)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.missing = 1u << BET_LINE_CHIP});
    CU_ASSERT_EQUAL(bet_sensor_with(&bench.sensor, BET_LINE_BET), BET_ALL_SEATS);
    CU_ASSERT_EQUAL(bet_sensor_with(&bench.sensor, BET_LINE_CHIP), BET_ALL_SEATS & ~BET_SEAT(1));
    bet_bench_close(&bench);
}

TEST(an_actuator_that_is_not_there_moves_no_other)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.missing = 1u << BET_LINE_CHIP});
    CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, BET_SEAT(1) | BET_SEAT(2), true, &bench.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "seat 1 has no chip line"));
    bet_bench_expect(&bench, 1000, "");
    bet_bench_close(&bench);
}

TEST(a_lamp_of_the_table_itself_is_held_against_what_is_expected)
{
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){.missing = 1u << BET_LINE_LIGHT});
    bet_sensor_light(&bench.sensor, BET_SEAT(1), NULL);
    bet_bench_drive(&bench, 1, BET_LINE_LAMP, true, 30 * BET_MS);
    bet_bench_expect(&bench, 1000, "");
    bet_bench_drive(&bench, 1, BET_LINE_LAMP, false, 1000 * BET_MS);
    bet_bench_expect(&bench, 2000, "dark 1@1100.0");
    bet_bench_close(&bench);
}

TEST(seats_beyond_the_table_are_refused)
{
    static const unsigned sets[] = {1, 0x100, 0x80000000};
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(bet_sensor_place(&bench.sensor, sets[i], true, &bench.error), ERROR_CONFIG);
        CU_ASSERT_EQUAL(bet_sensor_lock(&bench.sensor, sets[i], &bench.error), ERROR_CONFIG);
        CU_ASSERT_EQUAL(bet_sensor_light(&bench.sensor, sets[i], &bench.error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "1 to 7"));
    }
    bet_bench_close(&bench);
}

TEST(lines_that_make_no_sense_are_refused_by_name)
{
    static const struct {
        struct bet_sensor_seat seat;
        const char *words;
    } bad[] = {
        {{{28, -1, -1, -1}}, "bet line of seat 2 is pin 28"},
        {{{-1, -1, -1, 64}}, "lamp line of seat 2 is pin 64"},
        {{{-2, -1, -1, -1}}, "bet line of seat 2 is pin -2"},
        {{{5, -1, -1, -1}}, "bet line of seat 2 must be an input; open 'light2'"},
        {{{-1, -1, -1, 6}}, "lamp line of seat 2 must be an input; open 'chip2'"},
        {{{-1, 4, -1, -1}}, "light line of seat 2 must be an output; open 'bet2'"},
        {{{-1, -1, 7, -1}}, "chip line of seat 2 must be an output; open 'lamp2'"},
        {{{0, -1, -1, -1}}, "bet line of seat 2 is 'bet1', which is another line already"},
        {{{-1, 5, 5, -1}}, "chip line of seat 2 is 'light2', which is another line already"},
    };
    const struct bet_sensor_timing timing = BET_SENSOR_TIMING;
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct bet_sensor_seat seats[] = {bench.seats[0], bad[i].seat};
        struct bet_sensor sensor;

        CU_ASSERT_EQUAL(bet_sensor_open(&sensor, bench.pins, seats, 2, &timing, &bench.error),
                        ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bad[i].words));
    }
    bench.pins->requests[3].edges = PIN_RISING;
    CU_ASSERT_EQUAL(
        bet_sensor_open(&bench.sensor, bench.pins, bench.seats, 1, &timing, &bench.error),
        ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "lamp line of seat 1 needs both edges"));
    bet_bench_close(&bench);
}

TEST(an_eighth_seat_is_refused)
{
    const struct bet_sensor_timing timing = BET_SENSOR_TIMING;
    struct bet_sensor_seat seats[8];
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    memcpy(seats, bench.seats, sizeof bench.seats);
    seats[7] = (struct bet_sensor_seat)BET_NO_SEAT;
    CU_ASSERT_EQUAL(bet_sensor_open(&bench.sensor, bench.pins, seats, 8, &timing, &bench.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "8 seats"));
    bet_bench_close(&bench);
}

TEST(a_timing_that_makes_no_sense_is_refused)
{
    static const struct {
        struct bet_sensor_timing timing;
        int result;
    } timings[] = {
        {{.debounce = 0, .follow = 1, .settle = 1}, 0},
        {{.debounce = -1, .follow = 1, .settle = 1}, ERROR_CONFIG},
        {{.debounce = 0, .follow = 0, .settle = 1}, ERROR_CONFIG},
        {{.debounce = 5, .follow = 5, .settle = 1}, ERROR_CONFIG},
        {{.debounce = 5, .follow = 6, .settle = 1}, 0},
        {{.debounce = 0, .follow = 1, .settle = 0}, ERROR_CONFIG},
    };
    struct bet_bench bench;

    bet_bench_open(&bench, &(struct bet_setup){0});
    for (size_t i = 0; i < sizeof timings / sizeof timings[0]; i++)
        CU_ASSERT_EQUAL(bet_sensor_open(&bench.sensor, bench.pins, bench.seats, 7,
                                        &timings[i].timing, &bench.error),
                        timings[i].result);
    bet_bench_close(&bench);
}
