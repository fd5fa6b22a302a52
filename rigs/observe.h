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
#ifndef RIGS_OBSERVE_H
#define RIGS_OBSERVE_H

#include "rigs/policy.h"
#include "rigs/shoe.h"

struct runner;

struct observation {
    struct shoe_header header; /* the table; what it is silent about is as the rig has it */
    seats_t seats;             /* that play; 0: those with a wager on a sensor, or all */
    cents_t bets[WAGERS_MAX];  /* of each of them; 0 where none is made */
    enum policy policy;
    uint64_t seed;   /* of the random policy */
    uint64_t rounds; /* 0: until stopped */
    uint32_t pause;  /* milliseconds before each round, for the people at the table */
    void *context;
    /*
     * Told of the table as it opens, then of each round that came to its end, with its settlement
     * as a line of an .expect file. Both may be NULL; what they fail with ends the observation.
     */
    int (*opened)(void *context, const struct shoe_header *header, struct error *error);
    int (*settled)(void *context, const struct round *round, const char *line, size_t length,
                   struct error *error);
};

/* The stakes that a seat makes unless told otherwise: the least that the table allows, at least
 * $10 for an ante, and the progressive wager where there is a terminal for it. */
void observe_stakes(const struct game_setup *setup, bool has_terminal, cents_t bets[WAGERS_MAX]);

/*
 * Observes under a name that reports give to these rounds. Returns as runner_play() does;
 * ERROR_CONFIG when the rig or the stakes do not allow it, ERROR_ABORTED when it was stopped before
 * `rounds` were played.
 */
int runner_observe(struct runner *runner, const char *name, const struct observation *observation,
                   struct error *error);

#endif
