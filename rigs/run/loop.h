/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runner from inside, for its own files only: the frame that every round is played in, wherever
 * it comes from. The frame opens the round in the journal, has it played, looks after the frames
 * that were lost, judges it and brings the devices back to where the next one begins.
 */
#ifndef RIGS_RUN_LOOP_H
#define RIGS_RUN_LOOP_H

#include "hal/base/json.h"
#include "rigs/run/chance.h"
#include "rigs/run/options.h"
#include "rigs/run/round.h"

/* How often a device has come back, and how often it has started anew without going away. */
struct run_seen {
    unsigned reopened, tries;
    nanos_t away;
    uint64_t restarts;
    bool is_unasked; /* it has not said yet who it is since */
};

struct runner {
    struct bench *bench;
    const struct runner_options *options;
    struct runner_counts counts;
    struct check_book book;
    const char *path; /* of the recording that is played */
    struct recording_header header;
    struct run run;
    struct host_counts frames[DEVICE_CLASSES]; /* of each conversation, when last looked at */
    unsigned reopened[DEVICE_CLASSES];         /* likewise, how often each came back */
    struct shoe_counts shoe_counts;            /* likewise, of a shoe with another protocol */
    struct run_seen seen[DEVICE_CLASSES];      /* likewise, of each, by rigs/run/identity.c */
    struct json_reader *json;
    struct run_chance chance;
    bool goes_on;           /* with a recording that was begun by a run that was cut off, */
    uint64_t had_ended;     /* after so many rounds of it */
    bool is_at_rest;        /* the last round has left the devices where another could begin */
    bool has_passed;        /* it has passed */
    bool was_cut;           /* a person has stopped it before it had ended */
    unsigned authenticated; /* how often devices were asked what their software comes to */
    struct authenticate_result *digests; /* that the last one told; NULL: none was asked */
};

/* A round that is to be played. */
struct run_turn {
    int64_t number;
    const char *text; /* as a line of a recording, for the journal */
    size_t length;
    const void *context;
    int (*play)(struct runner *runner, const void *context, struct error *error);
};

/* Makes everything ready for the first round; `observation` is NULL for a recording. */
int run_loop_start(struct runner *runner, const struct observation *observation,
                   struct error *error);

/* Plays one: 0 to go on, 1 to stop without harm, or what ends the run. */
int run_loop_turn(struct runner *runner, const struct run_turn *turn, struct error *error);

/* After the last round: says in the journal which checks no round has asked for. */
int run_loop_end(struct runner *runner, struct error *error);

/*
 * Who the devices are: at opening, against the rig file; after a round, of those that went away or
 * started anew meanwhile, whether they are the same; at the end, of all of them.
 */
void run_identity_opened(struct runner *runner);
void run_identity_look(struct runner *runner);
void run_identity_end(struct runner *runner);
/*
 * What the software of a device comes to, where the rig says that it is asked: into the journal,
 * and held against what is approved. `when` is "opened", "reopened" or "end".
 */
void run_authenticate(struct runner *runner, const struct bench_device *device, const char *when);
/* Lost events, stray frames, late replies of all devices since this was looked at last. */
void run_loop_check_frames(struct runner *runner);

/* START ROUND, then the cards; also those of a deal that breaks off are looked at for a leak. */
int run_open_and_deal(struct run *run, struct error *error);

/*
 * What rounds have ended with, for the caller: where a person has ended every wait of the bench,
 * the sentence says that and where it was, not which device was waited for.
 */
int run_loop_left(const struct runner *runner, int status, struct error *error);

/* Whether somebody wants the run to end. */
bool run_loop_stopped(const struct runner *runner);

#endif
