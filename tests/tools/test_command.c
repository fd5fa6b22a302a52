/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/process.h"
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
