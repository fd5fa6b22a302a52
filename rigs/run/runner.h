/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runner: plays recordings round by round through an open bench and checks everything that the
 * devices do against the recording, its expectation and the engine. A runner is for one bench and
 * one thread; it allocates when it is made and when a recording is opened, never for a round. The
 * bench and the options stay the caller's and must outlive it.
 */
#ifndef RIGS_RUN_RUNNER_H
#define RIGS_RUN_RUNNER_H

#include "hal/base/error.h"
#include "rigs/bench/bench.h"
#include "rigs/run/options.h"
#include "rigs/run/survey.h"

struct runner;

/* NULL with ERROR_RIG when memory is short. runner_free() takes NULL. */
struct runner *runner_new(struct bench *bench, const struct runner_options *options,
                          struct error *error);
void runner_free(struct runner *runner);

/*
 * Plays one recording. Returns 0 when every round was played or skipped, whatever came of it;
 * 1 when fail_fast has stopped it; ERROR_CONFIG when the recording or its expectation cannot be
 * used; another code when the run cannot go on: a dead device, a broken bench, ERROR_ABORTED after
 * `stop`.
 */
int runner_play(struct runner *runner, const char *path, struct error *error);

/*
 * The recording that is played next was begun by a run that was cut off after so many rounds: the
 * journal has its line, and those rounds are settled, for the meters that they leave, and not
 * played.
 */
void runner_go_on(struct runner *runner, uint64_t rounds);

/*
 * The same of a recording that a survey has read through: its rounds are not counted and its
 * header is not read again. The digests are taken while it is played, and ERROR_CONFIG tells of a
 * file that is another one by then. NULL, or a survey of a pipe: as runner_play().
 */
int runner_play_surveyed(struct runner *runner, const char *path, const struct run_survey *survey,
                         struct error *error);

/*
 * Once, after the last recording or observation: takes devices out of the test mode that they were
 * put into and looks whether they are, asks them who they are once more, and judges what only many
 * rounds together can show, how the devices shuffle and draw. What fails is of no round;
 * check_failed is told round 0. ERROR_RIG when the journal cannot be written.
 */
int runner_judge(struct runner *runner, struct error *error);

/*
 * Leaves the devices as they were found: those that were put into test mode are taken out of it.
 * For a bench whose devices still answer.
 */
int runner_finish(struct runner *runner, struct error *error);

/*
 * The same where a run was cut short, or failed: each device that it has used is brought to rest,
 * for which it has so many milliseconds, and out of test mode if it was put there. The sentence
 * names every device that is not, and why.
 */
int runner_rest(struct runner *runner, int64_t wait, struct error *error);

/* Since the runner was made. */
const struct runner_counts *runner_counts(const struct runner *runner);

#endif
