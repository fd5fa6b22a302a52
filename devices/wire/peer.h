/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device's end of the open wire protocol, for models: a pure state machine on bytes and time.
 * It answers requests through the model's function, suppresses repeated ones, numbers and repeats
 * events until they are acknowledged. It owns nothing and allocates nothing.
 */
#ifndef DEVICES_WIRE_PEER_H
#define DEVICES_WIRE_PEER_H

#include "devices/wire/frame.h"
#include "devices/wire/wire.h"

/* What the model is asked; WIRE_HELLO and WIRE_IDENTITY are answered by the peer itself. */
struct peer_ops {
    /*
     * Executes a request. Writes at most FRAME_PAYLOAD_MAX bytes of reply and sets *size; returns
     * 0, or the enum wire_refusal, in which case nothing may have changed.
     */
    unsigned (*request)(void *context, uint8_t type, const uint8_t *payload, size_t payload_size,
                        uint8_t *reply, size_t *size, nanos_t now);
    /* The flags byte of HELLO: bit 0 test mode, bit 1 an error is pending. */
    uint8_t (*flags)(void *context);
};

#define PEER_FLAG_TEST_MODE 1
#define PEER_FLAG_ERROR     2

struct peer {
    const struct peer_ops *ops;
    void *context;
    const struct wire_identity *identity;
    uint8_t class;
    struct frame_decoder decoder;
    struct frame reply; /* the last one, said again when its request is repeated */
    uint8_t last_request;
    bool replied;
    bool is_strict; /* a repeat is known by its number alone, also a HELLO with another nonce */
    uint32_t nonce; /* of the last HELLO: the same again is a repeat, another a new conversation */
    struct frame queue[WIRE_EVENTS_MAX];
    unsigned first, queued;
    uint8_t sequence;
    unsigned event_tries;
    nanos_t event_due; /* when the first of the queue is said (again) */
    uint8_t out[4 * FRAME_ENCODED_MAX];
    size_t out_at, out_end;
    unsigned skips_in; /* events until one whose number is one too high; 0: none is */
    bool stammers, crowds, misaddresses; /* the next event, or reply */
    uint64_t overflows;                  /* events that found the queue full */
};

void peer_init(struct peer *peer, const struct peer_ops *ops, void *context, enum frame_class class,
               const struct wire_identity *identity);

/* Power gone and back: queues, sequence numbers and half-received frames are lost. */
void peer_reset(struct peer *peer);

/* The same in a device that keeps its events in non-volatile memory until they are acknowledged. */
void peer_restart(struct peer *peer, nanos_t now);

/* As model_ops has them. */
void peer_receive(struct peer *peer, const uint8_t *bytes, size_t count, nanos_t now);
size_t peer_send(struct peer *peer, uint8_t *bytes, size_t size, nanos_t now);
nanos_t peer_due(const struct peer *peer);

/*
 * What no sound device does, for models with defects: the number of the event that is queued next
 * is one too high; a frame that answers nobody.
 */
void peer_skip(struct peer *peer);
void peer_mumble(struct peer *peer, uint8_t type, const void *payload, size_t size);

/*
 * Likewise: a frame whose CRC is wrong; an event that is sent twice at once, under its own number
 * or
 * (`as_next`) the second time under the next one; a reply that is sent under another number first.
 */
void peer_garble(struct peer *peer, const void *payload, size_t size);
void peer_stammer(struct peer *peer, bool as_next);
void peer_misaddress(struct peer *peer);

/* Queues an event; false, and counted, when the queue is full. */
bool peer_event(struct peer *peer, uint8_t type, const void *payload, size_t size, nanos_t now);

#endif
