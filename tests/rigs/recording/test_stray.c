/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of recordings with something in them that would be left out: no command plays the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/recording/list.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/last-seat-alone"

static void make_link(const char *path)
{
    CU_ASSERT_EQUAL(symlink("gone.shoe", path), 0);
}

static void make_loop(const char *path)
{
    CU_ASSERT_EQUAL(symlink(strrchr(path, '/') + 1, path), 0);
}

static void make_pipe(const char *path)
{
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
}

static void make_folder(const char *path)
{
    CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
}

static void make_file(const char *path)
{
    scratch_write(path, "", 0);
}

static const struct stray {
    const char *name;
    void (*make)(const char *path);
    const char *says;
} strays[] = {
    {"b.shoe", make_link, "b.shoe: a link to gone.shoe, which is not there; mend or remove it"},
    {"b.shoe", make_loop, "b.shoe: a link to b.shoe, which leads back to itself; mend or remove"},
    {"monday", make_link, "monday: a link to gone.shoe, which is not there; mend or remove it"},
    {"y.shoe", make_pipe, "y.shoe: a pipe, and a recording is a file; rename or remove it"},
    {"y.shoe", make_folder, "y.shoe: a directory, and a recording is a file; rename or remove it"},
    {"B.SHOE", make_file, "B.SHOE: a recording is named NAME.shoe, in small letters; rename it"},
    {"B.Shoe", make_link, "B.Shoe: a recording is named NAME.shoe, in small letters; rename it"},
    {"orphan.expect", make_file, "orphan.shoe is not there; put it back, or remove this file"},
    {"orphan.EXPECT", make_file, "orphan.shoe is not there; put it back, or remove this file"},
};
#define STRAYS (sizeof strays / sizeof *strays)

static void copy(const char *from, const char *folder, const char *name)
{
    char path[2 * SCRATCH_PATH_SIZE];
    size_t length;
    char *text = scratch_read(from, &length);

    snprintf(path, sizeof path, "%s/%s", folder, name);
    scratch_write(path, text, length);
    free(text);
}

/* A recording that passes, alone in its folder. */
static void set_up(char folder[SCRATCH_PATH_SIZE])
{
    scratch_path(folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    copy(SHOE ".shoe", folder, "a.shoe");
    copy(SHOE ".expect", folder, "a.expect");
}

static struct process_result start(const char *command, const char *option, const char *path)
{
    const char *const arguments[] = {command, option, path, NULL};

    return process_run(arguments, process_input("", 0));
}

static void check_refused(struct process_result result, const char *says)
{
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_STRING_EQUAL(result.out, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, says));
    if (!strstr(result.err, says))
        printf("%s\n  and not: %s\n", result.err, says);
    process_free(&result);
}

TEST(what_would_be_left_out_of_a_folder_is_refused_before_anything_is_played)
{
    for (size_t i = 0; i < STRAYS; i++) {
        char folder[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE];

        set_up(folder);
        snprintf(path, sizeof path, "%s/%s", folder, strays[i].name);
        strays[i].make(path);
        check_refused(start("run", "--quiet", folder), strays[i].says);
        check_refused(start("settle", "--check", folder), strays[i].says);
        check_refused(start("coverage", "--json", folder), strays[i].says);
        scratch_remove(folder);
    }
}

TEST(a_link_to_nothing_that_is_named_is_said_to_be_one)
{
    char folder[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE];

    set_up(folder);
    snprintf(path, sizeof path, "%s/b.shoe", folder);
    make_link(path);
    check_refused(start("run", "--quiet", path), "b.shoe: a link to gone.shoe, which is not there");
    check_refused(start("settle", "--check", path), "a link to gone.shoe, which is not there");
    scratch_remove(folder);
}

/* Notes, what an editor keeps beside a file that it has open, and links to what is there. */
TEST(what_is_no_recording_by_its_name_is_nobodys_business)
{
    char folder[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE];

    set_up(folder);
    snprintf(path, sizeof path, "%s/.#a.shoe", folder);
    make_link(path);
    snprintf(path, sizeof path, "%s/notes.txt", folder);
    make_link(path);
    snprintf(path, sizeof path, "%s/pipe", folder);
    make_pipe(path);
    snprintf(path, sizeof path, "%s/b.shoe", folder);
    CU_ASSERT_EQUAL(symlink("a.shoe", path), 0);
    copy(SHOE ".expect", folder, "b.expect");
    CU_ASSERT_EQUAL(process_status_with(start("settle", "--check", folder), "2 passed, 0 failed"),
                    0);
    scratch_remove(folder);
}

TEST(a_journal_that_would_be_left_out_is_refused_too)
{
    char folder[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE];
    char *names[] = {folder, NULL};
    struct recording_list found;
    struct error error;

    set_up(folder);
    snprintf(path, sizeof path, "%s/a.journal", folder);
    make_file(path);
    CU_ASSERT_EQUAL(recording_list_journals(names, &found, &error), 0);
    CU_ASSERT_EQUAL(found.count, 1);
    recording_list_free(&found);
    snprintf(path, sizeof path, "%s/b.journal", folder);
    make_link(path);
    CU_ASSERT_EQUAL(recording_list_journals(names, &found, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "b.journal: a link to gone.shoe"));
    scratch_remove(folder);
}
