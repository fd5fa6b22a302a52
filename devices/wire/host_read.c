/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading: bytes of the link into frames, and when they came. */
#include "devices/wire/host_inside.h"

#include <string.h>

static void show(struct host *host, bool from_device, const struct frame *frame)
{
    if (host->seen)
        host->seen(host->context, from_device, frame, clock_now(host->hal->clock));
}

void host_keep_shown(struct host *host, enum frame_reject reason, unsigned class,
                     const uint8_t *bytes, size_t count)
{
    host->shown_reason = reason;
    host->shown_class = (uint8_t) class;
    host->shown_count = (uint8_t)(count < HOST_SHOWN ? count : HOST_SHOWN);
    memcpy(host->shown, bytes, host->shown_count);
}

static void note_dropped(struct host *host)
{
    const struct frame_decoder *decoder = &host->decoder;

    host->counts.rejected++;
    host_keep_shown(host, decoder->reason, 0, decoder->dropped, decoder->dropped_count);
    if (host->dropped)
        host->dropped(host->context, decoder->dropped, decoder->dropped_count,
                      clock_now(host->hal->clock));
}

int host_send(struct host *host, const struct frame *frame, nanos_t deadline, struct error *error)
{
    uint8_t encoded[FRAME_ENCODED_MAX];

    show(host, false, frame);
    return link_write_all(host->link, encoded, frame_encode(frame, encoded), deadline, error);
}

bool host_is_over(const struct host *host, nanos_t deadline)
{
    return clock_now(host->hal->clock) >= deadline;
}

#define MUCH        48 /* bytes, which take twice MUCH_TIME at 9600 baud */
#define MUCH_TIME   (25 * NANOS_PER_MILLI)
#define WAITED_TIME NANOS_PER_MILLI
#define TURN_TIME   (40 * NANOS_PER_MILLI)

/*
 * When what was read can have come at the earliest: what waits is read at once in virtual time; in
 * real time a read that waited found nothing when it began, one that did not fill its room has left
 * nothing behind of what was there by then, and one that found nothing of what came until its end.
 * That this process goes on only later says nothing of what came meanwhile.
 */
static void note_read(struct host *host, nanos_t began, nanos_t until, ssize_t count)
{
    nanos_t now = clock_now(host->hal->clock);

    host->reads++;
    if (host->hal->clock->is_virtual)
        host->came = now;
    else
        host->came = now - began >= WAITED_TIME ? began : host->drained;
    if (count >= MUCH && now - host->came <= MUCH_TIME)
        host->is_fast = true;
    if (count < (ssize_t)sizeof host->bytes)
        host->drained = count ? began : until < now ? until : now;
}

/*
 * Reads in short turns, so that it is known when something came also if this process was held up. A
 * link that came back ends it: the device waits for a HELLO.
 */
static ssize_t read_some(struct host *host, nanos_t deadline, struct error *error)
{
    const uint64_t comebacks = link_comebacks(host->link);

    for (;;) {
        nanos_t began = clock_now(host->hal->clock), until = deadline;
        ssize_t count;

        if (!host->hal->clock->is_virtual && until - began > TURN_TIME)
            until = began + TURN_TIME;
        count = link_read(host->link, host->bytes, sizeof host->bytes, until, error);
        note_read(host, began, until, count);
        if (count || until == deadline || !host_is_over(host, until) ||
            link_comebacks(host->link) != comebacks)
            return count;
    }
}

/* The end of a frame that was torn with its link never comes. */
static void forget_torn(struct host *host)
{
    if (host->connection == link_comebacks(host->link))
        return;
    host->connection = link_comebacks(host->link);
    host->decoder.used = 0;
    host->decoder.skipping = false;
}

int host_next_frame(struct host *host, struct frame *frame, nanos_t deadline, struct error *error)
{
    bool has_read = false;

    for (;;) {
        ssize_t count;

        while (host->at < host->end) {
            size_t taken;
            enum frame_result result = frame_decode(&host->decoder, host->bytes + host->at,
                                                    host->end - host->at, &taken, frame);

            host->at += taken;
            if (result == FRAME_READY) {
                show(host, true, frame);
                return 1;
            }
            if (result == FRAME_REJECTED)
                note_dropped(host);
        }
        if (has_read && host_is_over(host, deadline))
            return 0;
        count = read_some(host, deadline, error);
        if (count <= 0)
            return (int)count;
        has_read = true;
        forget_torn(host);
        host->at = 0;
        host->end = (size_t)count;
    }
}
