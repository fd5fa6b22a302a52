/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/secret.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static char path[SCRATCH_PATH_SIZE];
static char secret[8];
static struct error error;

static int read_from(const char *bytes, size_t count, mode_t mode)
{
    int status;

    scratch_path(path);
    scratch_write(path, bytes, count);
    CU_ASSERT_EQUAL(chmod(path, mode), 0);
    error.text[0] = '\0';
    status = secret_read(path, "key", secret, sizeof secret, &error);
    unlink(path);
    return status;
}

static bool is_read(const char *bytes, size_t count, const char *due)
{
    return read_from(bytes, count, 0600) == 0 && !strcmp(secret, due);
}

static bool is_refused(const char *bytes, size_t count, mode_t mode, const char *why)
{
    return read_from(bytes, count, mode) == ERROR_CONFIG && strstr(error.text, why) &&
           strstr(error.text, path);
}

TEST(the_first_line_is_the_secret_without_its_end)
{
    CU_ASSERT(is_read("abc", 3, "abc"));
    CU_ASSERT(is_read("abc\nmore and more", 17, "abc"));
    CU_ASSERT(is_read("abc\r\n", 5, "abc"));
    CU_ASSERT(is_read("a\rc\n", 4, "a\rc"));
    CU_ASSERT(is_read("1234567\n", 8, "1234567"));
    CU_ASSERT(is_read("", 0, ""));
    CU_ASSERT(is_read("\n", 1, ""));
}

TEST(a_nul_byte_is_part_of_no_secret)
{
    CU_ASSERT(is_refused("a\0c\n", 4, 0600, "NUL byte"));
    CU_ASSERT(is_refused("\0", 1, 0600, "NUL byte"));
    CU_ASSERT(is_refused("abc\0", 4, 0600, "NUL byte"));
    CU_ASSERT(is_read("abc\n\0\n", 6, "abc"));
}

TEST(a_secret_that_is_too_long_or_that_others_can_read_is_refused)
{
    CU_ASSERT(is_refused("12345678", 8, 0600, "more than 7 characters"));
    CU_ASSERT(is_refused("12345678\n", 9, 0600, "more than 7 characters"));
    CU_ASSERT(is_refused("abc", 3, 0640, "can be read by others"));
    CU_ASSERT(is_refused("abc", 3, 0602, "can be read by others"));
}

TEST(what_is_no_file_is_refused)
{
    CU_ASSERT_EQUAL(secret_read("/nowhere", "key", secret, sizeof secret, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(secret_read("/", "key", secret, sizeof secret, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(secret_read("/dev/zero", "key", secret, sizeof secret, &error), ERROR_CONFIG);
}
