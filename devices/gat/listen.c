/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GAT, for who listens in: devices/GAT.md. */
#include <stdio.h>
#include <string.h>

#include "devices/gat/host.h"
#include "devices/listen/decoder.h"
#include "hal/base/plural.h"
#include "hal/base/registry.h"

#define DEVICE "gat"

struct gat_decoder_heard {
    struct decoder decoder;
    struct gat_decoder frames;
    nanos_t heard_at;
};

/* Bytes of a text that may be any: what is not printable ASCII is a question mark. */
static void put_bytes(struct message *message, const char *name, const uint8_t *bytes, size_t count,
                      const char *tab)
{
    char text[3 * GAT_DATA_MAX + 1];
    size_t used = 0;

    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\t')
            used += (size_t)sprintf(text + used, "%s", tab);
        else if (bytes[i] == '\n' || bytes[i] == '\r')
            text[used++] = ' ';
        else
            text[used++] = bytes[i] >= ' ' && bytes[i] <= '~' ? (char)bytes[i] : '?';
    text[used] = '\0';
    message_put_text(message, name, text);
}

static void put_hex(struct message *message, const uint8_t *bytes, size_t count)
{
    char text[2 * GAT_DATA_MAX + 1] = "";

    for (size_t i = 0; i < count; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    message_put_text(message, "data", text);
}

static void put_format(struct message *message, uint8_t format)
{
    char other[16];

    snprintf(other, sizeof other, "unknown %u", format);
    message_put_text(message, "format",
                     format == GAT_XML          ? "XML"
                     : format == GAT_PLAIN_TEXT ? "plain text"
                                                : other);
}

static void put_status(struct message *message, const uint8_t *data)
{
    static const char *const states[] = {"requested", "finished", "calculating", "error"};
    static const char *const formats[] = {"none", "plain text", "XML", "plain text XML"};
    char version[8];

    snprintf(version, sizeof version, "%x.%02x", data[0], data[1]);
    message_put_text(message, "version", version);
    message_put_text(message, "state", states[GAT_STATE(data[2])]);
    message_put_truth(message, "calculating", data[2] & GAT_CALCULATING);
    message_put_truth(message, "results", data[2] & GAT_HAS_RESULTS);
    message_put_text(message, "formats", formats[data[3] & (GAT_PLAIN_TEXT | GAT_XML)]);
    if (!gat_is_version((unsigned)data[0] << 8 | data[1]))
        message_wrong(message, "%s is no version", version);
}

static void put_last(struct message *message, const uint8_t *data)
{
    message_put_number(message, "level", data[0]);
    message_put_number(message, "seconds",
                       (uint32_t)data[1] << 24 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 8 |
                           data[4]);
}

/* The answer to a question for one part is no answer to that for another. */
static void put_part_number(struct message *message, const uint8_t *data)
{
    unsigned number = (unsigned)data[1] << 8 | data[2];

    message_put_number(message, "part", number);
    message->key |= number << 8;
    if (!number)
        message_wrong(message, "parts are numbered from 1");
}

static void put_part(struct message *message, const uint8_t *data, size_t size)
{
    put_part_number(message, data);
    message_put_truth(message, "error", data[0] & GAT_PART_ERROR);
    message_put_truth(message, "last", data[0] & GAT_PART_LAST);
    put_bytes(message, "text", data + GAT_PART_HEAD, size - GAT_PART_HEAD, " ");
}

static void put_start(struct message *message, const uint8_t *data, size_t size)
{
    size_t head = size > 1 && !data[1] ? 2 : 1;

    message_put_number(message, "level", data[0]);
    message_put_truth(message, "zero", head == 2);
    put_bytes(message, "function", data + head, size - head, " / ");
}

static void put_data(struct message *message, const struct gat_frame *frame)
{
    switch (frame->command) {
    case GAT_LARQ:
        put_format(message, frame->data[0]);
        put_part_number(message, frame->data);
        break;
    case GAT_IACQ:
        put_start(message, frame->data, frame->size);
        break;
    case GAT_SQ | GAT_REPLY:
        put_status(message, frame->data);
        break;
    case GAT_LASQ | GAT_REPLY:
        put_last(message, frame->data);
        break;
    case GAT_LARQ | GAT_REPLY:
        put_part(message, frame->data, frame->size);
        break;
    case GAT_IACQ | GAT_REPLY:
        put_hex(message, frame->data, frame->size);
        break;
    default:
        break;
    }
}

/* How many bytes of data such a frame must have; at least so many where it may have more. */
static unsigned size_of(uint8_t command, bool *is_least)
{
    *is_least = command == GAT_IACQ || command == (GAT_LARQ | GAT_REPLY) ||
                command == (GAT_IACQ | GAT_REPLY);
    switch (command) {
    case GAT_LARQ:
    case GAT_LARQ | GAT_REPLY:
        return 3;
    case GAT_IACQ:
        return 1;
    case GAT_SQ | GAT_REPLY:
        return 4;
    case GAT_LASQ | GAT_REPLY:
        return 5;
    default:
        return 0;
    }
}

static void tell_frame(struct decoder *decoder, const struct gat_frame *frame)
{
    struct message *message = &decoder->message;
    uint8_t asked = frame->command & (uint8_t)~GAT_REPLY;
    const char *name = gat_command_name(asked);
    bool is_reply = frame->command & GAT_REPLY, is_least;
    unsigned due = size_of(frame->command, &is_least);
    char unknown[16];

    snprintf(unknown, sizeof unknown, "command %02x", asked);
    message_begin(message, is_reply ? MESSAGE_REPLY : MESSAGE_REQUEST, DEVICE,
                  name ? name : unknown, MESSAGE_NO_NUMBER);
    message->key = asked;
    if (!name)
        message_wrong(message, "there is no such command");
    else if (frame->size < due || (frame->size > due && !is_least))
        message_wrong(message, "the data has %u byte%s, not %u%s", frame->size, plural(frame->size),
                      due, is_least ? " or more" : "");
    else
        put_data(message, frame);
    if (is_reply != (decoder->direction == TAP_FROM_DEVICE))
        message_wrong(message, "%s is nothing that the %s says", is_reply ? "a reply" : "a request",
                      is_reply ? "host" : "device");
    decoder_tell(decoder);
}

static void tell_rejected(struct gat_decoder_heard *heard)
{
    decoder_damage(&heard->decoder, DEVICE, gat_reject_text(heard->frames.reason),
                   heard->frames.partial, heard->frames.rejected_size);
}

/* Silence ends what is damaged, and after a longer one a frame does not go on. */
static void hear_silence(struct gat_decoder_heard *heard, nanos_t silence)
{
    if (silence >= (heard->frames.is_deaf ? gat_standard.gap : gat_standard.stall) &&
        gat_silence(&heard->frames))
        tell_rejected(heard);
}

static void hear(struct decoder *decoder, const uint8_t *bytes, size_t count)
{
    struct gat_decoder_heard *heard = (struct gat_decoder_heard *)decoder;

    hear_silence(heard, decoder->now - heard->heard_at);
    heard->heard_at = decoder->now;
    while (count) {
        bool was_deaf = heard->frames.is_deaf;
        struct gat_frame frame;
        size_t taken;
        enum gat_result result = gat_decode(&heard->frames, bytes, count, &taken, &frame);

        if (result == GAT_READY)
            tell_frame(decoder, &frame);
        else if (result == GAT_REJECTED)
            tell_rejected(heard);
        else if (was_deaf)
            decoder_damage(decoder, DEVICE, "it follows what is damaged", bytes, taken);
        bytes += taken;
        count -= taken;
    }
}

static void end(struct decoder *decoder)
{
    struct gat_decoder_heard *heard = (struct gat_decoder_heard *)decoder;

    if (gat_silence(&heard->frames))
        tell_rejected(heard);
}

static const struct protocol gat_protocol = {
    .name = "gat",
    .summary = "what devices answer of their software, devices/GAT.md",
    .number = GAT_PROTOCOL,
    .answers_only = true,
    .size = sizeof(struct gat_decoder_heard),
    .hear = hear,
    .end = end,
};
REGISTER(protocols, gat_protocol);
