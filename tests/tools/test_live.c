/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What observe shows on a real clock while it goes on: on a terminal, and to programs. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/talk.h"

#define POKER "--game", "three-card-poker", "--seats", "1,2"

TEST(on_a_real_clock_the_terminal_shows_what_is_waited_for_and_how_it_ends)
{
    static const char text[] = "rig: test\nclock: real\nseats: 2\ndevices:\n  shuffler: {address: "
                               "\"emu:shuffler?shuffle=1500,deal=2,take=2\"}\n";
    char rig[SCRATCH_PATH_SIZE];
    struct talk *talk;

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    setenv("NO_COLOR", "1", 1);
    talk = talk_on_terminal(
        (const char *const[]){"observe", "--rig", rig, POKER, "--rounds", "50", NULL});
    CU_ASSERT_TRUE(talk_hears(talk, "0 of 50 rounds, 0 failed, waiting for shuffled (shuffler) "));
    CU_ASSERT_TRUE(talk_hears(talk, "1 of 50 rounds, 0 failed"));
    CU_ASSERT_TRUE(talk_hears(talk, " left"));
    kill(talk->pid, SIGINT);
    CU_ASSERT_TRUE(talk_hears(talk, "finishing this round, press again to cut it short"));
    CU_ASSERT_TRUE(talk_hears(talk, "aborted: "));
    CU_ASSERT_EQUAL(talk_end(talk), 130);
    unsetenv("NO_COLOR");
    unlink(rig);
}

TEST(the_terminal_shows_which_device_is_away_and_the_try_that_comes_next)
{
    static const char text[] =
        "rig: test\nclock: real\nseats: 2\ndevices:\n  shuffler: {address: "
        "\"emu:shuffler?shuffle=20,deal=2,take=2\", fault: 'unplug@frames:40'}\n"
        "reopen: {first-ms: 200, longest-ms: 200, tries: 5}\n";
    char rig[SCRATCH_PATH_SIZE];
    struct talk *talk;

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    setenv("NO_COLOR", "1", 1);
    talk = talk_on_terminal(
        (const char *const[]){"observe", "--rig", rig, POKER, "--rounds", "20", NULL});
    CU_ASSERT_TRUE(talk_hears(talk, "shuffler is away, try 1"));
    CU_ASSERT_TRUE(talk_hears(talk, " of 20 rounds, 0 failed, waiting for "));
    kill(talk->pid, SIGKILL);
    CU_ASSERT_EQUAL(talk_end(talk), 128 + SIGKILL);
    unsetenv("NO_COLOR");
    unlink(rig);
}

TEST(cards_are_shown_on_the_terminal_as_they_come)
{
    static const char text[] = "rig: test\nclock: real\nseats: 2\ndevices:\n  shuffler: {address: "
                               "\"emu:shuffler?shuffle=20,deal=2,take=2\"}\n";
    char rig[SCRATCH_PATH_SIZE];
    struct talk *talk;

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    setenv("NO_COLOR", "1", 1);
    talk = talk_on_terminal(
        (const char *const[]){"observe", "--rig", rig, POKER, "--rounds", "2", NULL});
    for (unsigned round = 1; round <= 2; round++) {
        CU_ASSERT_TRUE(talk_hears(talk, round == 1 ? "round 1\r\n" : "round 2\r\n"));
        CU_ASSERT_TRUE(talk_hears(talk, "  seat 1   "));
        CU_ASSERT_TRUE(talk_hears(talk, "  seat 2   "));
        CU_ASSERT_TRUE(talk_hears(talk, "  dealer   "));
    }
    CU_ASSERT_TRUE(talk_hears(talk, "pass: 2 rounds"));
    CU_ASSERT_EQUAL(talk_end(talk), 0);
    unsetenv("NO_COLOR");
    unlink(rig);
}

TEST(programs_are_told_what_is_waited_for_and_who_is_away)
{
    static const char text[] =
        "rig: test\nclock: real\nseats: 2\ndevices:\n  shuffler: {address: "
        "\"emu:shuffler?shuffle=20,deal=2,take=2\", fault: 'unplug@frames:40'}\n"
        "reopen: {first-ms: 20, longest-ms: 20, tries: 5}\n";
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], *kept;
    struct talk *talk;
    size_t length;

    scratch_path(rig);
    scratch_path(journal);
    scratch_write(rig, text, sizeof text - 1);
    talk = talk_start((const char *const[]){"observe", "--rig", rig, POKER, "--rounds", "20",
                                            "--json", "--journal", journal, NULL});
    CU_ASSERT_TRUE(talk_hears(talk, "{\"wait\":{\"for\":\"shuffled\",\"device\":\"shuffler\","
                                    "\"limit-ms\":66000}}\n"));
    CU_ASSERT_TRUE(
        talk_hears(talk, "{\"wait\":{\"for\":\"return\",\"device\":\"shuffler\",\"try\":1}}\n"));
    /* It is back, and what is waited for is told again. */
    CU_ASSERT_TRUE(talk_hears(talk, "{\"wait\":{\"for\":\""));
    kill(talk->pid, SIGINT);
    kill(talk->pid, SIGTERM);
    CU_ASSERT_EQUAL(talk_end(talk), 130);
    kept = scratch_read(journal, &length);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(kept, ",\"for\":\"return\",\"device\":\"shuffler\",\"try\":1}\n"));
    free(kept);
    unlink(journal);
    unlink(rig);
}
