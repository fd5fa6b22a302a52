/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A desk whose reader answers at once, as somebody does who is told of a question. What it does is
 * given by the test; how the question began and ended is kept.
 */
#ifndef TESTS_SUPPORT_SCENES_DESK_SCENE_H
#define TESTS_SUPPORT_SCENES_DESK_SCENE_H

#include "hal/desk/desk.h"

struct desk_scene {
    struct desk *desk;
    struct clock clock;
    struct hal hal;
    void (*when_asked)(struct desk_scene *scene, const struct desk_open *question);
    struct desk_open asked;
    struct answer ended;
    unsigned times_asked, times_ended, times_meanwhile;
    enum desk_result results[4];
    struct answer first;
    struct error error;
};

/* A bet or a fold, of seat 3. */
extern const struct question desk_scene_decision;

/* At second 7 of a virtual clock, with somebody on every side. */
void desk_scene_open(struct desk_scene *scene,
                     void (*when_asked)(struct desk_scene *, const struct desk_open *));
void desk_scene_close(struct desk_scene *scene);

int desk_scene_ask(struct desk_scene *scene, const struct question *question,
                   struct answer *answer);
enum desk_result desk_scene_say(struct desk_scene *scene, uint64_t id, const char *text,
                                const char *by, enum desk_side side);

/* To be given when it is asked: Ann bets on the page, then Bob folds at the terminal. */
void desk_scene_two_answer(struct desk_scene *scene, const struct desk_open *question);

#endif
