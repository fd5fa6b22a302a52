/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof run on recordings and expectations that are written here, line by line. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){"run", __VA_ARGS__, NULL})

/* The first line of each file, then the rounds. */
#define RUSH_HEADER "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
#define RUSH_ROUND(number, wager)                                                                  \
    "{\"round\":" number ",\"bets\":{\"7\":{\"" wager                                              \
    "\":1000}},\"dealt\":[\"9d 8d 7d 6d\",\"Td 2s 3c 5d\"],\"play\":{\"7\":[\"bet\",\"bet\"]}}\n"
#define RUSH_EXPECTED(number)                                                                      \
    "{\"round\":" number ",\"board\":[\"Td\",\"2s\",\"3c\"],\"burned\":[\"5d\"],\"seats\":{\"7\":" \
    "{\"cards\":[\"9d\",\"8d\",\"7d\",\"6d\"],\"hand\":\"5-card straight "                         \
    "flush\",\"net\":{\"ante\":"                                                                   \
    "100000,\"bet-1\":1000,\"bet-2\":1000},\"total\":102000}},\"jackpots\":[],\"meters\":{}}\n"

/* Runs a recording of those lines and removes it; the journal stays, if there is to be one. */
static int status_with_journal(const char *recorded, const char *expected, const char *journal,
                               const char *words)
{
    char base[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    int status;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    scratch_write(shoe, recorded, strlen(recorded));
    scratch_write(expect, expected, strlen(expected));
    status = process_status_with(journal ? RUN("--journal", journal, shoe) : RUN(shoe), words);
    unlink(shoe);
    unlink(expect);
    return status;
}

static int status_of_lines(const char *recorded, const char *expected, const char *words)
{
    return status_with_journal(recorded, expected, NULL, words);
}

TEST(a_recording_without_a_round_is_refused_before_anything_is_played)
{
    CU_ASSERT_EQUAL(
        status_of_lines(RUSH_HEADER, "", ".shoe: has no round; there is nothing to check"), 2);
    CU_ASSERT_EQUAL(status_of_lines(RUSH_HEADER, "", "none was played"), 2);
    CU_ASSERT_EQUAL(
        status_of_lines(RUSH_HEADER RUSH_ROUND("1", "ante"), RUSH_EXPECTED("1"), "1 pass"), 0);
}

TEST(an_empty_line_is_said_to_be_empty)
{
    CU_ASSERT_EQUAL(status_of_lines(RUSH_HEADER RUSH_ROUND("1", "ante") "\n", RUSH_EXPECTED("1"),
                                    "(the line of the recording is empty; remove it)"),
                    1);
    CU_ASSERT_EQUAL(status_of_lines(RUSH_HEADER RUSH_ROUND("1", "ante"), RUSH_EXPECTED("1") "\n",
                                    ".expect:2: the line is empty; remove it"),
                    2);
    CU_ASSERT_EQUAL(status_of_lines(RUSH_HEADER RUSH_ROUND("1", "ante"),
                                    RUSH_EXPECTED("1") RUSH_EXPECTED("1"),
                                    ".expect:2: expects a round that"),
                    2);
}

/* Not after ten rounds, on devices that were to be spared. */
TEST(a_line_of_an_expectation_that_is_none_is_named_before_anything_is_played)
{
    static const char two[] = RUSH_HEADER RUSH_ROUND("1", "ante") RUSH_ROUND("2", "ante");

    CU_ASSERT_EQUAL(
        status_of_lines(two, RUSH_EXPECTED("1") "nonsense\n", ".expect:2: not valid JSON"), 2);
    CU_ASSERT_EQUAL(status_of_lines(two, RUSH_EXPECTED("1") "[]\n", ".expect:2: the line"), 2);
    CU_ASSERT_EQUAL(
        status_of_lines(two, "\n" RUSH_EXPECTED("1"), ".expect:1: the line is empty; remove it"),
        2);
    CU_ASSERT_EQUAL(status_of_lines(two, RUSH_EXPECTED("1") "{\"a\":1,\"a\":2}\n",
                                    "1 of 1 recording cannot be used; none was played"),
                    2);
}

TEST(a_field_that_no_expectation_has_is_named)
{
    CU_ASSERT_EQUAL(status_of_lines(RUSH_HEADER RUSH_ROUND("1", "antee"),
                                    "{\"round\":1,\"error\":\"antee\",\"foo\":1}\n",
                                    "round 1, foo: expectation: expected 1, got null"),
                    1);
}

TEST(no_device_is_blamed_for_a_round_that_it_was_not_asked_to_deal)
{
    CU_ASSERT_EQUAL(status_of_lines(RUSH_HEADER RUSH_ROUND("1", "ante") RUSH_ROUND("2", "antee"),
                                    RUSH_EXPECTED("1") RUSH_EXPECTED("2"),
                                    "no device was asked; expectation and engine disagree"),
                    1);
}

#define CHASE_HEADER "{\"shoe\":1,\"game\":\"chase-the-flush\"}\n"
#define CHASE_KEYS(number, hand)                                                                   \
    "{\"round\":" number ",\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"          \
    "\"dealt\":[\"2c 7d 9h\",\"3d 8s Kc\",\"5c 9s Jd Qh\"],"                                       \
    "\"play\":{\"1\":[\"check\",\"check\",\"fold\"]},\"keys\":[\"start-round\",\"seat-1\","        \
    "\"" hand "\",\"pending-jackpot\",\"cancel-jackpot\",\"end-round\"]}\n"

#define CHASE_SEAT(number, seat, more)                                                             \
    "{\"round\":" number ",\"bets\":{\"" seat "\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"   \
    "\"dealt\":[\"2c 7d 9h\",\"3d 8s Kc\",\"5c 9s Jd Qh\"],"                                       \
    "\"play\":{\"" seat "\":[\"check\",\"check\",\"fold\"]}" more "}\n"

TEST(a_hand_that_the_terminal_cannot_have_is_an_error_of_its_round_alone)
{
    CU_ASSERT_EQUAL(
        status_of_lines(CHASE_HEADER CHASE_KEYS("1", "hand:7-card straight flash")
                            CHASE_KEYS("2", "seat-8"),
                        "{\"round\":1,\"error\":\"'hand:7-card straight flash' names no hand\"}\n"
                        "{\"round\":2,\"error\":\"no key 'seat-8'\"}\n",
                        "pass: 1 recording, 2 rounds, "),
        0);
}

/* START ROUND, then approvals that are given up with all their keys, or keys that are refused. */
static void write_many_keys(char *text, unsigned count, bool approves)
{
    static const char *const ways[] = {"seat-1",      "hand",       "pending-jackpot",
                                       "pay-jackpot", "wrong-code", "esc"};

    text += sprintf(text, CHASE_HEADER
                    "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"
                    "\"dealt\":[\"2c 7d 9h\",\"3d 8s Kc\",\"5c 9s Jd Qh\"],\"play\":"
                    "{\"1\":[\"check\",\"check\",\"fold\"]},\"keys\":[\"start-round\"");
    for (unsigned i = 0; i < count - 2; i++)
        text += sprintf(text, ",\"%s\"", approves && i < (count - 2) / 6 * 6 ? ways[i % 6] : "ok");
    sprintf(text, ",\"end-round\"]}\n");
}

#define CHASE_LOST                                                                                 \
    "{\"round\":1,\"board\":[\"5c\",\"9s\",\"Jd\",\"Qh\"],\"burned\":[],\"dealer\":{\"cards\":["   \
    "\"3d\",\"8s\",\"Kc\"],\"hand\":\"2-card flush\",\"qualifies\":false},\"seats\":{\"1\":{"      \
    "\"cards\":[\"2c\",\"7d\",\"9h\"],\"hand\":\"2-card flush\",\"net\":{\"ante\":-1000,"          \
    "\"x-tra\":-1000,\"stax\":-500},\"total\":-2500}},\"jackpots\":[],\"meters\":{"                \
    "\"star\":\"10000.100000\",\"spade\":\"2500.250000\",\"heart\":\"1000.250000\","               \
    "\"diamond\":\"500.250000\"}}\n"

TEST(as_many_keys_are_pressed_as_a_round_may_have)
{
    char text[8192];

    for (unsigned i = 0; i < 2; i++) {
        write_many_keys(text, 256, i);
        CU_ASSERT_EQUAL(status_of_lines(text, CHASE_LOST, "pass: 1 recording, 1 round, "), 0);
    }
    write_many_keys(text, 257, false);
    CU_ASSERT_EQUAL(
        status_of_lines(text, "{\"round\":1,\"error\":\"keys has 257 entries\"}\n", "1 pass"), 0);
}

/* Such a header can be settled, and played on a bench without a terminal. */
TEST(a_must_hit_that_one_round_fills_is_told_before_anything_is_played)
{
    static const char lines[] =
        "{\"shoe\":1,\"game\":\"chase-the-flush\",\"must-hit\":{\"reset\":\"250.00\","
        "\"hit-by\":\"250.349999\",\"rate\":\"1.00\"}}\n" CHASE_KEYS("1", "unknown-hand");

    CU_ASSERT_EQUAL(status_of_lines(lines, "{}\n", ".shoe:1: must-hit: no terminal can be set up"),
                    2);
    CU_ASSERT_EQUAL(status_of_lines(lines, "{}\n", "none was played"), 2);
}

/* Keys that the terminal must refuse are refused, and change nothing. */
TEST(recorded_keys_are_pressed_and_refused_where_they_must_be)
{
    static const char from[] = "fixtures/chase-the-flush/cancelled-round-adds-nothing";
    static const char plain[] = "[\"start-round\",\"cancel-round\"]";
    char base[SCRATCH_PATH_SIZE], shoe[96], expect[96], line[96], *text, *expected, *at;
    size_t length;
    FILE *out;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    snprintf(line, sizeof line, "%s.shoe", from);
    text = scratch_read(line, &length);
    at = strstr(text, plain);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    out = fopen(shoe, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fprintf(out, "%.*s[\"start-round\",\"start-round\",\"ok\",\"seat-7\",\"cancel-round\"]%s",
            (int)(at - text), text, at + sizeof plain - 1);
    fclose(out);
    snprintf(line, sizeof line, "%s.expect", from);
    expected = scratch_read(line, &length);
    scratch_write(expect, expected, length);
    CU_ASSERT_EQUAL(process_status_with(RUN(shoe), "3 pass"), 0);
    unlink(shoe);
    unlink(expect);
    free(text);
    free(expected);
}

/* Two rounds: seat 2 alone, then what `second` says. Status of a command on a table of three. */
static int status_of_three(const char *command, const char *second, const char *words)
{
    static const char rig_text[] = "rig: three\nclock: virtual\nseats: 3\ndevices:\n"
                                   "  shuffler: {address: 'emu:shuffler'}\n"
                                   "  terminal: {address: 'emu:terminal'}\n";
    static const char expected[] = "{\"round\":1}\n{\"round\":8}\n";
    char base[SCRATCH_PATH_SIZE], shoe[96], expect[96], rig[96], text[2048];
    int length = snprintf(text, sizeof text, CHASE_HEADER CHASE_SEAT("1", "2", "") "%s", second);
    int status;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    snprintf(rig, sizeof rig, "%s.yaml", base);
    scratch_write(shoe, text, (size_t)length);
    scratch_write(rig, rig_text, sizeof rig_text - 1);
    scratch_write(expect, expected, sizeof expected - 1);
    status =
        process_status_with(run((const char *const[]){command, "--rig", rig, shoe, NULL}), words);
    unlink(shoe);
    unlink(expect);
    unlink(rig);
    return status;
}

TEST(a_seat_that_the_table_of_the_rig_has_not_is_told_before_anything_is_played)
{
    static const char seat_4[] = CHASE_SEAT("8", "4", "");
    static const char wagers[] = CHASE_SEAT(
        "8", "3",
        ",\"keys\":[\"wagers:3,5\",\"start-round\",\"cancel-round\",\"wagers:3\",\"start-round\","
        "\"end-round\"]");

    CU_ASSERT_EQUAL(status_of_three("run", seat_4,
                                    ".shoe:3: round 8: seat 4 is played, but the table of the rig "
                                    "has 3 seats; "),
                    2);
    CU_ASSERT_EQUAL(status_of_three("run", seat_4, "none was played"), 2);
    CU_ASSERT_EQUAL(status_of_three("settle", seat_4, ".shoe:3: round 8: seat 4 is played, "), 2);
    CU_ASSERT_EQUAL(status_of_three("run", wagers, ".shoe:3: round 8: seat 5 is played, but"), 2);
    CU_ASSERT_EQUAL(status_of_three("settle", wagers, ".shoe:3: round 8: seat 5 is played, but"),
                    2);
    CU_ASSERT_EQUAL(status_of_three("settle", CHASE_SEAT("8", "3", ""), "\"round\":8"), 0);
    /* What cannot be read is an error of its round. */
    CU_ASSERT_EQUAL(status_of_three("settle", "{\"round\":8}\n", "bets is missing"), 1);
}

/* Lines of a recording that no reader of JSON takes, with what 'settle' says of them. */
TEST(a_recording_with_lines_that_are_no_json_leaves_a_journal_that_verifies)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n";
    static const char bad[] = "garbage\n{\"round\":2,\"bets\":{\n\"\xff\xfe\n{\"a\":1}}\n\0\n";
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16], expect[SCRATCH_PATH_SIZE + 16];
    char journal[SCRATCH_PATH_SIZE], deep[5000], *text;
    struct process_result settled;
    FILE *out;
    size_t length;

    scratch_path(folder);
    scratch_path(journal);
    snprintf(shoe, sizeof shoe, "%s.shoe", folder);
    snprintf(expect, sizeof expect, "%s.expect", folder);
    memset(deep, '[', sizeof deep);
    out = fopen(shoe, "we");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fwrite(header, 1, sizeof header - 1, out);
    fwrite(bad, 1, sizeof bad - 1, out);
    fwrite(deep, 1, sizeof deep, out);
    /* The deepest that may stand in a recording has no room in a line of the journal. */
    fprintf(out, "\n%.*s", 2048, deep);
    memset(deep, ']', sizeof deep);
    fprintf(out, "%.*s\n", 2048, deep);
    fclose(out);
    settled = run((const char *const[]){"settle", shoe, NULL});
    scratch_write(expect, settled.out, settled.out_length);
    process_free(&settled);
    CU_ASSERT_EQUAL(process_status_with(RUN("--journal", journal, shoe), "7 rounds"), 0);
    CU_ASSERT_EQUAL(process_status_with(run((const char *const[]){"verify", journal, NULL}),
                                        "7 rounds: intact"),
                    0);
    text = scratch_read(journal, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",\"round\":0,\"played\":\"garbage\"}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",\"round\":2,\"played\":\"{\\\"round\\\":2,"));
    free(text);
    unlink(shoe);
    unlink(expect);
    unlink(journal);
}

/* The text of an error quotes what was wrong; expectations may hold anything. */
TEST(what_differs_with_quotes_in_it_leaves_a_journal_that_verifies)
{
    static const char recorded[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
                                   "{\"round\":1,\"bets\":{\"2\":{\"ante\":\"500\"}},"
                                   "\"dealt\":[],\"play\":{}}\n";
    static const char *const expected[] = {
        "{\"round\":1,\"seats\":{}}\n", "{\"round\":1,\"error\":\"x\\\",\\\"retry\\\":\\\"1\"}\n"};

    for (size_t i = 0; i < 2; i++) {
        char journal[SCRATCH_PATH_SIZE];
        const char *const verify_it[] = {"verify", journal, NULL};
        char *text;
        size_t length;

        scratch_path(journal);
        CU_ASSERT_EQUAL(status_with_journal(recorded, expected[i], journal, "refused-round"), 1);
        CU_ASSERT_EQUAL(process_status_with(run(verify_it), "1 round: intact"), 0);
        text = scratch_read(journal, &length);
        CU_ASSERT_PTR_NULL(strstr(text, "\"retry\":\"1\""));
        free(text);
        unlink(journal);
    }
}

/* 42 cards are burned: two seats and the dealer get nine, and each of the three might draw one. */
#define CATCH_HEADER "{\"shoe\":1,\"game\":\"three-card-catch\",\"burn\":42}\n"
#define CATCH_BURN                                                                                 \
    "6d Jc Ah Th 2c 4s 8s Ts 8d 5s 7d 9d Qc Ks 2h 2s 2d 3c 3d Kc 8h 9s Qd Qh Qs 8c 7s 6h 3s 4c "   \
    "As Ac 9c 6s 7c Kh Jh 5h Ad Tc 7h Jd"
#define CATCH_ONE                                                                                  \
    "{\"round\":1,\"bets\":{\"1\":{\"ante\":100,\"x-tra\":100}},\"dealt\":[\"" CATCH_BURN          \
    "\",\"4d 4h 5c\",\"5d 6c 9h\"],\"play\":{\"1\":[\"fold\"]}}\n"
#define CATCH_TWO(dealt, more)                                                                     \
    "{\"round\":2,\"bets\":{\"1\":{\"ante\":100,\"x-tra\":100},\"2\":{\"ante\":100,\"x-tra\":100}" \
    "},"                                                                                           \
    "\"dealt\":[" dealt "]" more "}\n"
#define CATCH_PACKETS "\"" CATCH_BURN "\",\"4d 4h 5c\",\"5d 6c 9h\",\"Js Td Kd\""
#define CATCH_FOLDS   ",\"play\":{\"1\":[\"fold\"],\"2\":[\"fold\"]}"

/* Plays what is settled by the program itself, after that header; or settles it. */
static int status_of_catch(bool settles, const char *rounds, const char *words)
{
    char recorded[4096];
    struct process_result settled;
    int length = snprintf(recorded, sizeof recorded, CATCH_HEADER "%s", rounds), status;

    settled = process_run((const char *const[]){"settle", "-", NULL},
                          process_input(recorded, (size_t)length));
    status = settles ? process_status_with(settled, words)
                     : status_of_lines(recorded, settled.out, words);
    if (!settles)
        process_free(&settled);
    return status;
}

TEST(a_round_that_no_machine_can_be_told_to_deal_is_named_before_anything_is_played)
{
    static const char two[] = CATCH_ONE CATCH_TWO(CATCH_PACKETS, CATCH_FOLDS);
    static const char misdeal[] =
        CATCH_ONE CATCH_TWO("\"" CATCH_BURN "\",\"4d 4h 5c\"", ",\"play\":{},\"void\":\"misdeal\"");

    CU_ASSERT_EQUAL(status_of_catch(false, two,
                                    ".shoe:3: round 2: this program cannot be dealt: a deck has 52 "
                                    "cards and it takes 54; a machine is told before anybody"),
                    2);
    CU_ASSERT_EQUAL(status_of_catch(false, two, "none was played"), 2);
    CU_ASSERT_EQUAL(status_of_catch(false, misdeal, ".shoe:3: round 2: this program"), 2);
    CU_ASSERT_EQUAL(status_of_catch(true, two, "\"round\":2,"), 0);
    CU_ASSERT_EQUAL(status_of_catch(true, misdeal, "\"round\":2,"), 0);
    CU_ASSERT_EQUAL(status_of_catch(false, CATCH_ONE, "1 pass"), 0);
}

/* What can be read only once is told when its turn comes. */
TEST(a_round_of_a_pipe_that_no_machine_can_be_told_to_deal_ends_the_run)
{
    static const char expect[] = "{\"round\":2}\n";
    static const char recorded[] = CATCH_HEADER CATCH_TWO(CATCH_PACKETS, CATCH_FOLDS);
    char base[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 8], expected[SCRATCH_PATH_SIZE + 8];
    int written[2];

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expected, sizeof expected, "%s.expect", base);
    scratch_write(expected, expect, sizeof expect - 1);
    CU_ASSERT_EQUAL_FATAL(mkfifo(shoe, 0600), 0);
    written[0] = open(shoe, O_RDWR | O_CLOEXEC);
    written[1] = open(shoe, O_WRONLY | O_CLOEXEC);
    CU_ASSERT_EQUAL(write(written[1], recorded, sizeof recorded - 1), (ssize_t)sizeof recorded - 1);
    CU_ASSERT_EQUAL(process_status_with(RUN(shoe), ":2: round 2: this program cannot be dealt"), 2);
    close(written[0]);
    close(written[1]);
    unlink(shoe);
    unlink(expected);
}

TEST(what_is_never_dealt_needs_no_machine_that_can_be_told)
{
    /* Void before its first card; refused, for one card is there twice. */
    CU_ASSERT_EQUAL(status_of_catch(false,
                                    CATCH_ONE CATCH_TWO("", ",\"play\":{},\"void\":\"misdeal\""),
                                    "2 pass"),
                    0);
    CU_ASSERT_EQUAL(status_of_catch(false,
                                    CATCH_ONE CATCH_TWO("\"" CATCH_BURN
                                                        "\",\"4d 4h 5c\",\"5d 6c 9h\",\"Js Td 4d\"",
                                                        CATCH_FOLDS),
                                    "2 pass"),
                    0);
}
