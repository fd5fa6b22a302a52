/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the host share; nobody else includes this. */
#ifndef DEVICES_WIRE_HOST_INSIDE_H
#define DEVICES_WIRE_HOST_INSIDE_H

#include "devices/wire/host.h"

#define HOST_RESTATED_TIME                                                                         \
    (2 * NANOS_PER_SECOND) /* for an event that waits behind others, or was lost */

bool host_is_over(const struct host *host, nanos_t deadline);

int host_send(struct host *host, const struct frame *frame, nanos_t deadline, struct error *error);

/*
 * The next good frame: 1, or 0 at the deadline, or the link's error. A device that never stops
 * talking cannot keep its host past the deadline.
 */
int host_next_frame(struct host *host, struct frame *frame, nanos_t deadline, struct error *error);

/* Keeps the beginning of what was no frame of this device, for sentences. */
void host_keep_shown(struct host *host, enum frame_reject reason, unsigned class,
                     const uint8_t *bytes, size_t count);

/* Acknowledges an event and queues it unless it was taken before. A full queue does not answer. */
int host_take_event(struct host *host, const struct frame *event, struct error *error);

/* Sorts a frame: 1 if it answers `request`, 0 if it was something else, or the link's error. */
int host_sort(struct host *host, const struct frame *frame, const struct frame *request,
              struct error *error);

/*
 * Asks until there is a reply. A device that goes away meanwhile is asked the same again when it is
 * back, for as long as the link looks for it: it knows a repeated request by its number.
 */
int host_ask(struct host *host, uint8_t type, const void *payload, size_t size, struct frame *reply,
             struct error *error);

/*
 * Version 2: what STATUS has after the fields of its class is taken off the reply and held against
 * what it said before and what was read of the log. ERROR_DEVICE where it is missing.
 */
int host_take_state(struct host *host, struct frame *reply, struct error *error);

/*
 * Entries of the log that were read are the next ones of the chain, or known already, and there are
 * as many as STATUS has said, or more.
 */
void host_chain(struct host *host, const struct log_entry *entries, unsigned count, uint32_t total);

/* Counts an entry that is not of STATUS's clock, once it is known that no power was lost. */
void host_settle_clock(struct host *host);

/* Passes an event of a vendor on. */
void host_pass_vendor(struct host *host, const struct frame *event);

/* Asks for what is not claimed, and changes nothing: it must be refused. */
int host_try_unclaimed(struct host *host, struct error *error);

/* A request that was refused as unknown although HELLO claims it. */
void host_note_refused(struct host *host, uint8_t type);

/*
 * A device that was away for longer keeps its events until it hears a HELLO. 0, also when it has
 * been there all the time.
 */
int host_renew(struct host *host, struct error *error);

#endif
