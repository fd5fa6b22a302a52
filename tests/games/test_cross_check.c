/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The product's settle against the oracle, on recordings drawn from seeds: the same bytes for
 * every round, and an error exactly where the other has one.
 */
#include "tests/support/process.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/shell.h"

#define RECORDINGS (PROCESS_INSTRUMENTED ? 10 : 200)
#define ROUNDS     100

static bool is_error(const char *line)
{
    return line && strncmp(line, "{\"round\":", 9) == 0 && strstr(line, ",\"error\":\"");
}

/* Errors are equal in what they are and in the number of their round, not in their words. */
static bool same_line(const char *ours, const char *theirs)
{
    if (!ours || !theirs)
        return ours == theirs;
    if (is_error(ours) && is_error(theirs))
        return strtoll(ours + 9, NULL, 10) == strtoll(theirs + 9, NULL, 10);
    return strcmp(ours, theirs) == 0;
}

static int count_differences(char *ours, char *theirs, const char *what)
{
    char *our_state = NULL, *their_state = NULL;
    int differences = 0;

    for (;;) {
        const char *our_line = strtok_r(ours, "\n", &our_state);
        const char *their_line = strtok_r(theirs, "\n", &their_state);

        ours = theirs = NULL;
        if (!our_line && !their_line)
            return differences;
        if (!same_line(our_line, their_line) && differences++ == 0)
            fprintf(stderr, "%s\n  oracle    %s\n  dealproof %s\n", what,
                    our_line ? our_line : "(end)", their_line ? their_line : "(end)");
    }
}

/* The recording that the command writes. */
static void check_recording(const char *command)
{
    char path[] = "/tmp/cross-check-XXXXXX";
    char *shoe, *ours, *theirs;
    int file = mkstemp(path), status, our_status, their_status;

    CU_ASSERT_FATAL(file >= 0);
    close(file);
    shoe = shell_run(&status, "%s | tee %s", command, path);
    ours = shell_run(&our_status, "'%s' %s", shell_oracle(), path);
    theirs = shell_run(&their_status, "'%s' settle %s 2>/dev/null", shell_dealproof(), path);
    CU_ASSERT(*shoe != '\0' && *ours != '\0');
    CU_ASSERT_EQUAL(our_status, their_status);
    CU_ASSERT_EQUAL(count_differences(ours, theirs, command), 0);
    free(shoe);
    free(ours);
    free(theirs);
    unlink(path);
}

#define BETS(wager) "\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"" wager "\":500}}"
#define CHASE_DEAL                                                                                 \
    "\"dealt\":[\"2c 7d 9h\",\"3d 8s Kc\",\"5c 9s Jd Qh\"],"                                       \
    "\"play\":{\"1\":[\"check\",\"check\",\"fold\"]}"
#define CATCH_DEAL "\"dealt\":[\"2c 7d 9h\",\"3d 8s Kc\",\"5c\",\"9s\"],\"play\":{\"1\":[\"bet\"]}"

/* A round with keys, in a game by its header and deal, between quotes of a shell. */
static void check_keys(const char *header, const char *round, const char *keys)
{
    char command[2560];

    snprintf(command, sizeof command,
             "printf '%%s\\n' '{\"shoe\":1,%s}' '{\"round\":1,%s,\"keys\":[%s]}'", header, round,
             keys);
    check_recording(command);
}

TEST(hands_that_a_wager_does_not_pay_are_refused_by_both)
{
    static const char *const hands[] = {
        "A-K-Q suited",   "7-card straight flash", "3-card straight flush", "5-card flush",
        "catch straight", "natural royal flush",   "natural flush",         "royal flush"};
    char keys[128];

    for (size_t i = 0; i < sizeof hands / sizeof hands[0]; i++) {
        snprintf(keys, sizeof keys,
                 "\"start-round\",\"seat-1\",\"hand:%s\",\"pending-jackpot\",\"cancel-jackpot\","
                 "\"end-round\"",
                 hands[i]);
        check_keys("\"game\":\"chase-the-flush\"", BETS("stax") "," CHASE_DEAL, keys);
        check_keys("\"game\":\"three-card-catch\"", BETS("progressive") "," CATCH_DEAL, keys);
    }
}

TEST(more_than_256_keys_are_refused_by_both)
{
    static char keys[2048];

    for (unsigned more = 0; more < 2; more++) {
        char *at = keys + sprintf(keys, "\"start-round\"");

        for (unsigned i = 0; i < 254 + more; i++)
            at += sprintf(at, ",\"ok\"");
        sprintf(at, ",\"end-round\"");
        check_keys("\"game\":\"chase-the-flush\"", BETS("stax") "," CHASE_DEAL, keys);
    }
}

TEST(keys_at_a_table_without_a_terminal_are_refused_by_both)
{
    static const char rush[] =
        "\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"2c 3c 9c Kc\",\"4c 7c "
        "Jc Qh\"],\"play\":{\"1\":[\"bet\",\"bet\"]}";
    static const char poker[] = "\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"2c 7d 9h\",\"3d 8s "
                                "Kc\"],\"play\":{\"1\":[\"fold\"]}";
    static const char *const keys[] = {"", "\"start-round\",\"end-round\""};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        check_keys("\"game\":\"flush-rush\"", rush, keys[i]);
        check_keys("\"game\":\"three-card-poker\"", poker, keys[i]);
    }
}

/* What the oracle deals, rare and spoiled rounds among it, and what `generate` does. */
static void check_game(const char *game)
{
    char command[512];

    for (int seed = 1; seed <= RECORDINGS; seed++) {
        snprintf(command, sizeof command, "'%s' --random %s %d %d", shell_oracle(), game, seed,
                 ROUNDS);
        check_recording(command);
    }
    for (int seed = 1; seed <= RECORDINGS / 10; seed++) {
        snprintf(command, sizeof command, "'%s' generate %s --rounds %d --seed %d",
                 shell_dealproof(), game, ROUNDS, seed);
        check_recording(command);
    }
}

TEST(flush_rush_is_settled_as_the_sheet_says)
{
    check_game("flush-rush");
}

TEST(chase_the_flush_is_settled_as_the_sheet_says)
{
    check_game("chase-the-flush");
}

TEST(three_card_catch_is_settled_as_the_sheet_says)
{
    check_game("three-card-catch");
}

TEST(three_card_poker_is_settled_as_the_rules_say)
{
    check_game("three-card-poker");
}
