/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A server of the bench page with a bench that a test plays: up to two runs, whose journals it
 * writes, a desk with a virtual clock, and what was ordered last. A program that cannot have it
 * ends at once.
 */
#ifndef TESTS_SUPPORT_STATION_H
#define TESTS_SUPPORT_STATION_H

#include <pthread.h>

#include "rigs/station/server.h"
#include "tests/support/http_client.h"

#define STATION_RUNS 2 /* at most */

struct station {
    struct server *server;
    struct desk *desk;
    struct clock clock;
    struct hal hal;
    int journals[STATION_RUNS + 1];
    unsigned runs, lines;
    pthread_mutex_t gate; /* held by a test while what takes long goes on: lists, "doctor" */
    pthread_mutex_t lock; /* of what the server's thread looks at too */
    char state[32];
    char order[SERVER_BODY_MAX + 1];
    char report[1024]; /* of run 1; "": some page */
};

void station_start(struct station *station, const struct server_options *options);
/* The same on loopback, with any port and no token. */
void station_set_up(struct station *station);
/* Stops the server alone, then the rest. */
void station_stop(struct station *station);
void station_tear_down(struct station *station);

/* "127.0.0.1:PORT", until it is asked for again. */
const char *station_host(const struct station *station);

/* Appends to the journal of the current run, and says so. */
void station_begin_run(struct station *station);
void station_write_journal(struct station *station, const char *text, size_t length);
void station_add_line(struct station *station, const char *kind, const char *more);

/* Sends a request as it stands and reads the whole answer. */
void station_exchange(struct station *station, struct http_client *client, const char *request);
/* Asks for a path in a way that ends with the answer; `more` are further header lines. */
void station_ask_for(struct station *station, struct http_client *client, const char *path,
                     const char *more);
unsigned station_status_of(struct station *station, const char *path, const char *more);
void station_post(struct station *station, struct http_client *client, const char *path,
                  const char *body);
unsigned station_status_of_post(struct station *station, const char *path, const char *body);

/* Follows the events as HTTP/1.0, so that they come without the marks of chunks. */
void station_follow(struct station *station, struct http_client *client, const char *path,
                    const char *more);

#endif
