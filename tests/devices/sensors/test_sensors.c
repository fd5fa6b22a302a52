/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The class of bet sensors: what a bench may rely on, whichever driver reaches them. */
#include "devices/sensors/sensors.h"

#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "devices/sensors/unit/model.h"
#include "devices/sensors/unit/wire.h"
#include "tests/support/suite.h"

#define SEATS 4u

static struct clock now;
static struct hal hal;
static struct link *wire;
static struct model *table, *made;
static struct sensors *sensors;
static struct error error;

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *why)
{
    (void)context;
    return made = model_make(NULL, name, options, why);
}

/* Sensors of that driver, with their model; options are the driver's. */
static void open_sensors(const char *driver, const char *model, const char *options)
{
    static char names[SEATS + 1][BET_LINES][8];
    const struct device_driver *found = device_driver_find(DEVICE_SENSORS, driver, &error);
    struct sensors_setup setup = {.seats = SEATS, .timing = BET_SENSOR_TIMING};
    struct device_connection connection = {
        .hal = &hal, .address = "emu:table", .options = options, .setup = &setup};
    static const char *const lines[BET_LINES] = {"bet", "light", "chip", "lamp"};
    char address[LINK_ADDRESS_MAX];

    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    clock_virtual(&now, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &now, &error), 0);
    hal.make_model = make_model;
    for (unsigned seat = 1; seat <= SEATS; seat++)
        for (unsigned line = 0; line < BET_LINES; line++) {
            snprintf(names[seat][line], sizeof names[seat][line], "%s%u", lines[line], seat);
            setup.lines[seat][line] = names[seat][line];
        }
    if (found->on_pins) {
        table = model_kind_for(found)->make_on_pins(&hal, "table", model, &error);
        CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    } else {
        snprintf(address, sizeof address, "emu:bet-sensor?%s", model);
        CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
        connection.link = wire;
    }
    CU_ASSERT_EQUAL_FATAL(device_open((struct device **)&sensors, found, &connection, &error), 0);
}

static void close_sensors(void)
{
    device_close((struct device *)sensors);
    if (table)
        table->ops->free(table);
    link_close(wire);
    hal_close(&hal);
    sensors = NULL;
    table = NULL;
    wire = NULL;
}

static unsigned count_events(enum bet_event_kind kind)
{
    struct bet_event event;
    unsigned count = 0;

    while (sensors_next(sensors, &event, clock_now(&now), &error) > 0)
        count += event.kind == kind;
    return count;
}

static void place(unsigned seats, bool placed)
{
    CU_ASSERT_EQUAL(sensors_place(sensors, seats, placed, &error), 0);
    CU_ASSERT_EQUAL(sensors_settle(sensors, &error), 0);
}

static const char *const drivers[] = {"pins", "unit"};
#define DRIVERS (sizeof drivers / sizeof drivers[0])

TEST(a_round_goes_its_way_with_every_driver)
{
    for (size_t i = 0; i < DRIVERS; i++) {
        unsigned wrong = ~0u;

        open_sensors(drivers[i], "", "");
        for (unsigned line = 0; line < BET_LINES; line++)
            CU_ASSERT_EQUAL(sensors_with(sensors, (enum bet_line)line), 0x1e);
        place(1u << 1 | 1u << 3, true);
        CU_ASSERT_EQUAL(sensors_placed(sensors), 1u << 1 | 1u << 3);
        CU_ASSERT_EQUAL(count_events(BET_EVENT_PLACED), 2);
        CU_ASSERT_FALSE(sensors_in_round(sensors));
        CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 1, &error), 0);
        CU_ASSERT_TRUE(sensors_in_round(sensors));
        CU_ASSERT_EQUAL(sensors_light(sensors, 1u << 1, &error), 0);
        CU_ASSERT_EQUAL(sensors_check_lamps(sensors, &wrong, &error), 0);
        CU_ASSERT_EQUAL(wrong, 0);
        place(1u << 2, true);
        CU_ASSERT_EQUAL(count_events(BET_EVENT_LATE), 1);
        place(1u << 1, false);
        CU_ASSERT_EQUAL(count_events(BET_EVENT_LIFTED_LOCKED), 1);
        CU_ASSERT_EQUAL(sensors_light(sensors, 0, &error), 0);
        CU_ASSERT_EQUAL(sensors_unlock(sensors, &error), 0);
        place(1u << 2 | 1u << 3, false);
        CU_ASSERT_EQUAL(sensors_placed(sensors), 0);
        CU_ASSERT_EQUAL(count_events(BET_EVENT_LIFTED), 2);
        CU_ASSERT_EQUAL(sensors_rest(sensors, &error), 0);
        close_sensors();
    }
}

TEST(a_round_that_cannot_be_is_refused_by_every_driver)
{
    for (size_t i = 0; i < DRIVERS; i++) {
        open_sensors(drivers[i], "", "");
        CU_ASSERT_EQUAL(sensors_unlock(sensors, &error), ERROR_RULE);
        CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 2, &error), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "seat 2"));
        CU_ASSERT_FALSE(sensors_in_round(sensors));
        place(1u << 2, true);
        CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 2, &error), 0);
        CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 2, &error), ERROR_RULE);
        close_sensors();
    }
}

TEST(what_is_broken_shows_with_every_driver)
{
    for (size_t i = 0; i < DRIVERS; i++) {
        unsigned wrong = 0;

        open_sensors(drivers[i], "fault=stuck-low@seat:1,fault=dark@seat:2,fault=lit@seat:3", "");
        place(1u << 1, true);
        CU_ASSERT_EQUAL(sensors_placed(sensors), 0);
        CU_ASSERT_EQUAL(sensors_light(sensors, 1u << 2, &error), 0);
        CU_ASSERT_EQUAL(sensors_check_lamps(sensors, &wrong, &error), 0);
        CU_ASSERT_EQUAL(wrong, 1u << 2 | 1u << 3);
        CU_ASSERT_EQUAL(count_events(BET_EVENT_STUCK_LOW), 1);
        close_sensors();
    }
}

TEST(a_table_with_all_lines_leaves_nothing_unproven)
{
    struct bet_unchecked unchecked[BET_UNCHECKED_MAX];

    for (size_t i = 0; i < DRIVERS; i++) {
        open_sensors(drivers[i], "", "");
        CU_ASSERT_EQUAL(sensors_unchecked(sensors, unchecked), 0);
        close_sensors();
    }
    open_sensors("unit", "", "wagers=people");
    CU_ASSERT_EQUAL(sensors_unchecked(sensors, unchecked), 2 * SEATS);
    CU_ASSERT_EQUAL(unchecked[0].seat, 1);
    close_sensors();
}

TEST(a_unit_is_in_test_mode_from_its_first_wager_to_its_rest)
{
    open_sensors("unit", "", "");
    CU_ASSERT_FALSE(device_in_test_mode(&sensors->device));
    place(0, true);
    CU_ASSERT_FALSE(device_in_test_mode(&sensors->device));
    place(1u << 4, true);
    CU_ASSERT_TRUE(device_in_test_mode(&sensors->device));
    CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 4, &error), 0);
    CU_ASSERT_EQUAL(sensors_rest(sensors, &error), 0);
    CU_ASSERT_FALSE(device_in_test_mode(&sensors->device));
    CU_ASSERT_FALSE(sensors_in_round(sensors));
    CU_ASSERT_EQUAL(sensors_rest(sensors, &error), 0);
    close_sensors();
}

TEST(a_unit_for_people_moves_no_actuator)
{
    open_sensors("unit", "", "wagers=people");
    CU_ASSERT_EQUAL(sensors_with(sensors, BET_LINE_CHIP), 0);
    CU_ASSERT_EQUAL(sensors_place(sensors, 1u << 3, true, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "seat 3"));
    CU_ASSERT_EQUAL(sensors_place(sensors, 0, true, &error), 0);
    bet_unit_model_hand(made, 3, true, clock_now(&now));
    CU_ASSERT_EQUAL(hal_wait(&hal, -1, 0, clock_deadline(&now, 100), &error), 0);
    CU_ASSERT_EQUAL(count_events(BET_EVENT_PLACED), 1);
    CU_ASSERT_EQUAL(sensors_placed(sensors), 1u << 3);
    CU_ASSERT_FALSE(device_in_test_mode(&sensors->device));
    close_sensors();
}

TEST(a_power_loss_of_a_unit_is_told_and_nothing_is_forgotten)
{
    open_sensors("unit", "", "");
    place(1u << 1, true);
    CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 1, &error), 0);
    count_events(BET_EVENT_PLACED);
    bet_unit_model_power_cycle(made, clock_now(&now));
    CU_ASSERT_EQUAL(count_events(BET_EVENT_POWER_UP), 1);
    CU_ASSERT_TRUE(sensors_in_round(sensors));
    CU_ASSERT_EQUAL(sensors_placed(sensors), 1u << 1);
    place(1u << 2, true);
    CU_ASSERT_EQUAL(count_events(BET_EVENT_LATE), 1);
    close_sensors();
}

TEST(a_unit_that_was_left_in_a_round_is_brought_to_rest)
{
    struct sensors *first;

    open_sensors("unit", "", "");
    place(1u << 1, true);
    CU_ASSERT_EQUAL(sensors_lock(sensors, 1u << 1, &error), 0);
    CU_ASSERT_EQUAL(sensors_light(sensors, 1u << 1, &error), 0);
    first = sensors;
    {
        const struct sensors_setup setup = {.seats = SEATS, .timing = BET_SENSOR_TIMING};
        const struct device_connection connection = {
            .link = wire, .address = wire->address, .options = "", .setup = &setup};
        unsigned wrong = ~0u;

        CU_ASSERT_EQUAL_FATAL(
            device_open((struct device **)&sensors, first->device.driver, &connection, &error), 0);
        CU_ASSERT_FALSE(sensors_in_round(sensors));
        CU_ASSERT_EQUAL(hal_wait(&hal, -1, 0, clock_deadline(&now, 1000), &error), 0);
        CU_ASSERT_EQUAL(sensors_check_lamps(sensors, &wrong, &error), 0);
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(count_events(BET_EVENT_LIFTED), 1);
        CU_ASSERT_EQUAL(sensors_placed(sensors), 0);
    }
    device_close((struct device *)first);
    close_sensors();
}
