/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a station finds in its folders: pipes, links, files of any size, and its own copies. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/resident.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RUSH "fixtures/flush-rush/last-seat-alone.shoe"

/* A pipe that nobody writes to. */
static void make_pipe(const char *folder, const char *name)
{
    char path[2 * SCRATCH_PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    CU_ASSERT_EQUAL(mkfifo(path, 0666), 0);
}

static void start_on(struct resident *bench, const char *recordings)
{
    kill(bench->pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(bench->pid), 0);
    resident_start_on(bench, recordings);
}

TEST(a_pipe_in_place_of_a_recording_or_a_journal_holds_up_nobody)
{
    char recordings[SCRATCH_PATH_SIZE], run[2 * SCRATCH_PATH_SIZE];
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n{}";
    struct resident bench;

    resident_set_up(&bench);
    scratch_path(recordings);
    CU_ASSERT_EQUAL(mkdir(recordings, 0777), 0);
    make_pipe(recordings, "x.shoe");
    snprintf(run, sizeof run, "%s/x.y.shoe", recordings);
    scratch_write(run, header, strlen(header));
    snprintf(run, sizeof run, "%s/50", bench.runs);
    CU_ASSERT_EQUAL(mkdir(run, 0777), 0);
    make_pipe(run, "run.journal");
    start_on(&bench, recordings);
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(
        resident_has(&bench, "x.y.shoe\",\"game\":\"flush-rush\",\"note\":null,\"rounds\":1,"));
    CU_ASSERT(resident_has(&bench, "/x.shoe\",\"game\":\"\",\"note\":null,\"rounds\":0,"
                                   "\"why\":\"a pipe, and a recording is a file; "));
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(resident_has(&bench, "{\"run\":50,"));
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/50/report", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /events?run=50", NULL), 404);
    resident_exchange(&bench, "GET /status", NULL);
    CU_ASSERT(resident_has(&bench, "\"state\":\"idle\"}"));
    resident_tear_down(&bench);
    scratch_remove(recordings);
}

TEST(a_pipe_that_is_named_as_a_recording_is_listed_without_rounds)
{
    char recordings[SCRATCH_PATH_SIZE], pipe[2 * SCRATCH_PATH_SIZE];
    struct resident bench;

    resident_set_up(&bench);
    scratch_path(recordings);
    CU_ASSERT_EQUAL(mkdir(recordings, 0777), 0);
    make_pipe(recordings, "x.shoe");
    snprintf(pipe, sizeof pipe, "%s/x.shoe", recordings);
    start_on(&bench, pipe);
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(resident_has(&bench, "/x.shoe\",\"game\":\"\",\"note\":null,\"rounds\":0,"));
    resident_tear_down(&bench);
    scratch_remove(recordings);
}

TEST(a_recording_that_is_gone_while_a_station_runs_is_listed_with_the_reason)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n{}";
    char recordings[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE];
    struct resident bench;

    resident_set_up(&bench);
    scratch_path(recordings);
    CU_ASSERT_EQUAL(mkdir(recordings, 0777), 0);
    snprintf(path, sizeof path, "%s/a.shoe", recordings);
    scratch_write(path, header, strlen(header));
    start_on(&bench, recordings);
    snprintf(path, sizeof path, "%s/b.shoe", recordings);
    CU_ASSERT_EQUAL(symlink("gone.shoe", path), 0);
    snprintf(path, sizeof path, "%s/c.expect", recordings);
    scratch_write(path, "", 0);
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(resident_has(&bench, "a.shoe\",\"game\":\"flush-rush\",\"note\":null,\"rounds\":1,"));
    CU_ASSERT(resident_has(&bench, "b.shoe\",\"game\":\"\",\"note\":null,\"rounds\":0,"
                                   "\"why\":\"a link to gone.shoe, which is not there; "));
    CU_ASSERT(resident_has(&bench, "c.expect\",\"game\":\"\",\"note\":null,\"rounds\":0,"
                                   "\"why\":\"the recording c.shoe is not there; "));
    resident_tear_down(&bench);
    scratch_remove(recordings);
}

TEST(a_journal_by_a_link_is_not_served)
{
    char folder[SCRATCH_PATH_SIZE + 8], journal[SCRATCH_PATH_SIZE + 32];
    char elsewhere[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct resident bench;

    resident_set_up(&bench);
    scratch_path(elsewhere);
    result =
        process_run((const char *const[]){"run", "--quiet", "--journal", elsewhere, RUSH, NULL},
                    process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    snprintf(folder, sizeof folder, "%s/7", bench.runs);
    CU_ASSERT_EQUAL(mkdir(folder, 0777), 0);
    snprintf(journal, sizeof journal, "%s/run.journal", folder);
    CU_ASSERT_EQUAL(symlink(elsewhere, journal), 0);
    start_on(&bench, "fixtures/flush-rush");
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /events?run=7", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/7/report", NULL), 404);
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(
        resident_has(&bench, "{\"run\":7,\"command\":\"\",\"started\":null,\"verdict\":null"));
    resident_tear_down(&bench);
    unlink(elsewhere);
}

TEST(a_file_of_any_size_is_listed_as_far_as_it_can_be_a_recording)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n{}\n";
    char recordings[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE];
    struct resident bench;

    resident_set_up(&bench);
    scratch_path(recordings);
    CU_ASSERT_EQUAL(mkdir(recordings, 0777), 0);
    snprintf(path, sizeof path, "%s/s.shoe", recordings);
    scratch_write(path, header, sizeof header - 1);
    /* Counting its lines would take all memory: it is one of a tebibyte. */
    CU_ASSERT_EQUAL(truncate(path, (off_t)1 << 40), 0);
    start_on(&bench, recordings);
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(resident_has(&bench, "s.shoe\",\"game\":\"flush-rush\",\"note\":null,\"rounds\":null,"
                                   "\"why\":\"it has a line of more than 65,536 bytes\","));
    resident_tear_down(&bench);
    scratch_remove(recordings);
}

TEST(copies_of_what_was_played_are_no_recordings_to_choose_from)
{
    char recordings[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE], order[512];
    struct resident bench;
    size_t length;
    char *text;

    resident_set_up(&bench);
    scratch_path(recordings);
    CU_ASSERT_EQUAL(mkdir(recordings, 0777), 0);
    scratch_remove(bench.runs);
    CU_ASSERT(snprintf(bench.runs, sizeof bench.runs, "%.40s/runs", recordings) > 0);
    text = scratch_read(RUSH, &length);
    snprintf(path, sizeof path, "%s/a.shoe", recordings);
    scratch_write(path, text, length);
    free(text);
    text = scratch_read("fixtures/flush-rush/last-seat-alone.expect", &length);
    snprintf(path, sizeof path, "%s/a.expect", recordings);
    scratch_write(path, text, length);
    free(text);
    start_on(&bench, recordings);
    snprintf(order, sizeof order, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"%s\"]}",
             recordings);
    for (unsigned run = 1; run <= 2; run++) {
        CU_ASSERT_EQUAL(resident_order(&bench, order), 200);
        resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
        CU_ASSERT(resident_has(&bench, "\"rounds\":1,\"total\":1}"));
    }
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(resident_has(&bench, "/a.shoe\""));
    CU_ASSERT(!resident_has(&bench, "001-"));
    resident_tear_down(&bench);
    scratch_remove(recordings);
}
