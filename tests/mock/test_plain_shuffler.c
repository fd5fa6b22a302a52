/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shuffler on pins whose cards a scanner reads, on the real libgpiod, the real libevdev, a mocked
 * kernel and the real clock.
 */
#include <errno.h>
#include <string.h>

#include "devices/shuffler/shuffler.h"
#include "hal/desk/desk.h"
#include "tests/support/mock/gpio_mock.h"
#include "tests/support/mock/input_mock.h"
#include "tests/support/suite.h"

#define NODE "/dev/input/event5"

/* A machine, and somebody who does what is asked: says done, or draws cards past the scanner. */
struct table {
    struct gpio_mock *mock;
    struct gpio_mock_chip *chip;
    struct input_mock *scanner;
    struct clock clock;
    struct hal hal;
    struct shuffler *shuffler;
    const char *const *scans; /* one for each question of cards */
    unsigned steps, cards;
    nanos_t taken; /* when the packet was taken that is being read */
    struct error error;
};

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct table *table = context;

    if (answer)
        return;
    if (question->kind == QUESTION_STEP) {
        table->steps++;
        CU_ASSERT_EQUAL(
            desk_answer(table->hal.desk, question->id, "done", "Ann", DESK_TERMINAL, NULL, NULL),
            DESK_TAKEN);
        return;
    }
    if (!table->cards++) {
        table->taken = clock_now(&table->clock);
        gpio_mock_drive(table->chip, SHUFFLER_LINE_EXIT, true, table->taken);
    }
    if (*table->scans)
        input_mock_type(table->scanner, *table->scans++);
}

/* The lines are active low: they rest high. */
static void rest(struct table *table)
{
    for (unsigned line = SHUFFLER_LINE_EXIT; line < SHUFFLER_LINES; line++)
        gpio_mock_drive(table->chip, line, true, clock_now(&table->clock));
}

static int open_device(struct table *table)
{
    const struct shuffler_setup setup = {.lines = {"button", "exit", "ready", "jam", "door"},
                                         .press_ms = 5,
                                         .active_low = ~(1u << SHUFFLER_LINE_BUTTON)};
    const struct device_connection connection = {.hal = &table->hal,
                                                 .address = "gpio:pinctrl-rp1",
                                                 .options = "",
                                                 .setup = &setup,
                                                 .cards = "scanner:" NODE,
                                                 .map = "rigs/cards.jsonl",
                                                 .person_ms = 5000};

    return device_open((struct device **)&table->shuffler,
                       device_driver_find(DEVICE_SHUFFLER, "pins", NULL), &connection,
                       &table->error);
}

static void table_make(struct table *table, const char *const *scans)
{
    *table = (struct table){.scans = scans};
    table->mock = gpio_mock_new();
    table->chip = gpio_mock_add(table->mock, 4, "pinctrl-rp1", shuffler_line_names, SHUFFLER_LINES);
    table->scanner = input_mock_new(gpio_mock_testbed(table->mock), 5, true);
    clock_real(&table->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&table->hal, &table->clock, &table->error), 0);
    table->hal.desk = desk_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(table->hal.desk);
    desk_sides(table->hal.desk, DESK_TERMINAL);
    CU_ASSERT_EQUAL(desk_listen(table->hal.desk, &(struct desk_reader){told, table}, NULL), 0);
    rest(table);
    CU_ASSERT_EQUAL_FATAL(open_device(table), 0);
}

static void table_free(struct table *table)
{
    shuffler_close(table->shuffler);
    desk_free(table->hal.desk);
    hal_close(&table->hal);
    input_mock_free(table->scanner);
    gpio_mock_free(table->mock);
}

/* Shuffles and presses; returns when the first packet came. */
static nanos_t deal(struct table *table)
{
    static const struct shuffler_program program = {.count = 2, .sizes = {3, 4}};
    nanos_t came;

    CU_ASSERT_EQUAL_FATAL(shuffler_program(table->shuffler, &program, &table->error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_shuffle(table->shuffler, &table->error), 0);
    CU_ASSERT_EQUAL(gpio_mock_writes(table->chip), 2);
    CU_ASSERT_FALSE(gpio_mock_level(table->chip, SHUFFLER_LINE_BUTTON));
    gpio_mock_drive(table->chip, SHUFFLER_LINE_READY, false, clock_now(&table->clock));
    CU_ASSERT_EQUAL_FATAL(shuffler_press(table->shuffler, &table->error), 0);
    came = clock_now(&table->clock);
    gpio_mock_drive(table->chip, SHUFFLER_LINE_EXIT, false, came);
    return came;
}

static int next(struct table *table, struct shuffler_event *event)
{
    return shuffler_next(table->shuffler, event, clock_deadline(&table->clock, 5000),
                         &table->error);
}

TEST(a_packet_is_timed_by_its_edges_however_long_its_cards_are_scanned)
{
    static const char *const scans[] = {"AS\n", "XX\n", "TD\n", "2C\t", "DONE\n", NULL};
    struct shuffler_event event;
    struct table table;
    nanos_t came;

    table_make(&table, scans);
    came = deal(&table);
    CU_ASSERT_EQUAL(table.steps, 2);
    CU_ASSERT_EQUAL(next(&table, &event), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(next(&table, &event), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.time, came);
    CU_ASSERT_EQUAL(event.packet.size, 3);
    CU_ASSERT_EQUAL(event.packet.cards[1], card_make(RANK_TEN, SUIT_DIAMONDS));
    CU_ASSERT_STRING_EQUAL(event.packet.witness, "scanner");
    CU_ASSERT_EQUAL(next(&table, &event), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_TAKEN);
    CU_ASSERT_EQUAL(event.time, table.taken);
    table_free(&table);
}

TEST(a_scanner_that_is_pulled_out_in_the_middle_of_a_packet_is_an_error_of_the_device)
{
    static const char *const scans[] = {"AS\n", NULL};
    struct shuffler_event event;
    struct table table;

    table_make(&table, scans);
    deal(&table);
    CU_ASSERT_EQUAL(next(&table, &event), 1);
    input_mock_unplug(table.scanner);
    CU_ASSERT_EQUAL(next(&table, &event), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "the scanner went away"));
    table_free(&table);
}

TEST(its_lines_are_told_as_they_are_now)
{
    static const char *const scans[] = {NULL};
    struct table table;
    unsigned has, on;

    table_make(&table, scans);
    CU_ASSERT_EQUAL(shuffler_look(table.shuffler, &has, &on, &table.error), 0);
    CU_ASSERT_EQUAL(has, (1u << SHUFFLER_LINES) - 1);
    CU_ASSERT_EQUAL(on, 0);
    gpio_mock_drive(table.chip, SHUFFLER_LINE_JAM, false, clock_now(&table.clock));
    CU_ASSERT_EQUAL(shuffler_look(table.shuffler, &has, &on, &table.error), 0);
    CU_ASSERT_EQUAL(on, 1u << SHUFFLER_LINE_JAM);
    CU_ASSERT_EQUAL(gpio_mock_writes(table.chip), 0);
    gpio_mock_fail(table.chip, ENODEV);
    CU_ASSERT_EQUAL(shuffler_look(table.shuffler, &has, &on, &table.error), ERROR_DEVICE);
    table_free(&table);
}

TEST(a_chip_that_goes_is_an_error_of_the_device)
{
    static const char *const scans[] = {NULL};
    struct shuffler_event event;
    struct table table;

    table_make(&table, scans);
    gpio_mock_fail(table.chip, ENODEV);
    CU_ASSERT_EQUAL(next(&table, &event), ERROR_DEVICE);
    CU_ASSERT_EQUAL(shuffler_shuffle(table.shuffler, &table.error), ERROR_DEVICE);
    table_free(&table);
}

TEST(a_device_that_cannot_be_opened_leaves_neither_pins_nor_scanner_in_use)
{
    static const char *const scans[] = {NULL};
    struct table table;

    table_make(&table, scans);
    shuffler_close(table.shuffler);
    CU_ASSERT_FALSE(input_mock_is_grabbed(table.scanner));
    gpio_mock_occupy(table.chip, SHUFFLER_LINE_JAM, "lamp");
    CU_ASSERT_EQUAL(open_device(&table), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.error.text, "'jam'"));
    CU_ASSERT_FALSE(input_mock_is_grabbed(table.scanner));
    gpio_mock_occupy(table.chip, SHUFFLER_LINE_JAM, NULL);
    CU_ASSERT_EQUAL(open_device(&table), 0);
    table_free(&table);
}
