/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/serve/usbip.h"

#include <errno.h>
#include <linux/usb/ch9.h>
#include <stdlib.h>
#include <string.h>

#include "devices/wire/wire.h"

#define VERSION          0x0111
#define OP_REQ_IMPORT    0x8003
#define OP_REQ_DEVLIST   0x8005
#define OP_REP_IMPORT    0x0003
#define OP_REP_DEVLIST   0x0005
#define OP_NOT_AVAILABLE 1
#define OP_SIZE          8
#define OP_IMPORT_SIZE   (OP_SIZE + BUSID_SIZE)
#define BUSID_SIZE       32
#define PATH_SIZE        256
#define DESCRIPTION_SIZE 312
#define DEVICE_PATH      "/sys/devices/dealproof/usb1/" USBIP_BUSID
#define BUS_NUMBER       1
#define DEVICE_NUMBER    2 /* the root hub is 1 */

#define CMD_SUBMIT  1
#define CMD_UNLINK  2
#define RET_SUBMIT  3
#define RET_UNLINK  4
#define HEADER_SIZE 48
#define NO_PACKETS  0xffffffff /* a transfer that is not isochronous; the kernel writes 0 */

/* transfer_flags: fewer bytes than asked for are an error. */
#define SHORT_NOT_OK 1

#define PENDING_MAX  64
#define TRANSFER_MAX (16u * 1024 * 1024) /* what usbfs allows in all */
#define FIFO_SIZE    4096
/* Answers to what one read of the server can ask: 85 headers, each with a string descriptor. */
#define OUT_SIZE (32 * 1024)

struct submit {
    uint32_t sequence;
    bool is_in;
    uint32_t endpoint;
    uint32_t flags;
    uint32_t length;
    uint32_t start_frame;
    uint32_t packets;
    uint8_t setup[USB_SETUP_SIZE];
};

struct usbip {
    struct model model;
    struct model *device;
    struct usb_function function;
    bool skips_import;
    bool is_imported;
    uint8_t header[HEADER_SIZE];
    size_t header_at;      /* where it goes on */
    struct submit current; /* whose data is coming */
    uint32_t data_left;
    struct submit pending[PENDING_MAX]; /* bulk IN, oldest first */
    size_t pending_count;
    uint8_t fifo[FIFO_SIZE]; /* of the IN endpoint */
    size_t fifo_at, fifo_end;
    uint8_t out[OUT_SIZE];
    size_t out_at, out_end;
};

static size_t out_room(struct usbip *usbip)
{
    if (usbip->out_at) {
        memmove(usbip->out, usbip->out + usbip->out_at, usbip->out_end - usbip->out_at);
        usbip->out_end -= usbip->out_at;
        usbip->out_at = 0;
    }
    return OUT_SIZE - usbip->out_end;
}

/* Zeroed room for an answer; a client that asks and never listens is hung up on. */
static uint8_t *reserve(struct usbip *usbip, size_t size)
{
    uint8_t *at;

    if (out_room(usbip) < size) {
        usbip->model.gone = true;
        return NULL;
    }
    at = usbip->out + usbip->out_end;
    usbip->out_end += size;
    return memset(at, 0, size);
}

static void describe_device(const struct usb_function_identity *identity, uint8_t *at)
{
    strcpy((char *)at, DEVICE_PATH);
    at += PATH_SIZE;
    strcpy((char *)at, USBIP_BUSID);
    at += BUSID_SIZE;
    wire_put32(at, BUS_NUMBER);
    wire_put32(at + 4, DEVICE_NUMBER);
    wire_put32(at + 8, USB_SPEED_HIGH);
    wire_put16(at + 12, identity->vendor);
    wire_put16(at + 14, identity->product);
    wire_put16(at + 16, USB_RELEASE);
    at[21] = 1; /* the configuration */
    at[22] = 1; /* of one */
    at[23] = 1; /* with one interface */
}

static void answer_op(uint8_t *at, unsigned code, uint32_t status)
{
    wire_put16(at, VERSION);
    wire_put16(at + 2, code);
    wire_put32(at + 4, status);
}

static void answer_list(struct usbip *usbip)
{
    uint8_t *at = reserve(usbip, OP_SIZE + 4 + DESCRIPTION_SIZE + 4);

    if (!at)
        return;
    answer_op(at, OP_REP_DEVLIST, 0);
    wire_put32(at + OP_SIZE, 1);
    describe_device(&usbip->function.identity, at + OP_SIZE + 4);
    at[OP_SIZE + 4 + DESCRIPTION_SIZE] = USB_CLASS_VENDOR_SPEC;
}

static void answer_import(struct usbip *usbip, const uint8_t *busid)
{
    bool is_ours = memcmp(busid, USBIP_BUSID, sizeof USBIP_BUSID) == 0;
    uint8_t *at = reserve(usbip, is_ours ? OP_SIZE + DESCRIPTION_SIZE : OP_SIZE);

    if (!at)
        return;
    answer_op(at, OP_REP_IMPORT, is_ours ? 0 : OP_NOT_AVAILABLE);
    if (!is_ours)
        return;
    describe_device(&usbip->function.identity, at + OP_SIZE);
    usbip->is_imported = true;
}

/* How long a request of the handshake is, as far as its header tells; 0 for none that exists. */
static size_t op_size(const uint8_t *header, size_t size)
{
    if (size < OP_SIZE)
        return OP_SIZE;
    if (wire_get16(header) != VERSION)
        return 0;
    switch (wire_get16(header + 2)) {
    case OP_REQ_DEVLIST:
        return OP_SIZE;
    case OP_REQ_IMPORT:
        return OP_IMPORT_SIZE;
    default:
        return 0;
    }
}

static void execute_op(struct usbip *usbip)
{
    if (wire_get16(usbip->header + 2) == OP_REQ_DEVLIST)
        answer_list(usbip);
    else
        answer_import(usbip, usbip->header + OP_SIZE);
}

static uint8_t *answer_submit(struct usbip *usbip, const struct submit *submit, int status,
                              uint32_t actual, size_t data)
{
    uint8_t *at = reserve(usbip, HEADER_SIZE + data);

    if (!at)
        return NULL;
    wire_put32(at, RET_SUBMIT);
    wire_put32(at + 4, submit->sequence);
    wire_put32(at + 20, (uint32_t)status);
    wire_put32(at + 24, actual);
    wire_put32(at + 28, submit->start_frame);
    wire_put32(at + 32, submit->packets);
    return at + HEADER_SIZE;
}

static void drop_pending(struct usbip *usbip, size_t index)
{
    usbip->pending_count--;
    memmove(&usbip->pending[index], &usbip->pending[index + 1],
            (usbip->pending_count - index) * sizeof usbip->pending[0]);
}

/* A request may have halted the endpoint that they wait at. */
static void refuse_pending(struct usbip *usbip)
{
    while (usbip->pending_count && !usbip->model.gone) {
        answer_submit(usbip, &usbip->pending[0], -EPIPE, 0, 0);
        drop_pending(usbip, 0);
    }
}

static void submit_control(struct usbip *usbip, const struct submit *submit)
{
    uint8_t reply[USB_REPLY_MAX];
    bool has_data_out = !submit->is_in && submit->length;
    int size =
        has_data_out ? USB_STALL : usb_function_control(&usbip->function, submit->setup, reply);
    uint8_t *at;

    if (size < 0) {
        answer_submit(usbip, submit, -EPIPE, 0, 0);
        return;
    }
    if ((uint32_t)size > submit->length)
        size = (int)submit->length;
    at = answer_submit(usbip, submit, 0, (uint32_t)size, (size_t)size);
    if (at)
        memcpy(at, reply, (size_t)size);
    if (!usbip->function.is_configured || usbip->function.in_halted)
        refuse_pending(usbip);
}

static bool takes_data(const struct usbip *usbip, const struct submit *submit)
{
    return !submit->is_in && submit->endpoint == (USB_OUT_ENDPOINT & USB_ENDPOINT_NUMBER_MASK) &&
           usbip->function.is_configured && !usbip->function.out_halted;
}

static bool gives_data(const struct usbip *usbip, const struct submit *submit)
{
    return submit->is_in && submit->endpoint == (USB_IN_ENDPOINT & USB_ENDPOINT_NUMBER_MASK) &&
           usbip->function.is_configured && !usbip->function.in_halted;
}

/* Once all of its data has come. */
static void execute_submit(struct usbip *usbip, const struct submit *submit)
{
    if (submit->endpoint == 0)
        submit_control(usbip, submit);
    else if (takes_data(usbip, submit))
        answer_submit(usbip, submit, 0, submit->length, 0);
    else if (!gives_data(usbip, submit))
        answer_submit(usbip, submit, -EPIPE, 0, 0);
    else if (usbip->pending_count == PENDING_MAX)
        answer_submit(usbip, submit, -ENOMEM, 0, 0);
    else
        usbip->pending[usbip->pending_count++] = *submit;
}

static bool read_submit(const uint8_t *header, struct submit *submit)
{
    uint32_t direction = wire_get32(header + 12);

    *submit = (struct submit){
        .sequence = wire_get32(header + 4),
        .is_in = direction == 1,
        .endpoint = wire_get32(header + 16),
        .flags = wire_get32(header + 20),
        .length = wire_get32(header + 24),
        .start_frame = wire_get32(header + 28),
        .packets = wire_get32(header + 32),
    };
    memcpy(submit->setup, header + 40, USB_SETUP_SIZE);
    return direction <= 1 && submit->length <= TRANSFER_MAX &&
           (submit->packets == 0 || submit->packets == NO_PACKETS);
}

static void execute_unlink(struct usbip *usbip)
{
    uint32_t victim = wire_get32(usbip->header + 20);
    uint8_t *at = reserve(usbip, HEADER_SIZE);
    size_t i = 0;

    if (!at)
        return;
    wire_put32(at, RET_UNLINK);
    wire_put32(at + 4, wire_get32(usbip->header + 4));
    while (i < usbip->pending_count && usbip->pending[i].sequence != victim)
        i++;
    if (i == usbip->pending_count)
        return;
    wire_put32(at + 20, (uint32_t)-ECONNRESET);
    drop_pending(usbip, i);
}

static void execute_command(struct usbip *usbip)
{
    bool is_for_us =
        usbip->skips_import || wire_get32(usbip->header + 8) == (BUS_NUMBER << 16 | DEVICE_NUMBER);
    uint32_t command = wire_get32(usbip->header);

    if (is_for_us && command == CMD_UNLINK) {
        execute_unlink(usbip);
    } else if (is_for_us && command == CMD_SUBMIT && read_submit(usbip->header, &usbip->current)) {
        usbip->data_left = usbip->current.is_in ? 0 : usbip->current.length;
        if (!usbip->data_left)
            execute_submit(usbip, &usbip->current);
    } else {
        usbip->model.gone = true;
    }
}

/* Data is not kept: the device takes it as it comes. */
static size_t take_data(struct usbip *usbip, const uint8_t *bytes, size_t count, nanos_t now)
{
    if (count > usbip->data_left)
        count = usbip->data_left;
    if (takes_data(usbip, &usbip->current))
        usbip->device->ops->receive(usbip->device, bytes, count, now);
    usbip->data_left -= (uint32_t)count;
    if (!usbip->data_left)
        execute_submit(usbip, &usbip->current);
    return count;
}

/* How much makes the header whole, as far as it has come; 0 when it is none. */
static size_t header_size(const struct usbip *usbip)
{
    return usbip->is_imported ? HEADER_SIZE : op_size(usbip->header, usbip->header_at);
}

static size_t take_header(struct usbip *usbip, const uint8_t *bytes, size_t count)
{
    size_t whole = header_size(usbip);

    if (count > whole - usbip->header_at)
        count = whole - usbip->header_at;
    memcpy(usbip->header + usbip->header_at, bytes, count);
    usbip->header_at += count;
    if (usbip->header_at < whole)
        return count;
    whole = header_size(usbip);
    if (usbip->header_at == whole) {
        usbip->header_at = 0;
        if (usbip->is_imported)
            execute_command(usbip);
        else
            execute_op(usbip);
    }
    usbip->model.gone |= !whole;
    return count;
}

static void usbip_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct usbip *usbip = (struct usbip *)model;

    while (count && !model->gone) {
        size_t taken = usbip->data_left ? take_data(usbip, bytes, count, now)
                                        : take_header(usbip, bytes, count);

        bytes += taken;
        count -= taken;
        model->gone |= usbip->device->gone;
    }
}

/* What a device says before it is configured has nowhere to go. */
static void fill_fifo(struct usbip *usbip, nanos_t now)
{
    struct model *device = usbip->device;

    if (usbip->fifo_at < usbip->fifo_end || device->gone)
        return;
    usbip->fifo_at = 0;
    usbip->fifo_end = device->ops->send(device, usbip->fifo, FIFO_SIZE, now);
    if (!usbip->function.is_configured)
        usbip->fifo_end = 0;
}

static void complete_in(struct usbip *usbip)
{
    const struct submit submit = usbip->pending[0];
    size_t count = usbip->fifo_end - usbip->fifo_at;
    uint8_t *at;

    if (count > submit.length)
        count = submit.length;
    at = answer_submit(usbip, &submit,
                       count < submit.length && submit.flags & SHORT_NOT_OK ? -EREMOTEIO : 0,
                       (uint32_t)count, count);
    if (!at)
        return;
    memcpy(at, usbip->fifo + usbip->fifo_at, count);
    usbip->fifo_at += count;
    drop_pending(usbip, 0);
}

static void work(struct usbip *usbip, nanos_t now)
{
    fill_fifo(usbip, now);
    while (usbip->pending_count && usbip->fifo_at < usbip->fifo_end &&
           out_room(usbip) >= HEADER_SIZE + FIFO_SIZE) {
        complete_in(usbip);
        fill_fifo(usbip, now);
    }
    usbip->model.gone |= usbip->device->gone;
}

static size_t usbip_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct usbip *usbip = (struct usbip *)model;
    size_t count;

    work(usbip, now);
    count = usbip->out_end - usbip->out_at;
    if (count > size)
        count = size;
    memcpy(bytes, usbip->out + usbip->out_at, count);
    usbip->out_at += count;
    return count;
}

static nanos_t usbip_due(struct model *model)
{
    struct usbip *usbip = (struct usbip *)model;

    if (usbip->out_at < usbip->out_end)
        return 0;
    if (usbip->fifo_at < usbip->fifo_end)
        return usbip->pending_count ? 0 : NEVER;
    return usbip->device->ops->due(usbip->device);
}

/* The client went: what it had is forgotten, and the device waits to be attached again. */
static void usbip_unplug(struct model *model, nanos_t now)
{
    struct usbip *usbip = (struct usbip *)model;
    struct model *device = usbip->device;

    usbip->is_imported = usbip->skips_import;
    usbip->header_at = usbip->pending_count = 0;
    usbip->data_left = 0;
    usbip->fifo_at = usbip->fifo_end = usbip->out_at = usbip->out_end = 0;
    usb_function_reset(&usbip->function);
    if (device->ops->unplug)
        device->ops->unplug(device, now);
    device->gone = false;
}

static void usbip_free(struct model *model)
{
    struct model *device = ((struct usbip *)model)->device;

    device->ops->free(device);
    free(model);
}

struct model *usbip_new(struct model *device, const struct usb_function_identity *identity,
                        bool is_imported, struct error *error)
{
    static const struct model_ops ops = {.receive = usbip_receive,
                                         .send = usbip_send,
                                         .due = usbip_due,
                                         .unplug = usbip_unplug,
                                         .free = usbip_free};
    struct usbip *usbip = calloc(1, sizeof *usbip);

    if (!usbip) {
        error_set(error, ERROR_RIG, "no memory for a USB/IP server");
        return NULL;
    }
    usbip->model.ops = &ops;
    usbip->device = device;
    usbip->skips_import = usbip->is_imported = is_imported;
    usb_function_init(&usbip->function, identity);
    return &usbip->model;
}
