/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that went away and came back: whether they are the same, and what the journal has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/journal/verify.h"
#include "rigs/run/runner.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RECORDING "fixtures/chase-the-flush/meters-carry-over-rounds.shoe"

static const char torn[] =
    "rig: torn\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"
    "  terminal: {address: emu:terminal, fault: 'unplug@frames:40'}\n"
    "reopen: {first-ms: 50, longest-ms: 400, tries: 10}\n";

struct played {
    unsigned failed, at_end;
    bool is_exchanged; /* while it is away */
    char got[80], why[160];
};

static void note_check(void *context, const char *recording, int64_t round,
                       const struct check_result *result)
{
    struct played *played = context;

    (void)recording;
    if (strcmp(result->name, "identity") != 0)
        return;
    played->failed++;
    played->at_end += !round;
    snprintf(played->got, sizeof played->got, "%s: %s, %s", result->wager, result->expected,
             result->got);
    snprintf(played->why, sizeof played->why, "%s", result->why);
}

/* The one that was opened is made to have been another, which is the same as another coming back.
 */
static void exchange(void *context, const struct bench_device *device, unsigned tries, nanos_t away)
{
    const struct played *played = context;

    (void)tries, (void)away;
    if (played->is_exchanged)
        snprintf(device->bench->devices[1].identity.serial, WIRE_TEXT_MAX, "T-2");
}

static struct journal *open_journal(const char *path, const struct clock *clock)
{
    const struct journal_options options = {.clock = clock};
    const struct journal_start start = {.version = "1", .seed = 1};
    struct journal *journal = NULL;

    CU_ASSERT_EQUAL_FATAL(journal_open(path, &options, &start, &journal, NULL), 0);
    journal_sample_devices(journal);
    return journal;
}

/* With a journal at that path, unless it is NULL. */
static void play(struct played *played, const char *path)
{
    struct runner_options options = {.context = played, .check_failed = note_check};
    struct error error;
    struct bench bench;
    struct rig *rig;
    struct runner *runner;

    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "torn.yaml", torn, sizeof torn - 1, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &error), 0);
    bench.reopened = exchange;
    bench.context = played;
    if (path)
        options.journal = open_journal(path, &bench.clock);
    runner = runner_new(&bench, &options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    runner_play(runner, RECORDING, &error);
    CU_ASSERT_TRUE(bench.devices[1].reopened > 0);
    CU_ASSERT_EQUAL(runner_judge(runner, &error), 0);
    if (path)
        CU_ASSERT_EQUAL(journal_end(options.journal, VERDICT_PASS, NULL, NULL), 0);
    journal_close(options.journal);
    runner_free(runner);
    bench_close(&bench, NULL);
    rig_free(rig);
}

TEST(a_device_that_comes_back_as_another_is_told_in_that_round_and_once)
{
    struct played played = {.is_exchanged = true};

    play(&played, NULL);
    CU_ASSERT_TRUE(played.failed > 0);
    CU_ASSERT_EQUAL(played.at_end, 0);
    CU_ASSERT_STRING_EQUAL(played.got, "terminal: \"T-2\", \"T-1\"");
    CU_ASSERT_STRING_EQUAL(played.why, "the serial number of the device at opening and now");
}

TEST(a_device_that_comes_back_as_it_was_is_not_accused)
{
    struct played played = {0};

    play(&played, NULL);
    CU_ASSERT_EQUAL(played.failed, 0);
}

static bool has_line(const char *text, const char *within)
{
    bool is_there = strstr(text, within) != NULL;

    if (!is_there)
        printf("no %s\n", within);
    return is_there;
}

TEST(a_reconnect_is_in_the_journal_and_counted_and_two_runs_are_alike)
{
    char path[SCRATCH_PATH_SIZE], *text[2];
    size_t length[2];

    scratch_path(path);
    for (unsigned i = 0; i < 2; i++) {
        struct played played = {.is_exchanged = true};
        struct journal_verified verified;

        play(&played, path);
        CU_ASSERT_EQUAL(journal_verify(path, &(struct journal_verify){0}, &verified, NULL), 0);
        text[i] = scratch_read(path, &length[i]);
        remove(path);
    }
    CU_ASSERT_TRUE(length[0] == length[1] && !memcmp(text[0], text[1], length[0]));
    CU_ASSERT_TRUE(has_line(text[0], "\"kind\":\"reconnect\",\"recording\":1,\"round\":3,"
                                     "\"device\":\"terminal\",\"times\":1,\"tries\":1,"
                                     "\"away-ms\":50,\"same\":false}"));
    CU_ASSERT_TRUE(has_line(text[0], ",\"reconnects\":"));
    free(text[0]);
    free(text[1]);
}
