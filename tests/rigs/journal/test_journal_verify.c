/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "rigs/journal/verify.h"
#include "tests/support/journal_sample.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FIRST "0000000000000000000000000000000000000000000000000000000000000000"

static const struct journal_start plain_start = {.version = "1"};

static struct journal *open_plain(const char *path, const struct clock *clock)
{
    struct journal *journal = NULL;
    struct error error = {.text = ""};

    CU_ASSERT_EQUAL(journal_open(path, &(struct journal_options){.clock = clock}, &plain_start,
                                 &journal, &error),
                    0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(journal);
    return journal;
}

static int verify_path(const char *path, struct journal_verified *verified, struct error *error)
{
    error->text[0] = '\0';
    return journal_verify(path, &(struct journal_verify){0}, verified, error);
}

/* Verifies an altered text; returns the status with its sentence in `error`. */
static int verify_text(const char *text, size_t length, struct journal_verified *verified,
                       struct error *error)
{
    int fd = process_input(text, length), status;
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    status = verify_path(path, verified, error);
    close(fd);
    return status;
}

static unsigned line_at(const char *text, size_t offset)
{
    unsigned line = 1;

    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

static size_t line_start(const char *text, unsigned line)
{
    const char *at = text;

    while (--line)
        at = strchr(at, '\n') + 1;
    return (size_t)(at - text);
}

/* The sentence speaks of that line first. */
static bool names_line(const struct error *error, unsigned line)
{
    char words[32];

    snprintf(words, sizeof words, ": line %u ", line);
    return strstr(error->text, words) != NULL;
}

TEST(a_complete_journal_is_intact_and_says_so)
{
    const struct journal_sample sample = {.rounds = 130, .fail_every = 7, .timeout_every = 11};
    struct journal_verified verified;
    struct error error;
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    CU_ASSERT_EQUAL(journal_sample_write(path, &sample, &error), 0);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    unlink(path);
    CU_ASSERT_EQUAL(verified.rounds, 130);
    CU_ASSERT_TRUE(verified.ending.ended);
    CU_ASSERT_EQUAL(verified.ending.torn, 0);
    CU_ASSERT_EQUAL(verified.files[JOURNAL_FILE_SAME], 6);
    CU_ASSERT_EQUAL(verified.files[JOURNAL_FILE_DIFFERS], 0);
    CU_ASSERT_EQUAL(verified.files[JOURNAL_FILE_MISSING], 0);
}

/* Every byte of every line, turned into two others: its neighbour, and one that takes turns. */
TEST(any_altered_byte_is_found_and_its_line_is_named)
{
    size_t length, wrong = 0;
    char *text = journal_sample_text(&length);

    for (size_t i = 0; i < length; i++) {
        static const char turns[] = {'\n', '0', '"', '}', (char)0xff};
        const char was = text[i], others[] = {(char)(was ^ 1), turns[i % sizeof turns]};

        for (size_t other = 0; other < sizeof others; other++) {
            struct journal_verified verified;
            struct error error;
            int status;

            if (others[other] == was)
                continue;
            text[i] = others[other];
            status = verify_text(text, length, &verified, &error);
            text[i] = was;
            if (status == ERROR_RULE && names_line(&error, line_at(text, i)))
                continue;
            if (!wrong++)
                fprintf(stderr, "byte %zu of line %u, '%c' made 0x%02x: status %d, %s\n",
                        i - line_start(text, line_at(text, i)), line_at(text, i), was,
                        (unsigned char)others[other], status, error.text);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(length > 2000);
    free(text);
}

TEST(a_missing_line_is_named)
{
    size_t length;
    char *text = journal_sample_text(&length), *altered = malloc(length);
    unsigned lines = line_at(text, length) - 1;

    for (unsigned line = 1; line < lines; line++) {
        size_t start = line_start(text, line), end = line_start(text, line + 1);
        struct journal_verified verified;
        struct error error;

        memcpy(altered, text, start);
        memcpy(altered + start, text + end, length - end);
        CU_ASSERT_EQUAL(verify_text(altered, length - (end - start), &verified, &error),
                        ERROR_RULE);
        CU_ASSERT(names_line(&error, line) && strstr(error.text, "is missing"));
    }
    free(altered);
    free(text);
}

TEST(several_missing_lines_are_named_from_the_first_to_the_last)
{
    size_t length, start, end;
    char *text = journal_sample_text(&length);
    struct journal_verified verified;
    struct error error;

    start = line_start(text, 4);
    end = line_start(text, 7);
    memmove(text + start, text + end, length - end);
    CU_ASSERT_EQUAL(verify_text(text, length - (end - start), &verified, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "line 4 is missing, and all up to line 6"));
    free(text);
}

/* A copy of each line put after itself, and a forged one that fits the line before it. */
TEST(an_inserted_line_is_named)
{
    size_t length;
    char *text = journal_sample_text(&length), *altered = malloc(2 * length + 512);
    unsigned lines = line_at(text, length) - 1;

    for (unsigned line = 1; line < lines; line++) {
        size_t start = line_start(text, line), end = line_start(text, line + 1);
        struct journal_verified verified;
        char digest[DIGEST_SIZE];
        struct error error;
        int forged;

        memcpy(altered, text, end);
        memcpy(altered + end, text + start, length - start);
        CU_ASSERT_EQUAL(verify_text(altered, length + end - start, &verified, &error), ERROR_RULE);
        CU_ASSERT(names_line(&error, line) && strstr(error.text, "was inserted"));

        digest_bytes(text + start, end - 1 - start, digest);
        forged = sprintf(altered + end,
                         "{\"n\":%u,\"prev\":\"%s\",\"t\":0,\"kind\":\"event\",\"device\":\"x\","
                         "\"event\":\"y\"}\n",
                         line + 1, digest);
        memcpy(altered + end + forged, text + end, length - end);
        CU_ASSERT_EQUAL(verify_text(altered, length + (size_t)forged, &verified, &error),
                        ERROR_RULE);
        CU_ASSERT(names_line(&error, line + 1) && strstr(error.text, "was inserted"));
    }
    free(altered);
    free(text);
}

TEST(swapped_lines_are_named_where_the_first_of_them_should_be)
{
    size_t length;
    char *text = journal_sample_text(&length), *altered = malloc(length);
    unsigned lines = line_at(text, length) - 1;

    for (unsigned line = 1; line + 1 < lines; line++) {
        size_t one = line_start(text, line), two = line_start(text, line + 1);
        size_t end = line_start(text, line + 2);
        struct journal_verified verified;
        struct error error;

        memcpy(altered, text, length);
        memcpy(altered + one, text + two, end - two);
        memcpy(altered + one + (end - two), text + one, two - one);
        CU_ASSERT_EQUAL(verify_text(altered, length, &verified, &error), ERROR_RULE);
        CU_ASSERT(names_line(&error, line) && strstr(error.text, "is not in its place"));
    }
    free(altered);
    free(text);
}

TEST(a_line_after_the_end_is_named)
{
    size_t length;
    char *text = journal_sample_text(&length), *altered = malloc(2 * length);
    unsigned last = line_at(text, length) - 1;
    size_t start = line_start(text, last);
    struct journal_verified verified;
    char digest[DIGEST_SIZE];
    struct error error;

    digest_bytes(text + start, length - 1 - start, digest);
    memcpy(altered, text, length);
    length +=
        (size_t)sprintf(altered + length, "{\"n\":%u,\"prev\":\"%s\",\"t\":0,\"kind\":\"event\"}\n",
                        last + 1, digest);
    CU_ASSERT_EQUAL(verify_text(altered, length, &verified, &error), ERROR_RULE);
    CU_ASSERT(names_line(&error, last + 1) && strstr(error.text, "after the end line"));
    free(altered);
    free(text);
}

/* A crash leaves the beginning of one line, and nothing at all after an end line. */
TEST(what_no_crash_leaves_is_altered)
{
    static const char *const tails[] = {"x", "{\"n\":", "\n", "\0"};
    size_t length, cut;
    char *text = journal_sample_text(&length), *altered = calloc(1, length + 2 * LINES_LONGEST);
    struct journal_verified verified;
    struct error error;

    cut = line_start(text, line_at(text, length) - 1);
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        size_t tail = strlen(tails[i]) ? strlen(tails[i]) : 1;

        memcpy(altered, text, length);
        memcpy(altered + length, tails[i], tail);
        CU_ASSERT_EQUAL(verify_text(altered, length + tail, &verified, &error), ERROR_RULE);
    }
    for (size_t more = 0; more < 2; more++) {
        memcpy(altered, text, cut);
        memset(altered + cut, 'x', LINES_LONGEST + 1);
        CU_ASSERT_EQUAL(verify_text(altered, cut + LINES_LONGEST + more, &verified, &error),
                        more ? ERROR_RULE : 0);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "longer than 65536 bytes"));
    free(altered);
    free(text);
}

TEST(what_never_ends_is_no_journal_and_keeps_nobody_waiting)
{
    static const char *const commands[] = {"verify", "report"};

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        struct process_result result =
            process_run((const char *const[]){commands[i], "/dev/zero", NULL}, -1);

        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "not a journal"));
        process_free(&result);
    }
}

/* Every length that a file can be cut to. */
TEST(what_a_crash_leaves_is_intact_up_to_its_last_complete_line)
{
    size_t length;
    char *text = journal_sample_text(&length);
    size_t first = line_start(text, 2);

    for (size_t cut = first; cut < length; cut++) {
        unsigned complete = line_at(text, cut) - 1;
        struct journal_verified verified;
        struct error error;

        CU_ASSERT_EQUAL(verify_text(text, cut, &verified, &error), 0);
        CU_ASSERT_EQUAL(verified.ending.lines, complete);
        CU_ASSERT_EQUAL(verified.ending.torn, cut - line_start(text, complete + 1));
        CU_ASSERT_FALSE(verified.ending.ended);
    }
    free(text);
}

TEST(a_digest_that_was_kept_apart_finds_lines_removed_at_the_end)
{
    size_t length;
    char *text = journal_sample_text(&length), path[64];
    struct journal_verified whole, cut;
    struct error error;

    CU_ASSERT_EQUAL(verify_text(text, length, &whole, &error), 0);
    scratch_path(path);
    scratch_write(path, text, line_start(text, line_at(text, length) - 1));
    CU_ASSERT_EQUAL(
        journal_verify(path, &(struct journal_verify){.digest = whole.ending.digest}, &cut, &error),
        ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "lines are missing after it"));
    scratch_write(path, text, length);
    CU_ASSERT_EQUAL(
        journal_verify(path, &(struct journal_verify){.digest = whole.ending.digest}, &cut, &error),
        0);
    unlink(path);
    free(text);
}

TEST(what_is_not_a_journal_is_said_not_to_be_one)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "hello\n",
                                        "{}\n",
                                        "[1]\n{}\n",
                                        "{\"shoe\":1,\"game\":\"flush-rush\"}\n",
                                        "{\"n\":1,\"prev\":\"" FIRST
                                        "\",\"t\":0,\"kind\":\"start\",\"journal\":1"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct journal_verified verified;
        struct error error;

        CU_ASSERT_EQUAL(verify_text(texts[i], strlen(texts[i]), &verified, &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not a journal"));
    }
}

TEST(the_command_tells_intact_from_altered_from_something_else)
{
    const struct journal_sample sample = {.rounds = 3};
    char path[SCRATCH_PATH_SIZE], *text;
    struct process_result result;
    struct error error;
    size_t length;

    scratch_path(path);
    CU_ASSERT_EQUAL(journal_sample_write(path, &sample, &error), 0);
    result = process_run((const char *const[]){"verify", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "3 rounds: intact\n2 files named: 2 unchanged, 0 "
                                              "changed, 0 missing\ndigest of the last line: "));
    process_free(&result);
    text = scratch_read(path, &length);
    text[line_start(text, 6) + 100] ^= 1;
    result = process_run((const char *const[]){"verify", "-", NULL}, process_input(text, length));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "standard input: line 6 was altered"));
    process_free(&result);
    result = process_run((const char *const[]){"verify", "-", NULL}, process_input("x\n", 2));
    CU_ASSERT_EQUAL(result.status, 2);
    process_free(&result);
    unlink(path);
    free(text);
}

TEST(a_file_that_changed_since_the_run_is_named)
{
    struct process_result result;
    struct journal *journal;
    struct clock clock;
    char path[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE];

    clock_virtual(&clock, 0);
    scratch_path(path);
    scratch_path(shoe);
    scratch_write(shoe, "changed\n", 8);
    journal = open_plain(path, &clock);
    journal_recording(journal,
                      &(struct journal_recording){.path = shoe,
                                                  .digest = FIRST,
                                                  .expect_path = "/nowhere/x.expect",
                                                  .expect_digest = FIRST,
                                                  .game = "x",
                                                  .rounds = 1},
                      NULL);
    journal_close(journal);
    result = process_run((const char *const[]){"verify", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, ": CHANGED since the run\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "/nowhere/x.expect: missing, not compared\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "2 files named: 0 unchanged, 1 changed, 1 missing"));
    process_free(&result);
    unlink(path);
    unlink(shoe);
}

TEST(an_operator_comes_between_two_rounds)
{
    char path[SCRATCH_PATH_SIZE];
    struct journal_verified verified;
    struct journal *journal;
    struct clock clock;
    struct error error;

    scratch_path(path);
    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(journal_open(path, &(struct journal_options){.clock = &clock},
                                       &plain_start, &journal, NULL),
                          0);
    journal_recording(journal, &(struct journal_recording){.path = "x.shoe", .game = "x"}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_operator(journal, "Ann", "page", NULL);
    journal_close(journal);
    CU_ASSERT_EQUAL(journal_verify(path, &(struct journal_verify){0}, &verified, &error),
                    ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "an operator line stands inside a round"));
    unlink(path);
}

/* A file that the journal names is read only if it is one, and no further than it went. */
TEST(a_journal_that_names_a_device_or_a_link_does_not_keep_anybody_waiting)
{
    char path[SCRATCH_PATH_SIZE], link[SCRATCH_PATH_SIZE], fifo[SCRATCH_PATH_SIZE];
    const char *const names[] = {"/dev/zero", "/dev/tty", "/dev/stdin", link, fifo};
    struct process_result result;
    struct journal *journal;
    struct clock clock;

    clock_virtual(&clock, 0);
    scratch_path(path);
    scratch_path(link);
    scratch_path(fifo);
    CU_ASSERT_FATAL(!symlink("/etc/hostname", link) && !mkfifo(fifo, 0600));
    journal = open_plain(path, &clock);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        journal_recording(
            journal, &(struct journal_recording){.path = names[i], .digest = FIRST, .game = "x"},
            NULL);
    journal_close(journal);
    result = process_run((const char *const[]){"verify", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "/dev/zero: a link or no plain file, not compared\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "5 files named: 0 unchanged, 0 changed, 0 missing, 5 not compared\n"));
    process_free(&result);
    unlink(path);
    unlink(link);
    unlink(fifo);
}

/* /proc/self/mem cannot be read from its start: what the disk does not give back is neither intact
 * nor altered. */
TEST(a_journal_that_cannot_be_read_is_not_called_altered)
{
    struct process_result result =
        process_run((const char *const[]){"verify", "/proc/self/mem", NULL}, process_input("", 0));

    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "cannot tell whether it is intact: cannot read"));
    process_free(&result);
}
