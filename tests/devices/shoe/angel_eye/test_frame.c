/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of the Angel Eye protocol, byte for byte as devices/ANGEL-EYE.md works them out. */
#include <stdlib.h>
#include <string.h>

#include "devices/shoe/angel_eye/frame.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

#define ENQ ANGEL_EYE_ENQ
#define STX ANGEL_EYE_STX

static const struct {
    const char *hex;
    struct angel_eye_frame frame;
} golden[] = {
    {"06", {.start = ANGEL_EYE_ACK}},
    {"15 02", {.start = ANGEL_EYE_NAK, .nak = 0x02}},
    {"15 ff", {.start = ANGEL_EYE_NAK, .nak = 0xff}},
    {"05 30 53 03 36 30", {.start = ENQ, .sequence = '0', .size = 1, .data = "S"}},
    {"05 31 4c 81 03 46 46", {.start = ENQ, .sequence = '1', .size = 2, .data = "L\x01"}},
    {"05 32 50 03 36 31", {.start = ENQ, .sequence = '2', .size = 1, .data = "P"}},
    {"05 33 44 81 b8 03 34 44", {.start = ENQ, .sequence = '3', .size = 3, .data = "D\x01\x38"}},
    {"05 34 52 92 cd 03 33 41", {.start = ENQ, .sequence = '4', .size = 3, .data = "R\x12\x4d"}},
    {"05 35 64 80 91 03 34 33", {.start = ENQ, .sequence = '5', .size = 3, .data = "d\x00\x11"}},
    {"05 36 47 c1 03 42 33", {.start = ENQ, .sequence = '6', .size = 2, .data = "G\x41"}},
    {"05 37 45 c1 03 42 30", {.start = ENQ, .sequence = '7', .size = 2, .data = "E\x41"}},
    {"05 38 65 81 03 44 46", {.start = ENQ, .sequence = '8', .size = 2, .data = "e\x01"}},
    {"05 39 4d b1 b2 b0 b0 b4 b0 03 37 30",
     {.start = ENQ, .sequence = '9', .size = 7, .data = "M120040"}},
    {"05 30 43 03 37 30", {.start = ENQ, .sequence = '0', .size = 1, .data = "C"}},
    {"02 4f 50 4c 4b 30 32 03 31 42",
     {.start = STX, .includes_stx = true, .size = 6, .data = "OPLK02"}},
    {"02 4f 50 4c 4b 30 32 03 31 39", {.start = STX, .size = 6, .data = "OPLK02"}},
    {"02 4f 50 4c 4b 30 31 03 31 38",
     {.start = STX, .includes_stx = true, .size = 6, .data = "OPLK01"}},
    {"02 4f 50 45 43 30 31 03 31 39",
     {.start = STX, .includes_stx = true, .size = 6, .data = "OPEC01"}},
    {"02 4f 50 47 50 30 30 03 30 39",
     {.start = STX, .includes_stx = true, .size = 6, .data = "OPGP00"}},
};

#define GOLDEN (sizeof golden / sizeof golden[0])

static bool is_frame(const struct angel_eye_frame *a, const struct angel_eye_frame *b)
{
    return a->start == b->start && a->sequence == b->sequence && a->nak == b->nak &&
           a->includes_stx == b->includes_stx && a->size == b->size &&
           !memcmp(a->data, b->data, a->size);
}

TEST(every_frame_is_encoded_as_the_page_has_it)
{
    for (size_t i = 0; i < GOLDEN; i++) {
        uint8_t bytes[ANGEL_EYE_FRAME_MAX], expected[ANGEL_EYE_FRAME_MAX];
        size_t size = shoe_bench_hex(golden[i].hex, expected, sizeof expected);

        CU_ASSERT_EQUAL(angel_eye_encode(&golden[i].frame, bytes), size);
        CU_ASSERT(!memcmp(bytes, expected, size));
    }
}

TEST(every_frame_is_decoded_as_the_page_has_it)
{
    for (size_t i = 0; i < GOLDEN; i++) {
        struct angel_eye_decoder decoder = {0};
        struct angel_eye_frame frame;
        uint8_t bytes[ANGEL_EYE_FRAME_MAX];
        size_t size = shoe_bench_hex(golden[i].hex, bytes, sizeof bytes), taken;

        CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size - 1, &taken, &frame),
                        ANGEL_EYE_NEED_MORE);
        CU_ASSERT_EQUAL(taken, size - 1);
        CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes + size - 1, 1, &taken, &frame),
                        ANGEL_EYE_READY);
        CU_ASSERT(is_frame(&frame, &golden[i].frame));
        CU_ASSERT_EQUAL(decoder.used, 0);
    }
}

/* Feeds everything; the reason of the first rejection, or -1. */
static int reason_of(const char *hex)
{
    struct angel_eye_decoder decoder = {0};
    struct angel_eye_frame frame;
    uint8_t bytes[64];
    size_t size = shoe_bench_hex(hex, bytes, sizeof bytes), taken;
    enum angel_eye_result result = angel_eye_decode(&decoder, bytes, size, &taken, &frame);

    if (result != ANGEL_EYE_REJECTED)
        return -1;
    CU_ASSERT_EQUAL(decoder.rejected[decoder.reason], 1);
    CU_ASSERT_EQUAL(decoder.rejected_start, bytes[0]);
    return (int)decoder.reason;
}

TEST(what_is_no_frame_is_rejected_with_its_reason)
{
    /* The last character of the check; its first; a lower-case digit. */
    CU_ASSERT_EQUAL(reason_of("05 30 53 03 36 31"), ANGEL_EYE_BAD_BCC);
    CU_ASSERT_EQUAL(reason_of("05 30 53 03 37"), ANGEL_EYE_BAD_BCC);
    CU_ASSERT_EQUAL(reason_of("05 31 4c 81 03 66"), ANGEL_EYE_BAD_BCC);
    /* STX does not count in the check of a report. */
    CU_ASSERT_EQUAL(reason_of("05 30 53 03 36 32"), ANGEL_EYE_BAD_BCC);
    CU_ASSERT_EQUAL(reason_of("02 4f 50 4c 4b 30 32 03 31 43"), ANGEL_EYE_BAD_BCC);
    /* Data without bit 7. */
    CU_ASSERT_EQUAL(reason_of("05 33 44 01"), ANGEL_EYE_NO_ETX);
    CU_ASSERT_EQUAL(reason_of("05 33 44 81 38"), ANGEL_EYE_NO_ETX);
    CU_ASSERT_EQUAL(reason_of("02 4f 50 cc"), ANGEL_EYE_NO_ETX);
    CU_ASSERT_EQUAL(reason_of("05 33 03"), ANGEL_EYE_NO_DATA);
    CU_ASSERT_EQUAL(reason_of("05 33 c4"), ANGEL_EYE_NO_DATA);
    CU_ASSERT_EQUAL(reason_of("02 03"), ANGEL_EYE_NO_DATA);
    CU_ASSERT_EQUAL(reason_of("15 04"), ANGEL_EYE_BAD_CODE);
    CU_ASSERT_EQUAL(reason_of("15 10"), ANGEL_EYE_BAD_CODE);
}

TEST(data_of_sixteen_bytes_is_the_most)
{
    struct angel_eye_frame frame = {.start = ENQ, .sequence = 'x', .size = ANGEL_EYE_DATA_MAX};
    struct angel_eye_frame decoded;
    struct angel_eye_decoder decoder = {0};
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];
    size_t size, taken;

    memset(frame.data, '!', sizeof frame.data);
    size = angel_eye_encode(&frame, bytes);
    CU_ASSERT_EQUAL(size, ANGEL_EYE_FRAME_MAX);
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size, &taken, &decoded), ANGEL_EYE_READY);
    CU_ASSERT(is_frame(&frame, &decoded));
    bytes[18] = '!' | 0x80;
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, 19, &taken, &decoded), ANGEL_EYE_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, ANGEL_EYE_TOO_LONG);
}

TEST(the_nak_codes_are_those_of_the_protocol)
{
    static const char *const texts[256] = {
        [0x01] = "a framing or parity error",
        [0x02] = "the block check is wrong",
        [0x03] = "there is no ETX",
        [0x11] = "the format is wrong",
        [0x12] = "there is no such address",
        [0x13] = "there is no such command",
        [0x14] = "there is no such type",
        [0x21] = "the shoe is busy",
        [0x22] = "the shoe is writing to its memory",
        [0xff] = "another reason, which it does not give",
    };

    for (unsigned code = 0; code < 256; code++) {
        const char *text = angel_eye_nak_text(code);

        CU_ASSERT_EQUAL(text != NULL, texts[code] != NULL);
        if (text && texts[code])
            CU_ASSERT_STRING_EQUAL(text, texts[code]);
    }
}

TEST(data_of_a_reply_is_any_character_from_the_blank_to_the_tilde)
{
    struct angel_eye_frame frame = {.start = STX, .size = 3, .data = " ~ "}, decoded;
    struct angel_eye_decoder decoder = {0};
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];
    size_t size = angel_eye_encode(&frame, bytes), taken;

    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size, &taken, &decoded), ANGEL_EYE_READY);
    CU_ASSERT(is_frame(&frame, &decoded));
    CU_ASSERT_EQUAL(reason_of("02 1f"), ANGEL_EYE_NO_DATA);
    CU_ASSERT_EQUAL(reason_of("02 7f"), ANGEL_EYE_NO_DATA);
}

/* One bit makes the code of NAK 02 an ACK. */
TEST(a_refusal_with_a_damaged_code_is_no_acknowledgement)
{
    struct angel_eye_decoder decoder = {0};
    struct angel_eye_frame frame;
    uint8_t bytes[16];
    size_t size = shoe_bench_hex("15 06 05 30 53 03 36 30", bytes, sizeof bytes), taken;

    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size, &taken, &frame), ANGEL_EYE_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, ANGEL_EYE_BAD_CODE);
    CU_ASSERT_EQUAL(taken, 2);
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes + 2, size - 2, &taken, &frame),
                    ANGEL_EYE_READY);
    CU_ASSERT_EQUAL(frame.start, ENQ);
    /* Another frame behind a cut refusal is found. */
    size = shoe_bench_hex("15 05 30 53 03 36 30", bytes, sizeof bytes);
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size, &taken, &frame), ANGEL_EYE_REJECTED);
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes + 2, size - 2, &taken, &frame),
                    ANGEL_EYE_READY);
    CU_ASSERT_EQUAL(frame.start, ENQ);
}

/* Reports that follow each other, and where each ends. */
static size_t stream(uint8_t bytes[256], size_t ends[GOLDEN])
{
    size_t size = 0, count = 0;

    for (size_t i = 3; i < 14; i++) {
        size += shoe_bench_hex(golden[i].hex, bytes + size, 256 - size);
        ends[count++] = size;
    }
    return count;
}

/* Good frames in the bytes, which come in pieces of at most `piece`. */
static unsigned count_frames(const uint8_t *bytes, size_t size, size_t piece)
{
    struct angel_eye_decoder decoder = {0};
    struct angel_eye_frame frame;
    size_t taken;

    for (size_t at = 0; at < size;) {
        size_t end = at + piece < size ? at + piece : size;

        while (angel_eye_decode(&decoder, bytes + at, end - at, &taken, &frame) !=
               ANGEL_EYE_NEED_MORE)
            at += taken;
        at = end;
    }
    return (unsigned)decoder.frames;
}

TEST(a_stream_may_come_in_pieces_of_any_size)
{
    uint8_t bytes[256];
    size_t ends[GOLDEN], count = stream(bytes, ends);

    for (size_t piece = 1; piece <= ends[count - 1]; piece++)
        CU_ASSERT_EQUAL(count_frames(bytes, ends[count - 1], piece), count);
}

/* Any run of bytes is cut out of the stream: every frame that was left whole is found. */
TEST(after_each_possible_cut_the_next_whole_report_is_found)
{
    uint8_t bytes[256], cut[256];
    size_t ends[GOLDEN], count = stream(bytes, ends), size = ends[count - 1];

    for (size_t from = 0; from < size; from++) {
        for (size_t to = from + 1; to <= size; to++) {
            unsigned whole = 0;

            for (size_t i = 0; i < count; i++)
                whole += ends[i] <= from || (i ? ends[i - 1] : 0) >= to;
            memcpy(cut, bytes, from);
            memcpy(cut + from, bytes + to, size - to);
            CU_ASSERT(count_frames(cut, from + size - to, size) >= whole);
        }
    }
}

TEST(garbage_between_frames_is_counted_and_does_no_harm)
{
    uint64_t seed = 17;

    for (unsigned run = 0; run < 200; run++) {
        struct angel_eye_decoder decoder = {0};
        struct angel_eye_frame frame;
        uint8_t bytes[512], garbage = (uint8_t)seeded_below(&seed, 30);
        size_t size = 0, taken;

        /* No character that begins a frame. */
        while (size < garbage)
            bytes[size++] = (uint8_t)(0x20 + seeded_below(&seed, 0xe0));
        size += shoe_bench_hex(golden[6].hex, bytes + size, 64);
        CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size, &taken, &frame), ANGEL_EYE_READY);
        CU_ASSERT(is_frame(&frame, &golden[6].frame));
        CU_ASSERT_EQUAL(decoder.garbage, garbage);
    }
}

TEST(any_bytes_at_all_keep_the_decoder_within_its_bounds)
{
    static const uint8_t likely[] = {0x02, 0x03, 0x05, 0x06, 0x15, 'D', '3', 0x81, 0xb8, '4'};
    struct angel_eye_decoder decoder = {0};
    uint64_t seed = 5, total = 0;

    for (unsigned run = 0; run < 20000; run++) {
        struct angel_eye_frame frame;
        uint8_t byte = seeded_below(&seed, 4) ? likely[seeded_below(&seed, sizeof likely)]
                                              : (uint8_t)seeded_below(&seed, 256);
        size_t taken, count = 1;

        while (angel_eye_decode(&decoder, &byte, count, &taken, &frame) != ANGEL_EYE_NEED_MORE)
            count -= taken;
        CU_ASSERT_FATAL(decoder.used < ANGEL_EYE_FRAME_MAX);
    }
    for (unsigned i = 0; i < ANGEL_EYE_REJECTS; i++)
        total += decoder.rejected[i];
    CU_ASSERT(total > 1000);
    CU_ASSERT(decoder.frames > 1000);
}

TEST(a_frame_that_stalls_is_given_up_and_what_is_in_it_looked_at_again)
{
    struct angel_eye_decoder decoder = {0};
    struct angel_eye_frame frame;
    uint8_t bytes[16];
    size_t taken;

    /* ENQ, cut; then the ACK of an operation, which could have been its number. */
    CU_ASSERT_EQUAL(
        angel_eye_decode(&decoder, bytes, shoe_bench_hex("05 06", bytes, 16), &taken, &frame),
        ANGEL_EYE_NEED_MORE);
    angel_eye_expire(&decoder);
    CU_ASSERT_EQUAL(decoder.rejected[ANGEL_EYE_CUT], 1);
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, 0, &taken, &frame), ANGEL_EYE_READY);
    CU_ASSERT_EQUAL(frame.start, ANGEL_EYE_ACK);
    angel_eye_expire(&decoder);
    CU_ASSERT_EQUAL(decoder.rejected[ANGEL_EYE_CUT], 1);
}

/* What follows an acknowledgement inside a bad frame begins nothing, and is no start of a frame. */
TEST(a_good_frame_behind_a_bad_one_with_an_acknowledgement_in_it_is_found)
{
    struct angel_eye_decoder decoder = {0};
    struct angel_eye_frame frame;
    uint8_t bytes[16];
    size_t size = shoe_bench_hex("05 06 38 02 31 66 03 35 36", bytes, sizeof bytes), at = 0, taken;

    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes, size, &taken, &frame), ANGEL_EYE_REJECTED);
    at += taken;
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes + at, size - at, &taken, &frame),
                    ANGEL_EYE_READY);
    CU_ASSERT_EQUAL(frame.start, ANGEL_EYE_ACK);
    at += taken;
    CU_ASSERT_EQUAL(angel_eye_decode(&decoder, bytes + at, size - at, &taken, &frame),
                    ANGEL_EYE_READY);
    CU_ASSERT_EQUAL(frame.start, STX);
    CU_ASSERT(frame.size == 2 && !memcmp(frame.data, "1f", 2));
    CU_ASSERT_EQUAL(at + taken, size);
}
