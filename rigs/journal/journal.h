/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of a run, written: append-only JSON Lines, each line carrying the SHA-256 of the one
 * before. A line is in the file, through one write(2), before the function that adds it returns,
 * unless it is held; whatever kills the program then, everything up to the last complete line is
 * there. The caller owns the journal, and its clock must outlive it; texts are copied. Every
 * function that adds a line can fail with ERROR_RIG (a full disk above all): the file then ends
 * with the last complete line, and the same line may be tried again. rigs/JOURNAL.md describes the
 * lines.
 */
#ifndef RIGS_JOURNAL_JOURNAL_H
#define RIGS_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/desk/desk.h"
#include "rigs/journal/entry.h"
#include "rigs/journal/kind.h"

struct journal;

/*
 * Makes the file and writes its first line. A file that is there already is not touched:
 * ERROR_CONFIG. The start line carries the date only when the clock is real, so that two runs in
 * virtual time are identical.
 */
int journal_open(const char *path, const struct journal_options *options,
                 const struct journal_start *start, struct journal **journal, struct error *error);

/* Without an end line, as after a crash, unless journal_end() came before. NULL is allowed. */
void journal_close(struct journal *journal);

/*
 * Holds lines back, to be written together by the release: for steps of a run that no device can
 * see, and for benches where all devices are emulated. A kill loses the lines that are held. When
 * they cannot be written they stay held, and the next line or release tries them again.
 */
void journal_hold(struct journal *journal);
int journal_release(struct journal *journal, struct error *error);

/* NULL with ERROR_RIG when memory is short. The part is to be started before lines are added. */
struct journal *journal_part_new(const struct journal *journal, struct error *error);

/* Starts a part, which forgets what it had, for another recording. The options are copied. */
int journal_part_start(struct journal *part, const struct journal_part *options,
                       struct error *error);

/*
 * Adds what the part has and has counted; it may go on afterwards. The lines come out as if they
 * had been added to the journal itself. Nobody else uses either meanwhile.
 */
int journal_join(struct journal *journal, struct journal *part, struct error *error);

int journal_device(struct journal *journal, const struct journal_device *device,
                   struct error *error);

/* Who is at the bench from now on, and from where that is known: "command" or "page". */
int journal_operator(struct journal *journal, const char *name, const char *from,
                     struct error *error);

/* What somebody has ordered on the page since the line before: "pause". */
int journal_order(struct journal *journal, const char *what, const char *by, struct error *error);

/* Recordings are numbered from 1; the rounds that follow belong to the latest one. */
int journal_recording(struct journal *journal, const struct journal_recording *recording,
                      struct error *error);

/*
 * Opens a round. Lines from here to its verdict carry its number. `played` is the round as a line
 * of a .shoe file, JSON that is copied as it stands; a newline at its end is left out.
 */
int journal_round(struct journal *journal, uint64_t number, const char *played, size_t length,
                  struct error *error);

/* Something that a device said or did at `time`. `details` is JSON, or NULL. */
int journal_event(struct journal *journal, const char *device, const char *name,
                  const char *details, nanos_t time, struct error *error);

/* Something is being tried again; attempts count from 1, the first that failed. */
int journal_retry(struct journal *journal, const char *device, const char *what, unsigned attempt,
                  const char *why, struct error *error);

int journal_reconnect(struct journal *journal, const struct journal_reconnect *reconnect,
                      struct error *error);

int journal_wait(struct journal *journal, const struct journal_wait *wait, struct error *error);

/* Somebody is asked something; and what came of it, as a desk_reader is told. */
int journal_question(struct journal *journal, const struct desk_open *question,
                     struct error *error);
int journal_answer(struct journal *journal, const struct desk_open *question,
                   const struct answer *answer, struct error *error);

/* What the engine makes of the round, as a line of an .expect file. */
int journal_settlement(struct journal *journal, const char *settlement, size_t length,
                       struct error *error);

/*
 * A check that failed or was skipped is a line of its own. Those that pass are counted by name and
 * come as one line just before the verdict. Their names must live as long as the journal, each in
 * one place: they are told apart by their addresses.
 */
int journal_check(struct journal *journal, const struct check_result *result, struct error *error);

/* The same for one that passed, of which there are a hundred in a round. */
int journal_pass(struct journal *journal, const char *name, struct error *error);

/* Writes those that have passed after the last round; those of a round come with its verdict. */
int journal_passes(struct journal *journal, struct error *error);

/* Closes the round. The counts of its checks are the journal's own. */
int journal_verdict(struct journal *journal, const struct journal_verdict *verdict,
                    struct error *error);

/*
 * The last line: the worst of `verdict` and those of the rounds, and the totals, which are the
 * journal's own. Waits for the disk.
 */
int journal_end(struct journal *journal, enum verdict verdict, const char *why,
                struct error *error);

#endif
