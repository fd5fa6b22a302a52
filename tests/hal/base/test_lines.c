/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

/* A pipe whose one end is being read as lines. */
struct fixture {
    int ends[2];
    int stop[2];
    struct lines *lines;
};

static void setup(struct fixture *fixture)
{
    CU_ASSERT_EQUAL_FATAL(pipe(fixture->ends) | pipe(fixture->stop), 0);
    fixture->lines = lines_new(fixture->ends[0], fixture->stop[0]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->lines);
}

static void teardown(struct fixture *fixture)
{
    lines_free(fixture->lines);
    close(fixture->ends[0]);
    close(fixture->ends[1]);
    close(fixture->stop[0]);
    close(fixture->stop[1]);
}

static void put(const struct fixture *fixture, const char *text)
{
    CU_ASSERT_EQUAL(write(fixture->ends[1], text, strlen(text)), (ssize_t)strlen(text));
}

static bool is_line(struct lines *lines, bool wait, const char *text, uint64_t number)
{
    struct text_line line;

    return lines_next(lines, wait, &line, NULL) == LINES_LINE && line.length == strlen(text) &&
           !memcmp(line.text, text, line.length) && line.number == number;
}

TEST(lines_are_numbered_from_one_and_may_be_empty)
{
    static const char text[] = "one\n\nthree";
    int fd = process_input(text, sizeof text - 1);
    struct lines *lines = lines_new(fd, -1);
    struct text_line line;

    CU_ASSERT(is_line(lines, true, "one", 1));
    CU_ASSERT(is_line(lines, true, "", 2));
    CU_ASSERT(is_line(lines, true, "three", 3));
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_END);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_END);
    lines_free(lines);
    close(fd);
}

TEST(only_whole_lines_come_without_waiting)
{
    struct fixture fixture;
    struct text_line line;

    setup(&fixture);
    put(&fixture, "one\ntwo\nthr");
    CU_ASSERT_EQUAL(lines_next(fixture.lines, false, &line, NULL), LINES_LATER);
    CU_ASSERT(is_line(fixture.lines, true, "one", 1));
    CU_ASSERT(is_line(fixture.lines, false, "two", 2));
    CU_ASSERT_EQUAL(lines_next(fixture.lines, false, &line, NULL), LINES_LATER);
    put(&fixture, "ee\n");
    CU_ASSERT(is_line(fixture.lines, true, "three", 3));
    teardown(&fixture);
}

TEST(reading_ends_when_told_to_stop)
{
    struct fixture fixture;
    struct text_line line;
    struct error error;

    setup(&fixture);
    put(&fixture, "one\n");
    CU_ASSERT(is_line(fixture.lines, true, "one", 1));
    CU_ASSERT_EQUAL(write(fixture.stop[1], "", 1), 1);
    CU_ASSERT_EQUAL(lines_next(fixture.lines, true, &line, &error), ERROR_ABORTED);
    CU_ASSERT_STRING_EQUAL(error.text, "stopped after line 1");
    teardown(&fixture);
}

/* A line of that length, with or without its newline, then another one. */
static int status_of_length(size_t length, bool last, struct text_line *after)
{
    char *text = malloc(length + 7);
    struct text_line line = {.text = NULL};
    struct lines *lines;
    int fd, status;

    memset(text, 'x', length);
    memcpy(text, "start ", 6);
    memcpy(text + length, "\nafter\n", 7);
    fd = process_input(text, last ? length : length + 7);
    lines = lines_new(fd, -1);
    status = lines_next(lines, true, &line, NULL);
    CU_ASSERT(!memcmp(line.text, "start ", 6));
    CU_ASSERT(status == LINES_LONG ? line.length == 64 : line.length == length);
    CU_ASSERT_EQUAL(lines_next(lines, true, after, NULL), last ? LINES_END : LINES_LINE);
    CU_ASSERT(last || (after->length == 5 && after->number == 2));
    lines_free(lines);
    close(fd);
    free(text);
    return status;
}

TEST(a_line_may_have_the_greatest_length_and_not_one_byte_more)
{
    static const size_t more[] = {
        1, 2, LINES_LONGEST - 1, LINES_LONGEST, LINES_LONGEST + 1, 9 * LINES_LONGEST};
    struct text_line after;

    CU_ASSERT_EQUAL(status_of_length(LINES_LONGEST - 1, false, &after), LINES_LINE);
    CU_ASSERT_EQUAL(status_of_length(LINES_LONGEST, false, &after), LINES_LINE);
    CU_ASSERT_EQUAL(status_of_length(LINES_LONGEST, true, &after), LINES_LINE);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        CU_ASSERT_EQUAL(status_of_length(LINES_LONGEST + more[i], false, &after), LINES_LONG);
        CU_ASSERT_EQUAL(status_of_length(LINES_LONGEST + more[i], true, &after), LINES_LONG);
    }
}

TEST(what_cannot_be_read_is_an_error_of_the_bench)
{
    int fd = open("/", O_RDONLY | O_DIRECTORY);
    struct lines *lines = lines_new(fd, -1);
    struct text_line line;
    struct error error;

    CU_ASSERT_EQUAL(lines_next(lines, true, &line, &error), ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(error.text, "cannot read after line 0: Is a directory");
    lines_free(lines);
    close(fd);
}

TEST(a_last_line_without_a_newline_is_told_from_one_with_it)
{
    static const char *const texts[] = {"one\ntwo\n", "one\ntwo"};

    for (int i = 0; i < 2; i++) {
        int fd = process_input(texts[i], strlen(texts[i]));
        struct lines *lines = lines_new(fd, -1);
        struct text_line line;

        CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_LINE);
        CU_ASSERT_TRUE(line.complete);
        CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_LINE);
        CU_ASSERT_EQUAL(line.complete, i == 0);
        lines_free(lines);
        close(fd);
    }
}

TEST(lines_end_where_they_are_told_to)
{
    static const char text[] = "one\ntwo\nthree\n";
    static const struct {
        uint64_t bytes;
        unsigned lines;
    } cases[] = {{0, 0}, {4, 1}, {8, 2}, {10, 3}, {100, 3}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int fd = process_input(text, sizeof text - 1);
        struct lines *lines = lines_new(fd, -1);
        struct text_line line;
        unsigned count = 0;

        lines_limit(lines, cases[i].bytes);
        while (lines_next(lines, true, &line, NULL) == LINES_LINE)
            count++;
        CU_ASSERT_EQUAL(count, cases[i].lines);
        CU_ASSERT_EQUAL(count && line.complete, cases[i].bytes && cases[i].bytes != 10);
        lines_free(lines);
        close(fd);
    }
}

TEST(an_input_can_end_with_the_first_line_that_is_too_long)
{
    int fd = open("/dev/zero", O_RDONLY);
    struct lines *lines = lines_new(fd, -1);
    struct text_line line;

    lines_end_at_long(lines);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_LONG);
    CU_ASSERT_TRUE(line.complete);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_END);
    lines_free(lines);
    close(fd);
}

TEST(an_input_can_end_with_its_first_line_alone)
{
    static const char begins[] = "{}\n";
    int ends[2];
    struct lines *lines;
    struct text_line line;
    char *round = malloc(LINES_LONGEST + 2);

    CU_ASSERT_PTR_NOT_NULL_FATAL(round);
    memset(round, ' ', LINES_LONGEST + 2);
    round[LINES_LONGEST + 1] = '\n';
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL(fcntl(ends[1], F_SETPIPE_SZ, 4 * LINES_LONGEST), 4 * (int)LINES_LONGEST);
    lines = lines_new(ends[0], -1);
    lines_end_at_long_first(lines);
    CU_ASSERT_EQUAL(write(ends[1], begins, 3), 3);
    CU_ASSERT_EQUAL(write(ends[1], round, LINES_LONGEST + 2), (ssize_t)LINES_LONGEST + 2);
    CU_ASSERT_EQUAL(write(ends[1], begins, 3), 3);
    close(ends[1]);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_LINE);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_LONG);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_LINE);
    CU_ASSERT_EQUAL(lines_next(lines, true, &line, NULL), LINES_END);
    lines_free(lines);
    close(ends[0]);
    free(round);
}
