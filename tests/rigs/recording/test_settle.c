/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/suite.h"

#define CHASE "{\"shoe\":1,\"game\":\"chase-the-flush\"}\n"
#define CATCH "{\"shoe\":1,\"game\":\"three-card-catch\"}\n"
#define RUSH  "{\"shoe\":1,\"game\":\"flush-rush\"}\n"

#define BETS  "\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}}"
#define DEALT "\"dealt\":[\"As Ks 2d\",\"Qc Jc 2h\",\"3s 4s 5s 7h\"]"
#define PLAY  "\"play\":{\"1\":[\"bet\"]}"
#define AWARD(seat)                                                                                \
    "\"seat-" #seat                                                                                \
    "\",\"hand\",\"pending-jackpot\",\"pay-jackpot\",\"code\",\"pay-jackpot\",\"ok\""
#define GOOD(number) "{\"round\":" #number "," BETS "," DEALT "," PLAY "}\n"

static struct process_result settle_with(const char *jobs, const char *text, size_t length)
{
    const char *const arguments[] = {"settle", "--jobs", jobs, "-", NULL};

    return process_run(arguments, process_input(text, length));
}

static struct process_result settle(const char *text)
{
    return settle_with("1", text, strlen(text));
}

/* What went wrong where, on standard error, so that a failed case of a table is known. */
static void judge(bool good, const char *what, const struct process_result *result)
{
    if (!good)
        fprintf(stderr, "for %s: status %d\n%s%s", what, result->status, result->out, result->err);
    CU_ASSERT(good);
}

/* The line of a text, counted from 0, that must be there. */
static const char *line_of(const char *text, unsigned number, size_t *length)
{
    while (number-- && *text)
        text = strchrnul(text, '\n') + (*strchrnul(text, '\n') == '\n');
    *length = (size_t)(strchrnul(text, '\n') - text);
    return text;
}

static bool same_line(const char *a, unsigned at, const char *b, unsigned bt)
{
    size_t a_length, b_length;
    const char *a_line = line_of(a, at, &a_length), *b_line = line_of(b, bt, &b_length);

    return a_length && a_length == b_length && !memcmp(a_line, b_line, a_length);
}

struct bad_round {
    const char *line;
    const char *number;
    const char *reason;
};

static const struct bad_round bad_rounds[] = {
    {"{\"round\":2," BETS ",\"dealt\":[\"As Ks 2d\",\"Qc Jc As\",\"3s 4s 5s 7h\"]," PLAY "}", "2",
     "As is dealt twice"},
    {"{\"round\":2," BETS ",\"dealt\":[\"As 1s 2d\",\"Qc Jc 2h\",\"3s 4s 5s 7h\"]," PLAY "}", "2",
     "dealt: packet 1: card 2, '1s', has no known rank"},
    {"{\"round\":2," BETS ",\"dealt\":[\"As Ks 2d 3d 4d\",\"Qc Jc 2h\",\"3s 4s 5s 7h\"]," PLAY "}",
     "2", "packet 1, for seat 1: expected 3 cards, got 5"},
    {"{\"round\":2," BETS ",\"dealt\":[\"As Ks 2d\",\"\",\"3s 4s 5s 7h\"]," PLAY "}", "2",
     "dealt: packet 2: no card in it"},
    {"{\"round\":2," BETS ",\"dealt\":[\"As Ks 2d\",\"Qc Jc 2h\"]," PLAY "}", "2",
     "packet 3 is missing"},
    {"{\"round\":2," BETS "," DEALT "}", "2", "play is missing; it must be an object"},
    {"{\"round\":2," BETS "," DEALT ",\"play\":{}}", "2", "seat 1: decision 1 is missing"},
    {"{\"round\":2," BETS "," DEALT ",\"play\":{\"1\":[\"check\",\"check\",\"fold\",\"bet\"]}}",
     "2", "seat 1: 4 decisions; chase-the-flush asks for at most 3"},
    {"{\"round\":2," BETS "," DEALT ",\"play\":{\"1\":[\"bet\",\"bet\"]}}", "2",
     "no decision follows 'bet'"},
    {"{\"round\":2," BETS "," DEALT ",\"play\":{\"1\":[\"fold\"]}}", "2",
     "seat 1: decision 1 of chase-the-flush is 'check' or 'bet', not 'fold'"},
    {"{\"round\":2," BETS "," DEALT ",\"play\":{\"1\":[\"raise\"]}}", "2",
     "seat 1: decision 1 cannot be 'raise'"},
    {"{\"round\":2," BETS "," DEALT ",\"play\":{\"1\":[\"bet\"],\"2\":[\"bet\"]}}", "2",
     "seat 2 plays without a bet"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":900}}," DEALT "," PLAY "}", "2",
     "x-tra of 900 cents must equal ante of 1000 cents"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":400}}," DEALT "," PLAY
     "}",
     "2", "stax must be exactly 500 cents, not 400"},
    {"{\"round\":2,\"bets\":{\"0\":{\"ante\":1000,\"x-tra\":1000}}," DEALT "," PLAY "}", "2",
     "bets: there is no seat '0'; seats are 1 to 7"},
    {"{\"round\":2,\"bets\":{\"8\":{\"ante\":1000,\"x-tra\":1000}}," DEALT "," PLAY "}", "2",
     "bets: there is no seat '8'"},
    {"{\"round\":2,\"bets\":{\"99\":{\"ante\":1000,\"x-tra\":1000}}," DEALT "," PLAY "}", "2",
     "bets: there is no seat '99'"},
    {"{\"round\":2,\"bets\":{\"10\":{\"ante\":1000,\"x-tra\":1000}}," DEALT "," PLAY "}", "2",
     "bets: there is no seat '10'"},
    {"{\"round\":2,\"bets\":{\"1\":{}}," DEALT "," PLAY "}", "2",
     "seat 1: no wager; leave out a seat that does not play"},
    {"{\"round\":2,\"bets\":{\"01\":{\"ante\":1000,\"x-tra\":1000}}," DEALT "," PLAY "}", "2",
     "bets: there is no seat '01'"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":-1000,\"x-tra\":-1000}}," DEALT "," PLAY "}", "2",
     "seat 1: ante is -1000; it must be from 1 to 100000000 cents"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":0,\"x-tra\":0}}," DEALT "," PLAY "}", "2",
     "seat 1: ante is 0"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":100000001,\"x-tra\":100000001}}," DEALT "," PLAY "}",
     "2", "seat 1: ante is 100000001"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":99999999999999999999,\"x-tra\":1}}," DEALT "," PLAY
     "}",
     "2", "too big integer"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":1000.0,\"x-tra\":1000}}," DEALT "," PLAY "}", "2",
     "seat 1: ante must be an integer, not 1000.0"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"tip\":1}}," DEALT "," PLAY "}",
     "2", "seat 1: chase-the-flush has no wager 'tip'"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":1000,\"ante\":1000}}," DEALT "," PLAY "}", "2",
     "duplicate object key"},
    {"{\"round\":2,\"bets\":{}," DEALT "," PLAY "}", "2", "bets is empty"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"dealer\":\"Ann\"}", "2",
     "unknown field 'dealer' in a round"},
    {"{\"dealer\":\"Ann\",\"round\":2," BETS "," DEALT "," PLAY "}", "2",
     "unknown field 'dealer' in a round"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"must-hit\":{\"seat\":1}}", "2",
     "the header sets up no Must Hit meter"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"keys\":[\"start-round\",\"reboot\"]}", "2",
     "the terminal has no key 'reboot'"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"keys\":[\"hand:7-card straight flash\"]}", "2",
     "keys: 'hand:7-card straight flash' names no hand of stax; unknown-hand is"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"keys\":[\"correct-meter:star\"]}", "2",
     "a correction is written as correct-meter:NAME=DOLLARS, not 'star'"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"keys\":[\"correct-meter:sun=1.00\"]}", "2",
     "correct-meter: there is no meter 'sun' at this table"},
    {"{\"round\":2,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500},"
     "\"2\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}}," DEALT "," PLAY
     ",\"keys\":[\"start-round\"," AWARD(2) ",\"correct-meter:star=1.00\"," AWARD(
         1) ",\"end-round\"]}",
     "2", "a meter is corrected between two awards"},
    {"{\"round\":2," BETS "," DEALT "," PLAY ",\"keys\":[\"wagers:1,\",\"start-round\"]}", "2",
     "the terminal has no key 'wagers:1,'"},
    {"{\"round\":2," BETS "," DEALT "," PLAY
     ",\"keys\":[\"wagers:3,5\",\"start-round\",\"end-round\"]}",
     "2", "wagers lie at 3, 5 at the last START ROUND, but the bets have them at "},
    {"{\"round\":2," BETS "," DEALT "," PLAY
     ",\"keys\":[\"wagers:3\",\"start-round\",\"wagers:1\",\"cancel-round\"]}",
     "2", "wagers:1 in a round that is open: they are late"},
    {"{\"round\":2," BETS ",\"dealt\":[\"As Ks", "2", "not valid JSON"},
    {"{\"round\":0," BETS "," DEALT "," PLAY "}", "0", "round is 0; it must be from 1"},
    {"{\"round\":\"2\"," BETS "," DEALT "," PLAY "}", "null",
     "round must be an integer, not \"2\""},
    {"{" BETS "," DEALT "," PLAY "}", "null", "round is missing"},
    {"", "null", "not valid JSON"},
    {"[2]", "null", "the line must be an object, not [2]"},
    {"\x1b\x80\xff\x01 garbage", "null", "not valid JSON"},
};

TEST(a_bad_round_is_named_and_the_rest_goes_on)
{
    struct process_result plain = settle(CHASE GOOD(1) GOOD(3));

    judge(plain.status == 0, "good rounds", &plain);
    for (size_t i = 0; i < sizeof bad_rounds / sizeof bad_rounds[0]; i++) {
        const struct bad_round *bad = &bad_rounds[i];
        struct process_result result;
        char text[4096], start[64], where[64];
        size_t length;
        bool numbered = strcmp(bad->number, "null") != 0;

        snprintf(text, sizeof text, CHASE GOOD(1) "%s\n" GOOD(3), bad->line);
        snprintf(start, sizeof start, "{\"round\":%s,\"error\":\"", bad->number);
        snprintf(where, sizeof where, "standard input:3: %s%s%s", numbered ? "round " : "",
                 numbered ? bad->number : "", numbered ? ": " : "");
        result = settle(text);
        judge(result.status == 1 && same_line(result.out, 0, plain.out, 0) &&
                  same_line(result.out, 2, plain.out, 1) &&
                  !strncmp(line_of(result.out, 1, &length), start, strlen(start)) &&
                  !strncmp(result.err, where, strlen(where)) && strstr(result.err, bad->reason),
              bad->line, &result);
        process_free(&result);
    }
    process_free(&plain);
}

/* 52 cards in order, but for one that another one stands in for or that is left out. */
static void deck_text(char *text, int without, const char *instead)
{
    for (int i = 0; i < 52; i++) {
        if (i == without && !instead)
            continue;
        text += sprintf(text, "%c%c ", "23456789TJQKA"[i % 13], "cdhs"[i / 13]);
        if (i == without)
            memcpy(text - 3, instead, 2);
    }
    text[-1] = '\0';
}

/* The same deck, but dealt from its top unless `dealt` says otherwise. */
static struct process_result settle_deck(int without, const char *instead, const char *dealt)
{
    char deck[160], text[1024];

    deck_text(deck, without, instead);
    snprintf(text, sizeof text, CHASE "{\"round\":1," BETS ",%s," PLAY ",\"deck\":\"%s\"}\n",
             dealt ? dealt : "\"dealt\":[\"2c 3c 4c\",\"5c 6c 7c\",\"8c 9c Tc Jc\"]", deck);
    return settle(text);
}

TEST(a_deck_has_52_cards_each_once)
{
    struct process_result whole = settle_deck(-1, NULL, NULL),
                          missing = settle_deck(20, NULL, NULL),
                          twice = settle_deck(20, "2c", NULL);

    judge(whole.status == 0, "a whole deck", &whole);
    judge(missing.status == 1 && strstr(missing.err, "51 cards; a deck has 52, and 9d is missing"),
          "51 cards", &missing);
    judge(twice.status == 1 && strstr(twice.err, "deck: 2c is there twice"), "a card twice",
          &twice);
    process_free(&whole);
    process_free(&missing);
    process_free(&twice);
}

TEST(what_is_dealt_comes_off_the_top_of_the_deck)
{
    struct process_result first = settle_deck(-1, NULL, DEALT);
    struct process_result last =
        settle_deck(-1, NULL, "\"dealt\":[\"2c 3c 4c\",\"5c 6c 7c\",\"8c 9c Tc Ad\"]");

    judge(first.status == 1 && strstr(first.err, "standard input:2: round 1: dealt: card 1 is As, "
                                                 "but the deck has 2c there"),
          "another deal", &first);
    judge(last.status == 1 && strstr(last.err, "dealt: card 10 is Ad, but the deck has Jc there"),
          "another last card", &last);
    process_free(&first);
    process_free(&last);
}

TEST(no_bet_follows_a_fold)
{
    struct process_result result =
        settle(RUSH "{\"round\":7,\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"As Ks 2d 3d\","
                    "\"3s 4s 5s 7h\"],\"play\":{\"1\":[\"fold\",\"bet\"]}}\n");

    judge(result.status == 1 &&
              strstr(result.err, "standard input:2: round 7: seat 1: 2 decisions, but no decision "
                                 "follows 'fold' as number 1"),
          "bet after fold", &result);
    process_free(&result);
}

static const char *const bad_headers[][2] = {
    {"", "empty; the first line must be the header"},
    {"\n", "not valid JSON"},
    {"\x7f"
     "ELF\x02",
     "not valid JSON"},
    {"{\"game\":\"flush-rush\"}", "shoe (the version of the format) is missing"},
    {"{\"shoe\":2,\"game\":\"flush-rush\"}",
     "shoe (the version of the format) is 2; this program reads version 1"},
    {"{\"shoe\":1}", "game is missing"},
    {"\xef\xbb\xbf{\"shoe\":1,\"game\":\"flush-rush\"}",
     "standard input:1: the line begins with a byte order mark; save the file without one"},
    {"{\"shoe\":1,\"game\":\"flush\\u0000rush\"}", "the character \\u0000 cannot be in a text"},
    {"{\"shoe\":1,\"ga\\u0000me\":1}", "the character \\u0000 cannot be in a text"},
    {"{\"shoe\":1,\"game\":\"faro\"}", "unknown game 'faro'; the games are chase-the-flush, "},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"dealer\":1}", "unknown field 'dealer' in the header"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"deal\":\"cards\"}",
     "deal: flush-rush is dealt in packets, never card by card"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"deal\":\"hand\"}", "deal is 'hand'"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"burn\":-1}", "burn is -1; it must be from 0 to 52"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"burn\":45}",
     "burn: 45 of 52 cards leave too few to deal flush-rush to one seat; at most 44"},
    {"{\"shoe\":1,\"game\":\"three-card-catch\",\"burn\":45}",
     "burn: 45 of 52 cards leave too few to deal three-card-catch to one seat; at most 44"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"tables\":{\"x-tra\":\"A\"}}",
     "tables: x-tra: flush-rush has no such wager"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"tables\":{\"x-tra\":\"C\"}}",
     "tables: x-tra: there is no table 'C'; it has A, B"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"tables\":{\"all-in\":\"A\"}}",
     "tables: all-in: it pays even money and has no table"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"rules\":{\"ace-low\":true}}",
     "rules: ace-low: chase-the-flush has no such rule"},
    {"{\"shoe\":1,\"game\":\"three-card-catch\",\"rules\":{\"ace-low\":\"yes\"}}",
     "rules: ace-low: it must be true or false, not \"yes\""},
    {"{\"shoe\":1,\"game\":\"three-card-catch\",\"rules\":{\"progressive-rounding\":\"down\"}}",
     "rules: progressive-rounding: it must be up or nearest, not 'down'"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"club\":\"1.00\"}}",
     "meters: club: there is no meter 'club' at this table"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"star\":10000}}",
     "meters: star: it must be a string, not 10000"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"star\":\"10,000\"}}",
     "meters: star: '10,000' is not an amount of dollars"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"must-hit\":\"1.00\"}}",
     "no meter 'must-hit'"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"must-hit\":\"500.01\"},\"must-hit\":"
     "{\"reset\":\"250.00\",\"hit-by\":\"500.00\",\"rate\":\"1.00\"}}",
     "must-hit cannot open at 500.010000"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"must-hit\":{\"reset\":\"1\",\"hit-by\":\"2\"}}",
     "must-hit: rate: it is missing; it must be a string"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"must-hit\":{\"reset\":\"1\",\"hit-by\":\"2\","
     "\"rate\":\"101\"}}",
     "must-hit: rate: '101' is not a rate"},
    {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"must-hit\":{\"reset\":\"0.009999\",\"hit-by\":"
     "\"2\",\"rate\":\"1\"}}",
     "must-hit: reset 0.009999 and hit-by 2.000000; the reset value must be at least 0.01"},
    {"{\"shoe\":1,\"game\":\"three-card-catch\",\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":"
     "\"500.00\",\"rate\":\"1.00\"}}",
     "must-hit needs a game with four meters or fewer, this one has 5"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":"
     "\"500.00\",\"rate\":\"1.00\"}}",
     "must-hit needs a progressive wager"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"where\":\"here\"}}",
     "unknown field 'where' in source"},
    {"{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"by\":7}}", "source: by must be a string"},
};

TEST(nothing_is_settled_after_a_bad_header)
{
    for (size_t i = 0; i < sizeof bad_headers / sizeof bad_headers[0]; i++) {
        struct process_result result;
        char text[2048];

        snprintf(text, sizeof text, "%s%s", bad_headers[i][0],
                 *bad_headers[i][0] ? "\n" GOOD(1) : "");
        result = settle(text);
        judge(result.status == 2 && !result.out_length &&
                  strstr(result.err, "standard input:1: ") && strstr(result.err, bad_headers[i][1]),
              bad_headers[i][0], &result);
        process_free(&result);
    }
}

TEST(a_last_line_without_newline_is_whole_and_a_header_alone_is_nothing)
{
    struct process_result header = settle(CATCH), with = settle(CHASE GOOD(1)), without;
    char text[] = CHASE GOOD(1);

    text[sizeof text - 2] = '\0';
    without = settle(text);
    judge(header.status == 2 && !header.out_length && strstr(header.err, "has no round"),
          "a header", &header);
    judge(without.status == 0 && with.out_length && !strcmp(with.out, without.out), "no newline",
          &without);
    process_free(&header);
    process_free(&with);
    process_free(&without);
}

TEST(what_cannot_be_opened_is_a_matter_of_usage)
{
    static const struct {
        const char *arguments[4];
        const char *reason;
    } cases[] = {
        {{"settle", "/nonexistent/x.shoe"}, "/nonexistent/x.shoe: cannot open: No such file"},
        {{"settle", "/"}, "/: is a directory"},
        {{"settle"}, "no recording given"},
        {{"settle", "a.shoe", "b.shoe"}, "'b.shoe' is the second"},
        {{"settle", "--jobs=0", "-"}, "--jobs is '0'; it must be from 1 to 64"},
        {{"settle", "--jobs=65", "-"}, "--jobs is '65'"},
        {{"settle", "--jobs=2x", "-"}, "--jobs is '2x'"},
        {{"settle", "--jobs"}, "--jobs needs a value"},
        {{"settle", "--check", "-"}, "--check needs files"},
        {{"settle", "--fast", "-"}, "unknown option '--fast'"},
        {{"settle", "--paytables=/nonexistent", "-"}, "/nonexistent: cannot open"},
        {{"settle", "--check", "/nonexistent"}, "/nonexistent: No such file"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result = process_run(cases[i].arguments, process_input(CHASE, 1));

        judge(result.status == 2 && !result.out_length && strstr(result.err, cases[i].reason),
              cases[i].reason, &result);
        process_free(&result);
    }
}

TEST(help_teaches_and_passes)
{
    const char *const arguments[] = {"settle", "--help", NULL};
    struct process_result result = process_run(arguments, process_input("", 0));

    judge(result.status == 0 && strstr(result.out, "Usage: dealproof settle") &&
              strstr(result.out, "Examples:") && !result.err_length,
          "--help", &result);
    process_free(&result);
}

TEST(a_full_disk_is_told_and_fails_the_bench)
{
    const char *const arguments[] = {"settle", "-", NULL};
    int in = process_input(CHASE GOOD(1), sizeof(CHASE GOOD(1)) - 1);
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    int err = memfd_create("err", MFD_CLOEXEC);
    char said[256] = "";

    CU_ASSERT_EQUAL(process_wait(process_start(arguments, in, full, err), NULL), 4);
    CU_ASSERT(pread(err, said, sizeof said - 1, 0) > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot write standard output: No space left on device"));
    close(in);
    close(full);
    close(err);
}

/* A recording with a bad line here and there. */
static char *mixed_recording(unsigned rounds, size_t *length)
{
    char *text = malloc((size_t)rounds * 1024 + 4096), *at = text;
    uint64_t seed = 42;

    at += rounds_header(at);
    for (unsigned i = 1; i <= rounds; i++) {
        at += rounds_line(at, 6, i, &seed);
        if (i % 37 == 0)
            at[-5] = '?';
        if (i % 101 == 0)
            at += sprintf(at, "{\"round\":%u}\n", i);
    }
    *length = (size_t)(at - text);
    return text;
}

TEST(the_number_of_threads_changes_no_byte)
{
    static const char *const jobs[] = {"2", "4", "64"};
    size_t length;
    char *text = mixed_recording(2000, &length);
    struct process_result one = settle_with("1", text, length);

    judge(one.status == 1 && one.out_length > length / 2 && one.err_length, "one thread", &one);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        struct process_result many = settle_with(jobs[i], text, length);

        CU_ASSERT_EQUAL(many.status, 1);
        CU_ASSERT(many.out_length == one.out_length && !memcmp(many.out, one.out, one.out_length));
        CU_ASSERT_STRING_EQUAL(many.err, one.err);
        process_free(&many);
    }
    process_free(&one);
    free(text);
}

/* Feeds a pipe from a thread of its own. */
struct feed {
    int fd;
    size_t before; /* rounds */
    size_t filler; /* bytes of one line */
    size_t after;
};

static void put(int fd, const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(fd, text, length);

        if (written < 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

static void *feed_pipe(void *context)
{
    static const char begin[] = "{\"round\":1000000,\"bets\":\"";
    const struct feed *feed = context;
    char line[ROUNDS_LINE_SIZE], filler[4096];
    uint64_t seed = 7;

    memset(filler, 'x', sizeof filler);
    put(feed->fd, line, rounds_header(line));
    for (size_t i = 1; i <= feed->before; i++)
        put(feed->fd, line, rounds_line(line, 6, i, &seed));
    if (feed->filler)
        put(feed->fd, begin, sizeof begin - 1);
    for (size_t sent = 0; sent < feed->filler; sent += sizeof filler)
        put(feed->fd, filler, sizeof filler);
    if (feed->filler)
        put(feed->fd, "\n", 1);
    for (size_t i = 1; i <= feed->after; i++)
        put(feed->fd, line, rounds_line(line, 6, i, &seed));
    close(feed->fd);
    return NULL;
}

struct fed {
    int status;
    long peak_kilobytes;
    char said[512];
};

static struct fed settle_feed(struct feed feed)
{
    const char *const arguments[] = {"settle", "--jobs=4", "-", NULL};
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    struct fed fed = {0};
    int ends[2];
    pthread_t thread;
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    feed.fd = ends[1];
    pid = process_start(arguments, ends[0], null, err);
    close(ends[0]);
    pthread_create(&thread, NULL, feed_pipe, &feed);
    fed.status = process_wait(pid, &fed.peak_kilobytes);
    pthread_join(thread, NULL);
    CU_ASSERT(pread(err, fed.said, sizeof fed.said - 1, 0) >= 0);
    close(null);
    close(err);
    return fed;
}

/* No more memory than a recording without rounds takes and a little; what is instrumented tells
 * nothing, and an emulator of the processor takes its own share of both. */
static bool takes_little(long peak_kilobytes)
{
    struct process_result idle = settle_with("4", CHASE, sizeof CHASE - 1);
    long limit = idle.peak_kilobytes + 12 * 1024L;

    process_free(&idle);
    return PROCESS_INSTRUMENTED || peak_kilobytes < limit;
}

TEST(memory_does_not_grow_with_the_recording)
{
    struct fed brief = settle_feed((struct feed){.before = 300});
    struct fed lengthy = settle_feed((struct feed){.before = 30000});

    CU_ASSERT_EQUAL(brief.status, 0);
    CU_ASSERT_EQUAL(lengthy.status, 0);
    CU_ASSERT(takes_little(lengthy.peak_kilobytes));
    CU_ASSERT(PROCESS_INSTRUMENTED || lengthy.peak_kilobytes < brief.peak_kilobytes + 2048);
}

TEST(a_line_of_100_megabytes_is_skipped_without_being_stored)
{
    struct fed fed = settle_feed((struct feed){.before = 1, .filler = 100000000, .after = 1});

    CU_ASSERT_EQUAL(fed.status, 1);
    CU_ASSERT_STRING_EQUAL(fed.said, "standard input:3: round 1000000: the line is longer than "
                                     "65536 bytes; a round is far shorter\n");
    CU_ASSERT(takes_little(fed.peak_kilobytes));
}

/* Settles lines as long as they may be, on every thread at once. */
static struct process_result settle_longest_lines(const char *first, const char *filler,
                                                  const char *last)
{
    enum { LINES = 64 };
    size_t filler_length = strlen(filler), count = (LINES_LONGEST - 8) / filler_length;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    struct process_result result;

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(CHASE, out);
    for (int i = 0; i < LINES; i++) {
        fputs(first, out);
        for (size_t j = 0; j < count; j++)
            fwrite(filler, 1, filler_length, out);
        fprintf(out, "%s\n", last);
    }
    fclose(out);
    result = settle_with("16", text, length);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "the line must be an object"));
    free(text);
    return result;
}

TEST(a_hostile_line_takes_no_more_memory_than_its_share)
{
    struct process_result hostile = settle_longest_lines("[", "[],", "0]");
    struct process_result harmless = settle_longest_lines("[\"", "a", "\"]");

    CU_ASSERT(PROCESS_INSTRUMENTED || hostile.peak_kilobytes < harmless.peak_kilobytes + 6 * 1024L);
    process_free(&hostile);
    process_free(&harmless);
}

static size_t read_line(int fd, char *line, size_t size)
{
    size_t length = 0;

    while (length < size && read(fd, line + length, 1) == 1)
        if (line[length++] == '\n')
            break;
    return length;
}

TEST(an_interrupt_ends_with_whole_lines)
{
    const char *const arguments[] = {"settle", "-", NULL};
    static const char start[] = CHASE GOOD(1), half[] = "{\"round\":2,";
    int in[2], out[2], err = memfd_create("err", MFD_CLOEXEC);
    char line[4096], rest[16];
    size_t length;
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
    pid = process_start(arguments, in[0], out[1], err);
    close(out[1]);
    put(in[1], start, sizeof start - 1);
    length = read_line(out[0], line, sizeof line);
    CU_ASSERT(length > 0 && line[length - 1] == '\n' && !strncmp(line, "{\"round\":1,", 11));
    put(in[1], half, sizeof half - 1);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait(pid, NULL), 130);
    CU_ASSERT_EQUAL(read(out[0], rest, sizeof rest), 0);
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(err);
}
