/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a run waits for devices and people, and what it says of those that start anew. */
#include <stdio.h>
#include <string.h>

#include "rigs/run/runner.h"
#include "tests/support/lies/altered_run.h"
#include "tests/support/suite.h"

#define CATCH "fixtures/three-card-catch/evening-of-six-seats.shoe"
#define CHASE "fixtures/chase-the-flush/evening-of-six-seats.shoe"
#define CARDS "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"
#define RIG   "rig: test\nclock: virtual\ndevices:\n"

/* One run, and how its first round ended that did not pass. */
struct played {
    struct bench bench;
    struct runner_counts counts;
    enum verdict worst;
    char why[ERROR_TEXT_SIZE];
    nanos_t round, longest; /* when the last round ended, and how long one took */
    bool loses_power;       /* every device does, after each round */
};

static void lose_power(struct bench *bench)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(bench, i)); i++)
        device->kind->power_cycle(device->model, clock_now(&bench->clock));
}

static void note_round(void *context, const struct runner_round *round)
{
    struct played *played = context;
    nanos_t now = clock_now(&played->bench.clock);

    if (now - played->round > played->longest)
        played->longest = now - played->round;
    played->round = now;
    if (round->verdict != VERDICT_PASS && !played->why[0] && round->why)
        snprintf(played->why, sizeof played->why, "%s", round->why);
    played->worst = verdict_worse(played->worst, round->verdict);
    if (played->loses_power)
        lose_power(&played->bench);
}

static void play(const char *text, const char *path, struct played *played)
{
    struct runner_options options = {.context = played, .round_ended = note_round};
    struct runner *runner;
    struct error error;
    struct rig *rig;

    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "test.yaml", text, strlen(text), &error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&played->bench, rig, 1, &error), 0);
    runner = runner_new(&played->bench, &options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    runner_play(runner, path, &error);
    played->counts = *runner_counts(runner);
    runner_free(runner);
    bench_close(&played->bench, NULL);
    rig_free(rig);
}

#define SECONDS(n) ((nanos_t)(n)*NANOS_PER_SECOND)

TEST(a_shuffle_that_does_not_end_is_a_timeout_a_tenth_after_its_limit)
{
    struct played played = {0};

    play(RIG "  shuffler: {address: 'emu:shuffler?shuffle=900000'}\ntiming: {shuffle: 30000}\n",
         CATCH, &played);
    CU_ASSERT_EQUAL(played.worst, VERDICT_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(played.why, "the shuffled deck for 33000 ms"));
    CU_ASSERT_PTR_NOT_NULL(strstr(played.why, "timing.shuffle"));
    CU_ASSERT(played.longest >= SECONDS(33) && played.longest < SECONDS(34));
}

TEST(a_person_is_waited_for_as_long_as_the_rig_says)
{
    struct played slow = {0}, never = {0};

    play(RIG "  shuffler: {address: 'emu:shuffler?take=50000'}\n"
             "timing: {take: 10000, person: 60000}\n",
         CATCH, &slow);
    CU_ASSERT_EQUAL(slow.worst, VERDICT_FAIL);
    CU_ASSERT(slow.counts.checks.failed[CHECK_TIMING] > 0);
    play(RIG "  shuffler: {address: 'emu:shuffler?take=0'}\n"
             "timing: {take: 10000, person: 60000}\n",
         CATCH, &never);
    CU_ASSERT_EQUAL(never.worst, VERDICT_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(never.why, "timing.person"));
    CU_ASSERT(never.longest >= SECONDS(60) && never.longest < SECONDS(90));
}

TEST(nobody_who_draws_is_waited_for_as_long_as_the_rig_says)
{
    struct played played = {0};

    play(RIG "  shoe: {address: emu:shoe}\ntiming: {card: 10000, person: 60000}\n", CARDS, &played);
    CU_ASSERT_EQUAL(played.worst, VERDICT_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(played.why, "timing.person"));
    CU_ASSERT(played.longest >= SECONDS(60) && played.longest < SECONDS(61));
}

/* Plays an act with every message of one kind altered. */
static void play_altered(const struct altered_act *act, struct alter *alter,
                         struct altered_ending *ending)
{
    static struct altered_run run;

    alter->message = ALTER_EVERY;
    altered_open(&run, act);
    altered_play(&run, alter, ending);
    altered_close(&run);
}

TEST(nobody_is_waited_for_who_has_taken_the_packet)
{
    static const struct altered_act act = {ALTERED_SHUFFLER(""),
                                           "fixtures/chase-the-flush/house-burn.shoe", 1, 0};
    struct alter alter = {.slot = DEVICE_SHUFFLER, .how = ALTER_DROP, .type = 0x42};
    struct altered_ending ending;

    play_altered(&act, &alter, &ending);
    CU_ASSERT(alter.shown > 0);
    CU_ASSERT_EQUAL(ending.worst, VERDICT_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ending.why, "has counted packet 0 as taken, by its STATUS"));
    CU_ASSERT(ending.took < SECONDS(180));
}

TEST(nobody_is_waited_for_whose_card_never_comes_whole)
{
    static const struct altered_act act = {
        RIG "  shoe: {driver: angel-eye, address: 'emu:angel-eye?draw=700,refill=2000'}\n"
            "order: compare\n",
        "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", 1, 0};
    struct alter alter = {.slot = DEVICE_SHOE, .how = ALTER_SET, .type = 'D'};
    struct altered_ending ending;

    play_altered(&act, &alter, &ending);
    CU_ASSERT(alter.shown > 0);
    CU_ASSERT_EQUAL(ending.worst, VERDICT_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ending.why, "more than 256 bytes came and no whole frame"));
    CU_ASSERT(ending.took < SECONDS(180));
}

TEST(what_was_wrong_before_a_timeout_is_told)
{
    struct played played = {0};

    play(RIG "  shuffler: {address: 'emu:shuffler?take=0', fault: 'wrong@card:2'}\n"
             "timing: {person: 1000, take: 1000}\n",
         CATCH, &played);
    CU_ASSERT_EQUAL(played.worst, VERDICT_TIMEOUT);
    CU_ASSERT_EQUAL(played.counts.checks.failed[CHECK_DEALT_CARDS], 1);
}

TEST(a_shuffler_that_restarts_in_the_middle_of_a_shuffle_is_told_as_that)
{
    struct played played = {0};

    play(RIG "  shuffler: {address: emu:shuffler, fault: 'forgets@shuffle:3'}\n", CATCH, &played);
    CU_ASSERT_EQUAL(played.worst, VERDICT_DEVICE);
    CU_ASSERT_STRING_EQUAL(played.why,
                           "the shuffler restarted in the middle of shuffle 3, and is idle");
    CU_ASSERT(played.longest < SECONDS(60));
}

TEST(devices_that_lose_their_power_between_rounds_are_not_accused)
{
    static const char *const rigs[] = {
        RIG "  shuffler: {address: emu:shuffler}\n",
        RIG "  shoe: {address: 'emu:shoe?draw=100'}\n",
    };
    static const char *const paths[] = {CHASE, "tests/second/three-rounds.shoe"};

    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
        struct played played = {.loses_power = true};

        play(rigs[i], paths[i], &played);
        CU_ASSERT_EQUAL(played.counts.checks.failed[CHECK_FRAMES], 0);
        CU_ASSERT(played.counts.rounds > 1);
        CU_ASSERT_EQUAL(played.worst, VERDICT_PASS);
    }
}
