/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a bench over HTTP: serves the journal of a run while it is written, the open
 * question, and takes answers and orders. It runs on a thread of its own and never holds up the
 * bench: a client that is slow, hostile or gone costs the run nothing. rigs/STATION.md is the
 * interface.
 */
#ifndef RIGS_STATION_SERVER_H
#define RIGS_STATION_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/json_text.h"
#include "hal/desk/desk.h"

#define SERVER_TOKEN_LEAST 16
#define SERVER_BODY_MAX    4096
#define SERVER_RUNS_MAX    999999999
#define SERVER_CONNECTIONS 64 /* at once */
#define SERVER_OF_ONE      8  /* of them from one address that is not loopback */

/* How an order of a browser ended: the HTTP status, and a body of JSON ("{}" if it is empty). */
struct server_reply {
    unsigned status; /* SERVER_LATER: it takes long, and is to be given again on a second thread */
    bool is_later;   /* that is done now */
    struct json_text body;
};
#define SERVER_LATER 0

struct server_run {
    unsigned number; /* from 1 */
    bool is_over;    /* no line will be added to its journal any more */
    bool is_begun;   /* by now it has no journal yet, but will */
    unsigned next;   /* the run after it; 0: none yet */
};

/*
 * What is behind the page. All functions are called by the server's thread, at any time until
 * server_stop() returns, and must not wait; but `list`, and `control` for what it has put off, are
 * called by a second thread, one after the other, and may take their time. Optional ones may be
 * NULL: the path is then 404.
 */
struct server_bench {
    void *context;
    struct desk *desk; /* NULL: nothing is asked */
    /* Writes the fields of GET /status but `question`, without braces. */
    void (*status)(void *context, struct json_text *out);
    /* POST /control: `order` is the checked JSON text of the body, `what` the text of "do". */
    void (*control)(void *context, const char *what, const char *order, size_t length,
                    struct server_reply *reply);
    /* How run `run->number` stands (0: the current one, whose number is filled in); false: there is
       no such run. */
    bool (*run)(void *context, struct server_run *run);
    /* The journal of that run: an open descriptor, which the server closes, or -1. */
    int (*journal)(void *context, unsigned run);
    /* GET /recordings, /runs, /runs/N/NAME: a whole body that the server frees, or NULL: 404. */
    char *(*list)(void *context, const char *path, size_t *length, const char **type);
};

struct server_options {
    const char *listen;     /* "[ADDRESS:]PORT"; loopback without an address; port 0: any */
    const char *token_file; /* NULL: none; needed where the address is not loopback */
    /* How long a client may take to send a request, or to take a piece of what it is sent; a
       comment is sent as often. 0: 10,000. */
    unsigned patience_ms;
};

struct server;

/*
 * ERROR_CONFIG: the address is none, the port is taken, the token file is missing, readable by
 * others or too short. ERROR_RIG: memory, descriptors or the library are missing. The bench struct
 * is copied.
 */
int server_start(struct server **server, const struct server_options *options,
                 const struct server_bench *bench, struct error *error);

/*
 * Ends every connection: who follows is sent the rest of the journal first and the last status,
 * for as long as it takes them, but not longer than server_drain() says, or a second. One that
 * takes nothing is cut after the patience that it always has. NULL is allowed.
 */
void server_stop(struct server *server);
void server_drain(struct server *server, unsigned milliseconds);

/*
 * The status has changed: who follows is sent it within a fiftieth of a second. That a journal has
 * grown is seen without it. Any thread; costs it a system call at most.
 */
void server_wake(struct server *server);

/* "http://127.0.0.1:8642/", for people. */
const char *server_address(const struct server *server);

#endif
