/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a capture with every message of all protocols, each with payloads of many sizes and of
 * any bytes, from a seed: frames that are whole and say anything. tests/check-dissector has decode
 * and tshark read it.
 *
 *   every FILE
 */
#include <stdio.h>
#include <string.h>

#include "devices/gat/frame.h"
#include "devices/shoe/angel_eye/frame.h"
#include "devices/wire/frame.h"
#include "devices/wire/layout.h"
#include "hal/base/random.h"
#include "hal/link/tap.h"

struct writer {
    struct capture *capture;
    nanos_t time;
    uint64_t seed;
    uint8_t version; /* of the frames that come next; 0 is the first */
    struct error error;
    int status;
};

static void write_bytes(struct writer *writer, const struct capture_mark *mark,
                        const uint8_t *bytes, size_t count)
{
    writer->time += 1 + (nanos_t)(random_next(&writer->seed) % NANOS_PER_MILLI);
    if (!writer->status)
        writer->status =
            capture_write(writer->capture, mark, writer->time, bytes, count, &writer->error);
}

/* Small numbers count things and name things; now and then it is any byte. */
static uint8_t any_byte(uint64_t *seed)
{
    uint64_t random = random_next(seed);

    return (uint8_t)(random & 3 ? (random >> 8) % 12 : random >> 8);
}

static void write_frame(struct writer *writer, unsigned class, unsigned type, size_t size,
                        bool from_device)
{
    const struct capture_mark mark = {.channel = 0,
                                      .direction = from_device ? TAP_FROM_DEVICE : TAP_TO_DEVICE,
                                      .protocol = FRAME_PROTOCOL};
    uint8_t bytes[FRAME_ENCODED_MAX];
    struct frame frame;

    frame_begin(&frame, class, type, (unsigned)random_next(&writer->seed) & 0xff);
    frame.version = writer->version;
    frame.size = (uint8_t)size;
    for (size_t i = 0; i < size; i++)
        frame.payload[i] = any_byte(&writer->seed);
    write_bytes(writer, &mark, bytes, frame_encode(&frame, bytes));
}

static void write_message(struct writer *writer, unsigned class, unsigned type)
{
    bool is_event = type >= WIRE_FIRST_EVENT && type < WIRE_REFUSED;

    for (size_t size = 0; size <= 60; size++) {
        write_frame(writer, class, type, size, is_event || type == WIRE_REFUSED);
        write_frame(writer, class, type | WIRE_ANSWER, size / 4, !is_event);
        if (!is_event)
            write_frame(writer, class, type | WIRE_ANSWER, size, true);
    }
    write_frame(writer, class, type, FRAME_PAYLOAD_MAX, is_event);
    write_frame(writer, class, type, 3, !is_event);
}

static void write_report(struct writer *writer, uint8_t letter, unsigned size)
{
    const struct capture_mark mark = {
        .channel = 1, .direction = TAP_FROM_DEVICE, .protocol = ANGEL_EYE_PROTOCOL};
    const struct capture_mark answer = {
        .channel = 1, .direction = TAP_TO_DEVICE, .protocol = ANGEL_EYE_PROTOCOL};
    struct angel_eye_frame frame = {.start = ANGEL_EYE_ENQ, .size = (uint8_t)size};
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];

    frame.sequence = (uint8_t)('0' + random_next(&writer->seed) % 10);
    frame.data[0] = letter;
    for (unsigned i = 1; i < size; i++)
        frame.data[i] = random_next(&writer->seed) & 0x7f;
    write_bytes(writer, &mark, bytes, angel_eye_encode(&frame, bytes));
    frame = (struct angel_eye_frame){.start = random_next(&writer->seed) % 4 ? ANGEL_EYE_ACK
                                                                             : ANGEL_EYE_NAK,
                                     .nak = ANGEL_EYE_NAK_FORMAT};
    write_bytes(writer, &answer, bytes, angel_eye_encode(&frame, bytes));
}

static void write_operation(struct writer *writer, const char *text, bool from_shoe)
{
    const struct capture_mark mark = {.channel = 1,
                                      .direction = from_shoe ? TAP_FROM_DEVICE : TAP_TO_DEVICE,
                                      .protocol = ANGEL_EYE_PROTOCOL};
    struct angel_eye_frame frame = {.start = ANGEL_EYE_STX,
                                    .includes_stx = random_next(&writer->seed) & 1,
                                    .size = (uint8_t)strlen(text)};
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];

    memcpy(frame.data, text, frame.size);
    write_bytes(writer, &mark, bytes, angel_eye_encode(&frame, bytes));
}

static void write_angel_eye(struct writer *writer)
{
    static const char *const operations[] = {"OPLK01", "OPLK02", "OPEC07", "OPGP00",
                                             "OPXX00", "OPGP",   "HELLO",  "OPLK021"};

    for (const char *letter = "SPCDRdGEeLMXz ~"; *letter; letter++)
        for (unsigned turn = 0; turn < 40; turn++)
            write_report(writer, (uint8_t)*letter, 1 + turn % 8);
    for (unsigned turn = 0; turn < 64; turn++)
        write_report(writer, (uint8_t) "DRdGEeLM"[turn % 8],
                     turn % 8 < 3   ? 3
                     : turn % 8 < 7 ? 2
                                    : 7);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        for (int side = 0; side < 2; side++)
            write_operation(writer, operations[i], side);
}

static void write_gat_frame(struct writer *writer, uint8_t command, size_t size, bool from_device)
{
    const struct capture_mark mark = {.channel = 2,
                                      .direction = from_device ? TAP_FROM_DEVICE : TAP_TO_DEVICE,
                                      .protocol = GAT_PROTOCOL};
    struct gat_frame frame = {.command = command, .size = (uint8_t)size};
    uint8_t bytes[GAT_FRAME_MAX];

    for (size_t i = 0; i < size; i++)
        frame.data[i] = random_next(&writer->seed) & 1 ? any_byte(&writer->seed)
                                                       : (uint8_t)random_next(&writer->seed);
    write_bytes(writer, &mark, bytes, gat_encode(&frame, GAT_HIGH_FIRST, bytes));
}

static void write_gat(struct writer *writer)
{
    for (unsigned command = 0; command <= 6; command++)
        for (size_t size = 0; size <= 40; size++) {
            write_gat_frame(writer, (uint8_t)command, size, false);
            write_gat_frame(writer, (uint8_t)(command | GAT_REPLY), size, true);
            if (size % 8 == 0)
                write_gat_frame(writer, (uint8_t)(command | GAT_REPLY), size, false);
            if (size % 8 == 1)
                write_gat_frame(writer, (uint8_t)command, size, true);
        }
    write_gat_frame(writer, GAT_LARQ | GAT_REPLY, GAT_DATA_MAX, true);
}

int main(int argc, char **argv)
{
    struct writer writer = {.seed = 1};
    const struct layout_class *class;

    if (argc != 2) {
        fprintf(stderr, "usage: every FILE\n");
        return 2;
    }
    writer.status = capture_open(&writer.capture, argv[1], &writer.error);
    for (size_t i = 0; !writer.status && (class = layout_class_at(i)); i++) {
        for (const struct layout_message *message = class->messages; message->type; message++)
            write_message(&writer, class->class, message->type);
        write_message(&writer, class->class, WIRE_REFUSED);
        write_message(&writer, class->class, 0x3e);
        writer.version = FRAME_VERSION_2;
        for (const struct layout_message *message = class->second; message->type; message++)
            write_message(&writer, class->class, message->type);
        write_message(&writer, class->class, WIRE_REFUSED);
        write_message(&writer, class->class, 0x3e);
        write_message(&writer, class->class, WIRE_VENDOR_EVENT);
        write_message(&writer, class->class, 0x37);
        writer.version = FRAME_VERSION;
    }
    write_message(&writer, 9, 0x41);
    if (!writer.status)
        write_angel_eye(&writer);
    if (!writer.status)
        write_gat(&writer);
    if (!writer.status)
        writer.status = capture_close(writer.capture, &writer.error);
    if (writer.status)
        fprintf(stderr, "every: %s\n", writer.error.text);
    return writer.status ? 1 : 0;
}
