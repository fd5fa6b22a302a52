/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/save.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static bool refuses_nameless;

/* In place of the C library's: a file system may have no files without a name. */
int open(const char *path, int flags, ...)
{
    va_list more;
    mode_t mode;

    if (refuses_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    va_start(more, flags);
    mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
    va_end(more);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void write_words(const void *what, FILE *out)
{
    fputs(what, out);
}

/* Ctrl-C when half of it is in the file. */
static void write_interrupted(const void *what, FILE *out)
{
    fputs(what, out);
    fflush(out);
    raise(SIGINT);
    fputs(what, out);
}

static bool holds(const char *path, const char *words)
{
    size_t length = 0;
    char *text = access(path, F_OK) ? NULL : scratch_read(path, &length);
    bool same = text && length == strlen(words) && !memcmp(text, words, length);

    free(text);
    return same;
}

/* In a process of its own, which the signal ends. */
static void save_interrupted(int (*save)(const char *path, save_writer *write, const void *what,
                                         struct error *error),
                             const char *path)
{
    int ending = 0;
    pid_t pid = fork();

    if (!pid) {
        signal(SIGINT, SIG_DFL);
        save(path, write_interrupted, "half", NULL);
        _exit(0);
    }
    CU_ASSERT_EQUAL(waitpid(pid, &ending, 0), pid);
    CU_ASSERT_TRUE(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGINT);
}

TEST(a_file_is_made_and_replaced_whole_under_the_umask)
{
    char path[SCRATCH_PATH_SIZE];
    mode_t before = umask(027);
    struct stat status = {0};
    struct error error;

    scratch_path(path);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "first", &error), 0);
    CU_ASSERT_TRUE(holds(path, "first"));
    CU_ASSERT_EQUAL(stat(path, &status), 0);
    CU_ASSERT_EQUAL(status.st_mode & 0777, 0640);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "2nd", &error), 0);
    CU_ASSERT_TRUE(holds(path, "2nd"));
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    umask(before);
    unlink(path);
}

TEST(a_new_file_takes_no_name_that_something_has)
{
    char path[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(path);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "first", &error), 0);
    CU_ASSERT_EQUAL(save_new(path, write_words, "second", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is there already"));
    CU_ASSERT_TRUE(holds(path, "first"));
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    unlink(path);
    CU_ASSERT_EQUAL(save_new(path, write_words, "third", &error), 0);
    CU_ASSERT_TRUE(holds(path, "third"));
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    unlink(path);
    CU_ASSERT_EQUAL(save_new("/nowhere/at/all", write_words, "", &error), ERROR_RIG);
}

/* The whole file, or what was there: NULL is nothing. */
static bool is_whole(const char *path, const char *there)
{
    return holds(path, "halfhalf") || (there ? holds(path, there) : access(path, F_OK) != 0);
}

static void interrupt_all_ways(void)
{
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    save_interrupted(save_new, path);
    CU_ASSERT_TRUE(is_whole(path, NULL));
    unlink(path);
    save_interrupted(save_whole, path);
    CU_ASSERT_TRUE(is_whole(path, NULL));
    scratch_write(path, "old", 3);
    save_interrupted(save_whole, path);
    CU_ASSERT_TRUE(is_whole(path, "old"));
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    unlink(path);
}

TEST(an_interrupt_leaves_no_temporary_file_and_no_half)
{
    interrupt_all_ways();
}

/* The signal waits for the whole file. */
TEST(an_interrupt_leaves_no_half_where_every_file_has_a_name)
{
    refuses_nameless = true;
    interrupt_all_ways();
    refuses_nameless = false;
}

TEST(a_file_is_opened_anew_in_place_of_a_link_and_never_through_one)
{
    char path[SCRATCH_PATH_SIZE], target[SCRATCH_PATH_SIZE];
    struct stat status;
    int fd;

    scratch_path(path);
    scratch_path(target);
    scratch_write(target, "kept", 4);
    CU_ASSERT_EQUAL(symlink(target, path), 0);
    CU_ASSERT_EQUAL(save_open_new(path, O_WRONLY, 0600), -1);
    CU_ASSERT_EQUAL(errno, EEXIST);
    fd = save_open_anew(path, O_WRONLY, 0600);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, "new", 3), 3);
    close(fd);
    CU_ASSERT_TRUE(holds(target, "kept"));
    CU_ASSERT_TRUE(!lstat(path, &status) && S_ISREG(status.st_mode));
    CU_ASSERT_TRUE(holds(path, "new"));
    fd = save_open_anew(path, O_WRONLY, 0600);
    close(fd);
    CU_ASSERT_TRUE(holds(path, ""));
    unlink(path);
    unlink(target);
    fd = save_open_anew("/dev/null", O_WRONLY, 0600);
    CU_ASSERT_TRUE(fd >= 0 && !fstat(fd, &status) && S_ISCHR(status.st_mode));
    close(fd);
    CU_ASSERT_TRUE(!stat("/dev/null", &status) && S_ISCHR(status.st_mode));
}

/* A name of a descriptor is a link to a file that somebody has opened for us. */
TEST(a_name_of_a_descriptor_is_opened_and_not_removed)
{
    char path[SCRATCH_PATH_SIZE], name[32];
    int fd, again;

    scratch_path(path);
    fd = save_open_new(path, O_WRONLY, 0600);
    CU_ASSERT_FATAL(fd >= 0);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    again = save_open_anew(name, O_WRONLY, 0600);
    CU_ASSERT_FATAL(again >= 0);
    CU_ASSERT_EQUAL(write(again, "there", 5), 5);
    CU_ASSERT_TRUE(holds(path, "there"));
    close(again);
    close(fd);
    unlink(path);
}

static bool is_diary(const char *line, size_t length)
{
    return length == 5 && !memcmp(line, "Diary", length);
}

static const struct save_kept diary = {.name = "a diary", .is_one = is_diary};
REGISTER(save_kinds, diary);

TEST(a_file_of_a_kind_that_is_kept_gives_way_to_none)
{
    char path[SCRATCH_PATH_SIZE], link[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(path);
    scratch_path(link);
    CU_ASSERT_EQUAL(save_may_replace(path, &error), 0);
    scratch_write(path, "Diary\nday 1\n", 12);
    unlink(link);
    CU_ASSERT_EQUAL_FATAL(symlink(path, link), 0);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "new", &error), ERROR_CONFIG);
    CU_ASSERT(strstr(error.text, ": is a diary, and is left alone; ") != NULL);
    CU_ASSERT_EQUAL(save_whole(link, write_words, "new", &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(save_may_replace(link, &error), ERROR_CONFIG);
    CU_ASSERT(holds(path, "Diary\nday 1\n"));
    /* All that there is of the first line is looked at, and nothing of the second. */
    scratch_write(path, "Diary", 5);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "new", &error), ERROR_CONFIG);
    scratch_write(path, "no\nDiary\n", 9);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "new", &error), 0);
    CU_ASSERT(holds(path, "new"));
    scratch_write(path, "", 0);
    CU_ASSERT_EQUAL(save_whole(path, write_words, "new", &error), 0);
    CU_ASSERT_EQUAL(save_may_replace("/dev/null", &error), 0);
    unlink(link);
    unlink(path);
}
