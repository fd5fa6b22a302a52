/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run beside a terminal that says what a test puts into it: its log, its ledger, its meters, its
 * lights, its sign and its events; keys lead where the protocol says. What is entered into the book
 * is counted, and the first failure is kept. Free it with free().
 */
#ifndef TESTS_SUPPORT_SCENES_TERMINAL_SCENE_H
#define TESTS_SUPPORT_SCENES_TERMINAL_SCENE_H

#include "devices/terminal/walk.h"
#include "rigs/run/options.h"
#include "rigs/run/terminal/terminal.h"

#define TERMINAL_SCENE_LIMIT  1000 /* of the jackpot and of lights, in milliseconds */
#define TERMINAL_SCENE_LOG    192
#define TERMINAL_SCENE_LEDGER 64
#define TERMINAL_SCENE_EVENTS 16
#define TERMINAL_SCENE_CODE   "1234"

/* Each request takes 10 ms; a status is what they end with. */
struct terminal_writer {
    struct terminal terminal;
    struct link link; /* for its clock alone */
    struct clock *clock;
    struct log_entry log[TERMINAL_SCENE_LOG];
    uint32_t logged;
    unsigned per_reply; /* entries of the log */
    int log_status;
    unsigned logs_before_failure; /* log_status holds after so many, */
    unsigned asked_logs;          /* of these */
    struct terminal_ledger_entry ledger[TERMINAL_SCENE_LEDGER]; /* at their numbers modulo that */
    uint32_t first, end;                                        /* the numbers that it has */
    int ledger_status;
    unsigned ledger_before_failure; /* entries that are told before ledger_status holds */
    unsigned refusal;               /* of the ledger, where it has no such entry */
    unsigned refusal_gone; /* the same, where it has it no more; 0: as where there is none */
    unsigned asked_ledger; /* entries of it */
    struct terminal_status status;
    int status_status;
    struct terminal_config config;
    int config_status;
    struct terminal_meters meters;
    int meters_status;
    uint8_t lights; /* set of seats */
    int lights_status;
    struct terminal_sign sign; /* where an award is paid, or no key was pressed yet */
    int sign_status;           /* once it is not */
    bool stays_on;
    struct terminal_walk walk;
    unsigned keys;          /* pressed so far */
    unsigned spoiled_key;   /* the one that is answered */
    int key_answer;         /* so; 0: none */
    bool answers_otherwise; /* with another state than the screen's */
    bool shows_early;       /* an amount before the code */
    struct host *host;      /* NULL: it has none */
    unsigned retried_key;   /* from 1 on, the one that the host says again; 0: none */
    int screen_status;
    unsigned asked_screens;
    uint64_t cents[2];        /* on the screen after the code, and when it is paid */
    const char *admin;        /* whose code corrects meters; NULL: none does */
    unsigned corrected;       /* times that a correction was asked for, */
    unsigned corrects;        /* last of this meter, */
    uint64_t corrects_to;     /* to that value, */
    char correction[64];      /* for that reason */
    bool tells_correction;    /* by METERS CHANGED */
    unsigned correct_refusal; /* of a right code; 0: none */
    int correct_status;
    struct terminal_event events[TERMINAL_SCENE_EVENTS];
    unsigned event_count, told; /* of them */
    int event_status;           /* once they were told */
    bool was_awaited;           /* an event that did not come */
};

struct terminal_scene {
    struct run run;
    struct check_book book;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct terminal_writer writer;
    struct error error;
    unsigned failed, passed, skipped;
    unsigned seat; /* of the first failure, with what follows */
    char name[32], wager[16], expected[64], got[64], why[128];
};

struct terminal_scene *terminal_scene_open(void);

/* It is in the log, 200 ms after the one above. */
struct log_entry *terminal_scene_log(struct terminal_scene *scene, unsigned code, unsigned detail,
                                     uint32_t value);
/* It is due there, and was told just now. */
void terminal_scene_due(struct terminal_scene *scene, unsigned code, unsigned detail,
                        int64_t value);
/* It is in the log and in the ledger, under the next number of that, and is due. */
struct terminal_ledger_entry *terminal_scene_book(struct terminal_scene *scene, unsigned code,
                                                  unsigned seat);

int terminal_scene_check_log(struct terminal_scene *scene);
/* It has found so much in order, and nothing else; of a round there is always */
#define TERMINAL_SCENE_ROUND 2
void terminal_scene_expect_passed(struct terminal_scene *scene, unsigned passed);

/* It tells it when it is listened to. */
struct terminal_event *terminal_scene_tell(struct terminal_scene *scene,
                                           enum terminal_event_kind kind);
/* Takes all that it tells. */
void terminal_scene_listen(struct terminal_scene *scene);
/* So many checks have passed and failed by now. */
void terminal_scene_expect_found(const struct terminal_scene *scene, unsigned passed,
                                 unsigned failed);
/* What the first that failed says. */
void terminal_scene_expect_first(const struct terminal_scene *scene, const char *name,
                                 unsigned seat, const char *expected, const char *got,
                                 const char *why);

#endif
