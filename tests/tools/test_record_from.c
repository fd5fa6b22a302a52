/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof record --from: recordings of tables that were only listened to. */
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define CALL(...) run((const char *const[]){__VA_ARGS__, NULL})

/* Files of one test: a rig with its capture, a recording that was played, one that was heard. */
struct files {
    char rig[SCRATCH_PATH_SIZE], capture[96], notes[96];
    char played[96], played_expect[96], heard[96], heard_expect[96];
};

static struct files make_files(const char *rig)
{
    struct files files;
    char text[4096];
    int length;

    scratch_path(files.rig);
    snprintf(files.capture, sizeof files.capture, "%s.pcap", files.rig);
    snprintf(files.notes, sizeof files.notes, "%s.notes", files.rig);
    snprintf(files.played, sizeof files.played, "%s-played.shoe", files.rig);
    snprintf(files.played_expect, sizeof files.played_expect, "%s-played.expect", files.rig);
    snprintf(files.heard, sizeof files.heard, "%s-heard.shoe", files.rig);
    snprintf(files.heard_expect, sizeof files.heard_expect, "%s-heard.expect", files.rig);
    length = snprintf(text, sizeof text, "capture: %s\n%s", files.capture, rig);
    CU_ASSERT_FATAL(length < (int)sizeof text);
    scratch_write(files.rig, text, (size_t)length);
    return files;
}

static struct files emulated(void)
{
    size_t length;
    char *rig = scratch_read("rigs/emulated.yaml", &length);
    struct files files = make_files(rig);

    free(rig);
    return files;
}

static void remove_files(const struct files *files)
{
    unlink(files->rig);
    unlink(files->capture);
    unlink(files->notes);
    unlink(files->played);
    unlink(files->played_expect);
    unlink(files->heard);
    unlink(files->heard_expect);
}

static void expect_same_file(const char *path, const char *other)
{
    size_t length, other_length;
    char *text = scratch_read(path, &length), *other_text = scratch_read(other, &other_length);

    CU_ASSERT(length > 100);
    CU_ASSERT_STRING_EQUAL(text, other_text);
    free(text);
    free(other_text);
}

/* The same rounds; headers differ in where they come from. */
static void expect_same_rounds(const char *path, const char *other)
{
    size_t length, other_length;
    char *text = scratch_read(path, &length), *other_text = scratch_read(other, &other_length);

    CU_ASSERT_STRING_EQUAL(strchr(text, '\n'), strchr(other_text, '\n'));
    free(text);
    free(other_text);
}

static const char shoe_rig[] =
    "rig: shoe\nclock: virtual\ndevices:\n"
    "  shoe: {driver: open, address: \"emu:shoe?draw=700,refill=2000\"}\n"
    "order: compare\n";
static const char angel_rig[] = "rig: angel\nclock: virtual\ndevices:\n"
                                "  shoe: {driver: angel-eye, address: \"emu:angel-eye?draw=700,"
                                "refill=2000\"}\norder: compare\n";

static void hear_what_was_played(struct files files, const char *game)
{
    struct process_result result =
        CALL("record", "-q", "-o", files.played, "--rig", files.rig, "--game", game, "--rounds",
             "12", "--play", "random", "--seed", "7");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    result = CALL("record", "-o", files.heard, "--from", files.capture, "--game", game, "--play",
                  "random", "--seed", "7", "--bet", "ante=1000", "--seats", "1-7");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: 12 rounds"));
    process_free(&result);
    expect_same_rounds(files.played, files.heard);
    expect_same_file(files.played_expect, files.heard_expect);
    CU_ASSERT_EQUAL(process_status_with(CALL("run", files.heard), "12 pass"), 0);
    remove_files(&files);
}

TEST(a_table_that_was_listened_to_is_recorded_as_it_was_played)
{
    static const char *const games[] = {"chase-the-flush", "flush-rush", "three-card-catch",
                                        "three-card-poker"};

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        hear_what_was_played(emulated(), games[i]);
}

TEST(single_cards_of_a_shoe_are_recorded_as_they_were_played)
{
    hear_what_was_played(make_files(shoe_rig), "chase-the-flush");
    hear_what_was_played(make_files(shoe_rig), "three-card-catch");
    hear_what_was_played(make_files(angel_rig), "three-card-catch");
}

/* A recording's header as options, and its rounds as somebody would have noted them. */
struct told {
    const char *arguments[64];
    char texts[32][96];
    size_t count, texts_used;
    bool is_plain; /* rounds from 1 on, of which each counts and is closed as usual */
    size_t rounds;
};

static const char *keep(struct told *told, const char *name, const char *value)
{
    char *text = told->texts[told->texts_used++];

    CU_ASSERT_FATAL(told->texts_used < 32);
    snprintf(text, sizeof told->texts[0], "%s%s%s", name, *name ? "=" : "", value);
    return text;
}

static void add(struct told *told, const char *option, const char *value)
{
    CU_ASSERT_FATAL(told->count + 2 < 64);
    told->arguments[told->count++] = option;
    told->arguments[told->count++] = value;
    told->arguments[told->count] = NULL;
}

static void add_pairs(struct told *told, const char *option, json_t *pairs)
{
    const char *name;
    json_t *value;

    json_object_foreach(pairs, name, value)
        add(told, option,
            keep(told, name,
                 json_is_string(value) ? json_string_value(value)
                 : json_is_true(value) ? "true"
                                       : "false"));
}

static void tell_header(struct told *told, json_t *header)
{
    char burn[8];

    add(told, "--game", keep(told, "", json_string_value(json_object_get(header, "game"))));
    add_pairs(told, "--table", json_object_get(header, "tables"));
    add_pairs(told, "--rule", json_object_get(header, "rules"));
    snprintf(burn, sizeof burn, "%d", (int)json_integer_value(json_object_get(header, "burn")));
    add(told, "--burn", keep(told, "", burn));
    if (json_object_get(header, "deal"))
        add(told, "--deal", keep(told, "", json_string_value(json_object_get(header, "deal"))));
    told->is_plain = !json_object_get(header, "must-hit");
}

static void tell_round(struct told *told, json_t *round, FILE *notes)
{
    json_t *note = json_object();
    char *text;

    told->rounds++;
    told->is_plain &= json_integer_value(json_object_get(round, "round")) == (int)told->rounds &&
                      !json_object_get(round, "keys") && !json_object_get(round, "void") &&
                      json_object_get(round, "dealt");
    json_object_set(note, "round", json_object_get(round, "round"));
    json_object_set(note, "bets", json_object_get(round, "bets"));
    json_object_set(note, "play", json_object_get(round, "play"));
    text = json_dumps(note, JSON_COMPACT);
    fprintf(notes, "%s\n", text);
    free(text);
    json_decref(note);
}

static void tell_all(struct told *told, const char *shoe, const char *notes_path)
{
    size_t length;
    char *text = scratch_read(shoe, &length), *rest = text, *line;
    FILE *notes = fopen(notes_path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(notes);
    while ((line = strsep(&rest, "\n")))
        if (*line) {
            json_t *object = json_loads(line, 0, NULL);

            if (!object) {
                told->is_plain = false;
                continue;
            }
            if (json_object_get(object, "shoe"))
                tell_header(told, object);
            else
                tell_round(told, object, notes);
            json_decref(object);
        }
    fclose(notes);
    free(text);
}

static bool expects_an_error(const char *shoe)
{
    char path[256];
    size_t length;
    char *text;
    bool has;

    snprintf(path, sizeof path, "%.*s.expect", (int)(strlen(shoe) - 5), shoe);
    text = scratch_read(path, &length);
    has = strstr(text, "\"error\"");
    free(text);
    return has;
}

/* True when it was one that can be compared. */
static bool hear_fixture(const char *shoe)
{
    struct files files = emulated();
    struct told told = {.count = 0};
    char expect[256];
    struct process_result result;
    bool is_compared;

    told.arguments[told.count++] = "record";
    add(&told, "-o", files.heard);
    add(&told, "--from", files.capture);
    add(&told, "--notes", files.notes);
    tell_all(&told, shoe, files.notes);
    is_compared = told.is_plain && !expects_an_error(shoe);
    if (is_compared) {
        snprintf(expect, sizeof expect, "%.*s.expect", (int)(strlen(shoe) - 5), shoe);
        result = CALL("run", "-q", "--rig", files.rig, shoe);
        CU_ASSERT_EQUAL(result.status, 0);
        process_free(&result);
        result = run(told.arguments);
        CU_ASSERT_EQUAL(result.status, 0);
        if (result.status)
            printf("%s: %s\n", shoe, result.err);
        process_free(&result);
        expect_same_file(expect, files.heard_expect);
    }
    remove_files(&files);
    return is_compared;
}

TEST(every_fixture_that_is_captured_and_noted_settles_as_it_must)
{
    static const char *const games[] = {"chase-the-flush", "flush-rush", "three-card-catch",
                                        "three-card-poker"};
    unsigned compared = 0;

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        char path[300];
        struct dirent *entry;
        DIR *folder;

        snprintf(path, sizeof path, "fixtures/%s", games[i]);
        folder = opendir(path);
        CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
        while ((entry = readdir(folder))) {
            const char *dot = strrchr(entry->d_name, '.');

            if (!dot || strcmp(dot, ".shoe") != 0)
                continue;
            snprintf(path, sizeof path, "fixtures/%s/%.200s", games[i], entry->d_name);
            compared += hear_fixture(path);
        }
        closedir(folder);
    }
    CU_ASSERT(compared > 60);
    if (compared <= 60)
        printf("only %u fixtures were compared\n", compared);
}

TEST(what_nobody_hears_must_be_given)
{
    struct files files = emulated();
    struct process_result result =
        CALL("observe", "-q", "--rig", files.rig, "--game", "chase-the-flush", "--rounds", "2");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
#define FROM(...)                                                                                  \
    CALL("record", "-o", files.heard, "--from", files.capture, "--game", "chase-the-flush",        \
         __VA_ARGS__)
    CU_ASSERT_EQUAL(
        process_status_with(FROM("--bet", "ante=500"), "no line tells what the players decided"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(FROM("--play", "bet"), "no line tells how much lies on the ante"), 2);
    CU_ASSERT_EQUAL(process_status_with(FROM("--play", "bet", "--bet", "stake=500"),
                                        "chase-the-flush has no wager 'stake'"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(FROM("--play", "ask", "--bet", "ante=500"),
                                        "--play ask has no place beside --from"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(FROM("--play", "bet", "--bet", "ante=500", "--page", "1"),
                                        "--page has no place beside --from"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(FROM("--play", "bet", "--bet", "ante=500", "--from", "/nowhere.pcap"),
                            "/nowhere.pcap cannot be read"),
        2);
    CU_ASSERT_EQUAL(process_status_with(CALL("record", "-o", files.heard, "--game", "flush-rush",
                                             "--notes", files.notes),
                                        "--notes is for --from alone"),
                    2);
    CU_ASSERT_EQUAL(access(files.heard, F_OK), -1);
    CU_ASSERT_EQUAL(process_status_with(FROM("--play", "bet", "--bet", "ante=500", "--rounds", "1"),
                                        "recorded: 1 round in"),
                    0);
    remove_files(&files);
}

static void write_text(const char *path, const char *text)
{
    scratch_write(path, text, strlen(text));
}

TEST(notes_that_are_wrong_are_refused_with_their_line)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"{\"round\":1,\"bets\":{\"1\":{\"ante\":500}},\"play\":{},\"dealt\":[]}\n",
         "notes:1: a note has round, bets and play, and no 'dealt'"},
        {"{\"round\":2,\"bets\":{\"1\":{\"ante\":500}},\"play\":{}}\n"
         "{\"round\":2,\"bets\":{\"1\":{\"ante\":500}},\"play\":{}}\n",
         "notes:2: round 2 comes after round 2"},
        {"{\"round\":1,\"bets\":{\"9\":{\"ante\":500}},\"play\":{}}\n",
         "notes:1: bets: there is no"},
        {"{\"round\":1,\"play\":{}}\n", "notes:1: "},
        {"round 1\n", "notes:1: "},
    };
    struct files files = emulated();

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_text(files.notes, wrong[i].text);
        CU_ASSERT_EQUAL(
            process_status_with(CALL("record", "-o", files.heard, "--from", files.capture,
                                     "--notes", files.notes, "--game", "flush-rush"),
                                wrong[i].words),
            2);
    }
    remove_files(&files);
}

/* Only rounds that can be told whole are recorded; the others are named. */
TEST(a_round_that_cannot_be_told_whole_is_left_out_and_said)
{
    struct files files = emulated();
    struct process_result result = CALL("observe", "-q", "--rig", files.rig, "--game", "flush-rush",
                                        "--rounds", "3", "--seats", "1-4");
    size_t length;
    char *bytes;

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    write_text(files.notes,
               "{\"round\":1,\"bets\":{\"1\":{\"ante\":500},\"2\":{\"ante\":500},\"3\":{\"ante\":"
               "500},\"5\":{\"ante\":500}},\"play\":{\"1\":[\"fold\"],\"2\":[\"fold\"],\"3\":["
               "\"bet\",\"bet\"],\"5\":[\"fold\"]}}\n"
               "{\"round\":3,\"bets\":{\"1\":{\"ante\":500}},\"play\":{\"1\":[\"fold\"]}}\n");
    result = CALL("record", "-o", files.heard, "--from", files.capture, "--notes", files.notes,
                  "--game", "flush-rush");
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: 1 round in"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "2 left out"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 2 is left out: nobody has noted it"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 3 is left out: "));
    process_free(&result);
    CU_ASSERT_EQUAL(process_status_with(CALL("run", files.heard), "1 pass"), 0);
    unlink(files.heard);
    unlink(files.heard_expect);
    /* Other seats than were dealt to. */
    CU_ASSERT_EQUAL(process_status_with(CALL("record", "-o", files.heard, "--from", files.capture,
                                             "--game", "flush-rush", "--play", "bet", "--bet",
                                             "ante=500", "--seats", "1-6"),
                                        "recorded: nothing"),
                    1);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("record", "-o", files.heard, "--from", files.capture, "--game",
                                 "flush-rush", "--play", "bet", "--bet", "ante=500"),
                            "no wager was heard of, so who plays is not known"),
        1);
    CU_ASSERT_EQUAL(access(files.heard, F_OK), -1);
    /* Cut off in the middle of the last round. */
    bytes = scratch_read(files.capture, &length);
    scratch_write(files.capture, bytes, length * 6 / 10);
    free(bytes);
    result = CALL("record", "-o", files.heard, "--from", files.capture, "--game", "flush-rush",
                  "--play", "bet", "--bet", "ante=500", "--seats", "1-4");
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "the packets before it are good"));
    CU_ASSERT(strstr(result.out, "recorded: 1 round in") ||
              strstr(result.out, "recorded: 2 rounds in"));
    process_free(&result);
    remove_files(&files);
}

TEST(what_was_noted_and_what_was_heard_must_agree)
{
    struct files files = emulated();
    struct process_result result = CALL("observe", "-q", "--rig", files.rig, "--game",
                                        "chase-the-flush", "--rounds", "2", "--seats", "1,3");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    write_text(
        files.notes,
        "{\"round\":1,\"bets\":{\"1\":{\"ante\":500,\"x-tra\":500,\"stax\":500},\"3\":{\"ante\":"
        "500,\"x-tra\":500,\"stax\":500}},\"play\":{\"1\":[\"bet\"],\"3\":[\"bet\"]}}\n"
        "{\"round\":2,\"bets\":{\"1\":{\"ante\":500,\"x-tra\":500},\"3\":{\"ante\":"
        "500,\"x-tra\":500,\"stax\":500}},\"play\":{\"1\":[\"bet\"],\"3\":[\"bet\"]}}\n");
    result = FROM("--notes", files.notes);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 2 is left out: stax is noted at seats 3 and "
                                              "was heard at seats 1, 3"));
    process_free(&result);
    unlink(files.heard);
    unlink(files.heard_expect);
    CU_ASSERT_EQUAL(process_status_with(FROM("--play", "bet", "--bet", "ante=500", "--seats", "1"),
                                        "a wager was heard at seats 1, 3, and not all of them are "
                                        "said to play"),
                    1);
    /* Who has a wager is all who plays. */
    CU_ASSERT_EQUAL(
        process_status_with(FROM("--play", "bet", "--bet", "ante=500"), "recorded: 2 rounds"), 0);
    remove_files(&files);
}

TEST(the_header_says_what_was_heard_and_what_was_given)
{
    struct files files = emulated();
    struct process_result result =
        CALL("observe", "-q", "--rig", files.rig, "--game", "chase-the-flush", "--rounds", "1");
    json_t *header, *source;
    size_t length;
    char *text;

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    CU_ASSERT_EQUAL(process_status_with(FROM("--play", "bet", "--bet", "ante=500", "--by", "me"),
                                        "recorded: 1 round"),
                    0);
    text = scratch_read(files.heard, &length);
    *strchr(text, '\n') = '\0';
    header = json_loads(text, 0, NULL);
    source = json_object_get(header, "source");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(source, "device")), "DP-SHUF1 S-17");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(source, "decisions")), "policy bet");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(source, "wagers")),
                           "given, stax heard");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(source, "by")), "me");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(source, "devices")), "emulated");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(json_string_value(json_object_get(source, "capture")), ".pcap sha256 "));
    json_decref(header);
    free(text);
    remove_files(&files);
}

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

static struct files observe_three(void)
{
    struct files files = emulated();
    struct process_result result = CALL("observe", "-q", "--rig", files.rig, "--game", "flush-rush",
                                        "--rounds", "3", "--seats", "1");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    write_text(files.notes,
               "{\"round\":1,\"bets\":{\"1\":{\"ante\":500}},\"play\":{\"1\":[\"fold\"]}}\n"
               "{\"round\":2,\"bets\":{\"1\":{\"ante\":600}},\"play\":{\"1\":[\"fold\"]}}\n"
               "{\"round\":3,\"bets\":{\"1\":{\"ante\":700}},\"play\":{\"1\":[\"fold\"]}}\n");
    return files;
}

#define NOTED(files)                                                                               \
    CALL("record", "-o", (files).heard, "--from", (files).capture, "--notes", (files).notes,       \
         "--game", "flush-rush")

TEST(a_deal_that_was_not_heard_shifts_no_note)
{
    struct files files = observe_three();
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
    remove_files(&files);
}

TEST(a_shuffle_that_was_not_heard_alone_costs_its_deals_and_shifts_no_note)
{
    struct files files = observe_three();
    unsigned packet = find_packet(files.capture, "SHUFFLED", 2);
    struct process_result result;

    cut_out(files.capture, packet, packet + 1);
    result = NOTED(files);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: nothing"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "1 event of the shuffler in it or after it was not "
                                              "heard"));
    process_free(&result);
    remove_files(&files);
}

TEST(an_event_that_was_not_heard_costs_the_round_that_it_is_of)
{
    struct files files = observe_three();
    unsigned packet = find_packet(files.capture, "PACKET TAKEN", 3);
    struct process_result result;

    cut_out(files.capture, packet, packet + 1);
    result = NOTED(files);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "recorded: 2 rounds in"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "1 left out"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "round 2 is left out: 1 event of the shuffler"));
    process_free(&result);
    remove_files(&files);
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
    struct files files = observe_three();
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
    remove_files(&files);
}

TEST(a_gap_on_a_line_that_numbers_no_events_costs_the_round)
{
    struct files files = make_files(angel_rig);
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
    remove_files(&files);
}

/* The text of a source's field; "" where there is none. */
static void read_source(const char *shoe, const char *field, char text[64])
{
    size_t length;
    char *line = scratch_read(shoe, &length);
    json_t *header;
    const char *value;

    *strchr(line, '\n') = '\0';
    header = json_loads(line, 0, NULL);
    value = json_string_value(json_object_get(json_object_get(header, "source"), field));
    snprintf(text, 64, "%s", value ? value : "");
    json_decref(header);
    free(line);
}

TEST(a_recording_of_a_table_in_test_mode_says_so)
{
    struct files files = observe_three();
    struct process_result result;
    char mode[64];

    process_free((struct process_result[]){NOTED(files)});
    read_source(files.heard, "mode", mode);
    CU_ASSERT_STRING_EQUAL(mode, "");
    remove_files(&files);
    /* Recordings are played in test mode, where their order is loaded. */
    files = observe_three();
    unlink(files.capture);
    result = CALL("run", "-q", "--rig", files.rig, "fixtures/flush-rush/last-seat-alone.shoe");
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    CU_ASSERT_EQUAL(process_status_with(CALL("record", "-o", files.heard, "--from", files.capture,
                                             "--play", "bet", "--bet", "ante=500", "--seats", "6",
                                             "--game", "flush-rush"),
                                        "was in test mode"),
                    0);
    read_source(files.heard, "mode", mode);
    CU_ASSERT_STRING_EQUAL(mode, "test");
    CU_ASSERT_EQUAL(process_status_with(CALL("run", files.heard), "1 pass"), 0);
    remove_files(&files);
}
