/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --realtime: who may have it, who is refused and told what to do, and what the journal says of it.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/realtime.h"
#include "tests/support/process.h"
#include "tests/support/resident.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RECORDING "fixtures/flush-rush/last-seat-alone.shoe"

static const char real[] = "rig: real\n"
                           "clock: real\n"
                           "seats: 7\n"
                           "devices:\n"
                           "  shuffler:\n"
                           "    driver: open\n"
                           "    address: \"emu:shuffler?shuffle=50\"\n";

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

TEST(where_no_time_passes_nobody_needs_it)
{
    static const char *const arguments[] = {"run", "--realtime", RECORDING, NULL};

    CU_ASSERT_EQUAL(process_status_with(run(arguments), "--realtime: no time passes on this rig"),
                    2);
}

/* With what a line of the shell begins with, it ends with status 2 and these words. */
static void expect_refused(const char *before, const char *command, const char *rig,
                           const char *words)
{
    char line[512], said[1024] = "";
    size_t length;
    FILE *pipe;

    snprintf(line, sizeof line,
             "%s timeout 600 $DEALPROOF %s --realtime --rig %s 2>&1; echo status $?", before,
             command, rig);
    pipe = popen(line, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    length = fread(said, 1, sizeof said - 1, pipe);
    CU_ASSERT(length > 0);
    pclose(pipe);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, words));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "status 2\n"));
    if (strstr(words, "priority"))
        CU_ASSERT_PTR_NOT_NULL(strstr(said, "/etc/security/limits.d/dealproof.conf"));
}

TEST(a_station_is_not_started_with_it_where_no_time_passes)
{
    char runs[SCRATCH_PATH_SIZE], station[128];

    scratch_path(runs);
    snprintf(station, sizeof station, "station --listen 0 --runs %s", runs);
    expect_refused("", station, "rigs/emulated.yaml", "--realtime: no time passes on this rig");
    scratch_remove(runs);
}

/* Without the rights of root, where the tests have them. */
TEST(who_may_not_is_told_what_to_do)
{
    static const char words[] = "--realtime: real-time priority 40: ";
    char rig[SCRATCH_PATH_SIZE], runs[SCRATCH_PATH_SIZE], station[128], before[128];

    snprintf(before, sizeof before, "prlimit --rtprio=0 %s",
             getuid() ? "" : "setpriv --bounding-set=-all --inh-caps=-all");
    scratch_path(rig);
    scratch_path(runs);
    scratch_write(rig, real, strlen(real));
    expect_refused(before, "run " RECORDING, rig, words);
    snprintf(station, sizeof station, "station --listen 0 --runs %s", runs);
    expect_refused(before, station, rig, words);
    scratch_remove(runs);
    scratch_remove(rig);
}

/* Waits until the process is scheduled so, for two minutes at most. */
static int wait_for_policy(pid_t pid, int policy)
{
    for (int i = 0; i < 12000 && sched_getscheduler(pid) != policy; i++)
        usleep(10000);
    return sched_getscheduler(pid);
}

TEST(a_run_has_the_priority_and_its_journal_says_so)
{
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], *text;
    const char *const arguments[] = {"observe",   "--realtime", "--rig",    rig,
                                     "--game",    "flush-rush", "--rounds", "1000000000",
                                     "--journal", journal,      "--quiet",  NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct error error;
    size_t length;
    pid_t pid;
    int status;

    if (realtime_try(&error)) {
        printf("not tried: %s\n", error.text);
        close(null);
        return;
    }
    scratch_path(rig);
    scratch_path(journal);
    scratch_write(rig, real, strlen(real));
    pid = process_start(arguments, null, null, STDERR_FILENO);
    CU_ASSERT_EQUAL(wait_for_policy(pid, SCHED_FIFO | SCHED_RESET_ON_FORK),
                    SCHED_FIFO | SCHED_RESET_ON_FORK);
    while (access(journal, F_OK) && !kill(pid, 0))
        usleep(10000);
    process_signal(pid, SIGINT);
    process_signal(pid, SIGINT);
    status = process_wait_soon(pid);
    if (status != 130)
        printf("it ended with %d\n", status);
    CU_ASSERT_EQUAL(status, 130);
    text = scratch_read(journal, &length);
    *strchr(text, '\n') = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"realtime\":40"));
    free(text);
    CU_ASSERT_EQUAL(
        process_status_with(run((const char *const[]){"verify", journal, NULL}), "intact"), 0);
    scratch_remove(journal);
    scratch_remove(rig);
    close(null);
}

/* The first line of a journal, to be freed. */
static char *first_line(const char *path)
{
    size_t length;
    char *text = scratch_read(path, &length);

    text[strcspn(text, "\n")] = '\0';
    return text;
}

TEST(the_runs_of_a_station_have_the_priority_and_its_pages_have_not)
{
    char journal[SCRATCH_PATH_SIZE + 32], *text;
    struct resident bench;
    struct error error;

    if (realtime_try(&error)) {
        printf("not tried: %s\n", error.text);
        return;
    }
    scratch_path(bench.rig);
    scratch_path(bench.runs);
    scratch_write(bench.rig, real, strlen(real));
    resident_start_with(&bench, "--realtime");
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":"
                                           "[\"" RECORDING "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT_EQUAL(sched_getscheduler(bench.pid), SCHED_OTHER);
    snprintf(journal, sizeof journal, "%s/1/run.journal", bench.runs);
    text = first_line(journal);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"realtime\":40"));
    free(text);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/1/report", NULL), 200);
    CU_ASSERT(resident_has(&bench, "Real-time priority<td><code>40<"));
    resident_tear_down(&bench);
}

TEST(the_doctor_says_whether_it_may_be_had)
{
    struct error error;
    const char *words = realtime_try(&error) ? "--realtime: is not for this user"
                                             : "--realtime: may be had: priority 40";
    struct process_result doctor = run((const char *const[]){"doctor", NULL});

    CU_ASSERT_PTR_NOT_NULL(strstr(doctor.out, words));
    process_free(&doctor);
}

TEST(a_journal_names_the_commit_that_version_names)
{
    struct process_result version = run((const char *const[]){"--version", NULL});
    char journal[SCRATCH_PATH_SIZE], commit[96], *text;
    const char *from = strchr(version.out, '(');
    size_t length;

    CU_ASSERT_PTR_NOT_NULL_FATAL(from);
    snprintf(commit, sizeof commit, ",\"commit\":\"%.*s\",", (int)strcspn(from + 1, ")"), from + 1);
    scratch_path(journal);
    CU_ASSERT_EQUAL(
        process_status_with(
            run((const char *const[]){"run", "--journal", journal, RECORDING, NULL}), "1 pass"),
        0);
    text = scratch_read(journal, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, commit));
    free(text);
    scratch_remove(journal);
    process_free(&version);
}
