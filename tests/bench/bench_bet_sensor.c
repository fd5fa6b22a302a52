/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a round of bet sensors costs in virtual time: six seats on an emulated table, wagers placed,
 * START ROUND with its lamps, a late wager, the end, wagers taken back; every event is counted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "devices/sensors/pins/bet_sensor.h"
#include "devices/sensors/pins/model.h"
#include "tests/support/bench.h"

#define ROUNDS 2000
#define SEATS  0x7eu

struct table {
    struct clock clock;
    struct hal hal;
    struct bet_sensor_model *model;
    struct pins *pins;
    struct bet_sensor sensor;
    unsigned long events;
};

static void must(int result, const struct error *error)
{
    if (!result)
        return;
    fprintf(stderr, "bench_bet_sensor: %s\n", error->text);
    exit(EXIT_FAILURE);
}

static void table_make(struct table *table)
{
    static const char *const names[BET_LINES] = {"bet", "light", "chip", "lamp"};
    const struct bet_sensor_timing timing = BET_SENSOR_TIMING;
    struct pin_request requests[BET_SENSOR_SEATS * BET_LINES];
    struct bet_sensor_seat seats[BET_SENSOR_SEATS];
    struct error error;

    clock_virtual(&table->clock, 0);
    must(hal_open(&table->hal, &table->clock, &error), &error);
    must(bet_sensor_model_new(&table->model, &table->hal, "table", "", &error), &error);
    for (unsigned i = 0; i < BET_SENSOR_SEATS * BET_LINES; i++) {
        char name[PIN_NAME_MAX];

        snprintf(name, sizeof name, "%s%u", names[i % BET_LINES], i / BET_LINES + 1);
        requests[i] = bet_sensor_request(i % BET_LINES, name);
        seats[i / BET_LINES].pin[i % BET_LINES] = (int)i;
    }
    must(pins_open(&table->pins, &table->hal, "emu:table", requests, BET_SENSOR_SEATS * BET_LINES,
                   &error),
         &error);
    must(bet_sensor_open(&table->sensor, table->pins, seats, BET_SENSOR_SEATS, &timing, &error),
         &error);
}

static void play(struct table *table)
{
    struct bet_sensor *sensor = &table->sensor;
    nanos_t start = clock_now(&table->clock);
    struct bet_event event;
    struct error error;
    unsigned wrong;

    must(bet_sensor_place(sensor, SEATS, true, &error), &error);
    must(bet_sensor_settle(sensor, &error), &error);
    must(bet_sensor_lock(sensor, SEATS, &error), &error);
    must(bet_sensor_light(sensor, SEATS, &error), &error);
    must(bet_sensor_check_lamps(sensor, &wrong, &error), &error);
    bet_sensor_model_hand(table->model, 7, true, start + 200 * NANOS_PER_MILLI);
    while (bet_sensor_next(sensor, &event, start + 300 * NANOS_PER_MILLI, &error) == 1)
        table->events++;
    must(bet_sensor_unlock(sensor, &error), &error);
    must(bet_sensor_light(sensor, 0, &error), &error);
    must(bet_sensor_place(sensor, SEATS, false, &error), &error);
    while (bet_sensor_next(sensor, &event, start + NANOS_PER_SECOND, &error) == 1)
        table->events++;
}

static void play_all(void *context)
{
    struct table *table = context;

    for (unsigned i = 0; i < ROUNDS; i++)
        play(table);
}

int main(void)
{
    const unsigned runs = 5, told = 14; /* seven wagers, placed or late, and lifted */
    struct table table = {0};
    double seconds;

    table_make(&table);
    seconds = bench_best(runs, play_all, &table);
    bench_title("bet sensors: a round of six seats and a late wager, emulated, virtual time");
    bench_figure("round", seconds / ROUNDS * 1e6, "us", 0);
    pins_close(table.pins);
    bet_sensor_model_free(table.model);
    hal_close(&table.hal);
    if (table.events == (unsigned long)runs * ROUNDS * told)
        return EXIT_SUCCESS;
    fprintf(stderr, "bench_bet_sensor: %lu events\n", table.events);
    return EXIT_FAILURE;
}
