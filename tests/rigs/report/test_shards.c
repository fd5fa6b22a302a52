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

/* A rig of its own, as each bench of a lab has: the same but for a comment. */
static void copy_rig(const char *path, const char *comment)
{
    size_t length;
    char *text = scratch_read(RIG, &length);
    FILE *file = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "# %s\n%.*s", comment, (int)length, text);
    fclose(file);
    free(text);
}

#define JOB "--job", "4711", "--journal"

TEST(shards_of_one_job_may_be_of_different_benches)
{
    char left[SCRATCH_PATH_SIZE], right[SCRATCH_PATH_SIZE], one[SCRATCH_PATH_SIZE],
        two[SCRATCH_PATH_SIZE];

    scratch_path(left);
    scratch_path(right);
    scratch_path(one);
    scratch_path(two);
    copy_rig(left, "left");
    copy_rig(right, "right");
    status_of(RUN("run", "--rig", left, "--shard", "1/2", JOB, one, "fixtures/flush-rush"));
    status_of(RUN("run", "--rig", right, "--shard", "2/2", JOB, two, "fixtures/flush-rush"));
    CU_ASSERT_EQUAL(process_status_with(RUN("report", one, two), " recordings: "), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--html", one, two), right), 0);
    unlink(two);
    status_of(RUN("run", "--rig", right, "--shard", "2/2", "--job", "4712", "--journal", two,
                  "fixtures/flush-rush"));
    CU_ASSERT_EQUAL(process_status_with(RUN("report", one, two), "'job' in their first lines"), 2);
    unlink(left);
    unlink(right);
    unlink(one);
    unlink(two);
}

TEST(shards_of_other_recordings_are_of_another_run)
{
    char one[SCRATCH_PATH_SIZE], two[SCRATCH_PATH_SIZE];

    scratch_path(one);
    scratch_path(two);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "1/2", JOB, one, "fixtures/flush-rush")), 0);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "2/2", JOB, two, "fixtures/three-card-poker")),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", one, two), "'recordings' in their first lines"), 2);
    unlink(two);
    CU_ASSERT_EQUAL(
        status_of(RUN("run", "--shard", "2/2", "--repeat", "2", JOB, two, "fixtures/flush-rush")),
        0);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", one, two), "'recordings' in their first lines"), 2);
    unlink(one);
    unlink(two);
}

TEST(a_shard_alone_is_told_as_a_part)
{
    char one[SCRATCH_PATH_SIZE];

    scratch_path(one);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "1/2", JOB, one, "fixtures/flush-rush")), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", one), "is shard 1/2 of a run"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--partial", one), "ONLY SHARD 1/2"), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--partial", "--junit", one),
                                        "<property name=\"only shard\" value=\"1/2\"/>"),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "--partial", "--html", one), "only shard 1/2"), 0);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("run", "--job", "", "fixtures/flush-rush"), "--job is empty"), 2);
    unlink(one);
}

#define LOSES "tests/failing/dealt-cards/another-card-is-burned.shoe"

TEST(an_attempt_that_was_judged_is_not_replaced_by_another)
{
    char first[SCRATCH_PATH_SIZE], again[SCRATCH_PATH_SIZE];

    scratch_path(first);
    scratch_path(again);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--rig", RIG, "--shard", "1/1", JOB, first, LOSES)), 1);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "1/1", "--attempt", "2", JOB, again, LOSES)),
                    0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", first, again),
                                        "a run that was judged cannot be replaced by another"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", again), "the journal of attempt 1 is missing"), 2);
    unlink(first);
    unlink(again);
}

/* Cards that were wrong, then a device that fails: the run ends as the device's, and has failed. */
TEST(a_failure_is_not_tried_away_by_what_ends_the_attempt)
{
    char rig[SCRATCH_PATH_SIZE], first[SCRATCH_PATH_SIZE], again[SCRATCH_PATH_SIZE], *text, *at;
    static const char lies[] = "emu:shuffler?fault=wrong@card:2,fault=missing@shuffle:3";
    size_t length;
    FILE *file;

    scratch_path(rig);
    scratch_path(first);
    scratch_path(again);
    text = scratch_read("rigs/emulated.yaml", &length);
    at = strstr(text, "emu:shuffler");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    file = fopen(rig, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, lies, at + strlen("emu:shuffler"));
    fclose(file);
    free(text);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--rig", rig, "--shard", "1/1", JOB, first,
                                  "fixtures/flush-rush/evening-of-six-seats.shoe")),
                    3);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "1/1", "--attempt", "2", JOB, again,
                                  "fixtures/flush-rush/evening-of-six-seats.shoe")),
                    0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", first, again), "failed a check"), 2);
    unlink(rig);
    unlink(first);
    unlink(again);
}

TEST(an_attempt_whose_bench_failed_is_told_and_not_counted)
{
    char first[SCRATCH_PATH_SIZE], again[SCRATCH_PATH_SIZE];
    size_t length;
    char *journal;

    scratch_path(first);
    scratch_path(again);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "1/1", JOB, first, LOSES)), 0);
    CU_ASSERT_EQUAL(status_of(RUN("run", "--shard", "1/1", "--attempt", "2", JOB, again, LOSES)),
                    0);
    /* Killed: its end is missing. */
    journal = scratch_read(first, &length);
    scratch_write(first, journal, length - 40);
    free(journal);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", again, first), "1 round of 1 recording"), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", again, first),
                                        "is not counted: attempt 1 at shard 1 of 1, which came to "
                                        "'cut off'"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--html", again, first), "is not counted"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--junit", again, first), "is not counted"),
                    0);
    unlink(first);
    unlink(again);
}

TEST(a_shard_that_there_is_not_is_refused)
{
    static const char *const shards[] = {"5/4", "0/4",     "4",   "1/",  "/4",
                                         "1/0", "1/10001", "a/b", "1/4/"};

    for (size_t i = 0; i < sizeof shards / sizeof shards[0]; i++)
        CU_ASSERT_EQUAL(process_status_with(RUN("run", "--shard", shards[i], "fixtures"),
                                            "it is I/N, with N from 1 to 10000"),
                        2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("run", "--shard", "10000/10000", "fixtures"), "is empty"), 2);
}
