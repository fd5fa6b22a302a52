/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "devices/sensors/pins/bet_sensor.h"
#include "devices/sensors/pins/model.h"
#include "hal/pins/pins.h"
#include "tests/support/suite.h"

#define MS NANOS_PER_MILLI

/* Pins 0 to 3 are bet1, light1, chip1, lamp1; 4 to 7 those of seat 2. */
#define PINS 8

struct table {
    struct clock clock;
    struct hal hal;
    struct bet_sensor_model *model;
    struct pins *pins;
    struct error error;
};

static void table_make(struct table *table, const char *options)
{
    static const char *const names[PINS] = {"bet1", "light1", "chip1", "lamp1",
                                            "bet2", "light2", "chip2", "lamp2"};
    struct pin_request requests[PINS];

    clock_virtual(&table->clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&table->hal, &table->clock, &table->error), 0);
    CU_ASSERT_EQUAL_FATAL(
        bet_sensor_model_new(&table->model, &table->hal, "table", options, &table->error), 0);
    for (unsigned i = 0; i < PINS; i++)
        requests[i] = bet_sensor_request(i % BET_LINES, names[i]);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&table->pins, &table->hal, "emu:table", requests, PINS, &table->error), 0);
}

static void table_free(struct table *table)
{
    pins_close(table->pins);
    bet_sensor_model_free(table->model);
    hal_close(&table->hal);
}

/* Compares the edges until then: "+0@40.0 -0@80.0" is pin 0 that rises at 40 ms, falls at 80. */
static void expect_edges(struct table *table, nanos_t until, const char *expected)
{
    char heard[512] = "";
    struct pin_event event;
    size_t length = 0;

    while (pins_wait(table->pins, &event, until, &table->error) == 1)
        length += (size_t)snprintf(heard + length, sizeof heard - length, "%s%c%u@%.1f",
                                   length ? " " : "", event.rising ? '+' : '-', event.pin,
                                   (double)event.time / (double)MS);
    if (strcmp(heard, expected))
        fprintf(stderr, "expected: %s\n   heard: %s\n", expected, heard);
    CU_ASSERT_STRING_EQUAL(heard, expected);
}

static void set(struct table *table, unsigned pin, bool value)
{
    CU_ASSERT_EQUAL(pins_write(table->pins, UINT64_C(1) << pin, (uint64_t)value << pin, NULL), 0);
}

TEST(a_sensor_sees_what_its_actuator_places)
{
    struct table table;

    table_make(&table, "travel=30");
    set(&table, 2, true);
    expect_edges(&table, 100 * MS, "+0@30.0");
    set(&table, 2, false);
    expect_edges(&table, 200 * MS, "-0@130.0");
    table_free(&table);
}

TEST(a_photodiode_sees_its_lamp)
{
    struct table table;

    table_make(&table, "glow=7");
    set(&table, 1, true);
    set(&table, 5, true);
    expect_edges(&table, 100 * MS, "+3@7.0 +7@7.0");
    set(&table, 5, false);
    expect_edges(&table, 200 * MS, "-7@107.0");
    table_free(&table);
}

TEST(a_hand_and_an_actuator_may_hold_the_same_wager)
{
    struct table table;

    table_make(&table, "");
    bet_sensor_model_hand(table.model, 1, true, 10 * MS);
    expect_edges(&table, 100 * MS, "+0@10.0");
    set(&table, 2, true);
    set(&table, 2, false);
    expect_edges(&table, 200 * MS, "");
    bet_sensor_model_hand(table.model, 1, false, 210 * MS);
    expect_edges(&table, 300 * MS, "-0@210.0");
    table_free(&table);
}

TEST(contacts_bounce_for_their_time_and_end_where_they_should)
{
    struct table table;
    struct pin_event event;
    unsigned edges = 0;
    nanos_t last = 0;

    table_make(&table, "bounce=16,fault=bounce@seat:1");
    set(&table, 2, true);
    while (pins_wait(table.pins, &event, 1000 * MS, NULL) == 1) {
        CU_ASSERT_TRUE(event.time >= 40 * MS && event.time <= 56 * MS && event.time >= last);
        CU_ASSERT_EQUAL(event.rising, edges % 2 == 0);
        last = event.time;
        edges++;
    }
    CU_ASSERT_EQUAL(edges, 9);
    CU_ASSERT_EQUAL(last, 56 * MS);
    table_free(&table);
}

TEST(contacts_that_do_not_move_do_not_bounce)
{
    struct table table;

    table_make(&table, "bounce=0,fault=bounce@seat:1,fault=bounce@seat:2,fault=stuck-low@seat:2");
    bet_sensor_model_hand(table.model, 1, true, 0);
    expect_edges(&table, 10 * MS, "+0@0.0 -0@0.0 +0@0.0 -0@0.0 +0@0.0 -0@0.0 +0@0.0 -0@0.0 +0@0.0");
    set(&table, 2, true);
    set(&table, 6, true);
    expect_edges(&table, 100 * MS, "");
    table_free(&table);
}

TEST(a_seed_decides_how_contacts_bounce)
{
    nanos_t times[3][9] = {{0}};
    static const char *const options[] = {"fault=bounce@seat:1", "fault=bounce@seat:1,seed=1",
                                          "fault=bounce@seat:1,seed=2"};

    for (unsigned i = 0; i < 3; i++) {
        struct table table;
        struct pin_event event;

        table_make(&table, options[i]);
        set(&table, 2, true);
        for (unsigned j = 0; j < 9 && pins_wait(table.pins, &event, 1000 * MS, NULL) == 1; j++)
            times[i][j] = event.time;
        table_free(&table);
    }
    CU_ASSERT_EQUAL(memcmp(times[0], times[1], sizeof times[0]), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(times[1], times[2], sizeof times[0]), 0);
}

TEST(a_late_wager_comes_after_the_first_lamp_and_goes_after_the_last)
{
    struct table table;

    table_make(&table, "hand=50,fault=late@seat:2");
    set(&table, 1, true);
    expect_edges(&table, 100 * MS, "+3@5.0 +4@50.0");
    CU_ASSERT_EQUAL(pins_write(table.pins, 1u << 1 | 1u << 5, 1u << 5, NULL), 0);
    expect_edges(&table, 200 * MS, "-3@105.0 +7@105.0");
    set(&table, 5, false);
    expect_edges(&table, 300 * MS, "-7@205.0 -4@240.0");
    set(&table, 5, true);
    expect_edges(&table, 400 * MS, "+7@305.0");
    table_free(&table);
}

TEST(a_late_wager_of_a_short_round_still_goes)
{
    struct table table;

    table_make(&table, "hand=50,travel=1,fault=late@seat:2");
    set(&table, 1, true);
    expect_edges(&table, 10 * MS, "+3@5.0");
    set(&table, 1, false);
    expect_edges(&table, 100 * MS, "-3@15.0 +4@50.0 -4@50.0");
    table_free(&table);
}

TEST(a_mended_table_shows_what_is_there)
{
    struct table table;

    table_make(&table, "fault=stuck-low@seat:1,fault=dark@seat:1,fault=lit@seat:2,"
                       "fault=stuck-high@seat:2");
    set(&table, 1, true);
    set(&table, 2, true);
    expect_edges(&table, 100 * MS, "");
    bet_sensor_model_mend(table.model);
    expect_edges(&table, 200 * MS, "+0@100.0 +3@100.0 -4@100.0 -7@100.0");
    table_free(&table);
}

TEST(a_fault_may_come_later)
{
    struct table table;

    table_make(&table, "");
    set(&table, 1, true);
    expect_edges(&table, 100 * MS, "+3@5.0");
    CU_ASSERT_EQUAL(bet_sensor_model_fault(table.model, "dark@seat:1", &table.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_model_fault(table.model, "stuck-high@seat:2", &table.error), 0);
    expect_edges(&table, 200 * MS, "-3@100.0 +4@100.0");
    table_free(&table);
}

TEST(a_power_cycle_forgets_nothing_that_lies_on_the_felt)
{
    struct table table;

    table_make(&table, "boot=20");
    set(&table, 1, true);
    set(&table, 2, true);
    expect_edges(&table, 100 * MS, "+3@5.0 +0@40.0");
    bet_sensor_model_power_cycle(table.model, 100 * MS);
    expect_edges(&table, 200 * MS, "-0@100.0 -3@100.0 +0@120.0 +3@120.0");
    table_free(&table);
}

TEST(lines_that_the_host_lets_go_of_rest)
{
    static const char *const options[] = {"", "active-low=light+chip+bet+lamp"};

    for (unsigned i = 0; i < 2; i++) {
        struct table table;
        struct emulated_chip *chip;

        table_make(&table, options[i]);
        chip = bet_sensor_model_chip(table.model);
        set(&table, 1, !i);
        set(&table, 2, !i);
        clock_advance(&table.clock, 100 * MS);
        CU_ASSERT_EQUAL(emulated_line_level(chip, BET_LINE_BET), !i);
        CU_ASSERT_EQUAL(emulated_line_level(chip, BET_LINE_LAMP), !i);
        pins_close(table.pins);
        table.pins = NULL;
        clock_advance(&table.clock, 200 * MS);
        CU_ASSERT_EQUAL(emulated_line_level(chip, BET_LINE_BET), i);
        CU_ASSERT_EQUAL(emulated_line_level(chip, BET_LINE_LAMP), i);
        table_free(&table);
    }
}

TEST(a_table_has_the_lines_of_its_seats)
{
    struct table table;
    struct emulated_chip *chip;

    table_make(&table, "seats=2");
    chip = bet_sensor_model_chip(table.model);
    CU_ASSERT_EQUAL(emulated_chip_line(chip, "bet1"), 0);
    CU_ASSERT_EQUAL(emulated_chip_line(chip, "lamp2"), 7);
    CU_ASSERT_EQUAL(emulated_chip_line(chip, "bet3"), -1);
    table_free(&table);
    table_make(&table, "");
    CU_ASSERT_EQUAL(emulated_chip_line(bet_sensor_model_chip(table.model), "lamp7"), 27);
    CU_ASSERT_EQUAL(emulated_chip_line(bet_sensor_model_chip(table.model), "bet8"), -1);
    table_free(&table);
}

TEST(a_name_that_is_taken_is_refused)
{
    struct bet_sensor_model *second;
    struct table table;

    table_make(&table, "");
    CU_ASSERT_EQUAL(bet_sensor_model_new(&second, &table.hal, "table", "", &table.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(second);
    CU_ASSERT_EQUAL(bet_sensor_model_new(&second, &table.hal, "other", "", &table.error), 0);
    bet_sensor_model_free(second);
    table_free(&table);
}

TEST(options_that_make_no_sense_are_refused_with_what_there_is)
{
    static const struct {
        const char *options, *words;
    } bad[] = {
        {"seats", "'seats' is no option"},
        {"seats=0", "1 to 7 seats"},
        {"seats=8", "1 to 7 seats"},
        {"seats=-1", "1 to 7 seats"},
        {"seats=two", "1 to 7 seats"},
        {"seats=2,", "'' is no option"},
        {"chairs=2", "'chairs=2' is no option of bet sensors: it has seats"},
        {"travel=86400001", "0 to 86400000"},
        {"travel= 1", "0 to 86400000"},
        {"glow=1ms", "0 to 86400000"},
        {"hand=", "0 to 86400000"},
        {"seed=18446744073709551616", "to 18446744073709551615"},
        {"active-low=bet+", "'' is no line"},
        {"active-low=bet+lamps", "'lamps' is no line"},
        {"fault=", "'' is no fault of bet sensors: it has stuck-high"},
        {"fault=dark", "write dark@seat:N"},
        {"fault=dim@seat:1", "is no fault of bet sensors"},
        {"fault=dark@card:1", "write dark@seat:N"},
        {"fault=dark@seat:", "from 1 to 7"},
        {"fault=dark@seat:0", "from 1 to 7"},
        {"fault=dark@seat:8", "from 1 to 7"},
        {"fault=dark@seat:3,seats=2", "from 1 to 2"},
    };
    struct clock clock;
    struct error error;
    struct hal hal;

    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, &error), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bet_sensor_model *model;

        CU_ASSERT_EQUAL(bet_sensor_model_new(&model, &hal, "table", bad[i].options, &error),
                        ERROR_CONFIG);
        if (!strstr(error.text, bad[i].words))
            fprintf(stderr, "%s: %s\n", bad[i].options, error.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, bad[i].words));
        CU_ASSERT_PTR_NULL(model);
        CU_ASSERT_PTR_NULL(hal.chips);
    }
    hal_close(&hal);
}

TEST(options_longer_than_any_are_refused)
{
    char options[400];
    struct bet_sensor_model *model;
    struct clock clock;
    struct error error;
    struct hal hal;

    memset(options, '1', sizeof options);
    memcpy(options, "seed=", 5);
    options[sizeof options - 1] = '\0';
    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, &error), 0);
    CU_ASSERT_EQUAL(bet_sensor_model_new(&model, &hal, "table", options, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is that long"));
    hal_close(&hal);
}
