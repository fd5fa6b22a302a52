/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A host without a driver, for tests of models that speak the open protocol: it asks, listens and
 * acknowledges in frames, on a time that the test owns, and keeps the last reply and every event.
 * The model stays the caller's.
 */
#ifndef TESTS_SUPPORT_DEVICES_RAW_HOST_H
#define TESTS_SUPPORT_DEVICES_RAW_HOST_H

#include "devices/wire/frame.h"
#include "devices/wire/wire.h"
#include "hal/link/model.h"

#define RAW_EVENTS 128

struct raw_host {
    struct model *model;
    uint8_t class; /* enum frame_class */
    nanos_t now;
    struct frame reply; /* the last one */
    struct frame events[RAW_EVENTS];
    unsigned count; /* of events; a test may set it back to 0 */
    uint8_t sequence;
    struct frame_decoder decoder;
    uint8_t bytes[1024];
    size_t at, end;
};

/* Starts at that time and says HELLO. */
void raw_host_open(struct raw_host *host, struct model *model, uint8_t class, nanos_t now);

void raw_host_send(struct raw_host *host, const struct frame *frame);

/* The next frame that is there without waiting, not acknowledged; false when there is none. */
bool raw_host_next(struct raw_host *host, struct frame *frame);

/* Lets so much time pass; takes and acknowledges what the device says, until it is quiet. */
void raw_host_listen(struct raw_host *host, nanos_t time);

/* 0 with the reply, or the refusal. Aborts the test when there is neither. */
unsigned raw_host_ask(struct raw_host *host, uint8_t type, const void *payload, size_t size);

/* The last event of a type, or NULL. */
const struct frame *raw_host_last(const struct raw_host *host, uint8_t type);

#endif
