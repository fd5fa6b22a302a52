/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/recorder.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

#define EXPECTED "{\"round\":1}\n"

static const struct recorder_options gently = {.force = false};
static struct error error;

/* The names that a recording has while it is made and afterwards. */
struct names {
    char shoe[96], expect[96], shoe_part[96], expect_part[96];
};

static void name(struct names *names)
{
    char base[SCRATCH_PATH_SIZE];

    scratch_path(base);
    snprintf(names->shoe, sizeof names->shoe, "%s.shoe", base);
    snprintf(names->expect, sizeof names->expect, "%s.expect", base);
    snprintf(names->shoe_part, sizeof names->shoe_part, "%s.shoe.part", base);
    snprintf(names->expect_part, sizeof names->expect_part, "%s.expect.part", base);
}

static bool is_there(const char *path)
{
    return !access(path, F_OK);
}

static unsigned count_files(const struct names *names)
{
    return (unsigned)is_there(names->shoe) + (unsigned)is_there(names->expect) +
           (unsigned)is_there(names->shoe_part) + (unsigned)is_there(names->expect_part);
}

static void clean_up(const struct names *names)
{
    unlink(names->shoe);
    unlink(names->expect);
    unlink(names->shoe_part);
    unlink(names->expect_part);
}

static struct recorder *start(const struct names *names, const struct recorder_options *options)
{
    static const char text[] = "{\"shoe\":1,\"game\":\"chase-the-flush\"}";
    struct recording_header header;
    struct recorder *recorder;

    CU_ASSERT_EQUAL_FATAL(recording_read_header(text, sizeof text - 1, NULL, &header, &error), 0);
    CU_ASSERT_EQUAL_FATAL(recorder_open(&recorder, names->shoe, options, &error), 0);
    CU_ASSERT_EQUAL(
        recorder_header(recorder, &header, &(struct recording_source){.by = "test"}, &error), 0);
    return recorder;
}

static int add(struct recorder *recorder)
{
    struct recording_round round = {.has_deck = false};
    struct table table = table_chase();

    round.round = table.round;
    round.round.number = (int64_t)recorder_rounds(recorder) + 1;
    return recorder_round(recorder, &round, EXPECTED, sizeof EXPECTED - 1, &error);
}

TEST(a_recording_gets_its_names_when_it_is_closed)
{
    struct names names;
    struct recorder *recorder;

    name(&names);
    recorder = start(&names, &gently);
    CU_ASSERT_EQUAL(add(recorder), 0);
    CU_ASSERT_EQUAL(add(recorder), 0);
    CU_ASSERT_FALSE(is_there(names.shoe) || is_there(names.expect));
    CU_ASSERT_EQUAL(scratch_lines(names.shoe_part), 3);
    CU_ASSERT_EQUAL(scratch_lines(names.expect_part), 2);
    CU_ASSERT_EQUAL(recorder_rounds(recorder), 2);
    CU_ASSERT_EQUAL(recorder_close(recorder, &error), 0);
    CU_ASSERT_EQUAL(count_files(&names), 2);
    CU_ASSERT_EQUAL(scratch_lines(names.shoe), 3);
    CU_ASSERT_EQUAL(scratch_lines(names.expect), 2);
    clean_up(&names);
}

TEST(a_recording_without_a_round_leaves_no_file)
{
    struct names names;

    name(&names);
    CU_ASSERT_EQUAL(recorder_close(start(&names, &gently), &error), 0);
    CU_ASSERT_EQUAL(count_files(&names), 0);
    CU_ASSERT_EQUAL(recorder_close(NULL, &error), 0);
}

TEST(no_file_that_is_there_is_replaced_unless_by_force)
{
    for (unsigned which = 0; which < 4; which++) {
        struct recorder *recorder;
        struct names names;
        const char *path;

        name(&names);
        path =
            (const char *[]){names.shoe, names.expect, names.shoe_part, names.expect_part}[which];
        scratch_write(path, "mine\n", 5);
        CU_ASSERT_EQUAL(recorder_open(&recorder, names.shoe, &gently, &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NULL(recorder);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, path));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--force"));
        CU_ASSERT_EQUAL(count_files(&names), 1);
        recorder = start(&names, &(struct recorder_options){.force = true});
        CU_ASSERT_EQUAL(add(recorder), 0);
        CU_ASSERT_EQUAL(recorder_close(recorder, &error), 0);
        CU_ASSERT_EQUAL(count_files(&names), 2);
        CU_ASSERT_EQUAL(scratch_lines(names.shoe), 2);
        CU_ASSERT_EQUAL(scratch_lines(names.expect), 1);
        clean_up(&names);
    }
}

TEST(a_file_that_somebody_made_in_the_meantime_is_not_replaced)
{
    struct names names;
    struct recorder *recorder;
    size_t length;
    char *text;

    name(&names);
    recorder = start(&names, &gently);
    CU_ASSERT_EQUAL(add(recorder), 0);
    scratch_write(names.expect, "mine\n", 5);
    CU_ASSERT_EQUAL(recorder_close(recorder, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, names.expect_part));
    text = scratch_read(names.expect, &length);
    CU_ASSERT_STRING_EQUAL(text, "mine\n");
    free(text);
    CU_ASSERT_FALSE(is_there(names.shoe));
    CU_ASSERT_EQUAL(scratch_lines(names.shoe_part), 2);
    clean_up(&names);
}

/* Each limit tears another line of one file or the other. */
TEST(a_disk_that_fills_up_ends_with_the_last_round_that_fitted)
{
    struct rlimit before;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t limit = 600; limit < 1400; limit += 37) {
        struct rlimit tight = {.rlim_cur = limit, .rlim_max = before.rlim_max};
        struct recorder *recorder;
        struct names names;
        int rounds = 0, status;

        name(&names);
        recorder = start(&names, &gently);
        setrlimit(RLIMIT_FSIZE, &tight);
        while (!(status = add(recorder)) && rounds < 100)
            rounds++;
        setrlimit(RLIMIT_FSIZE, &before);
        CU_ASSERT_EQUAL(status, ERROR_RIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "File too large; allow larger files"));
        CU_ASSERT_TRUE(rounds > 0);
        CU_ASSERT_EQUAL(recorder_rounds(recorder), (uint64_t)rounds);
        CU_ASSERT_EQUAL(recorder_close(recorder, &error), 0);
        CU_ASSERT_EQUAL(scratch_lines(names.shoe), rounds + 1);
        CU_ASSERT_EQUAL(scratch_lines(names.expect), rounds);
        clean_up(&names);
    }
}

TEST(a_recording_has_the_name_of_one)
{
    static const char *const paths[] = {"/tmp/x.txt", "x", ".shoe", "/tmp/.shoe", ""};
    struct recorder *recorder;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        CU_ASSERT_EQUAL(recorder_open(&recorder, paths[i], &gently, &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "NAME.shoe"));
    }
    CU_ASSERT_EQUAL(recorder_open(&recorder, "/nowhere/x.shoe", &gently, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "cannot be made"));
}

TEST(nothing_is_recorded_through_a_link)
{
    char target[SCRATCH_PATH_SIZE];
    struct recorder *recorder;
    struct names names;
    size_t length;
    char *text;

    name(&names);
    scratch_path(target);
    scratch_write(target, "kept", 4);
    CU_ASSERT_EQUAL(symlink("/nowhere/at/all", names.expect), 0);
    CU_ASSERT_EQUAL(recorder_open(&recorder, names.shoe, &gently, &error), ERROR_CONFIG);
    unlink(names.expect);
    CU_ASSERT_EQUAL(symlink(target, names.shoe_part), 0);
    CU_ASSERT_EQUAL(recorder_open(&recorder, names.shoe, &gently, &error), ERROR_CONFIG);
    recorder = start(&names, &(struct recorder_options){.force = true});
    CU_ASSERT_EQUAL(add(recorder), 0);
    CU_ASSERT_EQUAL(recorder_close(recorder, &error), 0);
    text = scratch_read(target, &length);
    CU_ASSERT_STRING_EQUAL(text, "kept");
    free(text);
    CU_ASSERT_TRUE(is_there(names.shoe) && is_there(names.expect));
    clean_up(&names);
    unlink(target);
}
