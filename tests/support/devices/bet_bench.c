/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/bet_bench.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static int spy_read(struct pins *pins, uint64_t *values, struct error *error)
{
    return pins_read(((struct bet_spy *)pins)->inner, values, error);
}

static int spy_write(struct pins *pins, uint64_t mask, uint64_t values, struct error *error)
{
    struct bet_spy *spy = (struct bet_spy *)pins;

    spy->writes++;
    return pins_write(spy->inner, mask, values, error);
}

static int chatter(struct bet_spy *spy, struct pin_event *event)
{
    nanos_t now = clock_now(spy->pins.hal->clock) + NANOS_PER_MICRO;

    clock_advance(spy->pins.hal->clock, now);
    *event = (struct pin_event){.pin = 0, .rising = now / NANOS_PER_MICRO % 2, .time = now};
    return 1;
}

static int spy_wait(struct pins *pins, struct pin_event *event, nanos_t deadline,
                    struct error *error)
{
    struct bet_spy *spy = (struct bet_spy *)pins;
    const struct pins_backend *inner = spy->inner->backend;
    int result;

    if (spy->chatters)
        return chatter(spy, event);
    if (deadline < spy->withheld)
        return hal_wait(pins->hal, -1, 0, deadline, error);
    do
        result = inner->wait(spy->inner, event, deadline, error);
    while (result == 1 && spy->to_drop && spy->to_drop--);
    if (spy->is_loss_unknown)
        event->sequence = 0;
    return result;
}

static unsigned spy_capabilities(const struct pins *pins)
{
    const struct bet_spy *spy = (const struct bet_spy *)pins;

    return spy->is_loss_unknown ? 0 : pins_capabilities(spy->inner);
}

static const struct pins_backend spy_backend = {
    .scheme = "spy",
    .read = spy_read,
    .write = spy_write,
    .wait = spy_wait,
    .capabilities = spy_capabilities,
};

static void lay_out(struct bet_bench *bench, const struct bet_setup *setup,
                    struct pin_request requests[BET_SENSOR_SEATS * BET_LINES])
{
    static const char *const names[] = {"bet", "light", "chip", "lamp"};

    for (unsigned i = 0; i < BET_SENSOR_SEATS * BET_LINES; i++) {
        unsigned seat = i / BET_LINES, line = i % BET_LINES;
        bool is_missing = !seat && setup->missing >> line & 1;
        char name[PIN_NAME_MAX];

        snprintf(name, sizeof name, "%s%u", names[line], seat + 1);
        requests[i] = bet_sensor_request(line, name);
        requests[i].active_low = setup->active_low >> line & 1;
        bench->seats[seat].pin[line] = is_missing ? BET_NO_PIN : (int)i;
    }
}

static void open_pins(struct bet_bench *bench, const struct bet_setup *setup)
{
    struct pin_request requests[BET_SENSOR_SEATS * BET_LINES];
    struct pins *inner;

    lay_out(bench, setup, requests);
    CU_ASSERT_EQUAL_FATAL(pins_open(&inner, &bench->hal, "emu:table", requests,
                                    BET_SENSOR_SEATS * BET_LINES, &bench->error),
                          0);
    if (setup->faults)
        CU_ASSERT_EQUAL_FATAL(fault_pins(&inner, inner, setup->faults, &bench->error), 0);
    bench->spy =
        (struct bet_spy){.pins = *inner, .inner = inner, .is_loss_unknown = setup->is_loss_unknown};
    bench->spy.pins.backend = &spy_backend;
    bench->pins = &bench->spy.pins;
}

void bet_bench_open(struct bet_bench *bench, const struct bet_setup *setup)
{
    static const struct bet_sensor_timing usual = BET_SENSOR_TIMING;

    memset(bench, 0, sizeof *bench);
    clock_virtual(&bench->clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    CU_ASSERT_EQUAL_FATAL(bet_sensor_model_new(&bench->model, &bench->hal, "table",
                                               setup->options ? setup->options : "", &bench->error),
                          0);
    open_pins(bench, setup);
    CU_ASSERT_EQUAL_FATAL(bet_sensor_open(&bench->sensor, bench->pins, bench->seats,
                                          BET_SENSOR_SEATS, setup->timing ? setup->timing : &usual,
                                          &bench->error),
                          0);
}

void bet_bench_close(struct bet_bench *bench)
{
    pins_close(bench->spy.inner);
    bet_sensor_model_free(bench->model);
    hal_close(&bench->hal);
}

void bet_bench_drive(struct bet_bench *bench, unsigned seat, enum bet_line line, bool level,
                     nanos_t time)
{
    emulated_line_drive(bet_sensor_model_chip(bench->model), (seat - 1) * BET_LINES + line, level,
                        time, NULL);
}

const char *bet_bench_hear(struct bet_bench *bench, double until)
{
    static const char *const names[BET_EVENT_KINDS] = {"none",  "placed",    "lifted",     "late",
                                                       "taken", "stuck-low", "stuck-high", "dark",
                                                       "lit",   "lost"};
    nanos_t deadline = (nanos_t)(until * (double)BET_MS);
    struct bet_event event;
    size_t length = 0;

    bench->log[0] = '\0';
    while (bet_sensor_next(&bench->sensor, &event, deadline, &bench->error) == 1) {
        int added = snprintf(bench->log + length, sizeof bench->log - length, "%s%s %u@%.1f",
                             length ? " " : "", names[event.kind], event.seat,
                             (double)event.time / (double)BET_MS);

        CU_ASSERT_FATAL(added > 0 && (size_t)added < sizeof bench->log - length);
        length += (size_t)added;
    }
    return bench->log;
}

void bet_bench_expect(struct bet_bench *bench, double until, const char *expected)
{
    const char *heard = bet_bench_hear(bench, until);

    if (strcmp(heard, expected))
        fprintf(stderr, "expected: %s\n   heard: %s\n", expected, heard);
    CU_ASSERT_STRING_EQUAL(heard, expected);
}
