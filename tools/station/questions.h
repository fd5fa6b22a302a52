/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passes on what a command with --questions orders asks: from its standard output to a desk, and
 * the answer back with its orders, while who gave it waits for what the command says of it. What it
 * says goes to `output` as well. One thread reads, and one asks, so that a question which is over
 * in the command is over at the desk.
 */
#ifndef TOOLS_STATION_QUESTIONS_H
#define TOOLS_STATION_QUESTIONS_H

#include <pthread.h>

#include "hal/desk/desk.h"
#include "tools/station/child.h"

struct station_questions {
    struct desk *desk;
    struct clock clock;
    struct hal hal;
    const struct station_child *child;
    unsigned run; /* that the child plays */
    int output;
    pthread_t reader, asker;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    char *line;         /* with the question that is asked; NULL: none */
    bool is_ending;     /* nothing is asked any more */
    int64_t id;         /* of the question that is asked */
    bool is_on_its_way; /* an answer to it, of which nothing was said yet; one at a time */
    bool is_awaited;    /* and who gave it waits for that */
    bool is_over;       /* the command has closed it, not by an answer that somebody awaits */
    enum station_reply { REPLY_NONE, REPLY_TAKEN, REPLY_REFUSED, REPLY_OVER, REPLY_UNREAD } reply;
    struct error why; /* of a refusal */
};

/*
 * Until station_questions_end(), before which the child has ended. ERROR_RIG when threads, memory
 * or descriptors are short; nothing is to end then.
 */
int station_questions_start(struct station_questions *questions, struct desk *desk,
                            const struct station_child *child, unsigned run, int output,
                            struct error *error);
void station_questions_end(struct station_questions *questions);

#endif
