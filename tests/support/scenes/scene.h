/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench for tests of observed rounds: emulated, with a runner and what came of its rounds, and a
 * recording that is made and replayed. Whatever cannot be set up is a failed assertion of the test.
 */
#ifndef TESTS_SUPPORT_SCENES_SCENE_H
#define TESTS_SUPPORT_SCENES_SCENE_H

#include <stdatomic.h>

#include "rigs/recording/recorder.h"
#include "rigs/run/observe.h"
#include "rigs/run/runner.h"
#include "tests/support/scratch.h"

/* Headers of the games. */
#define SCENE_CHASE "{\"shoe\":1,\"game\":\"chase-the-flush\"}"
#define SCENE_CATCH "{\"shoe\":1,\"game\":\"three-card-catch\"}"
#define SCENE_POKER "{\"shoe\":1,\"game\":\"three-card-poker\"}"
#define SCENE_RUSH  "{\"shoe\":1,\"game\":\"flush-rush\"}"

/* Rigs and what can be added to the first. */
#define SCENE_HEAD "rig: test\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"
#define SCENE_SHOE "  shoe: {address: \"emu:shoe?draw=700,refill=2000\"}\n"
#define SCENE_TERMINAL                                                                             \
    "  terminal: {address: emu:terminal}\n"                                                        \
    "meters: [{meter: must-hit, opening: \"40.00\"}, {meter: diamond, opening: \"512.345678\"}]\n" \
    "must-hit: {reset: \"10.00\", hit-by: \"50.00\", rate: \"2.00\"}\n"
#define SCENE_POOR                                                                                 \
    "rig: test\nclock: virtual\ndevices:\n"                                                        \
    "  shuffler: {address: emu:shuffler, link-fault: {flip: 200, drop: 100, duplicate: 100}}\n"    \
    "  terminal: {address: emu:terminal, link-fault: {flip: 200, drop: 100, duplicate: 100}}\n"
#define SCENE_ANGEL                                                                                \
    "rig: test\nclock: virtual\ndevices:\n"                                                        \
    "  shoe: {driver: angel-eye, address: \"emu:angel-eye?draw=700,refill=2000\"}\n"

/* One bench with a runner, and what came of its rounds. */
struct scene {
    struct rig *rig;
    struct bench bench;
    struct runner_options options;
    struct runner *runner;
    struct recorder *recorder;
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    enum verdict worst;
    atomic_bool stop;
    unsigned stop_after, cancel_after, frames, rounds, must_hits, draws, folds;
    char first[256]; /* check that failed */
    struct error error;
};

/* NULL: the rig that is built in. */
void scene_open(struct scene *scene, const char *rig, uint64_t seed);
void scene_close(struct scene *scene);

/* How often a check has failed. */
uint64_t scene_failed(const struct scene *scene, enum check check);

/* Observes and records: the status of the observation. The files are removed by scene_forget(). */
int scene_record(struct scene *scene, struct observation observation);
void scene_forget(const struct scene *scene);

/* Runs what was recorded on the rig that is built in, with another seed: a pass, and settlements
 * that are the same to the byte. */
void scene_replay(const struct scene *recorded, unsigned rounds);

#endif
