/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A journal held against what its run comes to: one in virtual time is played again, in a process
 * of its own, and compared line by line; of any other each round is settled again. Nothing that the
 * journal's command line names is written.
 */
#ifndef TOOLS_VERIFY_REPLAY_H
#define TOOLS_VERIFY_REPLAY_H

#include "rigs/evidence/replay/compare.h"
#include "rigs/evidence/replay/kept.h"
#include "rigs/evidence/replay/resettle.h"
#include "tools/json_print.h"

struct replayed {
    bool is_played; /* else its rounds were settled again */
    struct journals_compared compared;
    struct resettled resettled;
};

/*
 * 0: it comes to the same. ERROR_RULE: it does not, and this very build has written it. ERROR_RIG:
 * nobody can tell, since something is missing for it, or another version or build wrote it and
 * comes to something else.
 */
int replay_journal(const char *path, struct replayed *replayed, struct error *error);

/* What came of it, on standard output. */
void replay_print(const struct replayed *replayed);

/* The same as the member "replay" of an object. */
void replay_json(struct json_print *print, const struct replayed *replayed);

/* The same of the journal of a bundle, from what it has kept and nothing else. */
int replay_kept(struct kept *kept, struct replayed *replayed, struct error *error);

#endif
