/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The resident program of a bench from inside, for its own files only. Two threads share it: the
 * server's, which takes orders and starts what is to be played, and the first one, which waits for
 * its end and for signals.
 */
#ifndef TOOLS_STATION_STATION_H
#define TOOLS_STATION_STATION_H

#include <pthread.h>

#include "rigs/rig/rig.h"
#include "rigs/station/feed.h"
#include "rigs/station/server.h"
#include "tools/pages.h"
#include "tools/station/child.h"
#include "tools/station/questions.h"
#include "tools/station/runs.h"
#include "tools/station/said.h"

struct station {
    const char *rig_path, *history_pages; /* the second NULL where they are not known */
    char *const *folders;                 /* of recordings, up to a NULL */
    bool is_realtime;                     /* runs are */
    struct rig *rig;
    struct desk *desk;
    struct server *server;
    int changed;       /* an eventfd: the first thread is to look what it waits for */
    struct feed *feed; /* of the current run, for the server's thread */
    char block[FEED_BLOCK];
    pthread_mutex_t lock; /* of all below */
    struct station_runs runs;
    struct station_hold hold;   /* of their folder */
    bool is_left;               /* what an earlier station has started still uses the bench */
    struct station_child child; /* what is being done, while its pid is not 0 */
    int output;                 /* what it says */
    bool is_reset;              /* it is a reset, and no run */
    bool is_examined;           /* by a doctor, beside all that */
    bool asks;                  /* its questions are passed on */
    struct station_questions questions;
    unsigned playing; /* number of the run; 0: none */
    unsigned current; /* the last run that has a journal; 0: none */
    bool is_paused, is_stopping, is_ending, has_played;
    struct pages_watch watch; /* of the run */
    char operator_name[DESK_NAME_SIZE];
    char said[STATION_SAID]; /* by a reset, or a run that has no end; "": all was well */
};

/* orders.c: POST /control. */
void station_control(void *context, const char *what, const char *order, size_t length,
                     struct server_reply *reply);

#endif
