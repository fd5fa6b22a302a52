/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof doctor` on a mocked machine. The binary is named by $DEALPROOF. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

#include "devices/model.h"
#include "tests/support/mock/gpio_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/mock/usb_mock.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static const char *const lines[] = {"bet1", "bet2"};

/* Runs a shell command; returns its exit status. */
static int run(const char *command, char *output, size_t size)
{
    size_t length;
    FILE *pipe;
    int status;

    pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *binary(void)
{
    const char *path = getenv("DEALPROOF");

    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    return path;
}

/* Runs `dealproof doctor ARGUMENTS`. */
static int doctor(const char *arguments, char *output, size_t size)
{
    char command[512];

    snprintf(command, sizeof command, "%s doctor %s 2>&1", binary(), arguments);
    return run(command, output, size);
}

/* The same as somebody without privileges, who may be unable to walk to the binary. */
static int as_nobody(const char *words, char *output, size_t size)
{
    const char *become = geteuid() ? "" : "setpriv --reuid=65534 --regid=65534 --clear-groups";
    char command[512];

    snprintf(command, sizeof command, "exec 9<%s; %s /proc/self/fd/9 %s 2>&1", binary(), become,
             words);
    return run(command, output, size);
}

static int doctor_as_nobody(char *output, size_t size)
{
    return as_nobody("doctor", output, size);
}

static bool says(const char *output, const char *phrase)
{
    if (strstr(output, phrase))
        return true;
    fprintf(stderr, "'%s' is not in:\n%s", phrase, output);
    return false;
}

TEST(a_machine_without_devices_is_ready_and_says_so)
{
    struct gpio_mock *mock = gpio_mock_new();
    char output[4096];

    CU_ASSERT_EQUAL(doctor("", output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "ok   gpio: no chips\n"));
    CU_ASSERT_TRUE(says(output, "ok   serial: no ports\n"));
    CU_ASSERT_TRUE(says(output, "This bench is ready.\n"));
    gpio_mock_free(mock);
}

TEST(libraries_clock_and_cancellation_are_looked_at)
{
    struct gpio_mock *mock = gpio_mock_new();
    char output[4096];

    CU_ASSERT_EQUAL(doctor("", output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "ok   libusb: version 1."));
    CU_ASSERT_TRUE(says(output, "ok   libserialport: version 0."));
#if GPIOD_MAJOR >= 2
    CU_ASSERT_TRUE(says(output, "ok   libgpiod: version 2."));
    CU_ASSERT_TRUE(says(output, "ok   lost edges: are detected"));
#else
    CU_ASSERT_TRUE(says(output, "ok   libgpiod: version 1."));
    CU_ASSERT_TRUE(says(output, "warn lost edges: cannot be detected"));
#endif
    CU_ASSERT_TRUE(says(output, " clock: resolution "));
    CU_ASSERT_TRUE(says(output, "ok   cancellation: "));
    gpio_mock_free(mock);
}

TEST(a_chip_that_can_be_opened_is_ok)
{
    struct gpio_mock *mock = gpio_mock_new();
    struct gpio_mock_chip *chip = gpio_mock_add(mock, 3, "pinctrl-rp1", lines, 2);
    char output[4096];

    gpio_mock_occupy(chip, 1, "spi0");
    CU_ASSERT_EQUAL(doctor("", output, sizeof output), 0);
    CU_ASSERT_TRUE(
        says(output, "ok   gpio pinctrl-rp1: /dev/gpiochip3, 2 lines, 1 of them in use\n"));
    gpio_mock_free(mock);
}

TEST(a_chip_without_permission_fails_with_the_remedy)
{
    struct gpio_mock *mock = gpio_mock_new();
    char output[4096];

    gpio_mock_fail(gpio_mock_add(mock, 3, "pinctrl-rp1", lines, 2), EACCES);
    CU_ASSERT_EQUAL(doctor("", output, sizeof output), 4);
    CU_ASSERT_TRUE(says(output, "FAIL gpio /dev/gpiochip3: cannot open it: Permission denied → "));
    CU_ASSERT_TRUE(says(output, "99-dealproof.rules"));
    CU_ASSERT_PTR_NULL(strstr(output, "plug"));
    CU_ASSERT_TRUE(says(output, "This bench is not ready.\n"));
    gpio_mock_free(mock);
}

TEST(odd_bytes_of_a_label_cannot_spoil_the_report)
{
    struct gpio_mock *mock = gpio_mock_new();
    char output[8192];
    json_t *report;

    gpio_mock_add(mock, 0, "a\033[31m\xff", lines, 1);
    CU_ASSERT_EQUAL(doctor("--json", output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "gpio a?[31m?"));
    report = json_loads(output, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL(report);
    json_decref(report);
    gpio_mock_free(mock);
}

static const char *verdict_on(const json_t *report, const char *what)
{
    const json_t *check;
    size_t i;

    json_array_foreach(json_object_get(report, "checks"), i, check)
    {
        if (!strcmp(json_string_value(json_object_get(check, "what")), what))
            return json_string_value(json_object_get(check, "verdict"));
    }
    return "absent";
}

TEST(json_says_the_same)
{
    struct gpio_mock *mock = gpio_mock_new();
    char output[8192];
    json_t *report;

    gpio_mock_add(mock, 0, "board", lines, 2);
    gpio_mock_fail(gpio_mock_add(mock, 1, "pinctrl-rp1", lines, 2), EACCES);
    CU_ASSERT_EQUAL(doctor("--json", output, sizeof output), 4);
    report = json_loads(output, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    CU_ASSERT_TRUE(json_is_false(json_object_get(report, "ready")));
    CU_ASSERT_STRING_EQUAL(verdict_on(report, "gpio board"), "ok");
    CU_ASSERT_STRING_EQUAL(verdict_on(report, "gpio /dev/gpiochip1"), "FAIL");
    CU_ASSERT_STRING_EQUAL(verdict_on(report, "cancellation"), "ok");
    json_decref(report);
    gpio_mock_free(mock);
}

/* The node of a port has that mode and belongs to the group "tty" where that can be. */
static void add_node(const char *root, const char *name, mode_t mode)
{
    char path[512];
    FILE *node;

    snprintf(path, sizeof path, "%s/dev", root);
    mkdir(path, 0755);
    chmod(root, 0755);
    snprintf(path, sizeof path, "%s/dev/%s", root, name);
    node = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(node);
    if (!geteuid())
        CU_ASSERT_EQUAL(fchown(fileno(node), 0, 5), 0);
    CU_ASSERT_EQUAL(fchmod(fileno(node), mode), 0);
    fclose(node);
}

/* A port below a device of that subsystem. */
static UMockdevTestbed *add_port_of(const char *subsystem, const char *device, const char *name,
                                    mode_t mode)
{
    UMockdevTestbed *testbed = testbed_new();
    gchar *root = umockdev_testbed_get_root_dir(testbed), *parent, *file;
    char path[512];

    parent = umockdev_testbed_add_device(testbed, subsystem, device, NULL, "idVendor", "0403", NULL,
                                         NULL);
    if (!strcmp(subsystem, "usb")) {
        umockdev_testbed_set_attribute(testbed, parent, "busnum", "1\n");
        umockdev_testbed_set_attribute(testbed, parent, "devnum", "2\n");
    }
    file = g_strdup_printf("/dev/%s", name);
    g_free(umockdev_testbed_add_device(testbed, "tty", name, parent, "dev", "188:0\n", NULL,
                                       "DEVNAME", file, NULL));
    snprintf(path, sizeof path, "%s%s/%s/device", root, parent, name);
    g_free(file);
    file = g_strdup_printf("../../%s", device);
    CU_ASSERT_EQUAL(symlink(file, path), 0);
    add_node(root, name, mode);
    g_free(file);
    g_free(parent);
    g_free(root);
    return testbed;
}

static UMockdevTestbed *add_port(mode_t mode)
{
    return add_port_of("usb", "usb1", "ttyUSB0", mode);
}

TEST(a_serial_port_is_ok_if_it_may_be_opened)
{
    UMockdevTestbed *testbed = add_port(0666);
    char output[4096];

    CU_ASSERT_EQUAL(doctor_as_nobody(output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "ok   serial /dev/ttyUSB0: "));
    g_object_unref(testbed);
}

TEST(a_port_that_a_group_may_open_names_the_group)
{
    UMockdevTestbed *testbed = add_port(0060);
    char output[4096];

    CU_ASSERT_EQUAL(doctor_as_nobody(output, sizeof output), 4);
    CU_ASSERT_TRUE(says(output, "FAIL serial /dev/ttyUSB0: "));
    CU_ASSERT_TRUE(says(output, "cannot open /dev/ttyUSB0: Permission denied"));
    CU_ASSERT_TRUE(says(output, geteuid() ? "join the group '" : "join the group 'tty'"));
    g_object_unref(testbed);
}

TEST(a_port_that_no_group_may_open_names_the_udev_rule)
{
    UMockdevTestbed *testbed = add_port(0000);
    char output[4096];

    CU_ASSERT_EQUAL(doctor_as_nobody(output, sizeof output), 4);
    CU_ASSERT_TRUE(says(output, "put 99-dealproof.rules in force"));
    CU_ASSERT_TRUE(says(output, "copy tools/99-dealproof.rules to /etc/udev/rules.d"));
    CU_ASSERT_TRUE(says(output, "'sudo udevadm trigger', or plug the device in again\n"));
    g_object_unref(testbed);
}

TEST(discover_names_the_udev_rules_where_they_are)
{
    UMockdevTestbed *testbed = add_port(0000);
    char output[4096];

    as_nobody("discover", output, sizeof output);
    CU_ASSERT_TRUE(says(output, "no permission to use /dev/ttyUSB0: follow the first lines of "
                                "99-dealproof.rules (installed in lib/udev/rules.d; in the sources "
                                "tools/99-dealproof.rules)\n"));
    g_object_unref(testbed);
}

TEST(a_port_of_the_machine_itself_is_not_to_be_plugged_in_again)
{
    UMockdevTestbed *testbed = add_port_of("platform", "uart", "ttyAMA0", 0000);
    char output[4096];

    CU_ASSERT_EQUAL(doctor_as_nobody(output, sizeof output), 4);
    CU_ASSERT_TRUE(says(output, "FAIL serial /dev/ttyAMA0: "));
    CU_ASSERT_TRUE(says(output, "'sudo udevadm trigger'\n"));
    CU_ASSERT_PTR_NULL(strstr(output, "plug"));
    g_object_unref(testbed);
}

/* A device of ours on port 1, whose node has that mode. */
static struct usb_mock *add_terminal(UMockdevTestbed *testbed, mode_t mode)
{
    const struct usb_mock_identity terminal = {
        .port = 1, .vendor = 0x1209, .product = 3, .serial = "T3"};
    struct usb_mock *mock = usb_mock_new(testbed, &terminal);
    gchar *root = umockdev_testbed_get_root_dir(testbed);
    char path[512];

    /* libusb makes its socket to udev there. */
    CU_ASSERT_EQUAL(chmod(root, 0777), 0);
    snprintf(path, sizeof path, "%s/dev/bus/usb/001/001", root);
    CU_ASSERT_EQUAL(chmod(path, mode), 0);
    g_free(root);
    return mock;
}

TEST(every_kind_of_device_with_a_driver_is_looked_at)
{
    UMockdevTestbed *testbed = testbed_new();
    struct usb_mock *terminal = add_terminal(testbed, 0666);
    char output[4096];

    CU_ASSERT_EQUAL(doctor_as_nobody(output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "ok   usb:1209:0003/T3: terminal at 1-1\n"));
    usb_mock_free(terminal);
    g_object_unref(testbed);
}

TEST(a_device_that_may_not_be_opened_names_the_udev_rule)
{
    UMockdevTestbed *testbed = testbed_new();
    struct usb_mock *terminal = add_terminal(testbed, 0600);
    char output[4096];

    if (!geteuid()) {
        CU_ASSERT_EQUAL(doctor_as_nobody(output, sizeof output), 4);
        CU_ASSERT_TRUE(says(output, "FAIL usb:1209:0003/T3: terminal at 1-1; cannot open "
                                    "/dev/bus/usb/001/001: Permission denied → put "
                                    "99-dealproof.rules in force"));
    }
    usb_mock_free(terminal);
    g_object_unref(testbed);
}

TEST(a_device_without_a_driver_is_not_ours_to_judge)
{
    const struct usb_mock_identity mouse = {.port = 2, .vendor = 0x046d, .product = 0xc077};
    UMockdevTestbed *testbed = testbed_new();
    struct usb_mock *mock = usb_mock_new(testbed, &mouse);
    char output[4096];

    CU_ASSERT_EQUAL(doctor("", output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "ok   usb: no devices with a driver\n"));
    usb_mock_free(mock);
    g_object_unref(testbed);
}

/* The rules file cannot be made from the list of devices, so it is held against it. */
TEST(the_udev_rules_name_every_device_that_there_is_a_driver_for)
{
    struct usb_known known[REGISTRY_MAX];
    size_t count = model_known_usb(known);
    char *rules;

    CU_ASSERT_TRUE_FATAL(g_file_get_contents("tools/99-dealproof.rules", &rules, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        char ids[64];

        snprintf(ids, sizeof ids, "ATTR{idVendor}==\"%04x\", ATTR{idProduct}==\"%04x\"",
                 known[i].vendor, known[i].product);
        CU_ASSERT_TRUE(says(rules, ids));
    }
    g_free(rules);
}

TEST(a_line_of_a_shuffler_that_its_chip_has_not_is_named)
{
    static const char rig[] = "rig: x\nclock: real\norder: compare\ndevices:\n  shuffler: {driver: "
                              "pins, address: 'gpio:pinctrl-rp1', button: bet1, exit: beam, cards: "
                              "none}\n";
    struct gpio_mock *mock = gpio_mock_new();
    char path[SCRATCH_PATH_SIZE], arguments[SCRATCH_PATH_SIZE + 16], output[8192];

    gpio_mock_add(mock, 0, "pinctrl-rp1", lines, 2);
    scratch_path(path);
    scratch_write(path, rig, sizeof rig - 1);
    snprintf(arguments, sizeof arguments, "--rig %s", path);
    CU_ASSERT_EQUAL(doctor(arguments, output, sizeof output), 4);
    CU_ASSERT_TRUE(says(output, "FAIL shuffler: "));
    CU_ASSERT_TRUE(says(output, "'beam'"));
    unlink(path);
    gpio_mock_free(mock);
}

TEST(an_unknown_argument_is_a_usage_error)
{
    char output[4096];

    CU_ASSERT_EQUAL(doctor("--xml", output, sizeof output), 2);
    CU_ASSERT_TRUE(says(output, "unknown option '--xml'"));
    CU_ASSERT_EQUAL(doctor("--help", output, sizeof output), 0);
    CU_ASSERT_TRUE(says(output, "Exit status: 0 ready, 2"));
    CU_ASSERT_EQUAL(doctor("> /dev/full", output, sizeof output), 4);
}
