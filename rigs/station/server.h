/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a bench over HTTP: serves the journal of a run while it is written, the open question,
 * and takes answers and orders. It runs on a thread of its own and never holds up the bench: a
 * client that is slow, hostile or gone costs the run nothing. rigs/STATION.md is the interface.
 */
#ifndef RIGS_STATION_SERVER_H
#define RIGS_STATION_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/json_text.h"
#include "rigs/desk/desk.h"

#define SERVER_TOKEN_LEAST 16
#define SERVER_BODY_MAX    4096

/* How an order of a browser ended: the HTTP status, and a body of JSON. */
struct server_reply {
    unsigned status;
    struct json_text body;
};

/*
 * What is behind the page. All functions are called by the server's thread, at any time until
 * server_stop() returns, and must not wait. Optional ones may be NULL: the path is then 404.
 */
struct server_bench {
    void *context;
    struct desk *desk; /* NULL: nothing is asked */
    /* Writes the fields of GET /status but `question`, without braces. */
    void (*status)(void *context, struct json_text *out);
    /* POST /control: `order` is the checked JSON text of the body, `what` the text of "do". */
    void (*control)(void *context, const char *what, const char *order, size_t length,
                    struct server_reply *reply);
    /* The journal of run N (0: the current one): an open descriptor, which the server closes, or
       -1. `*is_last` says that no line will be added to it any more, `*next` the run after it (0:
       none yet). */
    int (*journal)(void *context, unsigned run, bool *is_last, unsigned *next);
    /* GET /recordings, /runs, /runs/N/NAME: a whole body that the server frees, or NULL: 404. */
    char *(*list)(void *context, const char *path, size_t *length, const char **type);
};

struct server_options {
    const char *listen;     /* "[ADDRESS:]PORT"; loopback without an address; port 0: any */
    const char *token_file; /* NULL: none; needed where the address is not loopback */
};

struct server;

/*
 * ERROR_CONFIG: the address is none, the port is taken, the token file is missing, readable by
 * others or too short. The bench struct is copied.
 */
int server_start(struct server **server, const struct server_options *options,
                 const struct server_bench *bench, struct error *error);

/* Ends every connection after what has been written so far was offered to it. NULL is allowed. */
void server_stop(struct server *server);

/* The journal has grown, or the status has changed: who follows is sent it soon. Any thread. */
void server_wake(struct server *server);

/* "http://127.0.0.1:8642/", for people. */
const char *server_address(const struct server *server);

#endif
