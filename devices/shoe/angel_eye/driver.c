/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An Angel Eye II-EX shoe: devices/ANGEL-EYE.md. The shoe reports on its own account and waits for
 * an answer that carries no number, so every report gets exactly one: a damaged one is answered
 * only once the line is quiet, because a good one behind it may be answered instead.
 */
#include <stdio.h>
#include <string.h>

#include "devices/shoe/angel_eye/frame.h"
#include "devices/shoe/angel_eye/report.h"
#include "devices/shoe/shoe.h"

#define QUEUE_MAX 16
#define SHOWN     16  /* bytes of what came in answer to an operation, for sentences */
#define STRANGE   256 /* bytes in a row that are no frame: a report that never comes whole */

struct heard {
    struct angel_eye_frame report;
    nanos_t time;
    bool is_conflict; /* the number of the report before it with something else in it */
};

struct angel_eye {
    struct shoe shoe;
    struct angel_eye_decoder decoder;
    uint8_t bytes[256]; /* read but not yet decoded */
    size_t at, end;
    nanos_t heard_at;
    uint8_t owed_nak; /* to a damaged report; 0 for none */

    bool includes_stx; /* where the block check of an operation starts */
    bool is_settled;   /* an operation was understood that way */

    bool has_last;
    struct angel_eye_frame last; /* report; with the code that answered it, 0 for ACK */
    bool has_card;
    uint8_t last_card[2]; /* place and code */

    uint8_t shown[SHOWN];
    unsigned shown_count;
    size_t strange; /* bytes read since the last whole frame */

    struct heard queue[QUEUE_MAX];
    unsigned first, queued;
    struct shoe_counts counts;
};

static struct angel_eye *angel_of(struct shoe *shoe)
{
    return (struct angel_eye *)shoe;
}

static nanos_t now_of(const struct angel_eye *angel)
{
    return clock_now(angel->shoe.device.link->hal->clock);
}

static int send_frame(struct angel_eye *angel, const struct angel_eye_frame *frame,
                      struct error *error)
{
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];

    return link_write_all(angel->shoe.device.link, bytes, angel_eye_encode(frame, bytes),
                          now_of(angel) + ANGEL_EYE_REPLY, error);
}

/* ACK when there is no code. */
static int answer(struct angel_eye *angel, unsigned nak, struct error *error)
{
    const struct angel_eye_frame frame = {.start = nak ? ANGEL_EYE_NAK : ANGEL_EYE_ACK,
                                          .nak = (uint8_t)nak};

    angel->owed_nak = 0;
    return send_frame(angel, &frame, error);
}

static void note_rejection(struct angel_eye *angel)
{
    angel->counts.rejected++;
    if (angel->decoder.rejected_start != ANGEL_EYE_ENQ)
        return;
    switch (angel->decoder.reason) {
    case ANGEL_EYE_BAD_BCC:
        angel->owed_nak = ANGEL_EYE_NAK_BCC;
        break;
    case ANGEL_EYE_NO_ETX:
    case ANGEL_EYE_CUT:
        angel->owed_nak = ANGEL_EYE_NAK_NO_ETX;
        break;
    default:
        angel->owed_nak = ANGEL_EYE_NAK_FORMAT;
    }
}

/* 1 with a frame, 0 when what was read so far holds no more. */
static int decode(struct angel_eye *angel, struct angel_eye_frame *frame)
{
    for (;;) {
        size_t taken;
        enum angel_eye_result result = angel_eye_decode(&angel->decoder, angel->bytes + angel->at,
                                                        angel->end - angel->at, &taken, frame);

        angel->at += taken;
        if (result == ANGEL_EYE_READY) {
            angel->strange = 0;
            return 1;
        }
        if (result == ANGEL_EYE_NEED_MORE)
            return 0;
        note_rejection(angel);
    }
}

/* Bytes came: 1; the deadline passed: 0; or the link's error. A frame that stalls is given up. */
static int read_more(struct angel_eye *angel, nanos_t deadline, struct error *error)
{
    nanos_t stalls_at = angel->decoder.used ? angel->heard_at + ANGEL_EYE_GAP : NEVER;
    ssize_t count = link_read(angel->shoe.device.link, angel->bytes, sizeof angel->bytes,
                              stalls_at < deadline ? stalls_at : deadline, error);

    if (count < 0)
        return (int)count;
    angel->at = 0;
    angel->end = (size_t)count;
    if (count) {
        angel->heard_at = now_of(angel);
        angel->strange += (size_t)count;
        for (ssize_t i = 0; i < count && angel->shown_count < SHOWN; i++)
            angel->shown[angel->shown_count++] = angel->bytes[i];
        return 1;
    }
    if (now_of(angel) < stalls_at)
        return now_of(angel) < deadline;
    angel_eye_expire(&angel->decoder);
    note_rejection(angel);
    return 1;
}

/* The next good frame: 1, or 0 at the deadline, or the link's error. */
static int next_frame(struct angel_eye *angel, struct angel_eye_frame *frame, nanos_t deadline,
                      struct error *error)
{
    for (bool is_late = false; !decode(angel, frame);) {
        int result = 0;

        /* What is there at the deadline is still read; a device that never ends is not. */
        if (is_late)
            return 0;
        is_late = now_of(angel) >= deadline;
        if (angel->owed_nak && !angel->decoder.used)
            result = answer(angel, angel->owed_nak, error);
        if (!result)
            result = read_more(angel, deadline, error);
        if (result <= 0)
            return result;
    }
    return 1;
}

static void queue_report(struct angel_eye *angel, const struct angel_eye_frame *report,
                         bool is_conflict)
{
    angel->queue[(angel->first + angel->queued++) % QUEUE_MAX] =
        (struct heard){.report = *report, .time = now_of(angel), .is_conflict = is_conflict};
}

static bool is_same(const struct angel_eye_frame *a, const struct angel_eye_frame *b)
{
    return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

/* Answers a report and queues it unless it is a repeat. A full queue does not answer. */
static int take_report(struct angel_eye *angel, const struct angel_eye_frame *report,
                       struct error *error)
{
    bool is_number_again = angel->has_last && report->sequence == angel->last.sequence;
    bool is_conflict = is_number_again && !is_same(report, &angel->last);
    struct shoe_event ignored;

    if (is_number_again && !is_conflict) {
        angel->counts.repeats++;
        return answer(angel, angel->last.nak, error);
    }
    if (angel->queued == QUEUE_MAX)
        return 0;
    /* A shoe that starts anew may start its numbers anew. */
    if (is_conflict && report->data[0] != 'S') {
        queue_report(angel, report, true);
        return answer(angel, 0, error);
    }
    angel->has_last = true;
    angel->last = *report;
    angel->last.nak = (uint8_t)angel_eye_read_report(report, &ignored);
    queue_report(angel, report, false);
    return answer(angel, angel->last.nak, error);
}

/* An answer to an operation: 1, or 0 when none came in time, or the link's error. */
static int wait_answer(struct angel_eye *angel, bool is_query, struct angel_eye_frame *frame,
                       struct error *error)
{
    nanos_t deadline = now_of(angel) + ANGEL_EYE_REPLY;

    for (;;) {
        int result = next_frame(angel, frame, deadline, error);

        if (result <= 0)
            return result;
        if (frame->start == ANGEL_EYE_NAK ||
            frame->start == (is_query ? ANGEL_EYE_STX : ANGEL_EYE_ACK))
            return 1;
        if (frame->start == ANGEL_EYE_ENQ) {
            result = take_report(angel, frame, error);
            if (result || now_of(angel) >= deadline)
                return result;
        }
    }
}

static bool was_damaged(uint8_t nak)
{
    return nak == ANGEL_EYE_NAK_FRAMING || nak == ANGEL_EYE_NAK_BCC || nak == ANGEL_EYE_NAK_NO_ETX;
}

static int send_operation(struct angel_eye *angel, const char *type, unsigned value,
                          struct error *error)
{
    const struct angel_eye_frame operation = {
        .start = ANGEL_EYE_STX,
        .includes_stx = angel->includes_stx,
        .size = ANGEL_EYE_OPERATION,
        .data = {'O', 'P', (uint8_t)type[0], (uint8_t)type[1], (uint8_t)('0' + value / 10 % 10),
                 (uint8_t)('0' + value % 10)},
    };

    return send_frame(angel, &operation, error);
}

/* A block check that was never understood may start at the wrong place: try the other one, once. */
static bool falls_back(struct angel_eye *angel, uint8_t nak, bool *has_fallen_back)
{
    if (nak != ANGEL_EYE_NAK_BCC || angel->is_settled || *has_fallen_back)
        return false;
    angel->includes_stx = !angel->includes_stx;
    *has_fallen_back = true;
    return true;
}

/* Whoever sends something is switched on; a zero is what frames of the open protocol end with. */
static int say_strange(const struct angel_eye *angel, const char *name, struct error *error)
{
    char bytes[3 * SHOWN + 1] = "";

    for (unsigned i = 0; i < angel->shown_count; i++)
        sprintf(bytes + 3 * i, " %02x", angel->shown[i]);
    return error_set(error, ERROR_TIMEOUT,
                     "%s: no answer to %s; something answers, but not this protocol: %s. Is the "
                     "line at 4800 baud, 8 bits, no parity, or is it another device%s?",
                     angel->shoe.device.address, name, bytes + 1,
                     memchr(angel->shown, 0, angel->shown_count) ? ", one of the driver 'open'"
                                                                 : "");
}

static int give_up(struct angel_eye *angel, const char *name, uint8_t nak, bool is_strange,
                   struct error *error)
{
    if (nak)
        return device_refuse(&angel->shoe.device, name, nak, angel_eye_nak_text(nak), error);
    if (angel->shown_count && is_strange)
        return say_strange(angel, name, error);
    return error_set(error, ERROR_TIMEOUT,
                     "%s: no answer to %s after %d tries of %d ms; is the shoe switched on, and "
                     "the line at 4800 baud, 8 bits, no parity?%s",
                     angel->shoe.device.address, name, ANGEL_EYE_TRIES,
                     (int)(ANGEL_EYE_REPLY / NANOS_PER_MILLI),
                     link_may_be_taken(angel->shoe.device.link));
}

static int operate(struct angel_eye *angel, const char *name, const char *type, unsigned value,
                   struct error *error)
{
    bool is_query = !strcmp(type, "GP"), has_fallen_back = false;
    uint64_t frames = angel->decoder.frames;
    uint8_t nak = 0;

    angel->shown_count = 0;
    for (unsigned tries = 0; tries < ANGEL_EYE_TRIES;) {
        struct angel_eye_frame frame;
        int result = send_operation(angel, type, value, error);

        if (!result)
            result = wait_answer(angel, is_query, &frame, error);
        if (result < 0)
            return result;
        if (result && frame.start != ANGEL_EYE_NAK) {
            angel->is_settled = true;
            return 0;
        }
        nak = result ? frame.nak : 0;
        if (falls_back(angel, nak, &has_fallen_back))
            continue;
        if (nak && !was_damaged(nak)) {
            angel->is_settled = true;
            return give_up(angel, name, nak, false, error);
        }
        tries++;
        angel->counts.retries += tries < ANGEL_EYE_TRIES;
    }
    return give_up(angel, name, nak, angel->decoder.frames == frames, error);
}

static int angel_open(struct device *device, const struct device_connection *connection,
                      struct error *error)
{
    struct angel_eye *angel = (struct angel_eye *)device;
    int result;

    angel->includes_stx = !device_has_option(connection->options, "bcc", "without-stx");
    result = operate(angel, "the question for its state", "GP", 0, error);
    /* A shoe that does not know the question is a shoe. */
    if (device->refusal && !was_damaged((uint8_t)device->refusal))
        result = 0;
    device->refusal = 0;
    return result;
}

static int angel_lock(struct shoe *shoe, bool on, struct error *error)
{
    return operate(angel_of(shoe), on ? "LK 02, lock" : "LK 01, unlock", "LK", on ? 2 : 1, error);
}

static int angel_clear_error(struct shoe *shoe, uint8_t code, struct error *error)
{
    if (code > 63)
        return error_set(error, ERROR_CONFIG, "error %u cannot be cleared: codes go up to 63",
                         code);
    return operate(angel_of(shoe), "EC, clear an error", "EC", code, error);
}

static int say_bad_report(const struct angel_eye *angel, const struct heard *heard,
                          const char *what, struct error *error)
{
    char text[ANGEL_EYE_REPORT_TEXT];

    angel_eye_format_report(&heard->report, text);
    return error_set(error, ERROR_DEVICE, "%s: report '%s', number %02x: %s",
                     angel->shoe.device.address, text, heard->report.sequence, what);
}

/* A card that the shoe sends again after it was heard: the place in the game tells. */
static bool is_heard_again(struct angel_eye *angel, const struct shoe_event *event,
                           const struct angel_eye_frame *report)
{
    bool is_again = event->card.resent && angel->has_card &&
                    !memcmp(angel->last_card, report->data + 1, sizeof angel->last_card);

    angel->has_card = true;
    memcpy(angel->last_card, report->data + 1, sizeof angel->last_card);
    return is_again;
}

/* 1 with the event, 0 when it says nothing new, or ERROR_DEVICE. */
static int read_heard(struct angel_eye *angel, const struct heard *heard, struct shoe_event *event,
                      struct error *error)
{
    if (heard->is_conflict)
        return say_bad_report(
            angel, heard, "the report before it had the same number; one of them is lost", error);
    if (angel_eye_read_report(&heard->report, event))
        return say_bad_report(angel, heard,
                              "the protocol has no such report, or no such value in it", error);
    event->time = heard->time;
    if (event->kind == SHOE_EVENT_CARD && is_heard_again(angel, event, &heard->report)) {
        angel->counts.repeats++;
        return 0;
    }
    angel->counts.events++;
    return 1;
}

/*
 * The next good frame: 1, or 0 at the deadline. A shoe repeats a report until it is acknowledged:
 * one that never comes whole is not waited for as long as for a person.
 */
static int next_whole(struct angel_eye *angel, struct angel_eye_frame *frame, nanos_t deadline,
                      struct error *error)
{
    for (;;) {
        nanos_t soon = now_of(angel) + NANOS_PER_SECOND;
        int result = next_frame(angel, frame, soon < deadline ? soon : deadline, error);

        if (result)
            return result;
        if (angel->strange > STRANGE) {
            angel->strange = 0;
            return error_set(error, ERROR_DEVICE,
                             "%s: more than %d bytes came and no whole frame; is the line at 4800 "
                             "baud, 8 bits, no parity?",
                             angel->shoe.device.address, STRANGE);
        }
        if (now_of(angel) >= deadline)
            return 0;
    }
}

static int angel_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline,
                      struct error *error)
{
    struct angel_eye *angel = angel_of(shoe);

    for (;;) {
        struct angel_eye_frame frame;
        int result;

        while (angel->queued) {
            const struct heard *heard = &angel->queue[angel->first];

            angel->first = (angel->first + 1) % QUEUE_MAX;
            angel->queued--;
            result = read_heard(angel, heard, event, error);
            if (result)
                return result;
        }
        result = next_whole(angel, &frame, deadline, error);
        if (result <= 0)
            return result;
        if (frame.start == ANGEL_EYE_ENQ)
            result = take_report(angel, &frame, error);
        if (result < 0)
            return result;
        if (!angel->queued && now_of(angel) >= deadline)
            return 0;
    }
}

static void angel_counts(const struct shoe *shoe, struct shoe_counts *counts)
{
    *counts = ((const struct angel_eye *)shoe)->counts;
}

/* Where the block check of an operation starts; the published sources disagree. */
static const struct device_option options[] = {
    {"bcc", (const char *const[]){"with-stx", "without-stx", NULL}},
    {NULL, NULL},
};

static const struct shoe_driver angel_eye_driver = {
    .device =
        {
            .key = "shoe/angel-eye",
            .class = DEVICE_SHOE,
            .noun = "shoe",
            .size = sizeof(struct angel_eye),
            .capabilities = DEVICE_TELLS_CARDS,
            .protocol = ANGEL_EYE_PROTOCOL,
            .options = options,
            .open = angel_open,
        },
    .lock = angel_lock,
    .clear_error = angel_clear_error,
    .next = angel_next,
    .counts = angel_counts,
};
REGISTER(device_drivers, angel_eye_driver);
