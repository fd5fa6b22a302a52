/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The posted limits of a table, for settle and run alike: at each of them, and a cent beyond. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RIG  "rigs/table-limits.yaml"
#define SHOE "stakes-at-the-table-limits.shoe"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

TEST(stakes_at_the_limits_are_settled_and_played)
{
    static const char *const shoes[] = {"fixtures/chase-the-flush/" SHOE,
                                        "fixtures/flush-rush/" SHOE,
                                        "fixtures/three-card-catch/" SHOE};

    for (size_t i = 0; i < sizeof shoes / sizeof shoes[0]; i++) {
        struct process_result settled = RUN("settle", "--rig", RIG, "--check", shoes[i]);
        struct process_result played = RUN("run", "--rig", RIG, shoes[i]);

        CU_ASSERT_EQUAL(settled.status, 0);
        CU_ASSERT_EQUAL(played.status, 0);
        process_free(&settled);
        process_free(&played);
    }
}

/* Settles one round of one seat with the rig's limits; whether it is refused with these words. */
static bool is_refused(const char *bets, const char *play, const char *words)
{
    char path[SCRATCH_PATH_SIZE], text[512];
    int length = snprintf(text, sizeof text,
                          "{\"shoe\":1,\"game\":\"chase-the-flush\"}\n{\"round\":1,\"bets\":{\"1\":"
                          "{%s}},\"dealt\":[\"2c 7d 9h\",\"3d 8s Kc\",\"5c 9s Jd Qh\"],"
                          "\"play\":{\"1\":[%s]}}\n",
                          bets, play);
    struct process_result with, without;
    bool refused;

    scratch_path(path);
    scratch_write(path, text, (size_t)length);
    with = RUN("settle", "--rig", RIG, path);
    without = RUN("settle", path);
    refused = with.status == 1 && strstr(with.err, words) && !without.status;
    if (!refused)
        printf("%s: %d, %s\n", words, with.status, with.err);
    process_free(&with);
    process_free(&without);
    unlink(path);
    return refused;
}

TEST(a_cent_beyond_each_limit_is_refused_where_the_rig_is_known)
{
    CU_ASSERT(is_refused("\"ante\":499,\"x-tra\":499", "\"bet\"",
                         "seat 1: ante of 499 cents is below the table minimum of 500 cents"));
    CU_ASSERT(is_refused("\"ante\":30001,\"x-tra\":30001", "\"check\",\"check\",\"fold\"",
                         "seat 1: ante of 30001 cents is above the table maximum of 30000 cents"));
    CU_ASSERT(is_refused("\"ante\":500,\"x-tra\":500,\"same-suit\":99", "\"bet\"",
                         "seat 1: same-suit of 99 cents is below the table minimum of 100"));
    CU_ASSERT(is_refused("\"ante\":500,\"x-tra\":500,\"same-suit\":10001", "\"bet\"",
                         "seat 1: same-suit of 10001 cents is above the table maximum of 10000"));
    CU_ASSERT(is_refused("\"ante\":30000,\"x-tra\":30000,\"same-suit\":501", "\"bet\"",
                         "seat 1: 150501 cents in all are above the table maximum of 150500"));
}

TEST(a_decision_beyond_a_limit_is_refused_where_the_rig_is_known)
{
    char rig[SCRATCH_PATH_SIZE], shoe[] = "fixtures/chase-the-flush/" SHOE;
    static const char text[] = "rig: test\nclock: virtual\ndevices:\n"
                               "  shuffler: {address: 'emu:shuffler'}\n"
                               "limits: [{wager: all-in, max: 89999}]\n";
    struct process_result result;

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    result = RUN("settle", "--rig", rig, shoe);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err,
                                  "seat 2: all-in of 90000 cents, by decision, is above "
                                  "the table maximum of 89999"));
    process_free(&result);
    unlink(rig);
}
