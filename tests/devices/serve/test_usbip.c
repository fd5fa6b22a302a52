/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The USB/IP server as a client sees it: handshake, transfers, unlinks, stalls. */
#include <errno.h>
#include <string.h>

#include "hal/link/link.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/devices/usbip_client.h"
#include "tests/support/suite.h"

static void check_description(const uint8_t *at)
{
    static const uint8_t numbers[] = {0,    0,    0,    1,    0, 0, 0, 2, 0, 0, 0, 3,
                                      0x12, 0x09, 0x00, 0x02, 1, 0, 0, 0, 0, 1, 1, 1};
    static const char path[256] = "/sys/devices/dealproof/usb1/1-1";
    static const char busid[32] = "1-1";

    CU_ASSERT(!memcmp(at, path, sizeof path));
    CU_ASSERT(!memcmp(at + 256, busid, sizeof busid));
    CU_ASSERT(!memcmp(at + 288, numbers, sizeof numbers));
}

TEST(the_list_names_one_device_with_one_vendor_interface)
{
    static const uint8_t head[] = {0x01, 0x11, 0x00, 0x05, 0, 0, 0, 0, 0, 0, 0, 1};
    static const uint8_t interface[] = {0xff, 0, 0, 0};

    usbip_client_make(false);
    usbip_client_say(usbip_request_list, sizeof usbip_request_list);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 0x0c + 0x138 + 4);
    CU_ASSERT(!memcmp(usbip_client.heard, head, sizeof head));
    check_description(usbip_client.heard + 0x0c);
    CU_ASSERT(!memcmp(usbip_client.heard + 0x0c + 0x138, interface, sizeof interface));
    usbip_client_free();
}

TEST(an_import_answers_with_the_device_and_opens_it)
{
    static const uint8_t head[] = {0x01, 0x11, 0x00, 0x03, 0, 0, 0, 0};

    usbip_client_make(false);
    usbip_client_say(usbip_request_import, sizeof usbip_request_import);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), USBIP_IMPORT_IN);
    CU_ASSERT(!memcmp(usbip_client.heard, head, sizeof head));
    check_description(usbip_client.heard + sizeof head);
    usbip_client_configure(1);
    usbip_client_free();
}

TEST(a_bus_id_that_is_not_there_is_an_error_and_the_next_may_be_right)
{
    static const uint8_t refused[] = {0x01, 0x11, 0x00, 0x03, 0, 0, 0, 1};
    static const char *const wrong[] = {"1-2", "1-1.1", "", "1-"};
    uint8_t request[USBIP_IMPORT_OUT];

    usbip_client_make(false);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(request, usbip_request_import, sizeof request);
        memset(request + 8, 0, 32);
        memcpy(request + 8, wrong[i], strlen(wrong[i]));
        usbip_client_say(request, sizeof request);
        CU_ASSERT_EQUAL(usbip_client_hear(), 8);
        CU_ASSERT(!memcmp(usbip_client.heard, refused, sizeof refused));
    }
    memset(request + 8, '1', 32);
    usbip_client_say(request, sizeof request);
    CU_ASSERT_EQUAL(usbip_client_hear(), 8);
    CU_ASSERT_FALSE(usbip_client.server->gone);
    usbip_client_say(usbip_request_import, sizeof usbip_request_import);
    CU_ASSERT_EQUAL(usbip_client_hear(), USBIP_IMPORT_IN);
    usbip_client_free();
}

TEST(a_control_request_is_answered_with_its_data)
{
    static const uint8_t device[] = {18,   1, 0x00, 0x02, 0,    0, 0, 64, 0x09,
                                     0x12, 2, 0x00, 0x00, 0x01, 1, 2, 3,  1};

    usbip_client_attach();
    usbip_client_submit(&(struct usbip_urb){
        .sequence = 7, .direction = 1, .length = 64, .setup = {0x80, 6, 0, 1, 0, 0, 64, 0}});
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 18);
    usbip_client_expect(usbip_client.heard, 3, 7, 0, 18);
    CU_ASSERT(!memcmp(usbip_client.heard + 48, device, sizeof device));
    usbip_client_submit(&(struct usbip_urb){
        .sequence = 8, .direction = 1, .length = 8, .setup = {0x80, 6, 0, 1, 0, 0, 64, 0}});
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 8);
    usbip_client_expect(usbip_client.heard, 3, 8, 0, 8);
    usbip_client_free();
}

TEST(a_control_request_that_is_unknown_stalls)
{
    static const uint8_t data[5];

    usbip_client_attach();
    usbip_client_submit(&(struct usbip_urb){
        .sequence = 9, .direction = 1, .length = 64, .setup = {0xc0, 6, 0, 1, 0, 0, 64, 0}});
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 9, -EPIPE, 0);
    usbip_client_submit(
        &(struct usbip_urb){.sequence = 10, .length = 5, .setup = {0x40, 1, 0, 0, 0, 0, 5, 0}});
    usbip_client_say(data, sizeof data);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 10, -EPIPE, 0);
    usbip_client_submit(
        &(struct usbip_urb){.sequence = 12, .length = 5, .setup = {0x00, 9, 0, 0, 0, 0, 5, 0}});
    usbip_client_say(data, sizeof data);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 12, -EPIPE, 0);
    usbip_client_configure(11);
    usbip_client_free();
}

TEST(the_device_hears_what_is_written_to_its_endpoint)
{
    char got[16];

    usbip_client_attach();
    usbip_client_write(20, "hello", 5);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 20, 0, 5);
    CU_ASSERT_EQUAL(puppet_take(usbip_client.puppet, got, sizeof got), 5);
    CU_ASSERT(!memcmp(got, "hello", 5));
    usbip_client_write(21, "", 0);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 21, 0, 0);
    usbip_client_free();
}

TEST(a_read_waits_until_the_device_has_something_to_say)
{
    usbip_client_attach();
    usbip_client_unlink(29, 0);
    CU_ASSERT_EQUAL(usbip_client.server->ops->due(usbip_client.server), 0);
    CU_ASSERT_EQUAL(usbip_client_hear(), 48);
    usbip_client_read(30, 512);
    CU_ASSERT_EQUAL(usbip_client_hear(), 0);
    CU_ASSERT_EQUAL(usbip_client.server->ops->due(usbip_client.server), NEVER);
    puppet_put(usbip_client.puppet, "card", 4);
    CU_ASSERT(usbip_client.server->ops->due(usbip_client.server) <= 0);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 4);
    usbip_client_expect(usbip_client.heard, 3, 30, 0, 4);
    CU_ASSERT(!memcmp(usbip_client.heard + 48, "card", 4));
    CU_ASSERT_EQUAL(usbip_client.server->ops->due(usbip_client.server), NEVER);
    usbip_client_free();
}

TEST(what_was_said_waits_until_it_is_read)
{
    usbip_client_attach();
    puppet_put(usbip_client.puppet, "card", 4);
    CU_ASSERT_EQUAL(usbip_client_hear(), 0);
    CU_ASSERT_EQUAL(usbip_client.server->ops->due(usbip_client.server), NEVER);
    usbip_client_read(31, 3);
    CU_ASSERT_EQUAL(usbip_client.server->ops->due(usbip_client.server), 0);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 3);
    CU_ASSERT(!memcmp(usbip_client.heard + 48, "car", 3));
    usbip_client_read(32, 3);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 1);
    usbip_client_expect(usbip_client.heard, 3, 32, 0, 1);
    CU_ASSERT_EQUAL(usbip_client.heard[48], 'd');
    usbip_client_free();
}

TEST(reads_are_answered_in_their_order)
{
    usbip_client_attach();
    usbip_client_read(40, 2);
    usbip_client_read(41, 2);
    usbip_client_read(42, 2);
    puppet_put(usbip_client.puppet, "aabbc", 5);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 3 * 48 + 5);
    usbip_client_expect(usbip_client.heard, 3, 40, 0, 2);
    usbip_client_expect(usbip_client.heard + 50, 3, 41, 0, 2);
    usbip_client_expect(usbip_client.heard + 100, 3, 42, 0, 1);
    CU_ASSERT_EQUAL(usbip_client.heard[148], 'c');
    usbip_client_free();
}

/* Ten times what the server keeps for a client that does not listen. */
TEST(much_data_waits_for_its_reader)
{
    static uint8_t said[60 * 4096], got[sizeof said];
    uint8_t header[48];
    size_t count = 0;

    for (size_t i = 0; i < sizeof said; i++)
        said[i] = (uint8_t)(i * 7 >> 2);
    usbip_client_attach();
    for (uint32_t i = 0; i < 60; i++)
        usbip_client_read(i, 4096);
    CU_ASSERT_EQUAL_FATAL(puppet_put(usbip_client.puppet, said, sizeof said), sizeof said);
    while (count < sizeof got) {
        struct model *server = usbip_client.server;

        CU_ASSERT_EQUAL_FATAL(server->ops->send(server, header, 48, 0), 48);
        usbip_client_expect(header, 3, (uint32_t)(count / 4096), 0, 4096);
        CU_ASSERT_EQUAL_FATAL(server->ops->send(server, got + count, 4096, 0), 4096);
        count += 4096;
    }
    CU_ASSERT(!memcmp(said, got, sizeof got));
    usbip_client_free();
}

TEST(answers_go_out_together_as_long_as_there_is_room_for_one_more)
{
    static uint8_t said[7 * 4096], bytes[64 * 1024];
    struct model *server;

    usbip_client_attach();
    server = usbip_client.server;
    for (uint32_t i = 0; i < 6; i++)
        usbip_client_read(i, 4096);
    usbip_client_read(6, 3712); /* after which there is room for 4096 bytes with their header */
    usbip_client_read(7, 4096);
    CU_ASSERT_EQUAL_FATAL(puppet_put(usbip_client.puppet, said, sizeof said), sizeof said);
    CU_ASSERT_EQUAL_FATAL(server->ops->send(server, bytes, sizeof bytes, 0), 8 * 48 + sizeof said);
    usbip_client_expect(bytes + 6 * (48 + 4096) + 48 + 3712, 3, 7, 0, 384);
    usbip_client_free();
}

TEST(a_short_read_is_an_error_only_for_who_says_so)
{
    usbip_client_attach();
    usbip_client_submit(&(struct usbip_urb){
        .sequence = 43, .direction = 1, .endpoint = 1, .flags = 1, .length = 4});
    puppet_put(usbip_client.puppet, "abc", 3);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 3);
    usbip_client_expect(usbip_client.heard, 3, 43, -EREMOTEIO, 3);
    usbip_client_submit(&(struct usbip_urb){
        .sequence = 44, .direction = 1, .endpoint = 1, .flags = 1, .length = 3});
    puppet_put(usbip_client.puppet, "abc", 3);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 3);
    usbip_client_expect(usbip_client.heard, 3, 44, 0, 3);
    usbip_client_free();
}

TEST(the_frame_and_packet_numbers_come_back_as_they_went)
{
    usbip_client_attach();
    usbip_client_submit(
        &(struct usbip_urb){.sequence = 45, .endpoint = 1, .start_frame = 0xffffffff});
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    CU_ASSERT_EQUAL(usbip_get32(usbip_client.heard + 0x1c), 0xffffffff);
    CU_ASSERT_EQUAL(usbip_get32(usbip_client.heard + 0x20), 0);
    usbip_client_submit(&(struct usbip_urb){.sequence = 46, .endpoint = 1, .packets = 0xffffffff});
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    CU_ASSERT_EQUAL(usbip_get32(usbip_client.heard + 0x1c), 0);
    CU_ASSERT_EQUAL(usbip_get32(usbip_client.heard + 0x20), 0xffffffff);
    usbip_client_free();
}

TEST(an_unlinked_read_is_reset_and_never_answered)
{
    usbip_client_attach();
    usbip_client_read(50, 64);
    usbip_client_read(51, 64);
    usbip_client_read(52, 64);
    usbip_client_unlink(53, 51);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 4, 53, -ECONNRESET, 0);
    puppet_put(usbip_client.puppet, "x", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 49);
    usbip_client_expect(usbip_client.heard, 3, 50, 0, 1);
    puppet_put(usbip_client.puppet, "y", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 49);
    usbip_client_expect(usbip_client.heard, 3, 52, 0, 1);
    puppet_put(usbip_client.puppet, "z", 1);
    CU_ASSERT_EQUAL(usbip_client_hear(), 0);
    usbip_client_free();
}

TEST(of_as_many_reads_as_there_is_room_for_each_may_be_unlinked)
{
    usbip_client_attach();
    for (uint32_t i = 0; i < 64; i++)
        usbip_client_read(100 + i, 64);
    for (uint32_t i = 63; i; i--) {
        usbip_client_unlink(200 + i, 100 + i - 1);
        CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
        usbip_client_expect(usbip_client.heard, 4, 200 + i, -ECONNRESET, 0);
    }
    puppet_put(usbip_client.puppet, "x", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 49);
    usbip_client_expect(usbip_client.heard, 3, 163, 0, 1);
    usbip_client_free();
}

TEST(an_unlink_that_comes_too_late_says_0)
{
    usbip_client_attach();
    usbip_client_read(60, 64);
    puppet_put(usbip_client.puppet, "x", 1);
    CU_ASSERT_EQUAL(usbip_client_hear(), 49);
    usbip_client_unlink(61, 60);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 4, 61, 0, 0);
    usbip_client_write(62, "x", 1);
    usbip_client_unlink(63, 62);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 96);
    usbip_client_expect(usbip_client.heard, 3, 62, 0, 1);
    usbip_client_expect(usbip_client.heard + 48, 4, 63, 0, 0);
    usbip_client_unlink(64, 9999);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 4, 64, 0, 0);
    usbip_client_free();
}

static void halt(uint8_t request, uint8_t endpoint)
{
    usbip_client_submit(
        &(struct usbip_urb){.sequence = 70, .setup = {0x02, request, 0, 0, endpoint}});
}

TEST(a_halted_endpoint_stalls_until_it_is_cleared)
{
    char got[4];

    usbip_client_attach();
    usbip_client_read(71, 64);
    halt(3, 0x81);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 96);
    usbip_client_expect(usbip_client.heard, 3, 70, 0, 0);
    usbip_client_expect(usbip_client.heard + 48, 3, 71, -EPIPE, 0);
    usbip_client_read(72, 64);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 72, -EPIPE, 0);
    halt(1, 0x81);
    usbip_client_read(73, 64);
    puppet_put(usbip_client.puppet, "x", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 49);
    usbip_client_expect(usbip_client.heard + 48, 3, 73, 0, 1);

    halt(3, 0x01);
    usbip_client_write(74, "lost", 4);
    halt(1, 0x01);
    usbip_client_write(75, "good", 4);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 4 * 48);
    usbip_client_expect(usbip_client.heard + 48, 3, 74, -EPIPE, 0);
    usbip_client_expect(usbip_client.heard + 144, 3, 75, 0, 4);
    CU_ASSERT_EQUAL(puppet_take(usbip_client.puppet, got, 4), 4);
    CU_ASSERT(!memcmp(got, "good", 4));
    usbip_client_free();
}

TEST(a_halt_strikes_what_waits_even_if_it_is_cleared_at_once)
{
    usbip_client_attach();
    usbip_client_read(76, 64);
    halt(3, 0x81);
    usbip_client_read(77, 64);
    halt(1, 0x81);
    usbip_client_read(78, 64);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 4 * 48);
    usbip_client_expect(usbip_client.heard + 48, 3, 76, -EPIPE, 0);
    usbip_client_expect(usbip_client.heard + 96, 3, 77, -EPIPE, 0);
    usbip_client_unlink(79, 78);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 4, 79, -ECONNRESET, 0);
    usbip_client_free();
}

TEST(endpoints_that_are_not_there_or_not_yet_configured_stall)
{
    usbip_client_make(true);
    usbip_client_read(80, 64);
    usbip_client_write(81, "x", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 96);
    usbip_client_expect(usbip_client.heard, 3, 80, -EPIPE, 0);
    usbip_client_expect(usbip_client.heard + 48, 3, 81, -EPIPE, 0);
    usbip_client_configure(82);
    usbip_client_submit(
        &(struct usbip_urb){.sequence = 83, .direction = 1, .endpoint = 2, .length = 8});
    usbip_client_submit(&(struct usbip_urb){.sequence = 84, .endpoint = 0x101, .length = 1});
    usbip_client_say("x", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 96);
    usbip_client_expect(usbip_client.heard, 3, 83, -EPIPE, 0);
    usbip_client_expect(usbip_client.heard + 48, 3, 84, -EPIPE, 0);
    CU_ASSERT_EQUAL(puppet_take(usbip_client.puppet, usbip_client.heard, 1), 0);
    usbip_client_free();
}

TEST(what_an_unconfigured_device_says_is_lost)
{
    usbip_client_make(true);
    puppet_put(usbip_client.puppet, "early", 5);
    CU_ASSERT_EQUAL(usbip_client_hear(), 0);
    usbip_client_configure(1);
    usbip_client_read(2, 64);
    CU_ASSERT_EQUAL(usbip_client_hear(), 0);
    usbip_client_free();
}

TEST(more_reads_than_there_is_room_for_are_refused)
{
    usbip_client_attach();
    for (uint32_t i = 0; i < 65; i++)
        usbip_client_read(100 + i, 64);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 164, -ENOMEM, 0);
    puppet_put(usbip_client.puppet, "x", 1);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 49);
    usbip_client_expect(usbip_client.heard, 3, 100, 0, 1);
    usbip_client_free();
}

TEST(a_device_that_is_gone_takes_its_plug_with_it_and_may_come_back)
{
    usbip_client_attach();
    usbip_client_read(3, 64);
    usbip_client.puppet->model.gone = true;
    usbip_client_unlink(4, 0);
    CU_ASSERT(usbip_client.server->gone);
    usbip_client.server->gone = false;
    usbip_client_hear();
    CU_ASSERT(usbip_client.server->gone);
    usbip_client.server->ops->unplug(usbip_client.server, 0);
    usbip_client.server->gone = false;
    CU_ASSERT_FALSE(usbip_client.puppet->model.gone);
    usbip_client_say(usbip_request_import, sizeof usbip_request_import);
    CU_ASSERT_EQUAL(usbip_client_hear(), USBIP_IMPORT_IN);
    CU_ASSERT_FALSE(usbip_client.server->gone);
    usbip_client_free();
}

static struct error error;

static void say_over(struct link *link, const void *bytes, size_t size)
{
    CU_ASSERT_EQUAL_FATAL(
        link_write_all(link, bytes, size, clock_deadline(link->hal->clock, 5000), &error), 0);
}

static void hear_over(struct link *link, size_t size)
{
    size_t count = 0;

    while (count < size) {
        ssize_t n = link_read(link, usbip_client.heard + count, size - count,
                              clock_deadline(link->hal->clock, 5000), &error);

        CU_ASSERT_FATAL(n > 0);
        count += (size_t)n;
    }
}

TEST(one_device_is_attached_twice_over_a_socket)
{
    struct model_pump *pump;
    struct clock real;
    struct hal hal;
    uint8_t header[48];

    clock_real(&real);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &real, &error), 0);
    usbip_client_make(false);
    usbip_client.puppet->is_echo = true;
    pump = model_pump_tcp(usbip_client.server);
    for (int i = 0; i < 2; i++) {
        struct link *link;

        CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, model_pump_address(pump), &error), 0);
        say_over(link, usbip_request_import, sizeof usbip_request_import);
        hear_over(link, USBIP_IMPORT_IN);
        usbip_client_encode(&(struct usbip_urb){.sequence = 1, .setup = {0x00, 9, 1}}, header);
        say_over(link, header, sizeof header);
        hear_over(link, 48);
        usbip_client_encode(
            &(struct usbip_urb){.sequence = 2, .direction = 1, .endpoint = 1, .length = 64},
            header);
        say_over(link, header, sizeof header);
        usbip_client_encode(&(struct usbip_urb){.sequence = 3, .endpoint = 1, .length = 4}, header);
        say_over(link, header, sizeof header);
        say_over(link, "echo", 4);
        hear_over(link, 48 + 48 + 4);
        usbip_client_expect(usbip_client.heard, 3, 3, 0, 4);
        usbip_client_expect(usbip_client.heard + 48, 3, 2, 0, 4);
        CU_ASSERT(!memcmp(usbip_client.heard + 96, "echo", 4));
        link_close(link);
    }
    model_pump_stop(pump);
    usbip_client_free();
    hal_close(&hal);
}
