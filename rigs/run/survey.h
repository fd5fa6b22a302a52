/*
 * A look at a recording before it is played: whether it and its expectation can be used, what game
 * it is, how long it will take. Mistakes that no device has anything to do with are found here, all
 * of them and before the first card. Nothing is kept open.
 */
#ifndef RIGS_RUN_SURVEY_H
#define RIGS_RUN_SURVEY_H

#include <stdint.h>

#include "games/game.h"
#include "hal/base/error.h"
#include "rigs/recording/paytables.h"
#include "rigs/rig/rig.h"

struct run_survey {
    const struct game *game; /* NULL: not known */
    uint64_t rounds;         /* 0 of what can be read only once, such as a pipe */
};

/*
 * ERROR_CONFIG when there is no such file, no expectation beside it, no header that can be used at
 * the table of this rig, a line that is too long, a round that is expected and not there, or no
 * round at all; `survey` then holds what is known all the same. `paytables` may be NULL.
 */
int run_survey_recording(const char *path, const struct rig *rig, const struct paytables *paytables,
                         struct run_survey *survey, struct error *error);

#endif
