/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What both ends of the open wire protocol agree on (devices/PROTOCOL.md): message kinds, the
 * messages that every device knows, refusals, and the times after which something is said again.
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
    WIRE_FIRST_OWN_REQUEST = 0x10, /* from here on each class has its own */
};

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
