/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was written, read from its files and played once more. */
#include "rigs/minimise/trial.h"

/* As --check takes it; NULL for what has no name there. */
static const char *name_of(const struct failure *failure)
{
    enum verdict verdict;

    if (*failure->check)
        return failure->check;
    return failure_verdict(verdict_name(failure->verdict), &verdict) ? verdict_name(verdict) : NULL;
}

int trials_written(struct trials *trials, const char *rig_path, const char *recording,
                   struct error *error)
{
    struct failing_case written;
    struct trials again;
    int status = trials_open(&again, &written, rig_path, recording, trials->seed, error);

    if (!status) {
        again.stop = trials->stop;
        status = trials_find(&again, &written, name_of(&trials->wanted), error);
        trials->played += again.played;
        trials->rounds += again.rounds;
    }
    case_free(&written);
    trials_close(&again);
    return status;
}
