/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/document.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define HEADER "{\"shoe\":1,\"game\":\"flush-rush\"}\n"

/* Runs the program on these descriptors and keeps what it says of its errors. */
static int run_on(const char *const *arguments, int in, int out, char *said, size_t size)
{
    int err = memfd_create("err", MFD_CLOEXEC), status;

    status = process_wait_soon(process_start(arguments, in, out, err));
    memset(said, 0, size);
    CU_ASSERT(pread(err, said, size - 1, 0) >= 0);
    close(err);
    return status;
}

TEST(help_and_version_that_cannot_be_written_fail_the_bench)
{
    static const char *const asked[][3] = {
        {"--help"}, {"--version"}, {"help"}, {"audit", "--help"}};
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    char said[256];

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        CU_ASSERT_EQUAL(run_on(asked[i], null, full, said, sizeof said), 4);
        CU_ASSERT_PTR_NOT_NULL(strstr(said, ": cannot write standard output: No space left"));
        CU_ASSERT_EQUAL(run_on(asked[i], null, -1, said, sizeof said), 4);
        CU_ASSERT_PTR_NOT_NULL(strstr(said, ": cannot write standard output: Bad file"));
    }
    close(null);
    close(full);
}

TEST(who_asks_for_a_list_and_names_something_more_is_refused)
{
    static const char *const asked[][4] = {
        {"--version", "extra"}, {"-V", "extra"}, {"run", "--list-checks", "extra"}};

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        struct process_result result =
            process_run(asked[i], open("/dev/null", O_RDONLY | O_CLOEXEC));

        CU_ASSERT_STRING_EQUAL(result.out, "");
        CU_ASSERT_EQUAL(process_status_with(result, "unknown argument 'extra'"), 2);
    }
}

TEST(a_closed_standard_input_cannot_be_read)
{
    const char *const arguments[] = {"settle", "-", NULL};
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    char said[256];

    CU_ASSERT_EQUAL(run_on(arguments, -1, null, said, sizeof said), 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot read after line 0: Bad file descriptor"));
    close(null);
}

TEST(a_closed_standard_output_cannot_be_written)
{
    const char *const arguments[] = {"settle", "-", NULL};
    int in = process_input(HEADER "{}\n", sizeof HEADER "{}\n" - 1);
    char said[256];

    CU_ASSERT_EQUAL(run_on(arguments, in, -1, said, sizeof said), 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot write standard output: Bad file descriptor"));
    close(in);
}

TEST(a_closed_standard_error_gets_no_other_file)
{
    const char *const arguments[] = {"settle", "-", NULL};
    int in = process_input(HEADER "{}\n", sizeof HEADER "{}\n" - 1);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    CU_ASSERT_EQUAL(process_wait_soon(process_start(arguments, in, null, -1)), 1);
    close(in);
    close(null);
}

#define RUN(...) process_run((const char *const[]){__VA_ARGS__, NULL}, process_input("", 0))

TEST(help_of_a_command_is_asked_for_in_either_order)
{
    CU_ASSERT_EQUAL(process_status_with(RUN("help", "settle"), "Usage: dealproof settle "), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("help"), "Commands:"), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("help", "deal"), "unknown command 'deal'"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("help", "run", "view"), "'view' is one too many"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("bundle", "/dev/null", "-o", "/x"), "this is a file"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("-V"), "dealproof " DEALPROOF_VERSION " ("), 0);
}

/* What commands say on standard output of the files that they have made. */
TEST(the_name_of_a_file_that_was_made_cannot_move_the_cursor)
{
    char folder[SCRATCH_PATH_SIZE], recording[96], generated[96], rig[96], script[96], *text;
    const char *const asked[][10] = {
        {"record", "--game", "flush-rush", "--rounds", "1", "-o", recording},
        {"generate", "--rounds", "1", "-o", generated, "flush-rush"},
        {"init", "--yes", "--no-doctor", "--shuffler", "emu", "-o", rig},
        {"script", "check", script},
    };
    size_t length;

    scratch_path(folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    snprintf(recording, sizeof recording, "%s/a\033[2J\u202e.shoe", folder);
    snprintf(generated, sizeof generated, "%s/b\033[2J\u202e.shoe", folder);
    snprintf(rig, sizeof rig, "%s/a\u202e.yaml", folder);
    snprintf(script, sizeof script, "%s/a\033[2J\u202e.lua", folder);
    text = scratch_read("devices/scripts/examples/tally.lua", &length);
    scratch_write(script, text, length);
    free(text);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        struct process_result result = process_run(asked[i], process_input("", 0));

        CU_ASSERT_PTR_NULL(strchr(result.out, '\033'));
        CU_ASSERT_PTR_NULL(strchr(result.err, '\033'));
        CU_ASSERT_PTR_NULL(strstr(result.out, "\u202e"));
        CU_ASSERT_PTR_NULL(strstr(result.err, "\u202e"));
        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT(strstr(result.out, "<U+202E>.") || strstr(result.err, "<U+202E>."));
        process_free(&result);
    }
    scratch_remove(folder);
}

TEST(a_journal_that_is_not_there_is_named_once)
{
    struct process_result result = RUN("report", "/nowhere/a.journal");

    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_EQUAL(document_count(result.err, "/nowhere/a.journal"), 1);
    process_free(&result);
}

TEST(what_a_command_line_holds_cannot_move_the_cursor)
{
    static const char *const asked[][3] = {
        {"\033[31mdeal"}, {"settle", "--\033]0;x\007"}, {"run", "\033[2J.shoe"}};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    char said[512];

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        CU_ASSERT_EQUAL(run_on(asked[i], null, null, said, sizeof said), 2);
        CU_ASSERT_PTR_NULL(strchr(said, '\033'));
        CU_ASSERT_PTR_NULL(strchr(said, '\007'));
    }
    close(null);
}

/* A pipe whose reader is gone: the first recording is played, and none after it. */
TEST(a_run_that_nobody_reads_does_not_go_on)
{
    const char *const arguments[] = {"run",     "--verbose",           "--repeat",
                                     "1000000", "fixtures/flush-rush", NULL};
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC), ends[2];
    char said[512];

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    CU_ASSERT_EQUAL(run_on(arguments, null, ends[1], said, sizeof said), 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "standard output cannot be written: the run ends"));
    close(ends[1]);
    close(null);
}

static bool has_text(const char *folder, const char *name, const char *words)
{
    char path[SCRATCH_PATH_SIZE + 32];
    size_t length;
    char *text;
    bool has;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    text = scratch_read(path, &length);
    has = strstr(text, words) != NULL;
    free(text);
    return has;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    while ((text = strchr(text, '\n'))) {
        text++;
        count++;
    }
    return count;
}

/* Nobody has stopped such a run: its bench has failed, in whatever tells of it. */
TEST(a_run_on_a_full_disk_is_told_once_as_a_failure_of_the_bench_everywhere)
{
    static const char why[] = "standard output cannot be written: the run ends here";
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    char folder[SCRATCH_PATH_SIZE], said[1024];
    const char *const played[][8] = {
        {"run", "--json", "--reports", folder, "fixtures/flush-rush"},
        {"run", "--json", "--jobs=3", "--reports", folder, "fixtures/flush-rush"},
        {"observe", "--json", "--game=flush-rush", "--rounds=9", "--reports", folder}};

    for (size_t i = 0; i < sizeof played / sizeof played[0]; i++) {
        scratch_path(folder);
        CU_ASSERT_EQUAL(run_on(played[i], null, full, said, sizeof said), 4);
        CU_ASSERT_PTR_NOT_NULL(strstr(said, why));
        CU_ASSERT_PTR_NOT_NULL(strstr(said, "\"status\":4"));
        CU_ASSERT_EQUAL(count_lines(said), 1);
        CU_ASSERT_TRUE(has_text(folder, "report.txt", why));
        CU_ASSERT_FALSE(has_text(folder, "report.txt", "stopped"));
        CU_ASSERT_FALSE(has_text(folder, "junit.xml", "aborted"));
        CU_ASSERT_TRUE(has_text(folder, "run.journal", "\"kind\":\"end\",\"verdict\":\"rig\""));
        scratch_remove(folder);
    }
    CU_ASSERT_EQUAL(run_on((const char *const[]){"run", "fixtures/flush-rush", NULL}, null, full,
                           said, sizeof said),
                    4);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "cannot write standard output: No space left"));
    CU_ASSERT_EQUAL(count_lines(said), 1);
    close(null);
    close(full);
}

/* Who reads questions as JSON reads everything else as JSON too. */
TEST(errors_beside_questions_in_json_are_json)
{
    CU_ASSERT_EQUAL(process_status_with(RUN("run", "--questions", "json", "/nowhere.shoe"),
                                        "{\"error\":{\"command\":\"run\",\"message\":"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("observe", "--questions=json", "--play", "ask",
                                            "--game", "flush-rush", "--rounds", "1"),
                                        "{\"error\":{\"command\":\"observe\",\"message\":"),
                    130);
    CU_ASSERT_EQUAL(process_status_with(RUN("run", "--quiet", "/nowhere.shoe"), "dealproof run: "),
                    2);
}
