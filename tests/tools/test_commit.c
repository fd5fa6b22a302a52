/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tools/commit, from which --version, journals, bundles and packages have the commit: in trees of
   every kind that somebody may build from. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SAID_SIZE 256

/* What a line of the shell prints, in the folder; without what is set of somebody's git. */
static void shell(const char *folder, const char *line, char said[SAID_SIZE])
{
    char command[2048];
    size_t length;
    FILE *pipe;

    snprintf(command, sizeof command,
             "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; export GIT_CONFIG_NOSYSTEM=1 "
             "GIT_CEILING_DIRECTORIES=/tmp HOME=/nowhere GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a "
             "GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c GIT_COMMITTER_DATE='1794930000 +0000'; "
             "cd %s && { %s; } 2>&1",
             folder, line);
    pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    length = fread(said, 1, SAID_SIZE - 1, pipe);
    said[length] = '\0';
    CU_ASSERT_EQUAL(pclose(pipe), 0);
}

/* A tree of one commit that has tools/commit, below a folder that is to be removed. */
static void tree_set_up(char folder[SCRATCH_PATH_SIZE])
{
    char said[SAID_SIZE], line[512];

    scratch_path(folder);
    snprintf(line, sizeof line,
             "here=$PWD; mkdir -p %s/tree/tools && cd %s/tree && cp $here/tools/commit tools && "
             "cp $here/.gitattributes . && echo one >one && echo build >.gitignore && "
             "git init -q -b main && git add -A && git commit -q -m one",
             folder, folder);
    shell(".", line, said);
    CU_ASSERT_STRING_EQUAL_FATAL(said, "");
}

static void prints_in(const char *folder, const char *line, const char *expected)
{
    char said[SAID_SIZE];

    shell(folder, line, said);
    if (strcmp(said, expected))
        printf("%s: \"%s\", not \"%s\"\n", line, said, expected);
    CU_ASSERT_STRING_EQUAL(said, expected);
}

/* Twelve digits of the commit, as git has it, with what stands behind them. */
static void expect_commit(const char *folder, const char *behind, char expected[SAID_SIZE])
{
    char digits[SAID_SIZE];

    shell(folder, "git -C tree rev-parse HEAD", digits);
    CU_ASSERT_FATAL(strlen(digits) > 12 && isxdigit((unsigned char)digits[0]));
    snprintf(expected, SAID_SIZE, "%.12s%s\n", digits, behind);
}

TEST(a_tree_as_committed_has_its_commit_and_the_time_of_it)
{
    char folder[SCRATCH_PATH_SIZE], clean[SAID_SIZE];

    tree_set_up(folder);
    expect_commit(folder, " 1794930000", clean);
    prints_in(folder, "tree/tools/commit", clean);
    prints_in(folder, "mkdir tree/build; touch tree/build/a tree/notes; tree/tools/commit", clean);
    scratch_remove(folder);
}

TEST(a_tree_with_other_files_is_dirty)
{
    char folder[SCRATCH_PATH_SIZE], dirty[SAID_SIZE];

    tree_set_up(folder);
    expect_commit(folder, "-dirty 1794930000", dirty);
    prints_in(folder, "echo two >tree/one; tree/tools/commit", dirty);
    prints_in(folder, "rm tree/one; tree/tools/commit", dirty);
    prints_in(folder, "cd tree; git checkout -q one; touch tools/new.c; tools/commit", dirty);
    prints_in(folder, "cd tree; git add tools/new.c; tools/commit", dirty);
    scratch_remove(folder);
}

TEST(an_archive_of_a_tree_has_the_commit_of_the_tree)
{
    char folder[SCRATCH_PATH_SIZE], clean[SAID_SIZE];

    tree_set_up(folder);
    expect_commit(folder, " 1794930000", clean);
    prints_in(folder, "mkdir copy; git -C tree archive HEAD | tar -x -C copy; copy/tools/commit",
              clean);
    scratch_remove(folder);
}

TEST(a_tree_without_a_commit_of_its_own_is_unknown)
{
    char folder[SCRATCH_PATH_SIZE];

    tree_set_up(folder);
    prints_in(folder, "mkdir -p plain/tools; cp tree/tools/commit plain/tools; plain/tools/commit",
              "unknown\n");
    prints_in(folder, "mv plain tree; tree/plain/tools/commit", "unknown\n");
    scratch_remove(folder);
}
