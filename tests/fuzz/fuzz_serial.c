/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Serial links on a mocked port, through the real libserialport. The first line of an input is the
 * address, where '@' at its begin stands for the port, and '!' and a character before it for an
 * ioctl of it that fails; then come deeds of both ends: bytes, lines, plugs, other programs. What
 * is read is what the device has written, in its order and nothing else, and what fails has a
 * sentence.
 *
 * Runs under: umockdev
 * Covers: hal/link/serial.c
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hal/link/link.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"

#define PORT      "serial:/dev/ttyUSB1@"
#define DEEDS_MAX 64

struct ends {
    struct clock clock;
    struct hal hal;
    struct serial_mock *mock;
    struct link *link;
    struct error error;
    bool is_plain; /* nothing has failed or flowed otherwise: bytes pass as they are */
    size_t written, read;
    uint8_t stream[8192]; /* from the device */
};

static void ended(const struct ends *ends, long status)
{
    FUZZ_MUST(status >= 0 || (status == (int)ends->error.code && ends->error.text[0]));
}

static void device_writes(struct ends *ends, const uint8_t *bytes, size_t count)
{
    ssize_t written = -1;

    if (serial_mock_device(ends->mock) >= 0 && count <= sizeof ends->stream - ends->written)
        written = write(serial_mock_device(ends->mock), bytes, count);
    if (written <= 0)
        return;
    memcpy(ends->stream + ends->written, bytes, (size_t)written);
    ends->written += (size_t)written;
}

static void host_reads(struct ends *ends, size_t count)
{
    uint8_t bytes[256];
    ssize_t got = link_read(ends->link, bytes, 1 + count % sizeof bytes,
                            clock_deadline(&ends->clock, 0), &ends->error);

    ended(ends, got);
    if (got <= 0)
        return;
    FUZZ_MUST(!ends->is_plain || (size_t)got <= ends->written - ends->read);
    FUZZ_MUST(!ends->is_plain || !memcmp(bytes, ends->stream + ends->read, (size_t)got));
    ends->read += (size_t)got;
}

static void host_works(struct ends *ends, uint8_t deed, struct fuzz_input *input)
{
    static const struct reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = NANOS_PER_MILLI, .tries = 1};
    uint8_t value = fuzz_byte(input);
    const uint8_t *bytes;
    unsigned lines;
    size_t size;

    if (deed == 0) {
        static const uint8_t much[16384];

        bytes = fuzz_take(input, value, &size);
        if (value == 0xff) {
            bytes = much;
            size = sizeof much;
        }
        if (size)
            ended(ends, link_write(ends->link, bytes, size, clock_deadline(&ends->clock, 0),
                                   &ends->error));
    } else if (deed == 1) {
        ended(ends, link_get_lines(ends->link, &lines, &ends->error));
    } else if (deed == 2) {
        ended(ends, link_set_lines(ends->link, value & 15, value >> 4, &ends->error));
    } else {
        ended(ends, link_reopen(ends->link, &policy, &ends->error));
        ends->is_plain = false;
    }
}

static void port_fails(struct ends *ends, uint8_t kind)
{
    static const unsigned long requests[] = {TIOCINQ, TIOCMGET, TIOCMSET, TIOCEXCL, TCGETS};
    static const int numbers[] = {0, EIO, ENODEV, ENXIO, EINVAL, ENOTTY, EACCES, EAGAIN, EPROTO};

    serial_mock_fail(ends->mock, requests[kind % 5], numbers[kind / 5 % 9]);
    ends->is_plain = false;
}

/* A second program at the port. */
static void open_again(struct ends *ends)
{
    struct link *other = NULL;
    struct pollfd polled;

    link_polled(ends->link, true, true, &polled);
    ended(ends, link_open(&other, &ends->hal, PORT "9600", &ends->error));
    link_close(other);
}

static void do_one(struct ends *ends, struct fuzz_input *input)
{
    uint8_t deed = fuzz_byte(input);
    const uint8_t *bytes;
    size_t size;

    switch (deed % 13) {
    case 0:
    case 1:
        bytes = fuzz_take(input, fuzz_byte(input), &size);
        device_writes(ends, bytes, size);
        break;
    case 2:
    case 3:
        host_reads(ends, fuzz_byte(input));
        break;
    case 4:
        serial_mock_unplug(ends->mock);
        ends->is_plain = false;
        break;
    case 5: /* also in the place of one that is there */
        serial_mock_unplug(ends->mock);
        serial_mock_plug(ends->mock);
        ends->is_plain = false;
        break;
    case 6:
        serial_mock_pull(ends->mock, fuzz_byte(input) * TIOCM_CTS);
        break;
    case 7:
        port_fails(ends, fuzz_byte(input));
        break;
    case 8:
        open_again(ends);
        break;
    default:
        host_works(ends, deed % 13 - 9, input);
        break;
    }
}

/* The address of the first line. */
static bool open_link(struct ends *ends, struct fuzz_input *input)
{
    const uint8_t *newline = memchr(input->at, '\n', input->left);
    size_t length = newline ? (size_t)(newline - input->at) : input->left, taken;
    char address[512];
    const char *text = (const char *)fuzz_take(input, length + 1, &taken);
    bool is_port, fails = length > 2 && text[0] == '!';
    int status;

    if (fails) {
        port_fails(ends, (uint8_t)text[1]);
        text += 2;
        length -= 2;
    }
    is_port = length && text[0] == '@';
    snprintf(address, sizeof address, "%s%.*s", is_port ? PORT : "serial:", (int)(length - is_port),
             text + is_port);
    ends->is_plain =
        is_port && !fails && !strstr(address, "xonxoff") && strstr(address, ",5N") == NULL;
    status = link_open(&ends->link, &ends->hal, address, &ends->error);
    ended(ends, status);
    FUZZ_MUST(!status == (ends->link != NULL));
    return !status;
}

static UMockdevTestbed *testbed;

static void drop_testbed(void)
{
    g_object_unref(testbed);
}

/* Links to the port: /dev/port0, which is one to /dev/port1, up to 5, which is one to the port. */
static void make_testbed(void)
{
    char *root, *folder;

    testbed = testbed_new();
    atexit(drop_testbed);
    root = umockdev_testbed_get_root_dir(testbed);
    folder = g_strconcat(root, "/dev", NULL);
    FUZZ_MUST(!g_mkdir_with_parents(folder, 0755));
    for (unsigned i = 0; i < 6; i++) {
        char *path = g_strdup_printf("%s/port%u", folder, i);
        char *target = i < 5 ? g_strdup_printf("port%u", i + 1) : g_strdup("ttyUSB1");

        FUZZ_MUST(!symlink(target, path));
        g_free(path);
        g_free(target);
    }
    g_free(folder);
    g_free(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct serial_mock_usb usb = {.port = 1, .vendor = 0x0403, .product = 0x6001};
    static struct ends ends;
    struct fuzz_input input = {data, size};

    if (!testbed)
        make_testbed();
    memset(&ends, 0, sizeof ends);
    clock_real(&ends.clock);
    FUZZ_MUST(!hal_open(&ends.hal, &ends.clock, &ends.error));
    ends.mock = serial_mock_new(testbed, "ttyUSB1", &usb);
    if (open_link(&ends, &input))
        for (unsigned i = 0; i < DEEDS_MAX && input.left; i++)
            do_one(&ends, &input);
    link_close(ends.link);
    serial_mock_free(ends.mock);
    hal_close(&ends.hal);
    return 0;
}
