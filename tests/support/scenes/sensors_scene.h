/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run beside bet sensors that see what a test puts there and say what it tells them to; what the
 * run asks of them is kept in order, as words. What is entered into the book is counted, and the
 * first failure is kept. Close it with sensors_scene_close().
 */
#ifndef TESTS_SUPPORT_SCENES_SENSORS_SCENE_H
#define TESTS_SUPPORT_SCENES_SENSORS_SCENE_H

#include "devices/sensors/sensors.h"
#include "devices/terminal/terminal.h"
#include "rigs/run/options.h"
#include "rigs/run/round.h"
#include "tests/support/scratch.h"

#define SENSORS_SCENE_EVENTS 32
#define SENSORS_SCENE_LOG    16
#define SENSORS_SCENE_BEGIN  (10 * NANOS_PER_SECOND) /* by the bench's clock */

/* An event moves the wager that it tells of. A status is what a request ends with, if not 0. */
struct sensors_unit {
    struct sensors sensors;
    struct clock *clock;
    struct host host;
    struct link link;
    bool has_host;
    unsigned with[BET_LINES];
    unsigned sees;   /* wagers */
    unsigned unseen; /* seats whose wager does not come or go by the actuator */
    bool in_round;
    unsigned wrong; /* lamps */
    struct sensors_status status;
    bool has_status;
    struct bet_event events[SENSORS_SCENE_EVENTS];
    unsigned event_count, told;
    int event_status; /* once they were told */
    int later_status; /* where one is waited for */
    bool was_awaited; /* an event that did not come */
    struct log_entry due[SENSORS_SCENE_LOG];
    unsigned due_count, due_taken;
    unsigned due_after; /* so many events */
    struct log_entry log[SENSORS_SCENE_LOG];
    uint32_t logged;
    unsigned logs_asked;
    unsigned queued_by_log; /* times that asking for the log brings an event */
    int log_status, place_status, take_status, settle_status, light_status, lamps_status;
    int lock_status, unlock_status;
    unsigned locks_refused; /* times that lock_status holds */
    unsigned lock_refusal;
    char calls[512]; /* "place 2 5, settle, " */
};

struct sensors_scene {
    struct run run;
    struct check_book book;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct sensors_unit unit;
    struct terminal terminal;
    unsigned terminal_told; /* set of seats, by the last word of the run */
    bool has_told_terminal;
    struct error error;
    unsigned failed, passed;
    unsigned seat; /* of the first failure, with what follows */
    char name[32], wager[16], expected[64], got[64], why[128];
    char asked[128]; /* of people */
    char awaited[64];
    bool is_waiting;
    char journal[SCRATCH_PATH_SIZE];
};

/* Seats 1 to 5 have an actuator, 3 to 7 a sensor: 3 to 5 are the bench's own. */
struct sensors_scene *sensors_scene_open(void);
void sensors_scene_close(struct sensors_scene *scene);

/* They say so when they are listened to; so much later, at the earliest. */
void sensors_scene_tell(struct sensors_scene *scene, enum bet_event_kind kind, unsigned seat);
void sensors_scene_tell_later(struct sensors_scene *scene, enum bet_event_kind kind, unsigned seat,
                              unsigned millis);

/* So many checks have passed and failed by now. */
void sensors_scene_expect_found(const struct sensors_scene *scene, unsigned passed,
                                unsigned failed);
/* What the first that failed says. */
void sensors_scene_expect_first(const struct sensors_scene *scene, const char *name, unsigned seat,
                                const char *expected, const char *got, const char *why);

/* From now on there is a journal; how often it has these words. */
void sensors_scene_write(struct sensors_scene *scene);
unsigned sensors_scene_written(const struct sensors_scene *scene, const char *words);

#endif
