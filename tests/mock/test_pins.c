/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPIO backend: the real libgpiod on a mocked kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hal/pins/discover.h"
#include "hal/pins/gpiod.h"
#include "tests/support/devices/pins_contract.h"
#include "tests/support/mock/gpio_mock.h"

struct pins_peer {
    struct gpio_mock *mock;
    struct gpio_mock_chip *chip;
    nanos_t now;
};

static const char *const lines[] = PINS_CONTRACT_LINES;

static nanos_t real_now(void)
{
    struct clock clock;

    clock_real(&clock);
    return clock_now(&clock);
}

/* The peer lives a second in the past, so that what is to happen in a test has always happened. */
static struct pins_peer *make(struct hal *hal, char address[PINS_LABEL_MAX])
{
    struct pins_peer *peer = calloc(1, sizeof *peer);

    (void)hal;
    peer->mock = gpio_mock_new();
    gpio_mock_add(peer->mock, 0, "board", (const char *const[]){"", "led"}, 2);
    peer->chip = gpio_mock_add(peer->mock, 4, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    peer->now = real_now() - NANOS_PER_SECOND;
    strcpy(address, "gpio:pinctrl-rp1");
    return peer;
}

static nanos_t now(struct pins_peer *peer)
{
    return peer->now;
}

static void pass(struct pins_peer *peer, nanos_t until)
{
    peer->now = until;
    gpio_mock_pass(peer->chip, until);
}

static void drive(struct pins_peer *peer, unsigned line, bool level, nanos_t time)
{
    gpio_mock_drive(peer->chip, line, level, time);
}

static bool level_of(struct pins_peer *peer, unsigned line)
{
    return gpio_mock_level(peer->chip, line);
}

static void lose(struct pins_peer *peer, unsigned edges)
{
    gpio_mock_lose(peer->chip, edges);
}

static void occupy(struct pins_peer *peer, unsigned line, const char *consumer)
{
    gpio_mock_occupy(peer->chip, line, consumer);
}

static void drop(struct pins_peer *peer)
{
    gpio_mock_fail(peer->chip, ENODEV);
}

static void restore(struct pins_peer *peer)
{
    gpio_mock_fail(peer->chip, 0);
}

static void free_peer(struct pins_peer *peer)
{
    gpio_mock_free(peer->mock);
    free(peer);
}

const struct pins_contract pins_contract = {
    .is_virtual = false,
    .bad_addresses = (const char *const[]){"gpio:", "gpio:pinctrl-bcm2711", "gpio:gpiochip4",
                                           "gpio:/dev/gpiochip4", "GPIO:pinctrl-rp1", "4", NULL},
    .make = make,
    .now = now,
    .pass = pass,
    .drive = drive,
    .level = level_of,
    .lose = lose,
    .occupy = occupy,
    .drop = drop,
    .restore = restore,
    .free = free_peer,
};

/* A bench on the real clock, without pins yet. */
struct machine {
    struct clock clock;
    struct hal hal;
    struct gpio_mock *mock;
    struct pins *pins;
    struct error error;
};

static void machine_make(struct machine *machine)
{
    clock_real(&machine->clock);
    CU_ASSERT_FATAL(hal_open(&machine->hal, &machine->clock, &machine->error) == 0);
    machine->mock = gpio_mock_new();
    machine->pins = NULL;
}

static void machine_free(struct machine *machine)
{
    pins_close(machine->pins);
    gpio_mock_free(machine->mock);
    hal_close(&machine->hal);
}

static int machine_open(struct machine *machine, const char *address, const char *line)
{
    struct pin_request request = {.edges = PIN_NO_EDGES};

    strcpy(request.line, line);
    return pins_open(&machine->pins, &machine->hal, address, &request, 1, &machine->error);
}

TEST(an_absent_label_is_refused_with_the_labels_there_are)
{
    struct machine machine;

    machine_make(&machine);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:pinctrl-rp1", "bet1"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "labels here are: none"));
    gpio_mock_add(machine.mock, 0, "board", lines, 1);
    gpio_mock_add(machine.mock, 11, "pinctrl-bcm2711", lines, 1);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:pinctrl-rp1", "bet1"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "gpio:pinctrl-rp1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "board, pinctrl-bcm2711"));
    machine_free(&machine);
}

TEST(a_label_that_two_chips_bear_is_refused)
{
    struct machine machine;

    machine_make(&machine);
    gpio_mock_add(machine.mock, 10, "expander", lines, 1);
    gpio_mock_add(machine.mock, 2, "expander", lines, 1);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:expander", "bet1"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "/dev/gpiochip2, /dev/gpiochip10"));
    machine_free(&machine);
}

TEST(a_symbolic_link_is_not_another_chip)
{
    struct machine machine;

    machine_make(&machine);
    gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, 1);
    gpio_mock_link(machine.mock, 4, 0);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:pinctrl-rp1", "bet1"), 0);
    machine_free(&machine);
}

TEST(a_chip_without_permission_is_refused_with_the_remedy)
{
    struct gpio_mock_chip *chip;
    struct machine machine;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, 1);
    gpio_mock_fail(chip, EACCES);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:pinctrl-rp1", "bet1"), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "/dev/gpiochip0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "99-dealproof.rules"));
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "group 'gpio'"));
    machine_free(&machine);
}

TEST(a_chip_without_permission_does_not_hide_another)
{
    struct gpio_mock_chip *chip;
    struct machine machine;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "board", lines, 1);
    gpio_mock_fail(chip, EACCES);
    gpio_mock_add(machine.mock, 1, "pinctrl-rp1", lines, 1);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:pinctrl-rp1", "bet1"), 0);
    machine_free(&machine);
}

TEST(real_lines_are_refused_in_virtual_time)
{
    struct machine machine;

    machine_make(&machine);
    gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, 1);
    clock_virtual(&machine.clock, 0);
    CU_ASSERT_EQUAL(machine_open(&machine, "gpio:pinctrl-rp1", "bet1"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(machine.error.text, "real clock"));
    machine_free(&machine);
}

TEST(outputs_of_one_kind_are_written_in_one_call)
{
    const struct pin_request requests[] = {{.line = "light1", .direction = PIN_OUTPUT},
                                           {.line = "bet1"},
                                           {.line = "light2", .direction = PIN_OUTPUT},
                                           {.line = "chip1", .direction = PIN_OUTPUT}};
    struct gpio_mock_chip *chip;
    struct machine machine;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&machine.pins, &machine.hal, "gpio:pinctrl-rp1", requests, 4, &machine.error), 0);
    CU_ASSERT_EQUAL(pins_write(machine.pins, 13, 13, &machine.error), 0);
    CU_ASSERT_EQUAL(gpio_mock_writes(chip), 1);
    CU_ASSERT_EQUAL(pins_write(machine.pins, 0, 0, &machine.error), 0);
    CU_ASSERT_EQUAL(gpio_mock_writes(chip), 1);
    machine_free(&machine);
}

TEST(a_debounced_edge_is_waited_for_until_it_settles)
{
    const struct pin_request request = {.line = "bet1", .edges = PIN_RISING, .debounce_us = 20000};
    struct gpio_mock_chip *chip;
    struct machine machine;
    struct pin_event event;
    nanos_t start, settled;
    int came;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&machine.pins, &machine.hal, "gpio:pinctrl-rp1", &request, 1, &machine.error), 0);
    start = clock_now(&machine.clock);
    settled = start + 20 * NANOS_PER_MILLI;
    gpio_mock_drive(chip, BET1, true, start);
    came = pins_wait(machine.pins, &event, start + NANOS_PER_MILLI, &machine.error);
    /* On a busy machine the time may be over before anybody waits. */
    CU_ASSERT(came == 0 || (came == 1 && clock_now(&machine.clock) >= settled));
    if (pins_capabilities(machine.pins) & PINS_KERNEL_DEBOUNCE)
        gpio_mock_pass(chip, settled);
    if (came == 0)
        came = pins_wait(machine.pins, &event, settled + 60 * NANOS_PER_SECOND, &machine.error);
    CU_ASSERT_EQUAL(came, 1);
    CU_ASSERT_EQUAL(event.time, settled);
    machine_free(&machine);
}

TEST(more_edges_than_the_kernel_gives_at_once_all_come)
{
    const struct pin_request requests[] = {{.line = "bet1", .edges = PIN_BOTH_EDGES},
                                           {.line = "bet2", .edges = PIN_BOTH_EDGES}};
    struct gpio_mock_chip *chip;
    struct machine machine;
    struct pin_event event;
    nanos_t start;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&machine.pins, &machine.hal, "gpio:pinctrl-rp1", requests, 2, &machine.error), 0);
    start = clock_now(&machine.clock) - NANOS_PER_SECOND;
    for (int i = 0; i < 400; i++)
        gpio_mock_drive(chip, i % 2 ? BET1 : BET2, i / 2 % 2 == 0, start + i);
    for (int i = 0; i < 400; i++) {
        CU_ASSERT_EQUAL(pins_wait(machine.pins, &event, 0, &machine.error), 1);
        CU_ASSERT_EQUAL(event.time, start + i);
        CU_ASSERT_EQUAL(event.pin, i % 2 ? 0 : 1);
        CU_ASSERT_EQUAL(event.rising, i / 2 % 2 == 0);
    }
    CU_ASSERT_EQUAL(pins_wait(machine.pins, &event, 0, &machine.error), 0);
    machine_free(&machine);
}

/* Far more edges than any queue on the way keeps. */
static void check_reading_alone(enum pin_edges edges)
{
    const struct pin_request request = {.line = "bet1", .edges = edges, .debounce_us = 1000};
    nanos_t time = real_now() - NANOS_PER_SECOND;
    struct gpio_mock_chip *chip;
    struct machine machine;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&machine.pins, &machine.hal, "gpio:pinctrl-rp1", &request, 1, &machine.error), 0);
    for (unsigned i = 1; i <= 101; i++) {
        uint64_t values = 2;

        time += 2 * NANOS_PER_MILLI;
        gpio_mock_drive(chip, BET1, i & 1, time);
        gpio_mock_pass(chip, time + 2 * NANOS_PER_MILLI);
        CU_ASSERT_EQUAL(pins_read(machine.pins, &values, &machine.error), 0);
        CU_ASSERT_EQUAL(values, i & 1);
    }
    machine_free(&machine);
}

TEST(a_debounced_line_that_is_only_read_keeps_its_true_level)
{
    check_reading_alone(PIN_NO_EDGES);
    check_reading_alone(PIN_BOTH_EDGES);
}

/* The kernel keeps 16 edges of a line for libgpiod 1.6; the 17th one is lost. */
TEST(a_debounced_line_that_is_rarely_read_comes_to_its_true_level)
{
    const struct pin_request request = {.line = "bet1", .debounce_us = 1000};
    nanos_t time = real_now() - NANOS_PER_SECOND, deadline;
    struct gpio_mock_chip *chip;
    struct machine machine;
    uint64_t values;

    machine_make(&machine);
    chip = gpio_mock_add(machine.mock, 0, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    CU_ASSERT_EQUAL_FATAL(
        pins_open(&machine.pins, &machine.hal, "gpio:pinctrl-rp1", &request, 1, &machine.error), 0);
    for (unsigned i = 1; i <= 17; i++) {
        if (i == 17)
            gpio_mock_lose(chip, 1);
        gpio_mock_drive(chip, BET1, i & 1, time += 2 * NANOS_PER_MILLI);
    }
    gpio_mock_pass(chip, time + 2 * NANOS_PER_MILLI);
    deadline = clock_deadline(&machine.clock, 1000);
    do {
        CU_ASSERT_EQUAL_FATAL(pins_read(machine.pins, &values, &machine.error), 0);
    } while (!values && clock_now(&machine.clock) < deadline);
    CU_ASSERT_EQUAL(values, 1);
    machine_free(&machine);
}

TEST(the_library_states_whether_it_sees_losses)
{
    bool second = gpio_library_version()[0] >= '2';

    CU_ASSERT_EQUAL((gpio_capabilities() & PINS_LOSS_DETECTED) != 0, second);
    CU_ASSERT_EQUAL((gpio_capabilities() & PINS_KERNEL_DEBOUNCE) != 0, second);
    CU_ASSERT_EQUAL(gpio_library_version()[0] - '0', GPIOD_MAJOR);
}

struct discovered {
    size_t count;
    struct gpio_chip_info chips[4];
    struct gpio_line_info lines[4][PINS_CONTRACT_COUNT];
};

static void note_chip(void *context, const struct gpio_chip_info *chip)
{
    struct discovered *discovered = context;

    CU_ASSERT_TRUE_FATAL(discovered->count < 4 && chip->count <= PINS_CONTRACT_COUNT);
    if (chip->count)
        memcpy(discovered->lines[discovered->count], chip->lines,
               chip->count * sizeof chip->lines[0]);
    discovered->chips[discovered->count++] = *chip;
}

TEST(chips_are_discovered_with_labels_lines_and_consumers)
{
    struct discovered found = {.count = 0};
    struct gpio_mock_chip *chip, *closed;
    struct machine machine;

    machine_make(&machine);
    CU_ASSERT_EQUAL(discover_gpio(note_chip, &found, &machine.error), 0);
    CU_ASSERT_EQUAL(found.count, 0);
    chip = gpio_mock_add(machine.mock, 10, "pinctrl-rp1", lines, PINS_CONTRACT_COUNT);
    closed = gpio_mock_add(machine.mock, 9, "board", lines, 1);
    gpio_mock_link(machine.mock, 4, 10);
    gpio_mock_occupy(chip, LIGHT2, "sysfs");
    gpio_mock_fail(closed, EACCES);
    CU_ASSERT_EQUAL(discover_gpio(note_chip, &found, &machine.error), 2);
    CU_ASSERT_EQUAL_FATAL(found.count, 2);
    CU_ASSERT_STRING_EQUAL(found.chips[0].path, "/dev/gpiochip9");
    CU_ASSERT_EQUAL(found.chips[0].failed, EACCES);
    CU_ASSERT_EQUAL(found.chips[0].count, 0);
    CU_ASSERT_STRING_EQUAL(found.chips[1].path, "/dev/gpiochip10");
    CU_ASSERT_STRING_EQUAL(found.chips[1].name, "gpiochip10");
    CU_ASSERT_STRING_EQUAL(found.chips[1].label, "pinctrl-rp1");
    CU_ASSERT_EQUAL(found.chips[1].failed, 0);
    CU_ASSERT_EQUAL(found.chips[1].count, PINS_CONTRACT_COUNT);
    CU_ASSERT_STRING_EQUAL(found.lines[1][CHIP1].name, "chip1");
    CU_ASSERT_STRING_EQUAL(found.lines[1][NAMELESS].name, "");
    CU_ASSERT_FALSE(found.lines[1][CHIP1].used);
    CU_ASSERT_TRUE(found.lines[1][LIGHT2].used);
    CU_ASSERT_STRING_EQUAL(found.lines[1][LIGHT2].consumer, "sysfs");
    machine_free(&machine);
}

PINS_CONTRACT_TESTS
