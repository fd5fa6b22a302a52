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
static char *report_of(const char *shoe, const char *device, int status)
{
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], yaml[256], *text;
    struct process_result result;

    scratch_path(rig);
    scratch_path(journal);
    snprintf(yaml, sizeof yaml, "rig: test\nclock: virtual\ndevices:\n  %s\n", device);
    scratch_write(rig, yaml, strlen(yaml));
    result = process_run(
        (const char *const[]){"run", "-q", "--rig", rig, "--journal", journal, shoe, NULL},
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

static bool tells_of(const char *shoe, const char *device, int status, const char *rounds,
                     const char *seen)
{
    char *text = report_of(shoe, device, status);
    bool does = strstr(text, rounds) && strstr(text, seen);

    if (!does)
        printf("%s\n", text);
    free(text);
    return does;
}

static bool tells(const char *device, int status, const char *rounds, const char *seen)
{
    return tells_of(SHOE, device, status, rounds, seen);
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

TEST(a_deck_that_nobody_played_with_has_exercised_nothing)
{
    static const char shoe[] =
        "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
        "{\"round\":1,\"deck\":\"2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d 4d 5d 6d 7d 8d 9d Td "
        "Jd Qd Kd Ad 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks "
        "As\"}\n";
    static const char expect[] = "{\"round\":1,\"error\":\"no seat has a bet\"}\n";
    char name[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 8], other[SCRATCH_PATH_SIZE + 8];

    scratch_path(name);
    snprintf(path, sizeof path, "%s.shoe", name);
    snprintf(other, sizeof other, "%s.expect", name);
    scratch_write(path, shoe, sizeof shoe - 1);
    scratch_write(other, expect, sizeof expect - 1);
    CU_ASSERT_TRUE(tells_of(path, "shuffler: {address: 'emu:shuffler'}", 0, ": 1 pass\n",
                            "coverage points seen: flush-rush 0 of 48\n"));
    scratch_remove(path);
    scratch_remove(other);
}
