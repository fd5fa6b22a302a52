/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "usb:VID:PID[/SERIAL|@PORT]" on libusb, asynchronous. A ring of transfers is always waiting for
 * the device, one packet each: a message that ends on a full packet would be held back in a larger
 * buffer. A write counts as moved once it is queued, as on every other link; what becomes of it
 * shows in the next call. Everything is allocated when the link opens.
 *
 * Each link has a libusb context of its own. The context's descriptors are gathered in one epoll
 * descriptor, so that waiting for them is hal_wait() with its deadline and cancellation.
 */
#include <errno.h>
#include <libusb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "hal/base/registry.h"
#include "hal/base/udev.h"
#include "hal/link/link.h"
#include "hal/usb/device.h"

#define IN_SLOTS    32
#define OUT_SIZE    16384
#define OPEN_TRIES  10
#define OPEN_PAUSE  (50 * NANOS_PER_MILLI)
#define REAP_TRIES  100
#define REAP_MICROS 20000
#define DRAIN_TRIES 10

struct slot {
    struct libusb_transfer *transfer;
    bool busy;
    int taken; /* bytes that the reader has had of it */
};

struct usb_link {
    struct link link;
    libusb_context *context;
    libusb_device *device;
    libusb_device_handle *handle;
    struct usb_pipe pipe;
    int epoll;
    bool blind; /* a descriptor of libusb could not be watched */
    bool claimed;
    bool gone;
    struct slot in[IN_SLOTS];
    unsigned head; /* the slot whose bytes come next */
    bool in_stalled;
    struct slot out;
    bool out_queued;
    bool out_stalled;
    unsigned char *buffers;
};

static int device_gone(struct usb_link *usb, struct error *error)
{
    usb->gone = true;
    return error_set(error, ERROR_DEVICE, "%s: the device is gone; plug it in again",
                     usb->link.address);
}

static int usb_failed(struct usb_link *usb, const char *what, int status, struct error *error)
{
    if (status == LIBUSB_ERROR_NO_DEVICE || status == LIBUSB_ERROR_NOT_FOUND)
        return device_gone(usb, error);
    return error_set(error, ERROR_RIG, "%s: cannot %s: %s", usb->link.address, what,
                     libusb_strerror(status));
}

static void descriptor_added(int fd, short events, void *context)
{
    struct usb_link *usb = context;
    struct epoll_event event = {.events = (uint32_t)(unsigned short)events, .data.fd = fd};

    if (epoll_ctl(usb->epoll, EPOLL_CTL_ADD, fd, &event))
        usb->blind = true;
}

static void descriptor_removed(int fd, void *context)
{
    struct usb_link *usb = context;

    epoll_ctl(usb->epoll, EPOLL_CTL_DEL, fd, NULL);
}

static int watch_descriptors(struct usb_link *usb, struct error *error)
{
    const struct libusb_pollfd **fds;

    usb->epoll = epoll_create1(EPOLL_CLOEXEC);
    fds = usb->epoll < 0 ? NULL : libusb_get_pollfds(usb->context);
    if (!fds)
        return error_set(error, ERROR_RIG, "%s: cannot watch libusb: %s", usb->link.address,
                         strerror(errno));
    for (size_t i = 0; fds[i]; i++)
        descriptor_added(fds[i]->fd, fds[i]->events, usb);
    libusb_free_pollfds(fds);
    libusb_set_pollfd_notifiers(usb->context, descriptor_added, descriptor_removed, usb);
    return 0;
}

static int LIBUSB_CALL device_left(libusb_context *context, libusb_device *device,
                                   libusb_hotplug_event event, void *user)
{
    struct usb_link *usb = user;

    (void)context;
    (void)event;
    if (device == usb->device)
        usb->gone = true;
    return 0;
}

/* Without hotplug support the transfers that wait for the device tell that it left. */
static int watch_departure(struct usb_link *usb, const struct usb_address *address,
                           struct error *error)
{
    int status;

    if (!libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG))
        return 0;
    status = libusb_hotplug_register_callback(
        usb->context, LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT, LIBUSB_HOTPLUG_NO_FLAGS, address->vendor,
        address->product, LIBUSB_HOTPLUG_MATCH_ANY, device_left, usb, NULL);
    return status ? usb_failed(usb, "watch for the device's departure", status, error) : 0;
}

static int open_failed(struct usb_link *usb, int status, struct error *error)
{
    if (status == LIBUSB_ERROR_ACCESS)
        return error_set(error, ERROR_RIG,
                         "%s: no permission to use /dev/bus/usb/%03d/%03d; join the group plugdev "
                         "and log in again; where it is not the device's, follow the first lines "
                         "of " UDEV_RULES,
                         usb->link.address, libusb_get_bus_number(usb->device),
                         libusb_get_device_address(usb->device));
    return usb_failed(usb, "open the device", status, error);
}

/* A device that has just arrived has no node or no permissions until udev is through with it. */
static int open_handle(struct usb_link *usb, struct error *error)
{
    const struct link *link = &usb->link;

    for (int tries = 1;; tries++) {
        int status = libusb_open(usb->device, &usb->handle);
        nanos_t pause = clock_now(link->hal->clock) + OPEN_PAUSE;
        bool settling = status == LIBUSB_ERROR_ACCESS || status == LIBUSB_ERROR_NOT_FOUND ||
                        status == LIBUSB_ERROR_NO_DEVICE;

        if (!status)
            return 0;
        if (!settling || tries == OPEN_TRIES || pause >= link->open_by)
            return open_failed(usb, status, error);
        status = hal_wait(link->hal, -1, 0, pause, error);
        if (status < 0)
            return status;
    }
}

static int claim(struct usb_link *usb, struct error *error)
{
    const struct usb_pipe *pipe = &usb->pipe;
    int status;

    libusb_set_auto_detach_kernel_driver(usb->handle, 1);
    status = libusb_claim_interface(usb->handle, pipe->interface);
    if (status == LIBUSB_ERROR_BUSY)
        return error_set(error, ERROR_RIG,
                         "%s: interface %d is in use by another program; close that first",
                         usb->link.address, pipe->interface);
    if (status)
        return usb_failed(usb, "claim the interface", status, error);
    usb->claimed = true;
    if (pipe->alternate)
        status = libusb_set_interface_alt_setting(usb->handle, pipe->interface, pipe->alternate);
    return status ? usb_failed(usb, "choose the interface's setting", status, error) : 0;
}

static void LIBUSB_CALL transfer_done(struct libusb_transfer *transfer)
{
    struct slot *slot = transfer->user_data;

    slot->busy = false;
}

static int make_slot(struct usb_link *usb, struct slot *slot, uint8_t endpoint, uint8_t type,
                     unsigned char *buffer, int size, struct error *error)
{
    slot->transfer = libusb_alloc_transfer(0);
    if (!slot->transfer)
        return error_set(error, ERROR_RIG, "%s: out of memory", usb->link.address);
    /* Bulk and interrupt transfers are filled in alike but for their type. */
    libusb_fill_bulk_transfer(slot->transfer, usb->handle, endpoint, buffer, size, transfer_done,
                              slot, 0);
    slot->transfer->type = type;
    return 0;
}

static int submit(struct usb_link *usb, struct slot *slot, struct error *error)
{
    int status = libusb_submit_transfer(slot->transfer);

    if (status)
        return usb_failed(usb, "queue a transfer", status, error);
    slot->busy = true;
    slot->taken = 0;
    return 0;
}

static int start_transfers(struct usb_link *usb, struct error *error)
{
    const struct usb_pipe *pipe = &usb->pipe;
    size_t packet = pipe->in_packet;
    int status;

    usb->buffers = calloc(1, OUT_SIZE + IN_SLOTS * packet);
    if (!usb->buffers)
        return error_set(error, ERROR_RIG, "%s: out of memory", usb->link.address);
    status = make_slot(usb, &usb->out, pipe->out, pipe->out_type, usb->buffers, OUT_SIZE, error);
    for (size_t i = 0; i < IN_SLOTS && !status; i++) {
        unsigned char *buffer = usb->buffers + OUT_SIZE + i * packet;

        status = make_slot(usb, &usb->in[i], pipe->in, pipe->in_type, buffer, (int)packet, error);
        if (!status)
            status = submit(usb, &usb->in[i], error);
    }
    return status;
}

/* Lets libusb work, in short waits that end early, until a slot is free; false if it stays busy. */
static bool reap(struct usb_link *usb, const struct slot *slot, int tries)
{
    for (; slot->busy && tries; tries--) {
        struct timeval wait = {.tv_usec = REAP_MICROS};

        libusb_handle_events_timeout_completed(usb->context, &wait, NULL);
    }
    return !slot->busy;
}

static void cancel(struct usb_link *usb, struct slot *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slots[i].busy)
            libusb_cancel_transfer(slots[i].transfer);
    for (size_t i = 0; i < count; i++)
        if (!reap(usb, &slots[i], REAP_TRIES))
            return;
}

static void stop_transfers(struct usb_link *usb)
{
    /* Waits a moment for the last write to be sent. */
    if (!usb->gone)
        reap(usb, &usb->out, DRAIN_TRIES);
    cancel(usb, &usb->out, 1);
    cancel(usb, usb->in, IN_SLOTS);
}

static void free_transfers(struct usb_link *usb)
{
    libusb_free_transfer(usb->out.transfer);
    for (size_t i = 0; i < IN_SLOTS; i++)
        libusb_free_transfer(usb->in[i].transfer);
    free(usb->buffers);
}

/* Also takes down a link that failed to open halfway. */
static void usb_close(struct link *link)
{
    struct usb_link *usb = (struct usb_link *)link;

    if (usb->handle) {
        stop_transfers(usb);
        if (usb->claimed)
            libusb_release_interface(usb->handle, usb->pipe.interface);
        libusb_close(usb->handle);
        free_transfers(usb);
    }
    if (usb->device)
        libusb_unref_device(usb->device);
    libusb_set_pollfd_notifiers(usb->context, NULL, NULL, NULL);
    if (usb->epoll >= 0)
        close(usb->epoll);
    libusb_exit(usb->context);
}

static int open_device(struct usb_link *usb, const struct usb_address *address, struct error *error)
{
    const char *written = usb->link.address;
    int status;

    status = watch_descriptors(usb, error);
    if (!status)
        status = watch_departure(usb, address, error);
    if (!status)
        status = usb_find(usb->context, address, written, &usb->device, error);
    if (!status)
        status = usb_pipe_find(usb->device, written, &usb->pipe, error);
    if (!status)
        status = open_handle(usb, error);
    if (!status && usb->blind)
        status = error_set(error, ERROR_RIG, "%s: cannot watch the device's descriptor", written);
    if (!status)
        status = claim(usb, error);
    return status ? status : start_transfers(usb, error);
}

static int usb_open(struct link *link, const char *rest, struct error *error)
{
    struct usb_link *usb = (struct usb_link *)link;
    struct usb_address address;
    int status;

    if (!usb_address_parse(&address, rest))
        return error_set(error, ERROR_CONFIG,
                         "%s: that is not a USB address; write " USB_FORM
                         " (VID and PID are four hexadecimal digits each)",
                         link->address);
    usb->epoll = -1;
    status = libusb_init(&usb->context);
    if (status)
        return error_set(error, ERROR_RIG, "%s: cannot use USB on this machine: %s", link->address,
                         libusb_strerror(status));
    status = open_device(usb, &address, error);
    if (status)
        usb_close(link);
    return status;
}

/* Waits for libusb and lets it work: 1 if something may have happened, 0 at the deadline. */
static int pump(struct usb_link *usb, nanos_t deadline, struct error *error)
{
    const struct hal *hal = usb->link.hal;
    struct timeval due, now = {0};
    nanos_t until = deadline;
    int status;

    if (libusb_get_next_timeout(usb->context, &due) == 1) {
        nanos_t next =
            clock_now(hal->clock) + due.tv_sec * NANOS_PER_SECOND + due.tv_usec * NANOS_PER_MICRO;

        until = next < deadline ? next : deadline;
    }
    status = hal_wait(hal, usb->epoll, POLLIN, until, error);
    if (status < 0 || (status == 0 && until == deadline))
        return status;
    status = libusb_handle_events_timeout_completed(usb->context, &now, NULL);
    if (status && status != LIBUSB_ERROR_INTERRUPTED)
        return usb_failed(usb, "handle events", status, error);
    return 1;
}

static int transfer_failed(struct usb_link *usb, const struct libusb_transfer *transfer,
                           struct error *error)
{
    const char *what = "failed";

    switch (transfer->status) {
    case LIBUSB_TRANSFER_NO_DEVICE:
        return device_gone(usb, error);
    case LIBUSB_TRANSFER_STALL:
        what = "stalls again after its halt was cleared";
        break;
    case LIBUSB_TRANSFER_OVERFLOW:
        what = "sent more than its packet size";
        break;
    default:
        break;
    }
    return error_set(error, ERROR_DEVICE, "%s: endpoint 0x%02x %s; power the device off and on",
                     usb->link.address, transfer->endpoint, what);
}

/* The transfers behind a stalled one fell to the same halt, or are called back before it ends. */
static int recover_in(struct usb_link *usb, struct error *error)
{
    int status;

    usb->in_stalled = true;
    cancel(usb, usb->in, IN_SLOTS);
    for (size_t i = 0; i < IN_SLOTS; i++)
        if (!usb->in[i].busy && usb->in[i].transfer->status == LIBUSB_TRANSFER_STALL)
            usb->in[i].transfer->status = LIBUSB_TRANSFER_CANCELLED;
    status = libusb_clear_halt(usb->handle, usb->pipe.in);
    return status ? usb_failed(usb, "clear the device's halt", status, error) : 0;
}

/* Puts the slot whose bytes are all read to the end of the queue. */
static int requeue(struct usb_link *usb, struct slot *slot, struct error *error)
{
    enum libusb_transfer_status ended = slot->transfer->status;
    int status = 0;

    if (ended == LIBUSB_TRANSFER_STALL && !usb->in_stalled)
        status = recover_in(usb, error);
    else if (ended != LIBUSB_TRANSFER_COMPLETED && ended != LIBUSB_TRANSFER_CANCELLED)
        status = transfer_failed(usb, slot->transfer, error);
    if (!status)
        status = submit(usb, slot, error);
    if (!status)
        usb->head = (usb->head + 1) % IN_SLOTS;
    return status;
}

static size_t take(struct slot *slot, void *bytes, size_t size)
{
    size_t count = (size_t)(slot->transfer->actual_length - slot->taken);

    if (count > size)
        count = size;
    memcpy(bytes, slot->transfer->buffer + slot->taken, count);
    slot->taken += (int)count;
    return count;
}

/* Sends the rest of what a halted endpoint did not take. */
static int recover_out(struct usb_link *usb, struct error *error)
{
    struct libusb_transfer *transfer = usb->out.transfer;
    int rest = transfer->length - transfer->actual_length;
    int status = libusb_clear_halt(usb->handle, usb->pipe.out);

    usb->out_stalled = true;
    if (status)
        return usb_failed(usb, "clear the device's halt", status, error);
    memmove(transfer->buffer, transfer->buffer + transfer->actual_length, (size_t)rest);
    transfer->length = rest;
    return submit(usb, &usb->out, error);
}

/* What became of the last write: 0 while it is on its way or when it arrived. */
static int settle_out(struct usb_link *usb, struct error *error)
{
    struct libusb_transfer *transfer = usb->out.transfer;

    if (!usb->out_queued || usb->out.busy)
        return 0;
    if (transfer->status == LIBUSB_TRANSFER_STALL && !usb->out_stalled)
        return recover_out(usb, error);
    if (transfer->status != LIBUSB_TRANSFER_COMPLETED)
        return transfer_failed(usb, transfer, error);
    usb->out_queued = false;
    usb->out_stalled = false;
    return 0;
}

/* What the device sent before it left; then that it is gone. */
static ssize_t last_words(struct usb_link *usb, void *bytes, size_t size, struct error *error)
{
    struct timeval now = {0};

    libusb_handle_events_timeout_completed(usb->context, &now, NULL);
    for (unsigned i = 0; i < IN_SLOTS; i++) {
        struct slot *slot = &usb->in[(usb->head + i) % IN_SLOTS];
        size_t count = slot->busy ? 0 : take(slot, bytes, size);

        if (count)
            return (ssize_t)count;
    }
    return device_gone(usb, error);
}

static ssize_t usb_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                        struct error *error)
{
    struct usb_link *usb = (struct usb_link *)link;

    if (hal_cancelled(link->hal))
        return error_set(error, ERROR_ABORTED, "%s: cancelled", link->address);
    while (!usb->gone) {
        struct slot *slot = &usb->in[usb->head];
        int status;

        if (!slot->busy) {
            size_t count = take(slot, bytes, size);

            if (count) {
                usb->in_stalled = false;
                return (ssize_t)count;
            }
            status = requeue(usb, slot, error);
        } else {
            status = settle_out(usb, error);
            if (!status && !(status = pump(usb, deadline, error)))
                return 0;
        }
        if (status < 0 && !usb->gone)
            return status;
    }
    return last_words(usb, bytes, size, error);
}

static ssize_t usb_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    struct usb_link *usb = (struct usb_link *)link;
    size_t count = size < OUT_SIZE ? size : OUT_SIZE;
    int status;

    while (!(status = settle_out(usb, error)) && usb->out_queued && !usb->gone) {
        status = pump(usb, deadline, error);
        if (status <= 0)
            return status;
    }
    if (status)
        return status;
    if (usb->gone)
        return device_gone(usb, error);
    memcpy(usb->out.transfer->buffer, bytes, count);
    usb->out.transfer->length = (int)count;
    status = submit(usb, &usb->out, error);
    if (status)
        return status;
    usb->out_queued = true;
    return (ssize_t)count;
}

/* All that becomes of transfers shows at libusb's descriptors, also that one can be written. */
static void usb_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled)
{
    (void)reads;
    (void)writes;
    polled->fd = ((const struct usb_link *)link)->epoll;
    polled->events = POLLIN;
}

static const struct link_backend usb_backend = {
    .scheme = "usb",
    .form = USB_FORM,
    .size = sizeof(struct usb_link),
    .open = usb_open,
    .close = usb_close,
    .read = usb_read,
    .write = usb_write,
    .polled = usb_polled,
};
REGISTER(link_backends, usb_backend);
