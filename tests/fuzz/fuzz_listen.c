/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are listened to. An input that begins with 0xff is a capture file behind that byte;
 * any other is a list of packets: channel, direction and protocol, then bytes, or a frame of the
 * protocol with a good check. What is told of them can be printed, makes deals, and those make
 * rounds or sentences.
 *
 * Covers: devices/listen/listener.c devices/listen/decoder.c devices/listen/message.c
 * Covers: devices/listen/text.c devices/wire/listen.c devices/wire/layout.c
 * Covers: devices/shoe/angel_eye/listen.c devices/shoe/open/listen.c devices/shuffler/open/listen.c
 * Covers: devices/terminal/open/listen.c devices/sensors/unit/listen.c hal/link/heard.c
 * Covers: rigs/listen/deals.c devices/gat/listen.c
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gat/frame.h"
#include "devices/listen/listener.h"
#include "devices/shoe/angel_eye/frame.h"
#include "devices/wire/frame.h"
#include "hal/base/json.h"
#include "hal/link/heard.h"
#include "rigs/listen/deals.h"
#include "rigs/listen/rounds.h"
#include "tests/fuzz/fuzz.h"

struct ear {
    struct deals deals;
    struct recording_header header;
    struct json_reader *json;
};

static void print(struct ear *ear, const struct message *message)
{
    char text[256], line[MESSAGE_FIELDS_SIZE + 8];
    int length = snprintf(line, sizeof line, "{%.*s}",
                          (int)(message->fields.at - message->fields.start), message->fields.start);
    struct error error;

    FUZZ_MUST(message_text(message, text, sizeof text) < sizeof text);
    FUZZ_MUST(*message_kind_name(message->kind) && *message->title);
    FUZZ_MUST(message->fields.full || json_read(ear->json, line, (size_t)length, &error));
}

static void tell(void *context, const struct listened *listened)
{
    struct ear *ear = context;
    struct error error;

    if (listened->kind != LISTENED_MESSAGE) {
        deals_miss(&ear->deals, listened->number % 2, "something was missed");
        deals_renew(&ear->deals);
        return;
    }
    protocol_find(listened->message->title, &error);
    print(ear, listened->message);
    FUZZ_MUST(listened->answers < listened->number);
    if (!listened->is_again)
        FUZZ_MUST(!deals_hear(&ear->deals, listened->heard, &error));
}

static int deal_ended(void *context, const struct deal *deal, struct error *error)
{
    struct ear *ear = context;
    struct listen_table table = {.header = &ear->header, .seats = 1u << 1 | 1u << 3};
    struct round round;
    struct error why = {.text = ""};

    (void)error;
    table.stakes[0] = 500;
    if (listen_round(&table, deal, &round, &why))
        FUZZ_MUST(why.text[0]);
    if (deal->has_after)
        listen_differing_meter(&deal->after, &ear->header.meters);
    return 0;
}

/* The bytes of a packet: a good frame of what the input gives, or just that. */
static size_t frame_of(unsigned protocol, const uint8_t *from, size_t count, uint8_t *bytes)
{
    struct angel_eye_frame angel_eye = {.start = ANGEL_EYE_ENQ};
    struct gat_frame gat = {.size = 0};
    struct frame frame;

    if (protocol == ANGEL_EYE_PROTOCOL && count > 2) {
        angel_eye.start = from[0] & 1 ? ANGEL_EYE_STX : ANGEL_EYE_ENQ;
        angel_eye.sequence = from[1];
        angel_eye.size = (uint8_t)(count - 2 < ANGEL_EYE_DATA_MAX ? count - 2 : ANGEL_EYE_DATA_MAX);
        memcpy(angel_eye.data, from + 2, angel_eye.size);
        return angel_eye_encode(&angel_eye, bytes);
    }
    if (protocol == FRAME_PROTOCOL && count > 2) {
        frame_begin(&frame, from[0] % 6, from[1], from[2]);
        frame.version = from[0] & 0x80 ? FRAME_VERSION_2 : FRAME_VERSION;
        frame.size = (uint8_t)(count - 3);
        memcpy(frame.payload, from + 3, frame.size);
        return frame_encode(&frame, bytes);
    }
    if (protocol == GAT_PROTOCOL && count) {
        gat.command = from[0];
        gat.size = (uint8_t)(count - 1);
        memcpy(gat.data, from + 1, gat.size);
        return gat_encode(&gat, GAT_HIGH_FIRST, bytes);
    }
    memcpy(bytes, from, count);
    return count;
}

static void hear_packets(struct listener *listener, struct fuzz_input *input)
{
    uint8_t bytes[GAT_FRAME_MAX]; /* of the protocols the longest */
    struct error error;
    nanos_t time = 0;

    for (uint64_t number = 1; input->left; number++) {
        uint8_t mark = fuzz_byte(input), count = fuzz_byte(input);
        size_t size;
        const uint8_t *from = fuzz_take(input, count & 0x7f, &size);
        struct heard_packet packet = {.number = number,
                                      .time = time += mark * NANOS_PER_MILLI,
                                      .channel = mark & 1,
                                      .direction = (enum tap_direction)((mark >> 1 & 7) % 5),
                                      .protocol = mark >> 4 & 3,
                                      .bytes = bytes};

        packet.count = frame_of(count & 0x80 ? 0 : packet.protocol, from, size, bytes);
        FUZZ_MUST(!listener_hear(listener, &packet, &error));
    }
}

/* What is no file is refused. */
static void open_others(void)
{
    char longest[4 * PATH_MAX];
    const char *const others[] = {"/", "/proc/none", longest};
    struct capture_reader *reader;
    struct error error = {.text = ""};

    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        FUZZ_MUST(capture_reader_open(&reader, others[i], &error) == ERROR_CONFIG && !reader);
}

static void hear_capture(struct listener *listener, struct fuzz_input *input)
{
    struct fuzz_file file = fuzz_file(input->at, input->left);
    struct capture_reader *reader = NULL;
    struct heard_packet packet;
    struct error error = {.text = ""};
    int status = capture_reader_open(&reader, file.path, &error);

    FUZZ_MUST(!status == (reader != NULL));
    while (!status && (status = capture_reader_next(reader, &packet, &error)) > 0)
        status = listener_hear(listener, &packet, &error);
    FUZZ_MUST(!status || error.text[0]);
    capture_reader_close(reader);
    fuzz_file_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"chase-the-flush\"}";
    struct fuzz_input input = {data, size};
    struct ear *ear = calloc(1, sizeof *ear);
    struct listener_options options = {.tell = tell, .context = ear};
    struct listener *listener = listener_new(&options);
    struct error error;

    FUZZ_MUST(ear && listener && (ear->json = json_reader_new(MESSAGE_FIELDS_SIZE + 8)));
    FUZZ_MUST(!recording_read_header(header, sizeof header - 1, NULL, &ear->header, &error));
    ear->deals.ended = deal_ended;
    ear->deals.context = ear;
    if (size && data[0] == 0xff) {
        fuzz_byte(&input);
        hear_capture(listener, &input);
        open_others();
    } else {
        hear_packets(listener, &input);
    }
    listener_end(listener);
    FUZZ_MUST(!deals_end(&ear->deals, &error));
    FUZZ_MUST(listener_counted(listener)->damaged <= listener_counted(listener)->messages);
    listener_free(listener);
    listener_free(NULL);
    json_reader_free(ear->json);
    free(ear);
    return 0;
}
