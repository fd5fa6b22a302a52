/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof record --from: what is recorded of a table of which not everything was heard. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/heard.h"
#include "tests/support/suite.h"

/* The packet of a capture in which a device says that for the n-th time. */
static unsigned find_packet(const char *capture, const char *name, unsigned which)
{
    struct process_result result = CALL("decode", "--json", capture);
    char *rest = result.out, *line;
    unsigned packet = 0;

    while (which && (line = strsep(&rest, "\n"))) {
        json_t *told = json_loads(line, 0, NULL);
        const char *its = json_string_value(json_object_get(told, "name"));
        const char *kind = json_string_value(json_object_get(told, "kind"));

        if (its && !strcmp(its, name) && !strcmp(kind, "event") && !--which)
            packet = (unsigned)json_integer_value(json_object_get(told, "packet"));
        json_decref(told);
    }
    process_free(&result);
    CU_ASSERT_FATAL(packet > 0);
    return packet;
}

/* Takes the packets from `first` to before `last` out of a capture, as if nobody had listened. */
static void cut_out(const char *capture, unsigned first, unsigned last)
{
    size_t length, at = 24, kept = 24;
    char *bytes = scratch_read(capture, &length);

    for (unsigned packet = 1; at < length; packet++) {
        uint32_t size;

        memcpy(&size, bytes + at + 8, sizeof size);
        size += 16;
        if (packet < first || packet >= last) {
            memmove(bytes + kept, bytes + at, size);
            kept += size;
        }
        at += size;
    }
    scratch_write(capture, bytes, kept);
    free(bytes);
}

TEST(a_deal_that_was_not_heard_shifts_no_note)
{
    struct heard_files files = heard_observe_three();
    struct process_result result;

    cut_out(files.capture, find_packet(files.capture, "SHUFFLED", 2),
            find_packet(files.capture, "SHUFFLED", 3));
    CU_ASSERT_EQUAL(
        process_status_with(CALL("decode", files.capture), "events before it were not heard"), 1);
    result = NOTED(files);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: nothing"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 1 is left out: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "1 deal before round 3 was not heard"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 3 is left out: deals before it may not have "
                                              "been heard, so that which note is its own is not "
                                              "known"));
    process_free(&result);
    /* What is given for all rounds has no number. */
    CU_ASSERT_EQUAL(process_status_with(CALL("record", "-o", files.heard, "--from", files.capture,
                                             "--play", "bet", "--bet", "ante=500", "--seats", "1",
                                             "--game", "flush-rush"),
                                        "recorded: 1 round in"),
                    1);
    heard_remove(&files);
}

TEST(a_shuffle_that_was_not_heard_alone_costs_its_deals_and_shifts_no_note)
{
    struct heard_files files = heard_observe_three();
    unsigned packet = find_packet(files.capture, "SHUFFLED", 2);
    struct process_result result;

    cut_out(files.capture, packet, packet + 1);
    result = NOTED(files);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: nothing"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "1 event of the shuffler in it or after it was not "
                                              "heard"));
    process_free(&result);
    heard_remove(&files);
}

TEST(an_event_that_was_not_heard_costs_the_round_that_it_is_of)
{
    struct heard_files files = heard_observe_three();
    unsigned packet = find_packet(files.capture, "PACKET TAKEN", 3);
    struct process_result result;

    cut_out(files.capture, packet, packet + 1);
    result = NOTED(files);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: 2 rounds in"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "1 left out"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 2 is left out: 1 event of the shuffler"));
    process_free(&result);
    heard_remove(&files);
}

/* Puts a gap before a packet, as a bridge does. */
static void tear(const char *capture, unsigned packet)
{
    static const char gap[] = "\x01\x00\x05\x01hole";
    uint32_t header[4], size = sizeof gap - 1;
    size_t length, at = 24;
    char *bytes = scratch_read(capture, &length), *torn = malloc(length + 64);

    CU_ASSERT_PTR_NOT_NULL_FATAL(torn);
    while (--packet) {
        memcpy(header, bytes + at, sizeof header);
        at += sizeof header + header[2];
    }
    memcpy(torn, bytes, at);
    memcpy(header, bytes + at, sizeof header);
    header[2] = header[3] = size;
    memcpy(torn + at, header, sizeof header);
    memcpy(torn + at + sizeof header, gap, size);
    memcpy(torn + at + sizeof header + size, bytes + at, length - at);
    scratch_write(capture, torn, length + sizeof header + size);
    free(bytes);
    free(torn);
}

TEST(a_gap_of_which_the_capture_tells_is_said_with_its_round)
{
    struct heard_files files = heard_observe_three();
    struct process_result result;

    tear(files.capture, find_packet(files.capture, "PACKET PRESENT", 3));
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", files.capture), " 0 - hole"), 1);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--json", files.capture),
                                        "\"kind\":\"gap\",\"note\":\"hole\""),
                    1);
    result = NOTED(files);
    CU_ASSERT_EQUAL(result.status, 1);
    /* Numbers show that no event is missing: its cards are known. */
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: 3 rounds in"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "in or after round 2: hole"));
    process_free(&result);
    heard_remove(&files);
}

TEST(a_gap_on_a_line_that_numbers_no_events_costs_the_round)
{
    struct heard_files files = heard_make(heard_angel_rig);
    struct process_result result =
        CALL("observe", "-q", "--rig", files.rig, "--game", "three-card-catch", "--rounds", "3");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    tear(files.capture, find_packet(files.capture, "card drawn", 3));
    result = CALL("record", "-o", files.heard, "--from", files.capture, "--game",
                  "three-card-catch", "--play", "bet", "--bet", "ante=500", "--seats", "1-7");
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 1 is left out: hole"));
    process_free(&result);
    heard_remove(&files);
}
