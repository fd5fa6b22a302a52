/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in shards, put together by the history as the whole run would have been. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/history/home.h"
#include "tests/support/suite.h"

/* What must be the same however a run was played. */
static const char *const same[] = {
    "verdict",    "recordings",        "rounds",      "checks",   "retries",
    "reconnects", "recordings-played", "checks-made", "failures", "rounds-not-passed",
    "timings"};

static json_t *show(const char *id)
{
    json_t *answer = ASK("show", id), *run = json_array_get(json_object_get(answer, "runs"), 0);

    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    json_incref(run);
    json_decref(answer);
    return run;
}

static void expect_same(const char *one, const char *other)
{
    json_t *first = show(one), *second = show(other);

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        const json_t *here = json_object_get(first, same[i]);

        CU_ASSERT_PTR_NOT_NULL(here);
        if (!json_equal(here, json_object_get(second, same[i]))) {
            printf("'%s' differs\n", same[i]);
            CU_FAIL("a run in shards is not what the whole run is");
        }
    }
    json_decref(first);
    json_decref(second);
}

/* A folder of recordings, of which one expects something else than what comes of it. */
static void copy_recordings(const struct history_home *home, char folder[SCRATCH_PATH_SIZE + 16])
{
    char command[1024];

    snprintf(folder, SCRATCH_PATH_SIZE + 16, "%s/shoes", home->folder);
    snprintf(command, sizeof command,
             "mkdir %s && cp fixtures/flush-rush/[a-f]*.shoe fixtures/flush-rush/[a-f]*.expect %s "
             "&& sed -i '1s/\"total\":-*/\"total\":7/' %s/everybody-folds.expect",
             folder, folder, folder);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

/* One shard, into the history with --job; NULL: into a journal alone. */
static void play(const struct history_home *home, const char *folder, const char *shard,
                 const char *job, int expected)
{
    char journal[SCRATCH_PATH_SIZE + 64];
    struct process_result result;

    snprintf(journal, sizeof journal, "%s/%c%s.journal", home->folder, *shard, job ? job : "");
    result = job ? DEALPROOF("run", "--shard", shard, "--job", job, "--history", "--journal",
                             journal, folder)
                 : DEALPROOF("run", "--shard", shard, "--journal", journal, folder);
    CU_ASSERT_EQUAL(result.status, expected);
    process_free(&result);
}

TEST(a_run_in_shards_is_what_the_whole_run_is)
{
    struct history_home home = home_set_up();
    char folder[SCRATCH_PATH_SIZE + 16], one[SCRATCH_PATH_SIZE + 64], two[SCRATCH_PATH_SIZE + 64];

    copy_recordings(&home, folder);
    snprintf(one, sizeof one, "%s/1.journal", home.folder);
    snprintf(two, sizeof two, "%s/2.journal", home.folder);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--journal", home.journal, folder), "fail: "), 1);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "alone", home.journal),
                            "run alone imported"),
        0);
    play(&home, folder, "3/3", "night", 0);
    play(&home, folder, "2/3", "night", 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "list"), "cut off"), 0);
    play(&home, folder, "1/3", "night", 1);
    expect_same("alone", "night");
    play(&home, folder, "1/2", NULL, 1);
    play(&home, folder, "2/2", NULL, 0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "halves", two, one),
                            "run halves.2 imported, a shard of halves"),
        0);
    expect_same("alone", "halves");
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "list"), "3 runs"), 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "diff", "alone", "halves"),
                                        "second: run halves, 1 run\ntiming"),
                    0);
    home_take_down(&home);
}

/* The line of rigs/LAB.md that begins so, as a command of the shell; to be freed. */
static char *example(const char *beginning, const char *from, const char *to)
{
    size_t length;
    char *page = scratch_read("rigs/LAB.md", &length), *line = strstr(page, beginning), *rest;
    char *command = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    line[strcspn(line, "\n'")] = '\0';
    rest = strstr(line, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rest);
    CU_ASSERT_FATAL(asprintf(&command, "dealproof() { \"$PROGRAM\" \"$@\"; }; %.*s%s%s",
                             (int)(rest - line), line, to, rest + strlen(from)) > 0);
    free(page);
    return command;
}

/* What GitLab plays in four jobs, Jenkins makes one report of. */
TEST(the_examples_for_continuous_integration_work)
{
    struct history_home home = home_set_up();
    char folder[SCRATCH_PATH_SIZE + 16], shell[2048], *play, *report;

    copy_recordings(&home, folder);
    play = example("dealproof run --shard \"$CI_NODE_INDEX", "recordings", "shoes >/dev/null 2>&1");
    report = example("dealproof report --junit", "night-*.journal", "shard-*/run.journal");
    snprintf(shell, sizeof shell,
             "PROGRAM=$(readlink -f \"$DEALPROOF\"); cd %s || exit 9; CI_NODE_TOTAL=4; "
             "CI_PIPELINE_ID=77; "
             "for CI_NODE_INDEX in 1 2 3 4; do %s; done; %s || exit 8; "
             "[ $(grep -o '<testcase' junit.xml | wc -l) -ge 9 ] && [ -s shard-4/junit.xml ]",
             home.folder, play, report);
    CU_ASSERT_EQUAL(system(shell), 0);
    free(play);
    free(report);
    home_take_down(&home);
}
