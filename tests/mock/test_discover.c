/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/link/discover.h"
#include "hal/pins/pins.h"
#include "hal/usb/discover.h"
#include "tests/support/mock/gpio_mock.h"
#include "tests/support/mock/input_mock.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/mock/usb_mock.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

static const struct usb_known known[] = {{0x1209, 1, "shuffler"}, {0x1209, 2, "shoe"}};

/* What was found, by address, in the order of the finding. */
struct found {
    size_t count;
    struct serial_port_info ports[8];
    struct usb_device_info devices[8];
};

static void note_port(void *context, const struct serial_port_info *port)
{
    struct found *found = context;

    CU_ASSERT_FATAL(found->count < 8);
    found->ports[found->count++] = *port;
}

static void note_device(void *context, const struct usb_device_info *device)
{
    struct found *found = context;

    CU_ASSERT_FATAL(found->count < 8);
    found->devices[found->count++] = *device;
}

static int find_devices(bool all, struct found *found)
{
    struct error error;

    *found = (struct found){0};
    return discover_usb(known, 2, all, note_device, found, &error);
}

static int find_ports(struct found *found)
{
    struct error error;

    *found = (struct found){0};
    return discover_serial(note_port, found, &error);
}

TEST(a_bare_machine_has_nothing_and_that_is_no_failure)
{
    UMockdevTestbed *testbed = testbed_new();
    struct found found;

    CU_ASSERT_EQUAL(find_ports(&found), 0);
    CU_ASSERT_EQUAL(find_devices(true, &found), 0);
    g_object_unref(testbed);
}

TEST(a_serial_port_is_found_with_its_adapters_identity)
{
    const struct serial_mock_usb adapter = {.port = 3,
                                            .vendor = 0x0403,
                                            .product = 0x6001,
                                            .serial = "FT1\u00e9",
                                            .manufacturer = "FTDI",
                                            .name = "FT232R"};
    UMockdevTestbed *testbed = testbed_new();
    struct serial_mock *second = serial_mock_new(testbed, "ttyUSB10", &adapter);
    struct serial_mock *first = serial_mock_new(testbed, "ttyS4", NULL);
    struct found found;

    CU_ASSERT_EQUAL(find_ports(&found), 2);
    CU_ASSERT_STRING_EQUAL(found.ports[0].path, "/dev/ttyS4");
    CU_ASSERT_STRING_EQUAL(found.ports[0].transport, "native");
    CU_ASSERT_STRING_EQUAL(found.ports[0].address, "serial:/dev/ttyS4@115200");
    CU_ASSERT_TRUE(found.ports[0].accessible);
    CU_ASSERT_STRING_EQUAL(found.ports[1].path, "/dev/ttyUSB10");
    CU_ASSERT_STRING_EQUAL(found.ports[1].transport, "usb");
    CU_ASSERT_EQUAL(found.ports[1].usb.vendor, 0x0403);
    CU_ASSERT_EQUAL(found.ports[1].usb.product, 0x6001);
    CU_ASSERT_STRING_EQUAL(found.ports[1].usb.serial, "FT1??");
    CU_ASSERT_STRING_EQUAL(found.ports[1].usb.manufacturer, "FTDI");
    CU_ASSERT_STRING_EQUAL(found.ports[1].usb.name, "FT232R");
    serial_mock_free(first);
    serial_mock_free(second);
    g_object_unref(testbed);
}

TEST(a_port_is_addressed_by_the_name_that_lasts)
{
    UMockdevTestbed *testbed = testbed_new();
    struct serial_mock *port = serial_mock_new(testbed, "ttyS4", NULL);
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed);
    g_autofree char *directory = g_strconcat(root, "/dev/serial/by-id", NULL);
    g_autofree char *other = g_strconcat(directory, "/usb-Other-if00", NULL);
    g_autofree char *link = g_strconcat(directory, "/usb-Shuffler_17-if00", NULL);
    struct found found;

    CU_ASSERT_EQUAL(g_mkdir_with_parents(directory, 0755), 0);
    CU_ASSERT_EQUAL(symlink("../../ttyS40", other), 0);
    CU_ASSERT_EQUAL(symlink("../../ttyS4", link), 0);
    CU_ASSERT_EQUAL(find_ports(&found), 1);
    CU_ASSERT_STRING_EQUAL(found.ports[0].address,
                           "serial:/dev/serial/by-id/usb-Shuffler_17-if00@115200");
    serial_mock_free(port);
    g_object_unref(testbed);
}

TEST(only_devices_with_a_driver_are_listed_unless_all_are_asked_for)
{
    const struct usb_mock_identity shoe = {.port = 2, .vendor = 0x1209, .product = 2},
                                   mouse = {.port = 1, .vendor = 0x046d, .product = 0xc077};
    UMockdevTestbed *testbed = testbed_new();
    struct usb_mock *first = usb_mock_new(testbed, &shoe);
    struct usb_mock *second = usb_mock_new(testbed, &mouse);
    struct found found;

    CU_ASSERT_EQUAL(find_devices(false, &found), 1);
    CU_ASSERT_STRING_EQUAL(found.devices[0].known, "shoe");
    CU_ASSERT_STRING_EQUAL(found.devices[0].path, "1-2");
    CU_ASSERT_STRING_EQUAL(found.devices[0].node, "/dev/bus/usb/001/002");
    CU_ASSERT_TRUE(found.devices[0].accessible);
    CU_ASSERT_EQUAL(find_devices(true, &found), 2);
    CU_ASSERT_EQUAL(found.devices[0].usb.vendor, 0x046d);
    CU_ASSERT_PTR_NULL(found.devices[0].known);
    CU_ASSERT_EQUAL(found.devices[1].usb.vendor, 0x1209);
    usb_mock_free(first);
    usb_mock_free(second);
    g_object_unref(testbed);
}

TEST(every_address_means_one_device_and_opens_it)
{
    static const struct usb_mock_identity identities[] = {
        {.port = 1, .vendor = 0x1209, .product = 1, .serial = "A17"},
        {.port = 2, .vendor = 0x1209, .product = 1, .serial = "clone"},
        {.port = 3, .vendor = 0x1209, .product = 1, .serial = "clone"},
        {.port = 4, .vendor = 0x1209, .product = 1},
        {.port = 5, .vendor = 0x1209, .product = 2},
    };
    static const char *const addresses[] = {"usb:1209:0001/A17", "usb:1209:0001@1-2",
                                            "usb:1209:0001@1-3", "usb:1209:0001@1-4",
                                            "usb:1209:0002"};
    UMockdevTestbed *testbed = testbed_new();
    struct usb_mock *mocks[5];
    struct clock clock;
    struct hal hal;
    struct link *link;
    struct found found;

    clock_real(&clock);
    CU_ASSERT_EQUAL(hal_open(&hal, &clock, NULL), 0);
    for (size_t i = 0; i < 5; i++)
        mocks[i] = usb_mock_new(testbed, &identities[i]);
    CU_ASSERT_EQUAL_FATAL(find_devices(false, &found), 5);
    for (size_t i = 0; i < 5; i++) {
        struct usb_mock_counts counts;

        CU_ASSERT_STRING_EQUAL(found.devices[i].address, addresses[i]);
        CU_ASSERT_EQUAL(link_open(&link, &hal, found.devices[i].address, NULL), 0);
        usb_mock_counts(mocks[i], &counts);
        CU_ASSERT_EQUAL(counts.opened, 1);
        link_close(link);
    }
    for (size_t i = 0; i < 5; i++)
        usb_mock_free(mocks[i]);
    hal_close(&hal);
    g_object_unref(testbed);
}

/* A machine with a port, a device with a driver, one without, a chip and a scanner. */
struct machine {
    struct gpio_mock *gpio;
    struct serial_mock *port;
    struct usb_mock *shuffler, *mouse;
    struct input_mock *scanner;
};

static void machine_make(struct machine *machine)
{
    static const char *const lines[] = {"bet1", "light1", "", "bet2"};
    const struct serial_mock_usb adapter = {
        .port = 7, .vendor = 0x0403, .product = 0x6001, .serial = "FT1", .name = "FT232R"};
    const struct usb_mock_identity shuffler = {.port = 1,
                                               .vendor = 0x1209,
                                               .product = 1,
                                               .serial = "A17",
                                               .manufacturer = "Dealproof",
                                               .name = "Shuffler"},
                                   mouse = {.port = 2, .vendor = 0x046d, .product = 0xc077};
    struct gpio_mock_chip *chip;
    UMockdevTestbed *testbed;

    machine->gpio = gpio_mock_new();
    chip = gpio_mock_add(machine->gpio, 0, "pinctrl-rp1", lines, 4);
    gpio_mock_occupy(chip, 1, "lamp");
    testbed = gpio_mock_testbed(machine->gpio);
    machine->port = serial_mock_new(testbed, "ttyUSB0", &adapter);
    testbed_node_make_plain(testbed, "/dev/ttyUSB0");
    machine->shuffler = usb_mock_new(testbed, &shuffler);
    machine->mouse = usb_mock_new(testbed, &mouse);
    machine->scanner = input_mock_new(testbed, 3, true);
    input_mock_link(machine->scanner, "usb-Symbol_Scanner-event-kbd");
    input_mock_link(machine->scanner, "usb-Logitech_Mouse-event-mouse");
}

static void machine_free(struct machine *machine)
{
    input_mock_free(machine->scanner);
    usb_mock_free(machine->mouse);
    usb_mock_free(machine->shuffler);
    serial_mock_free(machine->port);
    gpio_mock_free(machine->gpio);
}

static struct process_result run(const char *first, const char *second)
{
    const char *const arguments[] = {"discover", first, second, NULL};

    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

TEST(the_command_prints_an_address_for_each)
{
    struct process_result result;
    struct machine machine;

    machine_make(&machine);
    result = run(NULL, NULL);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(result.err, "");
    CU_ASSERT_STRING_EQUAL(result.out,
                           "Serial ports\n"
                           "  /dev/ttyUSB0: 0403:6001, FT232R, serial number FT1\n"
                           "      serial:/dev/ttyUSB0@115200\n"
                           "\n"
                           "USB devices with a driver\n"
                           "  shuffler at 1-1: 1209:0001, Dealproof Shuffler, serial number A17\n"
                           "      usb:1209:0001/A17\n"
                           "\n"
                           "GPIO chips\n"
                           "  gpiochip0: 4 lines\n"
                           "      gpio:pinctrl-rp1\n"
                           "      lines: bet1 light1* 2 bet2\n"
                           "  * in use\n"
                           "\n"
                           "Scanners and keyboards\n"
                           "  scanner:/dev/input/by-id/usb-Symbol_Scanner-event-kbd\n");
    process_free(&result);
    result = run("--all", NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "no driver at 1-2: 046d:c077\n"));
    process_free(&result);
    machine_free(&machine);
}

static void check_text(const json_t *object, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, key));

    CU_ASSERT_PTR_NOT_NULL(text);
    if (text)
        CU_ASSERT_STRING_EQUAL(text, expected);
}

TEST(the_command_says_the_same_in_json)
{
    struct process_result result;
    struct machine machine;
    json_t *root, *item;

    machine_make(&machine);
    result = run("--json", "--all");
    CU_ASSERT_EQUAL(result.status, 0);
    root = json_loads(result.out, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "serial")), 1);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "usb")), 2);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "gpio")), 1);
    item = json_array_get(json_object_get(root, "serial"), 0);
    check_text(item, "address", "serial:/dev/ttyUSB0@115200");
    check_text(json_object_get(item, "usb"), "serial", "FT1");
    item = json_array_get(json_object_get(root, "usb"), 0);
    check_text(item, "address", "usb:1209:0001/A17");
    check_text(item, "device", "shuffler");
    CU_ASSERT(json_is_true(json_object_get(item, "accessible")));
    item = json_array_get(json_object_get(root, "usb"), 1);
    check_text(item, "address", "usb:046d:c077");
    CU_ASSERT(json_is_null(json_object_get(item, "device")));
    item = json_array_get(json_object_get(root, "gpio"), 0);
    check_text(item, "address", "gpio:pinctrl-rp1");
    item = json_array_get(json_object_get(item, "lines"), 1);
    check_text(item, "name", "light1");
    check_text(item, "consumer", "lamp");
    item = json_array_get(json_object_get(root, "scanners"), 0);
    check_text(item, "cards", "scanner:/dev/input/by-id/usb-Symbol_Scanner-event-kbd");
    check_text(item, "path", "/dev/input/by-id/usb-Symbol_Scanner-event-kbd");
    CU_ASSERT(json_is_true(json_object_get(item, "accessible")));
    json_decref(root);
    process_free(&result);
    machine_free(&machine);
}

TEST(odd_bytes_in_names_are_shown_and_opened_as_question_marks)
{
    static const char *const lines[] = {"bet\033[2J", "\xff"};
    const struct pin_request request = {.line = "bet?[2J"};
    struct gpio_mock *gpio = gpio_mock_new();
    struct process_result result;
    struct error error;
    struct clock clock;
    struct pins *pins;
    struct hal hal;
    json_t *root, *chip;

    gpio_mock_add(gpio, 0, "a\033[31m\xff", lines, 2);
    result = run(NULL, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "      gpio:a?[31m?\n      lines: bet?[2J ?\n"));
    process_free(&result);
    result = run("--json", NULL);
    root = json_loads(result.out, JSON_REJECT_DUPLICATES, NULL);
    chip = json_array_get(json_object_get(root, "gpio"), 0);
    check_text(chip, "address", "gpio:a?[31m?");
    check_text(json_array_get(json_object_get(chip, "lines"), 0), "name", "bet?[2J");
    json_decref(root);
    process_free(&result);
    clock_real(&clock);
    CU_ASSERT_EQUAL(hal_open(&hal, &clock, &error), 0);
    CU_ASSERT_EQUAL(pins_open(&pins, &hal, "gpio:a?[31m?", &request, 1, &error), 0);
    pins_close(pins);
    hal_close(&hal);
    gpio_mock_free(gpio);
}

TEST(nothing_found_is_said_plainly)
{
    struct gpio_mock *gpio = gpio_mock_new();
    struct process_result result = run(NULL, NULL);

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(result.out, "Serial ports\n  none found\n\n"
                                       "USB devices with a driver\n  none found\n\n"
                                       "GPIO chips\n  none found\n\n"
                                       "Scanners and keyboards\n  none found\n");
    process_free(&result);
    result = run("--json", NULL);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_STRING_EQUAL(result.out, "{\n  \"serial\": [],\n  \"usb\": [],\n  \"gpio\": [],\n"
                                       "  \"scanners\": []\n}\n");
    process_free(&result);
    gpio_mock_free(gpio);
}

TEST(the_command_refuses_what_it_does_not_know)
{
    struct process_result result = run("--colour", NULL);

    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "--colour"));
    process_free(&result);
    result = run("everything", NULL);
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "everything"));
    process_free(&result);
}
