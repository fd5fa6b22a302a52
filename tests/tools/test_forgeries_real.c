/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forgeries of a run on a real clock, which nobody can play again, and words in line 1 that are to
 * lead 'verify --replay' away from playing an emulated one. The chain holds each time, and all that
 * is counted agrees.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RIG_OF(clock)                                                                              \
    "rig: bad\nclock: " clock "\ndevices:\n  shuffler: {address: "                                 \
    "'emu:shuffler?shuffle=10,deal=5,take=5', fault: 'wrong@card:2'}\n"
#define SHOE   "fixtures/flush-rush/rounds-follow-each-other.shoe"
#define SCRIPT "devices/scripts/examples/tally.lua"
#define OTHER  "fixtures/flush-rush/last-seat-alone.shoe"

struct failed_run {
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE];
    struct forgery forgery;
};

static struct failed_run play(bool is_real, const char *first, const char *second)
{
    static const char real[] = RIG_OF("real"), virtual[] = RIG_OF("virtual");
    struct failed_run run;
    struct process_result result;

    scratch_path(run.rig);
    scratch_path(run.journal);
    scratch_write(run.rig, is_real ? real : virtual, strlen(is_real ? real : virtual));
    result = process_run((const char *const[]){"run", "-q", "--rig", run.rig, "--journal",
                                               run.journal, first, second, NULL},
                         process_input("", 0));
    CU_ASSERT_EQUAL_FATAL(result.status, 1);
    process_free(&result);
    run.forgery = forge_read(run.journal);
    return run;
}

static void end(struct failed_run *run)
{
    forge_free(&run->forgery);
    unlink(run->rig);
    unlink(run->journal);
}

static int verify(const struct failed_run *run, bool replays, const char *words)
{
    struct process_result result = process_run(
        (const char *const[]){"verify", run->journal, replays ? "--replay" : NULL, NULL},
        process_input("", 0));
    int status = result.status;

    CU_ASSERT(!words || strstr(result.err, words));
    if (words && !strstr(result.err, words))
        printf("%s: %s\n", words, result.err);
    process_free(&result);
    return status;
}

static bool has(const char *body, const char *text)
{
    return strstr(body, text) != NULL;
}

static unsigned count_passes(const char *body)
{
    const char *names = strstr(body, "\"names\":{");
    unsigned sum = 0;

    for (const char *at = names ? names + strlen("\"names\":{") : ""; *at && *at != '}'; at++)
        if (*at == ':')
            sum += (unsigned)atoi(at + 1);
    return sum;
}

/* What stands from a key up to the next brace. */
static void put_object(struct forgery *forgery, size_t line, const char *key, const char *object)
{
    char *at = strstr(forgery->bodies[line], key), old[512];

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(old, sizeof old, "%.*s", (int)(strcspn(at, "}") + 1), at);
    forge_replace(forgery, line, old, object);
}

static void put_checks(struct forgery *forgery, size_t line, unsigned passed, unsigned skipped)
{
    char checks[96];

    snprintf(checks, sizeof checks, "\"checks\":{\"pass\":%u,\"fail\":0,\"skipped\":%u}", passed,
             skipped);
    put_object(forgery, line, "\"checks\":{", checks);
}

/* No line is left that says that anything failed, and all counts agree. */
static void pass_carefully(struct forgery *forgery)
{
    unsigned passed = 0, skipped = 0, all_passed = 0, all_skipped = 0, rounds = 0;
    char text[128];

    for (size_t i = forgery->count; i-- > 0;)
        if (has(forgery->bodies[i], "\"result\":\"fail\""))
            forge_remove(forgery, i, 1);
    forge_replace_all(forgery, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"");
    for (size_t i = 0; i < forgery->count; i++) {
        const char *body = forgery->bodies[i];

        if (has(body, "\"kind\":\"round\""))
            passed = skipped = 0;
        passed += count_passes(body);
        all_passed += count_passes(body);
        skipped += has(body, "\"result\":\"skipped\"");
        all_skipped += has(body, "\"result\":\"skipped\"");
        rounds += has(body, "\"kind\":\"verdict\"");
        if (has(body, "\"kind\":\"verdict\""))
            put_checks(forgery, i, passed, skipped);
    }
    snprintf(text, sizeof text,
             "\"rounds\":{\"skipped\":0,\"pass\":%u,\"fail\":0,\"timeout\":0,\"device\":0,\"rig\":"
             "0,\"aborted\":0}",
             rounds);
    put_object(forgery, forgery->count - 1, "\"rounds\":{", text);
    put_checks(forgery, forgery->count - 1, all_passed, all_skipped);
}

TEST(a_failed_run_on_a_real_clock_does_not_become_a_pass_without_forged_cards)
{
    struct failed_run run = play(true, SHOE, NULL);

    CU_ASSERT_EQUAL(verify(&run, true, NULL), 0);
    pass_carefully(&run.forgery);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, false, NULL), 0);
    CU_ASSERT_EQUAL(verify(&run, true, "other cards were told than were played"), 1);
    /* With the cards forged the settlement gives it away. */
    forge_replace_all(&run.forgery, "\"cards\":\"2c As 9d Kh\"", "\"cards\":\"2c 3c 9d Kh\"");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "settlement does not follow"), 1);
    end(&run);
}

TEST(a_run_on_a_real_clock_without_events_and_checks_is_no_pass)
{
    static const char *const dropped[] = {"\"kind\":\"event\"", "\"kind\":\"wait\"",
                                          "\"kind\":\"check\""};
    struct failed_run run = play(true, SHOE, NULL);

    for (size_t i = run.forgery.count; i-- > 0;)
        for (size_t j = 0; j < sizeof dropped / sizeof dropped[0]; j++)
            if (has(run.forgery.bodies[i], dropped[j])) {
                forge_remove(&run.forgery, i, 1);
                break;
            }
    pass_carefully(&run.forgery);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, false, "in which no check passed"), 1);
    end(&run);
}

TEST(a_recording_that_was_announced_is_not_left_out)
{
    struct failed_run run = play(true, OTHER, SHOE);
    size_t first = forge_find(&run.forgery, "\"kind\":\"recording\"", 2);

    forge_remove(&run.forgery, first, run.forgery.count - 1 - first);
    pass_carefully(&run.forgery);
    forge_replace(&run.forgery, run.forgery.count - 1, "\"recordings\":2", "\"recordings\":1");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, false, "before all rounds that line 1 announces"), 1);
    end(&run);
}

TEST(a_round_that_failed_is_not_told_as_skipped)
{
    struct failed_run run = play(true, SHOE, NULL);
    size_t first = forge_find(&run.forgery, "\"kind\":\"round\"", 1) + 1, verdict;

    while (!has(run.forgery.bodies[first], "\"kind\":\"verdict\""))
        forge_remove(&run.forgery, first, 1);
    pass_carefully(&run.forgery);
    verdict = forge_find(&run.forgery, "\"kind\":\"verdict\"", 1);
    forge_replace(&run.forgery, verdict, "\"verdict\":\"pass\"",
                  "\"verdict\":\"skipped\",\"why\":\"the rig has no device that deals like this\"");
    forge_replace(&run.forgery, run.forgery.count - 1, "\"skipped\":0,\"pass\":4",
                  "\"skipped\":1,\"pass\":3");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, false, NULL), 0);
    CU_ASSERT_EQUAL(verify(&run, true, "it skips a round that a device of the rig deals"), 1);
    end(&run);
}

TEST(a_device_that_the_rig_has_not_is_found)
{
    struct failed_run run = play(true, SHOE, NULL);
    size_t line = forge_find(&run.forgery, "\"kind\":\"device\"", 1);

    forge_insert(&run.forgery, line, run.forgery.bodies[line]);
    forge_replace(&run.forgery, line, "\"name\":\"shuffler\"", "\"name\":\"camera\"");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, false, NULL), 0);
    CU_ASSERT_EQUAL(verify(&run, true, "the rig file has no device 'camera'"), 1);
    end(&run);
}

/* Words that once kept an emulated run from being played again. */
TEST(an_emulated_run_is_played_again_whatever_its_first_line_says)
{
    static const char *const commands[] = {"[]", "[\"frobnicate\"]", "[\"station\"]",
                                           "[\"verify\"]"};
    struct failed_run run = play(false, SHOE, NULL);
    char *start = strstr(run.forgery.bodies[0], "\"command\":["), command[512], honest[512];

    snprintf(honest, sizeof honest, "%.*s", (int)(strcspn(start, "]") + 1), start);
    pass_carefully(&run.forgery);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(command, sizeof command, "\"command\":%s", commands[i]);
        forge_replace(&run.forgery, 0, honest, command);
        forge_write(&run.forgery, run.journal);
        CU_ASSERT_EQUAL(verify(&run, true, "no such command writes a journal"), 1);
        forge_replace(&run.forgery, 0, command, honest);
    }
    forge_replace(&run.forgery, 0, honest, "\"command\":[\"run\",\"--no-such\"]");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "cannot be played again here"), 4);
    forge_replace(&run.forgery, 0, "\"command\":[\"run\",\"--no-such\"]", honest);
    forge_replace(&run.forgery, 0, "\"clock\":\"virtual\"",
                  "\"clock\":\"real\",\"date\":\"2026-01-31T18:00:00Z\"");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "its clock is real, and that of its rig virtual"), 1);
    end(&run);
}

/* A pipe that nobody writes to is no recording, whatever the command names. */
TEST(a_command_that_names_a_pipe_keeps_nobody_waiting)
{
    struct failed_run run = play(false, SHOE, NULL);
    char pipe[SCRATCH_PATH_SIZE], make[SCRATCH_PATH_SIZE + 16];

    scratch_path(pipe);
    unlink(pipe);
    snprintf(make, sizeof make, "mkfifo %s", pipe);
    CU_ASSERT_EQUAL_FATAL(system(make), 0);
    forge_replace(&run.forgery, 0, SHOE, pipe);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "cannot be played again here"), 4);
    unlink(pipe);
    end(&run);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static void expect(const char *const *arguments, int status, const char *words)
{
    struct process_result result = process_run(arguments, process_input("", 0));

    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT(strstr(result.out, words) || strstr(result.err, words));
    if (result.status != status || !(strstr(result.out, words) || strstr(result.err, words)))
        printf("%s: %d: %s%s\n", arguments[0], result.status, result.out, result.err);
    process_free(&result);
}

/* A script is somebody's program: it is not run out of a bundle, and it cannot be exchanged. */
static void expect_scripted_bundle(const char *lab, const char *folder, const char *copy)
{
    char bundle[64];

    snprintf(bundle, sizeof bundle, "%s/b.tar", lab);
    expect((const char *const[]){"bundle", folder, "-o", bundle, NULL}, 0, "");
    expect((const char *const[]){"verify", bundle, NULL}, 0,
           "run: not compared: its rig names a script or a map of cards, which nobody opens who "
           "does not trust it: ");
    expect((const char *const[]){"verify", "--replay", bundle, NULL}, 4, "run: not compared");
    unlink(bundle);
    append(copy, "-- changed\n");
    expect((const char *const[]){"bundle", folder, "-o", bundle, NULL}, 1,
           "files/001-tally.lua was altered: it is not the file that line 1 of the journal names");
}

/* A run on a rig that names a script: its copy is kept, and who changes it is told so. */
TEST(a_file_that_the_rig_names_has_its_digest_in_the_journal)
{
    char lab[] = "/tmp/dealproof-XXXXXX", rig[64], script[64], folder[64], journal[96], copy[96],
         command[160];
    struct failed_run run;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab));
    snprintf(rig, sizeof rig, "%s/rig.yaml", lab);
    snprintf(script, sizeof script, "%s/tally.lua", lab);
    snprintf(folder, sizeof folder, "%s/run", lab);
    snprintf(journal, sizeof journal, "%s/run.journal", folder);
    snprintf(copy, sizeof copy, "%s/files/001-tally.lua", folder);
    snprintf(command, sizeof command, "cp " SCRIPT " %s", script);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    append(rig, "rig: tally\nclock: virtual\ndevices:\n  shuffler: {driver: script, script: "
                "tally.lua, address: 'emu:script'}\n");
    expect((const char *const[]){"run", "-q", "--rig", rig, "--reports", folder, SHOE, NULL}, 0,
           "");
    CU_ASSERT_EQUAL(access(copy, R_OK), 0);
    expect((const char *const[]){"verify", "--replay", journal, NULL}, 0, "4 files named: 4 unch");
    run.forgery = forge_read(journal);
    put_object(&run.forgery, 0, ",\"files\":[{", "");
    forge_replace(&run.forgery, 0, "],\"seed\"", ",\"seed\"");
    scratch_path(run.journal);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "does not have the digests of all files"), 1);
    forge_free(&run.forgery);
    unlink(run.journal);
    expect_scripted_bundle(lab, folder, copy);
    append(script, "-- changed\n");
    expect((const char *const[]){"verify", journal, NULL}, 1, "tally.lua: CHANGED since the run");
    expect((const char *const[]){"verify", "--replay", journal, NULL}, 1,
           "files that it names are not here as they were");
    scratch_remove(lab);
}

TEST(who_was_said_to_perform_a_run_is_not_dropped)
{
    struct failed_run run;

    scratch_path(run.journal);
    run.rig[0] = '\0';
    expect((const char *const[]){"run", "-q", "--by", "Ann", "--journal", run.journal, SHOE, NULL},
           0, "");
    run.forgery = forge_read(run.journal);
    forge_remove(&run.forgery, forge_find(&run.forgery, "\"kind\":\"operator\"", 1), 1);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "and \"operator\" when the run is played again"), 1);
    end(&run);
}

/* On a real clock nobody plays it again; the command line of line 1 says that somebody was named.
 */
TEST(who_was_said_to_perform_a_run_on_a_real_clock_is_not_dropped)
{
    struct failed_run run = play(true, SHOE, NULL);
    char body[160];
    size_t line;

    forge_replace(&run.forgery, 0, "\"command\":[\"run\"", "\"command\":[\"run\",\"--by\",\"Ann\"");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "no line above it names who performs the run"), 1);
    line = forge_find(&run.forgery, "\"kind\":\"recording\"", 1);
    snprintf(body, sizeof body, "%.*s,\"kind\":\"operator\",\"name\":\"Bob\",\"from\":\"command\"",
             (int)strcspn(run.forgery.bodies[line], ","), run.forgery.bodies[line]);
    forge_insert(&run.forgery, line, body);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, "no line above it names who performs the run"), 1);
    forge_replace_all(&run.forgery, "\"Bob\"", "\"Ann\"");
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, true, NULL), 0);
    end(&run);
}

/* A recording that failed is gone, and line 1 announces what is left; its copy is still there. */
TEST(a_run_that_passes_has_played_all_recordings_that_its_bundle_has)
{
    char lab[] = "/tmp/dealproof-XXXXXX", rig[64], folder[64], journal[96], bundle[64], rm[192];
    struct forgery forgery;
    size_t first;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab));
    snprintf(rig, sizeof rig, "%s/rig.yaml", lab);
    snprintf(folder, sizeof folder, "%s/run", lab);
    snprintf(journal, sizeof journal, "%s/run.journal", folder);
    snprintf(bundle, sizeof bundle, "%s/b.tar", lab);
    snprintf(rm, sizeof rm, "rm %s/report.* %s/junit.xml", folder, folder);
    /* The card that is wrong comes after all of the first recording. */
    append(rig, "rig: bad\nclock: real\ndevices:\n  shuffler: {address: "
                "'emu:shuffler?shuffle=10,deal=5,take=5', fault: 'wrong@card:12'}\n");
    expect((const char *const[]){"run", "-q", "--rig", rig, "--reports", folder, OTHER, SHOE, NULL},
           1, "");
    forgery = forge_read(journal);
    first = forge_find(&forgery, "\"kind\":\"recording\"", 2);
    forge_remove(&forgery, first, forgery.count - 1 - first);
    pass_carefully(&forgery);
    forge_replace(&forgery, forgery.count - 1, "\"recordings\":2", "\"recordings\":1");
    forge_replace(&forgery, 0, "\"rounds\":5", "\"rounds\":1");
    forge_write(&forgery, journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(system(rm), 0);
    expect((const char *const[]){"verify", "--replay", journal, NULL}, 0, "1 round comes to what");
    expect((const char *const[]){"bundle", folder, "-o", bundle, NULL}, 0, "");
    expect((const char *const[]){"verify", bundle, NULL}, 1,
           "its run passes with 1 recording, and the bundle has copies of 2");
    scratch_remove(lab);
}

/* A recording that failed is gone, and line 1 announces none. */
TEST(a_run_says_how_many_rounds_it_has_to_play)
{
    for (int is_real = 0; is_real < 2; is_real++) {
        struct failed_run run = play(is_real, SHOE, NULL);

        forge_replace(&run.forgery, 0, ",\"rounds\":4", "");
        forge_write(&run.forgery, run.journal);
        CU_ASSERT_EQUAL(verify(&run, false, NULL), 0);
        CU_ASSERT_EQUAL(verify(&run, true, "does not say how many rounds there are to play"), 1);
        end(&run);
    }
}

TEST(a_check_that_there_is_not_has_not_passed)
{
    struct failed_run run = play(true, SHOE, NULL);

    CU_ASSERT_TRUE(forge_replace_all(&run.forgery, "\"packet-order\":", "\"packet-odour\":") > 0);
    forge_write(&run.forgery, run.journal);
    CU_ASSERT_EQUAL(verify(&run, false, NULL), 0);
    CU_ASSERT_EQUAL(verify(&run, true, "there is no such check"), 1);
    end(&run);
}

/* Nor does a rig that names one for its paytables. */
TEST(a_rig_that_names_a_pipe_keeps_nobody_waiting)
{
    char pipe[SCRATCH_PATH_SIZE], rig[SCRATCH_PATH_SIZE], text[256];

    scratch_path(pipe);
    scratch_path(rig);
    unlink(pipe);
    snprintf(text, sizeof text, "mkfifo %s", pipe);
    CU_ASSERT_EQUAL_FATAL(system(text), 0);
    snprintf(text, sizeof text,
             "rig: x\nclock: virtual\npaytables: %s\ndevices:\n  shuffler: {address: "
             "'emu:shuffler'}\n",
             pipe);
    scratch_write(rig, text, strlen(text));
    expect((const char *const[]){"run", "-q", "--rig", rig, SHOE, NULL}, 2,
           "is a pipe or a device; name a file");
    unlink(pipe);
    unlink(rig);
}
