/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The USB/IP server against clients that cut, break, flood and leave. */
#include <errno.h>
#include <string.h>

#include "hal/base/random.h"
#include "tests/support/devices/usbip_client.h"
#include "tests/support/suite.h"

TEST(a_handshake_that_is_none_is_hung_up_on)
{
    static const uint8_t wrong[][8] = {
        {0x01, 0x10, 0x80, 0x05},
        {0x01, 0x11, 0x80, 0x06},
        {0x01, 0x11, 0x00, 0x05},
        {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T'},
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        usbip_client_make(false);
        usbip_client_say(wrong[i], 7);
        CU_ASSERT_FALSE(usbip_client.server->gone);
        usbip_client_say(wrong[i] + 7, 1);
        CU_ASSERT(usbip_client.server->gone);
        usbip_client_free();
    }
}

TEST(a_device_that_is_passed_on_takes_any_device_number)
{
    uint8_t header[48];

    usbip_client_make(true);
    usbip_client_encode(&(struct usbip_urb){.sequence = 5, .setup = {0x00, 9, 1}}, header);
    usbip_put32(header + 8, 4660);
    usbip_client_say(header, sizeof header);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, 5, 0, 0);
    usbip_client_free();
    usbip_client_attach();
    usbip_client_say(header, sizeof header);
    CU_ASSERT(usbip_client.server->gone);
    usbip_client_free();
}

TEST(a_command_out_of_bounds_is_hung_up_on)
{
    static const struct {
        unsigned offset;
        uint32_t value;
        bool is_broken;
    } fields[] = {
        {0x00, 0, true},           {0x00, 3, true},           {0x00, 0x01000000, true},
        {0x08, 0x00010001, true},  {0x0c, 2, true},           {0x18, 0x01000001, true},
        {0x18, 0xffffffff, true},  {0x18, 0x01000000, false}, {0x20, 1, true},
        {0x20, 0xfffffffe, true},  {0x20, 0xffffffff, false}, {0x04, 0xffffffff, false},
        {0x14, 0xffffffff, false}, {0x24, 0xffffffff, false},
    };
    uint8_t header[48];

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        usbip_client_attach();
        usbip_client_encode(
            &(struct usbip_urb){.sequence = 90, .direction = 1, .endpoint = 1, .length = 8},
            header);
        usbip_put32(header + fields[i].offset, fields[i].value);
        usbip_client_say(header, sizeof header);
        CU_ASSERT_EQUAL(usbip_client.server->gone, fields[i].is_broken);
        usbip_client_free();
    }
}

TEST(a_client_that_asks_and_never_listens_is_hung_up_on)
{
    unsigned asked = 0;

    usbip_client_attach();
    while (!usbip_client.server->gone && asked < 100000) {
        usbip_client_unlink(asked++, 1);
    }
    CU_ASSERT(usbip_client.server->gone);
    CU_ASSERT_EQUAL(asked, 32 * 1024 / 48 + 1);
    usbip_client_free();
}

TEST(what_is_kept_for_a_client_fits_to_the_last_byte)
{
    uint8_t request[USBIP_IMPORT_OUT];
    unsigned asked = 0;

    memcpy(request, usbip_request_import, sizeof request);
    request[10] = '2';
    usbip_client_make(false);
    while (!usbip_client.server->gone && asked < 100000) {
        usbip_client_say(request, sizeof request);
        asked++;
    }
    CU_ASSERT_EQUAL(asked, 32 * 1024 / 8 + 1);
    CU_ASSERT_EQUAL(usbip_client_hear(), 32 * 1024);
    usbip_client_free();
}

/* A whole conversation, with the device's bytes at hand. */
static size_t conversation(uint8_t *bytes)
{
    uint8_t *at = bytes;

    memcpy(at, usbip_request_list, sizeof usbip_request_list);
    at += sizeof usbip_request_list;
    memcpy(at, usbip_request_import, sizeof usbip_request_import);
    at += sizeof usbip_request_import;
    usbip_client_encode(&(struct usbip_urb){.sequence = 1, .setup = {0x00, 9, 1}}, at);
    at += 48;
    usbip_client_encode(
        &(struct usbip_urb){.sequence = 2, .direction = 1, .endpoint = 1, .length = 64}, at);
    at += 48;
    usbip_client_encode(&(struct usbip_urb){.sequence = 3, .endpoint = 1, .length = 7}, at);
    memcpy(at + 48, "program", 7);
    at += 55;
    usbip_client_encode(
        &(struct usbip_urb){
            .sequence = 4, .direction = 1, .length = 255, .setup = {0x80, 6, 3, 3, 9, 4, 255, 0}},
        at);
    return (size_t)(at + 48 - bytes);
}

TEST(a_conversation_is_the_same_however_its_bytes_are_cut)
{
    static uint8_t bytes[512], whole[2048];
    size_t size = conversation(bytes), whole_size;

    usbip_client_make(false);
    usbip_client_say(bytes, size);
    whole_size = usbip_client_hear();
    CU_ASSERT_EQUAL(whole_size, 0x0c + 0x138 + 4 + USBIP_IMPORT_IN + 3 * 48 + 8);
    memcpy(whole, usbip_client.heard, whole_size);
    usbip_client_free();
    for (size_t cut = 0; cut <= size; cut++) {
        usbip_client_make(false);
        usbip_client_say(bytes, cut);
        usbip_client_say(bytes + cut, size - cut);
        CU_ASSERT_EQUAL(usbip_client_hear(), whole_size);
        CU_ASSERT(!memcmp(usbip_client.heard, whole, whole_size));
        CU_ASSERT_EQUAL(puppet_take(usbip_client.puppet, usbip_client.heard, 16), 7);
        usbip_client_free();
    }
}

TEST(a_client_that_goes_leaves_nothing_behind)
{
    static uint8_t bytes[512];
    size_t size = conversation(bytes);

    for (size_t cut = 0; cut <= size; cut += 3) {
        usbip_client_make(false);
        usbip_client_say(bytes, cut);
        puppet_put(usbip_client.puppet, "left", 4);
        if (cut & 1)
            CU_ASSERT(usbip_client_hear() < sizeof usbip_client.heard);
        usbip_client.server->ops->unplug(usbip_client.server, 0);
        CU_ASSERT_EQUAL(usbip_client.puppet->unplugged, 1);
        CU_ASSERT_EQUAL(usbip_client_hear(), 0);
        usbip_client_say(usbip_request_import, sizeof usbip_request_import);
        CU_ASSERT_EQUAL(usbip_client_hear(), USBIP_IMPORT_IN);
        usbip_client_read(2, 64);
        CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
        usbip_client_expect(usbip_client.heard, 3, 2, -EPIPE, 0);
        usbip_client_configure(3);
        usbip_client_read(4, 64);
        CU_ASSERT_EQUAL(usbip_client_hear(), 0);
        puppet_put(usbip_client.puppet, "new", 3);
        CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48 + 3);
        usbip_client_expect(usbip_client.heard, 3, 4, 0, 3);
        usbip_client_free();
    }
}

/* Headers near the truth: valid commands with some of their bytes replaced. */
TEST(garbage_never_gets_out_of_bounds)
{
    uint64_t seed = 20241116;
    uint8_t header[48];
    unsigned hung_up = 0;

    for (unsigned i = 0; i < 3000; i++) {
        usbip_client_make(random_next(&seed) & 1);
        if (random_next(&seed) & 1)
            usbip_client_say(usbip_request_import, sizeof usbip_request_import);
        for (unsigned n = 0; n < 20 && !usbip_client.server->gone; n++) {
            usbip_client_encode(
                &(struct usbip_urb){
                    .sequence = n, .direction = n & 1, .endpoint = n % 3, .length = 300},
                header);
            for (uint64_t changes = random_next(&seed) % 4; changes; changes--)
                header[random_next(&seed) % 48] = (uint8_t)random_next(&seed);
            usbip_client_say(header, sizeof header);
            puppet_put(usbip_client.puppet, header, sizeof header);
            usbip_client_hear();
        }
        hung_up += usbip_client.server->gone;
        usbip_client_free();
    }
    CU_ASSERT(hung_up > 500 && hung_up < 3000);
}
