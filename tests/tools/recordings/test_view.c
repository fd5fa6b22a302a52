/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a table: view. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

#define FIXTURE "fixtures/chase-the-flush/bet-at-each-point"

TEST(a_recording_is_shown_as_a_table)
{
    int status;
    char *output =
        shell_command(&status, "view --round 1 fixtures/chase-the-flush/stax-every-line.shoe");

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Chase the Flush, dealt in packets"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "  board    5s 6s 7s 8s\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "  seat 1   2s 3s 4s     7-card flush"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "5.00 +9995.00"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "seat 1 wins star: 10000.00\n"));
    CU_ASSERT_PTR_NULL(strstr(output, "Round 2"));
    CU_ASSERT_PTR_NULL(strchr(output, '\033')); /* colours are for terminals */
    free(output);
}

/* An amount with its sign, "+70.00", in cents; 0 of any other word, a stake or a push. */
static long long signed_cents(const char *word)
{
    long long dollars;
    unsigned cents;
    int used = 0;

    if ((*word != '+' && *word != '-') || !strchr("0123456789", word[1]) ||
        sscanf(word + 1, "%lld.%2u%n", &dollars, &cents, &used) != 2 || word[1 + used])
        return 0;
    return (*word == '-' ? -1 : 1) * (dollars * 100 + cents);
}

/* Whether what the columns of a seat's row have comes to its last one, the total. */
static bool adds_up(char *row)
{
    long long sum = 0, last = 0;
    char *rest;

    for (char *word = strtok_r(row, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        sum += last;
        last = signed_cents(word);
    }
    return sum == last;
}

/* How many rows of seats there are in what `view` shows of a recording; each adds up. */
static unsigned count_rows(const char *recording)
{
    unsigned rows = 0;
    int status;
    char *output = shell_run(&status, "%s view %s 2>&1", shell_dealproof(), recording), *rest;

    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char shown[512];

        if (strncmp(line, "  seat ", 7) != 0)
            continue;
        snprintf(shown, sizeof shown, "%s", line);
        rows++;
        if (!adds_up(line)) {
            printf("%s: %s\n", recording, shown);
            CU_FAIL("a row does not add up");
        }
    }
    free(output);
    return rows;
}

TEST(what_a_seat_won_on_each_wager_adds_up_to_its_total)
{
    char *names, *rest;
    unsigned rows = 0;
    int status;

    names = shell_run(&status, "find fixtures -name '*.shoe' | LC_ALL=C sort");
    CU_ASSERT_PTR_NOT_NULL_FATAL(names);
    for (char *name = strtok_r(names, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest))
        rows += count_rows(name);
    CU_ASSERT(rows > 500);
    free(names);
}

TEST(a_must_hit_award_has_a_column_of_its_own)
{
    int status;
    char *output = shell_command(&status, "view fixtures/chase-the-flush/must-hit-award.shoe");

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "must-hit          decisions         total\n"));
    free(output);
    output = shell_command(&status, "view " FIXTURE ".shoe");
    CU_ASSERT_PTR_NULL(strstr(output, "must-hit"));
    free(output);
}

TEST(what_a_header_states_of_its_table_is_shown)
{
    static const struct {
        const char *header, *shown;
    } headers[] = {
        {"{\"shoe\":1,\"game\":\"three-card-catch\",\"rules\":{\"ace-low\":false,"
         "\"progressive-rounding\":\"nearest\"}}\n",
         "\n  rules: ace-low false, progressive-rounding nearest\n"},
        {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"heart\":\"10.5\",\"must-hit\":"
         "\"300\"},\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":\"500.00\",\"rate\":\"1.5\"}}\n",
         "\n  meters: heart 10.5, must-hit 300\n"
         "  must-hit: resets to 250.00, hit by 500.00, 1.5 % of each progressive wager\n"},
        {"{\"shoe\":1,\"game\":\"three-card-catch\",\"rules\":{},\"meters\":{}}\n", "\n"},
    };
    char path[SCRATCH_PATH_SIZE], *output;
    int status;

    scratch_path(path);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        scratch_write(path, headers[i].header, strlen(headers[i].header));
        output = shell_run(&status, "%s view %s 2> /dev/null", shell_dealproof(), path);
        CU_ASSERT_EQUAL(status, 2);
        CU_ASSERT_STRING_EQUAL(strchr(output, '\n'), headers[i].shown);
        free(output);
    }
    scratch_remove(path);
}

TEST(on_a_terminal_hearts_and_diamonds_are_red)
{
    const char *const arguments[] = {"view", FIXTURE ".shoe", NULL};
    struct process_result shown;

    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    shown = process_run_on_terminal(arguments, 200);
    CU_ASSERT_EQUAL(shown.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(shown.out, "\033[31m8h\033[0m"));
    CU_ASSERT_PTR_NULL(strstr(shown.out, "\033[31m5c"));
    process_free(&shown);
}

TEST(what_cannot_be_shown_is_told)
{
    static const char bad[] = "{\"shoe\":1,\"game\":\"flush-rush\",\"source\":"
                              "{\"note\":\"\\u001b[2J\"}}\n{\"round\":1,\"bets\":{}}\n";
    char path[SCRATCH_PATH_SIZE], line[512];

    shell_says("view", 2, "no recording given");
    shell_says("view a b", 2, "'b' is the second");
    shell_says("view /none.shoe", 2, "/none.shoe");
    shell_says("view --round 9 " FIXTURE ".shoe", 2, "has no round 9");
    scratch_path(path);
    scratch_write(path, "", 0);
    snprintf(line, sizeof line, "view %s", path);
    shell_says(line, 2, "is empty");
    scratch_write(path, bad, sizeof bad - 1);
    shell_says(line, 1, "cannot be settled: bets is empty");
    scratch_remove(path);
}

/* By whichever command it is read, from a file or from standard input. */
TEST(a_recording_without_a_round_cannot_be_used)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n";
    static const char *const commands[] = {"settle", "view", "view --json", "coverage",
                                           "coverage --json"};
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    scratch_write(path, header, sizeof header - 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[512];

        snprintf(line, sizeof line, "%s %s", commands[i], path);
        shell_says(line, 2, "has no round; there is nothing to check");
        snprintf(line, sizeof line, "%s - < %s", commands[i], path);
        shell_says(line, 2, "standard input: has no round; there is nothing to check");
    }
    scratch_remove(path);
}

/* Which is known once it is too long. */
TEST(a_header_that_never_ends_ends_the_reading)
{
    static const char *const commands[] = {"settle", "view", "diff " FIXTURE ".shoe", "coverage"};

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        int status;
        char *output = shell_run(&status, "timeout 10 %s %s - < /dev/zero 2>&1", shell_dealproof(),
                                 commands[i]);

        CU_ASSERT_EQUAL(status, 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(output, "is longer than 65536 bytes"));
        free(output);
    }
}

TEST(what_a_terminal_would_obey_is_shown_as_its_number)
{
    static const char recording[] =
        "{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"note\":\"a\\u202eb\\u001b[31m\"}}\n"
        "{\"round\":1,\"bets\":{\"1\":{\"ante\":500}},\"dealt\":[\"2c 3c 9d Kh\",\"4c 7s Jd Qh\"],"
        "\"play\":{\"1\":[\"fold\"]}}\n";
    char path[SCRATCH_PATH_SIZE], line[128];

    scratch_path(path);
    scratch_write(path, recording, sizeof recording - 1);
    snprintf(line, sizeof line, "view %s", path);
    shell_says(line, 0, "a<U+202E>b<U+001B>[31m");
    scratch_remove(path);
    shell_says("view \"$(printf 'no\\377where')\"", 2, "no<FF>where");
    shell_says("observe --rounds 1 --game \"$(printf '\\033[31mx')\"", 2, "'<U+001B>[31mx'");
}
