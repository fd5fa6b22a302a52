/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chapters Frames, On USB and Cards: what a device makes of good and of damaged frames. */
#include "devices/conform/suite.h"

#define SILENCE 300 /* milliseconds in which an answer would have come */

/* A STATUS under a new number, as it stands on the wire. */
static size_t make_status(struct suite *suite, uint8_t encoded[FRAME_ENCODED_MAX])
{
    struct frame frame;

    suite_number(suite, WIRE_STATUS);
    frame_begin(&frame, suite->kind->class, WIRE_STATUS, suite->sequence);
    return frame_encode(&frame, encoded);
}

void suite_drop(struct suite *suite, const char *id, const void *bytes, size_t count,
                const char *what)
{
    suite_mark(suite);
    suite->asked_times = 1;
    suite->answered_times = 0;
    suite->has_reply = false;
    suite_send_bytes(suite, bytes, count);
    suite_rest(suite, SILENCE);
    suite_hold(suite, id, !suite->has_reply, "%s is answered", what);
    suite->asked_times = suite->answered_times = 0;
    suite_judge(suite);
    suite_hold(suite, id, suite_try(suite, WIRE_STATUS, NULL, 0) == 0,
               "after %s STATUS is not answered", what);
}

/* The same of a STATUS whose decoded bytes are altered and whose CRC is made good or not. */
static void drop_altered(struct suite *suite, const char *id, unsigned at, uint8_t value,
                         bool with_crc, const char *what)
{
    uint8_t decoded[6] = {FRAME_VERSION, (uint8_t)suite->kind->class, WIRE_STATUS};
    uint8_t encoded[8];
    size_t code = 0, used = 1;

    suite_number(suite, WIRE_STATUS);
    decoded[3] = suite->sequence;
    if (with_crc)
        decoded[at] = value;
    wire_put16(decoded + 4, frame_crc(decoded, 4));
    if (!with_crc)
        decoded[at] ^= value;
    for (unsigned i = 0; i < sizeof decoded; i++) {
        if (decoded[i]) {
            encoded[used++] = decoded[i];
            continue;
        }
        encoded[code] = (uint8_t)(used - code);
        code = used++;
    }
    encoded[code] = (uint8_t)(used - code);
    encoded[used++] = 0;
    suite_drop(suite, id, encoded, used, what);
}

#define FOREIGN 9 /* a version that nobody knows */

/* A HELLO, which begins a conversation, in a version that the device does not know. */
static void drop_hello(struct suite *suite, uint8_t version, const char *what)
{
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct frame frame;

    suite_number(suite, WIRE_HELLO);
    frame_begin(&frame, suite->kind->class, WIRE_HELLO, suite->sequence);
    frame.version = version;
    frame.size = WIRE_NONCE_SIZE;
    wire_put32(frame.payload, (uint32_t)suite_now(suite) ^ 0x5eed0009);
    suite_drop(suite, "F14", encoded, frame_encode(&frame, encoded), what);
}

static void try_framing(struct suite *suite)
{
    uint8_t encoded[FRAME_ENCODED_MAX + 2] = {0};
    uint8_t zeros[4] = {0};
    size_t count = make_status(suite, encoded + 2);
    int status;

    suite->asked_times = 1;
    suite_send_bytes(suite, encoded, count + 2);
    suite_rest(suite, SILENCE);
    suite_hold(suite, "F3", suite->has_reply && suite->answered_times == 1,
               "a frame after two zeros is not answered once");
    suite_hold(suite, "F4", suite->has_reply, "a frame after a zero is not answered");
    suite_judge(suite);
    suite_mark(suite);
    status = suite_try(suite, WIRE_LOG, zeros, sizeof zeros);
    suite_hold(suite, "F5", status == 0 || status == REFUSED_UNKNOWN,
               "a payload of zeros is not understood: LOG from 0");
    suite_hold(suite, "F1", suite->has_reply, "no frame came back");
    for (unsigned i = 6; i <= 12; i++) {
        static const char *const ids[] = {"F6", "F7", "F8", "F9", "F10", "F11", "F12"};

        suite_hold(suite, ids[i - 6], suite->has_reply, "no good frame came back");
    }
}

static void try_longest(struct suite *suite)
{
    uint8_t longest[FRAME_PAYLOAD_MAX];

    memset(longest, 0xa5, sizeof longest);
    suite_refused(suite, "F13", REFUSED_LENGTH, WIRE_STATUS, longest, sizeof longest,
                  "the longest frame, STATUS with 240 bytes,");
    suite_judge(suite);
}

static void try_damaged(struct suite *suite)
{
    static const uint8_t past_the_end[] = {9, 1, 1, 3, 7, 1, 0}, too_short[] = {3, 1, 1, 0};
    uint8_t bytes[FRAME_ENCODED_MAX + 60];
    size_t count;

    memset(bytes, 7, sizeof bytes);
    suite_number(suite, WIRE_STATUS);
    suite_drop(suite, "F2", bytes, 5, "the beginning of a frame that another one follows");
    count = make_status(suite, bytes);
    suite_send_bytes(suite, "\7\7\7\7", 4);
    suite_send_bytes(suite, "", 1);
    suite->asked_times = 1;
    suite_send_bytes(suite, bytes, count);
    suite_rest(suite, SILENCE);
    suite_hold(suite, "F2", suite->has_reply, "a frame after rubbish and a zero is not answered");
    memset(bytes, 7, sizeof bytes);
    bytes[sizeof bytes - 1] = 0;
    suite_number(suite, WIRE_STATUS);
    suite_drop(suite, "F14", bytes, sizeof bytes, "a frame of 307 bytes");
    suite_drop(suite, "F14", past_the_end, sizeof past_the_end, "COBS that points past its end");
    suite_drop(suite, "F14", too_short, sizeof too_short, "a frame of two bytes");
    drop_altered(suite, "F14", 5, 0x55, false, "a frame with a wrong CRC");
    drop_altered(suite, "F14", 0, 2, true, "a frame of version 2");
    drop_hello(suite, FOREIGN, "a HELLO of version 9");
    if (suite->versions < FRAME_VERSION_2)
        drop_hello(suite, FRAME_VERSION_2, "a HELLO of version 2, which it does not know,");
    drop_altered(suite, "F15", 1, (uint8_t)(suite->kind->class % 4 + 1), true,
                 "a frame of another class");
}

#define ON_USB "descriptors are no frames: lsusb -v shows them"

static const struct conform_clause frames[] = {
    {"F1", try_framing, NULL},  {"F2", try_damaged, NULL},  {"F3", try_framing, NULL},
    {"F4", try_framing, NULL},  {"F5", try_framing, NULL},  {"F6", try_framing, NULL},
    {"F7", try_framing, NULL},  {"F8", try_framing, NULL},  {"F9", try_framing, NULL},
    {"F10", try_framing, NULL}, {"F11", try_framing, NULL}, {"F12", try_framing, NULL},
    {"F13", try_longest, NULL}, {"F14", try_damaged, NULL}, {"F15", try_damaged, NULL},
};
static const struct conform_chapter frames_chapter = CONFORM_CHAPTER("frames", 0, frames);
REGISTER(conform_chapters, frames_chapter);

static const struct conform_clause usb[] = {
    {"U1", NULL, ON_USB},
    {"U2", NULL, ON_USB},
    {"U3", NULL, "the link gives bytes and not transfers; every frame was read from such a stream"},
};
static const struct conform_chapter usb_chapter = CONFORM_CHAPTER("usb", 0, usb);
REGISTER(conform_chapters, usb_chapter);
