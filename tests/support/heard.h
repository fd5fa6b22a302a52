/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What suites of 'record --from' share: the files of a table that is played or observed while its
 * lines are captured, and then recorded from what was heard. The files are the test's, which ends
 * with heard_remove(); results of a process are the caller's to free.
 */
#ifndef TESTS_SUPPORT_HEARD_H
#define TESTS_SUPPORT_HEARD_H

#include "tests/support/process.h"
#include "tests/support/scratch.h"

/* Files of one test: a rig with its capture, a recording that was played, one that was heard. */
struct heard_files {
    char rig[SCRATCH_PATH_SIZE], capture[96], notes[96];
    char played[96], played_expect[96], heard[96], heard_expect[96];
};

/* Rigs with a shoe alone, of single cards; the lines of the second number no events. */
extern const char heard_shoe_rig[];
extern const char heard_angel_rig[];

/* Names for all of them; only the rig is written, that text with a capture before it. */
struct heard_files heard_make(const char *rig);
/* The same of rigs/emulated.yaml. */
struct heard_files heard_emulated(void);
/* Removes those that are there. */
void heard_remove(const struct heard_files *files);

/* Three rounds of flush-rush with seat 1 alone, captured and noted, on emulated devices. */
struct heard_files heard_observe_three(void);

void heard_write_text(const char *path, const char *text);

/* The same text, and more than a few words of it. */
void heard_expect_same_file(const char *path, const char *other);
/* The same rounds; headers differ in where they come from. */
void heard_expect_same_rounds(const char *path, const char *other);

/* The program under test, with nothing to read. */
struct process_result heard_run(const char *const *arguments);

#define CALL(...) heard_run((const char *const[]){__VA_ARGS__, NULL})

/* Records what was heard of flush-rush, with its notes. */
#define NOTED(files)                                                                               \
    CALL("record", "-o", (files).heard, "--from", (files).capture, "--notes", (files).notes,       \
         "--game", "flush-rush")

#endif
