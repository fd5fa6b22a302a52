/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/open/mask.h"

#include <string.h>

#include "devices/terminal/open/wire.h"
#include "tests/support/suite.h"

static size_t encode(unsigned class, unsigned type, const char *payload, size_t size,
                     uint8_t *encoded)
{
    struct frame frame;

    frame_begin(&frame, class, type, 9);
    frame.size = (uint8_t)size;
    memcpy(frame.payload, payload, size);
    return frame_encode(&frame, encoded);
}

/* What a frame is masked to, as a payload; how many bytes of it. */
static void expect(unsigned class, unsigned type, const char *payload, size_t size,
                   const char *wanted, size_t count)
{
    uint8_t encoded[FRAME_ENCODED_MAX + 2] = {0}, right[FRAME_ENCODED_MAX + 2] = {0};
    size_t length = encode(class, type, payload, size, encoded + 1);

    CU_ASSERT_EQUAL(encode(class, type, wanted, size, right + 1), length);
    CU_ASSERT_EQUAL(open_terminal_mask(encoded, length + 1), count);
    CU_ASSERT_EQUAL(memcmp(encoded, right, sizeof right), 0);
}

#define EXPECT(class, type, payload, wanted, count)                                                \
    expect(class, type, payload, sizeof payload - 1, wanted, count)

TEST(a_code_becomes_zeros_and_the_frame_is_one_that_a_terminal_would_take)
{
    /* The key "code" is number 10. */
    EXPECT(FRAME_TERMINAL, TERMINAL_KEY,
           "\x0a"
           "4711",
           "\x0a"
           "0000",
           4);
    EXPECT(FRAME_TERMINAL, TERMINAL_CONFIGURE,
           "\5"
           "86420"
           "\0\0\1\xf4",
           "\5"
           "00000"
           "\0\0\1\xf4",
           5);
    EXPECT(FRAME_TERMINAL, TERMINAL_CORRECT,
           "\x08"
           "12345678"
           "\1",
           "\x08"
           "00000000"
           "\1",
           8);
    EXPECT(FRAME_TERMINAL, TERMINAL_CORRECT,
           "\x40"
           "123",
           "\x40"
           "000",
           3);
}

TEST(what_holds_no_code_is_left_as_it_is)
{
    EXPECT(FRAME_TERMINAL, TERMINAL_KEY,
           "\x04"
           "\3",
           "\x04"
           "\3",
           0);
    EXPECT(FRAME_TERMINAL, TERMINAL_METERS, "", "", 0);
    EXPECT(FRAME_SHUFFLER, TERMINAL_KEY,
           "\x0a"
           "4711",
           "\x0a"
           "4711",
           0);
}

TEST(several_frames_in_one_write_are_each_masked)
{
    uint8_t encoded[3 * FRAME_ENCODED_MAX], right[3 * FRAME_ENCODED_MAX];
    size_t length = 0, same = 0;

    length += encode(FRAME_TERMINAL, TERMINAL_METERS, "", 0, encoded);
    length += encode(FRAME_TERMINAL, TERMINAL_KEY,
                     "\x0a"
                     "1234",
                     5, encoded + length);
    length += encode(FRAME_TERMINAL, TERMINAL_KEY,
                     "\x0a"
                     "98765",
                     6, encoded + length);
    same += encode(FRAME_TERMINAL, TERMINAL_METERS, "", 0, right);
    same += encode(FRAME_TERMINAL, TERMINAL_KEY,
                   "\x0a"
                   "0000",
                   5, right + same);
    same += encode(FRAME_TERMINAL, TERMINAL_KEY,
                   "\x0a"
                   "00000",
                   6, right + same);
    CU_ASSERT_EQUAL(open_terminal_mask(encoded, length), 9);
    CU_ASSERT_EQUAL(length, same);
    CU_ASSERT_EQUAL(memcmp(encoded, right, same), 0);
}
