/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/listen/listener.h"
#include "devices/wire/frame.h"
#include "devices/wire/layout.h"
#include "hal/base/random.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FRAME_MAX 512

/* What was told, a line each. */
struct told {
    FILE *out;
    char *text;
    size_t size;
    unsigned messages, damaged;
    size_t bytes; /* of damage */
    struct heard heard;
};

static void told_begin(struct told *told)
{
    memset(told, 0, sizeof *told);
    told->out = open_memstream(&told->text, &told->size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(told->out);
}

static void told_end(struct told *told)
{
    fclose(told->out);
    free(told->text);
}

static const char *told_text(struct told *told)
{
    fflush(told->out);
    return told->text;
}

static void write_message(struct told *told, const struct message *message)
{
    char fields[2 * MESSAGE_FIELDS_SIZE];

    CU_ASSERT(!message->fields.full);
    message_text(message, fields, sizeof fields);
    fprintf(told->out, "%s%s%s", message->device, *message->device ? " " : "", message->title);
    if (message->number != MESSAGE_NO_NUMBER)
        fprintf(told->out, " %d", message->number);
    fprintf(told->out, "%s%s%s%s%s", *fields ? ": " : "", fields, message->wrong[0] ? " [" : "",
            message->wrong, message->wrong[0] ? "]" : "");
    told->messages++;
    told->damaged += message->kind == MESSAGE_DAMAGE;
    told->bytes += message->kind == MESSAGE_DAMAGE ? message->size : 0;
}

static void take_message(void *context, struct decoder *decoder, struct message *message)
{
    struct told *told = context;

    (void)decoder;
    write_message(told, message);
    fputc('\n', told->out);
    told->heard = message->heard;
}

static void decode(const struct protocol *protocol, enum tap_direction direction,
                   const uint8_t *bytes, size_t count, struct told *told)
{
    struct decoder *decoder = decoder_open(protocol, direction, NULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(decoder);
    decoder->tell = take_message;
    decoder->context = told;
    decoder_hear(decoder, bytes, count, 0);
    decoder_end(decoder);
    decoder_close(decoder);
}

/* The bytes between two backticks; 0 when it is something else. */
static size_t read_hex(const char *text, const char *end, uint8_t bytes[FRAME_MAX])
{
    size_t count = 0;

    for (; text + 2 <= end && count < FRAME_MAX; text += 2 + (text[2] == ' ')) {
        if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]) ||
            (text[2] != ' ' && text + 2 != end))
            return 0;
        bytes[count++] = (uint8_t)strtoul((char[]){text[0], text[1], '\0'}, NULL, 16);
    }
    return text == end + 1 || text == end ? count : 0;
}

/* What the open protocol says of its direction: answers and events come from the device. */
static enum tap_direction direction_of(const uint8_t *bytes, size_t count)
{
    struct frame_decoder decoder = {.versions = FRAME_VERSIONS};
    struct frame frame;
    size_t taken;

    if (frame_decode(&decoder, bytes, count, &taken, &frame) != FRAME_READY)
        return TAP_FROM_DEVICE;
    if (frame.type == WIRE_REFUSED)
        return TAP_FROM_DEVICE;
    return ((frame.type & 0x7f) < WIRE_FIRST_EVENT) == !(frame.type & WIRE_ANSWER)
               ? TAP_TO_DEVICE
               : TAP_FROM_DEVICE;
}

typedef void (*with_frame)(const char *line, const uint8_t *bytes, size_t count, void *context);

/* Each whole frame that stands on a page, with the line that it stands in. */
static void each_frame(const char *page, bool is_open, with_frame with, void *context)
{
    size_t length;
    char *text = scratch_read(page, &length), *line, *rest = text;

    while ((line = strsep(&rest, "\n"))) {
        char *from = line, *tick, *end;
        uint8_t bytes[FRAME_MAX];

        while ((tick = strchr(from, '`')) && (end = strchr(tick + 1, '`'))) {
            size_t count = read_hex(tick + 1, end, bytes);

            if (count > 4 && (!is_open || (bytes[count - 1] == 0 && count > 7)))
                with(line, bytes, count, context);
            from = end + 1;
        }
    }
    free(text);
}

/* The line without its frame, then what is told of it. */
static void tell_frame(const char *line, const uint8_t *bytes, size_t count, void *context)
{
    struct told *told = context;
    const char *tick = strrchr(line, '`');

    while (tick > line && *--tick != '`')
        continue;
    while (tick > line && tick[-1] == ' ')
        tick--;
    fprintf(told->out, "%.*s\n    ", (int)(tick - line), line);
    decode(protocol_find("open", NULL), direction_of(bytes, count), bytes, count, told);
}

static void tell_angel_frame(const char *line, const uint8_t *bytes, size_t count, void *context)
{
    struct told *told = context;

    (void)line;
    for (size_t i = 0; i < count; i++)
        fprintf(told->out, "%s%02x", i ? " " : "", bytes[i]);
    fputs("\n    ", told->out);
    decode(protocol_find("angel-eye", NULL), bytes[0] == 5 ? TAP_FROM_DEVICE : TAP_TO_DEVICE, bytes,
           count, told);
}

static void expect_told(struct told *told, const char *path)
{
    size_t length;
    char *expected = scratch_read(path, &length);
    const char *got = told_text(told);

    CU_ASSERT_EQUAL(strcmp(got, expected), 0);
    if (strcmp(got, expected) != 0) {
        char *save_as = getenv("HEARD");

        if (save_as)
            scratch_write(save_as, got, strlen(got));
        puts("what is told of the pages' frames has changed; HEARD=FILE keeps it");
    }
    free(expected);
}

/* tests/devices/listen/open.txt has each line of the page and below it what is told of its frame.
 */
TEST(every_frame_on_the_page_of_the_open_protocol_is_told_as_the_page_says)
{
    struct told told;

    told_begin(&told);
    each_frame("devices/PROTOCOL.md", true, tell_frame, &told);
    CU_ASSERT(told.messages > 150);
    CU_ASSERT_EQUAL(told.damaged, 0);
    expect_told(&told, "tests/devices/listen/open.txt");
    told_end(&told);
}

TEST(every_frame_on_the_page_of_version_2_is_told_as_the_page_says)
{
    struct told told;

    told_begin(&told);
    each_frame("devices/PROTOCOL-2.md", true, tell_frame, &told);
    CU_ASSERT(told.messages >= 40);
    CU_ASSERT_EQUAL(told.damaged, 0);
    expect_told(&told, "tests/devices/listen/open-2.txt");
    told_end(&told);
}

TEST(every_frame_on_the_page_of_the_angel_eye_shoe_is_told_as_the_page_says)
{
    struct told told;

    told_begin(&told);
    each_frame("devices/ANGEL-EYE.md", false, tell_angel_frame, &told);
    CU_ASSERT(told.messages >= 19);
    /* One stands there without its block check. */
    CU_ASSERT_EQUAL(told.damaged, 1);
    expect_told(&told, "tests/devices/listen/angel-eye.txt");
    told_end(&told);
}

/* Every message of the page, in one stream. */
struct stream {
    uint8_t bytes[16384];
    size_t count;
    enum tap_direction direction;
};

static void add_frame(const char *line, const uint8_t *bytes, size_t count, void *context)
{
    struct stream *stream = context;

    (void)line;
    if (direction_of(bytes, count) != stream->direction)
        return;
    CU_ASSERT_FATAL(stream->count + count <= sizeof stream->bytes);
    memcpy(stream->bytes + stream->count, bytes, count);
    stream->count += count;
}

static void decode_in_pieces(const struct protocol *protocol, const struct stream *stream,
                             uint64_t seed, struct told *told)
{
    struct decoder *decoder = decoder_open(protocol, stream->direction, NULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(decoder);
    decoder->tell = take_message;
    decoder->context = told;
    for (size_t at = 0; at < stream->count;) {
        size_t piece = 1 + random_next(&seed) % 40;

        if (piece > stream->count - at)
            piece = stream->count - at;
        decoder_hear(decoder, stream->bytes + at, piece, 0);
        at += piece;
    }
    decoder_end(decoder);
    decoder_close(decoder);
}

TEST(messages_are_the_same_however_their_bytes_are_cut)
{
    for (int direction = TAP_TO_DEVICE; direction <= TAP_FROM_DEVICE; direction++) {
        struct stream stream = {.direction = (enum tap_direction)direction};
        struct told whole;

        each_frame("devices/PROTOCOL.md", true, add_frame, &stream);
        told_begin(&whole);
        decode(protocol_find("open", NULL), stream.direction, stream.bytes, stream.count, &whole);
        CU_ASSERT(whole.messages > 50);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct told cut;

            told_begin(&cut);
            decode_in_pieces(protocol_find("open", NULL), &stream, seed, &cut);
            CU_ASSERT_EQUAL(strcmp(told_text(&cut), told_text(&whole)), 0);
            told_end(&cut);
        }
        told_end(&whole);
    }
}

/* The codes of the page's examples. */
static void expect_no_code(const char *text)
{
    CU_ASSERT_PTR_NULL(strstr(text, "4711"));
    CU_ASSERT_PTR_NULL(strstr(text, "0815"));
    CU_ASSERT_PTR_NULL(strstr(text, "86420"));
    CU_ASSERT_PTR_NULL(strstr(text, "34373131"));
}

static void expect_bytes_hidden(void *context, struct decoder *decoder, struct message *message)
{
    (void)context;
    (void)decoder;
    expect_no_code(message->buffer);
    if (message->kind == MESSAGE_DAMAGE)
        CU_ASSERT_PTR_NULL(message->bytes);
}

TEST(a_code_is_told_neither_whole_nor_in_a_damaged_frame)
{
    struct stream stream = {.direction = TAP_TO_DEVICE};
    uint64_t seed = 3;

    each_frame("devices/PROTOCOL.md", true, add_frame, &stream);
    for (int i = 0; i < 300; i++) {
        struct decoder *decoder = decoder_open(protocol_find("open", NULL), TAP_TO_DEVICE, NULL);

        CU_ASSERT_PTR_NOT_NULL_FATAL(decoder);
        decoder->tell = expect_bytes_hidden;
        if (i)
            stream.bytes[random_next(&seed) % stream.count] = (uint8_t)random_next(&seed);
        decoder_hear(decoder, stream.bytes, stream.count, 0);
        decoder_end(decoder);
        decoder_close(decoder);
    }
}

TEST(damage_is_told_with_its_reason_and_the_next_frame_is_found)
{
    static const uint8_t bytes[] = {
        0x08, 0x01, 0x02, 0x41, 0x08, 0x28, 0x50, 0x6c, 0x00, /* the CRC of CUT CARD */
        0x05, 0x01, 0x00,                                     /* a code that leads nowhere */
        0x03, 0x01, 0x02, 0x00,                               /* nothing of a frame */
        0x08, 0x01, 0x02, 0x41, 0x08, 0x28, 0x50, 0x6b, 0x00, 0x08, 0x01};
    struct told told;

    told_begin(&told);
    decode(protocol_find("open", NULL), TAP_FROM_DEVICE, bytes, sizeof bytes, &told);
    CU_ASSERT_STRING_EQUAL(told_text(&told), "damage [the CRC is wrong]\n"
                                             "damage [not COBS]\n"
                                             "damage [too short for a frame]\n"
                                             "shoe event CUT CARD 8: drawn 40\n"
                                             "damage [the frame does not end]\n");
    told_end(&told);
}

TEST(a_message_that_is_not_as_the_page_says_is_told_with_what_is_wrong)
{
    const struct frame frames[] = {
        {.class = FRAME_SHOE, .type = 0x41, .size = 2, .payload = {40, 1}},
        {.class = FRAME_SHOE, .type = 0x40, .size = 2, .payload = {0, 0x3c}},
        {.class = FRAME_SHOE, .type = 0x40, .size = 3, .payload = {0, 0x3d, 0x80}},
        {.class = FRAME_SHOE, .type = 0x7e, .size = 2, .payload = {1, 2}},
        {.class = 9, .type = 0x41},
        {.class = FRAME_SHOE, .type = 0x10, .size = 1, .payload = {1}},
        {.class = FRAME_SHOE, .type = 0x90, .size = 1, .payload = {1}},
        {.class = FRAME_SHOE, .type = 0xff, .size = 1, .payload = {1}},
        {.class = FRAME_SHOE, .type = 0xff, .size = 2, .payload = {0x10, 77}},
        {.class = FRAME_TERMINAL, .type = 0x42, .size = 3, .payload = {200, 0xff, 0xff}},
        {.class = FRAME_TERMINAL,
         .type = 0x45,
         .size = 10,
         .payload = {3, 3, 255, 255, 255, 255, 255, 255, 255, 255}},
    };
    struct told told;
    uint8_t bytes[FRAME_ENCODED_MAX];

    told_begin(&told);
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
        decode(protocol_find("open", NULL), TAP_FROM_DEVICE, bytes, frame_encode(&frames[i], bytes),
               &told);
    CU_ASSERT_STRING_EQUAL(
        told_text(&told),
        "shoe event CUT CARD 0: drawn 40 [the payload has 1 byte too many]\n"
        "shoe event CARD 0: index 0, card As [the payload ends in 'flags']\n"
        "shoe event CARD 0: index 0, card ??, flags bit 7 [byte 3d is no card]\n"
        "shoe event type 7e 0: payload 0102 [the class has no such message]\n"
        "class 09 event type 41 0 [there is no such class]\n"
        "shoe request LOCK 0: locked yes [request is nothing that the device says]\n"
        "shoe reply to LOCK 0 [the payload has 1 byte too many]\n"
        "shoe nothing refused 0 [a refusal has 2 bytes, not 1]\n"
        "shoe LOCK refused 0: refusal unknown 77\n"
        "terminal event METERS CHANGED 0: count 200, must-hit none, meters () [the payload ends in "
        "'name']\n"
        "terminal event SIGN CHANGED 0: seat 3, meter 3, cents 18446744073709551615\n");
    told_end(&told);
}

/* Of each byte it is known what became of it. */
TEST(what_an_angel_eye_decoder_drops_is_told_to_the_byte)
{
    static const uint8_t frames[] = {0x05, 0x33, 0x44, 0x81, 0xb8, 0x03, 0x34, 0x44, /* a card */
                                     0x05, 0x31, 0x4c, 0x81, 0x03, 0x46, 0x46,       /* locked */
                                     0x06};
    uint64_t seed = 5;

    for (int turn = 0; turn < 2000; turn++) {
        struct stream stream = {.direction = TAP_FROM_DEVICE};
        struct told told;
        size_t whole = 0;
        char *line, *rest, *text;

        memcpy(stream.bytes, frames, sizeof frames);
        stream.count = sizeof frames;
        for (int i = 0; i < turn % 5; i++)
            stream.bytes[random_next(&seed) % sizeof frames] =
                (uint8_t) "\2\3\5\6\25\x44\x81\xff"[random_next(&seed) % 8];
        told_begin(&told);
        decode_in_pieces(protocol_find("angel-eye", NULL), &stream, (uint64_t)turn, &told);
        text = rest = strdup(told_text(&told));
        while ((line = strsep(&rest, "\n")))
            whole += !strncmp(line, "shoe card drawn ", 16) ? 8
                     : !strncmp(line, "shoe lock ", 10)     ? 7
                     : !strncmp(line, "shoe ACK", 8)        ? 1
                     : !strncmp(line, "shoe NAK", 8)        ? 2
                     : !strncmp(line, "shoe unknown", 12)   ? sizeof frames + 1
                                                            : 0;
        if (whole <= sizeof frames)
            CU_ASSERT_EQUAL(whole + told.bytes, sizeof frames);
        free(text);
        told_end(&told);
    }
}

TEST(a_frame_of_the_angel_eye_shoe_that_stands_still_is_given_up)
{
    static const uint8_t begun[] = {0x05, 0x33, 0x44},
                         whole[] = {0x05, 0x30, 0x43, 0x03, 0x37, 0x30};
    struct decoder *decoder = decoder_open(protocol_find("angel-eye", NULL), TAP_FROM_DEVICE, NULL);
    struct told told;

    told_begin(&told);
    decoder->tell = take_message;
    decoder->context = &told;
    decoder_hear(decoder, begun, sizeof begun, 0);
    decoder_hear(decoder, whole, sizeof whole, NANOS_PER_SECOND);
    decoder_close(decoder);
    CU_ASSERT_STRING_EQUAL(told_text(&told),
                           "shoe damage [the frame does not end]\nshoe cut card came out 48\n");
    told_end(&told);
}

/* A listener on a made-up line. */
struct line {
    struct listener *listener;
    struct told told;
    nanos_t now;
};

static void take_listened(void *context, const struct listened *listened)
{
    struct told *told = context;

    if (listened->kind != LISTENED_MESSAGE) {
        fprintf(told->out, "%s\n", listened->text ? listened->text : "lines");
        return;
    }
    fprintf(told->out, "%ju: ", (uintmax_t)listened->number);
    write_message(told, listened->message);
    if (listened->answers)
        fprintf(told->out, " answers %ju after %jd us", (uintmax_t)listened->answers,
                (intmax_t)(listened->after / NANOS_PER_MICRO));
    if (listened->is_again)
        fputs(" again", told->out);
    if (listened->heard->kind != HEARD_NOTHING)
        fprintf(told->out, " heard %d", (int)listened->heard->kind);
    fputc('\n', told->out);
}

static void line_open(struct line *line)
{
    struct listener_options options = {.tell = take_listened, .context = &line->told};

    told_begin(&line->told);
    line->now = 0;
    line->listener = listener_new(&options);
    CU_ASSERT_PTR_NOT_NULL_FATAL(line->listener);
}

static void line_close(struct line *line)
{
    listener_free(line->listener);
    told_end(&line->told);
}

static void line_bytes(struct line *line, enum tap_direction direction, const void *bytes,
                       size_t count)
{
    const struct heard_packet packet = {.time = line->now,
                                        .direction = direction,
                                        .protocol = FRAME_PROTOCOL,
                                        .bytes = bytes,
                                        .count = count};

    CU_ASSERT_EQUAL(listener_hear(line->listener, &packet, NULL), 0);
    line->now += 250 * NANOS_PER_MICRO;
}

static void line_frame(struct line *line, uint8_t type, uint8_t sequence, uint8_t size,
                       const char *payload)
{
    struct frame frame = {
        .class = FRAME_TERMINAL, .type = type, .sequence = sequence, .size = size};
    uint8_t bytes[FRAME_ENCODED_MAX];
    size_t count;

    memcpy(frame.payload, payload, size);
    count = frame_encode(&frame, bytes);
    line_bytes(line, direction_of(bytes, count), bytes, count);
}

TEST(an_answer_is_told_with_its_question_and_the_time_since_it_was_first_asked)
{
    struct line line;

    line_open(&line);
    line_frame(&line, 0x11, 1, 1, "\x0a"); /* SENSORS 1 and 3 */
    line_frame(&line, 0x48, 0, 1, "\1");   /* TEST MODE, an event, comes between */
    line_frame(&line, 0x11, 1, 1, "\x0a");
    line_frame(&line, 0x91, 1, 0, "");
    line_frame(&line, 0xc8, 0, 0, "");
    line_frame(&line, 0x91, 1, 0, "");   /* of the repeat */
    line_frame(&line, 0x91, 9, 0, "");   /* of nothing */
    line_frame(&line, 0x48, 0, 1, "\1"); /* its acknowledgement was lost */
    line_frame(&line, 0x48, 0, 1, "\0"); /* the same number, another event */
    line_frame(&line, 0x12, 2, 0, "");
    listener_end(line.listener);
    CU_ASSERT_STRING_EQUAL(told_text(&line.told),
                           "1: terminal request SENSORS 1: seats 1 3\n"
                           "2: terminal event TEST MODE 0: on yes\n"
                           "3: terminal request SENSORS 1: seats 1 3 again\n"
                           "4: terminal reply to SENSORS 1 answers 1 after 750 us heard 11\n"
                           "5: terminal acknowledged TEST MODE 0 answers 2 after 750 us\n"
                           "6: terminal reply to SENSORS 1 answers 1 after 1250 us again\n"
                           "7: terminal reply to SENSORS 9\n"
                           "8: terminal event TEST MODE 0: on yes again\n"
                           "9: terminal event TEST MODE 0: on no\n"
                           "10: terminal request METERS 2\n");
    CU_ASSERT_EQUAL(listener_counted(line.listener)->unanswered, 2);
    line_close(&line);
}

TEST(a_key_counts_when_it_was_accepted)
{
    struct line line;

    line_open(&line);
    line_frame(&line, 0x10, 1, 1, "\1");
    line_frame(&line, 0x90, 1, 2, "\2\1"); /* no wagers */
    line_frame(&line, 0x10, 2, 1, "\1");
    line_frame(&line, 0x90, 2, 2, "\0\2");
    line_frame(&line, 0x10, 3, 1, "\3");
    line_frame(&line, 0xff, 3, 2, "\x10\6"); /* busy */
    CU_ASSERT_STRING_EQUAL(
        told_text(&line.told),
        "1: terminal request KEY 1: key START ROUND\n"
        "2: terminal reply to KEY 1: refusal no sensor has a wager, state idle answers 1 after 250 "
        "us\n"
        "3: terminal request KEY 2: key START ROUND\n"
        "4: terminal reply to KEY 2: refusal none, state open answers 3 after 250 us heard 12\n"
        "5: terminal request KEY 3: key END ROUND\n"
        "6: terminal KEY refused 3: refusal busy answers 5 after 250 us\n");
    CU_ASSERT_EQUAL(HEARD_WAGERS, 11);
    CU_ASSERT_EQUAL(HEARD_ROUND_STARTED, 12);
    line_close(&line);
}

TEST(a_line_that_begins_again_is_a_new_conversation)
{
    struct line line;

    line_open(&line);
    line_bytes(&line, TAP_ABOUT, "emu:terminal", 12);
    line_frame(&line, 0x11, 1, 1, "\x0a");
    line_bytes(&line, TAP_FROM_DEVICE, "\7\1\4", 3);
    line_bytes(&line, TAP_NOTE, "gone", 4);
    line_bytes(&line, TAP_ABOUT, "emu:terminal", 12);
    line_frame(&line, 0x91, 1, 0, "");
    CU_ASSERT_STRING_EQUAL(told_text(&line.told), "emu:terminal\n"
                                                  "1: terminal request SENSORS 1: seats 1 3\n"
                                                  "gone\n"
                                                  "2: damage [the frame does not end]\n"
                                                  "emu:terminal\n"
                                                  "3: terminal reply to SENSORS 1\n");
    line_close(&line);
}

static void add_event(struct stream *stream, uint8_t type, uint8_t sequence, const uint8_t *payload,
                      uint8_t size)
{
    struct frame frame;

    frame_begin(&frame, FRAME_SHUFFLER, type, sequence);
    memcpy(frame.payload, payload, size);
    frame.size = size;
    stream->count += frame_encode(&frame, stream->bytes + stream->count);
}

struct missed {
    unsigned counts[8];
    size_t count;
};

static void take_missed(void *context, struct decoder *decoder, struct message *message)
{
    struct missed *missed = context;

    (void)decoder;
    CU_ASSERT_FATAL(missed->count < 8);
    missed->counts[missed->count++] = message->missed;
}

TEST(events_that_were_not_heard_are_seen_by_the_numbers_of_the_others)
{
    /* The first heard, the next, again, a gap, the end of the numbers with one missed, anew, a gap
     * of all but two. */
    static const uint8_t sequences[] = {7, 8, 8, 12, 255, 0, 255};
    static const unsigned expected[] = {0, 0, 0, 3, 242, 0, 254};
    struct stream stream = {.direction = TAP_FROM_DEVICE};
    struct decoder *decoder = decoder_open(protocol_find("open", NULL), stream.direction, NULL);
    struct missed missed = {.count = 0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(decoder);
    decoder->tell = take_missed;
    decoder->context = &missed;
    for (size_t i = 0; i < sizeof sequences; i++)
        add_event(&stream, 0x42, sequences[i], (const uint8_t[]){0}, 1);
    decoder_hear(decoder, stream.bytes, stream.count, 0);
    decoder_close(decoder);
    CU_ASSERT_EQUAL_FATAL(missed.count, sizeof sequences);
    for (size_t i = 0; i < sizeof sequences; i++)
        CU_ASSERT_EQUAL(missed.counts[i], expected[i]);
}

TEST(a_card_that_does_not_exist_and_a_deck_of_51_are_not_what_the_page_says)
{
    struct stream stream = {.direction = TAP_FROM_DEVICE};
    struct told told;

    told_begin(&told);
    add_event(&stream, 0x40, 0, (const uint8_t[]){51, 0, 2, 0}, 4);
    add_event(&stream, 0x41, 1, (const uint8_t[]){0, 2, 0, 0x3c, 0x3d}, 5);
    decode(protocol_find("open", NULL), stream.direction, stream.bytes, stream.count, &told);
    CU_ASSERT_STRING_EQUAL(
        told_text(&told),
        "shuffler event SHUFFLED 0: counted 51, shuffle 2, flags none ['counted' is 51 and must "
        "be 52]\n"
        "shuffler event PACKET PRESENT 1: index 0, size 2, flags none, cards As ?? [byte 3d is no "
        "card]\n");
    /* It is heard all the same, so that its deal can be named. */
    CU_ASSERT_EQUAL(told.heard.kind, HEARD_PACKET);
    told_end(&told);
}
