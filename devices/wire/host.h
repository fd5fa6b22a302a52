/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's end of the open wire protocol on one link: requests with replies, retransmission,
 * events acknowledged in order and handed out once. A host does not own its link and never learns
 * which backend it is. Everything that a device sends is checked before anybody sees it.
 */
#ifndef DEVICES_WIRE_HOST_H
#define DEVICES_WIRE_HOST_H

#include "devices/wire/frame.h"
#include "devices/wire/log.h"
#include "devices/wire/wire.h"
#include "hal/base/error.h"
#include "hal/link/link.h"

/* What went wrong on the way and was mended; a check of the rig looks at these. */
struct host_counts {
    uint64_t requests;
    uint64_t retries;    /* requests said again because no reply came in time */
    uint64_t events;     /* handed out */
    uint64_t duplicates; /* events said again by the device although they had been taken */
    uint64_t stray;      /* good frames that answer nothing: an old reply, another class */
    uint64_t lost;       /* gaps in the device's event numbers */
    uint64_t restarts;   /* event numbers from 0 again without a HELLO: the device lost its power */
};

struct host {
    struct link *link;
    const struct hal *hal;
    uint8_t class;
    uint8_t hello_flags;  /* of the reply to HELLO: bit 0 test mode, bit 1 an error is pending */
    uint8_t hello_events; /* that waited in the device then */
    uint8_t sequence;
    uint8_t last_event;
    bool seen_event;
    bool is_renewed;     /* nothing was heard yet since HELLO was said again */
    uint64_t comebacks;  /* of the link, when HELLO was said last */
    uint8_t bytes[1024]; /* read but not yet decoded */
    size_t at, end;
    struct frame_decoder decoder;
    struct frame queue[WIRE_EVENTS_MAX];
    nanos_t received[WIRE_EVENTS_MAX]; /* when each of the queue came */
    nanos_t event_time;                /* when the event that host_event() gave last came */
    unsigned first, queued;
    struct host_counts counts;
    /* Sees every good frame with its time, as it passes. NULL: nobody looks. */
    void (*seen)(void *context, bool from_device, const struct frame *frame, nanos_t time);
    void *context;
};

/* Says HELLO: sequence numbers start afresh on both ends. */
int host_open(struct host *host, struct link *link, enum frame_class class, struct error *error);

/*
 * Asks and waits for the reply, asking again WIRE_REPLY_TRIES times in all. Returns 0 with the
 * reply, the positive enum wire_refusal when the device refuses, ERROR_TIMEOUT when it says
 * nothing, or the link's error.
 */
int host_request(struct host *host, uint8_t type, const void *payload, size_t size,
                 struct frame *reply, struct error *error);

/* The next event: 1, or 0 when none came before the deadline, or the link's error. */
int host_event(struct host *host, struct frame *event, nanos_t deadline, struct error *error);

int host_identity(struct host *host, struct wire_identity *identity, struct error *error);

/* Returns as host_request(), with at most LOG_REPLY_MAX entries from number `first` on. */
int host_log(struct host *host, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
             unsigned *count, uint32_t *total, struct error *error);

/*
 * How many bytes mean something in the messages that every device knows, and in one of a class that
 * has so many by `own`; HOST_ALL: all of them.
 */
#define HOST_ALL SIZE_MAX
size_t host_meaningful(const struct frame *frame, size_t own);

#endif
