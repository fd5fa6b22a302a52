/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "hal/pins/emulated_pins.h"
#include "hal/pins/fault.h"
#include "tests/support/devices/emulated_peer.h"

static struct pins *wrap_without_faults(struct pins *inner)
{
    struct pins *pins;

    CU_ASSERT_EQUAL_FATAL(fault_pins(&pins, inner, &(struct pin_faults){.seed = 1}, NULL), 0);
    return pins;
}

/* Without faults the decorator is not there: the contract holds through it. */
const struct pins_contract pins_contract = {
    .is_virtual = true,
    .bad_addresses = (const char *const[]){"fault:emu:table", NULL},
    .wrap = wrap_without_faults,
    EMULATED_PEER,
};

#define MS NANOS_PER_MILLI

static const char *const lines[] = {"bet1", "bet2", "light1"};

struct table {
    struct clock clock;
    struct hal hal;
    struct emulated_chip *chip;
    struct pins *pins;
    struct error error;
};

/* Pins 0 and 1 are inputs, 2 is an output. bet2 is high. */
static void table_make(struct table *table, const struct pin_faults *faults)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES},
                                           {.line = "bet2", .edges = PIN_BOTH_EDGES},
                                           {.line = "light1", .direction = PIN_OUTPUT}};
    struct pins *inner;

    clock_virtual(&table->clock, 0);
    CU_ASSERT_FATAL(hal_open(&table->hal, &table->clock, &table->error) == 0);
    CU_ASSERT_FATAL(
        emulated_chip_new(&table->chip, &table->hal, "table", lines, 3, &table->error) == 0);
    emulated_line_drive(table->chip, 1, true, 0, NULL);
    CU_ASSERT_FATAL(pins_open(&inner, &table->hal, "emu:table", requests, 3, &table->error) == 0);
    CU_ASSERT_FATAL(fault_pins(&table->pins, inner, faults, &table->error) == 0);
}

static void table_free(struct table *table)
{
    pins_close(table->pins);
    emulated_chip_free(table->chip);
    hal_close(&table->hal);
}

/* `edges` edges on bet1, one every millisecond from 1 ms on, starting with a rising one. */
static void drive_edges(struct table *table, int edges)
{
    for (int i = 0; i < edges; i++)
        emulated_line_drive(table->chip, 0, i % 2 == 0, (i + 1) * MS, NULL);
}

static uint64_t read_pins(struct table *table)
{
    uint64_t values = 0;

    CU_ASSERT_EQUAL(pins_read(table->pins, &values, &table->error), 0);
    return values;
}

TEST(pins_stuck_high_or_low_read_so_and_tell_nothing)
{
    struct table table;
    struct pin_event event;

    table_make(&table, &(struct pin_faults){.stuck_high = 1, .stuck_low = 2});
    CU_ASSERT_EQUAL(read_pins(&table), 1);
    drive_edges(&table, 4);
    emulated_line_drive(table.chip, 1, false, 10 * MS, NULL);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 20 * MS, &table.error), 0);
    CU_ASSERT_EQUAL(clock_now(&table.clock), 20 * MS);
    CU_ASSERT_EQUAL(read_pins(&table), 1);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->edges, 5);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->swallowed, 5);
    table_free(&table);
}

TEST(a_stuck_pin_keeps_the_value_it_had)
{
    struct table table;
    struct pin_event event;

    table_make(&table, &(struct pin_faults){.stuck = 2});
    emulated_line_drive(table.chip, 1, false, 1 * MS, NULL);
    emulated_line_drive(table.chip, 0, true, 2 * MS, NULL);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 20 * MS, &table.error), 1);
    CU_ASSERT_EQUAL(event.pin, 0);
    CU_ASSERT_EQUAL(event.sequence, 1);
    CU_ASSERT_EQUAL(read_pins(&table), 3);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->swallowed, 1);
    table_free(&table);
}

TEST(a_stuck_output_takes_no_writes)
{
    struct table table;

    table_make(&table, &(struct pin_faults){.stuck_high = 4});
    CU_ASSERT_TRUE(emulated_line_level(table.chip, 2));
    CU_ASSERT_EQUAL(pins_write(table.pins, 4, 0, &table.error), 0);
    CU_ASSERT_TRUE(emulated_line_level(table.chip, 2));
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->swallowed, 1);
    table_free(&table);
    table_make(&table, &(struct pin_faults){.stuck = 4});
    CU_ASSERT_EQUAL(pins_write(table.pins, 4, 4, &table.error), 0);
    CU_ASSERT_FALSE(emulated_line_level(table.chip, 2));
    table_free(&table);
    table_make(&table, &(struct pin_faults){.stuck_low = 1});
    CU_ASSERT_EQUAL(pins_write(table.pins, 4, 4, &table.error), 0);
    CU_ASSERT_TRUE(emulated_line_level(table.chip, 2));
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->swallowed, 0);
    table_free(&table);
}

TEST(a_bounce_goes_there_and_back_within_its_time)
{
    struct table table;
    struct pin_event event;
    nanos_t last = MS;

    table_make(&table, &(struct pin_faults){
                           .seed = 7, .bounce = 1000000, .bounce_edges = 3, .bounce_for = MS / 2});
    drive_edges(&table, 1);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), 1);
    CU_ASSERT_TRUE(event.rising && event.time == MS && event.sequence == 1);
    for (unsigned i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 100 * MS, &table.error), 1);
        CU_ASSERT_EQUAL(event.rising, i % 2 == 1);
        CU_ASSERT_TRUE(event.time >= last && event.time < MS + MS / 2);
        CU_ASSERT_EQUAL(event.time, clock_now(&table.clock));
        CU_ASSERT_EQUAL(event.sequence, i + 2);
        last = event.time;
    }
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 100 * MS, &table.error), 0);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->bounced, 1);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->injected, 6);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->edges, 1);
    table_free(&table);
}

TEST(a_wait_ends_at_its_deadline_within_a_bounce)
{
    struct table table;
    struct pin_event event;

    table_make(&table, &(struct pin_faults){.seed = 7,
                                            .bounce = 1000000,
                                            .bounce_edges = 1,
                                            .bounce_for = 1000 * NANOS_PER_SECOND});
    drive_edges(&table, 1);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), 1);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 2 * MS, &table.error), 0);
    CU_ASSERT_EQUAL(clock_now(&table.clock), 2 * MS);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), 1);
    CU_ASSERT_FALSE(event.rising);
    CU_ASSERT_TRUE(event.time < 500 * NANOS_PER_SECOND + MS);
    table_free(&table);
}

TEST(edges_of_a_pin_alternate_however_they_bounce)
{
    struct table table;
    struct pin_event event;
    bool level = false;
    nanos_t last = 0;
    unsigned count = 0;

    /* Bounces of three milliseconds run into the true edges, one each millisecond. */
    table_make(&table, &(struct pin_faults){
                           .seed = 3, .bounce = 700000, .bounce_edges = 4, .bounce_for = 3 * MS});
    drive_edges(&table, 2000);
    while (pins_wait(table.pins, &event, 5000 * MS, &table.error) == 1) {
        CU_ASSERT_EQUAL(event.rising, !level);
        CU_ASSERT_TRUE(event.time >= last);
        CU_ASSERT_EQUAL(event.sequence, ++count);
        level = event.rising;
        last = event.time;
    }
    CU_ASSERT_FALSE(level);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->edges, 2000);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->injected, count - 2000);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->injected % 2, 0);
    table_free(&table);
}

TEST(only_edges_asked_for_are_injected)
{
    const struct pin_request request = {.line = "bet1", .edges = PIN_RISING};
    struct table table;
    struct pin_event event;
    unsigned count = 0;

    table_make(&table, &(struct pin_faults){.seed = 1});
    pins_close(table.pins);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&table.pins, &table.hal, "emu:table", &request, 1, &table.error), 0);
    CU_ASSERT_EQUAL_FATAL(
        fault_pins(
            &table.pins, table.pins,
            &(struct pin_faults){.bounce = 1000000, .bounce_edges = 5, .bounce_for = MS / 10},
            &table.error),
        0);
    drive_edges(&table, 20);
    while (pins_wait(table.pins, &event, 1000 * MS, &table.error) == 1) {
        CU_ASSERT_TRUE(event.rising);
        CU_ASSERT_EQUAL(event.sequence, ++count);
    }
    CU_ASSERT_EQUAL(count, 10 * 6);
    table_free(&table);
}

TEST(as_many_edges_bounce_as_the_chance_says)
{
    const double chance = 0.2, edges = 20000;
    const double spread = 5 * sqrt(edges * chance * (1 - chance));
    struct table table;
    struct pin_event event;
    double bounced;

    table_make(&table, &(struct pin_faults){
                           .seed = 42, .bounce = 200000, .bounce_edges = 1, .bounce_for = MS / 10});
    drive_edges(&table, (int)edges);
    while (pins_wait(table.pins, &event, NEVER - 1, &table.error) == 1)
        ;
    bounced = (double)fault_pins_counts(table.pins)->bounced;
    CU_ASSERT_TRUE(bounced > edges * chance - spread && bounced < edges * chance + spread);
    CU_ASSERT_EQUAL(fault_pins_counts(table.pins)->injected,
                    2 * fault_pins_counts(table.pins)->bounced);
    table_free(&table);
}

/* A digest of all events of one run. */
static uint64_t run(uint64_t seed, unsigned *count)
{
    uint64_t digest = 0;
    struct table table;
    struct pin_event event;

    *count = 0;
    table_make(&table, &(struct pin_faults){
                           .seed = seed, .bounce = 300000, .bounce_edges = 2, .bounce_for = MS});
    drive_edges(&table, 500);
    for (int i = 0; i < 300; i++)
        emulated_line_drive(table.chip, 1, i % 2, 3 * MS + i * 1234567, NULL);
    while (pins_wait(table.pins, &event, NEVER - 1, &table.error) == 1) {
        digest = digest * 0x100000001b3 ^ (uint64_t)event.time;
        digest = digest * 0x100000001b3 ^ (event.pin * 2 + event.rising);
        ++*count;
    }
    table_free(&table);
    return digest;
}

TEST(the_same_seed_gives_the_same_bounces)
{
    unsigned first, second;

    CU_ASSERT_EQUAL(run(11, &first), run(11, &second));
    CU_ASSERT_EQUAL(first, second);
    CU_ASSERT_TRUE(first > 800);
    CU_ASSERT_NOT_EQUAL(run(11, &first), run(12, &second));
}

TEST(losses_show_through_stuck_and_bouncing_pins)
{
    struct table table;
    struct pin_event event;

    table_make(
        &table,
        &(struct pin_faults){
            .seed = 5, .stuck = 2, .bounce = 1000000, .bounce_edges = 1, .bounce_for = MS / 10});
    emulated_line_drive(table.chip, 0, true, 1 * MS, NULL);
    emulated_line_drive(table.chip, 1, false, 2 * MS, NULL);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 3 * MS, &table.error), 1);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 3 * MS, &table.error), 0);
    emulated_chip_lose(table.chip, 2);
    emulated_line_drive(table.chip, 0, false, 4 * MS, NULL);
    emulated_line_drive(table.chip, 0, true, 5 * MS, NULL);
    emulated_line_drive(table.chip, 0, false, 6 * MS, NULL);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 9 * MS, &table.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "2 edges lost"));
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 9 * MS, &table.error), 1);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 9 * MS, &table.error), 0);
    table_free(&table);
}

TEST(faults_that_make_no_sense_are_refused)
{
    static const struct pin_faults refused[] = {
        {.stuck = 8},
        {.stuck_high = UINT64_C(1) << 63},
        {.stuck_high = 1, .stuck_low = 1},
        {.stuck = 1, .stuck_low = 1},
        {.bounce = 1000001, .bounce_edges = 1, .bounce_for = 1},
        {.bounce = 1, .bounce_edges = 0, .bounce_for = 1},
        {.bounce = 1, .bounce_edges = 1, .bounce_for = 0},
    };
    struct pins *pins;
    struct table table;

    table_make(&table, &(struct pin_faults){.seed = 0});
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CU_ASSERT_EQUAL(fault_pins(&pins, table.pins, &refused[i], &table.error), ERROR_CONFIG);
        CU_ASSERT_PTR_NULL(pins);
        CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "emu:table"));
    }
    table_free(&table);
}

TEST(only_pins_with_faults_have_counts)
{
    const struct pin_request request = {.line = "bet1"};
    struct pins *plain;
    struct table table;

    table_make(&table, &(struct pin_faults){.seed = 0});
    CU_ASSERT_PTR_NOT_NULL(fault_pins_counts(table.pins));
    pins_close(table.pins);
    table.pins = NULL;
    CU_ASSERT_EQUAL_FATAL(pins_open(&plain, &table.hal, "emu:table", &request, 1, &table.error), 0);
    CU_ASSERT_PTR_NULL(fault_pins_counts(plain));
    pins_close(plain);
    table_free(&table);
}

PINS_CONTRACT_TESTS
