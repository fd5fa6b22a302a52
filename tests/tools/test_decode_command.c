/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof decode as a process: captures of emulated runs, and files that are none. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/random.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define TALLY     "devices/scripts/examples/tally.lua"
#define CALL(...) run((const char *const[]){__VA_ARGS__, NULL})

/* A rig file with a capture beside it. */
struct bench {
    char rig[SCRATCH_PATH_SIZE], capture[SCRATCH_PATH_SIZE + 8];
};

static struct bench bench_make(const char *rig)
{
    struct bench bench;
    char text[4096];
    int length;

    scratch_path(bench.rig);
    snprintf(bench.capture, sizeof bench.capture, "%s.pcap", bench.rig);
    length = snprintf(text, sizeof text, "capture: %s\n%s", bench.capture, rig);
    CU_ASSERT_FATAL(length < (int)sizeof text);
    scratch_write(bench.rig, text, (size_t)length);
    return bench;
}

static struct bench emulated_bench(void)
{
    size_t length;
    char *text = scratch_read("rigs/emulated.yaml", &length);
    struct bench bench = bench_make(text);

    free(text);
    return bench;
}

static void bench_remove(const struct bench *bench)
{
    unlink(bench->rig);
    unlink(bench->capture);
}

static const char angel_eye[] = "rig: angel\nclock: virtual\ndevices:\n"
                                "  shoe: {driver: angel-eye, address: \"emu:angel-eye?draw=700,"
                                "refill=2000\"}\norder: compare\n";

/* Each object of JSON Lines. */
typedef void (*with_object)(json_t *object, void *context);

static void each_object(const char *text, with_object with, void *context)
{
    char *copy = strdup(text), *rest = copy, *line;

    while ((line = strsep(&rest, "\n")))
        if (*line) {
            json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

            CU_ASSERT_PTR_NOT_NULL_FATAL(object);
            with(object, context);
            json_decref(object);
        }
    free(copy);
}

static const char *member(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

struct cards {
    char text[65536];
    unsigned events, acknowledgements, requests, answers, others, damaged;
    bool has_end;
};

static void append(struct cards *cards, const char *text)
{
    size_t used = strlen(cards->text);

    CU_ASSERT_FATAL(used + strlen(text) + 2 < sizeof cards->text);
    sprintf(cards->text + used, "%s ", text);
}

static void count_kind(struct cards *cards, const char *kind)
{
    cards->events += !strcmp(kind, "event");
    cards->acknowledgements += !strcmp(kind, "acknowledgement");
    cards->requests += !strcmp(kind, "request");
    cards->answers += !strcmp(kind, "reply") || !strcmp(kind, "refusal");
    cards->others += !strcmp(kind, "bytes") || !strcmp(kind, "damage");
}

static bool is_answer(const char *kind)
{
    return !strcmp(kind, "reply") || !strcmp(kind, "refusal") || !strcmp(kind, "acknowledgement");
}

static void take_heard(json_t *message, void *context)
{
    struct cards *cards = context;
    json_t *fields = json_object_get(message, "fields");
    const char *name = member(message, "name");

    count_kind(cards, member(message, "kind"));
    cards->damaged += json_object_get(message, "wrong") != NULL;
    if (is_answer(member(message, "kind")))
        CU_ASSERT(json_integer_value(json_object_get(message, "answers")) <
                      json_integer_value(json_object_get(message, "message")) &&
                  *member(message, "after"));
    if (!strcmp(member(message, "kind"), "end")) {
        cards->has_end = true;
        CU_ASSERT_EQUAL(json_integer_value(json_object_get(message, "damaged")), cards->damaged);
    }
    if (json_object_get(message, "again") || strcmp(member(message, "kind"), "event") != 0)
        return;
    if (!strcmp(name, "PACKET PRESENT"))
        append(cards, member(fields, "cards"));
    else if (!strcmp(name, "CARD") || !strcmp(name, "card drawn"))
        append(cards, member(fields, "card"));
}

static void take_dealt(json_t *round, void *context)
{
    json_t *dealt = json_object_get(round, "dealt"), *packet;
    size_t i;

    json_array_foreach(dealt, i, packet) append(context, json_string_value(packet));
}

static void decode(const char *capture, struct cards *cards, int status)
{
    struct process_result result = CALL("decode", "--json", capture);

    memset(cards, 0, sizeof *cards);
    CU_ASSERT_EQUAL(result.status, status);
    each_object(result.out, take_heard, cards);
    CU_ASSERT(cards->has_end);
    process_free(&result);
}

static void expect_cards_of(const char *shoe, const char *capture)
{
    static struct cards heard, recorded;
    size_t length;
    char *text = scratch_read(shoe, &length);

    memset(&recorded, 0, sizeof recorded);
    each_object(text, take_dealt, &recorded);
    decode(capture, &heard, 0);
    CU_ASSERT(strlen(recorded.text) > 100);
    CU_ASSERT_STRING_EQUAL(heard.text, recorded.text);
    CU_ASSERT_EQUAL(heard.others, 0);
    CU_ASSERT_EQUAL(heard.damaged, 0);
    CU_ASSERT_EQUAL(heard.requests, heard.answers);
    free(text);
}

TEST(the_cards_of_a_capture_are_those_of_the_recording)
{
    static const char *const shoes[] = {"fixtures/flush-rush/evening-of-six-seats.shoe",
                                        "fixtures/chase-the-flush/evening-of-six-seats.shoe",
                                        "fixtures/three-card-catch/evening-of-six-seats.shoe",
                                        "fixtures/three-card-poker/evening-of-six-seats.shoe"};
    struct bench bench = emulated_bench();

    for (size_t i = 0; i < sizeof shoes / sizeof shoes[0]; i++) {
        struct process_result result = CALL("run", "--rig", bench.rig, shoes[i]);

        CU_ASSERT_EQUAL(result.status, 0);
        process_free(&result);
        expect_cards_of(shoes[i], bench.capture);
        unlink(bench.capture);
    }
    bench_remove(&bench);
}

TEST(the_cards_of_an_angel_eye_shoe_are_heard)
{
    struct bench bench = bench_make(angel_eye);
    char base[SCRATCH_PATH_SIZE], shoe[96], expect[96];
    struct process_result result;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    result = CALL("record", "-o", shoe, "--rig", bench.rig, "--game", "three-card-catch",
                  "--rounds", "20");
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    expect_cards_of(shoe, bench.capture);
    bench_remove(&bench);
    unlink(shoe);
    unlink(expect);
}

/* Every recording there is, one capture. */
TEST(every_message_of_all_fixtures_is_known_and_answered)
{
    struct bench bench = emulated_bench();
    struct process_result result = CALL("run", "--rig", bench.rig, "fixtures");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    result = CALL("decode", bench.capture);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, " messages, 0 damaged, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "terminal event JACKPOT PAID"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "terminal event MUST HIT PAID"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "key code, code hidden"));
    CU_ASSERT_PTR_NULL(strstr(result.out, "code 4711"));
    CU_ASSERT_PTR_NULL(strstr(result.out, "code 86420"));
    process_free(&result);
    bench_remove(&bench);
}

/* The bytes of a small capture, to be spoiled. */
static char *small_capture(const struct bench *bench, size_t *length)
{
    struct process_result result =
        CALL("observe", "--rig", bench->rig, "--game", "flush-rush", "--rounds", "1");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    return scratch_read(bench->capture, length);
}

static void expect_refused(const struct bench *bench, const char *bytes, size_t length, int status,
                           const char *words)
{
    struct process_result result;

    scratch_write(bench->capture, bytes, length);
    result = CALL("decode", bench->capture);
    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, words));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, bench->capture));
    process_free(&result);
}

TEST(a_file_that_is_no_capture_is_refused_with_the_reason)
{
    struct bench bench = emulated_bench();
    struct process_result result;
    size_t length;
    char *bytes = small_capture(&bench, &length);

    expect_refused(&bench, bytes, 0, 2, "is no capture of this program");
    expect_refused(&bench, bytes, 10, 2, "is no capture of this program");
    bytes[0] ^= 1;
    expect_refused(&bench, bytes, length, 2, "is no capture of this program");
    bytes[0] ^= 1;
    bytes[20] = 1; /* Ethernet */
    expect_refused(&bench, bytes, length, 2, "its link type is 1, not 147 (USER0)");
    result = CALL("decode", "/tmp");
    CU_ASSERT_EQUAL(process_status_with(result, "is a directory"), 2);
    result = CALL("decode", "/nowhere/x.pcap");
    CU_ASSERT_EQUAL(process_status_with(result, "/nowhere/x.pcap cannot be read"), 2);
    result = CALL("decode", "--protocol", "morse", bench.capture);
    CU_ASSERT_EQUAL(process_status_with(result, "there is no protocol 'morse'"), 2);
    result = CALL("decode");
    CU_ASSERT_EQUAL(process_status_with(result, "no capture given"), 2);
    free(bytes);
    bench_remove(&bench);
}

TEST(a_capture_that_is_cut_or_damaged_is_told_up_to_there)
{
    struct bench bench = emulated_bench();
    struct process_result whole, cut;
    size_t length;
    char *bytes = small_capture(&bench, &length);

    whole = CALL("decode", bench.capture);
    scratch_write(bench.capture, bytes, length - 5);
    cut = CALL("decode", bench.capture);
    CU_ASSERT_EQUAL(cut.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(cut.err, "the packets before it are good"));
    CU_ASSERT_FATAL(cut.out_length > 1000 && cut.out_length < whole.out_length);
    CU_ASSERT_EQUAL(memcmp(cut.out, whole.out, cut.out_length), 0);
    process_free(&cut);
    process_free(&whole);
    memset(bytes + 24 + 8, 0xff, 4); /* the length of the first packet: 4 GB */
    expect_refused(&bench, bytes, length, 1, "packet 1: ");
    free(bytes);
    bench_remove(&bench);
}

static const char small_head[] = "\x4d\x3c\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\4\0\1\0\223\0\0\0";

/* A capture of one packet. */
static void write_packet(const struct bench *bench, const char *packet, size_t size)
{
    char bytes[256] = "";

    CU_ASSERT_FATAL(size < 128);
    memcpy(bytes, small_head, 24);
    bytes[24] = 1;
    bytes[32] = bytes[36] = (char)size;
    memcpy(bytes + 40, packet, size);
    scratch_write(bench->capture, bytes, 40 + size);
}

TEST(a_packet_of_another_version_or_direction_is_refused_by_its_number)
{
    struct bench bench = emulated_bench();

    write_packet(&bench, "\1\0", 2);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("decode", bench.capture), "packet 1: shorter than four bytes"), 1);
    write_packet(&bench, "\2\0\0\0x", 5);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("decode", bench.capture), "packet 1: another version than 1"), 1);
    write_packet(&bench, "\1\0\11\0x", 5);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", bench.capture),
                                        "packet 1: a direction that this version does not know"),
                    1);
    bench_remove(&bench);
}

TEST(what_nobody_knows_is_shown_as_bytes_or_by_the_protocol_that_is_named)
{
    struct bench bench = emulated_bench();

    write_packet(&bench, "\1\7\1\0\5\x30\x43\3\x37\x30", 10);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", bench.capture),
                                        "0.000000 7 < bytes, 6 bytes: 05 30 43 03 37 30"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", bench.capture),
                                        "1 message, 0 damaged, 0 not heard, 0 unanswered, "
                                        "1 piece of an unknown protocol\n"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--protocol", "angel-eye", bench.capture),
                                        "7 < shoe cut card came out, sequence 48\n"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--protocol", "open", bench.capture),
                                        "7 < damage, 6 bytes: 05 30 43 03 37 30 [the frame does "
                                        "not end]"),
                    1);
    write_packet(&bench, "\1\7\3\0\1\14", 6);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--json", bench.capture),
                                        "\"from\":\"device\",\"kind\":\"lines\",\"lines\":[\"CTS\","
                                        "\"DSR\"]}"),
                    0);
    write_packet(&bench, "\1\7\4\0a\033[2J", 9);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", bench.capture), "7 - a?[2J\n"), 0);
    bench_remove(&bench);
}

/* Whatever a file holds: a status of the three, and no other end. */
TEST(a_capture_with_any_bytes_altered_is_told_or_refused)
{
    struct bench bench = emulated_bench();
    size_t length;
    char *bytes = small_capture(&bench, &length), *altered = malloc(length);
    uint64_t seed = 12;

    CU_ASSERT_PTR_NOT_NULL_FATAL(altered);
    for (int turn = 0; turn < 300; turn++) {
        struct process_result result;
        size_t kept = turn % 3 ? length : (size_t)(random_next(&seed) % length);

        memcpy(altered, bytes, length);
        for (int i = 0; i <= turn % 40; i++)
            altered[random_next(&seed) % (turn % 2 ? length : 400)] = (char)random_next(&seed);
        scratch_write(bench.capture, altered, kept);
        result = turn % 2 ? CALL("decode", "--json", bench.capture) : CALL("decode", bench.capture);
        CU_ASSERT(result.status >= 0 && result.status <= 2);
        process_free(&result);
    }
    free(bytes);
    free(altered);
    bench_remove(&bench);
}

/* A line that only a script of the lab understands. */
static struct bench tally_bench(void)
{
    char rig[4096], folder[2048];

    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(folder, sizeof folder));
    snprintf(rig, sizeof rig,
             "rig: tally\nclock: virtual\ndevices:\n  shuffler: {driver: script, script: \""
             "%s/" TALLY "\", address: emu:script}\n",
             folder);
    return bench_make(rig);
}

TEST(a_script_says_what_a_line_means_that_nobody_else_knows)
{
    struct bench bench = tally_bench();
    char base[SCRATCH_PATH_SIZE], played[96], heard[96], expects[96], other[96];
    struct process_result result;
    size_t length, other_length;
    char *text, *other_text;

    scratch_path(base);
    snprintf(played, sizeof played, "%s.shoe", base);
    snprintf(expects, sizeof expects, "%s.expect", base);
    snprintf(heard, sizeof heard, "%s-heard.shoe", base);
    snprintf(other, sizeof other, "%s-heard.expect", base);
    result = CALL("record", "-q", "-o", played, "--rig", bench.rig, "--game", "flush-rush",
                  "--rounds", "4");
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--script", TALLY, bench.capture),
                                        "< shuffler packet-present: cards "),
                    0);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", bench.capture), "< bytes, "), 0);
    result = CALL("record", "-o", heard, "--from", bench.capture, "--script", TALLY, "--game",
                  "flush-rush", "--play", "plain", "--bet", "ante=1000", "--seats", "1-7");
    CU_ASSERT_EQUAL(process_status_with(result, "recorded: 4 rounds"), 0);
    text = scratch_read(expects, &length);
    other_text = scratch_read(other, &other_length);
    CU_ASSERT_STRING_EQUAL(text, other_text);
    free(text);
    free(other_text);
    unlink(played);
    unlink(expects);
    unlink(heard);
    unlink(other);
    bench_remove(&bench);
}

TEST(a_script_that_fails_ends_the_decoding_with_its_line)
{
    struct bench bench = emulated_bench();
    char script[SCRATCH_PATH_SIZE];
    static const char text[] = "local d = {class = 'shuffler'}\n"
                               "for _, n in ipairs{'received', 'program', 'shuffle', 'press', "
                               "'return_deck', 'clear_error'} do d[n] = function() end end\n"
                               "function d.describe(frame) return 'x', {y = frame .. nil} end\n"
                               "return d\n";

    scratch_path(script);
    write_packet(&bench, "\1\7\1\0abc", 7);
    scratch_write(script, text, sizeof text - 1);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--script", script, bench.capture), ":3: "),
                    4);
    scratch_write(script, "return 1\n", 9);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", "--script", script, bench.capture), script),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("decode", "--script", script, "--protocol", "open", bench.capture),
                            "one of --protocol and --script"),
        2);
    unlink(script);
    bench_remove(&bench);
}

/* A file of microseconds into which somebody has put nanoseconds. */
TEST(a_time_with_more_than_a_second_of_fractions_is_damage)
{
    static const uint8_t capture[] = {
        0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 147, 0, 0, 0,
        /* 1 s and 999,999,999 of what are microseconds */
        1, 0, 0, 0, 0xff, 0xc9, 0x9a, 0x3b, 5, 0, 0, 0, 5, 0, 0, 0, 1, 0, 1, 0, 'x'};
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    scratch_write(path, (const char *)capture, sizeof capture);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", path),
                                        "packet 1: the fraction of its time is a second or more"),
                    1);
    unlink(path);
}
