/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounds without a recording: whatever the devices of a bench deal is settled and checked, for a
 * number of rounds or until somebody stops it. No order is loaded and no device is put into test
 * mode; one that says it is in it fails a check. What needs a recording is skipped, which the first
 * round says.
 *
 * Wagers of a seat whose sensor has no actuator are those that lie there when the round starts;
 * everywhere else they are the announced ones, placed by the actuators that there are. Decisions
 * are those of a policy or of people who are asked, because no device sees them.
 */
#ifndef RIGS_RUN_OBSERVE_H
#define RIGS_RUN_OBSERVE_H

#include "rigs/run/observation.h"

struct runner;

/*
 * Whether a bench of that rig could observe so, without opening it; `paytables` are those of the
 * rig, or NULL. ERROR_CONFIG says what is wrong.
 */
int observe_check(const struct rig *rig, const struct paytables *paytables,
                  const struct observation *observation, struct error *error);

/*
 * Observes under a name that reports give to these rounds. Each seat stakes $10, or what the limits
 * allow next to it, on its ante and as much on what must equal it, and the progressive wager where
 * the rig has a terminal; `bets` say otherwise. Returns as runner_play() does; ERROR_CONFIG when
 * the rig or the stakes do not allow it, ERROR_ABORTED when it was stopped before `rounds` were
 * played.
 */
int runner_observe(struct runner *runner, const char *name, const struct observation *observation,
                   struct error *error);

#endif
