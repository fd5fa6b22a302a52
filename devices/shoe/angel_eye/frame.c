/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/angel_eye/frame.h"

#include <string.h>

#define BIT_7 0x80

const char *angel_eye_nak_text(unsigned code)
{
    switch (code) {
    case ANGEL_EYE_NAK_FRAMING:
        return "a framing or parity error";
    case ANGEL_EYE_NAK_BCC:
        return "the block check is wrong";
    case ANGEL_EYE_NAK_NO_ETX:
        return "there is no ETX";
    case ANGEL_EYE_NAK_FORMAT:
        return "the format is wrong";
    case ANGEL_EYE_NAK_ADDRESS:
        return "there is no such address";
    case ANGEL_EYE_NAK_COMMAND:
        return "there is no such command";
    case ANGEL_EYE_NAK_TYPE:
        return "there is no such type";
    case ANGEL_EYE_NAK_BUSY:
        return "the shoe is busy";
    case ANGEL_EYE_NAK_WRITING:
        return "the shoe is writing to its memory";
    case ANGEL_EYE_NAK_OTHER:
        return "another reason, which it does not give";
    default:
        return NULL;
    }
}

static uint8_t block_check(const uint8_t *bytes, size_t count)
{
    uint8_t check = 0;

    for (size_t i = 0; i < count; i++)
        check ^= bytes[i];
    return check;
}

static uint8_t hex_digit(unsigned value)
{
    return (uint8_t) "0123456789ABCDEF"[value & 15];
}

static size_t put_data(const struct angel_eye_frame *frame, uint8_t *bytes)
{
    bytes[0] = frame->data[0];
    for (size_t i = 1; i < frame->size; i++)
        bytes[i] = frame->data[i] | (frame->start == ANGEL_EYE_ENQ ? BIT_7 : 0);
    return frame->size;
}

size_t angel_eye_encode(const struct angel_eye_frame *frame, uint8_t bytes[ANGEL_EYE_FRAME_MAX])
{
    size_t size = 0, first;
    uint8_t check;

    bytes[size++] = frame->start;
    if (frame->start == ANGEL_EYE_ACK)
        return size;
    if (frame->start == ANGEL_EYE_NAK) {
        bytes[size++] = frame->nak;
        return size;
    }
    if (frame->start == ANGEL_EYE_ENQ)
        bytes[size++] = frame->sequence;
    size += put_data(frame, bytes + size);
    bytes[size++] = ANGEL_EYE_ETX;
    first = frame->start == ANGEL_EYE_STX && frame->includes_stx ? 0 : 1;
    check = block_check(bytes + first, size - first);
    bytes[size++] = hex_digit(check >> 4);
    bytes[size++] = hex_digit(check);
    return size;
}

static bool is_start(uint8_t byte)
{
    return byte == ANGEL_EYE_ENQ || byte == ANGEL_EYE_STX || byte == ANGEL_EYE_ACK ||
           byte == ANGEL_EYE_NAK;
}

static bool is_character(uint8_t byte)
{
    return byte >= ' ' && byte <= '~';
}

/* Throws bytes away, and more up to the next one that may begin a frame. */
static void drop(struct angel_eye_decoder *decoder, size_t count)
{
    while (count < decoder->used && !is_start(decoder->partial[count]))
        count++;
    decoder->used -= count;
    memmove(decoder->partial, decoder->partial + count, decoder->used);
}

static enum angel_eye_result reject(struct angel_eye_decoder *decoder, enum angel_eye_reject reason)
{
    decoder->reason = reason;
    decoder->rejected[reason]++;
    decoder->rejected_start = decoder->partial[0];
    drop(decoder, 1);
    return ANGEL_EYE_REJECTED;
}

static enum angel_eye_result accept(struct angel_eye_decoder *decoder, size_t size)
{
    decoder->frames++;
    drop(decoder, size);
    return ANGEL_EYE_READY;
}

static enum angel_eye_result parse_nak(struct angel_eye_decoder *decoder,
                                       struct angel_eye_frame *frame)
{
    if (decoder->used < 2)
        return ANGEL_EYE_NEED_MORE;
    frame->nak = decoder->partial[1];
    if (angel_eye_nak_text(frame->nak))
        return accept(decoder, 2);
    reject(decoder, ANGEL_EYE_BAD_CODE);
    /* A refusal whose code was damaged must not turn into an acknowledgement. */
    if (frame->nak == ANGEL_EYE_ACK)
        drop(decoder, 1);
    return ANGEL_EYE_REJECTED;
}

/* Two digits after the ETX at `etx`, each judged as soon as it is there. */
static enum angel_eye_result parse_check(struct angel_eye_decoder *decoder, size_t etx,
                                         struct angel_eye_frame *frame)
{
    const uint8_t *bytes = decoder->partial;
    uint8_t check = block_check(bytes + 1, etx);

    /* STX is 02: the two ways to start the check differ in the second digit only. */
    if (decoder->used > etx + 1 && bytes[etx + 1] != hex_digit(check >> 4))
        return reject(decoder, ANGEL_EYE_BAD_BCC);
    if (decoder->used <= etx + 2)
        return ANGEL_EYE_NEED_MORE;
    frame->includes_stx =
        frame->start == ANGEL_EYE_STX && bytes[etx + 2] == hex_digit(check ^ ANGEL_EYE_STX);
    if (!frame->includes_stx && bytes[etx + 2] != hex_digit(check))
        return reject(decoder, ANGEL_EYE_BAD_BCC);
    return accept(decoder, etx + 3);
}

static enum angel_eye_result parse_data(struct angel_eye_decoder *decoder, size_t at,
                                        struct angel_eye_frame *frame)
{
    const uint8_t *bytes = decoder->partial;
    uint8_t marked = frame->start == ANGEL_EYE_ENQ ? BIT_7 : 0;

    if (at < decoder->used && !is_character(bytes[at]))
        return reject(decoder, ANGEL_EYE_NO_DATA);
    for (frame->size = 0; at < decoder->used; at++) {
        uint8_t byte = bytes[at];

        if (frame->size && byte == ANGEL_EYE_ETX)
            return parse_check(decoder, at, frame);
        if (frame->size && (marked ? !(byte & BIT_7) : !is_character(byte)))
            return reject(decoder, ANGEL_EYE_NO_ETX);
        if (frame->size == ANGEL_EYE_DATA_MAX)
            return reject(decoder, ANGEL_EYE_TOO_LONG);
        frame->data[frame->size++] = byte & (uint8_t)~marked;
    }
    return ANGEL_EYE_NEED_MORE;
}

/* Looks at what is there; an empty decoder needs more. */
static enum angel_eye_result parse(struct angel_eye_decoder *decoder, struct angel_eye_frame *frame)
{
    if (!decoder->used)
        return ANGEL_EYE_NEED_MORE;
    *frame = (struct angel_eye_frame){.start = decoder->partial[0]};
    if (frame->start == ANGEL_EYE_ACK)
        return accept(decoder, 1);
    if (frame->start == ANGEL_EYE_NAK)
        return parse_nak(decoder, frame);
    if (frame->start == ANGEL_EYE_STX)
        return parse_data(decoder, 1, frame);
    if (decoder->used < 2)
        return ANGEL_EYE_NEED_MORE;
    frame->sequence = decoder->partial[1];
    return parse_data(decoder, 2, frame);
}

enum angel_eye_result angel_eye_decode(struct angel_eye_decoder *decoder, const uint8_t *bytes,
                                       size_t count, size_t *taken, struct angel_eye_frame *frame)
{
    enum angel_eye_result result = parse(decoder, frame);

    *taken = 0;
    while (result == ANGEL_EYE_NEED_MORE && *taken < count) {
        uint8_t byte = bytes[(*taken)++];

        if (!decoder->used && !is_start(byte)) {
            decoder->garbage++;
            continue;
        }
        decoder->partial[decoder->used++] = byte;
        result = parse(decoder, frame);
    }
    return result;
}

void angel_eye_expire(struct angel_eye_decoder *decoder)
{
    if (decoder->used)
        reject(decoder, ANGEL_EYE_CUT);
}
