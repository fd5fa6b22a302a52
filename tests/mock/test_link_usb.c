/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/devices/link_contract.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/mock/usb_mock.h"

struct peer {
    struct usb_mock *mock;
    char serial[16];
};

/* One testbed at a time can be the machine, however many peers there are. */
static UMockdevTestbed *testbed;
static unsigned peers;

static void testbed_enter(void)
{
    if (!peers++)
        testbed = testbed_new();
}

static void testbed_leave(void)
{
    if (!--peers)
        g_clear_object(&testbed);
}

static struct peer *make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = g_new0(struct peer, 1);
    struct usb_mock_identity identity = {.vendor = 0x1209, .product = 1, .serial = peer->serial};

    (void)hal;
    testbed_enter();
    snprintf(peer->serial, sizeof peer->serial, "A%04u", peers);
    identity.port = (uint8_t)peers;
    peer->mock = usb_mock_new(testbed, &identity);
    snprintf(address, LINK_ADDRESS_MAX, "usb:1209:0001/%s", peer->serial);
    return peer;
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    return usb_mock_read(peer->mock, bytes, size);
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    usb_mock_write(peer->mock, bytes, size);
    return (ssize_t)size;
}

static void drop(struct peer *peer)
{
    usb_mock_unplug(peer->mock);
}

static void restore(struct peer *peer)
{
    usb_mock_plug(peer->mock);
}

static void peer_free(struct peer *peer)
{
    usb_mock_free(peer->mock);
    testbed_leave();
    g_free(peer);
}

static const char *const bad_addresses[] = {"usb:",
                                            "usb:1209",
                                            "usb:1209:",
                                            "usb:1209:1",
                                            "usb:1209:000g",
                                            "usb:0x1209:0001",
                                            "usb:1209:00011",
                                            "usb:1209:0001/",
                                            "usb:1209:0001@",
                                            "usb:1209:0001 A17",
                                            "usb:1209:0001/no such serial",
                                            "usb:1209:0001@9-9",
                                            "usb:1209:ffff",
                                            NULL};

const struct link_contract link_contract = {
    .traits = LINK_FILLS | LINK_EXCLUSIVE | LINK_LAST_WORDS,
    .bad_addresses = bad_addresses,
    .make = make,
    .read = peer_read,
    .write = peer_write,
    .drop = drop,
    .restore = restore,
    .free = peer_free,
};

struct desk {
    struct clock clock;
    struct hal hal;
    struct usb_mock *mock;
    struct link *link;
    struct error error;
};

static void desk_start(struct desk *desk, const struct usb_mock_identity *identity)
{
    *desk = (struct desk){0};
    clock_real(&desk->clock);
    CU_ASSERT_FATAL(hal_open(&desk->hal, &desk->clock, &desk->error) == 0);
    testbed_enter();
    desk->mock = usb_mock_new(testbed, identity);
}

static int desk_open(struct desk *desk, const char *address)
{
    link_close(desk->link);
    return link_open(&desk->link, &desk->hal, address, &desk->error);
}

static void desk_end(struct desk *desk)
{
    link_close(desk->link);
    usb_mock_free(desk->mock);
    testbed_leave();
    hal_close(&desk->hal);
}

static ssize_t desk_read(struct desk *desk, void *bytes, size_t size, int milliseconds)
{
    return link_read(desk->link, bytes, size, clock_deadline(&desk->clock, milliseconds),
                     &desk->error);
}

static int desk_write(struct desk *desk, const char *text)
{
    return link_write_all(desk->link, text, strlen(text), clock_deadline(&desk->clock, 1000),
                          &desk->error);
}

static const struct usb_mock_identity shuffler = {
    .port = 1, .vendor = 0x1209, .product = 1, .serial = "A17"};

static void desk_start_open(struct desk *desk)
{
    desk_start(desk, &shuffler);
    CU_ASSERT_FATAL(desk_open(desk, "usb:1209:0001") == 0);
}

/* Checks that a link leads to this device and to no other. */
static void check_way(struct desk *desk, const char *address, struct usb_mock *mock)
{
    char bytes[8] = {0};

    CU_ASSERT_EQUAL(desk_open(desk, address), 0);
    if (!desk->link)
        return;
    CU_ASSERT_EQUAL(desk_write(desk, "ping"), 0);
    CU_ASSERT_EQUAL(usb_mock_read(mock, bytes, sizeof bytes), 4);
    CU_ASSERT_STRING_EQUAL(bytes, "ping");
}

TEST(identical_devices_are_told_apart_by_serial_number)
{
    const struct usb_mock_identity twin = {
        .port = 2, .vendor = 0x1209, .product = 1, .serial = "B42"};
    struct usb_mock *second;
    struct desk desk;

    desk_start(&desk, &shuffler);
    second = usb_mock_new(testbed, &twin);
    check_way(&desk, "usb:1209:0001/A17", desk.mock);
    check_way(&desk, "usb:1209:0001/B42", second);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001/a17"), ERROR_DEVICE);
    usb_mock_free(second);
    check_way(&desk, "usb:1209:0001", desk.mock);
    desk_end(&desk);
}

TEST(identical_devices_without_serial_numbers_are_told_apart_by_port)
{
    const struct usb_mock_identity one = {.port = 1, .vendor = 0x1209, .product = 0xabcd},
                                   two = {.port = 12, .vendor = 0x1209, .product = 0xabcd};
    struct usb_mock *second;
    struct desk desk;

    desk_start(&desk, &one);
    second = usb_mock_new(testbed, &two);
    check_way(&desk, "usb:1209:abcd@1-1", desk.mock);
    check_way(&desk, "usb:1209:ABCD@1-12", second);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:abcd@1-2"), ERROR_DEVICE);
    usb_mock_free(second);
    desk_end(&desk);
}

TEST(two_candidates_are_refused_and_both_are_named)
{
    const struct usb_mock_identity nameless = {.port = 2, .vendor = 0x1209, .product = 1};
    struct usb_mock *second;
    struct desk desk;

    desk_start(&desk, &shuffler);
    second = usb_mock_new(testbed, &nameless);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "A17 at 1-1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "one without a serial number at 1-2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "usb:1209:0001/SERIAL"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "usb:1209:0001@PORT"));
    usb_mock_free(second);
    desk_end(&desk);
}

TEST(a_wrong_product_is_refused_with_what_was_seen)
{
    struct desk desk;

    desk_start(&desk, &shuffler);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0002"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "1209:0002"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "among the 1 that"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "dealproof discover"));
    desk_end(&desk);
}

TEST(a_packet_is_read_in_parts_of_any_size)
{
    char bytes[8] = {0};
    struct desk desk;

    desk_start_open(&desk);
    usb_mock_packet(desk.mock, "abcdef", 6);
    usb_mock_packet(desk.mock, "gh", 2);
    CU_ASSERT_EQUAL(desk_read(&desk, bytes, 4, 1000), 4);
    CU_ASSERT_NSTRING_EQUAL(bytes, "abcd", 4);
    CU_ASSERT_EQUAL(desk_read(&desk, bytes, 4, 1000), 2);
    CU_ASSERT_NSTRING_EQUAL(bytes, "ef", 2);
    CU_ASSERT_EQUAL(desk_read(&desk, bytes, 4, 1000), 2);
    CU_ASSERT_NSTRING_EQUAL(bytes, "gh", 2);
    desk_end(&desk);
}

TEST(a_cancelled_bench_keeps_back_even_what_has_arrived)
{
    struct desk desk;
    char byte;

    desk_start_open(&desk);
    usb_mock_packet(desk.mock, "ab", 2);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 1000), 1);
    hal_cancel(&desk.hal);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 1000), ERROR_ABORTED);
    desk_end(&desk);
}

TEST(an_empty_packet_is_neither_a_byte_nor_an_end)
{
    char bytes[8] = {0};
    struct desk desk;

    desk_start_open(&desk);
    for (int i = 0; i < 100; i++)
        usb_mock_packet(desk.mock, "", 0);
    CU_ASSERT_EQUAL(desk_read(&desk, bytes, sizeof bytes, 50), 0);
    usb_mock_packet(desk.mock, "", 0);
    usb_mock_packet(desk.mock, "x", 1);
    CU_ASSERT_EQUAL(desk_read(&desk, bytes, sizeof bytes, 1000), 1);
    CU_ASSERT_EQUAL(bytes[0], 'x');
    desk_end(&desk);
}

TEST(a_message_that_ends_on_a_full_packet_is_not_held_back)
{
    char sent[512], got[512] = {0};
    struct desk desk;

    memset(sent, 'k', sizeof sent);
    desk_start_open(&desk);
    usb_mock_packet(desk.mock, sent, sizeof sent);
    CU_ASSERT_EQUAL(desk_read(&desk, got, sizeof got, 1000), 512);
    CU_ASSERT_EQUAL(memcmp(sent, got, sizeof got), 0);
    desk_end(&desk);
}

TEST(more_than_a_packet_at_once_is_the_devices_failure)
{
    char sent[513] = {0}, byte;
    struct desk desk;

    desk_start_open(&desk);
    usb_mock_packet(desk.mock, sent, sizeof sent);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 1000), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "packet size"));
    desk_end(&desk);
}

TEST(a_halt_of_the_device_is_cleared_and_reading_goes_on)
{
    struct usb_mock_counts counts;
    char bytes[16] = {0};
    struct desk desk;

    desk_start_open(&desk);
    for (int i = 0; i < 3; i++) {
        usb_mock_stall(desk.mock, 0x81, 1, 0);
        usb_mock_packet(desk.mock, "one", 3);
        usb_mock_packet(desk.mock, "two", 3);
        CU_ASSERT_EQUAL(desk_read(&desk, bytes, sizeof bytes, 1000), 3);
        CU_ASSERT_NSTRING_EQUAL(bytes, "one", 3);
        CU_ASSERT_EQUAL(desk_read(&desk, bytes, sizeof bytes, 1000), 3);
        CU_ASSERT_NSTRING_EQUAL(bytes, "two", 3);
    }
    usb_mock_counts(desk.mock, &counts);
    CU_ASSERT_EQUAL(counts.halts_cleared, 3);
    desk_end(&desk);
}

TEST(a_device_that_halts_again_has_failed)
{
    struct desk desk;
    char byte;

    desk_start_open(&desk);
    usb_mock_stall(desk.mock, 0x81, 2, 0);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 1000), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "endpoint 0x81 stalls again"));
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 1000), ERROR_DEVICE);
    desk_end(&desk);
}

TEST(a_halted_write_goes_on_with_the_bytes_that_were_not_taken)
{
    struct usb_mock_counts counts;
    char bytes[16] = {0};
    struct desk desk;

    desk_start_open(&desk);
    usb_mock_stall(desk.mock, 0x01, 1, 4);
    CU_ASSERT_EQUAL(desk_write(&desk, "shuffle"), 0);
    CU_ASSERT_EQUAL(desk_write(&desk, "deal"), 0);
    CU_ASSERT_EQUAL(desk_read(&desk, bytes, 1, 20), 0);
    CU_ASSERT_EQUAL(usb_mock_read(desk.mock, bytes, sizeof bytes), 11);
    CU_ASSERT_STRING_EQUAL(bytes, "shuffledeal");
    usb_mock_counts(desk.mock, &counts);
    CU_ASSERT_EQUAL(counts.halts_cleared, 1);
    desk_end(&desk);
}

TEST(a_write_that_halts_again_shows_even_when_only_reading)
{
    struct desk desk;
    char byte;

    desk_start_open(&desk);
    usb_mock_stall(desk.mock, 0x01, 2, 0);
    CU_ASSERT_EQUAL(desk_write(&desk, "shuffle"), 0);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 1000), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "endpoint 0x01 stalls again"));
    CU_ASSERT_EQUAL(desk_write(&desk, "shuffle"), ERROR_DEVICE);
    desk_end(&desk);
}

TEST(a_departure_that_only_udev_tells_ends_the_wait)
{
    struct desk desk;
    nanos_t before;
    char byte;

    desk_start_open(&desk);
    usb_mock_vanish(desk.mock);
    before = clock_now(&desk.clock);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 10000), ERROR_DEVICE);
    CU_ASSERT(clock_now(&desk.clock) - before < 5 * NANOS_PER_SECOND);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "gone"));
    CU_ASSERT_EQUAL(desk_write(&desk, "hello"), ERROR_DEVICE);
    desk_end(&desk);
}

TEST(a_departure_that_only_the_descriptor_tells_ends_the_wait)
{
    struct desk desk;
    nanos_t before;
    char byte;

    desk_start_open(&desk);
    usb_mock_die(desk.mock);
    before = clock_now(&desk.clock);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 10000), ERROR_DEVICE);
    CU_ASSERT(clock_now(&desk.clock) - before < 5 * NANOS_PER_SECOND);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "gone"));
    desk_end(&desk);
}

TEST(the_kernels_driver_gets_the_interface_back)
{
    struct usb_mock_counts counts;
    struct desk desk;

    desk_start_open(&desk);
    usb_mock_counts(desk.mock, &counts);
    CU_ASSERT_EQUAL(counts.detached, 1);
    CU_ASSERT_EQUAL(counts.attached, 0);
    link_close(desk.link);
    desk.link = NULL;
    usb_mock_counts(desk.mock, &counts);
    CU_ASSERT_EQUAL(counts.attached, 1);
    desk_end(&desk);
}

TEST(closing_calls_every_transfer_back)
{
    struct usb_mock_counts counts;
    struct desk desk;

    desk_start_open(&desk);
    usb_mock_hold(desk.mock, true);
    CU_ASSERT_EQUAL(desk_write(&desk, "never taken"), 0);
    link_close(desk.link);
    desk.link = NULL;
    usb_mock_counts(desk.mock, &counts);
    CU_ASSERT(counts.submitted > 1);
    CU_ASSERT_EQUAL(counts.reaped, counts.submitted);
    CU_ASSERT_EQUAL(counts.discarded, counts.submitted);
    desk_end(&desk);
}

static void *let_go_soon(void *mock)
{
    g_usleep(20000);
    usb_mock_hold(mock, false);
    return NULL;
}

TEST(what_was_written_last_may_leave_before_the_link_closes)
{
    char bytes[16] = {0};
    struct desk desk;
    pthread_t thread;

    desk_start_open(&desk);
    usb_mock_hold(desk.mock, true);
    CU_ASSERT_EQUAL(desk_write(&desk, "goodbye"), 0);
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, let_go_soon, desk.mock) == 0);
    link_close(desk.link);
    desk.link = NULL;
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(usb_mock_read(desk.mock, bytes, sizeof bytes), 7);
    CU_ASSERT_STRING_EQUAL(bytes, "goodbye");
    desk_end(&desk);
}

TEST(an_interface_in_use_elsewhere_is_refused)
{
    struct desk desk;

    desk_start(&desk, &shuffler);
    usb_mock_occupy(desk.mock, true);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "in use by another program"));
    usb_mock_occupy(desk.mock, false);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), 0);
    desk_end(&desk);
}

TEST(a_device_without_permission_names_the_rule)
{
    struct desk desk;

    desk_start(&desk, &shuffler);
    usb_mock_forbid(desk.mock, true);
    testbed_give_up_privileges(testbed, "/dev/bus/usb/001/001", true);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), ERROR_RIG);
    testbed_give_up_privileges(testbed, "/dev/bus/usb/001/001", false);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "no permission to use /dev/bus/usb/001/001"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "99-dealproof.rules"));
    desk_end(&desk);
}

static void *permit_soon(void *mock)
{
    g_usleep(80000);
    usb_mock_forbid(mock, false);
    return NULL;
}

TEST(permission_may_come_a_moment_after_the_device)
{
    struct desk desk;
    pthread_t thread;

    desk_start(&desk, &shuffler);
    usb_mock_forbid(desk.mock, true);
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, permit_soon, desk.mock) == 0);
    testbed_give_up_privileges(testbed, "/dev/bus/usb/001/001", true);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), 0);
    testbed_give_up_privileges(testbed, "/dev/bus/usb/001/001", false);
    pthread_join(thread, NULL);
    desk_end(&desk);
}

static void check_claim(const struct usb_mock_interface *interfaces, size_t count, int interface,
                        int alternate)
{
    struct usb_mock_identity identity = shuffler;
    struct usb_mock_counts counts;
    struct desk desk;

    identity.interfaces = interfaces;
    identity.interface_count = count;
    desk_start(&desk, &identity);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), 0);
    usb_mock_counts(desk.mock, &counts);
    CU_ASSERT_EQUAL(counts.claimed, interface);
    CU_ASSERT_EQUAL(counts.alternate, alternate);
    desk_end(&desk);
}

TEST(a_vendors_interface_comes_before_the_others)
{
    const struct usb_mock_interface interfaces[] = {
        {0, 0, 0x08, 2, {{0x81, 2, 512}, {0x01, 2, 512}}},
        {1, 0, 0x0a, 2, {{0x82, 2, 512}, {0x02, 2, 512}}},
        {2, 0, 0xff, 2, {{0x83, 3, 64}, {0x03, 3, 64}}},
    };

    check_claim(interfaces, 3, 2, 0);
    check_claim(interfaces, 2, 1, 0);
    check_claim(interfaces, 1, 0, 0);
}

TEST(bulk_comes_before_interrupt_and_may_be_another_setting)
{
    const struct usb_mock_interface interfaces[] = {
        {0, 0, 0xff, 0, {{0}}},
        {0, 1, 0xff, 2, {{0x81, 3, 64}, {0x01, 3, 64}}},
        {0, 2, 0xff, 2, {{0x82, 2, 512}, {0x02, 2, 512}}},
    };

    check_claim(interfaces, 3, 0, 2);
    check_claim(interfaces, 2, 0, 1);
}

TEST(interrupt_endpoints_carry_bytes_as_well)
{
    const struct usb_mock_interface interface = {0, 0, 0xff, 2, {{0x81, 3, 8}, {0x01, 3, 8}}};
    struct usb_mock_identity identity = shuffler;
    char bytes[32] = {0};
    struct desk desk;
    size_t count = 0;
    ssize_t n;

    identity.interfaces = &interface;
    identity.interface_count = 1;
    desk_start(&desk, &identity);
    check_way(&desk, "usb:1209:0001", desk.mock);
    usb_mock_write(desk.mock, "twenty bytes of text", 20);
    while (count < 20 && (n = desk_read(&desk, bytes + count, sizeof bytes - count, 1000)) > 0)
        count += (size_t)n;
    CU_ASSERT_STRING_EQUAL(bytes, "twenty bytes of text");
    desk_end(&desk);
}

TEST(a_device_without_endpoints_both_ways_is_refused)
{
    const struct usb_mock_interface interface = {0, 0, 0xff, 1, {{0x81, 2, 512}}};
    struct usb_mock_identity identity = shuffler;
    struct desk desk;

    identity.interfaces = &interface;
    identity.interface_count = 1;
    desk_start(&desk, &identity);
    CU_ASSERT_EQUAL(desk_open(&desk, "usb:1209:0001"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "endpoint each way"));
    desk_end(&desk);
}

TEST(a_waiting_read_does_not_spin)
{
    struct usb_mock_counts before, after;
    struct rusage start, end;
    struct desk desk;
    char byte;

    desk_start_open(&desk);
    usb_mock_counts(desk.mock, &before);
    getrusage(RUSAGE_THREAD, &start);
    CU_ASSERT_EQUAL(desk_read(&desk, &byte, 1, 200), 0);
    getrusage(RUSAGE_THREAD, &end);
    usb_mock_counts(desk.mock, &after);
    CU_ASSERT_EQUAL(after.reaps_in_vain, before.reaps_in_vain);
    CU_ASSERT(end.ru_nvcsw - start.ru_nvcsw < 100);
    desk_end(&desk);
}

LINK_CONTRACT_TESTS
