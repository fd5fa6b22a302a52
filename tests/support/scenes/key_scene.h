/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A terminal at which keys are pressed one by one, in whatever state it is. */
#ifndef TESTS_SUPPORT_SCENES_KEY_SCENE_H
#define TESTS_SUPPORT_SCENES_KEY_SCENE_H

#include "tests/support/scenes/terminal_scene.h"

enum { FLUSH, DIAMOND, HANDS }; /* a fixed amount, and meter 1 whole */

#define ADMIN     "8888"
#define SEAT      3
#define OF_KEY    2u /* checks: its answer, and the state there */
#define OF_SCREEN 4u /* the time, the state, wrong codes and the hidden amount */

/* Seats 3 and 5 have wagered. The terminal is where it must be, with the diamond of seat 3. */
struct terminal_scene *key_scene_open(enum terminal_state state);

/* The same where nothing comes by itself, and nobody says why. */
struct terminal_scene *key_scene_by_hand(enum terminal_state state);

/* A key with all that one can carry: that seat, the diamond and the right code. */
struct terminal_press key_scene_press(enum terminal_key key);

/* The entry that is due at that place of the log. */
void key_scene_expect_entry(const struct terminal_scene *scene, unsigned at, unsigned code,
                            unsigned detail, int64_t value);

#endif
