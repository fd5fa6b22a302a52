/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usb: links to real devices: the real libusb, usbfs and vhci_hcd, a puppet behind the plug. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "devices/serve/serve.h"
#include "devices/serve/usbip.h"
#include "devices/wire/wire.h"
#include "tests/kernel/desk.h"
#include "tests/kernel/plug.h"
#include "tests/support/devices/puppet.h"

/* A puppet that a thread serves to the kernel; whoever touches it holds the lock. */
struct peer {
    struct puppet_stage stage;
    struct puppet *puppet;
    struct usb_function_identity identity;
    unsigned port;
    struct model *usbip; /* NULL while it is unplugged */
    struct serve *serve;
    pthread_mutex_t lock;
    pthread_t thread;
    int stop; /* an eventfd */
};

static bool taken[PLUG_PORTS];

static void *serve_peer(void *context)
{
    struct peer *peer = context;
    int status = 1;

    while (status > 0) {
        status = serve_wait(peer->serve, peer->stop, NULL);
        pthread_mutex_lock(&peer->lock);
        if (status > 0)
            status = serve_step(peer->serve, NULL);
        pthread_mutex_unlock(&peer->lock);
    }
    return NULL;
}

static void insert(struct peer *peer)
{
    int ends[2];

    peer->usbip = usbip_new(&peer->puppet->model, &peer->identity, true, NULL);
    peer->stop = eventfd(0, EFD_CLOEXEC);
    if (!peer->usbip || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ||
        serve_socket(&peer->serve, peer->usbip, ends[1], NULL) ||
        pthread_create(&peer->thread, NULL, serve_peer, peer))
        guest_die("%s: cannot be served", peer->identity.serial);
    plug_socket(peer->port, ends[0], peer->identity.serial);
}

static void extract(struct peer *peer)
{
    if (!peer->usbip)
        return;
    eventfd_write(peer->stop, 1);
    pthread_join(peer->thread, NULL);
    serve_close(peer->serve);
    peer->usbip->ops->free(peer->usbip);
    peer->usbip = NULL;
    close(peer->stop);
    plug_await_absence(peer->identity.serial);
}

/* What was said last is on its way before the device goes. */
static void drop(struct peer *peer)
{
    bool is_said = false;

    for (unsigned waited = 0; !is_said && waited < GUEST_PATIENCE; waited++) {
        pthread_mutex_lock(&peer->lock);
        is_said = peer->puppet->to_host.start == peer->puppet->to_host.end;
        pthread_mutex_unlock(&peer->lock);
        if (!is_said)
            guest_sleep(1);
    }
    extract(peer);
}

static struct peer *make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = calloc(1, sizeof *peer);

    while (taken[peer->port])
        peer->port++;
    taken[peer->port] = true;
    peer->identity = (struct usb_function_identity){
        .vendor = 0x1209, .product = 0x000d, .manufacturer = "dealproof", .name = "puppet"};
    snprintf(peer->identity.serial, sizeof peer->identity.serial, "P-%u", peer->port);
    puppet_stage_open(&peer->stage, hal);
    peer->puppet = puppet_add(&peer->stage);
    pthread_mutex_init(&peer->lock, NULL);
    insert(peer);
    snprintf(address, LINK_ADDRESS_MAX, "usb:1209:000d/%s", peer->identity.serial);
    return peer;
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    size_t count = 0;

    for (unsigned waited = 0; count == 0 && waited < 100; waited++) {
        pthread_mutex_lock(&peer->lock);
        count = puppet_take(peer->puppet, bytes, size);
        pthread_mutex_unlock(&peer->lock);
        if (count == 0)
            guest_sleep(1);
    }
    return (ssize_t)count;
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    size_t count;

    pthread_mutex_lock(&peer->lock);
    count = puppet_put(peer->puppet, bytes, size);
    pthread_mutex_unlock(&peer->lock);
    serve_wake(peer->serve);
    return (ssize_t)count;
}

static void peer_free(struct peer *peer)
{
    extract(peer);
    taken[peer->port] = false;
    puppet_stage_close(&peer->stage);
    pthread_mutex_destroy(&peer->lock);
    free(peer);
}

/* The device's end takes whatever comes: a write is never short. */
const struct link_contract link_contract = {
    .traits = LINK_EXCLUSIVE | LINK_LAST_WORDS,
    .bad_addresses =
        (const char *const[]){"usb:1209:ffff", "usb:1209:000d/nobody", "usb:1209:000d@9-9", NULL},
    .make = make,
    .read = peer_read,
    .write = peer_write,
    .drop = drop,
    .restore = insert,
    .free = peer_free,
};

#define HEADER_SIZE 48 /* of USB/IP, of a request as of its answer */
#define OWN_NUMBER  0x7fffffff

/*
 * Halts an endpoint from the device's side: the device is told by a request that the kernel has not
 * made, whose answer therefore does not go there. Nothing else is under way.
 */
static void halt(struct peer *peer, uint8_t endpoint)
{
    static const uint8_t set_halt[USB_SETUP_SIZE] = {0x02, 0x03};
    uint8_t request[HEADER_SIZE] = {0}, answer[HEADER_SIZE] = {0};

    wire_put32(request, 1);
    wire_put32(request + 4, OWN_NUMBER);
    memcpy(request + HEADER_SIZE - USB_SETUP_SIZE, set_halt, sizeof set_halt);
    request[HEADER_SIZE - USB_SETUP_SIZE + 4] = endpoint;
    pthread_mutex_lock(&peer->lock);
    peer->usbip->ops->receive(peer->usbip, request, sizeof request, 0);
    CU_ASSERT_EQUAL(peer->usbip->ops->send(peer->usbip, answer, sizeof answer, 0), HEADER_SIZE);
    pthread_mutex_unlock(&peer->lock);
    CU_ASSERT_EQUAL(wire_get32(answer + 4), OWN_NUMBER);
    CU_ASSERT_EQUAL(wire_get32(answer + 20), 0);
}

/* The bytes of one message arrive once and whole, each way. A link works while it is read. */
static void expect_exchange(struct desk *desk, const char *out, const char *in)
{
    nanos_t deadline = clock_deadline(&desk->clock, 2000);
    char there[16] = "", back[16] = "";
    ssize_t count = 0, more = 1;

    CU_ASSERT_EQUAL(link_write_all(desk->link, out, strlen(out), deadline, &desk->error), 0);
    CU_ASSERT_EQUAL(link_read(desk->link, back, 1, clock_deadline(&desk->clock, 20), &desk->error),
                    0);
    for (; count < (ssize_t)strlen(out) && more > 0; count += more)
        more = peer_read(desk->peer, there + count, sizeof there - (size_t)count - 1);
    CU_ASSERT_STRING_EQUAL(there, out);
    CU_ASSERT_EQUAL(peer_write(desk->peer, in, strlen(in)), (ssize_t)strlen(in));
    for (count = 0, more = 1; count < (ssize_t)strlen(in) && more > 0; count += more)
        more = link_read(desk->link, back + count, sizeof back - (size_t)count - 1, deadline,
                         &desk->error);
    CU_ASSERT_STRING_EQUAL(back, in);
}

TEST(a_stalled_endpoint_is_cleared_and_nothing_is_lost)
{
    static const uint8_t endpoints[] = {USB_IN_ENDPOINT, USB_OUT_ENDPOINT};
    struct desk desk;

    desk_start(&desk);
    expect_exchange(&desk, "before", "first");
    for (size_t i = 0; i < sizeof endpoints; i++) {
        halt(desk.peer, endpoints[i]);
        expect_exchange(&desk, "during", "second");
        expect_exchange(&desk, "after", "third");
    }
    desk_end(&desk);
}

TEST(round_trips_are_measured)
{
    struct desk desk;

    desk_start(&desk);
    desk.peer->puppet->is_echo = true;
    desk_measure(&desk, 500, true, "64-byte round trip over USB");
    desk_end(&desk);
}

LINK_CONTRACT_TESTS
