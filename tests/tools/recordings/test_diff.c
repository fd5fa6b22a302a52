/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two recordings, expectations or journals, by what they mean: diff. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

#define FIXTURE  "fixtures/chase-the-flush/bet-at-each-point"
#define BY_CARDS "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"

/* The fixture with some text replaced, compared with the fixture. */
static void differs(const char *sed, int wanted, const char *words)
{
    char path[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_path(path);
    free(shell_run(&status, "sed '%s' " FIXTURE ".shoe > %s", sed, path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff " FIXTURE ".shoe %s", path);
    shell_says(line, wanted, words);
    scratch_remove(path);
}

TEST(recordings_differ_in_what_they_mean)
{
    differs("s/,\"play\"/ , \"play\"/", 0, "");
    differs("s/\"all-in\"/\"bet\"/", 0, "");
    differs("1s/}$/,\"deal\":\"packets\",\"burn\":0}/", 0, "");
    differs("2s/1000/1100/", 1, "round 1, bets, seat 1, ante: " FIXTURE ".shoe has 1000 cents, ");
    differs("2s/\"round\":1/\"round\":7/", 1, "round 7: only ");
    differs("1s/chase-the-flush\"/chase-the-flush\",\"burn\":1/", 1, "header, burn: ");
    differs("2s/\"dealt\":\\[\"../\"dealt\":[\"6d/", 1, "round 1, dealt, packet 1: ");
}

TEST(amounts_of_expectations_are_told_in_cents)
{
    char path[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_path(path);
    free(shell_run(
        &status, "sed '1s/\"net\":{\"ante\":[-0-9]*/\"net\":{\"ante\":1/' " FIXTURE ".expect > %s",
        path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff " FIXTURE ".expect %s", path);
    shell_says(line, 1, "round 1, seats, seat 1, net, ante: " FIXTURE ".expect has ");
    shell_says(line, 1, " has 1 cent\n");
    scratch_remove(path);
}

TEST(a_card_of_a_deal_card_by_card_is_not_called_a_packet)
{
    char path[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_path(path);
    free(shell_run(&status, "sed 's/\"5d\"/\"6d\"/' " BY_CARDS " > %s", path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff " BY_CARDS " %s", path);
    shell_says(line, 1, "round 1, dealt, card 7: ");
    scratch_remove(path);
}

/* Rounds of a recording that does not say where it comes from, with these numbers. */
static void write_rounds(const char *path, const char *numbers)
{
    char text[4096];
    int length = snprintf(text, sizeof text, "{\"shoe\":1,\"game\":\"flush-rush\"}\n");

    for (; *numbers; numbers++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "{\"round\":%c,\"bets\":{\"1\":{\"ante\":100}},\"dealt\":[\"2c 3c 4c "
                           "5c\",\"6c 7c 8c 9c\"],\"play\":{\"1\":[\"fold\"]}}\n",
                           *numbers);
    scratch_write(path, text, (size_t)length);
}

/* So many lines are told of two recordings whose rounds have these numbers. */
static void differ_in(const char *first, const char *second, unsigned lines)
{
    char paths[2][SCRATCH_PATH_SIZE], line[512], *output;
    unsigned told = 0;
    int status;

    scratch_path(paths[0]);
    scratch_path(paths[1]);
    write_rounds(paths[0], first);
    write_rounds(paths[1], second);
    snprintf(line, sizeof line, "diff %s %s", paths[0], paths[1]);
    output = shell_command(&status, line);
    for (const char *at = output; (at = strchr(at, '\n')); at++)
        told++;
    if (told != lines)
        printf("%s and %s: %s", first, second, output);
    CU_ASSERT_EQUAL(told, lines);
    CU_ASSERT_EQUAL(status, lines > 0);
    free(output);
    scratch_remove(paths[0]);
    scratch_remove(paths[1]);
}

TEST(recordings_that_name_no_source_are_the_same)
{
    differ_in("12", "12", 0);
    differ_in("12", "13", 2);
}

TEST(rounds_whose_numbers_begin_again_go_together_from_there)
{
    differ_in("123123", "123123", 0);
    differ_in("123123", "12123", 1);
    differ_in("12123", "123123", 1);
    differ_in("123123", "13123", 1);
}

/* As a shell's <(...) gives it: what was read once is gone. */
TEST(one_of_two_that_are_compared_may_be_a_pipe)
{
    int status;
    char *output = shell_run(&status, "%s settle " FIXTURE ".shoe | %s diff - " FIXTURE ".expect",
                             shell_dealproof(), shell_dealproof());

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    free(output);
    output = shell_run(&status, "cat " FIXTURE ".shoe | %s diff /dev/stdin " FIXTURE ".shoe",
                       shell_dealproof());
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    free(output);
    output = shell_run(&status,
                       "cat tests/rigs/journal/earlier/house-burn.journal | %s diff /dev/stdin "
                       "tests/rigs/journal/earlier/house-burn.journal 2>&1",
                       shell_dealproof());
    CU_ASSERT_EQUAL(status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "must be a file"));
    free(output);
    output = shell_run(&status,
                       "file=tests/rigs/journal/earlier/house-burn.journal; "
                       "%s diff $file - < $file 2>&1",
                       shell_dealproof());
    CU_ASSERT_EQUAL(status, 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(output, "standard input: is a journal, which is looked into twice; name its file"));
    free(output);
}

TEST(expectations_and_journals_are_compared_too)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    int status;

    shell_says("diff " FIXTURE ".expect " FIXTURE ".expect", 0, "");
    shell_says("diff " FIXTURE ".expect fixtures/chase-the-flush/house-burn.expect", 1,
               "round 1, board, card 1: ");
    scratch_folder(folder);
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "run --seed %d --journal %s/%d %s " FIXTURE ".shoe",
                 i == 1 ? 1 : i, folder, i,
                 i == 2 ? "--rig tests/failing/dealt-cards/another-card.yaml" : "");
        free(shell_command(&status, line));
    }
    snprintf(line, sizeof line, "diff %s/0 %s/1", folder, folder);
    shell_says(line, 1, "start, seed: ");
    snprintf(line, sizeof line, "diff %s/1 %s/1", folder, folder);
    shell_says(line, 0, "");
    snprintf(line, sizeof line, "diff %s/1 %s/2", folder, folder);
    shell_says(line, 1, "recording 1, round ");
    scratch_remove(folder);
}

/* Two expectations of these lines, compared. */
static void expectations_say(const char *first, const char *second, int wanted, const char *words)
{
    char paths[2][SCRATCH_PATH_SIZE], line[512];

    scratch_path(paths[0]);
    scratch_path(paths[1]);
    scratch_write(paths[0], first, strlen(first));
    scratch_write(paths[1], second, strlen(second));
    snprintf(line, sizeof line, "diff %s %s", paths[0], paths[1]);
    shell_says(line, wanted, words);
    snprintf(line, sizeof line, "diff --json %s %s", paths[0], paths[1]);
    if (wanted < 2)
        shell_says(line, wanted, wanted ? "{\"same\":false," : "{\"same\":true,\"differences\":0,");
    scratch_remove(paths[0]);
    scratch_remove(paths[1]);
}

TEST(lines_of_expectations_without_a_number_go_together_by_their_place)
{
    static const char none[] = "{\"round\":null,\"error\":\"a\"}\n";
    static const char other[] = "{\"round\":null,\"error\":\"b\"}\n";
    static const char none_after_one[] = "{\"round\":1,\"error\":\"x\"}\n"
                                         "{\"round\":null,\"error\":\"a\"}\n"
                                         "{\"round\":2,\"error\":\"x\"}\n";
    static const char later[] = "{\"round\":1,\"error\":\"x\"}\n"
                                "{\"round\":2,\"error\":\"x\"}\n"
                                "{\"round\":null,\"error\":\"a\"}\n";
    static const char further[] = "{\"round\":0,\"error\":\"x\"}\n"
                                  "{\"round\":1,\"error\":\"x\"}\n"
                                  "{\"round\":null,\"error\":\"b\"}\n"
                                  "{\"round\":2,\"error\":\"x\"}\n";
    int status;
    char *output;

    expectations_say(none, none, 0, "");
    expectations_say(none, other, 1, "line 1, error: ");
    expectations_say(none_after_one, none_after_one, 0, "");
    expectations_say(none_after_one, later, 1, "a line without a number: only ");
    expectations_say(none_after_one, further, 1, "line 2 and 3, error: ");
    expectations_say("{\"round\":1,\"error\":\"\"}\n{\"error\":\"\"}\n", none, 2,
                     ":2: the line has no number of a round");
    output =
        shell_run(&status,
                  "made=$(mktemp); printf '{\"shoe\":1,\"game\":\"flush-rush\"}\\nno JSON\\n\\n"
                  "{\"round\":4}\\n[]\\n' | %s settle - 2> /dev/null > $made; "
                  "%s diff $made - < $made 2>&1; status=$?; "
                  "rm $made; exit $status",
                  shell_dealproof(), shell_dealproof());
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    free(output);
}

TEST(what_cannot_be_compared_is_told)
{
    shell_says("diff " FIXTURE ".shoe", 2, "two files are compared");
    shell_says("diff - -", 2, "standard input is one of the two at most");
    shell_says("diff " FIXTURE ".shoe " FIXTURE ".expect", 2, "compare two of a kind");
    shell_says("diff /none " FIXTURE ".shoe", 2, "/none: cannot open");
    shell_says("diff README.md " FIXTURE ".shoe", 2, "README.md:1: not valid JSON");
    shell_says("settle rigs/report.png", 2,
               "; a recording (*.shoe) begins with its header, in JSON");
    shell_says("diff /dev/null " FIXTURE ".shoe", 2, "is empty");
    shell_says("diff rigs/cards.jsonl " FIXTURE ".shoe", 2,
               "is no recording, expectation or journal");
}

/* An editor leaves such lines. */
TEST(a_line_with_nothing_on_it_is_told_as_one)
{
    char path[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_path(path);
    free(shell_run(&status, "sed '2s/^/\\n/' %s.shoe > %s", FIXTURE, path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff %s " FIXTURE ".shoe", path);
    shell_says(line, 2, ":2: the line is empty; remove it");
    snprintf(line, sizeof line, "diff - " FIXTURE ".expect < /dev/null");
    shell_says(line, 2, "is empty");
    scratch_remove(path);
}
