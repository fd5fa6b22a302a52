/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decoder of the open wire protocol. An input is a list of chunks: raw bytes, or a frame that
 * is encoded, of any version, maybe damaged in one byte. However the stream is cut, the decoder
 * finds the frames that a plain reader finds in the whole of it, up to each version, and a frame
 * behind a zero is found whatever came before.
 *
 * Covers: devices/wire/frame.c devices/wire/crc.c
 */
#include <string.h>

#include "devices/wire/frame.h"
#include "tests/fuzz/fuzz.h"

#define STREAM_MAX 4096
#define FRAMES_MAX 512

struct stream {
    size_t size;
    uint8_t bytes[STREAM_MAX];
};

struct found {
    size_t count;
    uint64_t rejected;
    struct frame frames[FRAMES_MAX];
};

static void put(struct stream *stream, const void *bytes, size_t count)
{
    if (count > STREAM_MAX - stream->size)
        return;
    memcpy(stream->bytes + stream->size, bytes, count);
    stream->size += count;
}

static void put_frame(struct stream *stream, struct fuzz_input *input)
{
    struct frame frame;
    uint8_t encoded[FRAME_ENCODED_MAX];
    uint8_t damage = fuzz_byte(input);
    size_t length, size;
    const uint8_t *payload;

    frame_begin(&frame, fuzz_byte(input), fuzz_byte(input), fuzz_byte(input));
    frame.version = (damage >> 4) & 3;
    frame.size = fuzz_byte(input);
    payload = fuzz_take(input, frame.size, &size);
    frame.size = (uint8_t)(size < FRAME_PAYLOAD_MAX ? size : FRAME_PAYLOAD_MAX);
    memcpy(frame.payload, payload, frame.size);
    length = frame_encode(&frame, encoded);
    FUZZ_MUST(length <= sizeof encoded && !encoded[length - 1]);
    FUZZ_MUST(memchr(encoded, 0, length) == encoded + length - 1);
    if (damage & 0x80)
        encoded[(size_t)(damage & 0x7f) % length] ^= (uint8_t)(1 + fuzz_byte(input));
    put(stream, encoded, length);
}

static uint16_t crc_of(const uint8_t *bytes, size_t count)
{
    unsigned crc = 0xffff;

    for (size_t i = 0; i < count; i++) {
        crc ^= (unsigned)bytes[i] << 8;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
    }
    return (uint16_t)crc;
}

/* As devices/PROTOCOL.md has it, of the bytes between two zeros, up to that version. */
static int plain_read(const uint8_t *encoded, size_t count, unsigned versions, struct frame *frame)
{
    uint8_t data[STREAM_MAX];
    size_t length = 0;

    if (count >= FRAME_ENCODED_MAX)
        return 0;
    for (size_t at = 0; at < count; at += encoded[at]) {
        if (at + encoded[at] > count)
            return 0;
        if (at)
            data[length++] = 0;
        memcpy(data + length, encoded + at + 1, encoded[at] - 1u);
        length += encoded[at] - 1u;
    }
    if (length < FRAME_HEAD + FRAME_CRC || !data[0] || data[0] > versions)
        return 0;
    if (crc_of(data, length - 2) != (data[length - 2] << 8 | data[length - 1]))
        return 0;
    frame_begin(frame, data[1], data[2], data[3]);
    frame->version = data[0];
    frame->size = (uint8_t)(length - FRAME_HEAD - FRAME_CRC);
    memcpy(frame->payload, data + FRAME_HEAD, frame->size);
    return 1;
}

static void plain_find(const struct stream *stream, unsigned versions, struct found *found)
{
    for (size_t at = 0; at < stream->size && found->count < FRAMES_MAX;) {
        const uint8_t *from = stream->bytes + at;
        const uint8_t *zero = memchr(from, 0, stream->size - at);

        if (!zero)
            return;
        found->count +=
            (size_t)plain_read(from, (size_t)(zero - from), versions, &found->frames[found->count]);
        at = (size_t)(zero - stream->bytes) + 1;
    }
}

static void decode(const struct stream *stream, size_t step, unsigned versions, struct found *found)
{
    struct frame_decoder decoder = {.versions = (uint8_t)versions};

    for (size_t at = 0, end; at < stream->size; at = end) {
        end = step && at + step < stream->size ? at + step : stream->size;
        for (size_t from = at, taken; from < end && found->count < FRAMES_MAX; from += taken) {
            enum frame_result result = frame_decode(&decoder, stream->bytes + from, end - from,
                                                    &taken, &found->frames[found->count]);

            FUZZ_MUST(taken <= end - from && (taken || result == FRAME_REJECTED));
            found->count += result == FRAME_READY;
            FUZZ_MUST(result != FRAME_NEED_MORE || taken == end - from);
            FUZZ_MUST(result != FRAME_REJECTED || decoder.dropped);
        }
    }
    for (unsigned i = 0; i < FRAME_REJECTS; i++)
        found->rejected += decoder.rejected[i];
    FUZZ_MUST(found->count == FRAMES_MAX || decoder.frames == found->count);
}

static void same(const struct found *one, const struct found *other)
{
    FUZZ_MUST(one->count == other->count);
    for (size_t i = 0; i < one->count; i++)
        FUZZ_MUST(!memcmp(&one->frames[i], &other->frames[i],
                          offsetof(struct frame, payload) + one->frames[i].size));
}

static void read_both_ways(const struct stream *stream, size_t step, unsigned versions)
{
    static struct found plain, whole, cut;

    plain.count = whole.count = cut.count = 0;
    plain.rejected = whole.rejected = cut.rejected = 0;
    plain_find(stream, versions, &plain);
    decode(stream, 0, versions, &whole);
    decode(stream, step, versions, &cut);
    same(&plain, &whole);
    same(&plain, &cut);
    FUZZ_MUST(whole.rejected == cut.rejected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stream stream;
    struct fuzz_input input = {data, size};
    size_t step = fuzz_byte(&input), taken;

    stream.size = 0;
    while (input.left) {
        uint8_t kind = fuzz_byte(&input);

        if (kind & 0x80) {
            put_frame(&stream, &input);
        } else {
            const uint8_t *raw = fuzz_take(&input, kind, &taken);

            put(&stream, raw, taken);
        }
    }
    for (unsigned versions = FRAME_VERSION; versions <= FRAME_VERSIONS; versions++)
        read_both_ways(&stream, step, versions);
    return 0;
}
