/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device's end of the open wire protocol, for models: a pure state machine on bytes and time.
 * It answers requests through the model's function, suppresses repeated ones, numbers and repeats
 * events until they are acknowledged. It owns nothing and allocates nothing.
 */
#ifndef DEVICES_WIRE_PEER_H
#define DEVICES_WIRE_PEER_H

#include "devices/wire/defects.h"
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
    /*
     * Events are queued as version 2 has them, since nobody knows in which one they will be sent:
     * makes of such a payload that of version 1. NULL: they are the same.
     */
    void (*narrow)(struct frame *event);
    /* Version 2: the log and the clock of the device; the wall clock is the peer's. */
    void (*state)(void *context, struct wire_state *state, nanos_t now);
    /* Version 2: writes an entry of the vendor's into the log. */
    void (*note)(void *context, uint8_t code, uint8_t detail, uint32_t value, nanos_t now);
};

/*
 * Rows of a model's table, after those of LOG_DEFECTS and in the order below: devices that lie in
 * version 2, and in none of them in version 1. Each reply comes in version 1 as well; a capability,
 * counted from 1, is claimed and refused, or not claimed and done; with that reply to STATUS a
 * vendor's event and entry come (which is no lie), or such events without an end; that reply has
 * another digest of the log; from then on the wall clock is an hour ahead (which is none either);
 * BYE is not answered, or an event comes after it; from that reply on STATUS tells of the log what
 * the one before it has told; every reply has a clock that is an hour ahead of the log's.
 */
#define PEER_DEFECTS                                                                               \
    {"both-versions", NULL, 0, 0}, {"claims", "capability", 1, WIRE_CAPABILITIES},                 \
        {"hides", "capability", 1, WIRE_CAPABILITIES}, {"vendor", "status", 1, 999999999},         \
        {"flood", "status", 1, 999999999}, {"redigested", "status", 1, 999999999},                 \
        {"clock-jumps", "status", 1, 999999999}, {"no-bye", NULL, 0, 0},                           \
        {"after-bye", NULL, 0, 0}, {"stale", "status", 1, 999999999},                              \
    {                                                                                              \
        "two-clocks", NULL, 0, 0                                                                   \
    }
enum {
    PEER_BOTH_VERSIONS,
    PEER_CLAIMS,
    PEER_HIDES,
    PEER_VENDOR,
    PEER_FLOOD,
    PEER_REDIGESTED,
    PEER_CLOCK_JUMPS,
    PEER_NO_BYE,
    PEER_AFTER_BYE,
    PEER_STALE,
    PEER_TWO_CLOCKS,
    PEER_DEFECT_COUNT
};

#define PEER_FLAG_TEST_MODE 1
#define PEER_FLAG_ERROR     2

struct peer {
    const struct peer_ops *ops;
    void *context;
    const struct wire_identity *identity;
    uint8_t class;
    uint8_t versions;        /* that it knows; 0 is the first alone */
    uint8_t version;         /* of the conversation; likewise */
    uint32_t capabilities;   /* that it has, in version 2 */
    uint32_t lacks;          /* those that it does not have, in either version */
    struct defects *defects; /* of the model; NULL: it has none of those above */
    unsigned first_defect;   /* of the model's kinds */
    uint32_t stated;         /* replies to STATUS in version 2, */
    struct wire_state told;  /* and what the last one has told */
    bool is_over;            /* BYE was answered */
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

/*
 * Version 2 as well: what it can beside WIRE_OF_ALL, and the defects of the model from number
 * `first` on.
 */
void peer_learn(struct peer *peer, unsigned capabilities, struct defects *defects, unsigned first);

/* The option "lacks=CAPABILITY": "test-mode", "log", as wire_capability_text() has them. */
int peer_option_lacks(struct peer *peer, const char *value, struct error *error);

/* Whether it does what that capability is about, in version 2. */
bool peer_can(const struct peer *peer, unsigned capability);

/* The option "protocol=1|2" of a model: ERROR_CONFIG for anything else. */
int peer_option_protocol(struct peer *peer, const char *value, struct error *error);

static inline bool peer_is_wide(const struct peer *peer)
{
    return peer->version >= FRAME_VERSION_2;
}

/* Who it spoke with is gone: what had come and gone of a frame is no part of the next one. */
void peer_unplug(struct peer *peer);

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
