/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bet sensors' driver on the real libgpiod, a mocked kernel and the real clock. */
#include <errno.h>
#include <string.h>

#include "devices/sensors/pins/bet_sensor.h"
#include "tests/support/mock/gpio_mock.h"
#include "tests/support/suite.h"

#define MS NANOS_PER_MILLI

static const char *const lines[] = {"bet1", "light1", "chip1", "lamp1"};
/* For what happens: a machine under load does not make it late. And for what never does. */
static const struct bet_sensor_timing patient = {
    .debounce = 5 * MS, .follow = 5000 * MS, .settle = 5000 * MS};
static const struct bet_sensor_timing hasty = {
    .debounce = 5 * MS, .follow = 60 * MS, .settle = 30 * MS};

struct table {
    struct gpio_mock *mock;
    struct gpio_mock_chip *chip;
    struct clock clock;
    struct hal hal;
    struct pins *pins;
    struct bet_sensor sensor;
    struct error error;
};

static void table_make(struct table *table, const struct bet_sensor_timing *timing)
{
    const struct bet_sensor_seat seat = {{0, 1, 2, 3}};
    struct pin_request requests[BET_LINES];

    table->mock = gpio_mock_new();
    table->chip = gpio_mock_add(table->mock, 4, "pinctrl-rp1", lines, BET_LINES);
    clock_real(&table->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&table->hal, &table->clock, &table->error), 0);
    for (unsigned i = 0; i < BET_LINES; i++)
        requests[i] = bet_sensor_request(i, lines[i]);
    CU_ASSERT_EQUAL_FATAL(pins_open(&table->pins, &table->hal, "gpio:pinctrl-rp1", requests,
                                    BET_LINES, &table->error),
                          0);
    CU_ASSERT_EQUAL_FATAL(
        bet_sensor_open(&table->sensor, table->pins, &seat, 1, timing, &table->error), 0);
}

static void table_free(struct table *table)
{
    pins_close(table->pins);
    hal_close(&table->hal);
    gpio_mock_free(table->mock);
}

static nanos_t drive(struct table *table, enum bet_line line, bool level)
{
    nanos_t now = clock_now(&table->clock);

    gpio_mock_drive(table->chip, line, level, now);
    return now;
}

/* The next event is this one; returns its time. */
static nanos_t expect(struct table *table, enum bet_event_kind kind)
{
    struct bet_event event = {0};

    CU_ASSERT_EQUAL(
        bet_sensor_next(&table->sensor, &event, clock_deadline(&table->clock, 2000), &table->error),
        1);
    CU_ASSERT_EQUAL(event.kind, kind);
    return event.time;
}

TEST(a_round_on_a_real_chip_goes_through_every_line)
{
    struct table table;
    unsigned wrong;
    nanos_t edge;

    table_make(&table, &patient);
    CU_ASSERT_EQUAL(bet_sensor_place(&table.sensor, 2, true, &table.error), 0);
    CU_ASSERT_TRUE(gpio_mock_level(table.chip, BET_LINE_CHIP));
    edge = drive(&table, BET_LINE_BET, true);
    CU_ASSERT_EQUAL(expect(&table, BET_EVENT_PLACED), edge + patient.debounce);
    CU_ASSERT_EQUAL(bet_sensor_lock(&table.sensor, 2, &table.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_light(&table.sensor, 2, &table.error), 0);
    CU_ASSERT_TRUE(gpio_mock_level(table.chip, BET_LINE_LIGHT));
    drive(&table, BET_LINE_LAMP, true);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&table.sensor, &wrong, &table.error), 0);
    CU_ASSERT_EQUAL(wrong, 0);
    edge = drive(&table, BET_LINE_BET, false);
    CU_ASSERT_EQUAL(expect(&table, BET_EVENT_LIFTED_LOCKED), edge + patient.debounce);
    CU_ASSERT_EQUAL(bet_sensor_unlock(&table.sensor, &table.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_state(&table.sensor, 1), BET_OPEN);
    table_free(&table);
}

TEST(a_dead_sensor_and_a_dead_lamp_on_a_real_chip_are_told)
{
    struct table table;
    unsigned wrong;

    table_make(&table, &hasty);
    CU_ASSERT_EQUAL(bet_sensor_light(&table.sensor, 2, &table.error), 0);
    CU_ASSERT_EQUAL(bet_sensor_check_lamps(&table.sensor, &wrong, &table.error), 0);
    CU_ASSERT_EQUAL(wrong, 2);
    CU_ASSERT_EQUAL(bet_sensor_place(&table.sensor, 2, true, &table.error), 0);
    expect(&table, BET_EVENT_LAMP_DARK);
    expect(&table, BET_EVENT_STUCK_LOW);
    table_free(&table);
}

TEST(an_edge_lost_by_a_real_chip_leaves_its_level_known)
{
    struct bet_unchecked unchecked[BET_UNCHECKED_MAX];
    struct bet_event event;
    struct table table;
    bool is_told;

    table_make(&table, &patient);
    is_told = pins_capabilities(table.pins) & PINS_LOSS_DETECTED;
    CU_ASSERT_EQUAL(bet_sensor_unchecked(&table.sensor, unchecked), is_told ? 0 : 1);
    gpio_mock_lose(table.chip, 1);
    drive(&table, BET_LINE_BET, true);
    if (is_told) {
        drive(&table, BET_LINE_LAMP, true);
        expect(&table, BET_EVENT_EDGES_LOST);
    } else {
        CU_ASSERT_EQUAL(bet_sensor_next(&table.sensor, &event, 0, &table.error), 0);
    }
    expect(&table, BET_EVENT_PLACED);
    table_free(&table);
}

TEST(a_real_chip_that_goes_is_an_error_of_the_device)
{
    struct table table;

    table_make(&table, &patient);
    gpio_mock_fail(table.chip, ENODEV);
    CU_ASSERT_EQUAL(bet_sensor_light(&table.sensor, 2, &table.error), ERROR_DEVICE);
    table_free(&table);
}
