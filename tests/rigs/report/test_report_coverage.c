/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says the rounds have exercised: those that were played, and no others. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/last-seat-alone.shoe"

/* The report as text of a run of that recording on this shuffler or shoe; to be freed. */
static char *report_of(const char *device, int status)
{
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], yaml[256], *text;
    struct process_result result;

    scratch_path(rig);
    scratch_path(journal);
    snprintf(yaml, sizeof yaml, "rig: test\nclock: virtual\ndevices:\n  %s\n", device);
    scratch_write(rig, yaml, strlen(yaml));
    result = process_run(
        (const char *const[]){"run", "-q", "--rig", rig, "--journal", journal, SHOE, NULL},
        process_input("", 0));
    CU_ASSERT_EQUAL(result.status, status);
    process_free(&result);
    result =
        process_run((const char *const[]){"report", "--text", journal, NULL}, process_input("", 0));
    text = strdup(result.out);
    process_free(&result);
    scratch_remove(rig);
    scratch_remove(journal);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

static bool tells(const char *device, int status, const char *rounds, const char *seen)
{
    char *text = report_of(device, status);
    bool does = strstr(text, rounds) && strstr(text, seen);

    if (!does)
        printf("%s\n", text);
    free(text);
    return does;
}

TEST(a_round_that_passed_or_failed_has_exercised_what_it_shows)
{
    CU_ASSERT_TRUE(tells("shuffler: {address: 'emu:shuffler'}", 0, ": 1 pass\n",
                         "paying lines seen: flush-rush 2 of 10\n"));
    CU_ASSERT_TRUE(tells("shuffler: {address: 'emu:shuffler?shuffle=62000'}", 1, ": 1 fail\n",
                         "paying lines seen: flush-rush 2 of 10\n"));
}

TEST(a_round_that_was_not_played_has_exercised_nothing)
{
    CU_ASSERT_TRUE(tells("shoe: {address: 'emu:shoe'}", 4, ": 1 skipped\n",
                         "paying lines seen: flush-rush 0 of 10\n"
                         "coverage points seen: flush-rush 0 of 48\n"));
    CU_ASSERT_TRUE(tells("shuffler: {address: 'emu:shuffler?shuffle=4000000'}", 5, ": 1 timeout\n",
                         "paying lines seen: flush-rush 0 of 10\n"
                         "coverage points seen: flush-rush 0 of 48\n"));
}
