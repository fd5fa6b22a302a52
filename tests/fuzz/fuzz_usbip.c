/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The server of USB/IP with a hostile client. An input is a list of requests: of the handshake, of
 * a transfer with header and data, or bytes. Whatever comes, the server hangs up or goes on, and is
 * never due without something to say.
 *
 * Covers: devices/serve/usbip.c devices/serve/usb_function.c
 */
#include <string.h>

#include "devices/model.h"
#include "devices/serve/usbip.h"
#include "devices/wire/wire.h"
#include "hal/link/model.h"
#include "tests/fuzz/fuzz.h"

#define HEADER 48

struct client {
    struct model *server;
    nanos_t now;
    uint32_t sequence;
    bool listens;
};

static void drain(struct client *client)
{
    struct model *server = client->server;
    uint8_t bytes[700];
    size_t count;

    if (!client->listens)
        return;
    for (unsigned i = 0; i < 1000 && !server->gone && !server->broken; i++) {
        count = server->ops->send(server, bytes, 1 + (i * 61) % sizeof bytes, client->now);
        FUZZ_MUST(count <= sizeof bytes);
        if (!count && !server->gone) {
            FUZZ_MUST(server->ops->due(server) > client->now);
            break;
        }
    }
}

static void say(struct client *client, const void *bytes, size_t count, uint8_t step)
{
    const uint8_t *at = bytes;

    /* A socket gives what it has; the model takes any piece. */
    for (size_t done = 0, piece; done < count && !client->server->gone; done += piece) {
        piece = step && step < count - done ? step : count - done;
        client->server->ops->receive(client->server, at + done, piece, client->now);
    }
    drain(client);
}

static void shake_hands(struct client *client, uint8_t kind)
{
    uint8_t request[40] = {0x01, 0x11, 0x80, kind & 1 ? 0x03 : 0x05};

    strcpy((char *)request + 8, kind & 2 ? "1-2" : USBIP_BUSID);
    say(client, request, kind & 1 ? sizeof request : 8, kind >> 2);
}

static void submit(struct client *client, struct fuzz_input *input)
{
    uint8_t header[HEADER] = {0}, kind = fuzz_byte(input), length = fuzz_byte(input);
    const uint8_t *data;
    size_t size;

    wire_put32(header, kind & 0x80 ? 2 : 1);
    wire_put32(header + 4, ++client->sequence);
    wire_put32(header + 8, 0x00010002);
    wire_put32(header + 12, kind & 1);
    wire_put32(header + 16, kind >> 1 & 3);
    wire_put32(header + 20, kind & 0x80 ? client->sequence - (kind & 7) : kind >> 3 & 1);
    wire_put32(header + 24, kind & 0x40 ? (uint32_t)length << 20 : length);
    wire_put32(header + 32, kind & 0x20 ? 0xffffffff : 0);
    data = fuzz_take(input, 8, &size);
    memcpy(header + 40, data, size);
    say(client, header, sizeof header, kind >> 5);
    if (!(kind & 1) && !(kind & 0x80)) {
        data = fuzz_take(input, length, &size);
        say(client, data, size, 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct usb_function_identity identity = {.vendor = 0x1209,
                                                          .product = 0xdea1,
                                                          .manufacturer = "maker",
                                                          .name = "shuffler",
                                                          .serial = "S-17"};
    struct fuzz_input input = {data, size};
    struct client client = {.now = NANOS_PER_SECOND};
    uint8_t how = fuzz_byte(&input);
    struct error error;
    struct model *device = model_kind_find("shuffler", &error)->make("", &error);

    FUZZ_MUST(device);
    client.listens = !(how & 2);
    client.server = usbip_new(device, &identity, how & 1, &error);
    FUZZ_MUST(client.server);
    while (input.left && !client.server->gone && !client.server->broken) {
        uint8_t deed = fuzz_byte(&input);
        const uint8_t *raw;

        if (deed % 4 == 0) {
            shake_hands(&client, deed >> 2);
        } else if (deed % 4 == 3) {
            raw = fuzz_take(&input, deed >> 2, &size);
            say(&client, raw, size, 0);
        } else {
            submit(&client, &input);
        }
        client.now += NANOS_PER_MILLI;
    }
    if (client.server->ops->unplug)
        client.server->ops->unplug(client.server, client.now);
    client.server->ops->free(client.server);
    return 0;
}
