/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * USB links on a mocked device, through the real libusb. An input is the address in its first line,
 * where '@' at its begin stands for the device; a byte for what the device is like; then deeds of
 * both ends: packets, stalls, plugs, busy interfaces. What is read is what the device has sent, in
 * its order and nothing else, and what fails has a sentence.
 *
 * Runs under: umockdev
 * Covers: hal/usb/link.c hal/usb/device.c hal/usb/discover.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "hal/link/link.h"
#include "hal/usb/discover.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/mock/usb_mock.h"

#define DEVICE    "usb:1209:0001"
#define DEEDS_MAX 48

struct ends {
    struct clock clock;
    struct hal hal;
    struct usb_mock *mock, *other;
    struct link *link;
    struct error error;
    bool is_plain; /* nothing has stalled, left or come back: bytes pass as they are */
    enum { THERE, AWAY, HALF_AWAY } place;
    size_t written, read;
    uint8_t stream[16384]; /* from the device */
};

/* Interfaces as devices have them, and as they should not. */
static const struct usb_mock_interface interfaces[][2] = {
    {{.number = 0, .class = 255, .endpoint_count = 2, .endpoints = {{0x81, 2, 64}, {0x01, 2, 64}}}},
    {{.number = 0, .class = 3, .endpoint_count = 2, .endpoints = {{0x82, 3, 16}, {0x02, 3, 16}}},
     {.number = 1, .class = 255, .endpoint_count = 2, .endpoints = {{0x83, 2, 512}, {3, 2, 512}}}},
    {{.number = 0, .class = 255, .endpoint_count = 1, .endpoints = {{0x81, 2, 64}}}},
    {{.number = 0, .class = 255, .endpoint_count = 1, .endpoints = {{0x81, 2, 64}}},
     {.number = 0,
      .alternate = 1,
      .class = 255,
      .endpoint_count = 2,
      .endpoints = {{0x81, 2, 64}, {0x01, 2, 64}}}},
};

/* What the first byte of an input says; its lowest bits choose among the interfaces. */
enum kind {
    KIND_NO_SERIAL = 0x08,
    KIND_TWIN = 0x10,     /* there is a second device, of the same kind */
    KIND_STRANGER = 0x20, /* or of another one */
    KIND_OCCUPIED = 0x80
};

static void ended(const struct ends *ends, long status)
{
    FUZZ_MUST(status >= 0 || (status == (int)ends->error.code && ends->error.text[0]));
}

static void device_sends(struct ends *ends, const uint8_t *bytes, size_t count, bool is_packet)
{
    if (count > sizeof ends->stream - ends->written)
        return;
    if (is_packet)
        usb_mock_packet(ends->mock, bytes, count);
    else
        usb_mock_write(ends->mock, bytes, count);
    ends->is_plain &= !is_packet || count <= 16; /* of the smallest endpoint */
    memcpy(ends->stream + ends->written, bytes, count);
    ends->written += count;
}

static void host_reads(struct ends *ends, size_t count)
{
    uint8_t bytes[1024];
    ssize_t got = link_read(ends->link, bytes, 1 + count * 4 % sizeof bytes,
                            clock_deadline(&ends->clock, 1), &ends->error);

    ended(ends, got);
    if (got <= 0)
        return;
    FUZZ_MUST(!ends->is_plain || (size_t)got <= ends->written - ends->read);
    FUZZ_MUST(!ends->is_plain || !memcmp(bytes, ends->stream + ends->read, (size_t)got));
    ends->read += (size_t)got;
}

static void host_writes(struct ends *ends, struct fuzz_input *input)
{
    size_t size;
    const uint8_t *bytes = fuzz_take(input, fuzz_byte(input), &size);

    ended(ends, link_write(ends->link, bytes, size, clock_deadline(&ends->clock, 1), &ends->error));
}

/*
 * umockdev never forgets a node that could not be opened, and ends the process when there are fifty
 * of them: so many are tried in all, the rest of the inputs go without.
 */
static bool may_open(const struct ends *ends)
{
    static unsigned tried;

    return ends->place != HALF_AWAY || tried++ < 20;
}

static void reopen(struct ends *ends)
{
    static const struct reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = NANOS_PER_MILLI, .tries = 1};

    ends->is_plain = false;
    if (may_open(ends))
        ended(ends, link_reopen(ends->link, &policy, &ends->error));
}

static void found(void *context, const struct usb_device_info *device)
{
    struct error error = {.text = ""};

    (void)context;
    FUZZ_MUST(!device->accessible || !link_check(device->address, &error));
}

static void discover(struct ends *ends, bool all)
{
    struct usb_known known[REGISTRY_MAX];

    if (may_open(ends))
        ended(ends, discover_usb(known, model_known_usb(known), all, found, NULL, &ends->error));
}

/* The device leaves, or what is seen of it does; one that has left whole may come back. */
static void move(struct ends *ends, uint8_t what)
{
    static void (*const ways[])(struct usb_mock *) = {usb_mock_unplug, usb_mock_vanish,
                                                      usb_mock_die};

    if (ends->place == THERE) {
        ways[what % 3](ends->mock);
        ends->place = what % 3 ? HALF_AWAY : AWAY;
    } else if (ends->place == AWAY) {
        usb_mock_plug(ends->mock);
        ends->place = THERE;
    }
}

/* What becomes of the device. */
static void befall(struct ends *ends, uint8_t what, uint8_t value)
{
    ends->is_plain = false;
    if (what < 4)
        move(ends, what);
    else if (what == 4)
        usb_mock_hold(ends->mock, value & 1);
    else if (what == 5)
        usb_mock_stall(ends->mock, value & 0x83, value >> 3 & 3, value >> 5 & 3);
    else
        usb_mock_occupy(ends->mock, value & 1);
}

static void do_one(struct ends *ends, struct fuzz_input *input)
{
    uint8_t deed = fuzz_byte(input), value;
    const uint8_t *bytes;
    size_t size;

    switch (deed % 8) {
    case 0:
    case 1:
        bytes = fuzz_take(input, fuzz_byte(input), &size);
        device_sends(ends, bytes, size, deed & 1);
        break;
    case 2:
    case 3:
        host_reads(ends, fuzz_byte(input));
        break;
    case 4:
        host_writes(ends, input);
        break;
    case 5:
        reopen(ends);
        break;
    case 6:
        discover(ends, deed & 8);
        break;
    default:
        value = fuzz_byte(input);
        befall(ends, deed / 8 % 7, value);
        break;
    }
}

static bool open_link(struct ends *ends, struct fuzz_input *input)
{
    const uint8_t *newline = memchr(input->at, '\n', input->left);
    size_t length = newline ? (size_t)(newline - input->at) : input->left, taken;
    char address[256];
    const char *text = (const char *)fuzz_take(input, length + 1, &taken);
    bool is_device = length && text[0] == '@';
    int status;

    snprintf(address, sizeof address, "%s%.*s",
             is_device ? DEVICE : "usb:", (int)(length - is_device), text + is_device);
    status = link_open(&ends->link, &ends->hal, address, &ends->error);
    ended(ends, status);
    FUZZ_MUST(!status == (ends->link != NULL));
    return !status;
}

/* One for all inputs: what umockdev opens for a testbed it never closes, some descriptors each. */
static UMockdevTestbed *testbed;

static void drop_testbed(void)
{
    g_object_unref(testbed);
}

static void make_testbed(void)
{
    testbed = testbed_new();
    atexit(drop_testbed);
}

static void plug_devices(struct ends *ends, uint8_t kind)
{
    struct usb_mock_identity identity = {
        .port = 1, .vendor = 0x1209, .product = 1, .serial = "A17", .name = "shuffler"};
    unsigned which = (unsigned)((kind & 7) % (sizeof interfaces / sizeof interfaces[0] + 1));

    if (which) {
        identity.interfaces = interfaces[which - 1];
        identity.interface_count = interfaces[which - 1][1].class ? 2 : 1;
    }
    if (kind & KIND_NO_SERIAL)
        identity.serial = NULL;
    ends->mock = usb_mock_new(testbed, &identity);
    identity.port = 2;
    identity.product = kind & KIND_STRANGER ? 2 : 1;
    if (kind & (KIND_TWIN | KIND_STRANGER))
        ends->other = usb_mock_new(testbed, &identity);
    if (kind & KIND_OCCUPIED)
        usb_mock_occupy(ends->mock, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ends ends;
    struct fuzz_input input = {data, size};

    if (!testbed)
        make_testbed();
    memset(&ends, 0, sizeof ends);
    ends.is_plain = true;
    clock_real(&ends.clock);
    FUZZ_MUST(!hal_open(&ends.hal, &ends.clock, &ends.error));
    plug_devices(&ends, fuzz_byte(&input));
    if (open_link(&ends, &input))
        for (unsigned i = 0; i < DEEDS_MAX && input.left; i++)
            do_one(&ends, &input);
    else
        discover(&ends, true);
    link_close(ends.link);
    usb_mock_free(ends.mock);
    if (ends.other)
        usb_mock_free(ends.other);
    hal_close(&ends.hal);
    return 0;
}
