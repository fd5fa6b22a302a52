/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'run --resume': what a run that was cut off goes on with, and what it does not. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/chase-the-flush/meters-carry-over-rounds"

struct scene {
    char rig[SCRATCH_PATH_SIZE], stem[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE];
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
};

static void copy(const char *from, const char *to)
{
    size_t length;
    char *text = scratch_read(from, &length);

    scratch_write(to, text, length);
    free(text);
}

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static void write_rig(const struct scene *scene, const char *clock, const char *shuffler)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "rig: cut\nclock: %s\ndevices:\n  shuffler: {address: '%s'}\n"
                          "  terminal: {address: 'emu:terminal', code: '4711', admin: '86420'}\n"
                          "timing: {reply: 20000, packet: 20000, take: 20000, light: 20000, "
                          "jackpot: 20000}\n",
                          clock, shuffler);

    scratch_write(scene->rig, text, (size_t)length);
}

static void open_scene(struct scene *scene, const char *clock)
{
    scratch_path(scene->rig);
    scratch_path(scene->stem);
    scratch_path(scene->journal);
    snprintf(scene->shoe, sizeof scene->shoe, "%s.shoe", scene->stem);
    snprintf(scene->expect, sizeof scene->expect, "%s.expect", scene->stem);
    copy(SHOE ".shoe", scene->shoe);
    copy(SHOE ".expect", scene->expect);
    write_rig(scene, clock, "emu:shuffler?shuffle=5,deal=1,take=1");
}

static void close_scene(const struct scene *scene)
{
    unlink(scene->rig);
    unlink(scene->shoe);
    unlink(scene->expect);
    unlink(scene->journal);
}

/* Plays all of it, then takes the journal's end off, up to the nth line that has this in it. */
static void play_and_cut(const struct scene *scene, const char *within, unsigned nth)
{
    struct process_result result =
        RUN("run", "-q", "--rig", scene->rig, "--journal", scene->journal, scene->shoe);
    struct forgery forgery;
    size_t line;

    CU_ASSERT_TRUE(result.status == 0 || result.status == 1);
    process_free(&result);
    forgery = forge_read(scene->journal);
    line = forge_find(&forgery, within, nth);
    forge_remove(&forgery, line + 1, forgery.count - line - 1);
    forge_write(&forgery, scene->journal);
    forge_free(&forgery);
}

static int resume(const struct scene *scene, const char *words)
{
    return process_status_with(RUN("run", "--resume", scene->journal), words);
}

static int verify(const struct scene *scene, const char *words)
{
    return process_status_with(RUN("verify", scene->journal), words);
}

#define VERDICT "\"kind\":\"verdict\""

/* Meters come from the rounds before, which are not played again. */
TEST(a_run_goes_on_after_its_last_verdict_with_the_meters_that_it_had)
{
    static const struct {
        const char *within;
        unsigned nth;
    } cuts[] = {{VERDICT, 1},
                {VERDICT, 2},
                {"\"kind\":\"round\"", 2},
                {"\"kind\":\"settled\"", 1},
                {"\"kind\":\"recording\"", 1},
                {"\"kind\":\"device\"", 2},
                {VERDICT, 5}};

    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        struct scene scene;

        open_scene(&scene, "real");
        play_and_cut(&scene, cuts[i].within, cuts[i].nth);
        CU_ASSERT_EQUAL(verify(&scene, "no end line"), 0);
        CU_ASSERT_EQUAL(resume(&scene, "pass: 1 recording, 5 rounds"), 0);
        CU_ASSERT_EQUAL(verify(&scene, "5 rounds: intact\ncut off and resumed: 1 time\n"), 0);
        close_scene(&scene);
    }
}

/* "paid …" as a run has printed it; the end of a line is that of the text. */
static void take_paid(const char *out, char paid[128])
{
    const char *at = strstr(out, "\npaid ");

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(paid, 128, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
}

/* Of all its rounds, as the end line has them, and not of those since alone. */
TEST(what_is_printed_of_a_run_that_went_on_is_of_the_whole_run)
{
    static const struct {
        const char *within;
        unsigned nth;
    } cuts[] = {{VERDICT, 2}, {"\"kind\":\"settled\"", 3}, {VERDICT, 5}};

    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        char paid[128], again[128], words[64];
        struct process_result result;
        struct forgery forgery;
        struct scene scene;
        long long passed, failed;
        const char *checks;

        open_scene(&scene, "real");
        result = RUN("run", "--rig", scene.rig, scene.shoe);
        CU_ASSERT_EQUAL(result.status, 0);
        take_paid(result.out, paid);
        process_free(&result);
        play_and_cut(&scene, cuts[i].within, cuts[i].nth);
        result = RUN("run", "--resume", scene.journal);
        take_paid(result.out, again);
        CU_ASSERT_STRING_EQUAL(again, paid);
        forgery = forge_read(scene.journal);
        checks = strstr(forgery.bodies[forgery.count - 1], "\"checks\":{");
        CU_ASSERT_EQUAL_FATAL(
            sscanf(checks, "\"checks\":{\"pass\":%lld,\"fail\":%lld", &passed, &failed), 2);
        snprintf(words, sizeof words, "pass: 1 recording, 5 rounds, %lld checks in ",
                 passed + failed);
        CU_ASSERT_EQUAL(process_status_with(result, words), 0);
        forge_free(&forgery);
        close_scene(&scene);
    }
}

/* A run that failed after its last round does not become a pass without a word. */
TEST(what_is_judged_after_the_last_round_and_was_cut_off_is_skipped_with_its_reason)
{
    static const char why[] = "the run was cut off after the last round of recording 1";
    struct scene scene;

    open_scene(&scene, "real");
    write_rig(&scene, "real", "emu:shuffler?shuffle=5,deal=1,take=1,fault=stays-in-test");
    play_and_cut(&scene, VERDICT, 5);
    CU_ASSERT_EQUAL(resume(&scene, why), 0);
    CU_ASSERT_EQUAL(verify(&scene, "resumed: 1 time"), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", scene.journal),
                                        "skipped: test-mode-announced, the run was cut off"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--html", scene.journal), why), 0);
    close_scene(&scene);
}

TEST(a_run_that_was_cut_off_twice_goes_on_twice_and_a_torn_line_is_told)
{
    struct forgery forgery;
    struct scene scene;
    char *text;
    size_t length, line;

    open_scene(&scene, "real");
    play_and_cut(&scene, VERDICT, 1);
    text = scratch_read(scene.journal, &length);
    text = realloc(text, length + 16);
    memcpy(text + length, "{\"n\":7,\"prev\0xx", 15);
    scratch_write(scene.journal, text, length + 15);
    free(text);
    CU_ASSERT_EQUAL(resume(&scene, "a torn line of 15 bytes was cut off"), 0);
    forgery = forge_read(scene.journal);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(forgery.bodies[forge_find(&forgery, "\"kind\":\"resumed\"", 1)],
               "\"lost\":null,\"torn-bytes\":15,\"torn\":\"{\\\"n\\\":7,\\\"prev\\ufffdxx\""));
    line = forge_find(&forgery, VERDICT, 2);
    forge_remove(&forgery, line + 1, forgery.count - line - 1);
    forge_write(&forgery, scene.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(resume(&scene, "after 2 of 5 rounds of"), 0);
    CU_ASSERT_EQUAL(verify(&scene, "cut off and resumed: 2 times\n"), 0);
    close_scene(&scene);
}

TEST(a_run_whose_rig_or_recording_is_another_by_now_does_not_go_on)
{
    struct scene scene;

    open_scene(&scene, "real");
    play_and_cut(&scene, VERDICT, 1);
    write_rig(&scene, "real", "emu:shuffler?shuffle=6,deal=1,take=1");
    CU_ASSERT_EQUAL(resume(&scene, "is another rig than the one of the run"), 2);
    write_rig(&scene, "real", "emu:shuffler?shuffle=5,deal=1,take=1");
    copy("fixtures/chase-the-flush/house-burn.shoe", scene.shoe);
    copy("fixtures/chase-the-flush/house-burn.expect", scene.expect);
    CU_ASSERT_EQUAL(resume(&scene, "it or its expectation was changed since the run"), 2);
    copy(SHOE ".shoe", scene.shoe);
    copy(SHOE ".expect", scene.expect);
    CU_ASSERT_EQUAL(resume(&scene, "pass"), 0);
    close_scene(&scene);
}

/* Anything that says that a device is not the one that it was. */
TEST(a_run_does_not_go_on_with_another_device)
{
    struct forgery forgery;
    struct scene scene;
    size_t line;

    open_scene(&scene, "real");
    play_and_cut(&scene, VERDICT, 1);
    forgery = forge_read(scene.journal);
    line = forge_find(&forgery, "\"kind\":\"device\"", 1);
    forge_replace(&forgery, line, "\"serial\":\"S-17\"", "\"serial\":\"S-18\"");
    forge_write(&forgery, scene.journal);
    CU_ASSERT_EQUAL(resume(&scene, "the shuffler is not the one that the run began with: its "
                                   "serial was S-18 and is S-17"),
                    3);
    /* One whose device lines are not all there has played nothing. */
    forge_remove(&forgery, line + 1, forgery.count - line - 1);
    forge_write(&forgery, scene.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(resume(&scene, "was cut off before its devices were written down"), 2);
    close_scene(&scene);
}

TEST(what_nobody_can_go_on_with_is_said)
{
    struct forgery forgery;
    struct scene scene;

    open_scene(&scene, "real");
    play_and_cut(&scene, "\"kind\":\"end\"", 1);
    CU_ASSERT_EQUAL(resume(&scene, "has its end line"), 2);
    forgery = forge_read(scene.journal);
    forge_remove(&forgery, forgery.count - 1, 1);
    forge_replace(&forgery, forge_find(&forgery, VERDICT, 1), "\"pass\":", "\"pass\":1");
    forge_write(&forgery, scene.journal);
    CU_ASSERT_EQUAL(resume(&scene, "was altered"), 1);
    forge_replace(&forgery, 0, "\"command\":[\"run\"", "\"command\":[\"observe\"");
    forge_replace(&forgery, forge_find(&forgery, VERDICT, 1), "\"pass\":1", "\"pass\":");
    forge_write(&forgery, scene.journal);
    CU_ASSERT_EQUAL(resume(&scene, "only 'run' plays recordings that it can go on with"), 2);
    forge_free(&forgery);
    unlink(scene.journal);
    CU_ASSERT_EQUAL(resume(&scene, "cannot open"), 2);
    scratch_write(scene.journal, "x\n", 2);
    CU_ASSERT_EQUAL(resume(&scene, "not a journal"), 2);
    unlink(scene.journal);
    write_rig(&scene, "virtual", "emu:shuffler?shuffle=5,deal=1,take=1");
    play_and_cut(&scene, VERDICT, 1);
    CU_ASSERT_EQUAL(resume(&scene, "in virtual time, which comes out the same"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("run", "--resume", scene.journal, scene.shoe),
                                        "--resume takes rig, recordings and how they are played"),
                    2);
    close_scene(&scene);
}

/* Until the run waits for its shuffler, however long it takes to come so far. */
static void await_shuffle(const struct scene *scene, pid_t pid)
{
    siginfo_t ended = {0};
    bool waits = false;

    while (!waits && !waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) &&
           !ended.si_pid) {
        size_t length;
        char *text;

        usleep(10000);
        if (access(scene->journal, F_OK))
            continue;
        text = scratch_read(scene->journal, &length);
        waits = strstr(text, "\"for\":\"shuffled\"") != NULL;
        free(text);
    }
    CU_ASSERT(waits);
}

/* The run that is still at it has its journal for itself. */
TEST(nobody_goes_on_with_a_journal_that_is_being_written)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct scene scene;
    pid_t pid;

    open_scene(&scene, "real");
    write_rig(&scene, "real", "emu:shuffler?shuffle=20000,deal=1,take=1");
    pid = process_start((const char *const[]){"run", "--rig", scene.rig, "--journal", scene.journal,
                                              scene.shoe, NULL},
                        null, null, null);
    await_shuffle(&scene, pid);
    CU_ASSERT_EQUAL(resume(&scene, "another run is writing it"), 2);
    kill(pid, SIGKILL);
    process_wait(pid, NULL);
    close(null);
    close_scene(&scene);
}

TEST(the_reports_of_a_run_that_goes_on_are_where_they_were_to_be)
{
    char folder[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 32];
    struct process_result result;
    struct forgery forgery;
    struct scene scene;
    size_t line;

    open_scene(&scene, "real");
    scratch_path(folder);
    result = RUN("run", "-q", "--rig", scene.rig, "--reports", folder, scene.shoe);
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    snprintf(path, sizeof path, "%s/junit.xml", folder);
    CU_ASSERT_EQUAL(unlink(path), 0);
    snprintf(path, sizeof path, "%s/run.journal", folder);
    forgery = forge_read(path);
    line = forge_find(&forgery, VERDICT, 1);
    forge_remove(&forgery, line + 1, forgery.count - line - 1);
    forge_write(&forgery, path);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(process_status_with(RUN("run", "--resume", path), "/junit.xml\n"), 0);
    snprintf(path, sizeof path, "%s/junit.xml", folder);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    snprintf(path, sizeof path, "rm -r '%s'", folder);
    CU_ASSERT_EQUAL(system(path), 0);
    close_scene(&scene);
}
