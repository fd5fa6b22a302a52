/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/plain_bench.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#define PERSON_MS 600000

int plain_bench_open_device(struct plain_bench *bench, const struct plain_setup *setup)
{
    struct shuffler_setup lines = {.debounce_us = setup->debounce_us == 1 ? 0
                                                  : !setup->debounce_us   ? 20000
                                                                          : setup->debounce_us,
                                   .press_ms = setup->press_ms ? setup->press_ms : 100,
                                   .active_low = setup->active_low};
    const struct device_connection connection = {
        .hal = &bench->hal,
        .address = "emu:machine",
        .options = setup->options ? setup->options : "",
        .setup = &lines,
        .cards = setup->cards ? setup->cards : (setup->model ? "model" : "none"),
        .person_ms = PERSON_MS};
    const struct device_driver *driver = device_driver_find(DEVICE_SHUFFLER, "pins", &bench->error);

    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    for (unsigned i = 0; i < SHUFFLER_LINES; i++)
        lines.lines[i] = setup->missing >> i & 1 ? NULL : shuffler_line_names[i];
    return device_open((struct device **)&bench->shuffler, driver, &connection, &bench->error);
}

void plain_bench_open(struct plain_bench *bench, const struct plain_setup *setup, struct desk *desk)
{
    memset(bench, 0, sizeof *bench);
    clock_virtual(&bench->clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    bench->hal.desk = desk;
    if (setup->model) {
        CU_ASSERT_EQUAL_FATAL(
            plain_shuffler_new(&bench->model, &bench->hal, "machine", setup->model, &bench->error),
            0);
        bench->chip = plain_shuffler_chip(bench->model);
    } else {
        CU_ASSERT_EQUAL_FATAL(emulated_chip_new(&bench->chip, &bench->hal, "machine",
                                                shuffler_line_names, SHUFFLER_LINES, &bench->error),
                              0);
        for (unsigned i = SHUFFLER_LINE_EXIT; i < SHUFFLER_LINES; i++)
            plain_bench_drive(bench, i, setup->on >> i & 1, 0);
    }
    CU_ASSERT_EQUAL_FATAL(plain_bench_open_device(bench, setup), 0);
}

void plain_bench_close(struct plain_bench *bench)
{
    shuffler_close(bench->shuffler);
    if (bench->model)
        plain_shuffler_free(bench->model);
    else
        emulated_chip_free(bench->chip);
    hal_close(&bench->hal);
}

void plain_bench_drive(struct plain_bench *bench, enum shuffler_line line, bool on, double at)
{
    emulated_line_drive(bench->chip, line, on, (nanos_t)(at * (double)PLAIN_MS), NULL);
}

static const char *write_event(struct plain_bench *bench, const struct shuffler_event *event,
                               char text[64])
{
    switch (event->kind) {
    case SHUFFLER_EVENT_SHUFFLED:
        return "shuffled";
    case SHUFFLER_EVENT_PRESENT:
        CU_ASSERT_FATAL(bench->packets < PLAIN_EXITS);
        bench->presented[bench->packets++] = *event;
        snprintf(text, 64, "present%u", event->packet.index + 1);
        return text;
    case SHUFFLER_EVENT_TAKEN:
        snprintf(text, 64, "taken%u", event->taken + 1);
        return text;
    case SHUFFLER_EVENT_FAULT:
        return shuffler_fault_text(event->fault.code);
    case SHUFFLER_EVENT_CLEARED:
        snprintf(text, 64, "no %s", shuffler_fault_text(event->fault.code));
        return text;
    default:
        return "?";
    }
}

const char *plain_bench_hear(struct plain_bench *bench, double until)
{
    nanos_t deadline = (nanos_t)(until * (double)PLAIN_MS);
    struct shuffler_event event;
    size_t length = 0;
    char text[64];

    bench->log[0] = '\0';
    while ((bench->status = shuffler_next(bench->shuffler, &event, deadline, &bench->error)) == 1) {
        const char *name = write_event(bench, &event, text);
        int added = snprintf(bench->log + length, sizeof bench->log - length, "%s%s@%.0f",
                             length ? " " : "", name, (double)event.time / (double)PLAIN_MS);

        CU_ASSERT_FATAL(added > 0 && (size_t)added < sizeof bench->log - length);
        length += (size_t)added;
    }
    return bench->log;
}

void plain_bench_expect(struct plain_bench *bench, double until, const char *expected)
{
    const char *heard = plain_bench_hear(bench, until);

    if (strcmp(heard, expected) != 0)
        fprintf(stderr, "expected: %s\n   heard: %s\n", expected, heard);
    CU_ASSERT_STRING_EQUAL(heard, expected);
}

void plain_bench_deal(struct plain_bench *bench)
{
    static const struct shuffler_program program = {.count = 3, .sizes = {3, 3, 4}, .draws = 2};
    struct shuffler_event event = {.time = 0};

    CU_ASSERT_EQUAL_FATAL(shuffler_program(bench->shuffler, &program, &bench->error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_shuffle(bench->shuffler, &bench->error), 0);
    CU_ASSERT_EQUAL_FATAL(
        shuffler_next(bench->shuffler, &event, clock_deadline(&bench->clock, 60000), &bench->error),
        1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL_FATAL(shuffler_press(bench->shuffler, &bench->error), 0);
}
