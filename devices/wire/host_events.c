/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events: each taken once, acknowledged, queued, and its number and time judged. */
#include "devices/wire/host_inside.h"

#include <string.h>

/*
 * A device that lost its power may use the last number again for something else. After a HELLO that
 * was said because the link came back, the acknowledgement of the last event may have been lost:
 * then the device says it again under its first number, which can come before a reply that was
 * lost.
 */
static bool is_repeated(const struct host *host, const struct frame *event)
{
    const struct frame *last =
        &host->queue[(host->first + host->queued + WIRE_EVENTS_MAX - 1) % WIRE_EVENTS_MAX];

    return (host->is_renewed || host->is_young ||
            (host->seen_event && event->sequence == host->last_event) ||
            (host->is_greeting && host->seen_event && !event->sequence)) &&
           event->type == last->type && event->size == last->size &&
           !memcmp(event->payload, last->payload, event->size);
}

static void count_gap(struct host *host, uint8_t sequence)
{
    uint8_t expected = host->seen_event ? (uint8_t)(host->last_event + 1) : 0;

    host->zeros += host->seen_event && !sequence;
    if (sequence == expected || host->is_young || (host->is_greeting && !sequence))
        return;
    if (sequence == 0)
        host->counts.restarts++;
    else
        host->counts.lost += (uint8_t)(sequence - expected);
}

/*
 * An event is said again 200 ms after it was sent, less what the line delayed the first of the two
 * more than the second. Half of that is left to lines; a slow one, on which one frame waits behind
 * another for longer, is not judged; nor is what was said while nobody was there, and comes twice
 * when the line is back. A device that lost its power sends number 0 again at once and
 * POWER UP after it.
 */
static bool is_hasty(const struct host *host)
{
    return host->is_fast && !host->is_renewed && !host->is_young && !host->is_returned &&
           host->comebacks == link_comebacks(host->link) &&
           clock_now(host->hal->clock) - host->event_since < WIRE_ACK_TIME / 2;
}

/* The one above came with the same read: its acknowledgement was not sent when this one was. */
static bool is_crowded(const struct host *host, uint8_t sequence)
{
    return host->seen_event && host->event_read == host->reads &&
           sequence == (uint8_t)(host->last_event + 1);
}

/* A device that does not read its acknowledgement says the event again. */
static int acknowledge(struct host *host, const struct frame *event, struct error *error)
{
    struct frame ack;
    int result;

    frame_begin(&ack, host->class, event->type | WIRE_ANSWER, event->sequence);
    ack.version = host->version;
    result = host_send(host, &ack, clock_now(host->hal->clock) + WIRE_REPLY_TIME, error);
    return result == ERROR_TIMEOUT ? 0 : result;
}

static bool is_power_up(const struct frame *event)
{
    bool deals = event->class == FRAME_SHUFFLER || event->class == FRAME_SHOE;

    return event->type == (deals ? 0x46 : 0x47);
}

/* Whether a flag of HELLO and STATUS, test mode or an error, may be another one after it. */
static bool tells_flag(const struct frame *event, enum host_flag flag)
{
    bool deals = event->class == FRAME_SHUFFLER || event->class == FRAME_SHOE;

    if (is_power_up(event))
        return true;
    if (flag == HOST_TEST_MODE)
        return event->type == (deals ? 0x45 : event->class == FRAME_BET_SENSOR ? 0x46 : 0x48);
    return deals && (event->type == 0x43 || event->type == 0x44);
}

static void note_event(struct host *host, const struct frame *event)
{
    host->heard++;
    host->status_size = 0;
    if (is_power_up(event)) {
        host->counts.power_ups += host->counts.restarts > host->counts.power_ups;
        host->is_zero_hasty = false;
    }
    if (clock_now(host->hal->clock) - host->restated_at <= HOST_RESTATED_TIME)
        host->is_restated = false;
}

int host_take_event(struct host *host, const struct frame *event, struct error *error)
{
    if (is_repeated(host, event)) {
        host->counts.duplicates++;
        host->heard += host->is_young;
        if (is_hasty(host)) {
            host->is_zero_hasty |= !event->sequence;
            host->counts.hasty += event->sequence != 0;
        }
        host->last_event = event->sequence;
        host->event_read = 0;
    } else {
        unsigned slot = (host->first + host->queued) % WIRE_EVENTS_MAX;

        if (host->queued == WIRE_EVENTS_MAX)
            return 0;
        host->counts.crowded += is_crowded(host, event->sequence);
        host->event_read = host->reads;
        host->event_since = host->came;
        host->is_returned = host->is_renewed || host->is_young;
        count_gap(host, event->sequence);
        frame_copy(&host->queue[slot], event);
        host->received[slot] = clock_now(host->hal->clock);
        host->renewals[slot] = host->zeros + link_comebacks(host->link);
        host->queued++;
        host->last_event = event->sequence;
        note_event(host, event);
    }
    host->seen_event = true;
    host->is_renewed = host->is_young = false;
    /* What waited may have been lost with the power. */
    host->arrived += is_power_up(event) ? WIRE_EVENTS_MAX : 1;
    for (unsigned flag = 0; flag < HOST_FLAGS; flag++)
        host->flagged[flag] += tells_flag(event, (enum host_flag)flag);
    host->is_greeted |= host->is_greeting && !event->sequence;
    return acknowledge(host, event, error);
}
