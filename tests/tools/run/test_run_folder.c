/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of --reports: which one a run takes, what it says where it can have none. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE     "fixtures/flush-rush/last-seat-alone.shoe"
#define RUN(...) process_run((const char *const[]){"run", __VA_ARGS__, NULL}, process_input("", 0))

static const char *beside(const char *folder, const char *more, char path[SCRATCH_PATH_SIZE + 64])
{
    snprintf(path, SCRATCH_PATH_SIZE + 64, "%s%s", folder, more);
    return path;
}

static bool has(const char *folder, const char *more)
{
    char path[SCRATCH_PATH_SIZE + 64];

    return !access(beside(folder, more, path), F_OK);
}

static void remove_all(const char *folder)
{
    char path[SCRATCH_PATH_SIZE + 64], more[16];

    scratch_remove(folder);
    for (unsigned i = 2; i < 10; i++) {
        snprintf(more, sizeof more, ".%u", i);
        scratch_remove(beside(folder, more, path));
    }
}

TEST(reports_in_a_plain_file_are_told_to_go_elsewhere)
{
    char folder[SCRATCH_PATH_SIZE], inside[SCRATCH_PATH_SIZE + 64];

    scratch_path(folder);
    scratch_write(folder, "x", 1);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", folder, SHOE), "another name"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", beside(folder, "/in", inside), SHOE),
                                        "Not a directory; choose another name"),
                    4);
    CU_ASSERT_FALSE(has(folder, ".2"));
    scratch_remove(folder);
}

TEST(a_plain_file_beside_the_folder_is_passed_over)
{
    char folder[SCRATCH_PATH_SIZE], second[SCRATCH_PATH_SIZE + 64];

    scratch_path(folder);
    scratch_write(beside(folder, ".2", second), "x", 1);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", folder, SHOE), ""), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", folder, SHOE), ""), 0);
    CU_ASSERT_TRUE(has(folder, "/junit.xml") && has(folder, ".3/junit.xml"));
    remove_all(folder);
}

/* Each takes a folder of its own, whoever comes first. */
TEST(runs_that_begin_at_once_have_a_folder_each)
{
    enum { RUNS = 6 };
    char folder[SCRATCH_PATH_SIZE], more[32];
    const char *const arguments[] = {"run", "-q", "--reports", folder, SHOE, NULL};
    pid_t pids[RUNS];

    for (unsigned times = 0; times < 5; times++) {
        scratch_path(folder);
        for (unsigned i = 0; i < RUNS; i++)
            pids[i] = process_start(arguments, -1, STDOUT_FILENO, STDERR_FILENO);
        for (unsigned i = 0; i < RUNS; i++)
            CU_ASSERT_EQUAL(process_wait_soon(pids[i]), 0);
        CU_ASSERT_TRUE(has(folder, "/junit.xml"));
        for (unsigned i = 2; i <= RUNS; i++) {
            snprintf(more, sizeof more, ".%u/junit.xml", i);
            CU_ASSERT_TRUE(has(folder, more));
        }
        remove_all(folder);
    }
}

static void write_in(const char *folder, const char *name, const char *text)
{
    char path[SCRATCH_PATH_SIZE + 64];

    scratch_write(beside(folder, name, path), text, strlen(text));
}

/* Nobody takes the reports of an earlier run for those of one that was refused. */
TEST(force_takes_the_reports_of_an_earlier_run_away_also_where_the_run_is_refused)
{
    char folder[SCRATCH_PATH_SIZE];

    scratch_path(folder);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", folder, SHOE), ""), 0);
    write_in(folder, "/notes.txt", "mine");
    CU_ASSERT_EQUAL(
        process_status_with(RUN("-q", "--force", "--reports", folder, "/nowhere.shoe"), "nowhere"),
        2);
    CU_ASSERT_FALSE(has(folder, "/junit.xml") || has(folder, "/run.journal") ||
                    has(folder, "/recordings"));
    CU_ASSERT_TRUE(has(folder, "/notes.txt"));
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, SHOE), ""), 0);
    CU_ASSERT_TRUE(has(folder, "/junit.xml"));
    scratch_remove(folder);
}

static bool has_text(const char *folder, const char *name, const char *words)
{
    char path[SCRATCH_PATH_SIZE + 64], *text;
    size_t length;
    bool does;

    text = scratch_read(beside(folder, name, path), &length);
    does = strstr(text, words) != NULL;
    free(text);
    return does;
}

TEST(force_takes_nothing_away_that_no_run_has_left)
{
    char folder[SCRATCH_PATH_SIZE], inside[SCRATCH_PATH_SIZE + 64];

    scratch_path(folder);
    mkdir(folder, 0700);
    mkdir(beside(folder, "/recordings", inside), 0700);
    write_in(folder, "/rig.yaml", "mine");
    write_in(folder, "/recordings/mine.shoe", "mine");
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, SHOE),
                                        "/rig.yaml: is there, and no run has left it; "),
                    2);
    CU_ASSERT_TRUE(has(folder, "/rig.yaml") && has(folder, "/recordings/mine.shoe"));
    scratch_remove(folder);
    mkdir(folder, 0700);
    write_in(folder, "/junit.xml", "mine");
    write_in(folder, "/doctor.txt", "mine");
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, SHOE),
                                        "/doctor.txt: is there, and no run has left it; "),
                    2);
    CU_ASSERT_TRUE(has_text(folder, "/junit.xml", "mine") && has(folder, "/doctor.txt"));
    scratch_remove(folder);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", folder, SHOE), ""), 0);
    write_in(folder, "/recordings/mine.shoe", "mine");
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, SHOE),
                                        "/recordings: cannot be removed: "),
                    4);
    CU_ASSERT_TRUE(has(folder, "/recordings/mine.shoe"));
    scratch_remove(folder);
}

TEST(force_takes_nothing_away_that_is_to_be_played)
{
    char folder[SCRATCH_PATH_SIZE], rig[SCRATCH_PATH_SIZE + 64], copies[SCRATCH_PATH_SIZE + 64],
        copy[SCRATCH_PATH_SIZE + 64], more[SCRATCH_PATH_SIZE + 64], link[SCRATCH_PATH_SIZE];
    static const char words[] = "is what an earlier run has left in ";

    scratch_path(folder);
    scratch_path(link);
    beside(folder, "/rig.yaml", rig);
    beside(folder, "/recordings", copies);
    beside(folder, "/recordings/001-last-seat-alone.shoe", copy);
    beside(folder, "/recordings-2", more);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--reports", folder, SHOE), ""), 0);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("-q", "--force", "--reports", folder, SHOE, copies), words), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, copy), words), 2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("-q", "--force", "--reports", folder, "--rig", rig, SHOE), words),
        2);
    unlink(link);
    CU_ASSERT_EQUAL_FATAL(symlink(copy, link), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, link), words), 2);
    unlink(link);
    CU_ASSERT_TRUE(has(folder, "/junit.xml") && has(folder, "/run.journal") &&
                   has(folder, "/rig.yaml") && has(folder, "/recordings/001-last-seat-alone.shoe"));
    /* What no run has left stays, and may be played. */
    CU_ASSERT_EQUAL_FATAL(rename(copies, more), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--force", "--reports", folder, more), ""), 0);
    CU_ASSERT_TRUE(has(folder, "/recordings/001-001-last-seat-alone.shoe"));
    scratch_remove(folder);
}

static const char *write_rig(char path[SCRATCH_PATH_SIZE])
{
    static const char rig[] = "rig: test\nclock: real\ndevices:\n"
                              "  shuffler: {address: 'serial:/dev/is-not-there@115200'}\n";

    scratch_path(path);
    scratch_write(path, rig, sizeof rig - 1);
    return path;
}

/* A bench whose device is not there is an end of a run like another one. */
TEST(a_run_whose_device_is_missing_leaves_its_reports)
{
    char folder[SCRATCH_PATH_SIZE], rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE + 64];

    scratch_path(folder);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("-q", "--rig", write_rig(rig), "--reports", folder, SHOE),
                            "is-not-there"),
        3);
    CU_ASSERT_TRUE(has_text(folder, "/report.txt", "is-not-there"));
    CU_ASSERT_TRUE(has_text(folder, "/junit.xml", "type=\"device\""));
    CU_ASSERT_TRUE(has(folder, "/report.html"));
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run(
                (const char *const[]){"verify", beside(folder, "/run.journal", journal), NULL},
                process_input("", 0)),
            "0 rounds: intact"),
        0);
    scratch_remove(folder);
    scratch_remove(rig);
}

TEST(a_run_that_has_no_journal_leaves_no_folder)
{
    char folder[SCRATCH_PATH_SIZE], rig[SCRATCH_PATH_SIZE];

    scratch_path(folder);
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--jobs", "2", "--rig", write_rig(rig),
                                            "--repeat", "2", "--reports", folder, SHOE),
                                        "side by side"),
                    2);
    CU_ASSERT_FALSE(has(folder, ""));
    mkdir(folder, 0700);
    write_in(folder, "/notes.txt", "mine");
    CU_ASSERT_EQUAL(process_status_with(RUN("-q", "--jobs", "2", "--rig", rig, "--repeat", "2",
                                            "--reports", folder, SHOE),
                                        "side by side"),
                    2);
    CU_ASSERT_FALSE(has(folder, "/rig.yaml") || has(folder, "/recordings"));
    CU_ASSERT_TRUE(has(folder, "/notes.txt"));
    scratch_remove(folder);
    scratch_remove(rig);
}

/* Everything that it leaves, not its journal alone: what was measured is in none of it. */
TEST(two_runs_of_the_same_command_leave_the_same_folder_to_the_byte)
{
    static const char rig[] = "rig: same\nclock: virtual\ndevices:\n"
                              "  shuffler: {address: 'emu:shuffler', fault: 'lose@packet:5'}\n";
    char folder[SCRATCH_PATH_SIZE], first[SCRATCH_PATH_SIZE + 64], path[SCRATCH_PATH_SIZE];
    char command[512];

    scratch_path(folder);
    scratch_path(path);
    scratch_write(path, rig, sizeof rig - 1);
    beside(folder, ".first", first);
    for (unsigned i = 0; i < 20; i++) {
        CU_ASSERT_EQUAL_FATAL(
            process_status_with(RUN("-q", "--rig", path, "--reports", folder,
                                    "fixtures/flush-rush/evening-of-six-seats.shoe", SHOE),
                                ""),
            1);
        snprintf(command, sizeof command, i ? "diff -r %s %s && rm -r %s" : "mv %s %s", folder,
                 first, folder);
        CU_ASSERT_EQUAL_FATAL(system(command), 0);
    }
    CU_ASSERT_TRUE(has(folder, ".first/doctor.txt") && has(folder, ".first/report.html"));
    scratch_remove(first);
    unlink(path);
}

/* As a shell gives it where a variable is not set; the root of all files is no folder of a run. */
TEST(an_empty_name_is_said_to_be_empty)
{
    const char *const runs[][6] = {{"run", "", NULL},
                                   {"run", SHOE, "", NULL},
                                   {"run", "--reports", "", SHOE, NULL},
                                   {"run", "--force", "--reports=", SHOE, NULL},
                                   {"observe", "--reports", "", NULL},
                                   {"settle", "--check", "", NULL},
                                   {"coverage", "", NULL},
                                   {"run", "--rig", "", SHOE, NULL},
                                   {"run", "--job", "", SHOE, NULL},
                                   {"doctor", "--rig=", NULL},
                                   {"diff", SHOE, "", NULL},
                                   {"view", "", NULL},
                                   {"bundle", "-o", "", "run", NULL},
                                   {"history", "list", "--store", "", NULL}};

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct process_result result = process_run(runs[i], process_input("", 0));

        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "is empty; is a variable not set?"));
        CU_ASSERT_STRING_EQUAL(result.out, "");
        process_free(&result);
    }
}
