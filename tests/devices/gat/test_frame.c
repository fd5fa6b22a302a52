/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of GAT, byte for byte as devices/GAT.md works them out. */
#include <string.h>

#include "devices/gat/frame.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static const struct {
    const char *hex;
    struct gat_frame frame;
} golden[] = {
    {"01 04 e3 01", {.command = GAT_SQ}},
    {"02 04 13 01", {.command = GAT_LASQ}},
    {"03 07 02 00 01 74 01", {.command = GAT_LARQ, .size = 3, .data = {2, 0, 1}}},
    {"03 07 02 00 02 75 41", {.command = GAT_LARQ, .size = 3, .data = {2, 0, 2}}},
    {"04 1b ba 00 47 65 74 20 53 70 65 63 69 61 6c 20 46 75 6e 63 74 69 6f 6e 73 2b 54",
     {.command = GAT_IACQ, .size = 23, .data = "\xba\0Get Special Functions"}},
    {"81 08 03 50 06 02 ff 7d", {.command = 0x81, .size = 4, .data = {3, 0x50, 6, 2}}},
    {"81 08 03 50 09 02 0f 78", {.command = 0x81, .size = 4, .data = {3, 0x50, 9, 2}}},
    {"81 08 03 50 0d 03 0f bb", {.command = 0x81, .size = 4, .data = {3, 0x50, 0xd, 3}}},
};

#define GOLDEN (sizeof golden / sizeof golden[0])

static bool is_frame(const struct gat_frame *a, const struct gat_frame *b)
{
    return a->command == b->command && a->size == b->size && !memcmp(a->data, b->data, a->size);
}

TEST(the_check_is_the_one_of_the_catalogue)
{
    CU_ASSERT_EQUAL(gat_crc((const uint8_t *)"123456789", 9), 0x4b37);
    CU_ASSERT_EQUAL(gat_crc(NULL, 0), 0xffff);
}

TEST(every_frame_is_encoded_and_decoded_as_the_page_has_it)
{
    for (size_t i = 0; i < GOLDEN; i++) {
        uint8_t bytes[GAT_FRAME_MAX], expected[GAT_FRAME_MAX];
        size_t size = shoe_bench_hex(golden[i].hex, expected, sizeof expected), taken;
        struct gat_decoder decoder = {.used = 0};
        struct gat_frame frame;

        CU_ASSERT_EQUAL_FATAL(gat_encode(&golden[i].frame, GAT_HIGH_FIRST, bytes), size);
        CU_ASSERT(!memcmp(bytes, expected, size));
        CU_ASSERT_EQUAL(gat_decode(&decoder, expected, size, &taken, &frame), GAT_READY);
        CU_ASSERT_EQUAL(taken, size);
        CU_ASSERT(is_frame(&frame, &golden[i].frame));
    }
}

TEST(a_frame_that_comes_byte_by_byte_is_the_same)
{
    for (size_t i = 0; i < GOLDEN; i++) {
        uint8_t bytes[GAT_FRAME_MAX];
        size_t size = gat_encode(&golden[i].frame, GAT_HIGH_FIRST, bytes), taken;
        struct gat_decoder decoder = {.used = 0};
        struct gat_frame frame;

        for (size_t at = 0; at < size; at++) {
            CU_ASSERT_EQUAL(gat_decode(&decoder, bytes + at, 1, &taken, &frame),
                            at + 1 < size ? GAT_NEED_MORE : GAT_READY);
            CU_ASSERT_EQUAL(taken, 1);
        }
        CU_ASSERT(is_frame(&frame, &golden[i].frame));
        CU_ASSERT_EQUAL(decoder.frames, 1);
    }
}

TEST(a_frame_may_follow_another_without_a_silence)
{
    const uint8_t questions[] = {0x01, 0x04, 0xe3, 0x01, 0x02, 0x04, 0x13, 0x01};
    struct gat_decoder decoder = {.used = 0};
    struct gat_frame frame;
    size_t taken;

    CU_ASSERT_EQUAL(gat_decode(&decoder, questions, 8, &taken, &frame), GAT_READY);
    CU_ASSERT_EQUAL_FATAL(taken, 4);
    CU_ASSERT_EQUAL(frame.command, GAT_SQ);
    CU_ASSERT_EQUAL(gat_decode(&decoder, questions + 4, 4, &taken, &frame), GAT_READY);
    CU_ASSERT_EQUAL(taken, 4);
    CU_ASSERT_EQUAL(frame.command, GAT_LASQ);
    CU_ASSERT_EQUAL(decoder.frames, 2);
}

TEST(frames_of_every_length_come_back_in_either_order_of_the_check)
{
    uint64_t seed = 7;

    for (unsigned size = 0; size <= GAT_DATA_MAX; size++)
        for (unsigned order = GAT_HIGH_FIRST; order <= GAT_LOW_FIRST; order++) {
            struct gat_decoder decoder = {.order = (enum gat_order)order};
            struct gat_frame sent = {.command = (uint8_t)seeded_next(&seed), .size = (uint8_t)size},
                             got;
            uint8_t bytes[GAT_FRAME_MAX];
            size_t length, taken;

            for (unsigned i = 0; i < size; i++)
                sent.data[i] = (uint8_t)seeded_next(&seed);
            length = gat_encode(&sent, (enum gat_order)order, bytes);
            CU_ASSERT_EQUAL(length, size + 4);
            CU_ASSERT_EQUAL(gat_decode(&decoder, bytes, length, &taken, &got), GAT_READY);
            CU_ASSERT(is_frame(&sent, &got));
        }
}

TEST(every_single_bit_that_is_turned_is_found)
{
    for (size_t i = 0; i < GOLDEN; i++) {
        uint8_t bytes[GAT_FRAME_MAX];
        size_t size = gat_encode(&golden[i].frame, GAT_HIGH_FIRST, bytes);

        for (size_t bit = 0; bit < 8 * size; bit++) {
            struct gat_decoder decoder = {.used = 0};
            struct gat_frame frame;
            size_t taken;

            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            CU_ASSERT_NOT_EQUAL(gat_decode(&decoder, bytes, size, &taken, &frame), GAT_READY);
            CU_ASSERT_EQUAL(decoder.frames, 0);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

TEST(the_low_byte_first_is_told_from_any_other_wrong_check)
{
    uint8_t swapped[] = {0x01, 0x04, 0x01, 0xe3}, wrong[] = {0x01, 0x04, 0xe3, 0x02};
    struct gat_decoder decoder = {.used = 0};
    struct gat_frame frame;
    size_t taken;

    CU_ASSERT_EQUAL(gat_decode(&decoder, swapped, 4, &taken, &frame), GAT_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, GAT_SWAPPED_CRC);
    gat_silence(&decoder);
    CU_ASSERT_EQUAL(gat_decode(&decoder, wrong, 4, &taken, &frame), GAT_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, GAT_BAD_CRC);
}

TEST(no_frame_is_looked_for_behind_a_bad_one_before_a_silence)
{
    uint8_t bytes[] = {0x01, 0x03, 0x01, 0x04, 0xe3, 0x01};
    struct gat_decoder decoder = {.used = 0};
    struct gat_frame frame;
    size_t taken;

    CU_ASSERT_EQUAL(gat_decode(&decoder, bytes, sizeof bytes, &taken, &frame), GAT_REJECTED);
    CU_ASSERT_EQUAL(decoder.reason, GAT_BAD_LENGTH);
    CU_ASSERT_EQUAL(taken, 2);
    CU_ASSERT_EQUAL(decoder.rejected_size, 2);
    CU_ASSERT_EQUAL(gat_decode(&decoder, bytes + 2, 4, &taken, &frame), GAT_NEED_MORE);
    CU_ASSERT_EQUAL(taken, 4);
    CU_ASSERT_EQUAL(decoder.dropped, 4);
    CU_ASSERT_FALSE(gat_silence(&decoder));
    CU_ASSERT_EQUAL(gat_decode(&decoder, bytes + 2, 4, &taken, &frame), GAT_READY);
}

TEST(a_frame_that_breaks_off_is_given_up_at_a_silence)
{
    const uint8_t question[] = {0x01, 0x04, 0xe3, 0x01};
    struct gat_decoder decoder = {.used = 0};
    struct gat_frame frame;
    size_t taken;

    for (size_t kept = 1; kept < sizeof question; kept++) {
        CU_ASSERT_EQUAL(gat_decode(&decoder, question, kept, &taken, &frame), GAT_NEED_MORE);
        CU_ASSERT_TRUE(gat_silence(&decoder));
        CU_ASSERT_EQUAL(decoder.reason, GAT_CUT);
        CU_ASSERT_EQUAL(decoder.rejected[GAT_CUT], kept);
        CU_ASSERT_EQUAL(decoder.rejected_size, kept);
        CU_ASSERT_EQUAL(decoder.dropped, 0);
    }
    CU_ASSERT_EQUAL(gat_decode(&decoder, question, 4, &taken, &frame), GAT_READY);
}

TEST(a_version_is_decimal_digits)
{
    static const struct {
        unsigned version;
        bool is_one;
    } cases[] = {
        {0x0000, true},  {0x0350, true},  {0x9999, true},  {0x035a, false},
        {0x03b0, false}, {0x0c50, false}, {0xf350, false}, {0xffff, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_EQUAL(gat_is_version(cases[i].version), cases[i].is_one);
}

TEST(commands_have_the_names_of_the_page)
{
    static const char *const names[] = {"SQ", "LASQ", "LARQ", "IACQ", "SR", "LASR", "LARR", "IACR"};

    for (unsigned i = 0; i < 4; i++) {
        CU_ASSERT_STRING_EQUAL(gat_command_name((uint8_t)(i + 1)), names[i]);
        CU_ASSERT_STRING_EQUAL(gat_command_name((uint8_t)(0x81 + i)), names[4 + i]);
    }
    CU_ASSERT_PTR_NULL(gat_command_name(0));
    CU_ASSERT_PTR_NULL(gat_command_name(5));
    CU_ASSERT_PTR_NULL(gat_command_name(0x85));
}
