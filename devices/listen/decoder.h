/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What turns the bytes of one direction of a line into messages. A protocol is a file in the folder
 * of its device that ends with REGISTER(protocols, …); a script may stand for one. Whoever opened a
 * decoder closes it. Nothing that comes can make it fail: what is no message is told as damage.
 */
#ifndef DEVICES_LISTEN_DECODER_H
#define DEVICES_LISTEN_DECODER_H

#include "devices/listen/message.h"
#include "hal/base/error.h"
#include "hal/base/names.h"
#include "hal/clock.h"
#include "hal/link/tap.h"

struct decoder;

struct protocol {
    const char *name;    /* "open", as bridge and decode are told */
    const char *summary; /* what speaks it, without a full stop */
    uint8_t number;      /* in a capture; TAP_RAW: bytes without a name */
    bool has_codes;      /* what is said to the device may hold one, so that damage is not shown */
    bool numbers_events; /* so that one that was not heard is missed; otherwise damage may be one */
    bool answers_only;   /* each question once, and nothing else: any other answer is wrong */
    size_t size;         /* of the concrete decoder, whose first member is a struct decoder */
    /* What it needs besides zeroed memory; NULL: nothing. close() only after it succeeded. */
    int (*open)(struct decoder *decoder, struct error *error);
    /* Takes all of the bytes, and tells each message that they complete. */
    void (*hear)(struct decoder *decoder, const uint8_t *bytes, size_t count);
    /* No more will come, or the line was torn: tells what is unfinished. NULL: nothing ever is. */
    void (*end)(struct decoder *decoder);
    void (*close)(struct decoder *decoder); /* what it owns besides its memory; NULL: nothing */
};

/* First member of every decoder. Its memory after that is zero at first. */
struct decoder {
    const struct protocol *protocol;
    enum tap_direction direction; /* TAP_TO_DEVICE or TAP_FROM_DEVICE */
    nanos_t now;                  /* of the bytes that are being heard */
    void (*tell)(void *context, struct decoder *decoder, struct message *message);
    void *context;
    struct message message; /* that is being told, so that none is on a stack */
};

/* NULL with ERROR_RIG when memory is out, or with what the protocol says. */
struct decoder *decoder_open(const struct protocol *protocol, enum tap_direction direction,
                             struct error *error);
void decoder_close(struct decoder *decoder);

void decoder_hear(struct decoder *decoder, const uint8_t *bytes, size_t count, nanos_t now);
void decoder_end(struct decoder *decoder);

/* For decoders: the message is whole. */
void decoder_tell(struct decoder *decoder);

/* For decoders: these bytes are no message, and why. */
void decoder_damage(struct decoder *decoder, const char *device, const char *why,
                    const uint8_t *bytes, size_t count);

/* Bytes as they come, for what nobody has a name for. */
extern const struct protocol protocol_bytes;

/* The protocols in the order of their names, by number; NULL after the last. */
const struct protocol *protocol_at(size_t index);

/* By its number in a capture; that of bytes where it is not known. */
const struct protocol *protocol_numbered(unsigned number);

/* NULL with ERROR_CONFIG and a sentence that lists them. */
const struct protocol *protocol_find(const char *name, struct error *error);

#endif
