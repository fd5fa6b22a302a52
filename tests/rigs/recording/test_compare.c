/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/recording/compare.h"
#include "rigs/recording/list.h"
#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/suite.h"

#define ROUNDS 200

/* A directory with one made-up recording, settled by the program into its expectation. */
struct bench_directory {
    char path[64];
    char shoe[96];
    char expect[96];
    char *settled;
};

static void write_both(const char *path, const char *text, const char *more)
{
    FILE *file = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fputs(more, file);
    fclose(file);
}

static void write_file(const char *path, const char *text)
{
    write_both(path, text, "");
}

static void append_file(const char *path, const char *more)
{
    FILE *file = fopen(path, "a");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(more, file);
    fclose(file);
}

static void setup(struct bench_directory *directory)
{
    const char *const arguments[] = {"settle", directory->shoe, NULL};
    struct process_result result;
    FILE *file;

    strcpy(directory->path, "/tmp/test_compare.XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory->path));
    snprintf(directory->shoe, sizeof directory->shoe, "%s/a.shoe", directory->path);
    snprintf(directory->expect, sizeof directory->expect, "%s/a.expect", directory->path);
    file = fopen(directory->shoe, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(rounds_write(fileno(file), 6, ROUNDS, 5), 0);
    fclose(file);
    result = process_run(arguments, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    directory->settled = result.out;
    free(result.err);
    write_file(directory->expect, directory->settled);
}

static void teardown(struct bench_directory *directory)
{
    unlink(directory->shoe);
    unlink(directory->expect);
    CU_ASSERT_EQUAL(rmdir(directory->path), 0);
    free(directory->settled);
}

static int compare(const struct bench_directory *directory, struct compare_result *result,
                   struct error *error)
{
    return compare_recording(directory->shoe, NULL, NULL, 2, -1, result, error);
}

TEST(what_settle_prints_is_what_compare_expects)
{
    struct bench_directory directory;
    struct compare_result result;

    setup(&directory);
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.rounds, ROUNDS);
    CU_ASSERT_EQUAL(result.differing, 0);
    CU_ASSERT_EQUAL(result.shown, 0);
    teardown(&directory);
}

TEST(a_changed_total_is_the_one_difference)
{
    struct bench_directory directory;
    struct compare_result result;
    char *total;

    setup(&directory);
    total = strstr(strstr(directory.settled, "{\"round\":150,"), "\"total\":") + 8;
    *total = *total == '-' ? '9' : '-';
    write_file(directory.expect, directory.settled);
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.rounds, ROUNDS);
    CU_ASSERT_EQUAL(result.differing, 1);
    CU_ASSERT_EQUAL(result.shown, 1);
    CU_ASSERT_EQUAL(result.differences[0].place, EXPECT_SEAT_WAGER);
    CU_ASSERT_EQUAL(result.differences[0].seat, 1);
    CU_ASSERT_STRING_EQUAL(result.differences[0].round, "150");
    CU_ASSERT_STRING_EQUAL(result.differences[0].name, "total");
    teardown(&directory);
}

TEST(rounds_that_only_one_side_has_differ)
{
    struct bench_directory directory;
    struct compare_result result;
    char *last, text[EXPECT_TEXT_SIZE];

    setup(&directory);
    last = strstr(directory.settled, "{\"round\":199,");
    *last = '\0';
    write_file(directory.expect, directory.settled);
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.differing, 2);
    CU_ASSERT_STRING_EQUAL(expect_describe(&result.differences[0], text),
                           "round 199: expected nothing, got a line");
    *last = '{';
    write_both(directory.expect, directory.settled, "{\"round\":201}\n");
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.differing, 1);
    CU_ASSERT_STRING_EQUAL(expect_describe(&result.differences[0], text),
                           "round 201: expected a line, got nothing");
    teardown(&directory);
}

TEST(only_the_first_differences_are_kept)
{
    struct bench_directory directory;
    struct compare_result result;

    setup(&directory);
    for (char *at = directory.settled; (at = strstr(at, "\"hand\":\"")); at += 8)
        at[8] = '?';
    write_file(directory.expect, directory.settled);
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.differing, ROUNDS);
    CU_ASSERT_EQUAL(result.shown, COMPARE_SHOWN);
    CU_ASSERT_EQUAL(result.differences[0].place, EXPECT_DEALER_HAND);
    CU_ASSERT_STRING_EQUAL(result.differences[0].round, "1");
    CU_ASSERT_EQUAL(result.differences[7].place, EXPECT_DEALER_HAND);
    CU_ASSERT_STRING_EQUAL(result.differences[7].round, "2");
    teardown(&directory);
}

TEST(a_recording_without_expectation_is_an_error)
{
    struct bench_directory directory;
    struct compare_result result;
    struct error error;

    setup(&directory);
    unlink(directory.expect);
    CU_ASSERT_EQUAL(compare(&directory, &result, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no expectation; write what must come out to"));
    write_file(directory.expect, "{\"round\":1,\n");
    CU_ASSERT_EQUAL(compare(&directory, &result, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a.expect:1: not valid JSON"));
    CU_ASSERT_EQUAL(compare_recording("/tmp/x.txt", NULL, NULL, 1, -1, &result, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a recording is named NAME.shoe"));
    teardown(&directory);
}

TEST(a_recording_without_rounds_is_an_error)
{
    struct bench_directory directory;
    const char *const arguments[] = {"settle", "--check", "--json", directory.path, NULL};
    struct compare_result result;
    struct error error;

    setup(&directory);
    write_file(directory.shoe, "{\"shoe\":1,\"game\":\"flush-rush\"}\n");
    write_file(directory.expect, "");
    CU_ASSERT_EQUAL(compare(&directory, &result, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a.shoe: has no round; there is nothing to check"));
    CU_ASSERT_EQUAL(process_status_with(process_run(arguments, process_input("", 0)),
                                        "{\"passed\":0,\"failed\":1}\n"),
                    2);
    teardown(&directory);
}

TEST(a_line_too_many_is_named_by_its_line_where_its_round_does_not_say_it)
{
    struct bench_directory directory;
    struct compare_result result;
    char text[EXPECT_TEXT_SIZE];

    setup(&directory);
    write_both(directory.expect, directory.settled, "{\"round\":1}\n");
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_STRING_EQUAL(expect_describe(&result.differences[0], text),
                           "round 1 (line 201 of the expectation): expected a line, got nothing");
    write_both(directory.expect, directory.settled, "\n");
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_STRING_EQUAL(
        expect_describe(&result.differences[0], text),
        "round ? (line 201 of the expectation, which is empty): expected a line, "
        "got nothing");
    teardown(&directory);
}

/* So that what comes after it is compared with its own round. */
TEST(an_empty_line_of_an_expectation_is_one_difference_wherever_it_stands)
{
    struct bench_directory directory;
    const char *const arguments[] = {"settle", "--check", directory.path, NULL};
    struct compare_result result;
    char text[EXPECT_TEXT_SIZE], *second;

    setup(&directory);
    second = strchr(directory.settled, '\n') + 1;
    write_both(directory.expect, " \n", directory.settled);
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.differing, 1);
    CU_ASSERT_STRING_EQUAL(expect_describe(&result.differences[0], text),
                           "round ? (line 1 of the expectation, which is empty): expected a line, "
                           "got nothing");
    second[-1] = '\0';
    write_both(directory.expect, directory.settled, "\n\n\n");
    second[-1] = '\n';
    append_file(directory.expect, second);
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_EQUAL(result.rounds, ROUNDS);
    CU_ASSERT_EQUAL(result.differing, 2);
    CU_ASSERT_STRING_EQUAL(expect_describe(&result.differences[1], text),
                           "round ? (line 3 of the expectation, which is empty): expected a line, "
                           "got nothing");
    CU_ASSERT_EQUAL(
        process_status_with(process_run(arguments, process_input("", 0)), "0 passed, 1 failed\n"),
        1);
    teardown(&directory);
}

TEST(an_empty_line_after_the_rounds_is_said_to_be_empty)
{
    struct bench_directory directory;
    struct compare_result result;
    char text[EXPECT_TEXT_SIZE];

    setup(&directory);
    append_file(directory.shoe, " \n");
    CU_ASSERT_EQUAL(compare(&directory, &result, NULL), 0);
    CU_ASSERT_STRING_EQUAL(expect_describe(&result.differences[0], text),
                           "round ? (line 202 of the recording, which is empty): expected nothing, "
                           "got a line");
    teardown(&directory);
}

TEST(check_names_the_difference_and_adds_up)
{
    struct bench_directory directory;
    const char *const arguments[] = {"settle", "--check", directory.path, NULL};
    struct process_result good, bad, missing;
    char *total;

    setup(&directory);
    good = process_run(arguments, process_input("", 0));
    total = strstr(directory.settled, "\"total\":") + 8;
    *total = *total == '-' ? '9' : '-';
    write_file(directory.expect, directory.settled);
    bad = process_run(arguments, process_input("", 0));
    unlink(directory.expect);
    missing = process_run(arguments, process_input("", 0));
    CU_ASSERT_EQUAL(good.status, 0);
    CU_ASSERT(!strncmp(good.out, "ok ", 3) && strstr(good.out, "a.shoe (200 rounds)\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(good.out, "1 passed, 0 failed\n"));
    CU_ASSERT_EQUAL(bad.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(bad.out, "a.shoe: 1 of 200 rounds differs\n"
                                           "  round 1, seat 1, total: expected "));
    CU_ASSERT_PTR_NOT_NULL(strstr(bad.out, "0 passed, 1 failed\n"));
    CU_ASSERT_EQUAL(missing.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(missing.err, "no expectation"));
    CU_ASSERT_PTR_NOT_NULL(strstr(missing.out, "0 passed, 1 failed\n"));
    process_free(&good);
    process_free(&bad);
    process_free(&missing);
    teardown(&directory);
}

TEST(a_directory_stands_for_its_recordings_sorted)
{
    struct bench_directory directory;
    struct recording_list found;
    struct error error;
    char inner[96], shoe[112], other[112];
    char *names[] = {directory.path, directory.expect, NULL};

    setup(&directory);
    snprintf(inner, sizeof inner, "%s/0", directory.path);
    snprintf(shoe, sizeof shoe, "%s/z.shoe", inner);
    snprintf(other, sizeof other, "%s/shoe", inner);
    CU_ASSERT_EQUAL_FATAL(mkdir(inner, 0700), 0);
    write_file(other, "");
    names[0] = inner;
    CU_ASSERT_EQUAL(recording_list_find(names, &found, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no recording (*.shoe) in it"));
    write_file(shoe, "");
    names[0] = directory.path;
    CU_ASSERT_EQUAL_FATAL(recording_list_find(names, &found, &error), 0);
    CU_ASSERT_EQUAL_FATAL(found.count, 3);
    CU_ASSERT_STRING_EQUAL(found.paths[0], shoe);
    CU_ASSERT_STRING_EQUAL(found.paths[1], directory.shoe);
    CU_ASSERT_STRING_EQUAL(found.paths[2], directory.expect);
    recording_list_free(&found);
    unlink(shoe);
    unlink(other);
    rmdir(inner);
    teardown(&directory);
}
