#include <errno.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/link_contract.h"
#include "tests/usb_mock.h"

struct peer {
    UMockdevTestbed *testbed;
    struct usb_mock *mock;
    char serial[16];
};

/* One testbed at a time can be the machine, however many peers there are. */
static UMockdevTestbed *testbed;
static unsigned peers;

static void testbed_enter(void)
{
    if (!peers++)
        testbed = umockdev_testbed_new();
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

SUITE("link_usb", LINK_CONTRACT_TESTS)
