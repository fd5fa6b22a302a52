/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open wire protocol, for who listens in. Its messages are those of the classes. */
#include <stdio.h>

#include "devices/listen/decoder.h"
#include "devices/wire/frame.h"
#include "devices/wire/layout.h"
#include "hal/base/plural.h"
#include "hal/base/registry.h"

struct open_decoder {
    struct decoder decoder;
    struct frame_decoder frames;
    bool has_event; /* one was heard, */
    uint8_t last;   /* with that number */
};

/* An event and its acknowledgement are numbered apart from requests. */
#define EVENT_KEY 0x10000u

static const char *class_name(const struct layout_class *class, unsigned number, char room[16])
{
    if (class)
        return class->name;
    snprintf(room, 16, "class %02x", number);
    return room;
}

static const char *type_name(const struct layout_message *layout, unsigned type, char room[16])
{
    if (layout)
        return layout->name;
    snprintf(room, 16, "type %02x", type);
    return room;
}

static enum message_kind kind_of(uint8_t type)
{
    bool is_answer = type & WIRE_ANSWER;

    if (type == WIRE_REFUSED)
        return MESSAGE_REFUSAL;
    if ((type & ~WIRE_ANSWER) >= WIRE_FIRST_EVENT)
        return is_answer ? MESSAGE_ACKNOWLEDGEMENT : MESSAGE_EVENT;
    return is_answer ? MESSAGE_REPLY : MESSAGE_REQUEST;
}

/* Who may say what: a request from the device, say, is a frame of nobody. */
static bool is_from_device(enum message_kind kind)
{
    return kind == MESSAGE_REPLY || kind == MESSAGE_REFUSAL || kind == MESSAGE_EVENT;
}

static void read_refusal(const struct frame *frame, const struct layout_class *class,
                         struct message *message)
{
    unsigned type = frame->size ? frame->payload[0] : 0;
    unsigned code = frame->size > 1 ? frame->payload[1] : 0;
    char room[24];

    if (frame->size != 2) {
        message_wrong(message, "a refusal has 2 bytes, not %u", frame->size);
        return;
    }
    message_rename(message,
                   type_name(layout_message_find(class, frame->version, type), type, room));
    message->key = (uint32_t)frame->sequence << 8 | type;
    snprintf(room, sizeof room, "unknown %u", code);
    message_put_text(message, "refusal", code < LAYOUT_REFUSALS ? layout_refusals[code] : room);
}

static void read_payload(const struct frame *frame, const struct layout_message *layout,
                         struct message *message)
{
    bool is_reply = message->kind == MESSAGE_REPLY;
    layout_heard hears = is_reply ? layout->heard_reply : layout->heard;

    if (message->kind == MESSAGE_ACKNOWLEDGEMENT) {
        if (frame->size)
            message_wrong(message, "an acknowledgement has no payload, and this one %u byte%s",
                          frame->size, plural(frame->size));
        return;
    }
    if (layout_read(is_reply ? layout->reply : layout->fields, frame->payload, frame->size,
                    message) &&
        hears)
        hears(frame, &message->heard);
}

static void put_payload(const struct frame *frame, struct message *message)
{
    struct json_text *text = message_field(message, "payload");

    JSON_TEXT_PUT(text, "\"");
    for (unsigned i = 0; i < frame->size; i++) {
        char digits[3];

        snprintf(digits, sizeof digits, "%02x", frame->payload[i]);
        json_text_raw(text, digits, 2);
    }
    JSON_TEXT_PUT(text, "\"");
}

/* Version 2 leaves some types to vendors. */
static bool is_vendor(unsigned version, unsigned type)
{
    return version >= FRAME_VERSION_2 &&
           ((type >= WIRE_VENDOR_REQUEST && type < WIRE_FIRST_EVENT) ||
            wire_is_vendor((uint8_t)type));
}

/*
 * Events count from 0 in each conversation, and a device that lost its power begins again: what was
 * missed before a 0 has no number to show it.
 */
static unsigned count_missed(struct open_decoder *open, uint8_t sequence)
{
    uint8_t missed = (uint8_t)(sequence - open->last - 1);
    bool follows = !open->has_event || !sequence || sequence == open->last;

    open->has_event = true;
    open->last = sequence;
    return follows ? 0 : missed;
}

static void tell_frame(struct decoder *decoder, const struct frame *frame)
{
    struct message *message = &decoder->message;
    const struct layout_class *class = layout_class_find(frame->class);
    unsigned type = frame->type & (WIRE_ANSWER - 1u);
    const struct layout_message *layout = layout_message_find(class, frame->version, type);
    enum message_kind kind = kind_of(frame->type);
    char class_room[16], type_room[16];

    message_begin(message, kind, class_name(class, frame->class, class_room),
                  type_name(layout, type, type_room), frame->sequence);
    message->key =
        (type >= WIRE_FIRST_EVENT ? EVENT_KEY : 0) | (uint32_t)frame->sequence << 8 | type;
    if (kind == MESSAGE_REFUSAL) {
        message_rename(message, "nothing");
        read_refusal(frame, class, message);
    } else if (is_vendor(frame->version, type)) {
        message_rename(message, "VENDOR");
        if (frame->size)
            put_payload(frame, message);
    } else if (layout) {
        read_payload(frame, layout, message);
    } else if (frame->size) {
        put_payload(frame, message);
    }
    if (!layout && kind != MESSAGE_REFUSAL && !is_vendor(frame->version, type))
        message_wrong(message, "%s",
                      class ? "the class has no such message" : "there is no such class");
    if (is_from_device(kind) != (decoder->direction == TAP_FROM_DEVICE)) {
        message_wrong(message, "%s is nothing that the %s says", message_kind_name(kind),
                      decoder->direction == TAP_FROM_DEVICE ? "device" : "host");
        message->heard.kind = HEARD_NOTHING;
    } else if (kind == MESSAGE_EVENT) {
        message->missed = count_missed((struct open_decoder *)decoder, frame->sequence);
    }
    decoder_tell(decoder);
}

static const char *why_rejected(enum frame_reject reason)
{
    static const char *const texts[FRAME_REJECTS] = {
        [FRAME_TOO_LONG] = "longer than any frame",
        [FRAME_BAD_COBS] = "not COBS",
        [FRAME_TOO_SHORT] = "too short for a frame",
        [FRAME_BAD_CRC] = "the CRC is wrong",
        [FRAME_BAD_VERSION] = "the version is neither 1 nor 2",
    };

    return texts[reason];
}

static void hear(struct decoder *decoder, const uint8_t *bytes, size_t count)
{
    struct open_decoder *open = (struct open_decoder *)decoder;
    struct frame frame;

    open->frames.versions = FRAME_VERSIONS;
    while (count) {
        size_t taken;
        enum frame_result result = frame_decode(&open->frames, bytes, count, &taken, &frame);

        bytes += taken;
        count -= taken;
        if (result == FRAME_READY)
            tell_frame(decoder, &frame);
        else if (result == FRAME_REJECTED)
            decoder_damage(decoder, NULL, why_rejected(open->frames.reason), open->frames.dropped,
                           open->frames.dropped_count);
    }
}

static void end(struct decoder *decoder)
{
    struct frame_decoder *frames = &((struct open_decoder *)decoder)->frames;

    if (frames->used)
        decoder_damage(decoder, NULL, "the frame does not end", frames->partial, frames->used);
    frames->used = 0;
    frames->skipping = false;
}

static const struct protocol open_protocol = {
    .name = "open",
    .summary = "shufflers, shoes, bet sensor units and terminals of devices/PROTOCOL.md",
    .number = FRAME_PROTOCOL,
    .has_codes = true,
    .numbers_events = true,
    .size = sizeof(struct open_decoder),
    .hear = hear,
    .end = end,
};
REGISTER(protocols, open_protocol);
