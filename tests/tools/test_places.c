/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exit status of a place that cannot be written, or of a file that cannot be read, is the same
 * whatever the command: 4, and 2 of a file that is not there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/last-seat-alone.shoe"

/* Nobody makes a file there, root neither. */
TEST(a_place_that_cannot_be_written_is_the_benchs_failure_and_named_as_it_was_typed)
{
    shell_says("run --reports /proc/none " SHOE, 4, "/proc/none: cannot be made");
    shell_says("run --journal /proc/x.journal " SHOE, 4, "/proc/x.journal: cannot be made");
    shell_says("record -o /proc/x.shoe --game flush-rush --rounds 1", 4,
               "/proc/x.shoe: cannot be made");
    shell_says("station --rig rigs/emulated.yaml --listen 127.0.0.1:0 --runs /proc/none", 4,
               "/proc/none: runs cannot be kept there");
    shell_says("shuffles --rig rigs/emulated.yaml --count 1 -o /proc/x.shoe", 4,
               "/proc/x.shoe: cannot make it");
    shell_says("audit flush-rush --html /proc/x.html", 4, "/proc/x.html: cannot be written");
}

TEST(a_device_that_takes_nothing_is_named_once)
{
    shell_says("run --journal /dev/full " SHOE, 4, "dealproof run: /dev/full: cannot be written");
}

TEST(standard_input_is_one_file_and_not_two)
{
    shell_says("run - --expect - < " SHOE, 2, "standard input is the recording");
}

TEST(a_role_that_is_none_is_named)
{
    shell_says("sign x.tar --key y --as performer", 2, "--as is 'performer'; it must be performed");
    shell_says("sign x.tar --key y", 2, "say as what by --as performed");
}

TEST(what_is_there_already_is_a_mistake_of_the_command_line)
{
    shell_says("run --journal README.md " SHOE, 2, "is there already");
    shell_says("run --reports README.md " SHOE, 2, "is a file, and no folder");
}

TEST(a_file_that_is_not_there_is_a_mistake_of_the_command_line)
{
    shell_says("verify /nowhere/x", 2, "No such file");
    shell_says("verify README.md/x", 2, "Not a directory");
    shell_says("report /nowhere/x", 2, "No such file");
}

/* As somebody who may not read it, root would. */
static void check_unreadable(const char *arguments)
{
    int status;
    char *text = shell_run(&status, "%s %s %s 2>&1",
                           geteuid() ? "" : "setpriv --reuid=65534 --regid=65534 --clear-groups",
                           shell_dealproof(), arguments);

    CU_ASSERT_EQUAL(status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Permission denied"));
    free(text);
}

TEST(a_file_that_may_not_be_read_is_the_benchs_failure)
{
    char path[SCRATCH_PATH_SIZE], line[128];

    scratch_path(path);
    scratch_write(path, "{}\n", 3);
    chmod(path, 0);
    snprintf(line, sizeof line, "verify %s", path);
    check_unreadable(line);
    snprintf(line, sizeof line, "report %s", path);
    check_unreadable(line);
    snprintf(line, sizeof line, "settle %s", path);
    check_unreadable(line);
    unlink(path);
}

TEST(a_machine_without_descriptors_is_the_benchs_failure)
{
    struct rlimit before, none;
    struct error error;

    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    CU_ASSERT_EQUAL(lines_open("README.md", &error), ERROR_RIG);
    setrlimit(RLIMIT_NOFILE, &before);
}
