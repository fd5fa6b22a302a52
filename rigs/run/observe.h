/*
 * Rounds without a recording: whatever the devices of a bench deal is settled and checked, for a
 * number of rounds or until somebody stops it. No order is loaded and no device is put into test
 * mode; one that says it is in it fails a check. What needs a recording is skipped, which the first
 * round says.
 *
 * Wagers of a seat whose sensor has no actuator are those that lie there when the round starts;
 * everywhere else they are the announced ones, placed by the actuators that there are. Decisions
 * are those of a policy, because no device sees them.
 */
#ifndef RIGS_RUN_OBSERVE_H
#define RIGS_RUN_OBSERVE_H

#include "games/policy.h"
#include "rigs/bench/bench.h"
#include "rigs/recording/format.h"

struct runner;

/* A stake that is not the usual one; 0: the wager is not made. */
struct observe_bet {
    const char *wager;
    cents_t cents;
};

struct observation {
    const char *header; /* the table as the first line of a recording; the rig's where silent */
    seats_t seats;      /* that play; 0: those with a wager on a sensor, or all */
    const struct observe_bet *bets;
    size_t bet_count;
    enum policy policy;
    bool keeps_meters; /* the terminal is not set up: its meters are the opening ones */
    uint64_t seed;     /* of the random policy */
    uint64_t rounds;   /* 0: until stopped */
    uint32_t pause;    /* milliseconds for the people at the table, from the first wager on */
    void *context;
    /*
     * Told of the table as it opens, then of each round that came to its end, with its settlement
     * as a line of an .expect file. Both may be NULL; what they fail with ends the observation.
     */
    int (*opened)(void *context, const struct bench *bench, const struct recording_header *header,
                  struct error *error);
    int (*settled)(void *context, const struct round *round, const char *line, size_t length,
                   struct error *error);
};

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
