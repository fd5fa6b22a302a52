/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static unsigned count_entries(const char *path)
{
    DIR *folder = opendir(path);
    unsigned count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

TEST(a_temporary_file_lies_where_TMPDIR_says_and_has_no_name)
{
    char path[SCRATCH_PATH_SIZE];
    struct stat file, folder;
    int fd;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
    setenv("TMPDIR", path, 1);
    fd = temporary_open();
    CU_ASSERT_STRING_EQUAL(temporary_folder(), path);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, "x", 1), 1);
    CU_ASSERT_EQUAL(fstat(fd, &file), 0);
    CU_ASSERT_EQUAL(stat(path, &folder), 0);
    CU_ASSERT_EQUAL(file.st_dev, folder.st_dev);
    CU_ASSERT_EQUAL(file.st_nlink, 0);
    CU_ASSERT_EQUAL(file.st_mode & 0777, 0600);
    CU_ASSERT_EQUAL(count_entries(path), 0);
    close(fd);
    /* A folder that nobody can write to, not even root. */
    setenv("TMPDIR", "/proc", 1);
    CU_ASSERT_EQUAL(temporary_open(), -1);
    setenv("TMPDIR", "/nowhere", 1);
    CU_ASSERT_EQUAL(temporary_open(), -1);
    CU_ASSERT_EQUAL(errno, ENOENT);
    rmdir(path);
    unsetenv("TMPDIR");
}

TEST(an_empty_TMPDIR_is_none)
{
    setenv("TMPDIR", "", 1);
    CU_ASSERT_STRING_EQUAL(temporary_folder(), "/tmp");
    unsetenv("TMPDIR");
    CU_ASSERT_STRING_EQUAL(temporary_folder(), "/tmp");
}
