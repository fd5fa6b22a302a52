/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation with the device, frame by frame, and what each frame is held against. */
#include <stdarg.h>
#include <stdio.h>

#include "devices/conform/suite.h"
#include "hal/base/plural.h"

#define WRITE_TIME   (5 * NANOS_PER_SECOND)
#define GRACE        (400 * CONFORM_MS) /* for a frame that is on its way */
#define HASTE        (100 * CONFORM_MS) /* less than this between two sendings is no time to wait */
#define HELLO_TRIES  3
#define SLICE        (50 * CONFORM_MS) /* so often a real clock is looked at while nothing comes */
#define RESEND_LEAST (150 * CONFORM_MS)

nanos_t suite_now(const struct suite *suite)
{
    return clock_now(suite->link->hal->clock);
}

void suite_break(struct suite *suite, enum error_code code, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list list;

    if (suite->broken)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    suite->broken = error_set(suite->error, code, "%s", text);
}

static void keep(struct suite *suite, bool from_device, const uint8_t *bytes, size_t count)
{
    struct conform_frame *kept = &suite->frames[suite->frame_count++ % SUITE_KEPT];

    if (count > sizeof kept->bytes)
        count = sizeof kept->bytes;
    kept->time = suite_now(suite);
    kept->from_device = from_device;
    kept->count = (uint8_t)count;
    memcpy(kept->bytes, bytes, count);
    if (!from_device && suite->mask)
        suite->mask(kept->bytes, count);
}

void suite_send_bytes(struct suite *suite, const void *bytes, size_t count)
{
    struct error error;
    int status;

    if (suite->broken)
        return;
    keep(suite, false, bytes, count);
    status = link_write_all(suite->link, bytes, count, suite_now(suite) + WRITE_TIME, &error);
    if (status)
        suite_break(suite, (enum error_code)status, "%s", error.text);
}

void suite_send(struct suite *suite, const struct frame *frame)
{
    uint8_t encoded[FRAME_ENCODED_MAX];

    suite_send_bytes(suite, encoded, frame_encode(frame, encoded));
}

/* What came and is no frame: the clause that it breaks. */
static void take_rejected(struct suite *suite)
{
    static const struct {
        const char *id, *what;
    } reasons[FRAME_REJECTS] = {
        [FRAME_TOO_LONG] = {"F13", "a frame is longer than 248 bytes"},
        [FRAME_BAD_COBS] = {"F5", "bytes are not COBS: a code byte points past the end"},
        [FRAME_TOO_SHORT] = {"F11", "a frame is shorter than head and CRC"},
        [FRAME_BAD_CRC] = {"F12", "the CRC of a frame is wrong"},
        [FRAME_BAD_VERSION] = {"F6", "the version of a frame is not 1"},
    };
    const struct frame_decoder *decoder = &suite->decoder;

    keep(suite, true, decoder->dropped, decoder->dropped_count);
    if (suite->conform->is_noisy)
        suite_unseen(suite, reasons[decoder->reason].id,
                     "bytes came that are no frame, and the line may have damaged them");
    else if (suite->is_greeted)
        suite_hold(suite, reasons[decoder->reason].id, false, "%s", reasons[decoder->reason].what);
}

static bool answers(const struct frame *frame, uint8_t type)
{
    if (frame->type == WIRE_REFUSED)
        return frame->size > 0 && frame->payload[0] == type;
    return frame->type == (type | WIRE_ANSWER);
}

/* A reply to a request before this one that was said more than once. */
static bool is_late(struct suite *suite, const struct frame *frame)
{
    for (unsigned i = 0; i < SUITE_PAST; i++)
        if (suite->past[i].unanswered && suite->past[i].sequence == frame->sequence &&
            answers(frame, suite->past[i].type)) {
            suite->past[i].unanswered--;
            return true;
        }
    return false;
}

void suite_number(struct suite *suite, uint8_t type)
{
    unsigned at = suite->past_count++ % SUITE_PAST;

    suite->past[at].sequence = suite->sequence;
    suite->past[at].type = suite->asked_type;
    suite->past[at].unanswered = suite->asked_times - suite->answered_times;
    suite->sequence++;
    suite->asked_type = type;
    suite->asked_times = suite->answered_times = 0;
    suite->has_reply = false;
}

/* STATUS beside the last one, if nothing was asked or told since that changes anything. */
static void compare_status(struct suite *suite)
{
    const struct conform_kind *kind = suite->kind;
    const struct frame *reply = &suite->reply;
    size_t firm = kind->firm && kind->firm < reply->size ? kind->firm : reply->size;

    if (suite->event_count || suite->defers ||
        (!suite->is_old && kind->moves && kind->moves(suite))) {
        suite->has_status = false;
        return;
    }
    if (suite->has_status)
        suite_hold(suite, kind->status_clause,
                   suite->status.size == reply->size &&
                       !memcmp(suite->status.payload, reply->payload, firm),
                   "STATUS is not what it was, and nothing was asked or told in between");
    frame_copy(&suite->status, reply);
    suite->has_status = true;
}

/*
 * What moves by itself may have gone on since the last event, and further than one state while an
 * acknowledgement was on its way; in virtual time nothing is on its way.
 */
static void look_at_status(struct suite *suite)
{
    const struct frame *reply = &suite->reply;
    bool is_known = reply->size && reply->payload[0] == suite->kind->state(suite) &&
                    suite->link->hal->clock->is_virtual;

    if (reply->type != (WIRE_STATUS | WIRE_ANSWER) || !suite->is_greeted)
        return;
    compare_status(suite);
    if (!suite->is_old && !suite->event_count && !suite->defers &&
        (is_known || !suite->kind->moves || !suite->kind->moves(suite)))
        suite->kind->status(suite, reply);
}

static void take_reply(struct suite *suite, const struct frame *frame)
{
    bool is_number = frame->sequence == suite->sequence;

    if (is_number && answers(frame, suite->asked_type) &&
        suite->answered_times < suite->asked_times) {
        suite->answered_times++;
        suite->has_reply = true;
        frame_copy(&suite->reply, frame);
        look_at_status(suite);
        return;
    }
    if (!suite->is_greeted || is_late(suite, frame))
        return;
    if (is_number && answers(frame, suite->asked_type))
        suite_hold(suite, "C2", false,
                   "the reply to request 0x%02x came %u time%s, which was asked %u",
                   suite->asked_type, suite->answered_times + 1, plural(suite->answered_times + 1),
                   suite->asked_times);
    else if (is_number)
        suite_hold(suite, frame->type == WIRE_REFUSED ? "C10" : "C2", false,
                   "0x%02x is no answer to request 0x%02x", frame->type, suite->asked_type);
    else
        suite_hold(suite, "C7", false, "an answer has the number %u and not %u", frame->sequence,
                   suite->sequence);
}

static void acknowledge(struct suite *suite, const struct frame *event)
{
    struct frame frame;

    frame_begin(&frame, event->class, event->type | WIRE_ANSWER, event->sequence);
    frame.version = event->version;
    suite_send(suite, &frame);
}

static bool same_event(const struct frame *a, const struct frame *b)
{
    return a->sequence == b->sequence && a->type == b->type && a->size == b->size &&
           !memcmp(a->payload, b->payload, a->size);
}

/* Keeps it for who judges it, unless there is no room or it is not to be taken. */
static void take_in(struct suite *suite, const struct frame *event)
{
    if (suite->withholds || suite->event_count == SUITE_EVENTS)
        return;
    suite->event_times[suite->event_count] = suite_now(suite);
    frame_copy(&suite->events[suite->event_count++], event);
    suite->last_is_taken = true;
    acknowledge(suite, event);
}

static void take_repeat(struct suite *suite, const struct frame *event)
{
    nanos_t gap = suite_now(suite) - suite->last_event_time;

    suite->repeats++;
    suite->last_gap = gap;
    /* Within that time two of them cannot have come that were sent 200 ms apart. */
    if (!suite->conform->is_noisy && suite->read_window < RESEND_LEAST)
        suite_hold(suite, "C22", gap >= HASTE || suite->last_event_read != suite->read_count,
                   "event 0x%02x is said twice at once", event->type);
    suite->last_event_time = suite_now(suite);
    if (suite->last_is_taken)
        acknowledge(suite, event);
    else
        take_in(suite, event);
}

/* Numbers count up; 0 out of turn is a device that has lost its power. */
static void number_event(struct suite *suite, const struct frame *event)
{
    bool is_next = event->sequence == suite->next_event;

    if (suite->is_greeted && suite->is_loose)
        is_next |= event->sequence == 0;
    if (suite->is_greeted && !is_next && event->sequence == 0) {
        suite->power_losses++;
        suite->awaits_power_up = true;
    } else if (suite->is_greeted) {
        suite_hold(suite, "C20", is_next, "event 0x%02x has the number %u and not %u", event->type,
                   event->sequence, suite->next_event);
    }
    if (suite->is_greeted)
        suite->is_loose = false;
    suite->may_have_restarted |= event->sequence == 0;
    suite->next_event = (uint8_t)(event->sequence + 1);
}

static void take_event(struct suite *suite, const struct frame *event)
{
    if (suite->has_event && same_event(event, &suite->last_event)) {
        take_repeat(suite, event);
        return;
    }
    if (suite->is_greeted && suite->has_event)
        suite_hold(suite, "C21",
                   suite->last_is_taken && suite->last_event_read != suite->read_count,
                   "event 0x%02x came before event 0x%02x was acknowledged", event->type,
                   suite->last_event.type);
    number_event(suite, event);
    frame_copy(&suite->last_event, event);
    suite->has_event = true;
    suite->has_status = false;
    suite->last_is_taken = false;
    suite->last_event_time = suite_now(suite);
    suite->last_event_read = suite->read_count;
    suite->repeats = 0;
    suite->heard++;
    suite->vendor_events += suite_is_vendor_event(suite, event);
    take_in(suite, event);
}

/* As version 1 has it; what came before the reply to a HELLO of version 2 comes again. */
static bool narrow(struct suite *suite, struct frame *frame)
{
    if (frame->version != suite->version && suite->is_upgrading &&
        !(answers(frame, WIRE_HELLO) && frame->sequence == suite->sequence))
        return false;
    if (!suite_hold(suite, "V7", frame->version == suite->version,
                    "a frame of version %u comes in a conversation of version %u", frame->version,
                    suite->version))
        return false;
    if (!suite_is_second(suite))
        return true;
    if (frame->type == (WIRE_STATUS | WIRE_ANSWER))
        suite_take_state(suite, frame);
    if (suite->kind->narrow)
        suite->kind->narrow(suite, frame);
    return true;
}

static void take_frame(struct suite *suite, struct frame *frame)
{
    uint8_t encoded[FRAME_ENCODED_MAX] = {0};
    size_t count = frame_encode(frame, encoded);

    keep(suite, true, encoded, count);
    if (frame->class != suite->kind->class) {
        if (suite->is_greeted)
            suite_hold(suite, "F7", false, "a frame has the class %u", frame->class);
        suite->stranger = frame->class;
        return;
    }
    if (!narrow(suite, frame))
        return;
    if (wire_is_event(frame->type))
        take_event(suite, frame);
    else if (frame->type == WIRE_REFUSED || wire_is_request(frame->type & ~WIRE_ANSWER & 0xff))
        frame->type &WIRE_ANSWER
            ? take_reply(suite, frame)
            : (void)suite_hold(suite, "C1", false, "the device sends a request, 0x%02x",
                               frame->type);
    else
        suite_hold(suite, frame->type & WIRE_ANSWER ? "C5" : "C4", false,
                   "0x%02x is no type that a device sends", frame->type);
}

void suite_listen(struct suite *suite, nanos_t deadline)
{
    uint8_t bytes[1024];
    struct error error;
    struct frame frame;
    ssize_t count;
    size_t taken;

    if (suite->broken)
        return;
    if (!suite->link->hal->clock->is_virtual && deadline > suite_now(suite) + SLICE)
        deadline = suite_now(suite) + SLICE;
    count = link_read(suite->link, bytes, sizeof bytes, deadline, &error);
    suite->read_window =
        suite->link->hal->clock->is_virtual ? 0 : suite_now(suite) - suite->read_at;
    suite->read_at = suite_now(suite);
    if (count < 0)
        suite_break(suite, (enum error_code)count, "%s", error.text);
    suite->read_count++;
    for (size_t at = 0; count > 0 && at < (size_t)count && !suite->broken; at += taken) {
        switch (frame_decode(&suite->decoder, bytes + at, (size_t)count - at, &taken, &frame)) {
        case FRAME_READY:
            take_frame(suite, &frame);
            break;
        case FRAME_REJECTED:
            take_rejected(suite);
            break;
        default:
            break;
        }
    }
}

void suite_rest(struct suite *suite, unsigned millis)
{
    nanos_t until = suite_now(suite) + millis * CONFORM_MS;

    while (!suite->broken && suite_now(suite) < until)
        suite_listen(suite, until);
}

/* Waits for the reply to what was sent last: 0, the refusal, or SUITE_SILENT. */
static int hear_reply(struct suite *suite, nanos_t until)
{
    while (!suite->broken && !suite->has_reply && suite_now(suite) < until)
        suite_listen(suite, until);
    if (suite->broken)
        return suite->broken;
    if (!suite->has_reply)
        return SUITE_SILENT;
    if (suite->reply.type != WIRE_REFUSED)
        return 0;
    suite_hold(suite, "C10", suite->reply.size == 2 && suite->reply.payload[1] > 0,
               "a refusal has %u byte%s", suite->reply.size, plural(suite->reply.size));
    return suite->reply.size == 2 ? suite->reply.payload[1] : SUITE_SILENT;
}

static void begin_request(struct suite *suite, const struct frame *made)
{
    suite_number(suite, made->type);
    suite->has_status &= made->type <= WIRE_LOG;
    suite->is_new &= made->type <= WIRE_LOG;
    suite->request = *made;
    suite->request.sequence = suite->sequence;
}

/* In the version of the conversation; what stands for a code is asked for first. */
static void make_request(struct suite *suite, uint8_t type, const void *payload, size_t size,
                         struct frame *made)
{
    frame_begin(made, suite->kind->class, type, 0);
    made->version = suite->version;
    made->size = (uint8_t)size;
    if (size)
        memcpy(made->payload, payload, size);
    if (suite_is_second(suite) && !suite->is_raw && suite->kind->widen)
        suite->kind->widen(suite, made);
}

int suite_try(struct suite *suite, uint8_t type, const void *payload, size_t size)
{
    int status = SUITE_SILENT;
    struct frame made;

    suite_judge(suite); /* what was told before this is asked */
    make_request(suite, type, payload, size, &made);
    if (suite->broken)
        return suite->broken;
    begin_request(suite, &made);
    for (unsigned i = 0; i < WIRE_REPLY_TRIES && status == SUITE_SILENT; i++) {
        suite->asked_times++;
        suite_send(suite, &suite->request);
        status = hear_reply(suite, suite_now(suite) + WIRE_REPLY_TIME);
    }
    if (status == SUITE_SILENT)
        status = hear_reply(suite, suite_now(suite) + GRACE);
    return status;
}

int suite_ask(struct suite *suite, uint8_t type, const void *payload, size_t size)
{
    int status = suite_try(suite, type, payload, size);

    if (status == SUITE_SILENT) {
        suite_hold(suite, "C2", false, "request 0x%02x is not answered", type);
        suite_break(suite, ERROR_TIMEOUT, "%s: request 0x%02x is not answered",
                    suite->link->address, type);
        return suite->broken;
    }
    return status;
}

int suite_repeat(struct suite *suite)
{
    if (suite->broken)
        return suite->broken;
    suite->has_reply = false;
    suite->asked_times++;
    suite_send(suite, &suite->request);
    return hear_reply(suite, suite_now(suite) + WIRE_REPLY_TRIES * WIRE_REPLY_TIME);
}

/*
 * A device may take the number for that of the last host's last request, and repeat its reply to
 * that: then HELLO goes out under the next one.
 */
int suite_greet(struct suite *suite, uint32_t nonce)
{
    uint8_t payload[WIRE_NONCE_SIZE];
    int status = SUITE_SILENT;

    wire_put32(payload, nonce);
    if (!suite->last_is_taken)
        suite->has_event = false; /* it comes again as a new one */
    for (unsigned i = 0; i < HELLO_TRIES && status == SUITE_SILENT; i++) {
        suite->is_greeted = false;
        suite->heard = 0;
        status = suite_try(suite, WIRE_HELLO, payload, sizeof payload);
    }
    /* What came before the reply may have had its old number, or a new one already. */
    suite->is_loose = suite->heard > 0;
    suite->repeats = 0;
    if (suite->heard == 0) {
        suite->has_event = false;
        suite->next_event = 0;
    }
    if (status)
        return status;
    suite->is_greeted = true;
    suite->is_over = false;
    suite_hold(suite, suite_is_second(suite) ? "N1" : "M2",
               suite->reply.size == (suite_is_second(suite) ? 7 : 3),
               "the reply to HELLO has %u byte%s", suite->reply.size, plural(suite->reply.size));
    memcpy(suite->hello, suite->reply.payload, sizeof suite->hello);
    suite_hold(suite, suite_is_second(suite) ? "N1" : "M2",
               suite->hello[0] == suite->version && !(suite->hello[1] & 0x0c),
               "HELLO tells version %u and flags %02x", suite->hello[0], suite->hello[1]);
    /* The upper half says which other versions the device knows. */
    suite->versions = (uint8_t)(FRAME_VERSION + (suite->hello[1] >> WIRE_MORE_VERSIONS));
    suite->hello[1] &= 0x0f;
    suite->is_new = true;
    return 0;
}

/* A request of its class that the device does not know. */
static bool is_not_offered(struct suite *suite, const char *id, uint8_t type, int status)
{
    bool is_unknown = status == REFUSED_UNKNOWN && type >= WIRE_FIRST_OWN_REQUEST;

    if (is_unknown)
        suite_not_offered(suite, id, "the device does not know this request");
    return is_unknown;
}

bool suite_refused(struct suite *suite, const char *id, unsigned code, uint8_t type,
                   const void *payload, size_t size, const char *what)
{
    int status;

    suite_mark(suite);
    status = suite_try(suite, type, payload, size);
    if (suite->broken)
        return false;
    if (code != REFUSED_UNKNOWN && is_not_offered(suite, id, type, status))
        return false;
    if (status == SUITE_SILENT)
        return suite_hold(suite, id, false, "%s is not answered, and not refused with %u", what,
                          code);
    if (!status)
        return suite_hold(suite, id, false, "%s is accepted, and not refused with %u", what, code);
    return suite_hold(suite, id, (unsigned)status == code, "%s is refused with %d, and not with %u",
                      what, status, code);
}

void suite_same(struct suite *suite, const char *id, unsigned code)
{
    unsigned refusal = suite->reply.type == WIRE_REFUSED ? suite->reply.payload[1] : 0;

    if (suite->has_reply && refusal != REFUSED_UNKNOWN)
        suite_hold(suite, id, refusal == code, "it is refused with %u, and not with %u", refusal,
                   code);
}

bool suite_done(struct suite *suite, const char *id, uint8_t type, const void *payload,
                size_t payload_size, size_t size, const char *what)
{
    int status;

    suite_mark(suite);
    status = suite_ask(suite, type, payload, payload_size);
    if (suite->broken)
        return false;
    if (is_not_offered(suite, id, type, status))
        return false;
    if (status)
        return suite_hold(suite, id, false, "%s is refused with %d", what, status);
    return suite_hold(suite, id, suite->reply.size == size,
                      "the reply to %s has %u byte%s, not %zu", what, suite->reply.size,
                      plural(suite->reply.size), size);
}

void suite_deck(card_t deck[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_make(i * 5 % RANK_COUNT, i % SUIT_COUNT);
}
