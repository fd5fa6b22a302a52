/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runner after its last round, beside devices that say what a test puts into them. All that they
 * are asked and all that is judged is kept in order, as words: "shuffler off", "shuffler?" where it
 * is only listened to, "shuffler..1000" where it is waited for so many milliseconds, "+status" for
 * a check that has passed and "-status" for one that failed. A line begins with the milliseconds
 * that have passed. What failed says why, a line each. Free it with free().
 */
#ifndef TESTS_SUPPORT_SCENES_ENDING_SCENE_H
#define TESTS_SUPPORT_SCENES_ENDING_SCENE_H

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/ending.h"

#define ENDING_SCENE_EVENTS 8
#define ENDING_SCENE_LOG    300
#define ENDING_SCENE_LEDGER 4
#define ENDING_SCENE_PAST   2   /* entries of each log that were read before */
#define ENDING_SCENE_QUIET  120 /* milliseconds */
#define ENDING_SCENE_METER  5000000

/* Bits for ending_scene_open(). */
#define ENDING_SHUFFLER (1u << DEVICE_SHUFFLER)
#define ENDING_SHOE     (1u << DEVICE_SHOE)
#define ENDING_TERMINAL (1u << DEVICE_TERMINAL)
#define ENDING_SENSORS  (1u << DEVICE_SENSORS)

struct ending_event {
    nanos_t time; /* it is not told before */
    union {
        struct shuffler_event shuffler;
        struct shoe_event shoe;
        struct terminal_event terminal;
        struct bet_event sensors;
    };
};

struct ending_device {
    union {
        struct device device;
        struct shuffler shuffler;
        struct shoe shoe;
        struct terminal terminal;
        struct sensors sensors;
    };
    struct ending_scene *scene;
    const char *name;
    struct link link;
    struct host host;
    bool has_host;
    const char *fails; /* the request that fails; NULL: none does */
    int fails_with;
    unsigned fails_after, fails_times; /* once it was answered so often; and so often then */
    bool is_on;                        /* test mode, by STATUS */
    bool stays_on;                     /* although it is told to leave it */
    bool says_nothing;                 /* by an event, of leaving it */
    bool logs_nothing;                 /* likewise in its log */
    bool is_off_later;                 /* it is not on when it is asked again */
    struct ending_event events[ENDING_SCENE_EVENTS];
    unsigned event_count, told;
    struct log_entry log[ENDING_SCENE_LOG]; /* each from its time on */
    unsigned logged;
    unsigned per_reply;
    unsigned retries;    /* that each reply to LOG takes */
    int counts_wrong;    /* entries that a reply counts too many, or too few, */
    unsigned counted_at; /* the one after so many */
    unsigned logs_asked;
};

struct ending_scene {
    struct runner runner;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct ending_device devices[DEVICE_CLASSES];
    struct shuffler_status shuffler;
    struct shoe_status shoe;
    struct terminal_status terminal, terminal_later; /* as it is asked the second time */
    unsigned asked_terminal;                         /* for its status */
    struct terminal_meters meters;
    uint8_t lights; /* seats that the terminal has lit */
    struct terminal_screen screen;
    struct terminal_sign sign; /* that it shows */
    struct terminal_ledger_entry ledger[ENDING_SCENE_LEDGER];
    unsigned booked; /* of them */
    struct sensors_status sensors;
    bool has_sensors_status;
    unsigned wrong, placed; /* seats of lamps, and of wagers by what was told */
    nanos_t takes;          /* that a request takes */
    nanos_t noted;          /* time of the last word */
    char said[8192], found[4096];
};

/* All of them were put into test mode, where they have one, and the last round has passed. */
struct ending_scene *ending_scene_open(unsigned classes);

/* It tells it so many milliseconds after the scene was opened. */
struct ending_event *ending_scene_tell(struct ending_scene *scene, enum device_class class,
                                       unsigned millis);
/* Its log has it from then on. */
struct log_entry *ending_scene_log(struct ending_scene *scene, enum device_class class, int millis,
                                   unsigned code, unsigned detail, unsigned value);

/* So many entries of the terminal's ledger were read before. */
void ending_scene_book(struct ending_scene *scene, unsigned count);

/*
 * A request of a device fails once, when it was answered so often; "hear" is to listen, "await" to
 * wait.
 */
void ending_scene_fail(struct ending_scene *scene, enum device_class class, const char *request,
                       int status, unsigned after);

/* All that was said since the last time, and all that failed. */
void ending_scene_expect_said(struct ending_scene *scene, const char *said);
void ending_scene_expect_found(struct ending_scene *scene, const char *found);
/* How often a word was said. */
unsigned ending_scene_count(const struct ending_scene *scene, const char *word);

#endif
