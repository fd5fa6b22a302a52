/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof init` on a mocked machine. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/rig/rig.h"
#include "tests/support/mock/gpio_mock.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/mock/usb_mock.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define ARGUMENTS_MAX 24

static struct process_result init_with(const char *path, const char *const *words)
{
    const char *arguments[ARGUMENTS_MAX] = {"init", "-o", path};
    size_t count = 3;

    for (; *words && count < ARGUMENTS_MAX - 1; words++)
        arguments[count++] = *words;
    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

#define INIT(path, ...) init_with(path, (const char *const[]){__VA_ARGS__, NULL})

static const struct serial_mock_usb adapter = {
    .port = 7, .vendor = 0x0403, .product = 0x6001, .serial = "FT1", .name = "FT232R"};
static const struct usb_mock_identity shuffler = {
    .port = 1, .vendor = 0x1209, .product = 0x0001, .serial = "A17", .name = "Shuffler"};
static const struct usb_mock_identity twin = {
    .port = 2, .vendor = 0x1209, .product = 0x0001, .serial = "B42", .name = "Shuffler"};

TEST(the_only_device_of_its_kind_is_taken_and_of_two_one_must_be_named)
{
    struct gpio_mock *gpio = gpio_mock_new();
    UMockdevTestbed *testbed = gpio_mock_testbed(gpio);
    struct usb_mock *first = usb_mock_new(testbed, &shuffler), *second;
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    result = INIT(path, "--yes", "--no-doctor");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "  1  usb:1209:0001/A17: shuffler, Shuffler\n"));
    CU_ASSERT_EQUAL_FATAL(rig_load(&rig, path, NULL), 0);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address, "usb:1209:0001/A17");
    rig_free(rig);
    process_free(&result);
    unlink(path);

    second = usb_mock_new(testbed, &twin);
    result = INIT(path, "--yes", "--no-doctor");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.err, "several are attached. No answer is sure; say it by --shuffler"));
    CU_ASSERT_EQUAL(scratch_count(path), 0);
    process_free(&result);
    result = INIT(path, "--yes", "--no-doctor", "--shuffler", "2");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL_FATAL(rig_load(&rig, path, NULL), 0);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address, "usb:1209:0001/B42");
    rig_free(rig);
    process_free(&result);
    unlink(path);
    result = INIT(path, "--yes", "--no-doctor", "--shuffler", "1", "--terminal", "2");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "usb:1209:0001/B42 is of shuffler, not of terminal"));
    process_free(&result);
    usb_mock_free(second);
    usb_mock_free(first);
    gpio_mock_free(gpio);
}

TEST(the_lines_of_a_chip_are_proposed_where_they_have_the_names)
{
    static const char *const named[] = {"bet1", "light1", "chip1", "lamp1", "x"};
    static const char *header[28];
    static char names[28][8];
    struct gpio_mock *gpio = gpio_mock_new();
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    for (unsigned i = 0; i < 28; i++) {
        snprintf(names[i], sizeof names[i], "GPIO%u", i);
        header[i] = names[i];
    }
    gpio_mock_add(gpio, 0, "felt", named, 5);
    gpio_mock_add(gpio, 1, "pinctrl-rp1", header, 28);
    scratch_path(path);
    unlink(path);
    result = INIT(path, "--yes", "--no-doctor", "--sensors", "gpio:felt", "--seats", "1");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL_FATAL(rig_load(&rig, path, NULL), 0);
    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->seats[0].lamp, "lamp1");
    CU_ASSERT_EQUAL(rig->devices.sensors->bias, PIN_BIAS_AS_IS);
    rig_free(rig);
    process_free(&result);
    unlink(path);
    result = INIT(path, "--yes", "--no-doctor", "--sensors", "gpio:pinctrl-rp1", "--seats", "6");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL_FATAL(rig_load(&rig, path, NULL), 0);
    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->seats[5].bet, "GPIO9");
    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->seats[5].lamp, "GPIO27");
    CU_ASSERT_EQUAL(rig->devices.sensors->bias, PIN_PULL_UP);
    rig_free(rig);
    process_free(&result);
    unlink(path);
    result = INIT(path, "--yes", "--no-doctor", "--sensors", "gpio:felt", "--seats", "2");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "Seat 2: its lines"));
    process_free(&result);
    result = INIT(path, "--yes", "--no-doctor", "--sensors", "gpio:felt", "--seats", "1", "--lines",
                  "1 bet1 light9 - -");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "--lines: gpio:felt has no line 'light9'"));
    CU_ASSERT_EQUAL(scratch_count(path), 0);
    process_free(&result);
    gpio_mock_free(gpio);
}

/* The node is none that could be opened, so that what is tried shows as an error. */
TEST(a_port_is_opened_only_when_somebody_says_so)
{
    UMockdevTestbed *testbed = testbed_new();
    struct serial_mock *port = serial_mock_new(testbed, "ttyUSB0", &adapter);
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;

    testbed_node_make_plain(testbed, "/dev/ttyUSB0");
    scratch_path(path);
    unlink(path);
    result = INIT(path, "--yes", "--no-doctor");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "serial:/dev/ttyUSB0: serial port, FT232R\n"));
    CU_ASSERT_PTR_NULL(strstr(result.err, "serial:/dev/ttyUSB0@"));
    process_free(&result);
    result = INIT(path, "--yes", "--no-doctor", "--probe");
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "serial:/dev/ttyUSB0: serial:/dev/ttyUSB0@115200: "));
    CU_ASSERT_EQUAL(scratch_count(path), 0);
    process_free(&result);
    serial_mock_free(port);
    g_object_unref(testbed);
}
