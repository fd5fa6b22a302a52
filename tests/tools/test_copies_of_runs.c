/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The copies that a run leaves below a folder of recordings, which are no recordings of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/last-seat-alone"

/* A folder with one recording, and in it where its runs leave reports. */
struct lab {
    char folder[SCRATCH_PATH_SIZE], reports[SCRATCH_PATH_SIZE + 8], copies[SCRATCH_PATH_SIZE + 24];
};

static void open_lab(struct lab *lab)
{
    char command[256];

    scratch_path(lab->folder);
    snprintf(lab->reports, sizeof lab->reports, "%s/out", lab->folder);
    snprintf(lab->copies, sizeof lab->copies, "%s/recordings", lab->reports);
    snprintf(command, sizeof command, "mkdir %s && cp " SHOE ".* %s", lab->folder, lab->folder);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void play(const struct lab *lab)
{
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run((const char *const[]){"run", "--reports", lab->reports, lab->folder, NULL},
                        -1),
            "pass: 1 recording, 1 round"),
        0);
}

static unsigned count(const char *text, const char *words)
{
    unsigned found = 0;

    for (; (text = strstr(text, words)); text += strlen(words))
        found++;
    return found;
}

TEST(a_run_that_is_repeated_does_not_play_what_it_has_left)
{
    char words[160];
    struct process_result result;
    struct lab lab;

    open_lab(&lab);
    for (unsigned i = 0; i < 3; i++)
        play(&lab);
    result = process_run((const char *const[]){"run", "--json", lab.folder, NULL}, -1);
    snprintf(words, sizeof words, "%s and 2 more folders are passed over", lab.copies);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL(count(result.err, "\n"), 1);
    CU_ASSERT_EQUAL(count(result.err, words), 1);
    CU_ASSERT_EQUAL(count(result.err, "name such a folder"), 1);
    process_free(&result);
    result = process_run((const char *const[]){"run", "-q", lab.folder, NULL}, -1);
    CU_ASSERT_STRING_EQUAL(result.err, "");
    process_free(&result);
    scratch_remove(lab.folder);
}

/* It is there for who names it, or the folder of the run. */
TEST(copies_that_are_named_are_played)
{
    struct process_result result;
    struct lab lab;

    open_lab(&lab);
    play(&lab);
    for (unsigned i = 0; i < 2; i++) {
        result = process_run(
            (const char *const[]){"run", i ? lab.copies : lab.reports, lab.folder, NULL}, -1);
        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "pass: 2 recordings, 2 rounds"));
        process_free(&result);
    }
    scratch_remove(lab.folder);
}

TEST(every_command_that_takes_a_folder_passes_copies_over_and_says_so)
{
    char made[SCRATCH_PATH_SIZE];
    struct lab lab;

    open_lab(&lab);
    play(&lab);
    scratch_path(made);
    for (unsigned i = 0; i < 4; i++) {
        const char *const commands[][8] = {
            {"settle", "--check", lab.folder, NULL},
            {"coverage", lab.folder, NULL},
            {"shuffles", lab.folder, NULL},
            {"generate", "--cover", "-o", made, "--beside", lab.folder, "flush-rush", NULL}};
        struct process_result result = process_run(commands[i], -1);

        CU_ASSERT_EQUAL(count(result.err, "/out/recordings is passed over"), 1);
        CU_ASSERT_TRUE(i > 0 || strstr(result.out, "\n1 passed, 0 failed\n"));
        process_free(&result);
    }
    scratch_remove(made);
    scratch_remove(lab.folder);
}

TEST(a_folder_with_nothing_but_copies_has_no_recording_and_it_is_said_which_to_name)
{
    char command[256];
    struct lab lab;

    open_lab(&lab);
    play(&lab);
    snprintf(command, sizeof command, "rm %s/*.shoe %s/*.expect", lab.folder, lab.folder);
    CU_ASSERT_EQUAL(system(command), 0);
    snprintf(command, sizeof command,
             "no recording (*.shoe) in it but copies of earlier runs; name %s", lab.copies);
    CU_ASSERT_EQUAL(process_status_with(
                        process_run((const char *const[]){"run", lab.folder, NULL}, -1), command),
                    2);
    scratch_remove(lab.folder);
}

/* A folder of that name without a journal beside it is one as any other. */
TEST(a_folder_called_recordings_that_no_run_has_left_is_looked_into)
{
    char command[256];
    struct lab lab;

    open_lab(&lab);
    snprintf(command, sizeof command, "mkdir -p %s && cp " SHOE ".* %s", lab.copies, lab.copies);
    CU_ASSERT_EQUAL(system(command), 0);
    CU_ASSERT_EQUAL(
        process_status_with(process_run((const char *const[]){"run", lab.folder, NULL}, -1),
                            "pass: 2 recordings"),
        0);
    scratch_remove(lab.folder);
}

TEST(a_run_whose_reports_are_below_its_folder_can_be_played_again)
{
    char journal[SCRATCH_PATH_SIZE + 32];
    struct lab lab;

    open_lab(&lab);
    play(&lab);
    snprintf(journal, sizeof journal, "%s/run.journal", lab.reports);
    CU_ASSERT_EQUAL(process_status_with(
                        process_run((const char *const[]){"verify", "--replay", journal, NULL}, -1),
                        "come out the same"),
                    0);
    scratch_remove(lab.folder);
}
