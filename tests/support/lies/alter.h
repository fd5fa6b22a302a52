/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Something between an emulated device and its driver that alters one message of the device, and
 * makes its check anew, so that a driver sees a good frame with another content: what a device
 * would send that lies. Everything else passes as it is. The struct is the caller's and outlives
 * the bench.
 */
#ifndef TESTS_SUPPORT_LIES_ALTER_H
#define TESTS_SUPPORT_LIES_ALTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/wire/frame.h"
#include "rigs/bench/bench.h"

enum alter_how {
    ALTER_NOTHING,
    ALTER_XOR,     /* the byte with `value` */
    ALTER_SET,     /* it to `value` */
    ALTER_ADD,     /* `value` to it */
    ALTER_DROP,    /* the message is left out */
    ALTER_TWICE,   /* it comes twice */
    ALTER_SHORTER, /* it lacks its last byte */
    ALTER_LONGER,  /* it has a byte `value` more */
    /* Of events of the open protocol: those after it are numbered as if that were right. */
    ALTER_OMIT,  /* it is never told */
    ALTER_AGAIN, /* it is told twice, as two events */
};

#define ALTER_EVERY -1 /* every message of `type`, from the first on */

/* A message without its check: version, class, type, number and payload; or, of an Angel Eye shoe,
 * from its first character to ETX. */
#define ALTER_MESSAGE_MAX (FRAME_HEAD + FRAME_PAYLOAD_MAX + 1)
struct alter_message {
    uint8_t bytes[ALTER_MESSAGE_MAX];
    size_t size;
};

struct alter {
    /* What is done, and to which device. */
    enum device_class slot;
    enum alter_how how;
    int message;  /* number of it, from 0 */
    uint8_t type; /* with ALTER_EVERY: the byte that tells it, at ALTER_TYPE_AT */
    unsigned byte;
    uint8_t value;
    /* In the place of all that, where it is not NULL: alters any message of any device. */
    void (*lie)(void *context, enum device_class from, struct alter_message *message);
    void *context;
    /* What came of it. */
    unsigned count; /* messages of the device */
    unsigned shown; /* alterations that made another message */
    bool hangs;     /* the device was asked for more without an end, and was taken off */
    /* Every message as the device sent it, where `kept` has room for them. */
    struct alter_message *kept;
    unsigned kept_max;
    /* Of the bench. */
    struct bench *bench;
    unsigned calls;
};

#define ALTER_TYPE_AT 2

/* The bench is opened again with the alteration in place; as bench_renew(). */
int alter_renew(struct alter *alter, struct bench *bench, uint64_t seed, struct error *error);

#endif
