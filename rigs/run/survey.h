/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A look at a recording before it is played: whether it and its expectation can be used, what game
 * it is, how long it will take. Mistakes that no device has anything to do with are found here, all
 * of them and before the first card. Nothing is kept open; what was found is handed to
 * runner_play_surveyed(), so that the files are read once more and no oftener.
 */
#ifndef RIGS_RUN_SURVEY_H
#define RIGS_RUN_SURVEY_H

#include <stdint.h>

#include "games/game.h"
#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "rigs/recording/files.h"
#include "rigs/recording/format.h"
#include "rigs/recording/paytables.h"
#include "rigs/rig/rig.h"

struct run_survey {
    const struct game *game; /* NULL: not known */
    uint64_t rounds;         /* 0 of what can be read only once, such as a pipe */
    /* Of what has been read through: the digests are empty where nothing has been. */
    struct recording_header header; /* at the rig's table; it points at the paytables */
    char digest[DIGEST_SIZE], expect_digest[DIGEST_SIZE];
};

/*
 * ERROR_CONFIG when there is no such file, no expectation beside it, no header that can be used at
 * the table of this rig, a line that is too long, a round that is expected and not there, or no
 * round at all; `survey` then holds what is known all the same. `paytables` may be NULL, and must
 * outlive the survey.
 */
int run_survey_recording(const char *path, const struct rig *rig, const struct paytables *paytables,
                         struct run_survey *survey, struct error *error);

/* The same of files in a place; NULL: on the disk. */
int run_survey_in(const struct recording_place *place, const char *path, const struct rig *rig,
                  const struct paytables *paytables, struct run_survey *survey,
                  struct error *error);

/*
 * Whether the table of the rig has every seat that the recording is played at, and its machine can
 * be told to deal to them, for one that could be surveyed: ERROR_CONFIG names the first round for
 * which that is not so. What can be read only once is not looked through.
 */
int run_survey_rounds(const struct recording_place *place, const char *path, const struct rig *rig,
                      const struct run_survey *survey, struct error *error);

/*
 * Whether each line of the expectation can be compared with what a round comes to, for one that
 * could be surveyed: ERROR_CONFIG names the first that cannot. What can be read only once is not.
 */
int run_survey_expectation(const struct recording_place *place, const char *path,
                           struct error *error);

#endif
