/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/save.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

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
static void save_interrupted(const char *path)
{
    int ending = 0;
    pid_t pid = fork();

    if (!pid) {
        signal(SIGINT, SIG_DFL);
        save_whole(path, write_interrupted, "half", NULL);
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

/* A file system without nameless files has the whole file instead: the signal waits for it. */
TEST(an_interrupt_leaves_no_temporary_file_and_no_half)
{
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    save_interrupted(path);
    CU_ASSERT_TRUE(scratch_count(path) == 0 ||
                   (scratch_count(path) == 1 && holds(path, "halfhalf")));
    scratch_write(path, "old", 3);
    save_interrupted(path);
    CU_ASSERT_EQUAL(scratch_count(path), 1);
    CU_ASSERT_TRUE(holds(path, "old") || holds(path, "halfhalf"));
    unlink(path);
}
