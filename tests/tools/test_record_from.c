/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof record --from: recordings of tables that were only listened to. */
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/heard.h"
#include "tests/support/suite.h"

static void hear_what_was_played(struct heard_files files, const char *game)
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
    heard_expect_same_rounds(files.played, files.heard);
    heard_expect_same_file(files.played_expect, files.heard_expect);
    CU_ASSERT_EQUAL(process_status_with(CALL("run", files.heard), "12 pass"), 0);
    heard_remove(&files);
}

TEST(a_table_that_was_listened_to_is_recorded_as_it_was_played)
{
    static const char *const games[] = {"chase-the-flush", "flush-rush", "three-card-catch",
                                        "three-card-poker"};

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        hear_what_was_played(heard_emulated(), games[i]);
}

TEST(single_cards_of_a_shoe_are_recorded_as_they_were_played)
{
    hear_what_was_played(heard_make(heard_shoe_rig), "chase-the-flush");
    hear_what_was_played(heard_make(heard_shoe_rig), "three-card-catch");
    hear_what_was_played(heard_make(heard_angel_rig), "three-card-catch");
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
    struct heard_files files = heard_emulated();
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
        result = heard_run(told.arguments);
        CU_ASSERT_EQUAL(result.status, 0);
        if (result.status)
            printf("%s: %s\n", shoe, result.err);
        process_free(&result);
        heard_expect_same_file(expect, files.heard_expect);
    }
    heard_remove(&files);
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
    struct heard_files files = heard_emulated();
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
    heard_remove(&files);
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
    struct heard_files files = heard_emulated();

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        heard_write_text(files.notes, wrong[i].text);
        CU_ASSERT_EQUAL(
            process_status_with(CALL("record", "-o", files.heard, "--from", files.capture,
                                     "--notes", files.notes, "--game", "flush-rush"),
                                wrong[i].words),
            2);
    }
    heard_remove(&files);
}

/* Only rounds that can be told whole are recorded; the others are named. */
TEST(a_round_that_cannot_be_told_whole_is_left_out_and_said)
{
    struct heard_files files = heard_emulated();
    struct process_result result = CALL("observe", "-q", "--rig", files.rig, "--game", "flush-rush",
                                        "--rounds", "3", "--seats", "1-4");
    size_t length;
    char *bytes;

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    heard_write_text(
        files.notes,
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
    heard_remove(&files);
}

TEST(what_was_noted_and_what_was_heard_must_agree)
{
    struct heard_files files = heard_emulated();
    struct process_result result = CALL("observe", "-q", "--rig", files.rig, "--game",
                                        "chase-the-flush", "--rounds", "2", "--seats", "1,3");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    heard_write_text(
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
    heard_remove(&files);
}

TEST(the_header_says_what_was_heard_and_what_was_given)
{
    struct heard_files files = heard_emulated();
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
    heard_remove(&files);
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
    struct heard_files files = heard_observe_three();
    struct process_result result;
    char mode[64];

    process_free((struct process_result[]){NOTED(files)});
    read_source(files.heard, "mode", mode);
    CU_ASSERT_STRING_EQUAL(mode, "");
    heard_remove(&files);
    /* Recordings are played in test mode, where their order is loaded. */
    files = heard_observe_three();
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
    heard_remove(&files);
}
