/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serial: links on real ports: the real libserialport, cdc_acm and a gadget at the other end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "tests/kernel/adapter.h"
#include "tests/kernel/desk.h"

#define BY_ID "/dev/serial/by-id/usb-dealproof_serial_adapter_"

struct peer {
    struct adapter adapter;
    char serial[8];
    int device;
};

static bool taken[ADAPTERS];

static void open_device(struct peer *peer)
{
    struct termios settings;

    peer->device = open(peer->adapter.device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (peer->device < 0 || tcgetattr(peer->device, &settings))
        guest_die("%s: %m", peer->adapter.device);
    cfmakeraw(&settings);
    tcsetattr(peer->device, TCSANOW, &settings);
}

static struct peer *make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = calloc(1, sizeof *peer);
    unsigned number = 0;

    (void)hal;
    while (taken[number])
        number++;
    taken[number] = true;
    snprintf(peer->serial, sizeof peer->serial, "L-%u", number);
    adapter_make(&peer->adapter, number, peer->serial);
    open_device(peer);
    snprintf(address, LINK_ADDRESS_MAX, "serial:" BY_ID "%s-if00@115200", peer->serial);
    return peer;
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    struct pollfd device = {.fd = peer->device, .events = POLLIN};

    return poll(&device, 1, 100) > 0 ? read(device.fd, bytes, size) : 0;
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    ssize_t count = write(peer->device, bytes, size);

    return count < 0 && errno == EAGAIN ? 0 : count;
}

static void drop(struct peer *peer)
{
    adapter_unplug(&peer->adapter);
    close(peer->device);
}

static void restore(struct peer *peer)
{
    adapter_plug_in(&peer->adapter);
    open_device(peer);
}

static void peer_free(struct peer *peer)
{
    taken[peer->adapter.number] = false;
    close(peer->device);
    adapter_free(&peer->adapter);
    free(peer);
}

const struct link_contract link_contract = {
    .traits = LINK_FILLS | LINK_EXCLUSIVE | LINK_HAS_LINES,
    .bad_addresses = (const char *const[]){"serial:/dev/ttyACM99@9600", "serial:/dev/null@9600",
                                           "serial:/dev/ptmx@9600", NULL},
    .make = make,
    .read = peer_read,
    .write = peer_write,
    .drop = drop,
    .restore = restore,
    .free = peer_free,
};

static void *unplug_soon(void *peer)
{
    guest_sleep(100);
    adapter_unplug(&((struct peer *)peer)->adapter);
    return NULL;
}

/* sp_blocking_read() returns 0 then, as for a device that has nothing to say. */
TEST(an_adapter_that_vanishes_while_it_is_only_read_is_gone)
{
    struct desk desk;
    pthread_t thread;
    nanos_t start;
    char byte;

    desk_start(&desk);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, unplug_soon, desk.peer), 0);
    start = clock_now(&desk.clock);
    CU_ASSERT_EQUAL(link_read(desk.link, &byte, 1, clock_deadline(&desk.clock, 5000), &desk.error),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, desk.address));
    CU_ASSERT(clock_now(&desk.clock) - start < 2 * NANOS_PER_SECOND);
    pthread_join(thread, NULL);
    desk_end(&desk);
}

static bool open_too(void *context)
{
    const struct desk *desk = context;
    struct link *link;

    return link_open(&link, &desk->hal, desk->address, NULL) == 0;
}

TEST(a_port_in_use_by_another_program_is_refused)
{
    struct desk desk;
    pid_t other;

    desk_start(&desk);
    link_close(desk.link);
    other = guest_hold(open_too, &desk);
    CU_ASSERT_EQUAL(link_open(&desk.link, &desk.hal, desk.address, &desk.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "in use by another program"));
    guest_release(other);
    CU_ASSERT_EQUAL(link_open(&desk.link, &desk.hal, desk.address, &desk.error), 0);
    desk_end(&desk);
}

TEST(round_trips_are_measured)
{
    struct desk desk;

    desk_start(&desk);
    desk_measure(&desk, 200, false, "64-byte round trip over a USB serial port");
    desk_end(&desk);
}

LINK_CONTRACT_TESTS
