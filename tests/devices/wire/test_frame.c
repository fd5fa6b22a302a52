/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/frame.h"

#include <string.h>

#include "tests/support/suite.h"

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % limit;
}

static struct frame random_frame(unsigned size, unsigned zeros_in_16)
{
    struct frame frame = {.class = (uint8_t)random_below(256),
                          .type = (uint8_t)random_below(256),
                          .sequence = (uint8_t)random_below(256),
                          .size = (uint8_t)size};

    for (unsigned i = 0; i < size; i++)
        frame.payload[i] = random_below(16) < zeros_in_16 ? 0 : (uint8_t)random_below(256);
    return frame;
}

static int same(const struct frame *a, const struct frame *b)
{
    return a->class == b->class && a->type == b->type && a->sequence == b->sequence &&
           a->size == b->size && !memcmp(a->payload, b->payload, a->size);
}

TEST(the_crc_of_123456789_is_29b1)
{
    CU_ASSERT_EQUAL(frame_crc((const uint8_t *)"123456789", 9), 0x29b1);
    CU_ASSERT_EQUAL(frame_crc(NULL, 0), 0xffff);
}

TEST(the_crc_equals_long_division_bit_by_bit)
{
    uint8_t bytes[300];

    random_state = 1;
    for (unsigned length = 0; length <= sizeof bytes; length++) {
        unsigned crc = 0xffff;

        for (unsigned i = 0; i < length; i++) {
            bytes[i] = (uint8_t)random_below(256);
            crc ^= (unsigned)bytes[i] << 8;
            for (int bit = 0; bit < 8; bit++)
                crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
        }
        CU_ASSERT_EQUAL_FATAL(frame_crc(bytes, length), crc);
    }
}

struct golden {
    struct frame frame;
    size_t length;
    uint8_t bytes[16];
};

/* Worked out apart from this program; devices/PROTOCOL.md shows the same bytes. */
static const struct golden golden[] = {
    {{1, 1, 0x01, 1, 4, {0x00, 0xc0, 0xff, 0xee}},
     12,
     {0x05, 0x01, 0x01, 0x01, 0x01, 0x06, 0xc0, 0xff, 0xee, 0x18, 0x95, 0x00}},
    {{1, 1, 0x81, 1, 3, {1, 0, 0}},
     11,
     {0x06, 0x01, 0x01, 0x81, 0x01, 0x01, 0x01, 0x03, 0xc5, 0x0a, 0x00}},
    {{1, 1, 0x02, 2, 0, {0}}, 8, {0x07, 0x01, 0x01, 0x02, 0x02, 0x83, 0x64, 0x00}},
    {{1, 1, 0xff, 3, 2, {0x11, 4}},
     10,
     {0x09, 0x01, 0x01, 0xff, 0x03, 0x11, 0x04, 0x83, 0xd4, 0x00}},
    {{1, 1, 0x40, 0, 1, {52}}, 9, {0x04, 0x01, 0x01, 0x40, 0x04, 0x34, 0xa6, 0x93, 0x00}},
    {{1, 1, 0xc0, 0, 0, {0}}, 8, {0x04, 0x01, 0x01, 0xc0, 0x03, 0xd3, 0x10, 0x00}},
    {{2, 1, 0x01, 2, 4, {0x00, 0xc0, 0xff, 0xef}},
     12,
     {0x05, 0x02, 0x01, 0x01, 0x02, 0x06, 0xc0, 0xff, 0xef, 0x2e, 0x13, 0x00}},
    {{2, 1, 0x06, 11, 0, {0}}, 8, {0x07, 0x02, 0x01, 0x06, 0x0b, 0x45, 0x55, 0x00}},
    {{2, 1, 0x78, 0, 2, {0xc0, 0xde}},
     10,
     {0x04, 0x02, 0x01, 0x78, 0x05, 0xc0, 0xde, 0xd4, 0x50, 0x00}},
};

TEST(frames_are_encoded_as_the_protocol_page_shows)
{
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        uint8_t encoded[FRAME_ENCODED_MAX];

        CU_ASSERT_EQUAL(frame_encode(&golden[i].frame, encoded), golden[i].length);
        CU_ASSERT(!memcmp(encoded, golden[i].bytes, golden[i].length));
    }
}

TEST(frames_are_decoded_as_the_protocol_page_shows)
{
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct frame_decoder decoder = {.versions = FRAME_VERSIONS};
        struct frame frame;
        size_t taken;

        CU_ASSERT_EQUAL(frame_decode(&decoder, golden[i].bytes, golden[i].length, &taken, &frame),
                        FRAME_READY);
        CU_ASSERT_EQUAL(taken, golden[i].length);
        CU_ASSERT(same(&frame, &golden[i].frame));
    }
}

TEST(a_decoder_takes_version_2_only_where_it_is_told_to)
{
    const struct golden *second = &golden[6];
    struct frame_decoder decoder = {0};
    struct frame frame;
    size_t taken;

    CU_ASSERT_EQUAL(second->frame.version, FRAME_VERSION_2);
    CU_ASSERT_EQUAL(frame_decode(&decoder, second->bytes, second->length, &taken, &frame),
                    FRAME_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, FRAME_BAD_VERSION);
    decoder.versions = FRAME_VERSION_2;
    CU_ASSERT_EQUAL(frame_decode(&decoder, second->bytes, second->length, &taken, &frame),
                    FRAME_READY);
    CU_ASSERT_EQUAL(frame.version, FRAME_VERSION_2);
    CU_ASSERT_EQUAL(frame_decode(&decoder, golden[0].bytes, golden[0].length, &taken, &frame),
                    FRAME_READY);
    CU_ASSERT_EQUAL(frame.version, FRAME_VERSION);
}

TEST(every_size_comes_back_with_any_number_of_zeros)
{
    random_state = 2;
    for (unsigned size = 0; size <= FRAME_PAYLOAD_MAX; size++)
        for (unsigned zeros = 0; zeros <= 16; zeros += 4) {
            struct frame sent = random_frame(size, zeros), got;
            struct frame_decoder decoder = {0};
            uint8_t encoded[FRAME_ENCODED_MAX];
            size_t length = frame_encode(&sent, encoded), taken;

            CU_ASSERT_EQUAL_FATAL(length, FRAME_HEAD + size + FRAME_CRC + 2);
            CU_ASSERT_PTR_EQUAL(memchr(encoded, 0, length), encoded + length - 1);
            CU_ASSERT_EQUAL(frame_decode(&decoder, encoded, length, &taken, &got), FRAME_READY);
            CU_ASSERT(same(&sent, &got));
        }
}

TEST(a_stream_cut_at_any_byte_decodes_the_same)
{
    struct frame sent[3], got;
    uint8_t stream[3 * FRAME_ENCODED_MAX];
    size_t length = 0, taken;

    random_state = 3;
    for (int i = 0; i < 3; i++) {
        sent[i] = random_frame(20 + 40 * (unsigned)i, 2);
        length += frame_encode(&sent[i], stream + length);
    }
    for (size_t cut = 0; cut <= length; cut++) {
        struct frame_decoder decoder = {0};
        int count = 0;

        for (size_t at = 0; at < length; at += taken) {
            size_t end = at < cut ? cut : length;

            if (frame_decode(&decoder, stream + at, end - at, &taken, &got) == FRAME_READY) {
                CU_ASSERT(same(&got, &sent[count]));
                count++;
            }
        }
        CU_ASSERT_EQUAL(count, 3);
    }
}

TEST(bytes_one_at_a_time_need_more_until_the_zero)
{
    struct frame_decoder decoder = {0};
    struct frame frame;
    size_t taken;

    for (size_t i = 0; i < golden[0].length; i++)
        CU_ASSERT_EQUAL(frame_decode(&decoder, golden[0].bytes + i, 1, &taken, &frame),
                        i + 1 < golden[0].length ? FRAME_NEED_MORE : FRAME_READY);
}

/* After losing any part of the first frame, the second one is always found. */
TEST(a_decoder_is_in_step_again_after_any_missing_part)
{
    struct frame first = {.class = 1, .type = 0x41, .size = 30}, second = {.class = 2}, got;
    uint8_t whole[FRAME_ENCODED_MAX], stream[2 * FRAME_ENCODED_MAX];
    size_t length = frame_encode(&first, whole);

    for (size_t from = 0; from < length; from++)
        for (size_t to = from + 1; to < length; to++) {
            struct frame_decoder decoder = {0};
            size_t total = 0, taken;
            int found = 0;

            memcpy(stream, whole, from);
            memcpy(stream + from, whole + to, length - to);
            total = from + length - to;
            total += frame_encode(&second, stream + total);
            for (size_t at = 0; at < total; at += taken)
                if (frame_decode(&decoder, stream + at, total - at, &taken, &got) == FRAME_READY)
                    found += same(&got, &second) ? 1 : 100;
            CU_ASSERT_EQUAL(found, 1);
        }
}

TEST(every_single_flipped_bit_is_rejected)
{
    struct frame sent = {.class = 1, .type = 0x41, .sequence = 9, .size = 10}, got;
    uint8_t encoded[FRAME_ENCODED_MAX];
    size_t length = frame_encode(&sent, encoded), taken;

    for (size_t bit = 0; bit < (length - 1) * 8; bit++) {
        struct frame_decoder decoder = {0};

        encoded[bit / 8] ^= (uint8_t)(1 << bit % 8);
        for (size_t at = 0; at < length; at += taken)
            CU_ASSERT_NOT_EQUAL(frame_decode(&decoder, encoded + at, length - at, &taken, &got),
                                FRAME_READY);
        encoded[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static enum frame_result decode(struct frame_decoder *decoder, const uint8_t *bytes, size_t count)
{
    enum frame_result result;
    struct frame frame;
    size_t taken;

    /* What follows a frame that was too long is shown piece by piece. */
    do {
        result = frame_decode(decoder, bytes, count, &taken, &frame);
        bytes += taken;
        count -= taken;
    } while (decoder->skipping && count);
    return result;
}

TEST(rejections_are_counted_by_reason)
{
    static const uint8_t past_the_end[] = {9, 1, 0};
    static const uint8_t too_short[] = {4, 1, 1, 1, 0};
    static const uint8_t bad_crc[] = {7, 1, 1, 2, 2, 0x83, 0x65, 0};
    static const uint8_t version_2[] = {7, 2, 1, 2, 2, 0x18, 0xb8, 0};
    struct frame_decoder decoder = {0};
    uint8_t long_one[FRAME_ENCODED_MAX + 1];

    memset(long_one, 0xff, sizeof long_one);
    CU_ASSERT_EQUAL(decode(&decoder, past_the_end, sizeof past_the_end), FRAME_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, FRAME_BAD_COBS);
    CU_ASSERT_EQUAL(decode(&decoder, too_short, sizeof too_short), FRAME_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, FRAME_TOO_SHORT);
    CU_ASSERT_EQUAL(decode(&decoder, bad_crc, sizeof bad_crc), FRAME_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, FRAME_BAD_CRC);
    CU_ASSERT_EQUAL(decode(&decoder, version_2, sizeof version_2), FRAME_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, FRAME_BAD_VERSION);
    CU_ASSERT_EQUAL(decode(&decoder, long_one, sizeof long_one), FRAME_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, FRAME_TOO_LONG);
    for (int reason = 0; reason < FRAME_REJECTS; reason++)
        CU_ASSERT_EQUAL(decoder.rejected[reason], 1);
}

TEST(a_frame_one_byte_too_long_is_rejected_whole_or_in_pieces)
{
    uint8_t bytes[FRAME_ENCODED_MAX + 1], good[FRAME_ENCODED_MAX];
    size_t good_length = frame_encode(&golden[2].frame, good);

    memset(bytes, 1, sizeof bytes);
    bytes[FRAME_ENCODED_MAX] = 0;
    for (size_t cut = 1; cut < sizeof bytes; cut++) {
        struct frame_decoder decoder = {0};

        if (decode(&decoder, bytes, cut) == FRAME_NEED_MORE)
            decode(&decoder, bytes + cut, sizeof bytes - cut);
        else
            decode(&decoder, bytes + FRAME_ENCODED_MAX, 1);
        CU_ASSERT_EQUAL(decoder.rejected[FRAME_TOO_LONG], 1);
        CU_ASSERT_EQUAL(decode(&decoder, good, good_length), FRAME_READY);
    }
}

TEST(what_is_dropped_of_a_frame_that_is_too_long_is_told_at_once_and_whole)
{
    struct frame_decoder decoder = {0};
    struct frame frame;
    uint8_t bytes[FRAME_ENCODED_MAX + 1];
    size_t taken;

    memset(bytes, 7, sizeof bytes);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, 1, &taken, &frame), FRAME_NEED_MORE);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, FRAME_ENCODED_MAX - 2, &taken, &frame),
                    FRAME_NEED_MORE);
    CU_ASSERT_EQUAL(taken, FRAME_ENCODED_MAX - 2);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, 3, &taken, &frame), FRAME_REJECTED);
    CU_ASSERT_EQUAL(taken, 0);
    CU_ASSERT_EQUAL(decoder.dropped_count, FRAME_ENCODED_MAX - 1);
    CU_ASSERT_PTR_EQUAL(decoder.dropped, decoder.partial);
    CU_ASSERT_EQUAL(memcmp(decoder.dropped, bytes, decoder.dropped_count), 0);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, 3, &taken, &frame), FRAME_REJECTED);
    CU_ASSERT_EQUAL(taken, 3);
    CU_ASSERT_PTR_EQUAL(decoder.dropped, bytes);
    CU_ASSERT_EQUAL(decoder.dropped_count, 3);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, 0, &taken, &frame), FRAME_NEED_MORE);
    CU_ASSERT_EQUAL(taken, 0);
    bytes[1] = 0;
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, 3, &taken, &frame), FRAME_REJECTED);
    CU_ASSERT_EQUAL(taken, 2);
    CU_ASSERT_EQUAL(decoder.dropped_count, 1);
    CU_ASSERT_FALSE(decoder.skipping);
    bytes[1] = 7;
    bytes[FRAME_ENCODED_MAX] = 0;
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, sizeof bytes, &taken, &frame), FRAME_REJECTED);
    CU_ASSERT_EQUAL(taken, sizeof bytes);
    CU_ASSERT_PTR_EQUAL(decoder.dropped, bytes);
    CU_ASSERT_EQUAL(decoder.dropped_count, FRAME_ENCODED_MAX);
    CU_ASSERT_EQUAL(decoder.rejected[FRAME_TOO_LONG], 2);
}

TEST(empty_frames_mean_nothing)
{
    static const uint8_t zeros[5];
    struct frame_decoder decoder = {0};

    CU_ASSERT_EQUAL(decode(&decoder, zeros, sizeof zeros), FRAME_NEED_MORE);
    for (int reason = 0; reason < FRAME_REJECTS; reason++)
        CU_ASSERT_EQUAL(decoder.rejected[reason], 0);
}

TEST(a_frame_behind_empty_ones_is_found)
{
    struct frame_decoder decoder = {0};
    struct frame frame;
    uint8_t bytes[FRAME_ENCODED_MAX + 3] = {0};
    size_t length = frame_encode(&golden[1].frame, bytes + 3), taken;

    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, length + 3, &taken, &frame), FRAME_READY);
    CU_ASSERT_EQUAL(taken, length + 3);
    CU_ASSERT_EQUAL(frame.type, golden[1].frame.type);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes, 5, &taken, &frame), FRAME_NEED_MORE);
    CU_ASSERT_EQUAL(taken, 5);
    CU_ASSERT_EQUAL(decoder.used, 2);
    CU_ASSERT_EQUAL(frame_decode(&decoder, bytes + 5, length - 2, &taken, &frame), FRAME_READY);
}

TEST(random_garbage_never_breaks_the_decoder)
{
    struct frame_decoder decoder = {0};
    struct frame frame;
    uint8_t bytes[777], good[FRAME_ENCODED_MAX];
    size_t good_length = frame_encode(&golden[1].frame, good), taken;

    random_state = 4;
    for (int round = 0; round < 2000; round++) {
        unsigned count = random_below(sizeof bytes) + 1;

        for (unsigned i = 0; i < count; i++)
            bytes[i] = random_below(32) ? (uint8_t)random_below(256) : 0;
        for (size_t at = 0; at < count; at += taken) {
            frame_decode(&decoder, bytes + at, count - at, &taken, &frame);
            CU_ASSERT_FATAL(taken > 0 && taken <= count - at);
        }
        decode(&decoder, (const uint8_t[]){0}, 1);
        CU_ASSERT_EQUAL(decode(&decoder, good, good_length), FRAME_READY);
    }
}
