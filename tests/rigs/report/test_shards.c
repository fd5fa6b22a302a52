/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in shards, and its journals reported as one run. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHARDS 3
#define RIG    "tests/failing/dealt-cards/another-card-is-burned.yaml"
/* One that fails on that rig, and some that do not. */
#define PLAYED "fixtures/three-card-poker", "fixtures/flush-rush"

struct journals {
    char whole[SCRATCH_PATH_SIZE], shard[SHARDS][SCRATCH_PATH_SIZE];
};

#define RUN(...) process_run((const char *const[]){__VA_ARGS__, NULL}, process_input("", 0))

static int status_of(struct process_result result)
{
    int status = result.status;

    process_free(&result);
    return status;
}

static void play(struct journals *journals)
{
    char which[8];
    int worst = 0, whole;

    scratch_path(journals->whole);
    whole = status_of(RUN("run", "--rig", RIG, "--journal", journals->whole, PLAYED));
    for (unsigned i = 0; i < SHARDS; i++) {
        int status;

        scratch_path(journals->shard[i]);
        snprintf(which, sizeof which, "%u/%u", i + 1, SHARDS);
        status = status_of(
            RUN("run", "--rig", RIG, "--shard", which, "--journal", journals->shard[i], PLAYED));
        worst = status > worst ? status : worst;
    }
    CU_ASSERT_EQUAL(whole, 1);
    CU_ASSERT_EQUAL(worst, whole);
}

static void forget(const struct journals *journals)
{
    unlink(journals->whole);
    for (unsigned i = 0; i < SHARDS; i++)
        unlink(journals->shard[i]);
}

static bool says_the_same(struct process_result one, struct process_result other)
{
    bool same = one.status == 0 && other.status == 0 && one.out_length == other.out_length &&
                !memcmp(one.out, other.out, one.out_length) && one.out_length > 100;

    process_free(&one);
    process_free(&other);
    return same;
}

TEST(a_report_of_all_shards_is_the_report_of_the_whole_run)
{
    static const char *const forms[] = {"--text", "--junit"};
    struct journals journals;

    play(&journals);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        CU_ASSERT(says_the_same(
            RUN("report", forms[i], journals.whole),
            RUN("report", forms[i], journals.shard[2], journals.shard[0], journals.shard[1])));
    forget(&journals);
}

TEST(each_shard_is_a_journal_of_its_own_that_verifies_and_can_be_played_again)
{
    struct journals journals;

    play(&journals);
    for (unsigned i = 0; i < SHARDS; i++)
        CU_ASSERT_EQUAL(process_status_with(RUN("verify", "--replay", journals.shard[i]),
                                            "lines come out the same"),
                        0);
    forget(&journals);
}

TEST(journals_that_are_not_all_shards_of_one_run_are_not_added_up)
{
    struct journals journals;

    play(&journals);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", journals.shard[0], journals.shard[1]),
                                        "the journal of shard 3 of 3 is missing"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", journals.shard[0], journals.shard[2]),
                                        "the journal of shard 2 of 3 is missing"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", journals.shard[0], journals.shard[1],
                                            journals.shard[2], journals.shard[1]),
                                        "are both shard 2 of 3: it would be counted twice"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", journals.shard[0], journals.whole),
                                        "is not the journal of a shard"),
                    2);
    forget(&journals);
}

TEST(shards_of_another_seed_are_of_another_run)
{
    struct journals journals;

    play(&journals);
    unlink(journals.shard[1]);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--rig", RIG, "--seed", "2", "--shard", "2/3", "--journal",
                                  journals.shard[1], PLAYED)) > 1,
                    false);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", journals.shard[0], journals.shard[1], journals.shard[2]),
                            "not shards of the same run: 'seed'"),
        2);
    forget(&journals);
}

TEST(a_shard_that_was_cut_off_is_a_run_that_was)
{
    struct journals journals;
    size_t length;
    char *text;

    play(&journals);
    text = scratch_read(journals.shard[1], &length);
    scratch_write(journals.shard[1], text, length / 2);
    free(text);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", journals.shard[0], journals.shard[1], journals.shard[2]),
                            "cut off: dealproof"),
        0);
    forget(&journals);
}

TEST(a_shard_that_was_altered_is_named)
{
    struct journals journals;
    size_t length;
    char *text, *at;

    play(&journals);
    text = scratch_read(journals.shard[1], &length);
    at = strstr(text, "\"verdict\":\"pass\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    memcpy(at, "\"verdict\":\"fail\"", 16);
    scratch_write(journals.shard[1], text, length);
    free(text);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", journals.shard[0], journals.shard[1], journals.shard[2]),
                            strrchr(journals.shard[1], '/')),
        1);
    forget(&journals);
}

TEST(a_shard_that_there_is_not_is_refused)
{
    static const char *const shards[] = {"5/4", "0/4",     "4",   "1/", "/4",
                                         "1/0", "1/10001", "a/b", ""};

    for (size_t i = 0; i < sizeof shards / sizeof shards[0]; i++)
        CU_ASSERT_EQUAL(process_status_with(RUN("run", "--shard", shards[i], "fixtures"),
                                            "it is I/N, with N from 1 to 10000"),
                        2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("run", "--shard", "10000/10000", "fixtures"), "is empty"), 2);
}
