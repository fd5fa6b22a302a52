/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/host.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void show(struct host *host, bool from_device, const struct frame *frame)
{
    if (host->seen)
        host->seen(host->context, from_device, frame, clock_now(host->hal->clock));
}

/* Keeps the beginning of what was no frame of this device, for sentences. */
static void keep_shown(struct host *host, enum frame_reject reason, unsigned class,
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
    keep_shown(host, decoder->reason, 0, decoder->dropped, decoder->dropped_count);
    if (host->dropped)
        host->dropped(host->context, decoder->dropped, decoder->dropped_count,
                      clock_now(host->hal->clock));
}

static int send_frame(struct host *host, const struct frame *frame, nanos_t deadline,
                      struct error *error)
{
    uint8_t encoded[FRAME_ENCODED_MAX];

    show(host, false, frame);
    return link_write_all(host->link, encoded, frame_encode(frame, encoded), deadline, error);
}

static bool is_over(const struct host *host, nanos_t deadline)
{
    return clock_now(host->hal->clock) >= deadline;
}

#define MUCH        48 /* bytes, which take twice MUCH_TIME at 9600 baud */
#define MUCH_TIME   (25 * NANOS_PER_MILLI)
#define WAITED_TIME NANOS_PER_MILLI
#define TURN_TIME   (40 * NANOS_PER_MILLI)

/*
 * When what was read can have come at the earliest: what waits is read at once in virtual time; in
 * real time a read that waited found nothing when it began, and one that did not fill its room has
 * left nothing behind.
 */
static void note_read(struct host *host, nanos_t began, ssize_t count)
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
        host->drained = now;
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
        note_read(host, began, count);
        if (count || until == deadline || !is_over(host, until) ||
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

/*
 * The next good frame: 1, or 0 at the deadline, or the link's error. A device that never stops
 * talking cannot keep its host past the deadline.
 */
static int next_frame(struct host *host, struct frame *frame, nanos_t deadline, struct error *error)
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
        if (has_read && is_over(host, deadline))
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
 * another for longer, is not judged. A device that lost its power sends number 0 again at once and
 * POWER UP after it.
 */
static bool is_hasty(const struct host *host)
{
    return host->is_fast && !host->is_renewed && !host->is_young &&
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
    result = send_frame(host, &ack, clock_now(host->hal->clock) + WIRE_REPLY_TIME, error);
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

#define RESTATED_TIME                                                                              \
    (2 * NANOS_PER_SECOND) /* for an event that waits behind others, or was lost */

static void note_event(struct host *host, const struct frame *event)
{
    host->heard++;
    host->status_size = 0;
    if (is_power_up(event)) {
        host->counts.power_ups += host->counts.restarts > host->counts.power_ups;
        host->is_zero_hasty = false;
    }
    if (clock_now(host->hal->clock) - host->restated_at <= RESTATED_TIME)
        host->is_restated = false;
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

/* Acknowledges an event and queues it unless it was taken before. A full queue does not answer. */
static int take_event(struct host *host, const struct frame *event, struct error *error)
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
    keep_shown(host, FRAME_REJECTS, frame->class, frame->payload, frame->size);
}

/* Sorts a frame: 1 if it answers `request`, 0 if it was something else, or the link's error. */
static int sort_frame(struct host *host, const struct frame *frame, const struct frame *request,
                      struct error *error)
{
    if (frame->class == host->class) {
        if (wire_is_event(frame->type))
            return take_event(host, frame, error);
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
        int result = next_frame(host, reply, deadline, error);

        if (!result && host->decoder.used > used && extended++ < FRAME_TIMES) {
            deadline += WIRE_REPLY_TIME;
            continue;
        }
        if (result <= 0)
            return result;
        result = sort_frame(host, reply, request, error);
        if (result || is_over(host, deadline))
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
                     "switched on, and does it speak this protocol?",
                     host->link->address, type, WIRE_REPLY_TRIES,
                     (int)(WIRE_REPLY_TIME / NANOS_PER_MILLI));
}

#define COMEBACKS_MAX 16 /* of the link during one request */

/* A try that ended because the link was torn is none that the device left without an answer. */
static unsigned tries_for(const struct host *host, uint64_t comebacks)
{
    uint64_t torn = link_comebacks(host->link) - comebacks;

    return WIRE_REPLY_TRIES + (unsigned)(torn < COMEBACKS_MAX ? torn : COMEBACKS_MAX);
}

/*
 * Asks until there is a reply. A device that goes away meanwhile is asked the same again when it is
 * back, for as long as the link looks for it: it knows a repeated request by its number.
 */
static int ask(struct host *host, uint8_t type, const void *payload, size_t size,
               struct frame *reply, struct error *error)
{
    const struct host_counts before = host->counts;
    const uint64_t comebacks = link_comebacks(host->link);
    struct frame request;

    if (size > FRAME_PAYLOAD_MAX)
        return error_set(error, ERROR_RIG, "request 0x%02x: a payload of %zu bytes is over %d",
                         type, size, FRAME_PAYLOAD_MAX);
    frame_begin(&request, host->class, type, ++host->sequence);
    request.size = (uint8_t)size;
    if (size)
        memcpy(request.payload, payload, size);
    host->counts.requests++;
    for (unsigned tries = 0; tries < tries_for(host, comebacks); tries++) {
        nanos_t deadline = clock_now(host->hal->clock) + WIRE_REPLY_TIME;
        int result = send_frame(host, &request, deadline, error);

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

static void settle_status(struct host *host)
{
    nanos_t deadline = host->restated_at + RESTATED_TIME;

    while (host->is_restated && !is_over(host, deadline)) {
        struct frame frame;
        int result = next_frame(host, &frame, deadline, NULL);

        if (result > 0)
            result = sort_frame(host, &frame, NULL, NULL);
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
}

/* Requests of every class change nothing, but CLEAR ERROR. */
static bool changes_something(const struct host *host, uint8_t type)
{
    return type != WIRE_HELLO && type != WIRE_IDENTITY && type != WIRE_STATUS && type != WIRE_LOG &&
           !(type < 32 && host->reading >> type & 1);
}

static int say_hello(struct host *host, struct frame *reply, struct error *error)
{
    uint64_t comebacks = link_comebacks(host->link);
    uint8_t nonce[WIRE_NONCE_SIZE];
    int result;

    wire_put32(nonce, (uint32_t)clock_now(host->hal->clock));
    result = ask(host, WIRE_HELLO, nonce, sizeof nonce, reply, error);
    if (!result)
        host->comebacks = comebacks;
    return result;
}

static int check_version(const struct host *host, const struct frame *reply, struct error *error)
{
    if (reply->size >= 3 && reply->payload[0] == FRAME_VERSION)
        return 0;
    return error_set(error, ERROR_DEVICE,
                     "%s: the device answers HELLO with %u bytes, protocol version %u; this "
                     "program speaks version %d",
                     host->link->address, reply->size, reply->size ? reply->payload[0] : 0,
                     FRAME_VERSION);
}

/*
 * Whether so many events are counted there, each in time. Also true when the queue has no room, and
 * when the link is torn again: there will be another HELLO.
 */
static bool have_arrived(struct host *host, const unsigned *count, unsigned wanted, nanos_t time)
{
    nanos_t deadline = clock_now(host->hal->clock) + time;

    while (*count < wanted && host->queued < WIRE_EVENTS_MAX &&
           host->comebacks == link_comebacks(host->link)) {
        unsigned before = *count;
        struct frame frame;
        int result = next_frame(host, &frame, deadline, NULL);

        if (result > 0)
            result = sort_frame(host, &frame, NULL, NULL);
        if (result < 0)
            return result != ERROR_TIMEOUT;
        if (*count > before)
            deadline = clock_now(host->hal->clock) + time;
        else if (is_over(host, deadline))
            return false;
    }
    return true;
}

#define HELLO_FLAGS 3 /* test mode and a pending error; the other bits are not said */

/* Each of the flags that have changed was told, or is told now. */
static bool are_flags_told(struct host *host, unsigned changed)
{
    for (unsigned flag = 0; flag < HOST_FLAGS; flag++)
        if (changed >> flag & 1 && !have_arrived(host, &host->flagged[flag], 1, RESTATED_TIME))
            return false;
    return true;
}
#define EVENT_TIME (WIRE_REPLY_TRIES * WIRE_REPLY_TIME)

/*
 * A HELLO after the link came back is held against STATUS and the events that it says wait, like
 * the first one. What changes between HELLO and STATUS is told by an event.
 */
static int check_renewal(struct host *host, const struct frame *hello, struct error *error)
{
    unsigned waited = hello->payload[2] < WIRE_EVENTS_MAX ? hello->payload[2] : WIRE_EVENTS_MAX;
    struct frame status;
    int result = ask(host, WIRE_STATUS, NULL, 0, &status, error);

    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device came back and refuses STATUS: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    if (result)
        return result;
    if (!have_arrived(host, &host->arrived, waited, EVENT_TIME))
        return error_set(
            error, ERROR_DEVICE,
            "%s: the device came back, its HELLO says that %u events wait, and %u came",
            host->link->address, hello->payload[2], host->arrived);
    if (status.size >= 3 && are_flags_told(host, status.payload[2] ^ hello->payload[1]))
        return 0;
    return error_set(
        error, ERROR_DEVICE,
        "%s: the device came back, its HELLO has flags 0x%02x and STATUS, of %u bytes, "
        "0x%02x",
        host->link->address, hello->payload[1], status.size,
        status.size < 3 ? 0 : status.payload[2]);
}

/*
 * A device that was away for longer keeps its events until it hears a HELLO. 0, also when it has
 * been there all the time.
 */
static int renew(struct host *host, struct error *error)
{
    struct frame reply;
    int result;

    if (host->comebacks == link_comebacks(host->link))
        return 0;
    host->is_greeting = true;
    host->is_greeted = false;
    host->arrived = 0;
    memset(host->flagged, 0, sizeof host->flagged);
    result = say_hello(host, &reply, error);
    host->is_greeting = false;
    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device came back and refuses HELLO: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    host->status_size = 0;
    /* Not sooner: what it says before it has heard the HELLO still has the old numbers. */
    if (!result && !host->is_greeted) {
        host->is_renewed = host->is_renewed || host->seen_event;
        host->seen_event = false;
    }
    if (!result)
        result = check_version(host, &reply, error);
    if (!result && host->is_checked && host->comebacks == link_comebacks(host->link))
        result = check_renewal(host, &reply, error);
    host->is_broken = result == ERROR_DEVICE && link_comebacks(host->link) == host->comebacks;
    return result;
}

int host_request(struct host *host, uint8_t type, const void *payload, size_t size,
                 struct frame *reply, struct error *error)
{
    int result = renew(host, error);

    if (!result && changes_something(host, type)) {
        settle_status(host);
        host->status_size = 0;
    }
    if (!result)
        result = ask(host, type, payload, size, reply, error);
    if (!result && type == WIRE_STATUS)
        note_status(host, reply);
    return result;
}

int host_event(struct host *host, struct frame *event, nanos_t deadline, struct error *error)
{
    while (!host->queued) {
        struct frame frame;
        int result = renew(host, error);

        if (result == ERROR_DEVICE && host->is_broken)
            return result;
        if (!result && !host->queued)
            result = next_frame(host, &frame, deadline, error);
        if (result > 0)
            result = sort_frame(host, &frame, NULL, error);
        if (result == ERROR_DEVICE)
            result = link_await(host->link, error);
        /* A device that needs longer to come back than it is asked for is asked again. */
        if (result < 0 && (result != ERROR_TIMEOUT || is_over(host, deadline)))
            return result;
        /* A link that was opened again reads as nothing, with time left to wait. */
        if (!host->queued && is_over(host, deadline))
            return 0;
    }
    if (host->is_limited && !host->events_left)
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

/*
 * Whoever spoke to the device before may have had this number for the last request: a device that
 * knows a repeat by its number alone then says its last reply again, and hears the next number.
 */
static int begin(struct host *host, struct frame *reply, struct error *error)
{
    int result = say_hello(host, reply, error);

    if (result == ERROR_TIMEOUT && host->counts.wrong && host->shown_class == host->class)
        result = say_hello(host, reply, error);
    return result;
}

int host_open(struct host *host, struct link *link, enum frame_class class, struct error *error)
{
    struct frame reply;
    int result;

    memset(host, 0, sizeof *host);
    host->link = link;
    host->hal = link->hal;
    host->class = (uint8_t) class;
    host->drained = clock_now(host->hal->clock);
    host->status_firm = HOST_STATUS;
    result = begin(host, &reply, error);
    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device refuses HELLO: %s", link->address,
                         wire_refusal_text((unsigned)result));
    if (result)
        return result;
    result = check_version(host, &reply, error);
    if (result)
        return result;
    host->hello_flags = reply.payload[1];
    host->hello_events = reply.payload[2];
    /* What was on the line before was meant for nobody here. */
    host->counts.wrong = host->counts.rejected = host->counts.hasty = host->counts.crowded = 0;
    host->counts.lost = host->counts.restarts = 0;
    host->is_young = host->seen_event;
    host->heard = 0;
    return 0;
}

void host_allow(struct host *host)
{
    host->is_limited = true;
    host->events_left = HOST_EVENTS_MAX;
}

/*
 * Takes what waited in the device into the queue, as far as it has room: each comes when the one
 * above is acknowledged. A device may have sent some of them before it answered HELLO, or before it
 * heard of it.
 */
static int await_events(struct host *host, struct error *error)
{
    unsigned wanted = host->hello_events < WIRE_EVENTS_MAX ? host->hello_events : WIRE_EVENTS_MAX;

    while (host->heard < wanted) {
        unsigned before = host->heard;
        nanos_t deadline = clock_now(host->hal->clock) + WIRE_REPLY_TRIES * WIRE_REPLY_TIME;

        while (host->heard == before) {
            struct frame frame;
            int result = next_frame(host, &frame, deadline, error);

            if (result > 0)
                result = sort_frame(host, &frame, NULL, error);
            if (result < 0)
                return result;
            if (host->heard > before || !is_over(host, deadline))
                continue;
            return host->queued >= wanted
                       ? 0
                       : error_set(error, ERROR_DEVICE,
                                   "%s: HELLO says that %u events wait, and %u came",
                                   host->link->address, host->hello_events, host->queued);
        }
    }
    return 0;
}

int host_check_hello(struct host *host, struct error *error)
{
    struct frame status;
    int result = host_request(host, WIRE_STATUS, NULL, 0, &status, error);

    host->is_checked = true;
    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device refuses STATUS: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    if (result)
        return result;
    if (status.size < 3 || (status.payload[2] ^ host->hello_flags) & HELLO_FLAGS)
        return error_set(error, ERROR_DEVICE,
                         "%s: HELLO has flags 0x%02x and STATUS, of %u bytes, 0x%02x",
                         host->link->address, host->hello_flags, status.size,
                         status.size < 3 ? 0 : status.payload[2]);
    return await_events(host, error);
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

int host_identity(struct host *host, struct wire_identity *identity, struct error *error)
{
    struct frame reply;
    size_t at = 0;
    int result = host_request(host, WIRE_IDENTITY, NULL, 0, &reply, error);

    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device will not identify itself: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    if (result)
        return result;
    if (!take_text(&reply, &at, identity->model) || !take_text(&reply, &at, identity->serial) ||
        !take_text(&reply, &at, identity->firmware) || reply.size - at != WIRE_DIGEST_SIZE)
        return error_set(error, ERROR_DEVICE,
                         "%s: the identity of the device is malformed at byte %zu of %u",
                         host->link->address, at, reply.size);
    memcpy(identity->digest, reply.payload + at, WIRE_DIGEST_SIZE);
    return 0;
}

int host_log(struct host *host, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
             unsigned *count, uint32_t *total, struct error *error)
{
    uint8_t payload[4];
    struct frame reply;
    int result;

    wire_put32(payload, first);
    result = host_request(host, WIRE_LOG, payload, sizeof payload, &reply, error);
    return result ? result
                  : log_read(host->link->address, first, reply.payload, reply.size, entries, count,
                             total, error);
}

size_t host_meaningful(const struct frame *frame, size_t own)
{
    switch (frame->type) {
    case WIRE_REFUSED:
        return 2;
    case WIRE_HELLO | WIRE_ANSWER:
        return 3;
    case WIRE_IDENTITY | WIRE_ANSWER:
        return HOST_ALL;
    case WIRE_LOG | WIRE_ANSWER:
        return log_reply_size(frame->payload, frame->size);
    default:
        return own;
    }
}
