/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings that are generated, and which rules some exercise: generate and coverage. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

#define FIXTURE "fixtures/chase-the-flush/bet-at-each-point"

TEST(what_is_generated_is_settled_run_and_covered)
{
    char folder[SCRATCH_PATH_SIZE], line[512];

    scratch_folder(folder);
    snprintf(line, sizeof line, "generate --cover --seed 3 -o %s/all three-card-poker", folder);
    shell_says(line, 0, "79 of 79 points shown");
    snprintf(line, sizeof line, "settle --check %s/all", folder);
    shell_says(line, 0, " passed, 0 failed");
    snprintf(line, sizeof line, "run %s/all", folder);
    shell_says(line, 0, "pass: 7 recordings");
    snprintf(line, sizeof line, "coverage --complete %s/all", folder);
    shell_says(line, 0, "Three Card Poker: 79 of 79 points");
    snprintf(line, sizeof line, "generate --cover --seed 3 -o %s/all three-card-poker", folder);
    shell_says(line, 2, "is there already");
    scratch_remove(folder);
}

TEST(random_rounds_go_to_a_file_or_to_standard_output)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    char *out, *file;
    size_t length;
    int status;

    scratch_folder(folder);
    snprintf(line, sizeof line, "generate -n 20 --seed 9 -o %s/a.shoe chase-the-flush", folder);
    shell_says(line, 0, "20 rounds in");
    snprintf(line, sizeof line, "run %s/a.shoe", folder);
    shell_says(line, 0, "20 pass");
    out = shell_command(&status, "generate -n 20 --seed 9 chase-the-flush");
    snprintf(line, sizeof line, "%s/a.shoe", folder);
    file = scratch_read(line, &length);
    CU_ASSERT_STRING_EQUAL(out, file);
    free(out);
    free(file);
    scratch_remove(folder);
}

TEST(what_cannot_be_generated_is_told)
{
    shell_says("generate", 2, "no game given");
    shell_says("generate whist", 2, "unknown game 'whist'; the games are");
    shell_says("generate flush-rush three-card-poker", 2, "one game at a time");
    shell_says("generate --rounds 0 flush-rush", 2,
               "--rounds is '0'; it must be from 1 to 1000000");
    shell_says("generate --rounds 1000001 flush-rush", 2, "--rounds is '1000001'");
    shell_says("generate --seed -1 flush-rush", 2, "--seed is '-1'");
    shell_says("generate --cover flush-rush", 2, "name a folder for them with -o");
    shell_says("generate --beside fixtures flush-rush", 2, "--beside is for --cover");
    shell_says("generate -o a.txt flush-rush", 2, "a recording is named NAME.shoe");
    shell_says("generate --cover -o /proc/none flush-rush", 4, "/proc/none: cannot be made");
    shell_says("generate --cover --beside /none -o /tmp flush-rush", 2, "/none");
    shell_says(
        "generate --cover -o README.md flush-rush", 2,
        "README.md: is a file, and --cover makes several recordings; name a folder for them");
    shell_says("generate -o .shoe flush-rush", 2, "a recording is named NAME.shoe");
    shell_says("generate -o /tmp/.shoe flush-rush", 2, "a recording is named NAME.shoe");
    shell_says("generate -o /proc/none/a.shoe flush-rush", 4, "a.shoe: cannot be written");
}

/* How many files are in a folder. */
static int count_files(const char *folder)
{
    int status, count;
    char *output = shell_run(&status, "ls -A %s | wc -l", folder);

    count = atoi(output);
    free(output);
    return count;
}

TEST(what_cannot_be_written_leaves_nothing)
{
    char folder[SCRATCH_PATH_SIZE], line[1024];

    scratch_folder(folder);
    snprintf(line, sizeof line, "generate --cover --beside /none -o %s/made flush-rush", folder);
    shell_says(line, 2, "/none");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    /* The name of the rig file is as long as one may be, that of the expectation longer. */
    snprintf(line, sizeof line,
             "minimise --rig tests/failing/dealt-cards/another-card.yaml -o %s/%0249d.shoe "
             "tests/failing/dealt-cards/another-card.shoe",
             folder, 0);
    shell_says(line, 4, "File name too long");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    snprintf(line, sizeof line, "generate -n 2 -o %s/%0249d.shoe flush-rush", folder, 0);
    shell_says(line, 4, "File name too long");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    scratch_remove(folder);
}

TEST(no_folder_is_made_where_nothing_is_missing)
{
    char folder[SCRATCH_PATH_SIZE], line[1024];

    scratch_folder(folder);
    snprintf(line, sizeof line, "generate --cover --beside fixtures -o %s/made flush-rush", folder);
    shell_says(line, 0, "nothing was written: no round shows a point that is missing");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    snprintf(line, sizeof line, "generate --cover --json --beside fixtures -o %s/made flush-rush",
             folder);
    shell_says(line, 0, "\"rounds\":0");
    CU_ASSERT_EQUAL(count_files(folder), 0);
    scratch_remove(folder);
}

TEST(coverage_reads_standard_input_alone)
{
    shell_says("coverage " FIXTURE ".shoe -", 2,
               "standard input is a recording of its own, and '" FIXTURE ".shoe' is another");
    shell_says("coverage - " FIXTURE ".shoe", 2,
               "standard input is a recording of its own, and '" FIXTURE ".shoe' is another");
    shell_says("coverage - -", 2, "standard input is a recording of its own, and '-' is another");
}

TEST(several_recordings_do_not_go_to_standard_output)
{
    shell_says("generate --cover -o - flush-rush", 2, "standard output takes one; name a folder");
    CU_ASSERT_NOT_EQUAL(access("-", F_OK), 0);
}

TEST(a_line_beside_what_is_generated_is_told_when_it_is_no_round)
{
    static const char lines[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\ngarbage\n";
    char folder[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 8], line[512], said[512];

    scratch_folder(folder);
    snprintf(path, sizeof path, "%s/a.shoe", folder);
    scratch_write(path, lines, sizeof lines - 1);
    snprintf(line, sizeof line, "generate --cover --beside %s -o %s/rest flush-rush", path, folder);
    snprintf(said, sizeof said, "dealproof generate: %s:2: not valid JSON", path);
    shell_says(line, 0, said);
    scratch_remove(folder);
}

TEST(coverage_says_what_was_never_seen_and_where_the_rest_was)
{
    shell_says("coverage " FIXTURE ".shoe", 0, "never saw seven seats at once\n");
    shell_says("coverage --all " FIXTURE ".shoe", 0,
               "saw a bet as the first decision: " FIXTURE ".shoe round 1 (Chase letter 23");
    shell_says("coverage --complete " FIXTURE ".shoe", 1, "never saw");
    shell_says("coverage --complete fixtures", 0, "Chase the Flush: 228 of 228 points");
}

TEST(coverage_as_json_has_every_point_and_statement)
{
    int status;
    char *output = shell_command(&status, "coverage --json " FIXTURE ".shoe");
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

/* What cannot be written is named, and is no matter of usage; nothing is left of it. */
TEST(recordings_are_all_written_or_none_is)
{
    char folder[SCRATCH_PATH_SIZE], *output;
    int status;

    shell_says("generate --cover -o /none/there flush-rush", 4, "/none/there: cannot be made");
    shell_says("generate --cover -o README.md flush-rush", 2, "README.md: is a file, and");
    scratch_folder(folder);
    output = shell_run(&status,
                       "folder=%s program=%s; trap '' XFSZ; (ulimit -f 8; $program generate -n 500 "
                       "-o $folder/x.shoe flush-rush 2>&1; echo $?; "
                       "$program generate --cover -o $folder chase-the-flush 2>&1; echo $?); "
                       "ls $folder",
                       folder, shell_dealproof());
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/x.expect: cannot be written: File too large\n4\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, ".expect: cannot be written: File too large\n4\n"));
    CU_ASSERT_STRING_EQUAL(strrchr(output, '4'), "4\n");
    free(output);
    scratch_remove(folder);
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
    shell_says(line, 1, said);
    snprintf(said, sizeof said, "%s:3: not valid JSON: the line is empty; remove it\n", path);
    shell_says(line, 1, said);
    snprintf(said, sizeof said, "%s:4: round 1: bets is missing", path);
    shell_says(line, 1, said);
    snprintf(said, sizeof said, "%s:7: round 4: not valid JSON", path);
    shell_says(line, 1, said);
    snprintf(said, sizeof said, "saw a round without bets: %s round 2", path);
    shell_says(line, 1, said);
    shell_says(line, 1, " of 48 points in 2 rounds of 1 recording");
    snprintf(line, sizeof line, "coverage --json %s", path);
    shell_says(line, 1, "{\"error\":{\"command\":\"coverage\",\"message\":\"");
    shell_says(line, 1, "\"rounds\":2,");
    scratch_remove(path);
}

TEST(what_coverage_cannot_read_is_told)
{
    shell_says("coverage", 2, "no recording given");
    shell_says("coverage /none.shoe", 2, "/none.shoe");
    shell_says("coverage README.md", 2, "README.md:1");
    shell_says("coverage --json --all fixtures", 2, "leave out --all");
    shell_says("coverage fixtures/flush-rush fixtures", 2, "are the same file; name it once");
    shell_says("coverage - " FIXTURE ".shoe", 2, "standard input is a recording of its own");
    shell_says("coverage - < /dev/null", 2, "standard input:1: empty");
    shell_says("coverage - < " FIXTURE ".shoe", 0, "never saw seven seats at once\n");
}

TEST(a_report_says_what_its_run_has_exercised)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    char *page;
    size_t length;
    int status;

    scratch_folder(folder);
    snprintf(line, sizeof line, "run --reports %s/out " FIXTURE ".shoe", folder);
    free(shell_command(&status, line));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "report %s/out/run.journal", folder);
    shell_says(
        line, 0,
        "paying lines seen: chase-the-flush 1 of 32\ncoverage points seen: chase-the-flush ");
    snprintf(line, sizeof line, "%s/out/report.html", folder);
    page = scratch_read(line, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li><b>1 of 32</b>paying lines seen\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "Chase the Flush: 1 of 32 paying lines, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li>never saw seven seats at once"));
    CU_ASSERT_PTR_NULL(strstr(page, "<li>never saw a bet as the first decision"));
    free(page);
    scratch_remove(folder);
    shell_says("report tests/rigs/journal/earlier/house-burn.journal", 0, "Devices");
}
