/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GAT on a line that is listened to: the frames of the page in words, damage, and polling. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gat/frame.h"
#include "devices/listen/listener.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

static char said[4096];

static void hear_message(void *context, struct decoder *decoder, struct message *message)
{
    char fields[1024];
    size_t used = strlen(said);

    (void)context;
    (void)decoder;
    message_text(message, fields, sizeof fields);
    snprintf(said + used, sizeof said - used, "%s%s%s%s%s%s\n", message->title, *fields ? ": " : "",
             fields, *message->wrong ? " [" : "", message->wrong, *message->wrong ? "]" : "");
}

static struct decoder *open_decoder(enum tap_direction direction)
{
    struct decoder *decoder = decoder_open(protocol_find("gat", NULL), direction, NULL);

    said[0] = '\0';
    decoder->tell = hear_message;
    return decoder;
}

static const char *tell(enum tap_direction direction, const char *hex)
{
    uint8_t bytes[GAT_FRAME_MAX];
    size_t size = shoe_bench_hex(hex, bytes, sizeof bytes);
    struct decoder *decoder = open_decoder(direction);

    decoder_hear(decoder, bytes, size, 0);
    decoder_end(decoder);
    decoder_close(decoder);
    return said;
}

TEST(the_frames_of_the_page_are_told_in_its_words)
{
    static const struct {
        const char *hex, *words;
    } frames[] = {
        {"01 04 e3 01", "request SQ\n"},
        {"02 04 13 01", "request LASQ\n"},
        {"03 07 02 00 01 74 01", "request LARQ: format XML, part 1\n"},
        {"03 07 02 00 02 75 41", "request LARQ: format XML, part 2\n"},
        {"04 1b ba 00 47 65 74 20 53 70 65 63 69 61 6c 20 46 75 6e 63 74 69 6f 6e 73 2b 54",
         "request IACQ: level 186, zero yes, function Get Special Functions\n"},
        {"81 08 03 50 06 02 ff 7d", "reply to SQ: version 3.50, state finished, calculating no, "
                                    "results yes, formats XML\n"},
        {"81 08 03 50 09 02 0f 78", "reply to SQ: version 3.50, state calculating, calculating "
                                    "yes, results no, formats XML\n"},
        {"81 08 03 50 0d 03 0f bb", "reply to SQ: version 3.50, state error, calculating yes, "
                                    "results no, formats plain text XML\n"},
    };

    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
        CU_ASSERT_STRING_EQUAL(
            tell(frames[i].hex[0] == '8' ? TAP_FROM_DEVICE : TAP_TO_DEVICE, frames[i].hex),
            frames[i].words);
}

TEST(what_nobody_may_say_is_told_as_wrong)
{
    CU_ASSERT_STRING_EQUAL(tell(TAP_FROM_DEVICE, "01 04 e3 01"),
                           "request SQ [a request is nothing that the device says]\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(tell(TAP_TO_DEVICE, "81 08 03 50 06 02 ff 7d"),
                                  "[a reply is nothing that the host says]"));
    CU_ASSERT_STRING_EQUAL(tell(TAP_TO_DEVICE, "01 04 01 e3"),
                           "damage [the two bytes of its check are in the other order]\n");
    CU_ASSERT_STRING_EQUAL(tell(TAP_TO_DEVICE, "01 04 e3"), "damage [it breaks off]\n");
}

TEST(a_version_is_decimal_and_parts_are_numbered_from_one)
{
    CU_ASSERT_STRING_EQUAL(tell(TAP_FROM_DEVICE, "81 08 03 5a 06 02 fd 5d"),
                           "reply to SQ: version 3.5a, state finished, calculating no, results "
                           "yes, formats XML [3.5a is no version]\n");
    CU_ASSERT_STRING_EQUAL(tell(TAP_TO_DEVICE, "03 07 02 00 00 b4 c0"),
                           "request LARQ: format XML, part 0 [parts are numbered from 1]\n");
}

TEST(after_damage_a_silence_begins_anew)
{
    static const uint8_t wrong[] = {0x01, 0x04, 0xe3, 0x02, 0x99}, whole[] = {1, 4, 0xe3, 1};
    struct decoder *decoder = open_decoder(TAP_TO_DEVICE);

    decoder_hear(decoder, wrong, sizeof wrong, 0);
    decoder_hear(decoder, whole, sizeof whole, NANOS_PER_MILLI);
    decoder_hear(decoder, whole, sizeof whole, 7 * NANOS_PER_MILLI);
    decoder_close(decoder);
    CU_ASSERT_STRING_EQUAL(said, "damage [its check is wrong]\n"
                                 "damage [it follows what is damaged]\n"
                                 "damage [it follows what is damaged]\n"
                                 "request SQ\n");
}

TEST(a_frame_may_come_in_lumps_and_is_given_up_when_it_stands_still)
{
    static const uint8_t whole[] = {1, 4, 0xe3, 1};
    struct decoder *decoder = open_decoder(TAP_TO_DEVICE);

    decoder_hear(decoder, whole, 2, 0);
    decoder_hear(decoder, whole + 2, 2, 16 * NANOS_PER_MILLI);
    decoder_hear(decoder, whole, 3, 30 * NANOS_PER_MILLI);
    decoder_hear(decoder, whole, 4, 90 * NANOS_PER_MILLI);
    decoder_close(decoder);
    CU_ASSERT_STRING_EQUAL(said, "request SQ\ndamage [it breaks off]\nrequest SQ\n");
}

static void hear_listened(void *context, const struct listened *listened)
{
    size_t used = strlen(said);

    (void)context;
    snprintf(said + used, sizeof said - used, "%s%s after %lld\n", listened->message->title,
             listened->is_again ? " again" : "", (long long)(listened->after / NANOS_PER_MILLI));
}

TEST(a_question_that_is_asked_again_after_its_answer_is_a_new_one)
{
    static const uint8_t ask[] = {1, 4, 0xe3, 1}, answer[] = {0x81, 8, 3, 0x50, 9, 2, 0x0f, 0x78};
    struct listener_options options = {.tell = hear_listened};
    struct listener *listener = listener_new(&options);
    struct heard_packet packet = {.protocol = GAT_PROTOCOL};

    said[0] = '\0';
    for (unsigned i = 0; i < 5; i++) {
        bool is_answer = i == 1 || i == 4;

        packet.time = (nanos_t)(100 * i) * NANOS_PER_MILLI;
        packet.direction = is_answer ? TAP_FROM_DEVICE : TAP_TO_DEVICE;
        packet.bytes = is_answer ? answer : ask;
        packet.count = is_answer ? sizeof answer : sizeof ask;
        CU_ASSERT_EQUAL(listener_hear(listener, &packet, NULL), 0);
    }
    listener_free(listener);
    CU_ASSERT_STRING_EQUAL(said, "request SQ after 0\nreply to SQ after 100\n"
                                 "request SQ after 0\nrequest SQ again after 0\n"
                                 "reply to SQ after 200\n");
}

#define SQ     "01 04 e3 01"
#define SR     "81 08 03 50 06 02 ff 7d"
#define LARQ_1 "03 07 02 00 01 74 01"
#define LARR_1 "83 07 02 00 01 aa 00"
#define LARR_2 "83 07 02 00 02 ab 40"

static void hear_wrong(void *context, const struct listened *listened)
{
    size_t used = strlen(said);

    (void)context;
    if (listened->kind == LISTENED_MESSAGE)
        snprintf(said + used, sizeof said - used, "%s%s%s", used ? ", " : "",
                 listened->message->name, *listened->message->wrong ? "!" : "");
}

/* "> " what the host says, "< " the device, "-" something was not heard; what is wrong has a '!'.
 */
static const char *listen(const char *const *lines, uint64_t *damaged)
{
    struct listener_options options = {.tell = hear_wrong};
    struct listener *listener = listener_new(&options);
    struct heard_packet packet = {.protocol = GAT_PROTOCOL};

    said[0] = '\0';
    for (; *lines; lines++) {
        uint8_t bytes[GAT_FRAME_MAX];

        packet.time += NANOS_PER_SECOND;
        packet.direction = **lines == '>'   ? TAP_TO_DEVICE
                           : **lines == '<' ? TAP_FROM_DEVICE
                                            : TAP_GAP;
        packet.bytes = bytes;
        packet.count = **lines == '-' ? 0 : shoe_bench_hex(*lines + 2, bytes, sizeof bytes);
        CU_ASSERT_EQUAL(listener_hear(listener, &packet, NULL), 0);
    }
    *damaged = listener_counted(listener)->damaged;
    listener_free(listener);
    return said;
}

TEST(an_answer_that_no_question_waits_for_is_wrong)
{
    static const struct {
        const char *lines[8];
        const char *told;
        uint64_t damaged;
    } cases[] = {
        {{"> " SQ, "< " SR, "< " SR}, "SQ, SQ, SQ!", 1},
        {{"> " LARQ_1, "< " LARR_2}, "LARQ, LARQ!", 1},
        {{"> " LARQ_1, "< " LARR_1}, "LARQ, LARQ", 0},
        {{"> " LARQ_1, "< " SR}, "LARQ, SQ!", 1},
        {{"> " SQ, "> " LARQ_1, "< " SR}, "SQ, LARQ, SQ!", 1},
        /* Where it was asked twice, it may be answered twice. */
        {{"> " SQ, "> " SQ, "< " SR, "< " SR, "< " SR}, "SQ, SQ, SQ, SQ, SQ!", 1},
        /* A question may not have been heard. */
        {{"< " SR, "> " SQ, "< " SR}, "SQ, SQ, SQ", 0},
        {{"> " SQ, "< " SR, "-", "< " SR}, "SQ, SQ, SQ", 0},
        {{"> " SQ, "< " SR, "> 01 04 e3 02", "< " SR}, "SQ, SQ, damage!, SQ", 1},
        {{"> " SQ, "< " SR, "-", "> " SQ, "< " LARR_1}, "SQ, SQ, SQ, LARQ!", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t damaged;

        CU_ASSERT_STRING_EQUAL(listen(cases[i].lines, &damaged), cases[i].told);
        CU_ASSERT_EQUAL(damaged, cases[i].damaged);
        if (strcmp(said, cases[i].told))
            printf("%s, not %s\n", said, cases[i].told);
    }
}
