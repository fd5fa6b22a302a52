/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who speaks the open wire protocol here: HELLO to each class and IDENTITY to the one that answers.
 * Events are not acknowledged: the device keeps them for the next host.
 */
#include "devices/probe.h"

#include "devices/model.h"

/* No reply may come later. */
#define PATIENCE (WIRE_REPLY_TRIES * WIRE_REPLY_TIME)
#define TRIES    3

static const uint32_t rates[] = {115200, 57600, 38400, 19200, 9600, 0};

/* A conversation of which only one side is believed. */
struct talk {
    struct link *link;
    struct frame_decoder decoder;
    uint8_t sequence;
};

static int say(struct talk *talk, unsigned class, uint8_t type, const void *payload, size_t size,
               struct error *error)
{
    nanos_t deadline = clock_now(talk->link->hal->clock) + PATIENCE;
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct frame frame;

    frame_begin(&frame, class, type, ++talk->sequence);
    frame.size = (uint8_t)size;
    if (size)
        memcpy(frame.payload, payload, size);
    return link_write_all(talk->link, encoded, frame_encode(&frame, encoded), deadline, error);
}

/* The next good frame: 1, 0 when none comes until the deadline, or the link's error. */
static int hear(struct talk *talk, struct frame *frame, nanos_t deadline, struct error *error)
{
    uint8_t byte;
    size_t taken;

    while (clock_now(talk->link->hal->clock) < deadline) {
        ssize_t count = link_read(talk->link, &byte, 1, deadline, error);

        if (count < 0)
            return (int)count;
        if (count && frame_decode(&talk->decoder, &byte, 1, &taken, frame) == FRAME_READY)
            return 1;
    }
    return 0;
}

/* A zero ends whatever the device has taken for the beginning of a frame. */
static int greet(struct talk *talk, struct error *error)
{
    nanos_t now = clock_now(talk->link->hal->clock);
    uint8_t nonce[WIRE_NONCE_SIZE];
    int status = link_write_all(talk->link, "", 1, now + PATIENCE, error);

    for (unsigned class = FRAME_SHUFFLER; class <= FRAME_TERMINAL && !status; class ++) {
        wire_put32(nonce, (uint32_t)now + class);
        status = say(talk, class, WIRE_HELLO, nonce, sizeof nonce, error);
    }
    return status;
}

static const struct model_kind *kind_of(uint8_t class)
{
    const struct model_kind *kind;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->frame_class == class)
            return kind;
    return NULL;
}

/* A device may take the number for one that it has answered before: then another is used. */
static int ask_identity(struct talk *talk, uint8_t class, struct device_found *found,
                        struct error *error)
{
    struct frame frame;
    int status = 0;
    size_t at;

    for (unsigned i = 0; i < TRIES && status >= 0 && !found->has_identity; i++) {
        nanos_t deadline = clock_now(talk->link->hal->clock) + PATIENCE;

        status = say(talk, class, WIRE_IDENTITY, NULL, 0, error);
        while (!status && (status = hear(talk, &frame, deadline, error)) > 0) {
            found->has_identity = frame.class == class &&
                                  frame.type == (WIRE_IDENTITY | WIRE_ANSWER) &&
                                  host_read_identity(&frame, &found->identity, &at);
            status = 0;
            if (found->has_identity)
                break;
        }
    }
    return status < 0 ? status : 0;
}

static int ask(struct link *link, struct device_found *found, struct error *error)
{
    struct talk talk = {.link = link, .sequence = 0x9f};
    nanos_t deadline = clock_now(link->hal->clock) + PATIENCE;
    const struct model_kind *kind;
    struct frame frame;
    int status = greet(&talk, error);

    if (!status)
        status = hear(&talk, &frame, deadline, error);
    if (status <= 0)
        return status;
    kind = kind_of(frame.class);
    if (!kind || !(frame.type & WIRE_ANSWER || wire_is_event(frame.type)))
        return 0;
    found->class = kind->class;
    found->driver = kind->driver;
    status = ask_identity(&talk, frame.class, found, error);
    return status ? status : 1;
}

static const struct device_probe open_probe = {.name = "open", .rates = rates, .ask = ask};
REGISTER(device_probes, open_probe);
