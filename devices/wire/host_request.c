/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests until they are answered, what comes meanwhile, and what every class can be asked. */
#include "devices/wire/host_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_old_reply(const struct host *host, const struct frame *frame)
{
    for (unsigned i = 0; i < HOST_REPLIES && i < host->reply_count; i++) {
        const struct frame *reply = &host->replies[i];

        if (frame->type == reply->type && frame->sequence == reply->sequence &&
            frame->size == reply->size && !memcmp(frame->payload, reply->payload, frame->size))
            return true;
    }
    return false;
}

static bool is_reply(const struct frame *frame, uint8_t type, uint8_t sequence)
{
    return frame->sequence == sequence &&
           (frame->type == (type | WIRE_ANSWER) ||
            (frame->type == WIRE_REFUSED && frame->size >= 2 && frame->payload[0] == type));
}

/* A reply that comes after its request was given up is late; that has been told. */
static bool is_late_reply(const struct host *host, const struct frame *frame)
{
    return host->has_unanswered && is_reply(frame, host->unanswered, host->unanswered_sequence);
}

static void note_stray(struct host *host, const struct frame *frame)
{
    host->counts.stray++;
    if (frame->class == host->class && (is_old_reply(host, frame) || is_late_reply(host, frame)))
        return;
    host->counts.wrong++;
    host_keep_shown(host, FRAME_REJECTS, frame->class, frame->payload, frame->size);
}

int host_sort(struct host *host, const struct frame *frame, const struct frame *request,
              struct error *error)
{
    if (frame->version != host->version) {
        host->counts.versions += !host->is_upgrading;
        host->answers_both |= request && is_reply(frame, request->type, request->sequence);
        return 0;
    }
    if (frame->class == host->class) {
        if (wire_is_event(frame->type))
            return host_take_event(host, frame, error);
        if (request && is_reply(frame, request->type, request->sequence)) {
            frame_copy(&host->replies[host->reply_count++ % HOST_REPLIES], frame);
            host->event_read = 0;
            return 1;
        }
    }
    note_stray(host, frame);
    return 0;
}

#define FRAME_TIMES 2 /* more of the same time, for the longest frame at 9600 baud */

/*
 * 1 with the reply, 0 when none came in time, or the link's error. A frame that is on its way is
 * waited for: on a slow line a long one takes longer than a reply may, and asking again would bring
 * it twice.
 */
static int wait_reply(struct host *host, const struct frame *request, struct frame *reply,
                      struct error *error)
{
    nanos_t deadline = clock_now(host->hal->clock) + WIRE_REPLY_TIME;
    unsigned extended = 0;

    for (;;) {
        size_t used = host->decoder.used;
        int result = host_next_frame(host, reply, deadline, error);

        if (!result && host->decoder.used > used && extended++ < FRAME_TIMES) {
            deadline += WIRE_REPLY_TIME;
            continue;
        }
        if (result <= 0)
            return result;
        result = host_sort(host, reply, request, error);
        if (result || host_is_over(host, deadline))
            return result;
    }
}

/* What a reply means for its request; a refusal without a reason is no refusal we know. */
static int judge_reply(const struct host *host, const struct frame *reply, struct error *error)
{
    if (reply->type != WIRE_REFUSED)
        return 0;
    if (!reply->payload[1])
        return error_set(error, ERROR_DEVICE, "%s: request 0x%02x is refused with code 0",
                         host->link->address, reply->payload[0]);
    return reply->payload[1];
}

/* Whoever sends something is switched on: what came is told instead. */
static int say_silence(const struct host *host, uint8_t type, const struct host_counts *before,
                       struct error *error)
{
    static const char *const reasons[] = {
        [FRAME_TOO_LONG] = "no frame has so many bytes",
        [FRAME_BAD_COBS] = "they are no frame",
        [FRAME_TOO_SHORT] = "they are too few for a frame",
        [FRAME_BAD_CRC] = "their CRC is wrong",
        [FRAME_BAD_VERSION] = "they are a frame of another version of it",
    };
    char bytes[3 * HOST_SHOWN + 1] = "";

    for (unsigned i = 0; i < host->shown_count; i++)
        sprintf(bytes + 3 * i, " %02x", host->shown[i]);
    if (host->counts.rejected > before->rejected && host->shown_reason < FRAME_REJECTS)
        return error_set(
            error, ERROR_TIMEOUT,
            "%s: no reply to request 0x%02x; something answers, but not this protocol: "
            "%s (%s). Is its baud rate another one, or is it another device?",
            host->link->address, type, *bytes ? bytes + 1 : "a zero", reasons[host->shown_reason]);
    if (host->counts.wrong > before->wrong && host->shown_class != host->class)
        return error_set(error, ERROR_TIMEOUT,
                         "%s: no reply to request 0x%02x; frames come, but of class %u, not %u: is "
                         "it another device?",
                         host->link->address, type, host->shown_class, host->class);
    return error_set(error, ERROR_TIMEOUT,
                     "%s: no reply to request 0x%02x after %d tries of %d ms; is the device "
                     "switched on, and does it speak this protocol?%s",
                     host->link->address, type, WIRE_REPLY_TRIES,
                     (int)(WIRE_REPLY_TIME / NANOS_PER_MILLI),
                     type == WIRE_HELLO ? link_may_be_taken(host->link) : "");
}

#define COMEBACKS_MAX 16 /* of the link during one request */

/* A try that ended because the link was torn is none that the device left without an answer. */
static unsigned tries_for(const struct host *host, uint64_t comebacks)
{
    uint64_t torn = link_comebacks(host->link) - comebacks;

    return WIRE_REPLY_TRIES + (unsigned)(torn < COMEBACKS_MAX ? torn : COMEBACKS_MAX);
}

int host_ask(struct host *host, uint8_t type, const void *payload, size_t size, struct frame *reply,
             struct error *error)
{
    const struct host_counts before = host->counts;
    const uint64_t comebacks = link_comebacks(host->link);
    struct frame request;

    if (size > FRAME_PAYLOAD_MAX)
        return error_set(error, ERROR_RIG, "request 0x%02x: a payload of %zu bytes is over %d",
                         type, size, FRAME_PAYLOAD_MAX);
    frame_begin(&request, host->class, type, ++host->sequence);
    request.version = host->version;
    request.size = (uint8_t)size;
    if (size)
        memcpy(request.payload, payload, size);
    host->counts.requests++;
    for (unsigned tries = 0; tries < tries_for(host, comebacks); tries++) {
        nanos_t deadline = clock_now(host->hal->clock) + WIRE_REPLY_TIME;
        int result = host_send(host, &request, deadline, error);

        if (!result)
            result = wait_reply(host, &request, reply, error);
        if (result > 0)
            return judge_reply(host, reply, error);
        if (result == ERROR_DEVICE)
            result = link_await(host->link, error);
        if (result < 0 && result != ERROR_TIMEOUT)
            return result;
        host->counts.retries++;
    }
    host->has_unanswered = true;
    host->unanswered = type;
    host->unanswered_sequence = request.sequence;
    return say_silence(host, type, &before, error);
}

/* What a device is does not change unless it was asked for, or is told. */
static void note_status(struct host *host, const struct frame *reply)
{
    size_t size = reply->size < host->status_firm ? reply->size : host->status_firm;
    size_t known = size < host->status_size ? size : host->status_size;

    if (!host->is_restated && host->status_size &&
        (host->status_whole != reply->size || memcmp(host->status, reply->payload, known) != 0)) {
        host->is_restated = true;
        host->restated_at = clock_now(host->hal->clock);
    }
    host->status_size = size;
    host->status_whole = reply->size;
    memcpy(host->status, reply->payload, size);
}

static void settle_status(struct host *host)
{
    nanos_t deadline = host->restated_at + HOST_RESTATED_TIME;

    while (host->is_restated && !host_is_over(host, deadline)) {
        struct frame frame;
        int result = host_next_frame(host, &frame, deadline, NULL);

        if (result > 0)
            result = host_sort(host, &frame, NULL, NULL);
        if (result < 0)
            return;
    }
    host->counts.restated += host->is_restated;
    host->is_restated = false;
}

void host_settle(struct host *host)
{
    settle_status(host);
    host->counts.hasty += host->is_zero_hasty;
    host->is_zero_hasty = false;
    host_settle_clock(host);
}

/* Requests of every class change nothing, but CLEAR ERROR. */
static bool changes_something(const struct host *host, uint8_t type)
{
    return type != WIRE_HELLO && type != WIRE_IDENTITY && type != WIRE_STATUS && type != WIRE_LOG &&
           !(type < 32 && host->reading >> type & 1);
}

int host_request(struct host *host, uint8_t type, const void *payload, size_t size,
                 struct frame *reply, struct error *error)
{
    int result = host_renew(host, error);

    if (!result && changes_something(host, type)) {
        settle_status(host);
        host->status_size = 0;
    }
    if (!result)
        result = host_ask(host, type, payload, size, reply, error);
    if (result == REFUSED_UNKNOWN)
        host_note_refused(host, type);
    if (!result && type == WIRE_STATUS && host_is_wide(host))
        result = host_take_state(host, reply, error);
    if (!result && type == WIRE_STATUS)
        note_status(host, reply);
    return result;
}

/* A device with an event under its hand; 1, or ERROR_DEVICE for one that sends without an end. */
static int take_first(struct host *host, struct frame *event, struct error *error)
{
    if ((host->is_limited && !host->events_left) || !host->vendor_left)
        return error_set(error, ERROR_DEVICE,
                         "%s: the device has sent more than %d events without an end",
                         host->link->address, HOST_EVENTS_MAX);
    host->events_left -= host->is_limited;
    frame_copy(event, &host->queue[host->first]);
    host->event_time = host->received[host->first];
    host->event_renewals = host->renewals[host->first];
    host->first = (host->first + 1) % WIRE_EVENTS_MAX;
    host->queued--;
    host->counts.events++;
    return 1;
}

/* Waits until there is one: 1, 0 at the deadline, or the link's error. */
static int await_event(struct host *host, nanos_t deadline, struct error *error)
{
    while (!host->queued) {
        struct frame frame;
        int result = host_renew(host, error);

        if (result == ERROR_DEVICE && host->is_broken)
            return result;
        if (!result && !host->queued)
            result = host_next_frame(host, &frame, deadline, error);
        if (result > 0)
            result = host_sort(host, &frame, NULL, error);
        if (result == ERROR_DEVICE)
            result = link_await(host->link, error);
        /* A device that needs longer to come back than it is asked for is asked again. */
        if (result < 0 && (result != ERROR_TIMEOUT || host_is_over(host, deadline)))
            return result;
        /* A link that was opened again reads as nothing, with time left to wait. */
        if (!host->queued && host_is_over(host, deadline))
            return 0;
    }
    return 1;
}

int host_event(struct host *host, struct frame *event, nanos_t deadline, struct error *error)
{
    for (;;) {
        int result = await_event(host, deadline, error);

        if (result > 0)
            result = take_first(host, event, error);
        if (result <= 0 || !host_is_wide(host) || !wire_is_vendor(event->type))
            return result;
        host_pass_vendor(host, event);
    }
}

void host_allow(struct host *host)
{
    host->is_limited = true;
    host->events_left = host->vendor_left = HOST_EVENTS_MAX;
}

/* A length byte and that many printable characters; false when there is something else. */
static bool take_text(const struct frame *frame, size_t *at, char text[WIRE_TEXT_MAX + 1])
{
    size_t length;

    if (*at >= frame->size)
        return false;
    length = frame->payload[(*at)++];
    if (length > WIRE_TEXT_MAX || length > frame->size - *at)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isprint(frame->payload[*at + i]))
            return false;
    memcpy(text, frame->payload + *at, length);
    text[length] = '\0';
    *at += length;
    return true;
}

bool host_read_identity(const struct frame *reply, struct wire_identity *identity, size_t *at)
{
    *at = 0;
    if (!take_text(reply, at, identity->model) || !take_text(reply, at, identity->serial) ||
        !take_text(reply, at, identity->firmware) || reply->size - *at != WIRE_DIGEST_SIZE)
        return false;
    memcpy(identity->digest, reply->payload + *at, WIRE_DIGEST_SIZE);
    return true;
}

int host_identity(struct host *host, struct wire_identity *identity, struct error *error)
{
    struct frame reply;
    size_t at;
    int result = host_request(host, WIRE_IDENTITY, NULL, 0, &reply, error);

    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device will not identify itself: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    if (result)
        return result;
    return host_read_identity(&reply, identity, &at)
               ? 0
               : error_set(error, ERROR_DEVICE,
                           "%s: the identity of the device is malformed at byte %zu of %u",
                           host->link->address, at, reply.size);
}

static int read_log(struct host *host, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
                    unsigned *count, uint32_t *total, struct error *error)
{
    uint8_t payload[4];
    struct frame reply;
    int result;

    wire_put32(payload, first);
    result = host_request(host, WIRE_LOG, payload, sizeof payload, &reply, error);
    if (!result)
        result = log_read(host->link->address, first, host->version, reply.payload, reply.size,
                          entries, count, total, error);
    if (!result && host_is_wide(host))
        host_chain(host, entries, *count, *total);
    return result;
}

/*
 * Version 2: entries up to that one that nobody asked for are read as well, so that those after it
 * can be held against the digest of STATUS. A reply that brings nothing new ends that.
 */
static int read_up_to(struct host *host, uint32_t number, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    uint32_t next, total;
    unsigned count;
    int result = 0;

    while (!result && host_is_wide(host) && host->is_chained &&
           (next = host->chain.count) < number) {
        result = read_log(host, next, entries, &count, &total, error);
        if (host->chain.count == next)
            break;
    }
    return result;
}

int host_log(struct host *host, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
             unsigned *count, uint32_t *total, struct error *error)
{
    int result;

    if (first < UINT32_MAX) {
        result = read_up_to(host, first, error);
        return result ? result : read_log(host, first, entries, count, total, error);
    }
    result = read_log(host, first, entries, count, total, error);
    return result ? result : read_up_to(host, *total, error);
}

size_t host_meaningful(const struct frame *frame, size_t own)
{
    bool is_wide = frame->version >= FRAME_VERSION_2;

    if (is_wide && wire_is_vendor(frame->type))
        return HOST_ALL;
    switch (frame->type) {
    case WIRE_REFUSED:
        return 2;
    case WIRE_HELLO | WIRE_ANSWER:
        return is_wide ? 7 : 3;
    case WIRE_STATUS | WIRE_ANSWER:
        return own && is_wide ? own + WIRE_STATE_SIZE : own;
    case WIRE_IDENTITY | WIRE_ANSWER:
        return HOST_ALL;
    case WIRE_LOG | WIRE_ANSWER:
        return log_reply_size(frame->payload, frame->size, frame->version);
    default:
        return own;
    }
}
