/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/talk.h"

#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/identity.h"

#define RESEND_MS  200
#define SENDS_MAX  10
#define CUT_MS     60
#define NOISE_SIZE 7

void talk_init(struct talk *talk, const struct talk_device *kind, const struct options *options,
               struct lies *lies, struct line *line, uint64_t now)
{
    memset(talk, 0, sizeof *talk);
    talk->kind = kind;
    talk->options = options;
    talk->lies = lies;
    talk->line = line;
    talk->now = now;
    talk->clock_start = options_number(options, "clock", 12) - now;
    talk->cut_at_frame = options_number(options, "cut", 0);
    talk->lost_acknowledgements = (unsigned)options_number(options, "lost-acks", 0);
    talk->lost_requests = (unsigned)options_number(options, "lost-requests", 0);
    log_init(&talk->log, options_has(options, "log-keeps-more") ? LOG_KEPT_MAX : kind->log_kept);
    log_age(&talk->log, options_number(options, "log-start", 0), talk_clock(talk),
            kind->power_up_code, 1);
    talk->device = kind->create(talk);
    for (uint64_t i = options_number(options, "waiting", 0); i > 0; i--)
        kind->power_up(talk->device);
}

uint64_t talk_clock(const struct talk *talk)
{
    return talk->now + talk->clock_start;
}

size_t talk_room(const struct talk *talk)
{
    return TALK_EVENTS - talk->event_count;
}

static void put_frame(struct talk *talk, const struct frame *frame)
{
    uint8_t wire[FRAME_WIRE_MAX + 2] = {0, 0};
    size_t zeros = options_has(talk->options, "leading-zeros") ? 2 : 0;
    size_t size = frame_encode(frame, wire + zeros);
    line_send(talk->line, wire, size + zeros,
              talk->now + options_number(talk->options, "answer", 0));
}

static void put_noise(struct talk *talk)
{
    static const uint8_t noise[NOISE_SIZE] = {0x55, 0xaa, 0x07, 0x31, 0x99, 0x42, 0x00};
    line_send(talk->line, noise, sizeof noise, talk->now);
}

/* A frame that holds cards and whose check is wrong. */
static void put_broken(struct talk *talk, const uint8_t *cards, size_t count)
{
    struct frame frame = {talk->kind->device_class, 0x41, 0, count, {0}};
    memcpy(frame.payload, cards, count);
    uint8_t wire[FRAME_WIRE_MAX];
    size_t size = frame_encode(&frame, wire);
    wire[size - 2] = wire[size - 2] == 1 ? 2 : wire[size - 2] ^ 1;
    line_send(talk->line, wire, size, talk->now);
}

static size_t secret(struct talk *talk, uint8_t cards[4])
{
    return talk->kind->secret != NULL ? talk->kind->secret(talk->device, cards) : 0;
}

static void leak(struct talk *talk, struct frame *frame)
{
    uint8_t cards[4];
    size_t count = secret(talk, cards);
    if (count == 0)
        return;
    if (lies_turn(talk->lies, LIE_LEAK, frame->type) && frame->size + count <= FRAME_PAYLOAD_MAX) {
        memcpy(frame->payload + frame->size, cards, count);
        frame->size += count;
    }
    if (lies_turn(talk->lies, LIE_LEAK_RAW, frame->type))
        put_broken(talk, cards, count);
    if (lies_turn(talk->lies, LIE_LEAK_TYPE, frame->type)) {
        struct frame extra = {frame->device_class,
                              (uint8_t)talk->lies->told->value,
                              (uint8_t)(frame->number + 1),
                              count,
                              {0}};
        memcpy(extra.payload, cards, count);
        put_frame(talk, &extra);
    }
}

/* Sends a frame with what lies do to it; the power may go in its place. */
static void send_frame(struct talk *talk, struct frame frame)
{
    struct lies *lies = talk->lies;
    talk->frames_sent++;
    if (talk->cut_at_frame != 0 && talk->frames_sent == talk->cut_at_frame) {
        talk_cut_power(talk, options_number(talk->options, "cut-ms", CUT_MS));
        return;
    }
    if (talk->frames_sent == options_number(talk->options, "tear", 0))
        talk->line->hang_up = true;
    leak(talk, &frame);
    if (lies_turn(lies, LIE_DROP, frame.type))
        return;
    if (lies_turn(lies, LIE_STRAY, frame.type)) {
        struct frame stray = {frame.device_class, (uint8_t)lies->told->value, frame.number, 0, {0}};
        put_frame(talk, &stray);
    }
    if (lies_turn(lies, LIE_NOISE, frame.type))
        put_noise(talk);
    if (lies_turn(lies, LIE_TWICE, frame.type))
        put_frame(talk, &frame);
    if (lies_turn(lies, LIE_NUMBER, frame.type))
        frame.number = (uint8_t)(frame.number + lies->told->value);
    if (lies_turn(lies, LIE_CLASS, frame.type))
        frame.device_class = (uint8_t)lies->told->value;
    if (lies_turn(lies, LIE_TYPE, frame.type))
        frame.type = (uint8_t)lies->told->value;
    put_frame(talk, &frame);
}

/* The next event goes out although the last one is still open. */
static void send_second(struct talk *talk)
{
    if (talk->event_count < 2 || !lies_deed(talk->lies, "two-events-open"))
        return;
    const struct talk_event *event = &talk->events[1];
    struct frame frame = {
        talk->kind->device_class, event->type, (uint8_t)(talk->event_number + 1), event->size, {0}};
    memcpy(frame.payload, event->payload, event->size);
    put_frame(talk, &frame);
}

static void send_event(struct talk *talk)
{
    const struct talk_event *event = &talk->events[0];
    struct frame frame = {
        talk->kind->device_class, event->type, talk->event_number, event->size, {0}};
    memcpy(frame.payload, event->payload, event->size);
    talk->event_open = true;
    talk->event_sends++;
    talk->event_sent_at = talk->now;
    send_frame(talk, frame);
    send_second(talk);
}

static void pump_events(struct talk *talk)
{
    if (!talk->speaks || talk->off || talk->holding_events || talk->event_count == 0)
        return;
    if (!talk->event_open) {
        talk->event_sends = 0;
        send_event(talk);
    } else if (talk->now - talk->event_sent_at >= RESEND_MS && talk->event_sends < SENDS_MAX) {
        send_event(talk);
    }
}

static void queue_event(struct talk *talk, const struct frame *frame)
{
    if (talk->event_count == TALK_EVENTS)
        return;
    struct talk_event *event = &talk->events[talk->event_count++];
    event->type = frame->type;
    event->size = frame->size;
    memcpy(event->payload, frame->payload, frame->size);
}

void talk_event(struct talk *talk, uint8_t type, const uint8_t *payload, size_t size)
{
    struct frame frame = {talk->kind->device_class, type, 0, size, {0}};
    memcpy(frame.payload, payload, size);
    if (lies_turn(talk->lies, LIE_EVENT, type)) {
        const struct lie *lie = talk->lies->told;
        struct frame extra = {talk->kind->device_class, (uint8_t)lie->value, 0, 1, {0}};
        extra.payload[0] = (uint8_t)lie->offset;
        queue_event(talk, &extra);
    }
    lies_change(talk->lies, &frame);
    queue_event(talk, &frame);
}

void talk_event_byte(struct talk *talk, uint8_t type, uint8_t byte)
{
    talk_event(talk, type, &byte, 1);
}

void talk_note(struct talk *talk, uint8_t code, uint8_t first, uint16_t second)
{
    if (lies_deed(talk->lies, "log-starts-over"))
        talk->log.total = 0;
    struct log_entry entry = {(uint32_t)talk->log.total, talk_clock(talk), code, first, second};
    if (lies_deed(talk->lies, "log-clock-stands"))
        entry.time = 1;
    if (lies_deed(talk->lies, "log-clock-runs-back"))
        entry.time = 1000000 - talk->log.total;
    for (unsigned times = lies_log(talk->lies, &entry); times > 0; times--) {
        log_add(&talk->log, entry);
        entry.number++;
    }
}

static void acknowledged(struct talk *talk, const struct frame *frame)
{
    if (!talk->event_open || talk->event_count == 0 || frame->number != talk->event_number ||
        frame->type != (talk->events[0].type | 0x80))
        return;
    talk->acknowledged++;
    if (talk->lost_acknowledgements > 0 && talk->acknowledged % 7 != 0 &&
        talk->event_sends <= talk->lost_acknowledgements)
        return;
    memmove(talk->events, talk->events + 1, --talk->event_count * sizeof *talk->events);
    talk->event_number++;
    talk->event_open = false;
}

static enum refusal hello(struct talk *talk, const struct frame *request, struct frame *reply)
{
    if (request->size != sizeof talk->nonce)
        return WRONG_LENGTH;
    if (!talk->greeted || memcmp(talk->nonce, request->payload, sizeof talk->nonce) != 0) {
        if (!lies_deed(talk->lies, "hello-keeps-numbers"))
            talk->event_number = 0;
        if (lies_deed(talk->lies, "event-numbers-from-five"))
            talk->event_number = 5;
        talk->event_open = false;
        memcpy(talk->nonce, request->payload, sizeof talk->nonce);
    }
    talk->greeted = true;
    talk->speaks = true;
    reply->payload[0] = 1;
    reply->payload[1] = talk->kind->flags(talk->device);
    reply->payload[2] = (uint8_t)talk->event_count;
    reply->size = 3;
    return DONE;
}

static enum refusal answer(struct talk *talk, const struct frame *request, struct frame *reply)
{
    switch (request->type) {
    case TALK_HELLO:
        return hello(talk, request, reply);
    case TALK_IDENTITY:
        if (request->size != 0)
            return WRONG_LENGTH;
        reply->size = identity_put(talk->options, talk->lies, talk->kind->model, reply->payload);
        return DONE;
    case TALK_LOG:
        if (request->size != 4)
            return WRONG_LENGTH;
        reply->size =
            log_reply(&talk->log, (uint32_t)bytes_get(request->payload, 4),
                      (size_t)options_number(talk->options, "log-few", 14), reply->payload);
        return DONE;
    default:
        return talk->kind->request(talk->device, request, reply);
    }
}

static void execute(struct talk *talk, const struct frame *request)
{
    struct frame reply = {
        talk->kind->device_class, (uint8_t)(request->type | TALK_REPLY), request->number, 0, {0}};
    enum refusal refusal = answer(talk, request, &reply);
    if (refusal != DONE) {
        reply.type = TALK_REFUSED;
        reply.size = 2;
        reply.payload[0] = request->type;
        reply.payload[1] = (uint8_t)refusal;
    }
    lies_change(talk->lies, &reply);
    talk->last_request = *request;
    talk->last_reply = reply;
    talk->has_answered = true;
    if (options_has(talk->options, "events-first"))
        pump_events(talk);
    uint64_t lost = options_number(talk->options, "lost-replies", 0);
    if (!talk->off && (lost == 0 || talk->requests++ % lost != lost - 1))
        send_frame(talk, reply);
}

static bool is_repeat(const struct talk *talk, const struct frame *request)
{
    const struct frame *last = &talk->last_request;
    if (!talk->has_answered || request->number != last->number)
        return false;
    bool same = request->type == last->type && request->size == last->size &&
                memcmp(request->payload, last->payload, last->size) == 0;
    if (request->type == TALK_HELLO || options_has(talk->options, "repeat-is-same-bytes"))
        return same;
    return true;
}

static void take_frame(struct talk *talk, const struct frame *frame)
{
    if (frame->device_class != talk->kind->device_class)
        return;
    if (frame->type >= 0xc0 && frame->type <= 0xfe) {
        acknowledged(talk, frame);
        return;
    }
    if (frame->type < 0x01 || frame->type > 0x3f)
        return;
    if (talk->lost_requests > 0 && talk->requests++ % (talk->lost_requests + 2) >= 2)
        return;
    if (is_repeat(talk, frame) && !lies_deed(talk->lies, "executes-repeats"))
        send_frame(talk, talk->last_reply);
    else
        execute(talk, frame);
}

void talk_receive(struct talk *talk, const uint8_t *bytes, size_t size)
{
    struct frame frame;
    for (size_t i = 0; i < size && !talk->off; i++)
        if (frame_read(&talk->reader, bytes[i], &frame))
            take_frame(talk, &frame);
    pump_events(talk);
}

void talk_connected(struct talk *talk)
{
    memset(&talk->reader, 0, sizeof talk->reader);
    if (!options_has(talk->options, "speaks-first"))
        return;
    talk->speaks = true;
    talk->event_open = false;
}

void talk_cut_power(struct talk *talk, uint64_t milliseconds)
{
    talk->off = true;
    talk->off_until = talk->now + milliseconds;
    talk->line->hang_up = options_has(talk->options, "cut-hangs-up");
    line_clear(talk->line);
}

static void power_back(struct talk *talk)
{
    talk->off = false;
    memset(&talk->reader, 0, sizeof talk->reader);
    talk->has_answered = false;
    talk->greeted = false;
    talk->speaks = true;
    talk->event_number = 0;
    talk->event_open = false;
    if (!lies_deed(talk->lies, "power-up-untold"))
        talk->kind->power_up(talk->device);
}

void talk_tick(struct talk *talk, uint64_t now)
{
    talk->now = now;
    if (talk->off && now < talk->off_until)
        return;
    if (talk->off)
        power_back(talk);
    talk->kind->tick(talk->device, now);
    pump_events(talk);
}
