/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control pipe, with descriptors worked out by hand from chapter 9 of the USB specification. */
#include <stdio.h>
#include <string.h>

#include "devices/serve/usb_function.h"
#include "tests/support/suite.h"

static struct usb_function function;
static uint8_t reply[USB_REPLY_MAX];

static void set_up(void)
{
    static const struct usb_function_identity identity = {.vendor = 0x1209,
                                                          .product = 0x0001,
                                                          .manufacturer = "dealproof",
                                                          .name = "DP-SHUF1",
                                                          .serial = "S-17"};

    usb_function_init(&function, &identity);
    memset(reply, 0xa5, sizeof reply);
}

static int control(unsigned type, unsigned request, unsigned value, unsigned index, unsigned length)
{
    const uint8_t setup[] = {(uint8_t)type,         (uint8_t)request,      (uint8_t)value,
                             (uint8_t)(value >> 8), (uint8_t)index,        (uint8_t)(index >> 8),
                             (uint8_t)length,       (uint8_t)(length >> 8)};

    return usb_function_control(&function, setup, reply);
}

static void configure(void)
{
    set_up();
    CU_ASSERT_EQUAL_FATAL(control(0x00, 9, 1, 0, 0), 0);
}

TEST(the_device_descriptor_names_vendor_and_product)
{
    static const uint8_t expected[] = {18,   1, 0x00, 0x02, 0,    0, 0, 64, 0x09,
                                       0x12, 1, 0x00, 0x00, 0x01, 1, 2, 3,  1};

    set_up();
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0100, 0, 255), 18);
    CU_ASSERT(!memcmp(reply, expected, sizeof expected));
}

TEST(a_configuration_has_one_vendor_interface_with_a_pair_of_bulk_endpoints)
{
    static const uint8_t expected[] = {
        9, 2, 32,   0, 1, 1,    0, 0xc0, 0, /* one configuration, self-powered */
        9, 4, 0,    0, 2, 0xff, 0, 0,    2, /* one interface, of the vendor */
        7, 5, 0x81, 2, 0, 2,    0,          /* bulk in, 512 bytes */
        7, 5, 0x01, 2, 0, 2,    0,          /* bulk out */
    };
    uint8_t full_speed[sizeof expected];

    set_up();
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0200, 0, 255), 32);
    CU_ASSERT(!memcmp(reply, expected, sizeof expected));
    memcpy(full_speed, expected, sizeof expected);
    full_speed[1] = 7;
    full_speed[22] = full_speed[29] = 64;
    full_speed[23] = full_speed[30] = 0;
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0700, 0, 255), 32);
    CU_ASSERT(!memcmp(reply, full_speed, sizeof full_speed));
}

TEST(the_qualifier_tells_of_full_speed)
{
    static const uint8_t expected[] = {10, 6, 0x00, 0x02, 0, 0, 0, 64, 1, 0};

    set_up();
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0600, 0, 255), 10);
    CU_ASSERT(!memcmp(reply, expected, sizeof expected));
}

TEST(strings_are_utf_16_in_american_english)
{
    static const uint8_t languages[] = {4, 3, 0x09, 0x04};
    static const uint8_t serial[] = {10, 3, 'S', 0, '-', 0, '1', 0, '7', 0};

    set_up();
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0300, 0, 255), 4);
    CU_ASSERT(!memcmp(reply, languages, sizeof languages));
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0303, 0x0409, 255), 10);
    CU_ASSERT(!memcmp(reply, serial, sizeof serial));
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0301, 0x0409, 255), 2 + 2 * 9);
    CU_ASSERT_EQUAL(reply[2], 'd');
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0302, 0x0409, 255), 2 + 2 * 8);
    CU_ASSERT_EQUAL(reply[2], 'D');
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0304, 0x0409, 255), USB_STALL);
}

TEST(the_longest_string_fits_its_length_byte)
{
    set_up();
    memset(function.identity.serial, 'x', USB_TEXT_MAX);
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0303, 0x0409, 255), 2 + 2 * USB_TEXT_MAX);
    CU_ASSERT_EQUAL(reply[0], 2 + 2 * USB_TEXT_MAX);
    CU_ASSERT_EQUAL(reply[1 + 2 * USB_TEXT_MAX], 0);
    CU_ASSERT_EQUAL(reply[2 + 2 * USB_TEXT_MAX], 0xa5);
}

TEST(an_answer_is_no_longer_than_was_asked_for)
{
    set_up();
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0100, 0, 8), 8);
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0100, 0, 18), 18);
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0100, 0, 0), 0);
    CU_ASSERT_EQUAL(control(0x80, 6, 0x0200, 0, 9), 9);
}

TEST(a_configuration_is_chosen_and_given_up)
{
    set_up();
    CU_ASSERT_EQUAL(control(0x80, 8, 0, 0, 1), 1);
    CU_ASSERT_EQUAL(reply[0], 0);
    CU_ASSERT_EQUAL(control(0x00, 9, 1, 0, 0), 0);
    CU_ASSERT(function.is_configured);
    CU_ASSERT_EQUAL(control(0x80, 8, 0, 0, 1), 1);
    CU_ASSERT_EQUAL(reply[0], 1);
    CU_ASSERT_EQUAL(control(0x00, 9, 2, 0, 0), USB_STALL);
    CU_ASSERT(function.is_configured);
    CU_ASSERT_EQUAL(control(0x00, 9, 0, 0, 0), 0);
    CU_ASSERT_FALSE(function.is_configured);
}

TEST(status_says_self_powered_and_halted)
{
    configure();
    CU_ASSERT_EQUAL(control(0x80, 0, 0, 0, 2), 2);
    CU_ASSERT_EQUAL(reply[0], 1);
    CU_ASSERT_EQUAL(reply[1], 0);
    CU_ASSERT_EQUAL(control(0x81, 0, 0, 0, 2), 2);
    CU_ASSERT_EQUAL(reply[0], 0);
    CU_ASSERT_EQUAL(control(0x82, 0, 0, 0x81, 2), 2);
    CU_ASSERT_EQUAL(reply[0], 0);
    CU_ASSERT_EQUAL(control(0x02, 3, 0, 0x81, 0), 0);
    CU_ASSERT_EQUAL(control(0x82, 0, 0, 0x81, 2), 2);
    CU_ASSERT_EQUAL(reply[0], 1);
    CU_ASSERT_EQUAL(control(0x82, 0, 0, 0x01, 2), 2);
    CU_ASSERT_EQUAL(reply[0], 0);
}

TEST(a_halt_ends_when_it_is_cleared_or_the_interface_is_set)
{
    static const unsigned endpoints[] = {0x81, 0x01};

    for (size_t i = 0; i < 2; i++) {
        bool *halted = i ? &function.out_halted : &function.in_halted;

        configure();
        CU_ASSERT_EQUAL(control(0x02, 3, 0, endpoints[i], 0), 0);
        CU_ASSERT(*halted);
        CU_ASSERT_EQUAL(function.in_halted + function.out_halted, 1);
        CU_ASSERT_EQUAL(control(0x02, 1, 0, endpoints[i], 0), 0);
        CU_ASSERT_FALSE(*halted);
        CU_ASSERT_EQUAL(control(0x02, 3, 0, endpoints[i], 0), 0);
        CU_ASSERT_EQUAL(control(0x01, 11, 0, 0, 0), 0);
        CU_ASSERT_FALSE(*halted);
        CU_ASSERT(function.is_configured);
        CU_ASSERT_EQUAL(control(0x02, 3, 0, endpoints[i], 0), 0);
        usb_function_reset(&function);
        CU_ASSERT_FALSE(*halted);
        CU_ASSERT_FALSE(function.is_configured);
    }
}

TEST(what_does_not_exist_stalls_and_changes_nothing)
{
    static const struct {
        unsigned type, request, value, index;
    } absent[] = {
        {0x80, 6, 0x0101, 0}, {0x80, 6, 0x0201, 0}, /* a second device, a second configuration */
        {0x80, 6, 0x0400, 0}, {0x80, 6, 0x2200, 0}, /* an interface alone, a report */
        {0x81, 10, 0, 1},     {0x01, 11, 1, 0},     /* a second interface, another setting */
        {0x01, 11, 0, 1},     {0x82, 0, 0, 0x82},   /* a third endpoint */
        {0x02, 1, 1, 0x81},   {0x02, 3, 0, 0x02},   /* another feature, another endpoint */
        {0x00, 1, 1, 0},      {0x00, 3, 1, 0},      /* remote wake-up */
        {0x40, 9, 0, 0},      {0xc0, 6, 0x0100, 0}, /* the vendor's */
        {0x21, 11, 0, 0},     {0x03, 0, 0, 0},      /* a class's; to nobody */
        {0x00, 6, 0x0100, 0}, {0x80, 9, 0, 0},      /* the wrong way */
        {0x42, 3, 0, 0x81},   {0x82, 3, 0, 0x81},   {0x02, 0, 0, 0x81},
    };

    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        struct usb_function before;

        configure();
        before = function;
        CU_ASSERT_EQUAL(
            control(absent[i].type, absent[i].request, absent[i].value, absent[i].index, 64),
            USB_STALL);
        CU_ASSERT(!memcmp(&before, &function, sizeof before));
    }
}

TEST(before_it_is_configured_a_device_has_neither_interface_nor_endpoint)
{
    set_up();
    CU_ASSERT_EQUAL(control(0x81, 0, 0, 0, 2), USB_STALL);
    CU_ASSERT_EQUAL(control(0x01, 11, 0, 0, 0), USB_STALL);
    CU_ASSERT_EQUAL(control(0x82, 0, 0, 0x81, 2), USB_STALL);
    CU_ASSERT_EQUAL(control(0x02, 3, 0, 0x01, 0), USB_STALL);
    CU_ASSERT_FALSE(function.is_configured);
}

/* 2^16 requests on each of two values: a stall, or an answer within what was asked for. */
TEST(no_request_answers_with_more_than_its_length)
{
    for (unsigned type = 0; type < 256; type++)
        for (unsigned request = 0; request < 256; request++) {
            int first, second;

            configure();
            first = control(type, request, 0x0300, 0, 3);
            second = control(type, request, 0x0001, 0x81, 0);
            CU_ASSERT_FATAL(first >= USB_STALL && first <= 3);
            CU_ASSERT_FATAL(second == USB_STALL || second == 0);
        }
}
