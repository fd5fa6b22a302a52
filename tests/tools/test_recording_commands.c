/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands on recordings: generate, coverage, minimise, view and diff, and what they refuse. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/oracle_run.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FIXTURE  "fixtures/chase-the-flush/bet-at-each-point"
#define BY_CARDS "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"

static const char *program(void)
{
    const char *named = getenv("DEALPROOF");

    return named ? named : "build/dealproof";
}

/* Runs "dealproof ARGUMENTS", errors among the output; the text is the caller's to free. */
static char *run(int *status, const char *arguments)
{
    char *output = oracle_shell(status, "%s %s 2>&1", program(), arguments);

    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    return output;
}

/* It exits so and says that. */
static void says(const char *arguments, int wanted, const char *words)
{
    int status;
    char *output = run(&status, arguments);
    bool is_said = strstr(output, words) != NULL;

    if (status != wanted || !is_said)
        printf("%s: exit status %d, '%s' instead of '%s'\n", arguments, status, output, words);
    CU_ASSERT_EQUAL(status, wanted);
    CU_ASSERT(is_said);
    free(output);
}

/* A folder for files, removed with what is in it. */
static void make_folder(char path[SCRATCH_PATH_SIZE])
{
    snprintf(path, SCRATCH_PATH_SIZE, "/tmp/dealproof-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
}

static void remove_folder(const char *path)
{
    int status;

    free(oracle_shell(&status, "rm -r %s", path));
    CU_ASSERT_EQUAL(status, 0);
}

TEST(what_is_generated_is_settled_run_and_covered)
{
    char folder[SCRATCH_PATH_SIZE], line[512];

    make_folder(folder);
    snprintf(line, sizeof line, "generate --cover --seed 3 -o %s/all three-card-poker", folder);
    says(line, 0, "79 of 79 points shown");
    snprintf(line, sizeof line, "settle --check %s/all", folder);
    says(line, 0, " passed, 0 failed");
    snprintf(line, sizeof line, "run %s/all", folder);
    says(line, 0, "pass: 7 recordings");
    snprintf(line, sizeof line, "coverage --complete %s/all", folder);
    says(line, 0, "Three Card Poker: 79 of 79 points");
    snprintf(line, sizeof line, "generate --cover --seed 3 -o %s/all three-card-poker", folder);
    says(line, 2, "is there already");
    remove_folder(folder);
}

TEST(random_rounds_go_to_a_file_or_to_standard_output)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    char *out, *file;
    size_t length;
    int status;

    make_folder(folder);
    snprintf(line, sizeof line, "generate -n 20 --seed 9 -o %s/a.shoe chase-the-flush", folder);
    says(line, 0, "20 rounds in");
    snprintf(line, sizeof line, "run %s/a.shoe", folder);
    says(line, 0, "20 pass");
    out = run(&status, "generate -n 20 --seed 9 chase-the-flush");
    snprintf(line, sizeof line, "%s/a.shoe", folder);
    file = scratch_read(line, &length);
    CU_ASSERT_STRING_EQUAL(out, file);
    free(out);
    free(file);
    remove_folder(folder);
}

TEST(what_cannot_be_generated_is_told)
{
    says("generate", 2, "no game given");
    says("generate whist", 2, "unknown game 'whist'; the games are");
    says("generate flush-rush three-card-poker", 2, "one game at a time");
    says("generate --rounds 0 flush-rush", 2, "--rounds is '0'; it must be from 1 to 1000000");
    says("generate --rounds 1000001 flush-rush", 2, "--rounds is '1000001'");
    says("generate --seed -1 flush-rush", 2, "--seed is '-1'");
    says("generate --cover flush-rush", 2, "name a folder for them with -o");
    says("generate --beside fixtures flush-rush", 2, "--beside is for --cover");
    says("generate -o a.txt flush-rush", 2, "a recording is named NAME.shoe");
    says("generate --cover -o /proc/none flush-rush", 2, "/proc/none: cannot be made");
    says("generate --cover --beside /none -o /tmp flush-rush", 2, "/none");
    says("generate --cover -o README.md flush-rush", 2, "README.md: cannot be made: File exists");
    says("generate -o .shoe flush-rush", 2, "a recording is named NAME.shoe");
    says("generate -o /tmp/.shoe flush-rush", 2, "a recording is named NAME.shoe");
    says("generate -o /proc/none/a.shoe flush-rush", 4, "a.shoe: cannot be written");
}

/* How many files are in a folder. */
static int count_files(const char *folder)
{
    int status, count;
    char *output = oracle_shell(&status, "ls -A %s | wc -l", folder);

    count = atoi(output);
    free(output);
    return count;
}

TEST(what_cannot_be_written_leaves_nothing)
{
    char folder[SCRATCH_PATH_SIZE], line[1024];

    make_folder(folder);
    snprintf(line, sizeof line, "generate --cover --beside /none -o %s/made flush-rush", folder);
    says(line, 2, "/none");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    /* The name of the rig file is as long as one may be, that of the expectation longer. */
    snprintf(line, sizeof line,
             "minimise --rig tests/failing/dealt-cards/another-card.yaml -o %s/%0249d.shoe "
             "tests/failing/dealt-cards/another-card.shoe",
             folder, 0);
    says(line, 4, "File name too long");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    snprintf(line, sizeof line, "generate -n 2 -o %s/%0249d.shoe flush-rush", folder, 0);
    says(line, 4, "File name too long");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    remove_folder(folder);
}

TEST(coverage_says_what_was_never_seen_and_where_the_rest_was)
{
    says("coverage " FIXTURE ".shoe", 0, "never saw seven seats at once\n");
    says("coverage --all " FIXTURE ".shoe", 0,
         "saw a bet as the first decision: " FIXTURE ".shoe round 1 (Chase letter 23");
    says("coverage --complete " FIXTURE ".shoe", 1, "never saw");
    says("coverage --complete fixtures", 0, "Chase the Flush: 228 of 228 points");
}

TEST(coverage_as_json_has_every_point_and_statement)
{
    int status;
    char *output = run(&status, "coverage --json " FIXTURE ".shoe");
    json_t *root = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
    json_t *game = json_array_get(json_object_get(root, "coverage"), 0);
    json_t *points = json_object_get(game, "points"), *point;
    json_int_t seen = 0;
    size_t i;

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(points);
    json_array_foreach(points, i, point)
    {
        bool is_seen = json_is_true(json_object_get(point, "seen"));

        seen += is_seen;
        CU_ASSERT_EQUAL(is_seen, json_object_get(point, "recording") != NULL);
    }
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(game, "seen")), seen);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(game, "of")),
                    (json_int_t)json_array_size(points));
    CU_ASSERT(json_array_size(json_object_get(game, "statements")) > 250);
    json_decref(root);
    free(output);
}

TEST(several_recordings_do_not_go_to_standard_output)
{
    says("generate --cover -o - flush-rush", 2, "standard output takes one; name a folder");
    CU_ASSERT_NOT_EQUAL(access("-", F_OK), 0);
}

TEST(coverage_names_each_line_that_is_no_round_and_tells_the_rest)
{
    static const char lines[] =
        "{\"shoe\":1,\"game\":\"flush-rush\"}\ngarbage\n\n{\"round\":1}\n"
        "{\"round\":2,\"bets\":{},\"dealt\":[],\"play\":{}}\n"
        "{\"round\":3,\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"2c 3c 9d Kh\",\"4c 7s Jd Qh\"],"
        "\"play\":{\"1\":[\"fold\"]}}\n"
        "{\"round\":4,\"bets\":{\"1\":{\"ante\":10";
    char path[SCRATCH_PATH_SIZE], line[512], said[512];

    scratch_path(path);
    scratch_write(path, lines, sizeof lines - 1);
    snprintf(line, sizeof line, "coverage --all %s", path);
    snprintf(said, sizeof said, "dealproof coverage: %s:2: not valid JSON", path);
    says(line, 1, said);
    snprintf(said, sizeof said, "%s:3: not valid JSON: the line is empty; remove it\n", path);
    says(line, 1, said);
    snprintf(said, sizeof said, "%s:4: round 1: bets is missing", path);
    says(line, 1, said);
    snprintf(said, sizeof said, "%s:7: round 4: not valid JSON", path);
    says(line, 1, said);
    snprintf(said, sizeof said, "saw a round without bets: %s round 2", path);
    says(line, 1, said);
    says(line, 1, " of 48 points in 2 rounds of 1 recording");
    snprintf(line, sizeof line, "coverage --json %s", path);
    says(line, 1, "{\"error\":{\"command\":\"coverage\",\"message\":\"");
    says(line, 1, "\"rounds\":2,");
    scratch_remove(path);
}

TEST(a_line_beside_what_is_generated_is_told_when_it_is_no_round)
{
    static const char lines[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\ngarbage\n";
    char folder[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 8], line[512], said[512];

    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.shoe", folder);
    scratch_write(path, lines, sizeof lines - 1);
    snprintf(line, sizeof line, "generate --cover --beside %s -o %s/rest flush-rush", path, folder);
    snprintf(said, sizeof said, "dealproof generate: %s:2: not valid JSON", path);
    says(line, 0, said);
    remove_folder(folder);
}

TEST(what_coverage_cannot_read_is_told)
{
    says("coverage", 2, "no recording given");
    says("coverage /none.shoe", 2, "/none.shoe");
    says("coverage README.md", 2, "README.md:1");
    says("coverage --json --all fixtures", 2, "leave out --all");
    says("coverage fixtures/flush-rush fixtures", 2, "are the same file; name it once");
    says("coverage - " FIXTURE ".shoe", 2, "standard input is a recording of its own");
    says("coverage - < /dev/null", 2, "standard input:1: empty");
    says("coverage - < " FIXTURE ".shoe", 0, "never saw seven seats at once\n");
}

TEST(a_report_says_what_its_run_has_exercised)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    char *page;
    size_t length;
    int status;

    make_folder(folder);
    snprintf(line, sizeof line, "run --reports %s/out " FIXTURE ".shoe", folder);
    free(run(&status, line));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "report %s/out/run.journal", folder);
    says(line, 0,
         "paying lines seen: chase-the-flush 1 of 32\ncoverage points seen: chase-the-flush ");
    snprintf(line, sizeof line, "%s/out/report.html", folder);
    page = scratch_read(line, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li><b>1 of 32</b>paying lines seen\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "Chase the Flush: 1 of 32 paying lines, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li>never saw seven seats at once"));
    CU_ASSERT_PTR_NULL(strstr(page, "<li>never saw a bet as the first decision"));
    free(page);
    remove_folder(folder);
    says("report tests/rigs/journal/earlier/house-burn.journal", 0, "Devices");
}

TEST(a_recording_is_shown_as_a_table)
{
    int status;
    char *output = run(&status, "view --round 1 fixtures/chase-the-flush/stax-every-line.shoe");

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
    char *output = oracle_shell(&status, "%s view %s 2>&1", program(), recording), *rest;

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

    names = oracle_shell(&status, "find fixtures -name '*.shoe' | LC_ALL=C sort");
    CU_ASSERT_PTR_NOT_NULL_FATAL(names);
    for (char *name = strtok_r(names, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest))
        rows += count_rows(name);
    CU_ASSERT(rows > 500);
    free(names);
}

TEST(a_must_hit_award_has_a_column_of_its_own)
{
    int status;
    char *output = run(&status, "view fixtures/chase-the-flush/must-hit-award.shoe");

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "must-hit          decisions         total\n"));
    free(output);
    output = run(&status, "view " FIXTURE ".shoe");
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
    char path[SCRATCH_PATH_SIZE], line[512], *output;
    int status;

    scratch_path(path);
    snprintf(line, sizeof line, "view %s", path);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        scratch_write(path, headers[i].header, strlen(headers[i].header));
        output = run(&status, line);
        CU_ASSERT_EQUAL(status, 0);
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

    says("view", 2, "no recording given");
    says("view a b", 2, "'b' is the second");
    says("view /none.shoe", 2, "/none.shoe");
    says("view --round 9 " FIXTURE ".shoe", 2, "has no round 9");
    scratch_path(path);
    scratch_write(path, "", 0);
    snprintf(line, sizeof line, "view %s", path);
    says(line, 2, "is empty");
    scratch_write(path, bad, sizeof bad - 1);
    says(line, 1, "cannot be settled: bets is empty");
    scratch_remove(path);
}

/* The fixture with some text replaced, compared with the fixture. */
static void differs(const char *sed, int wanted, const char *words)
{
    char path[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_path(path);
    free(oracle_shell(&status, "sed '%s' " FIXTURE ".shoe > %s", sed, path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff " FIXTURE ".shoe %s", path);
    says(line, wanted, words);
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
    free(oracle_shell(
        &status, "sed '1s/\"net\":{\"ante\":[-0-9]*/\"net\":{\"ante\":1/' " FIXTURE ".expect > %s",
        path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff " FIXTURE ".expect %s", path);
    says(line, 1, "round 1, seats, seat 1, net, ante: " FIXTURE ".expect has ");
    says(line, 1, " has 1 cent\n");
    scratch_remove(path);
}

TEST(a_card_of_a_deal_card_by_card_is_not_called_a_packet)
{
    char path[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_path(path);
    free(oracle_shell(&status, "sed 's/\"5d\"/\"6d\"/' " BY_CARDS " > %s", path));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "diff " BY_CARDS " %s", path);
    says(line, 1, "round 1, dealt, card 7: ");
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
    output = run(&status, line);
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
    char *output = oracle_shell(
        &status, "%s settle " FIXTURE ".shoe | %s diff - " FIXTURE ".expect", program(), program());

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    free(output);
    output = oracle_shell(&status, "cat " FIXTURE ".shoe | %s diff /dev/stdin " FIXTURE ".shoe",
                          program());
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    free(output);
    output = oracle_shell(&status,
                          "cat tests/rigs/journal/earlier/house-burn.journal | %s diff /dev/stdin "
                          "tests/rigs/journal/earlier/house-burn.journal 2>&1",
                          program());
    CU_ASSERT_EQUAL(status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "must be a file"));
    free(output);
}

TEST(expectations_and_journals_are_compared_too)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    int status;

    says("diff " FIXTURE ".expect " FIXTURE ".expect", 0, "");
    says("diff " FIXTURE ".expect fixtures/chase-the-flush/house-burn.expect", 1,
         "round 1, board, card 1: ");
    make_folder(folder);
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "run --seed %d --journal %s/%d %s " FIXTURE ".shoe",
                 i == 1 ? 1 : i, folder, i,
                 i == 2 ? "--rig tests/failing/dealt-cards/another-card.yaml" : "");
        free(run(&status, line));
    }
    snprintf(line, sizeof line, "diff %s/0 %s/1", folder, folder);
    says(line, 1, "start, seed: ");
    snprintf(line, sizeof line, "diff %s/1 %s/1", folder, folder);
    says(line, 0, "");
    snprintf(line, sizeof line, "diff %s/1 %s/2", folder, folder);
    says(line, 1, "recording 1, round ");
    remove_folder(folder);
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
    says(line, wanted, words);
    snprintf(line, sizeof line, "diff --json %s %s", paths[0], paths[1]);
    if (wanted < 2)
        says(line, wanted, wanted ? "{\"same\":false," : "{\"same\":true,\"differences\":0,");
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
        oracle_shell(&status,
                     "made=$(mktemp); printf '{\"shoe\":1,\"game\":\"flush-rush\"}\\nno JSON\\n\\n"
                     "{\"round\":4}\\n[]\\n' | %s settle - 2> /dev/null > $made; "
                     "%s diff $made - < $made 2>&1; status=$?; "
                     "rm $made; exit $status",
                     program(), program());
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    free(output);
}

TEST(what_cannot_be_compared_is_told)
{
    says("diff " FIXTURE ".shoe", 2, "two files are compared");
    says("diff - -", 2, "standard input is one of the two at most");
    says("diff " FIXTURE ".shoe " FIXTURE ".expect", 2, "compare two of a kind");
    says("diff /none " FIXTURE ".shoe", 2, "/none: cannot open");
    says("diff README.md " FIXTURE ".shoe", 2, "README.md:1: not valid JSON");
    says("settle rigs/report.png", 2, "; a recording (*.shoe) begins with its header, in JSON");
    says("diff /dev/null " FIXTURE ".shoe", 2, "is empty");
    says("diff rigs/cards.jsonl " FIXTURE ".shoe", 2, "is no recording, expectation or journal");
}

TEST(a_failure_is_minimised_into_files_that_fail)
{
    char folder[SCRATCH_PATH_SIZE], line[512];

    make_folder(folder);
    snprintf(line, sizeof line,
             "minimise --rig tests/failing/dealt-cards/another-card.yaml -o %s/small.shoe "
             "tests/failing/dealt-cards/another-card.shoe",
             folder);
    says(line, 0, "small.shoe\n");
    snprintf(line, sizeof line, "run --rig %s/small.yaml %s/small.shoe", folder, folder);
    says(line, 1, "dealt-cards: expected");
    snprintf(line, sizeof line,
             "minimise --rig tests/failing/dealt-cards/another-card.yaml -o %s/small.shoe "
             "tests/failing/dealt-cards/another-card.shoe",
             folder);
    says(line, 2, "is there already");
    remove_folder(folder);
}

/* Of the three looks at all of it alone it depends how many rounds there are. */
TEST(a_defect_that_comes_late_takes_no_more_trials_than_one_that_comes_soon)
{
    char folder[SCRATCH_PATH_SIZE], *output;
    json_t *made;
    int status;

    make_folder(folder);
    output = oracle_shell(
        &status,
        "folder=%s program=%s; $program generate -n 600 --seed 3 -o $folder/big.shoe flush-rush "
        "2> $folder/said && "
        "sed s/emu:shuffler/emu:shuffler?fault=missing@shuffle:595/ rigs/emulated.yaml > "
        "$folder/late.yaml && $program minimise --json --rig $folder/late.yaml -o "
        "$folder/small.shoe $folder/big.shoe",
        folder, program());
    CU_ASSERT_EQUAL(status, 0);
    made = json_loads(output, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(made, "of")), 600);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(made, "rounds")), 1);
    CU_ASSERT(json_integer_value(json_object_get(made, "trials")) <= 40);
    CU_ASSERT(json_integer_value(json_object_get(made, "rounds-played")) <= 3 * 600);
    json_decref(made);
    free(output);
    remove_folder(folder);
}

TEST(what_is_minimised_into_another_folder_finds_the_files_of_its_rig)
{
    char folder[SCRATCH_PATH_SIZE], *output;
    int status;

    make_folder(folder);
    output = oracle_shell(
        &status,
        "folder=%s program=$(realpath %s); root=$PWD; mkdir $folder/there && "
        "cp devices/scripts/examples/tally.lua $folder/a.lua && "
        "cp devices/scripts/examples/tally.lua $folder/b.lua && "
        "echo '{rig: x, clock: virtual, devices: {shuffler: {driver: script, script: a.lua, "
        "address: \"emu:script?file=b.lua,fault=jam@packet:1\"}}}' > $folder/rig.yaml && "
        "cd $folder && $program minimise --rig rig.yaml -o there/small.shoe "
        "$root/fixtures/flush-rush/house-burn-of-one.shoe 2>&1 && cat there/small.yaml && "
        "$program run --rig there/small.yaml there/small.shoe",
        folder, program());
    CU_ASSERT_EQUAL(status, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/a.lua'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/b.lua,fault="));
    free(oracle_shell(&status, "rm -r %s/there", folder));
    free(output);
    remove_folder(folder);
}

/* The fixture with this expectation. */
static void minimise_says(const char *expectation, const char *words)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    int status;

    make_folder(folder);
    free(oracle_shell(&status,
                      "folder=%s; cp " FIXTURE ".shoe $folder/a.shoe; (%s) > $folder/a.expect",
                      folder, expectation));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "minimise %s/a.shoe", folder);
    says(line, 2, words);
    remove_folder(folder);
}

TEST(an_expectation_that_cannot_be_used_is_not_taken_for_one_that_holds)
{
    minimise_says("cat " FIXTURE ".expect " FIXTURE ".expect", "a.expect:2: expects a round that ");
    minimise_says("echo nonsense", "a.expect:1: not valid JSON");
    minimise_says("printf '{\"round\":1,\"error\":\"%9000d\"}\n' 0",
                  "a.expect:1: is longer than what any round comes to");
    minimise_says("cat " FIXTURE ".expect; sed -i s/chase-the-flush/whist/ $folder/a.shoe",
                  "a.shoe:1: unknown game 'whist'");
    minimise_says("cat " FIXTURE ".expect", "passes there");
}

/* Which on a bench takes hours of its devices. */
TEST(that_nothing_can_be_written_is_known_before_anything_is_played)
{
    int status;
    char *output = run(&status, "minimise -o /proc/none/a.shoe --rig tests/failing/dealt-cards/"
                                "another-card.yaml tests/failing/dealt-cards/another-card.shoe");

    CU_ASSERT_EQUAL(status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/proc/none/a.yaml: cannot be written"));
    CU_ASSERT_PTR_NULL(strstr(output, "dealt-cards: expected"));
    free(output);
}

/* Minimises with a shuffler in another process, which this program takes for a real one. */
static char *minimise_on_bench(int *status, const char *fault, const char *arguments)
{
    char folder[SCRATCH_PATH_SIZE], *output;

    make_folder(folder);
    output = oracle_shell(
        status,
        "folder=%s program=%s; "
        "$program emulate shuffler --pty --option shuffle=1 --option deal=1 --option take=1 %s "
        "> $folder/ready & device=$!; "
        "until grep -qs '^ready' $folder/ready; do kill -0 $device || exit 99; sleep 0.02; done; "
        "sed 's/^ready \\(.*\\)/{rig: real, clock: real, devices: {shuffler: {address: \"\\1\"}}, "
        "timing: {reply: 60000, shuffle: 60000, packet: 60000, take: 60000}}/' "
        "$folder/ready > $folder/rig.yaml; "
        "$program minimise --rig $folder/rig.yaml %s 2>&1; status=$?; "
        "kill $device; wait; exit $status",
        folder, program(), fault, arguments);
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    remove_folder(folder);
    return output;
}

TEST(a_failure_that_does_not_come_again_is_told_and_not_minimised)
{
    int status;
    char *output =
        minimise_on_bench(&status, "--fault wrong@card:2",
                          "--budget 20 --yes fixtures/flush-rush/house-burn-of-one.shoe");

    CU_ASSERT_EQUAL(status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "fails at random: 1 of 3 times in the same way"));
    CU_ASSERT_PTR_NULL(strstr(output, "{\"shoe\":1"));
    free(output);
}

TEST(real_devices_play_no_more_rounds_than_they_were_given)
{
    int status;
    char *output = minimise_on_bench(&status, "",
                                     "--check wager-outcome --budget 4 --yes "
                                     "tests/failing/wager-outcome/a-cent-more.shoe");

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "of 4 rounds, which is all that --budget allows"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "{\"shoe\":1"));
    free(output);
}

/* Whatever is behind it would be asked hundreds of times. */
TEST(a_port_that_tells_of_software_is_not_hammered_either)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    int status;

    make_folder(folder);
    free(oracle_shell(&status,
                      "sed 's/virtual/real/; s|driver: open|&\\n    authenticate: {address: "
                      "\"pty:/dev/pts/none\", key: Jefe}|' rigs/emulated.yaml > %s/rig.yaml",
                      folder));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "minimise --rig %s/rig.yaml " FIXTURE ".shoe", folder);
    says(line, 2, "has real devices, which would play the recording again and again");
    snprintf(line, sizeof line, "run --jobs 2 --rig %s/rig.yaml " FIXTURE ".shoe " FIXTURE ".shoe",
             folder);
    says(line, 2, "several benches side by side are for emulated rigs");
    remove_folder(folder);
}

TEST(what_cannot_be_minimised_is_told)
{
    says("minimise", 2, "no recording given");
    says("minimise -", 2, "are files");
    says("minimise " FIXTURE ".shoe", 2, "passes there; there is nothing to minimise");
    says("minimise --check draws --rig tests/failing/dealt-cards/another-card.yaml "
         "tests/failing/dealt-cards/another-card.shoe",
         2, "nothing fails in draws there");
    says("minimise --check none " FIXTURE ".shoe", 2, "there is no check 'none'");
    says("minimise --check pass " FIXTURE ".shoe", 2, "timeout, device and rig are verdicts");
    says("minimise --check device " FIXTURE ".shoe", 2, "no round ends as device there");
    says("minimise --rig rigs/bench-usb.yaml " FIXTURE ".shoe", 2, "--budget ROUNDS, and --yes");
    says("minimise --budget 9 --rig rigs/bench-usb.yaml " FIXTURE ".shoe", 2, "and --yes");
    says("minimise --rig rigs/by-hand.yaml " FIXTURE ".shoe", 2, "people are asked on this rig");
    says("minimise --budget 0 " FIXTURE ".shoe", 2, "--budget is '0'");
    says("minimise --budget 2 --rig tests/failing/dealt-cards/another-card.yaml "
         "tests/failing/dealt-cards/another-card.shoe",
         2, "is played 3 times before anything is left out; allow 3 at least");
    says("minimise --rig /none.yaml " FIXTURE ".shoe", 2, "/none.yaml");
    says("minimise /none.shoe", 2, "/none.shoe: No such file");
    says("minimise -o small.txt " FIXTURE ".shoe", 2, "a recording is named NAME.shoe");
}
