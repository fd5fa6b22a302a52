/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passes on what a command with --questions json asks: from its standard output to a desk, and the
 * answer back to its standard input. What else it says goes to `output`.
 */
#ifndef TOOLS_STATION_QUESTIONS_H
#define TOOLS_STATION_QUESTIONS_H

#include <pthread.h>

#include "rigs/desk/desk.h"
#include "tools/station_child.h"

struct station_questions {
    struct desk *desk;
    struct clock clock;
    struct hal hal;
    const struct station_child *child;
    int output;
    pthread_t thread;
};

/* Until station_questions_end(), before which the child has ended. ERROR_RIG: nothing is to end. */
int station_questions_start(struct station_questions *questions, struct desk *desk,
                            const struct station_child *child, int output, struct error *error);
void station_questions_end(struct station_questions *questions);

#endif
