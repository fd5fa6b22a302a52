/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof discover --rig` on a mocked machine. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/mock/gpio_mock.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/mock/usb_mock.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

static struct gpio_mock *gpio;
static struct serial_mock *port;
static struct usb_mock *shuffler;

/* A port, a shuffler, and a chip with the lines of two seats. */
static void set_up(void)
{
    static const char *const lines[] = {"bet1", "light1", "bet2", "light2", "button", "exit"};
    const struct serial_mock_usb adapter = {
        .port = 7, .vendor = 0x0403, .product = 0x6001, .serial = "FT1", .name = "FT232R"};
    const struct usb_mock_identity device = {.port = 1,
                                             .vendor = 0x1209,
                                             .product = 0x0001,
                                             .serial = "A17",
                                             .manufacturer = "Dealproof",
                                             .name = "Shuffler"};

    gpio = gpio_mock_new();
    gpio_mock_add(gpio, 0, "pinctrl-rp1", lines, 6);
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

TEST(the_serial_number_is_filled_in_and_nothing_else_changes)
{
    struct process_result result;

    set_up();
    result = fill("rig: x # mine\nclock: real\ndevices:\n"
                  "  sensors: {address: 'gpio:pinctrl-rp1', seats: [{seat: 1, bet: bet1}]}\n"
                  "  shuffler:\n    address: usb:1209:0001 # the only one\n"
                  "  terminal: {address: \"serial:/dev/ttyUSB0@9600\"}\n");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(
        result.out, "rig: x # mine\nclock: real\ndevices:\n"
                    "  sensors: {address: 'gpio:pinctrl-rp1', seats: [{seat: 1, bet: bet1}]}\n"
                    "  shuffler:\n    address: usb:1209:0001/A17 # the only one\n"
                    "  terminal: {address: \"serial:/dev/ttyUSB0@9600\"}\n");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.err, "shuffler: usb:1209:0001 is attached: usb:1209:0001/A17\n"));
    process_free(&result);
    tear_down();
}

/* Each stands alone, and each would be a guess. */
TEST(nothing_is_put_in_place_of_a_device_that_is_not_there)
{
    static const struct {
        const char *device, *missing, *candidate;
    } cases[] = {
        {"terminal: {address: 'serial:/dev/ttyACM9@9600'}",
         "terminal: serial:/dev/ttyACM9@9600 is not attached; it stays in the file\n",
         "    attached is serial:/dev/ttyUSB0@9600, FT232R\n"},
        {"terminal: {address: 'serial:/dev/serial/by-id/usb-FTDI_B-if00-port0@9600'}",
         "is not attached", "    attached is serial:/dev/ttyUSB0@9600, FT232R\n"},
        {"shuffler: {address: 'usb:1209:0001/S-17'}",
         "shuffler: usb:1209:0001/S-17 is not attached; it stays in the file\n",
         "    attached is usb:1209:0001/A17, Shuffler\n"},
        {"shuffler: {address: 'usb:1209:0001@1-4'}", "usb:1209:0001@1-4 is not attached",
         "    attached is usb:1209:0001/A17, Shuffler\n"},
        {"shuffler: {address: 'usb:1209:7ffe'}", "usb:1209:7ffe is not attached",
         "    attached is usb:1209:0001/A17, Shuffler\n"},
        {"terminal: {address: 'usb:1209:0003'}", "usb:1209:0003 is not attached", ""},
        {"sensors: {address: 'gpio:x', seats: [{seat: 1, bet: bet1}]}", "gpio:x is not attached",
         "    attached is gpio:pinctrl-rp1, gpiochip0\n"},
        {"sensors: {address: 'gpio:x', seats: [{seat: 1, bet: bet9}]}", "gpio:x is not attached",
         ""},
        {"sensors: {address: 'gpio:pinctrl-rp1', seats: [{seat: 1, bet: bet9}]}",
         "gpio:pinctrl-rp1 is not what the rig needs: it has no line 'bet9'", ""},
        {"shuffler: {driver: pins, address: 'gpio:x', button: button, exit: exit, cards: none}",
         "shuffler: gpio:x is not attached", "    attached is gpio:pinctrl-rp1, gpiochip0\n"},
        {"shuffler: {driver: pins, address: 'gpio:x', button: button, exit: exit, ready: lamp, "
         "cards: none}",
         "shuffler: gpio:x is not attached; it stays in the file\ndealproof", ""},
        {"shuffler: {driver: pins, address: 'gpio:pinctrl-rp1', button: button, exit: GPIO4, "
         "cards: none}",
         "gpio:pinctrl-rp1 is not what the rig needs: it has no line 'GPIO4'", ""},
        {"shuffler: {driver: pins, address: 'gpio:pinctrl-rp1', button: button, exit: exit, "
         "door: '6', cards: none}",
         "it has no line '6'", ""},
    };

    set_up();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result;
        char text[512];

        snprintf(text, sizeof text, "rig: x\nclock: real\norder: compare\ndevices:\n  %s\n",
                 cases[i].device);
        result = fill(text);
        CU_ASSERT_EQUAL(result.status, 3);
        CU_ASSERT_STRING_EQUAL(result.out, text);
        if (!strstr(result.err, cases[i].missing) || !strstr(result.err, cases[i].candidate))
            printf("%s: %s\n", cases[i].device, result.err);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].missing));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].candidate));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "1 of 1 address is not there, or not sure"));
        process_free(&result);
    }
    tear_down();
}

TEST(an_address_that_two_devices_have_is_not_sure)
{
    const struct usb_mock_identity twin = {
        .port = 2, .vendor = 0x1209, .product = 0x0001, .serial = "B42", .name = "Shuffler"};
    const char *text = "rig: x\nclock: real\ndevices:\n  shuffler: {address: 'usb:1209:0001'}\n";
    struct process_result result;
    struct usb_mock *second;

    set_up();
    second = usb_mock_new(gpio_mock_testbed(gpio), &twin);
    result = fill(text);
    CU_ASSERT_EQUAL(result.status, 3);
    CU_ASSERT_STRING_EQUAL(result.out, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "it may be any of 2; it stays in the file\n"
                                              "    attached is usb:1209:0001/A17, Shuffler\n"
                                              "    or usb:1209:0001/B42, Shuffler\n"));
    process_free(&result);
    result = fill("rig: x\nclock: real\ndevices:\n  shuffler: {address: 'usb:1209:0001@1-2'}\n");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "'usb:1209:0001@1-2'"));
    process_free(&result);
    usb_mock_free(second);
    tear_down();
}

TEST(the_chip_of_a_shuffler_with_all_its_lines_stays)
{
    const char *text =
        "rig: x\nclock: real\norder: compare\ndevices:\n  shuffler: {driver: pins, address: "
        "'gpio:pinctrl-rp1', button: button, exit: '5', cards: none}\n";
    struct process_result result;

    set_up();
    result = fill(text);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(result.out, text);
    CU_ASSERT_STRING_EQUAL(result.err, "shuffler: gpio:pinctrl-rp1 is attached\n");
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
