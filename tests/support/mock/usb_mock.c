/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mock/usb_mock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/mock/testbed_node.h"

#define DESCRIPTORS_MAX 256
#define INBOX_SIZE      4096 /* a device takes no more until somebody reads */

/* One halt: how often it still comes back, and what of a write gets through before it. */
struct halt {
    unsigned times;
    bool on;
    size_t taken;
};

struct urb {
    UMockdevIoctlData *data;
    UMockdevIoctlClient *client;
    size_t filled; /* bytes of full packets in a transfer that waits for more */
};

struct usb_mock {
    UMockdevTestbed *testbed;
    UMockdevIoctlBase *handler;
    struct usb_mock_identity identity;
    char syspath[64], node[64];
    GMutex lock;
    GCond changed;
    int master, slave;
    bool present, held, occupied;
    UMockdevIoctlClient *owner; /* whoever claimed the interface */
    GQueue flying;              /* struct urb, waiting for the device */
    GQueue done;                /* struct urb, waiting for the host */
    GQueue packets;             /* GBytes, waiting for a transfer */
    GByteArray *received;
    struct halt in, out;
    struct usb_mock_counts counts;
};

static const struct usb_mock_interface plain_interface = {
    .class = 0xff, .endpoint_count = 2, .endpoints = {{0x81, 2, 512}, {0x01, 2, 512}}};

static struct usbdevfs_urb *urb_of(const struct urb *urb)
{
    return (struct usbdevfs_urb *)(void *)urb->data->data;
}

static UMockdevIoctlData *buffer_of(const struct urb *urb)
{
    return umockdev_ioctl_data_resolve(urb->data, offsetof(struct usbdevfs_urb, buffer),
                                       (size_t)urb_of(urb)->buffer_length, NULL);
}

static void urb_free(gpointer data)
{
    struct urb *urb = data;

    g_object_unref(urb->data);
    g_free(urb);
}

/* usbfs is writable while something can be reaped. */
static void show_readiness(struct usb_mock *mock)
{
    if (mock->present && mock->slave >= 0)
        tcflow(mock->slave, g_queue_is_empty(&mock->done) ? TCOOFF : TCOON);
}

static void finish(struct usb_mock *mock, struct urb *urb, int status, size_t length)
{
    urb_of(urb)->status = status;
    urb_of(urb)->actual_length = (int)length;
    g_queue_push_tail(&mock->done, urb);
}

/* True while the endpoint is halted, which its use may only just have brought about. */
static bool halts(struct halt *halt)
{
    if (!halt->on && halt->times) {
        halt->times--;
        halt->on = true;
        return true;
    }
    return halt->on;
}

static size_t packet_size(const struct usb_mock *mock)
{
    return mock->identity.interfaces ? mock->identity.interfaces[0].endpoints[0].packet
                                     : plain_interface.endpoints[0].packet;
}

/* A transfer ends with a short packet or when it is full, as on the bus. */
static bool fill(struct usb_mock *mock, struct urb *urb, GBytes *packet)
{
    g_autoptr(UMockdevIoctlData) buffer = buffer_of(urb);
    size_t room = (size_t)urb_of(urb)->buffer_length - urb->filled;
    gsize size;
    const void *bytes = g_bytes_get_data(packet, &size);

    if (size > room) {
        finish(mock, urb, -EOVERFLOW, urb->filled);
        return true;
    }
    if (size)
        memcpy(buffer->data + urb->filled, bytes, size);
    urb->filled += size;
    if (size == packet_size(mock) && size < room)
        return false;
    finish(mock, urb, 0, urb->filled);
    return true;
}

static bool serve_in(struct usb_mock *mock, struct urb *urb)
{
    GBytes *packet;
    bool done = false;

    if (halts(&mock->in)) {
        finish(mock, urb, -EPIPE, urb->filled);
        return true;
    }
    while (!done && (packet = g_queue_pop_head(&mock->packets))) {
        done = fill(mock, urb, packet);
        g_bytes_unref(packet);
    }
    return done;
}

static bool serve_out(struct usb_mock *mock, struct urb *urb)
{
    g_autoptr(UMockdevIoctlData) buffer = NULL;
    size_t length = (size_t)urb_of(urb)->buffer_length;
    int status = 0;

    if (mock->held || mock->received->len >= INBOX_SIZE)
        return false;
    if (halts(&mock->out)) {
        status = -EPIPE;
        length = length < mock->out.taken ? length : mock->out.taken;
    }
    buffer = buffer_of(urb);
    g_byte_array_append(mock->received, buffer->data, (guint)length);
    finish(mock, urb, status, length);
    return true;
}

/* Serves each waiting transfer, those of an endpoint in the order of their submission. */
static void serve(struct usb_mock *mock)
{
    guint count = g_queue_get_length(&mock->flying);
    bool blocked[2] = {false, false};

    for (guint i = 0; i < count; i++) {
        struct urb *urb = g_queue_pop_head(&mock->flying);
        bool in = urb_of(urb)->endpoint & 0x80;

        if (!blocked[in] && (in ? serve_in(mock, urb) : serve_out(mock, urb)))
            continue;
        blocked[in] = true;
        g_queue_push_tail(&mock->flying, urb);
    }
    show_readiness(mock);
    g_cond_broadcast(&mock->changed);
}

static int submit(struct usb_mock *mock, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
    struct urb *urb;

    if (!mock->present)
        return ENODEV;
    urb = g_new0(struct urb, 1);
    urb->client = client;
    urb->data = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), NULL);
    g_object_unref(buffer_of(urb));
    mock->counts.submitted++;
    g_queue_push_tail(&mock->flying, urb);
    serve(mock);
    return 0;
}

static int reap(struct usb_mock *mock, UMockdevIoctlData *argument)
{
    g_autoptr(UMockdevIoctlData) pointer = NULL;
    struct urb *urb = g_queue_pop_head(&mock->done);

    if (!urb) {
        mock->counts.reaps_in_vain++;
        return mock->present ? EAGAIN : ENODEV;
    }
    mock->counts.reaped++;
    pointer = umockdev_ioctl_data_resolve(argument, 0, sizeof(void *), NULL);
    umockdev_ioctl_data_set_ptr(pointer, 0, urb->data);
    urb_free(urb);
    show_readiness(mock);
    return 0;
}

static int discard(struct usb_mock *mock, const UMockdevIoctlData *argument)
{
    for (GList *i = mock->flying.head; i; i = i->next) {
        struct urb *urb = i->data;

        if (urb->data->client_addr != *(gulong *)(void *)argument->data)
            continue;
        g_queue_delete_link(&mock->flying, i);
        mock->counts.discarded++;
        finish(mock, urb, -ENOENT, 0);
        show_readiness(mock);
        return 0;
    }
    return EINVAL;
}

static int claim(struct usb_mock *mock, UMockdevIoctlClient *client, unsigned interface)
{
    if (!mock->present)
        return ENODEV;
    if (mock->occupied ||
        (mock->owner && mock->owner != client && umockdev_ioctl_client_get_connected(mock->owner)))
        return EBUSY;
    mock->owner = client;
    mock->counts.claimed = (int)interface;
    return 0;
}

static int clear_halt(struct usb_mock *mock, unsigned endpoint)
{
    struct halt *halt = endpoint & 0x80 ? &mock->in : &mock->out;

    if (!mock->present)
        return ENODEV;
    halt->on = false;
    mock->counts.halts_cleared++;
    return 0;
}

static unsigned number_at(UMockdevIoctlData *argument)
{
    g_autoptr(UMockdevIoctlData) data =
        umockdev_ioctl_data_resolve(argument, 0, sizeof(unsigned), NULL);

    return *(unsigned *)(void *)data->data;
}

static int disconnect_claim(struct usb_mock *mock, UMockdevIoctlClient *client,
                            UMockdevIoctlData *argument)
{
    mock->counts.detached++;
    return claim(mock, client, number_at(argument));
}

static int set_alternate(struct usb_mock *mock, UMockdevIoctlData *argument)
{
    g_autoptr(UMockdevIoctlData) data =
        umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_setinterface), NULL);

    mock->counts.alternate = (int)((struct usbdevfs_setinterface *)(void *)data->data)->altsetting;
    return 0;
}

static int capabilities(struct usb_mock *mock, UMockdevIoctlData *argument)
{
    g_autoptr(UMockdevIoctlData) data =
        umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);

    *(guint32 *)(void *)data->data = USBDEVFS_CAP_BULK_CONTINUATION |
                                     USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                     USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
    mock->counts.opened++;
    return 0;
}

static int release(struct usb_mock *mock)
{
    mock->owner = NULL;
    return mock->present ? 0 : ENODEV;
}

static int answer(struct usb_mock *mock, UMockdevIoctlClient *client, unsigned long request,
                  UMockdevIoctlData *argument)
{
    switch (request) {
    case USBDEVFS_GET_CAPABILITIES:
        return capabilities(mock, argument);
    case USBDEVFS_DISCONNECT_CLAIM:
        return disconnect_claim(mock, client, argument);
    case USBDEVFS_CLAIMINTERFACE:
        return claim(mock, client, number_at(argument));
    case USBDEVFS_RELEASEINTERFACE:
        return release(mock);
    case USBDEVFS_IOCTL:
        mock->counts.attached++;
        return 0;
    case USBDEVFS_SETINTERFACE:
        return set_alternate(mock, argument);
    case USBDEVFS_CLEAR_HALT:
        return clear_halt(mock, number_at(argument));
    case USBDEVFS_SUBMITURB:
        return submit(mock, client, argument);
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
        return reap(mock, argument);
    case USBDEVFS_DISCARDURB:
        return discard(mock, argument);
    default:
        return ENOTTY;
    }
}

static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user)
{
    struct usb_mock *mock = user;
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    int number;

    (void)handler;
    g_mutex_lock(&mock->lock);
    number = answer(mock, client, umockdev_ioctl_client_get_request(client), argument);
    g_mutex_unlock(&mock->lock);
    umockdev_ioctl_client_complete(client, number ? -1 : 0, number);
    return TRUE;
}

/* A program that closes the node, or dies, takes its transfers and claims with it. */
static void client_vanished(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user)
{
    struct usb_mock *mock = user;
    GQueue *queues[] = {&mock->flying, &mock->done};

    (void)handler;
    g_mutex_lock(&mock->lock);
    if (mock->owner == client)
        mock->owner = NULL;
    for (size_t q = 0; q < 2; q++)
        for (GList *i = queues[q]->head, *next; i; i = next) {
            struct urb *urb = i->data;

            next = i->next;
            if (urb->client != client)
                continue;
            g_queue_delete_link(queues[q], i);
            urb_free(urb);
        }
    show_readiness(mock);
    g_mutex_unlock(&mock->lock);
}

static size_t put(uint8_t *bytes, size_t at, const uint8_t *more, size_t count)
{
    memcpy(bytes + at, more, count);
    return at + count;
}

static size_t describe_interface(uint8_t *bytes, size_t at,
                                 const struct usb_mock_interface *interface)
{
    const uint8_t header[] = {9,
                              4,
                              interface->number,
                              interface->alternate,
                              interface->endpoint_count,
                              interface->class,
                              0,
                              0,
                              0};

    at = put(bytes, at, header, sizeof header);
    for (size_t i = 0; i < interface->endpoint_count; i++) {
        const struct usb_mock_endpoint *e = &interface->endpoints[i];
        const uint8_t endpoint[] = {
            7, 5, e->address, e->type, (uint8_t)(e->packet & 0xff), (uint8_t)(e->packet >> 8), 1};

        at = put(bytes, at, endpoint, sizeof endpoint);
    }
    return at;
}

/* The device's and its only configuration's descriptors, as sysfs shows them. */
static size_t describe(const struct usb_mock *mock, uint8_t *bytes)
{
    const struct usb_mock_identity *id = &mock->identity;
    const struct usb_mock_interface *interfaces =
        id->interfaces ? id->interfaces : &plain_interface;
    size_t count = id->interfaces ? id->interface_count : 1, total;
    uint8_t numbers = 0;
    const uint8_t device[] = {18,
                              1,
                              0,
                              2,
                              0,
                              0,
                              0,
                              64,
                              (uint8_t)(id->vendor & 0xff),
                              (uint8_t)(id->vendor >> 8),
                              (uint8_t)(id->product & 0xff),
                              (uint8_t)(id->product >> 8),
                              0,
                              1,
                              1,
                              2,
                              3,
                              1};

    for (size_t i = 0; i < count; i++)
        numbers = (uint8_t)(interfaces[i].number + 1);
    total = put(bytes, 0, device, sizeof device) + 9;
    for (size_t i = 0; i < count; i++)
        total = describe_interface(bytes, total, &interfaces[i]);
    put(bytes, sizeof device,
        (const uint8_t[]){9, 2, (uint8_t)((total - sizeof device) & 0xff),
                          (uint8_t)((total - sizeof device) >> 8), numbers, 1, 0, 0x80, 50},
        9);
    return total;
}

static char *describe_to_udev(const struct usb_mock *mock)
{
    const struct usb_mock_identity *id = &mock->identity;
    GString *text = g_string_new(NULL);
    uint8_t bytes[DESCRIPTORS_MAX];
    size_t size = describe(mock, bytes);

    g_string_append_printf(text,
                           "P: /devices/usb1/1-%u\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\n"
                           "E: BUSNUM=001\nE: DEVNUM=%03u\nE: DEVNAME=%s\n"
                           "A: busnum=1\\n\nA: devnum=%u\\n\nA: bConfigurationValue=1\\n\n"
                           "A: speed=480\\n\nA: idVendor=%04x\\n\nA: idProduct=%04x\\n\n",
                           id->port, id->port, mock->node, id->port, id->vendor, id->product);
    testbed_describe(text, "serial", id->serial);
    testbed_describe(text, "manufacturer", id->manufacturer);
    testbed_describe(text, "product", id->name);
    g_string_append(text, "H: descriptors=");
    for (size_t i = 0; i < size; i++)
        g_string_append_printf(text, "%02X", bytes[i]);
    g_string_append(text, "\n");
    return g_string_free(text, FALSE);
}

static void close_node(struct usb_mock *mock)
{
    g_mutex_lock(&mock->lock);
    if (mock->master >= 0) {
        struct urb *urb;

        mock->present = false;
        while ((urb = g_queue_pop_head(&mock->flying)))
            finish(mock, urb, -ESHUTDOWN, 0);
        close(mock->master);
        close(mock->slave);
        mock->master = mock->slave = -1;
    }
    g_mutex_unlock(&mock->lock);
}

static void remove_from_udev(struct usb_mock *mock)
{
    g_autofree char *path = testbed_node_path(mock->testbed, mock->node);

    if (unlink(path))
        return;
    umockdev_testbed_uevent(mock->testbed, mock->syspath, "remove");
    umockdev_testbed_remove_device(mock->testbed, mock->syspath);
}

void usb_mock_plug(struct usb_mock *mock)
{
    g_autofree char *description = describe_to_udev(mock);
    g_autoptr(GError) error = NULL;

    g_mutex_lock(&mock->lock);
    g_queue_clear_full(&mock->done, urb_free);
    g_queue_clear_full(&mock->packets, (GDestroyNotify)g_bytes_unref);
    g_byte_array_set_size(mock->received, 0);
    testbed_node_make(mock->testbed, mock->node, &mock->master, &mock->slave);
    tcflow(mock->slave, TCOOFF);
    mock->present = true;
    mock->owner = NULL;
    g_mutex_unlock(&mock->lock);
    umockdev_testbed_add_from_string(mock->testbed, description, &error);
    g_assert_no_error(error);
}

void usb_mock_unplug(struct usb_mock *mock)
{
    close_node(mock);
    remove_from_udev(mock);
}

void usb_mock_vanish(struct usb_mock *mock)
{
    remove_from_udev(mock);
}

void usb_mock_die(struct usb_mock *mock)
{
    close_node(mock);
}

struct usb_mock *usb_mock_new(UMockdevTestbed *testbed, const struct usb_mock_identity *identity)
{
    struct usb_mock *mock = g_new0(struct usb_mock, 1);

    mock->testbed = testbed;
    mock->identity = *identity;
    mock->master = mock->slave = -1;
    mock->counts.claimed = -1;
    mock->received = g_byte_array_new();
    g_mutex_init(&mock->lock);
    g_cond_init(&mock->changed);
    g_queue_init(&mock->flying);
    g_queue_init(&mock->done);
    g_queue_init(&mock->packets);
    snprintf(mock->syspath, sizeof mock->syspath, "/sys/devices/usb1/1-%u", identity->port);
    snprintf(mock->node, sizeof mock->node, "/dev/bus/usb/001/%03u", identity->port);
    mock->handler = umockdev_ioctl_base_new();
    g_signal_connect(mock->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), mock);
    g_signal_connect(mock->handler, "client-vanished", G_CALLBACK(client_vanished), mock);
    g_assert(umockdev_testbed_attach_ioctl(testbed, mock->node, mock->handler, NULL));
    usb_mock_plug(mock);
    return mock;
}

void usb_mock_free(struct usb_mock *mock)
{
    if (!mock)
        return;
    usb_mock_unplug(mock);
    umockdev_testbed_detach_ioctl(mock->testbed, mock->node, NULL);
    g_signal_handlers_disconnect_by_data(mock->handler, mock);
    g_object_unref(mock->handler);
    g_queue_clear_full(&mock->flying, urb_free);
    g_queue_clear_full(&mock->done, urb_free);
    g_queue_clear_full(&mock->packets, (GDestroyNotify)g_bytes_unref);
    g_byte_array_unref(mock->received);
    g_mutex_clear(&mock->lock);
    g_cond_clear(&mock->changed);
    g_free(mock);
}

ssize_t usb_mock_read(struct usb_mock *mock, void *bytes, size_t size)
{
    gint64 until = g_get_monotonic_time() + 100 * G_TIME_SPAN_MILLISECOND;

    g_mutex_lock(&mock->lock);
    while (!mock->received->len && g_cond_wait_until(&mock->changed, &mock->lock, until))
        ;
    if (size > mock->received->len)
        size = mock->received->len;
    if (size) {
        memcpy(bytes, mock->received->data, size);
        g_byte_array_remove_range(mock->received, 0, (guint)size);
        serve(mock);
    }
    g_mutex_unlock(&mock->lock);
    return (ssize_t)size;
}

void usb_mock_packet(struct usb_mock *mock, const void *bytes, size_t size)
{
    g_mutex_lock(&mock->lock);
    g_queue_push_tail(&mock->packets, g_bytes_new(bytes, size));
    serve(mock);
    g_mutex_unlock(&mock->lock);
}

void usb_mock_write(struct usb_mock *mock, const void *bytes, size_t size)
{
    size_t packet = packet_size(mock);

    for (size_t at = 0; at < size; at += packet)
        usb_mock_packet(mock, (const uint8_t *)bytes + at, size - at < packet ? size - at : packet);
}

void usb_mock_hold(struct usb_mock *mock, bool hold)
{
    g_mutex_lock(&mock->lock);
    mock->held = hold;
    serve(mock);
    g_mutex_unlock(&mock->lock);
}

void usb_mock_stall(struct usb_mock *mock, uint8_t endpoint, unsigned times, size_t taken)
{
    g_mutex_lock(&mock->lock);
    *(endpoint & 0x80 ? &mock->in : &mock->out) = (struct halt){.times = times, .taken = taken};
    serve(mock);
    g_mutex_unlock(&mock->lock);
}

void usb_mock_forbid(struct usb_mock *mock, bool forbid)
{
    fchmod(mock->slave, forbid ? 0 : 0666);
}

void usb_mock_occupy(struct usb_mock *mock, bool occupied)
{
    g_mutex_lock(&mock->lock);
    mock->occupied = occupied;
    g_mutex_unlock(&mock->lock);
}

void usb_mock_counts(struct usb_mock *mock, struct usb_mock_counts *counts)
{
    g_mutex_lock(&mock->lock);
    *counts = mock->counts;
    g_mutex_unlock(&mock->lock);
}
