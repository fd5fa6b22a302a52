/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof discover --rig` on a mocked machine. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/gpio_mock.h"
#include "tests/support/process.h"
#include "tests/support/serial_mock.h"
#include "tests/support/suite.h"
#include "tests/support/testbed_node.h"
#include "tests/support/usb_mock.h"

static struct gpio_mock *gpio;
static struct serial_mock *port;
static struct usb_mock *shuffler;

/* A port, a shuffler, and a chip with the lines of two seats. */
static void set_up(void)
{
    static const char *const lines[] = {"bet1", "light1", "bet2", "light2"};
    const struct serial_mock_usb adapter = {
        .port = 7, .vendor = 0x0403, .product = 0x6001, .serial = "FT1", .name = "FT232R"};
    const struct usb_mock_identity device = {.port = 1,
                                             .vendor = 0x1209,
                                             .product = 0x0001,
                                             .serial = "A17",
                                             .manufacturer = "Dealproof",
                                             .name = "Shuffler"};

    gpio = gpio_mock_new();
    gpio_mock_add(gpio, 0, "pinctrl-rp1", lines, 4);
    port = serial_mock_new(gpio_mock_testbed(gpio), "ttyUSB0", &adapter);
    testbed_node_make_plain(gpio_mock_testbed(gpio), "/dev/ttyUSB0");
    shuffler = usb_mock_new(gpio_mock_testbed(gpio), &device);
}

static void tear_down(void)
{
    usb_mock_free(shuffler);
    serial_mock_free(port);
    gpio_mock_free(gpio);
}

static struct process_result fill(const char *text)
{
    char path[] = "/tmp/dealproof-rig-XXXXXX";
    const char *const arguments[] = {"discover", "--rig", path, NULL};
    int fd = mkstemp(path);
    struct process_result result;

    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    result = process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
    unlink(path);
    return result;
}

TEST(addresses_are_filled_in_and_nothing_else_changes)
{
    struct process_result result;

    set_up();
    result = fill("rig: x # mine\nclock: real\ndevices:\n"
                  "  sensors: {address: 'gpio:somewhere', seats: [{seat: 1, bet: bet1}]}\n"
                  "  shuffler:\n    address: usb:1209:0001 # the only one\n"
                  "  terminal: {address: \"serial:/dev/ttyACM9@9600\"}\n");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(
        result.out, "rig: x # mine\nclock: real\ndevices:\n"
                    "  sensors: {address: 'gpio:pinctrl-rp1', seats: [{seat: 1, bet: bet1}]}\n"
                    "  shuffler:\n    address: usb:1209:0001/A17 # the only one\n"
                    "  terminal: {address: \"serial:/dev/ttyUSB0@9600\"}\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "shuffler: usb:1209:0001/A17\n"));
    process_free(&result);
    tear_down();
}

TEST(an_address_that_is_not_sure_stays)
{
    const char *text = "rig: x\nclock: real\ndevices:\n"
                       "  shuffler: {address: 'serial:/dev/ttyS8@9600'}\n"
                       "  terminal: {address: 'serial:/dev/ttyS9@9600'}\n"
                       "  sensors: {address: 'gpio:x', seats: [{seat: 1, bet: bet9}]}\n";
    struct process_result result;

    set_up();
    result = fill(text);
    CU_ASSERT_EQUAL(result.status, 3);
    CU_ASSERT_STRING_EQUAL(result.out, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "shuffler: which one is meant is not sure"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "sensors: none is attached"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "3 of 3 addresses"));
    process_free(&result);
    tear_down();
}

TEST(an_address_that_is_attached_stays)
{
    const char *text =
        "rig: x\nclock: real\ndevices:\n  shuffler: {address: 'serial:/dev/ttyUSB0@9600'}\n";
    struct process_result result;

    set_up();
    result = fill(text);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(result.out, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "is attached"));
    process_free(&result);
    tear_down();
}

TEST(a_rig_file_with_a_mistake_is_not_filled_in)
{
    struct process_result result;

    set_up();
    result = fill("rig: x\nclock: real\ndevices: {shuffler: {adress: emu}}\n");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_STRING_EQUAL(result.out, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, ":3:22: devices.shuffler: there is no field"));
    process_free(&result);
    tear_down();
}
