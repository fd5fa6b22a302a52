/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports of an emulated Angel Eye shoe that wait for their acknowledgement, first in, first
 * out, and one open at a time. A plain struct that survives a power loss; nothing allocates. A
 * zeroed outbox is empty.
 */
#ifndef DEVICES_SHOE_ANGEL_EYE_OUTBOX_H
#define DEVICES_SHOE_ANGEL_EYE_OUTBOX_H

#include "devices/shoe/angel_eye/frame.h"

#define ANGEL_EYE_REPORT_MAX  7 /* bytes of data: the longest is a setting */
#define ANGEL_EYE_REPORTS_MAX 40

struct angel_eye_waiting {
    uint8_t size;
    uint8_t data[ANGEL_EYE_REPORT_MAX];
    bool was_sent;
    bool repeats;   /* said twice the first time */
    bool loses_ack; /* its first acknowledgement is not heard */
};

struct angel_eye_outbox {
    struct angel_eye_waiting queue[ANGEL_EYE_REPORTS_MAX];
    unsigned first, queued;
    uint8_t sequence; /* of the first */
    nanos_t due;      /* when the first is said (again) */
};

/* The new report, or NULL when too many wait; it is then lost, as in any full memory. */
struct angel_eye_waiting *angel_eye_outbox_add(struct angel_eye_outbox *outbox, const uint8_t *data,
                                               size_t size, nanos_t now);

/* How often the report that is due now is to be said: 0, 1 or 2 times. */
unsigned angel_eye_outbox_say(struct angel_eye_outbox *outbox, struct angel_eye_frame *frame,
                              nanos_t now);

/* ACK or NAK from the host; one that nothing waits for is ignored. */
void angel_eye_outbox_answered(struct angel_eye_outbox *outbox, bool is_ack, nanos_t now);

nanos_t angel_eye_outbox_due(const struct angel_eye_outbox *outbox);

/*
 * The power is back. Reports of a state are gone, because the shoe tells its state anew; a card
 * that was sent already is to be sent as one sent again. Gives what is left and empties the outbox.
 */
unsigned angel_eye_outbox_restart(struct angel_eye_outbox *outbox,
                                  struct angel_eye_waiting kept[ANGEL_EYE_REPORTS_MAX]);

#endif
