/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decoder of the Angel Eye protocol. An input is a list of chunks: raw bytes, a frame whose
 * block check is right, or a silence after which the rest is given up. However the bytes are cut,
 * the decoder finds what a plain reader finds that goes on by one character behind whatever is no
 * frame: no good frame behind a bad one is lost. What is encoded again is what came.
 *
 * Covers: devices/shoe/angel_eye/frame.c
 */
#include <string.h>

#include "devices/shoe/angel_eye/frame.h"
#include "tests/fuzz/fuzz.h"

#define FRAMES_MAX 1024
#define STREAM_MAX 2048

/* What a plain reader has, and how far it is. */
struct plain {
    size_t size, at;
    uint8_t bytes[STREAM_MAX];
};

struct found {
    size_t count, next; /* next: to be compared with what the decoder finds */
    struct angel_eye_frame frames[FRAMES_MAX];
};

static int is_nak(uint8_t code)
{
    static const char codes[] = "\x01\x02\x03\x11\x12\x13\x14\x21\x22\xff";

    return memchr(codes, code, sizeof codes - 1) != NULL;
}

static int is_character(uint8_t byte)
{
    return byte >= 0x20 && byte <= 0x7e;
}

/* The length of a report or message with its check; 0: it is none; -1: its end is not there. */
static int read_block(const uint8_t *bytes, size_t left, struct angel_eye_frame *frame)
{
    int is_report = bytes[0] == ANGEL_EYE_ENQ;
    size_t at = is_report ? 2 : 1;
    uint8_t check = is_report && left > 1 ? bytes[1] : 0;

    frame->sequence = check;
    for (;; at++) {
        if (at >= left)
            return -1;
        if (frame->size && bytes[at] == ANGEL_EYE_ETX)
            break;
        if (frame->size == ANGEL_EYE_DATA_MAX ||
            (is_report && frame->size ? bytes[at] < 0x80 : !is_character(bytes[at])))
            return 0;
        check ^= bytes[at];
        frame->data[frame->size++] = is_report ? bytes[at] & 0x7f : bytes[at];
    }
    check ^= ANGEL_EYE_ETX;
    if (at + 1 < left && bytes[at + 1] != "0123456789ABCDEF"[check >> 4])
        return 0;
    if (at + 2 >= left)
        return -1;
    frame->includes_stx = !is_report && bytes[at + 2] == "0123456789ABCDEF"[(check ^ 2) & 15];
    if (!frame->includes_stx && bytes[at + 2] != "0123456789ABCDEF"[check & 15])
        return 0;
    return (int)at + 3;
}

static int read_one(const uint8_t *bytes, size_t left, struct angel_eye_frame *frame)
{
    *frame = (struct angel_eye_frame){.start = bytes[0]};
    if (bytes[0] == ANGEL_EYE_ACK)
        return 1;
    if (bytes[0] == ANGEL_EYE_ENQ || bytes[0] == ANGEL_EYE_STX)
        return read_block(bytes, left, frame);
    if (bytes[0] != ANGEL_EYE_NAK)
        return 0;
    if (left < 2)
        return -1;
    frame->nak = bytes[1];
    return is_nak(bytes[1]) ? 2 : 0;
}

static void plain_read(struct plain *plain, struct found *found)
{
    while (plain->at < plain->size && found->count < FRAMES_MAX) {
        const uint8_t *bytes = plain->bytes + plain->at;
        size_t left = plain->size - plain->at;
        int length = read_one(bytes, left, &found->frames[found->count]);

        if (length < 0)
            return;
        found->count += length > 0;
        /* A damaged refusal does not turn into an acknowledgement. */
        if (!length)
            length = bytes[0] == ANGEL_EYE_NAK && bytes[1] == ANGEL_EYE_ACK ? 2 : 1;
        plain->at += (size_t)length;
    }
}

static void compare(struct found *found, const struct angel_eye_frame *frame)
{
    const struct angel_eye_frame *expected = &found->frames[found->next++];
    uint8_t bytes[ANGEL_EYE_FRAME_MAX], again[ANGEL_EYE_FRAME_MAX];
    size_t size = angel_eye_encode(expected, bytes);

    FUZZ_MUST(found->next <= found->count);
    FUZZ_MUST(frame->start == expected->start && frame->size == expected->size);
    FUZZ_MUST(frame->includes_stx == expected->includes_stx);
    FUZZ_MUST(angel_eye_encode(frame, again) == size && !memcmp(bytes, again, size));
}

static void decode(struct angel_eye_decoder *decoder, const uint8_t *bytes, size_t count,
                   struct found *found)
{
    struct angel_eye_frame frame;
    enum angel_eye_result result;
    size_t taken;

    do {
        uint64_t before = decoder->frames;

        result = angel_eye_decode(decoder, bytes, count, &taken, &frame);
        FUZZ_MUST(taken <= count && decoder->used <= sizeof decoder->partial);
        FUZZ_MUST(decoder->frames - before == (result == ANGEL_EYE_READY));
        bytes += taken;
        count -= taken;
        if (result == ANGEL_EYE_READY)
            compare(found, &frame);
    } while (result != ANGEL_EYE_NEED_MORE);
    FUZZ_MUST(!count && found->next == found->count);
}

/* A frame as the protocol has it, with the data that the input gives. */
static size_t make_frame(struct fuzz_input *input, uint8_t bytes[ANGEL_EYE_FRAME_MAX])
{
    static const uint8_t starts[] = {ANGEL_EYE_ENQ, ANGEL_EYE_STX, ANGEL_EYE_ACK, ANGEL_EYE_NAK};
    uint8_t kind = fuzz_byte(input);
    struct angel_eye_frame frame = {.start = starts[kind & 3], .includes_stx = kind & 4};

    frame.size = (uint8_t)(1 + (kind >> 4));
    frame.sequence = frame.nak = fuzz_byte(input);
    for (unsigned i = 0; i < frame.size; i++)
        frame.data[i] = fuzz_byte(input) & 0x7f;
    return angel_eye_encode(&frame, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct found found;
    static struct plain plain;
    struct fuzz_input input = {data, size};
    struct angel_eye_decoder decoder = {0};
    uint8_t made[ANGEL_EYE_FRAME_MAX];

    plain.size = plain.at = found.count = found.next = 0;
    while (input.left && found.count < FRAMES_MAX / 2) {
        uint8_t kind = fuzz_byte(&input);
        const uint8_t *bytes = made;
        size_t count = 0;

        if (kind == 0xff) {
            plain.at += plain.at < plain.size;
            angel_eye_expire(&decoder);
        } else if (kind & 0x80) {
            count = make_frame(&input, made);
        } else {
            bytes = fuzz_take(&input, kind, &count);
        }
        if (count > STREAM_MAX - plain.size)
            break;
        memcpy(plain.bytes + plain.size, bytes, count);
        plain.size += count;
        plain_read(&plain, &found);
        decode(&decoder, bytes, count, &found);
        FUZZ_MUST(decoder.used == plain.size - plain.at);
    }
    FUZZ_MUST(!angel_eye_nak_text(decoder.used ? 0x100 : 0));
    for (unsigned code = 0; code < 256; code++)
        FUZZ_MUST(!angel_eye_nak_text(code) == !is_nak((uint8_t)code));
    return 0;
}
