/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/angel_eye/outbox.h"

#include <string.h>

struct angel_eye_waiting *angel_eye_outbox_add(struct angel_eye_outbox *outbox, const uint8_t *data,
                                               size_t size, nanos_t now)
{
    struct angel_eye_waiting *added =
        &outbox->queue[(outbox->first + outbox->queued) % ANGEL_EYE_REPORTS_MAX];

    if (outbox->queued == ANGEL_EYE_REPORTS_MAX)
        return NULL;
    *added = (struct angel_eye_waiting){.size = (uint8_t)size};
    memcpy(added->data, data, size);
    if (!outbox->queued++)
        outbox->due = now;
    return added;
}

unsigned angel_eye_outbox_say(struct angel_eye_outbox *outbox, struct angel_eye_frame *frame,
                              nanos_t now)
{
    struct angel_eye_waiting *first = &outbox->queue[outbox->first];
    unsigned times = first->repeats ? 2 : 1;

    if (!outbox->queued || now < outbox->due)
        return 0;
    /* Digits, so that a capture is easy to read. */
    *frame = (struct angel_eye_frame){
        .start = ANGEL_EYE_ENQ, .sequence = (uint8_t)('0' + outbox->sequence), .size = first->size};
    memcpy(frame->data, first->data, first->size);
    first->repeats = false;
    first->was_sent = true;
    outbox->due = now + ANGEL_EYE_REPLY;
    return times;
}

static void next_number(struct angel_eye_outbox *outbox)
{
    outbox->sequence = (uint8_t)((outbox->sequence + 1) % 10);
}

void angel_eye_outbox_answered(struct angel_eye_outbox *outbox, bool is_ack, nanos_t now)
{
    struct angel_eye_waiting *first = &outbox->queue[outbox->first];

    if (!outbox->queued || !first->was_sent)
        return;
    if (!is_ack) {
        outbox->due = now + ANGEL_EYE_GAP;
    } else if (first->loses_ack) {
        first->loses_ack = false;
    } else {
        outbox->first = (outbox->first + 1) % ANGEL_EYE_REPORTS_MAX;
        outbox->queued--;
        outbox->due = now;
        next_number(outbox);
    }
}

nanos_t angel_eye_outbox_due(const struct angel_eye_outbox *outbox)
{
    return outbox->queued ? outbox->due : NEVER;
}

unsigned angel_eye_outbox_restart(struct angel_eye_outbox *outbox,
                                  struct angel_eye_waiting kept[ANGEL_EYE_REPORTS_MAX])
{
    unsigned count = 0;

    for (; outbox->queued; outbox->queued--) {
        const struct angel_eye_waiting *next = &outbox->queue[outbox->first];

        outbox->first = (outbox->first + 1) % ANGEL_EYE_REPORTS_MAX;
        if (strchr("SLEe", next->data[0]))
            continue;
        kept[count] = *next;
        if (next->data[0] == 'D' && next->was_sent)
            kept[count].data[0] = 'R';
        count++;
    }
    /* The first report after this must not look like a repeat of the last one before it. */
    next_number(outbox);
    return count;
}
