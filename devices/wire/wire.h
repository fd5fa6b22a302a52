/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What both ends of the open wire protocol agree on (devices/PROTOCOL.md, PROTOCOL-2.md): message
 * kinds, the messages that every device knows, refusals, and the times after which something is
 * said again.
 */
#ifndef DEVICES_WIRE_WIRE_H
#define DEVICES_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/clock.h"

/* Requests 0x01 … 0x3f and events 0x40 … 0x7e; WIRE_ANSWER makes them a reply or an ack. */
#define WIRE_ANSWER      0x80
#define WIRE_FIRST_EVENT 0x40
#define WIRE_REFUSED     0xff

enum wire_request {
    WIRE_HELLO = 0x01,
    WIRE_IDENTITY = 0x02,
    WIRE_STATUS = 0x03,
    WIRE_LOG = 0x04,
    WIRE_CLEAR_ERROR = 0x05,
    WIRE_BYE = 0x06,               /* version 2 */
    WIRE_FIRST_OWN_REQUEST = 0x10, /* from here on each class has its own */
};

/* Version 2: for vendors, up to the last request, the last event and the last code of a log. */
#define WIRE_VENDOR_REQUEST 0x38
#define WIRE_VENDOR_EVENT   0x78
#define WIRE_VENDOR_CODE    0xf0

/* Version 2: what a device says in its reply to HELLO that it can. */
enum wire_capability {
    WIRE_HAS_TEST_MODE = 1 << 0,
    WIRE_KEEPS_LOG = 1 << 1,
    WIRE_TELLS_TIME = 1 << 2, /* of the day */
    WIRE_HAS_VENDOR = 1 << 3,
    WIRE_DRAWS = 1 << 4,        /* shuffler */
    WIRE_TELLS_DECKS = 1 << 5,  /* shuffler */
    WIRE_TELLS_CONFIG = 1 << 6, /* terminal */
};
#define WIRE_CAPABILITIES 7
#define WIRE_OF_ALL       (WIRE_HAS_TEST_MODE | WIRE_KEEPS_LOG | WIRE_TELLS_TIME | WIRE_HAS_VENDOR)

/* The flags of HELLO: how many versions are known beside the first. */
#define WIRE_MORE_VERSIONS 4 /* from this bit on */

/* Those that a device of that class may have, and how sentences call one. */
unsigned wire_capabilities_of(unsigned class);
const char *wire_capability_text(unsigned capability);

/* The one that a request of a class is about; 0: none. */
unsigned wire_capability_for(unsigned class, uint8_t request);

enum wire_refusal {
    REFUSED_UNKNOWN = 1,       /* no such request in this class */
    REFUSED_LENGTH = 2,        /* the payload has the wrong length */
    REFUSED_VALUE = 3,         /* a field is out of range */
    REFUSED_STATE = 4,         /* not in this state */
    REFUSED_ERROR = 5,         /* an error is pending; clear it first */
    REFUSED_BUSY = 6,          /* still at work on the last request */
    REFUSED_AUTHORIZATION = 7, /* a code or a role is missing or wrong */
    REFUSED_TEST_MODE = 8,     /* only in test mode */
};

/* "not in this state", for sentences; "refusal N" for a code that the protocol does not know. */
const char *wire_refusal_text(unsigned code);

#define WIRE_REPLY_TIME  (200 * NANOS_PER_MILLI) /* then the host asks again */
#define WIRE_REPLY_TRIES 4
#define WIRE_ACK_TIME    (200 * NANOS_PER_MILLI) /* then the device says its event again */
#define WIRE_ACK_TRIES   10                      /* then it keeps it for the next HELLO */
#define WIRE_EVENTS_MAX  32                      /* that either end queues */
#define WIRE_TEXT_MAX    32                      /* model, serial number, firmware version */
#define WIRE_DIGEST_SIZE 32
#define WIRE_NONCE_SIZE  4 /* of HELLO: another number for each conversation */

#define WIRE_PROOF_SIZE 16 /* version 2: of a code, and of the challenge before it */

/* Version 2: what STATUS has after the fields of its class. */
struct wire_state {
    uint32_t entries; /* of the log */
    uint8_t digest[WIRE_DIGEST_SIZE];
    uint64_t millis; /* of the device's clock */
    uint64_t wall;   /* milliseconds since 1970; 0: it has no such clock */
};
#define WIRE_STATE_SIZE (4 + WIRE_DIGEST_SIZE + 8 + 8)

struct wire_identity {
    char model[WIRE_TEXT_MAX + 1];
    char serial[WIRE_TEXT_MAX + 1];
    char firmware[WIRE_TEXT_MAX + 1];
    uint8_t digest[WIRE_DIGEST_SIZE]; /* SHA-256 of the firmware image */
};

static inline bool wire_is_event(uint8_t type)
{
    return type >= WIRE_FIRST_EVENT && type < 0x7f;
}

static inline bool wire_is_vendor(uint8_t event)
{
    return event >= WIRE_VENDOR_EVENT && wire_is_event(event);
}

static inline bool wire_is_request(uint8_t type)
{
    return type >= WIRE_HELLO && type < WIRE_FIRST_EVENT;
}

/* Numbers on the wire are big endian. */
static inline void wire_put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void wire_put32(uint8_t *at, uint32_t value)
{
    wire_put16(at, value >> 16);
    wire_put16(at + 2, value & 0xffff);
}

static inline void wire_put64(uint8_t *at, uint64_t value)
{
    wire_put32(at, (uint32_t)(value >> 32));
    wire_put32(at + 4, (uint32_t)value);
}

static inline unsigned wire_get16(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static inline uint32_t wire_get32(const uint8_t *at)
{
    return (uint32_t)wire_get16(at) << 16 | wire_get16(at + 2);
}

static inline uint64_t wire_get64(const uint8_t *at)
{
    return (uint64_t)wire_get32(at) << 32 | wire_get32(at + 4);
}

#endif
