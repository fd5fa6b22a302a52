/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "hal/pins/emulated_pins.h"
#include "tests/support/devices/emulated_peer.h"
#include "tests/support/devices/pins_contract.h"

const struct pins_contract pins_contract = {
    .is_virtual = true,
    .bad_addresses =
        (const char *const[]){"", "emu:", "emu:shuffler", "emulated:table", "table", "emu", NULL},
    EMULATED_PEER,
};

static const char *const lines[] = PINS_CONTRACT_LINES;

/* A bench in virtual time with pins on the contract's chip. */
struct table {
    struct clock clock;
    struct hal hal;
    struct emulated_chip *chip;
    struct pins *pins;
    struct error error;
};

static void table_make(struct table *table, const struct pin_request *requests, size_t count)
{
    clock_virtual(&table->clock, 0);
    CU_ASSERT_FATAL(hal_open(&table->hal, &table->clock, &table->error) == 0);
    CU_ASSERT_FATAL(emulated_chip_new(&table->chip, &table->hal, "table", lines,
                                      PINS_CONTRACT_COUNT, &table->error) == 0);
    CU_ASSERT_FATAL(
        pins_open(&table->pins, &table->hal, "emu:table", requests, count, &table->error) == 0);
}

static void table_free(struct table *table)
{
    pins_close(table->pins);
    emulated_chip_free(table->chip);
    hal_close(&table->hal);
}

/* A photodiode on bet1 that sees the lamp on light1 five milliseconds later. */
static void see_lamp(void *context, unsigned line, bool level, nanos_t time)
{
    struct emulated_chip *chip = context;

    if (line == LIGHT1)
        emulated_line_drive(chip, BET1, level, time + 5 * NANOS_PER_MILLI, NULL);
}

TEST(a_model_that_answers_an_output_is_heard_at_its_time)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES},
                                           {.line = "light1", .direction = PIN_OUTPUT}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 2);
    emulated_chip_watch(table.chip, see_lamp, table.chip);
    clock_advance(&table.clock, 100);
    CU_ASSERT_EQUAL(pins_write(table.pins, 2, 2, &table.error), 0);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), 1);
    CU_ASSERT_EQUAL(event.time, 100 + 5 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(clock_now(&table.clock), 100 + 5 * NANOS_PER_MILLI);
    CU_ASSERT_TRUE(event.rising);
    table_free(&table);
}

/* As quick as light: answers within the write itself. */
static void mirror(void *context, unsigned line, bool level, nanos_t time)
{
    struct emulated_chip *chip = context;

    if (line == LIGHT1 || line == LIGHT2)
        emulated_line_drive(chip, line == LIGHT1 ? BET1 : BET2, level, time, NULL);
}

TEST(a_model_may_answer_at_once)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES},
                                           {.line = "bet2", .edges = PIN_BOTH_EDGES},
                                           {.line = "light1", .direction = PIN_OUTPUT},
                                           {.line = "light2", .direction = PIN_OUTPUT}};
    struct table table;
    struct pin_event event;
    uint64_t values;

    table_make(&table, requests, 4);
    emulated_chip_watch(table.chip, mirror, table.chip);
    CU_ASSERT_EQUAL(pins_write(table.pins, 12, 12, &table.error), 0);
    CU_ASSERT_EQUAL(pins_read(table.pins, &values, &table.error), 0);
    CU_ASSERT_EQUAL(values, 15);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 0, &table.error), 1);
    CU_ASSERT_EQUAL(event.pin, 0);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 0, &table.error), 1);
    CU_ASSERT_EQUAL(event.pin, 1);
    table_free(&table);
}

struct pair {
    struct emulated_chip *chip;
    unsigned told, both;
};

static void look_at_both(void *context, unsigned line, bool level, nanos_t time)
{
    struct pair *pair = context;

    (void)line;
    (void)level;
    (void)time;
    pair->told++;
    pair->both +=
        emulated_line_level(pair->chip, LIGHT1) && emulated_line_level(pair->chip, LIGHT2);
}

TEST(a_model_sees_outputs_written_together_change_together)
{
    const struct pin_request requests[] = {{.line = "light1", .direction = PIN_OUTPUT},
                                           {.line = "light2", .direction = PIN_OUTPUT}};
    struct table table;
    struct pair pair;

    table_make(&table, requests, 2);
    pair = (struct pair){.chip = table.chip};
    emulated_chip_watch(table.chip, look_at_both, &pair);
    CU_ASSERT_EQUAL(pins_write(table.pins, 3, 3, &table.error), 0);
    CU_ASSERT_EQUAL(pair.told, 2);
    CU_ASSERT_EQUAL(pair.both, 2);
    table_free(&table);
}

struct changes {
    unsigned count, line;
    bool level;
    nanos_t time;
};

static void note_change(void *context, unsigned line, bool level, nanos_t time)
{
    struct changes *changes = context;

    *changes = (struct changes){changes->count + 1, line, level, time};
}

TEST(a_watcher_hears_of_the_host_and_not_of_the_device)
{
    const struct pin_request requests[] = {
        {.line = "bet1"}, {.line = "light1", .direction = PIN_OUTPUT, .active_low = true}};
    struct changes changes = {0};
    struct table table;

    table_make(&table, requests, 2);
    emulated_chip_watch(table.chip, note_change, &changes);
    emulated_line_drive(table.chip, BET1, true, 0, NULL);
    CU_ASSERT_EQUAL(changes.count, 0);
    clock_advance(&table.clock, 77);
    CU_ASSERT_EQUAL(pins_write(table.pins, 2, 2, &table.error), 0);
    CU_ASSERT_EQUAL(changes.count, 1);
    CU_ASSERT_EQUAL(changes.line, LIGHT1);
    CU_ASSERT_FALSE(changes.level);
    CU_ASSERT_EQUAL(changes.time, 77);
    CU_ASSERT_EQUAL(pins_write(table.pins, 2, 2, &table.error), 0);
    CU_ASSERT_EQUAL(changes.count, 1);
    table_free(&table);
}

TEST(a_released_line_falls_to_its_pull)
{
    const struct pin_request requests[] = {
        {.line = "bet1", .bias = PIN_PULL_UP, .edges = PIN_BOTH_EDGES}, {.line = "bet2"}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 2);
    emulated_line_drive(table.chip, BET1, false, 10, NULL);
    emulated_line_release(table.chip, BET1, 20, NULL);
    emulated_line_drive(table.chip, BET2, true, 30, NULL);
    emulated_line_release(table.chip, BET2, 40, NULL);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 100, &table.error), 1);
    CU_ASSERT_FALSE(event.rising);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 100, &table.error), 1);
    CU_ASSERT_TRUE(event.rising);
    CU_ASSERT_EQUAL(event.time, 20);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 100, &table.error), 0);
    CU_ASSERT_TRUE(emulated_line_level(table.chip, BET2));
    table_free(&table);
}

TEST(drives_given_out_of_order_happen_in_the_order_of_time)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 1);
    for (unsigned i = 0; i < 500; i++) {
        unsigned at = i * 211 % 500; /* each once */

        emulated_line_drive(table.chip, BET1, at % 2 == 0, 1 + at, NULL);
    }
    for (unsigned i = 0; i < 500; i++) {
        CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), 1);
        CU_ASSERT_EQUAL(event.time, 1 + i);
        CU_ASSERT_EQUAL(event.rising, i % 2 == 0);
        CU_ASSERT_EQUAL(event.sequence, i + 1);
    }
    table_free(&table);
}

TEST(a_full_queue_loses_the_oldest_edges_and_says_how_many)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 1);
    for (unsigned i = 0; i < 1024 + 7; i++)
        emulated_line_drive(table.chip, BET1, i % 2 == 0, 1 + i, NULL);
    clock_advance(&table.clock, 10000);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 0, &table.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "7 edges lost"));
    for (unsigned i = 7; i < 1024 + 7; i++) {
        CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 0, &table.error), 1);
        CU_ASSERT_EQUAL(event.time, 1 + i);
    }
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 0, &table.error), 0);
    table_free(&table);
}

TEST(one_lost_edge_is_said_in_the_singular)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 1);
    emulated_chip_lose(table.chip, 1);
    emulated_line_drive(table.chip, BET1, true, 1, NULL);
    emulated_line_drive(table.chip, BET1, false, 2, NULL);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, 5, &table.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "1 edge lost"));
    table_free(&table);
}

TEST(a_wait_for_what_never_comes_is_an_error_and_does_not_hang)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 1);
    CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), ERROR_RIG);
    table_free(&table);
}

TEST(two_emulated_chips_have_two_names)
{
    const struct pin_request requests[] = {{.line = "bet1"}};
    struct table table;
    struct emulated_chip *other;

    table_make(&table, requests, 1);
    CU_ASSERT_EQUAL(emulated_chip_new(&other, &table.hal, "table", lines, 1, &table.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(other);
    CU_ASSERT_EQUAL(emulated_chip_new(&other, &table.hal, "", lines, 1, &table.error),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(emulated_chip_new(&other, &table.hal, "other", lines, 1, &table.error), 0);
    pins_close(table.pins);
    CU_ASSERT_EQUAL(pins_open(&table.pins, &table.hal, "emu:third", requests, 1, &table.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "other, table"));
    CU_ASSERT_EQUAL(pins_open(&table.pins, &table.hal, "emu:other", requests, 1, &table.error), 0);
    pins_close(table.pins);
    table.pins = NULL;
    emulated_chip_free(other);
    table_free(&table);
}

TEST(a_line_is_found_by_its_name)
{
    const struct pin_request requests[] = {{.line = "bet1"}};
    struct table table;

    table_make(&table, requests, 1);
    CU_ASSERT_EQUAL(emulated_chip_line(table.chip, "light2"), LIGHT2);
    CU_ASSERT_EQUAL(emulated_chip_line(table.chip, "light3"), -1);
    table_free(&table);
}

TEST(an_hour_of_edges_takes_no_time)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES}};
    struct table table;
    struct pin_event event;

    table_make(&table, requests, 1);
    for (int i = 1; i <= 3600; i++)
        emulated_line_drive(table.chip, BET1, i % 2, i * NANOS_PER_SECOND, NULL);
    for (int i = 1; i <= 3600; i++) {
        CU_ASSERT_EQUAL(pins_wait(table.pins, &event, NEVER, &table.error), 1);
        CU_ASSERT_EQUAL(clock_now(&table.clock), i * NANOS_PER_SECOND);
    }
    table_free(&table);
}

PINS_CONTRACT_TESTS
