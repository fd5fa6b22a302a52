/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Angel Eye II-EX protocol, for who listens in: devices/ANGEL-EYE.md. */
#include <stdio.h>
#include <string.h>

#include "devices/listen/decoder.h"
#include "devices/shoe/angel_eye/frame.h"
#include "devices/shoe/angel_eye/report.h"
#include "hal/base/registry.h"

#define TARGET_BITS 4    /* bits 4 to 6 of a place or a result */
#define LOW_BITS    0x0f /* bits 0 to 3 */
#define IN_ERROR    0x40
#define CODE_BITS   0x3f

struct angel_eye_listener {
    struct decoder decoder;
    struct angel_eye_decoder frames;
    uint8_t kept[2 * ANGEL_EYE_FRAME_MAX]; /* what the decoder had before, and took now */
    nanos_t heard_at;
    bool is_locked; /* the shoe has last said so */
};

static const char *const report_names[] = {
    ['S'] = "communication starts", ['P'] = "stand-by",
    ['C'] = "cut card came out",    ['D'] = "card drawn",
    ['R'] = "card re-sent",         ['d'] = "card drawn outside a game",
    ['G'] = "game result",          ['E'] = "error",
    ['e'] = "error cleared",        ['L'] = "lock",
    ['M'] = "setting changed",
};

static const char *named(const char *const *names, size_t count, unsigned value)
{
    return value < count && names[value] ? names[value] : "unknown";
}
#define NAMED(names, value) named(names, sizeof(names) / sizeof(names)[0], value)

static void put_card(struct message *message, const struct angel_eye_frame *frame,
                     const struct shoe_event *event)
{
    static const char *const targets[] = {"player", "banker",     "burn",
                                          NULL,     "first card", "burn count"};
    static const char *const outside[] = {"lock mode", "error mode", "setting mode"};
    unsigned target = frame->data[1] >> TARGET_BITS;

    message_put_cards(message, "card", &event->card.card, 1);
    message_put_text(message, "target",
                     frame->data[0] == 'd' ? NAMED(outside, target) : NAMED(targets, target));
    message_put_number(message, "index", frame->data[1] & LOW_BITS);
}

static void put_error(struct message *message, const struct angel_eye_frame *frame)
{
    static const char *const errors[] = {NULL,
                                         "cannot read",
                                         "overdraw",
                                         "button misuse",
                                         "reverse at the exit",
                                         "reverse midway",
                                         "card code",
                                         "draw timeout"};
    unsigned code = frame->data[1] & CODE_BITS;

    message_put_number(message, "code", code);
    message_put_text(message, "error", NAMED(errors, code));
    if (frame->data[0] == 'E')
        message_put_truth(message, "stopped", frame->data[1] & IN_ERROR);
}

static void put_result(struct message *message, const struct angel_eye_frame *frame)
{
    static const char *const results[] = {
        [1] = "player", [2] = "tie", [4] = "banker", [7] = "forced end"};

    message_put_text(message, "result", NAMED(results, (unsigned)frame->data[1] >> TARGET_BITS));
    message_put_number(message, "pairs", frame->data[1] & 3u);
}

static void hear_report(struct angel_eye_listener *listener, const struct shoe_event *event)
{
    struct heard *heard = &listener->decoder.message.heard;

    heard->index = -1;
    if (event->kind == SHOE_EVENT_CARD) {
        heard->kind = event->card.outside  ? HEARD_CARD_OUTSIDE
                      : event->card.resent ? HEARD_CARD_AGAIN
                                           : HEARD_CARD;
        heard->count = 1;
        heard->cards[0] = event->card.card;
    } else if (event->kind == SHOE_EVENT_STAND_BY && listener->is_locked) {
        heard->kind = HEARD_NEW_DECK;
    } else if (event->kind == SHOE_EVENT_FAULT) {
        heard->kind = HEARD_FAULT;
    } else if (event->kind == SHOE_EVENT_LOCK) {
        listener->is_locked = event->is_locked;
    }
}

static void put_report(struct angel_eye_listener *listener, const struct angel_eye_frame *frame)
{
    struct message *message = &listener->decoder.message;
    struct shoe_event event;

    if (angel_eye_read_report(frame, &event)) {
        char bytes[ANGEL_EYE_REPORT_TEXT];

        angel_eye_format_report(frame, bytes);
        message_put_text(message, "data", bytes);
        message_wrong(message, "not a report of this protocol");
        return;
    }
    if (event.kind == SHOE_EVENT_CARD)
        put_card(message, frame, &event);
    else if (event.kind == SHOE_EVENT_FAULT || event.kind == SHOE_EVENT_CLEARED)
        put_error(message, frame);
    else if (event.kind == SHOE_EVENT_RESULT)
        put_result(message, frame);
    else if (event.kind == SHOE_EVENT_LOCK)
        message_put_truth(message, "locked", event.is_locked);
    else if (event.kind == SHOE_EVENT_SETTING) {
        message_put_text(message, "address", event.setting.address);
        message_put_text(message, "value", event.setting.value);
    }
    hear_report(listener, &event);
}

static void put_message(struct message *message, const struct angel_eye_frame *frame)
{
    static const struct {
        const char *text, *name;
    } operations[] = {
        {"OPLK02", "lock"}, {"OPLK01", "unlock"}, {"OPEC", "clear error"}, {"OPGP", "which state"}};
    char text[ANGEL_EYE_DATA_MAX + 1];

    memcpy(text, frame->data, frame->size);
    text[frame->size] = '\0';
    message_put_text(message, "text", text);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (!strncmp(text, operations[i].text, strlen(operations[i].text)))
            message_rename(message, operations[i].name);
    if (frame->size != ANGEL_EYE_OPERATION || strncmp(text, "OP", 2) != 0)
        message_wrong(message, "not an operation of this protocol");
}

/* A report and its answer, an operation and its own: neither carries a number that could match. */
#define REPORT_KEY 1u

static void tell_frame(struct angel_eye_listener *listener, const struct angel_eye_frame *frame)
{
    struct decoder *decoder = &listener->decoder;
    struct message *message = &decoder->message;
    bool is_from_shoe = decoder->direction == TAP_FROM_DEVICE;
    const char *name;

    switch (frame->start) {
    case ANGEL_EYE_ENQ:
        name = NAMED(report_names, frame->data[0]);
        message_begin(message, MESSAGE_EVENT, "shoe", name, frame->sequence);
        message->key = REPORT_KEY;
        put_report(listener, frame);
        if (!is_from_shoe)
            message_wrong(message, "a report is nothing that the host says");
        break;
    case ANGEL_EYE_STX:
        message_begin(message, is_from_shoe ? MESSAGE_REPLY : MESSAGE_REQUEST, "shoe", "operation",
                      MESSAGE_NO_NUMBER);
        put_message(message, frame);
        break;
    case ANGEL_EYE_ACK:
        message_begin(message, is_from_shoe ? MESSAGE_REPLY : MESSAGE_ACKNOWLEDGEMENT, "shoe",
                      "ACK", MESSAGE_NO_NUMBER);
        message->key = is_from_shoe ? 0 : REPORT_KEY;
        break;
    default:
        message_begin(message, MESSAGE_REFUSAL, "shoe", "NAK", MESSAGE_NO_NUMBER);
        message->key = is_from_shoe ? 0 : REPORT_KEY;
        message_put_number(message, "code", frame->nak);
        message_put_text(message, "refusal", angel_eye_nak_text(frame->nak));
    }
    /* The words of this protocol's page need no others around them. */
    snprintf(message->title, sizeof message->title, "%s", message->name);
    if (message->wrong[0])
        message->heard.kind = HEARD_NOTHING;
    decoder_tell(decoder);
}

static size_t frame_size(const struct angel_eye_frame *frame)
{
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];

    return angel_eye_encode(frame, bytes);
}

static const char *why_rejected(enum angel_eye_reject reason)
{
    static const char *const texts[ANGEL_EYE_REJECTS] = {
        [ANGEL_EYE_BAD_BCC] = "the block check is wrong",
        [ANGEL_EYE_NO_ETX] = "there is no ETX",
        [ANGEL_EYE_NO_DATA] = "there is no data",
        [ANGEL_EYE_TOO_LONG] = "longer than any frame",
        [ANGEL_EYE_BAD_CODE] = "NAK without a code",
        [ANGEL_EYE_CUT] = "the frame does not end",
    };

    return texts[reason];
}

static void tell_dropped(struct angel_eye_listener *listener, const char *why, const uint8_t *bytes,
                         size_t count)
{
    if (count)
        decoder_damage(&listener->decoder, "shoe", why, bytes, count);
}

/*
 * What the frame decoder throws away it does not show: it is what it had and took, without what it
 * has now and, behind that, a good frame.
 */
static size_t hear_some(struct angel_eye_listener *listener, const uint8_t *bytes, size_t count)
{
    struct angel_eye_decoder *frames = &listener->frames;
    size_t had = frames->used, taken, whole, gone;
    struct angel_eye_frame frame;
    enum angel_eye_result result;

    if (count > ANGEL_EYE_FRAME_MAX)
        count = ANGEL_EYE_FRAME_MAX;
    memcpy(listener->kept, frames->partial, had);
    if (count)
        memcpy(listener->kept + had, bytes, count);
    result = angel_eye_decode(frames, bytes, count, &taken, &frame);
    whole = result == ANGEL_EYE_READY ? frame_size(&frame) : 0;
    gone = had + taken - frames->used - whole;
    tell_dropped(listener,
                 result == ANGEL_EYE_REJECTED ? why_rejected(frames->reason) : "begins no frame",
                 listener->kept, gone);
    if (result == ANGEL_EYE_READY)
        tell_frame(listener, &frame);
    return taken;
}

/* Until nothing is left that can be looked at without more bytes. */
static void hear_rest(struct angel_eye_listener *listener)
{
    uint64_t before;

    do {
        before = listener->frames.used;
        hear_some(listener, NULL, 0);
    } while (listener->frames.used && listener->frames.used != before);
}

static void give_up(struct angel_eye_listener *listener)
{
    struct angel_eye_decoder *frames = &listener->frames;

    while (frames->used) {
        size_t had = frames->used;

        memcpy(listener->kept, frames->partial, had);
        angel_eye_expire(frames);
        tell_dropped(listener, why_rejected(ANGEL_EYE_CUT), listener->kept, had - frames->used);
        hear_rest(listener);
    }
}

static void hear(struct decoder *decoder, const uint8_t *bytes, size_t count)
{
    struct angel_eye_listener *listener = (struct angel_eye_listener *)decoder;

    if (decoder->now - listener->heard_at > ANGEL_EYE_GAP)
        give_up(listener);
    listener->heard_at = decoder->now;
    while (count) {
        size_t taken = hear_some(listener, bytes, count);

        bytes += taken;
        count -= taken;
    }
    hear_rest(listener);
}

static void end(struct decoder *decoder)
{
    give_up((struct angel_eye_listener *)decoder);
}

static const struct protocol angel_eye_protocol = {
    .name = "angel-eye",
    .summary = "the Angel Eye II-EX shoe of devices/ANGEL-EYE.md",
    .number = ANGEL_EYE_PROTOCOL,
    .size = sizeof(struct angel_eye_listener),
    .hear = hear,
    .end = end,
};
REGISTER(protocols, angel_eye_protocol);
