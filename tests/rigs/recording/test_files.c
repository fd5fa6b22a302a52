/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

#define HEADER "{\"shoe\":1,\"game\":\"flush-rush\"}\n"

static char directory[64], shoe[96], expect[96];
static struct recording_files files;
static struct error said;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static void setup(const char *recorded, const char *expected)
{
    strcpy(directory, "/tmp/test_files.XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    snprintf(shoe, sizeof shoe, "%s/a.shoe", directory);
    snprintf(expect, sizeof expect, "%s/a.expect", directory);
    write_file(shoe, recorded);
    write_file(expect, expected);
    CU_ASSERT_EQUAL_FATAL(recording_files_open(&files, shoe, -1, &said), 0);
}

static void teardown(void)
{
    recording_files_close(&files);
    unlink(shoe);
    unlink(expect);
    rmdir(directory);
}

/* Reads a file to its end; returns how many lines it had, or the error. */
static int read_all(struct recording_file *file)
{
    struct text_line line;
    int count = 0, status;

    while ((status = recording_file_next(file, &line, &said)) > 0)
        count++;
    return status ? status : count;
}

TEST(files_are_counted_and_summed_and_then_read_from_their_beginning)
{
    char digest[DIGEST_SIZE];
    struct recording_header header;

    setup(HEADER "one\ntwo\nthree", "ONE\nTWO\n");
    CU_ASSERT_EQUAL(recording_files_sum(&files, &said), 0);
    CU_ASSERT_EQUAL(files.recorded.count, 4);
    CU_ASSERT_EQUAL(files.expected.count, 2);
    CU_ASSERT_EQUAL(digest_file(shoe, digest, NULL), 0);
    CU_ASSERT_STRING_EQUAL(files.recorded.digest, digest);
    CU_ASSERT_EQUAL(digest_file(expect, digest, NULL), 0);
    CU_ASSERT_STRING_EQUAL(files.expected.digest, digest);
    CU_ASSERT_EQUAL(recording_file_header(&files.recorded, NULL, &header, &said), 0);
    CU_ASSERT_STRING_EQUAL(header.setup.game->name, "flush-rush");
    CU_ASSERT_EQUAL(read_all(&files.recorded), 3);
    CU_ASSERT_EQUAL(read_all(&files.expected), 2);
    CU_ASSERT_EQUAL(read_all(&files.expected), 0);
    teardown();
}

TEST(a_file_that_is_changed_after_it_was_summed_is_told)
{
    char text[160];

    setup(HEADER "one\ntwo\n", "ONE\nTWO\n");
    CU_ASSERT_EQUAL(recording_files_sum(&files, &said), 0);
    write_file(shoe, HEADER "one\ntwO\n");
    CU_ASSERT_EQUAL(read_all(&files.recorded), ERROR_CONFIG);
    snprintf(text, sizeof text, "%s: it was changed while it was read; play it again", shoe);
    CU_ASSERT_STRING_EQUAL(said.text, text);
    CU_ASSERT_EQUAL(truncate(expect, 4), 0);
    CU_ASSERT_EQUAL(read_all(&files.expected), ERROR_CONFIG);
    teardown();
}

TEST(a_file_that_takes_the_name_of_another_is_not_read)
{
    char other[sizeof shoe + 8];

    setup(HEADER "one\ntwo\n", "ONE\nTWO\n");
    CU_ASSERT_EQUAL(recording_files_sum(&files, &said), 0);
    snprintf(other, sizeof other, "%s.other", shoe);
    write_file(other, HEADER "three\n");
    CU_ASSERT_EQUAL(rename(other, shoe), 0);
    CU_ASSERT_EQUAL(read_all(&files.recorded), 3);
    teardown();
}

TEST(a_line_that_is_too_long_is_named_with_its_file)
{
    static char line[LINES_LONGEST + 2];

    memset(line, 'a', sizeof line - 1);
    setup(HEADER, line);
    CU_ASSERT_EQUAL(recording_files_sum(&files, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "a.expect:1: the line is longer than 65536 bytes"));
    teardown();
}

TEST(what_can_be_read_only_once_is_not_summed)
{
    setup("", "");
    recording_files_close(&files);
    unlink(shoe);
    CU_ASSERT_EQUAL_FATAL(mkfifo(shoe, 0600), 0);
    CU_ASSERT_EQUAL_FATAL(recording_files_open(&files, shoe, -1, &said), 0);
    CU_ASSERT_EQUAL(recording_files_sum(&files, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "a.shoe: can be read only once"));
    teardown();
}

TEST(a_recording_without_its_expectation_is_not_opened)
{
    setup("", "");
    recording_files_close(&files);
    unlink(expect);
    CU_ASSERT_EQUAL(recording_files_open(&files, shoe, -1, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "a.shoe: no expectation; write what must come out"));
    CU_ASSERT_EQUAL(recording_files_open(&files, directory, -1, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "a recording is named NAME.shoe"));
    unlink(shoe);
    rmdir(directory);
}
