/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Damage on the link of every device, from many seeds: a run ends in a pass with the right data,
 * everything that was said again recorded, or as device or timeout; a delay may also fail a time
 * that was measured. No round passes with wrong data, and a torn link ends the run as device.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/lies/campaign.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SEEDS (PROCESS_INSTRUMENTED ? 5 : 25)

static const char *const recordings[] = {
    "fixtures/chase-the-flush/jackpots-key-by-key.shoe",
    "fixtures/chase-the-flush/must-hit-award.shoe",
    "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe",
    "fixtures/three-card-catch/dealer-catches.shoe",
    "fixtures/flush-rush/house-burn-of-three.shoe",
};
#define RECORDINGS (sizeof recordings / sizeof recordings[0])

static const char *const devices[] = {"shuffler", "shoe", "terminal"};
#define DEVICES (sizeof devices / sizeof devices[0])

struct tally {
    unsigned runs, verdicts[VERDICT_COUNT], mended, rounds;
};

static void write_rig(const char *path, unsigned device, const char *damage)
{
    char text[1024], faults[DEVICES][128] = {"", "", ""};

    snprintf(faults[device], sizeof faults[device], ", link-fault: {%s}", damage);
    snprintf(text, sizeof text,
             "rig: damaged\nclock: virtual\ndevices:\n"
             "  shuffler: {address: 'emu:shuffler'%s}\n"
             "  shoe: {address: 'emu:shoe?draw=3000'%s}\n"
             "  terminal: {address: 'emu:terminal'%s}\n",
             faults[0], faults[1], faults[2]);
    scratch_write(path, text, strlen(text));
}

/* What damage to a link may fail where devices are still heard: times, and nothing else. */
static bool fails_only_by_time(const struct campaign_result *result)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        if (i != CHECK_TIMING && result->counts.checks.failed[i])
            return false;
    return true;
}

static bool is_right(const struct campaign_result *result)
{
    if (result->wrong_pass || (result->worst <= VERDICT_FAIL && !fails_only_by_time(result)))
        return false;
    if (!result->status && result->counts.rounds != result->rounds)
        return false;
    if (result->status)
        return (result->status == ERROR_DEVICE || result->status == ERROR_TIMEOUT) &&
               result->worst <= VERDICT_DEVICE;
    return result->worst <= VERDICT_DEVICE;
}

static void try_damage(unsigned device, const char *path, const char *damage, uint64_t seed,
                       struct tally *tally)
{
    char rig[SCRATCH_PATH_SIZE];
    struct campaign_run run = {.path = path, .rig_path = rig, .seed = seed};
    struct campaign_result result;
    enum verdict verdict;
    bool right;

    scratch_path(rig);
    write_rig(rig, device, damage);
    campaign_play(&run, &result);
    right = is_right(&result);
    if (!right) {
        printf("%s of the %s, seed %ju: ", damage, devices[device], (uintmax_t)seed);
        campaign_print(&run, &result);
    }
    CU_ASSERT_TRUE(right);
    verdict = verdict_worse(result.worst, verdict_of_status(result.status));
    tally->runs++;
    tally->rounds += (unsigned)result.counts.rounds;
    tally->verdicts[verdict]++;
    tally->mended += verdict == VERDICT_PASS && result.retries;
    remove(rig);
}

static void print_tally(const char *what, const struct tally *tally)
{
    printf("%s: %u runs of %u rounds: %u pass with the right data, in %u of them something was "
           "said again; %u fail by time, %u timeout, %u device\n",
           what, tally->runs, tally->rounds, tally->verdicts[VERDICT_PASS], tally->mended,
           tally->verdicts[VERDICT_FAIL], tally->verdicts[VERDICT_TIMEOUT],
           tally->verdicts[VERDICT_DEVICE]);
}

static void try_kind(const char *what, const char *const *damages, size_t count)
{
    struct tally tally = {0};

    for (unsigned device = 0; device < DEVICES; device++)
        for (size_t at = 0; at < RECORDINGS; at++)
            for (size_t i = 0; i < count; i++)
                for (uint64_t seed = 1; seed <= SEEDS; seed++)
                    try_damage(device, recordings[at], damages[i], seed, &tally);
    print_tally(what, &tally);
    CU_ASSERT_TRUE(tally.mended > 0);
    CU_ASSERT_TRUE(tally.verdicts[VERDICT_PASS] > 0);
}

TEST(flipped_bits_are_mended_or_end_the_run_in_its_verdict)
{
    static const char *const damages[] = {"flip: 300", "flip: 3000", "flip: 30000"};

    try_kind("flip", damages, 3);
}

TEST(dropped_bytes_are_mended_or_end_the_run_in_its_verdict)
{
    static const char *const damages[] = {"drop: 300", "drop: 3000", "drop: 30000"};

    try_kind("drop", damages, 3);
}

TEST(repeated_bytes_are_mended_or_end_the_run_in_its_verdict)
{
    static const char *const damages[] = {"duplicate: 300", "duplicate: 3000", "duplicate: 30000"};

    try_kind("duplicate", damages, 3);
}

TEST(delays_are_mended_or_fail_by_time_or_end_the_run)
{
    static const char *const damages[] = {"delay: 1000, delay-ms: 50", "delay: 1000, delay-ms: 300",
                                          "delay: 3000, delay-ms: 700"};

    try_kind("delay", damages, 3);
}

TEST(all_kinds_of_damage_together_never_pass_with_wrong_data)
{
    static const char *const damages[] = {
        "flip: 500, drop: 500, duplicate: 500, delay: 200, delay-ms: 300, split: 100000, merge: "
        "100000"};

    try_kind("all together", damages, 1);
}

/* A link that is torn after the handshake ends the run as device, wherever that is. */
TEST(a_torn_link_ends_the_run_as_device_wherever_it_is_torn)
{
    struct tally tally = {0};

    for (unsigned device = 0; device < DEVICES; device++)
        for (size_t at = 0; at < RECORDINGS; at++)
            for (unsigned bytes = 200; bytes < 2000; bytes += 17) {
                char damage[32];

                snprintf(damage, sizeof damage, "cut-after: %u", bytes);
                try_damage(device, recordings[at], damage, 1, &tally);
            }
    print_tally("torn", &tally);
    CU_ASSERT_TRUE(tally.verdicts[VERDICT_DEVICE] > 100);
    CU_ASSERT_EQUAL(tally.verdicts[VERDICT_FAIL] + tally.verdicts[VERDICT_TIMEOUT], 0);
}
