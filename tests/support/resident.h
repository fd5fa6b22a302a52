/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dealproof station as a process, on an emulated bench in virtual time with a folder of runs of its
 * own, asked over its sockets. What does not come ends the test.
 */
#ifndef TESTS_SUPPORT_RESIDENT_H
#define TESTS_SUPPORT_RESIDENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "tests/support/http_client.h"
#include "tests/support/scratch.h"

struct resident {
    pid_t pid;
    char address[128], rig[SCRATCH_PATH_SIZE], runs[SCRATCH_PATH_SIZE];
    char body[65536]; /* of the last answer */
};

void resident_set_up(struct resident *bench);
/* The same with another rig file. */
void resident_set_up_on(struct resident *bench, const char *rig);
/* Starts a station on files that are there, and waits until it is ready. */
void resident_start(struct resident *bench);
/* The same with another folder of recordings. */
void resident_start_on(struct resident *bench, const char *recordings);
/* The same with one option more. */
void resident_start_with(struct resident *bench, const char *option);
/* Stops it and removes its files. */
void resident_tear_down(struct resident *bench);

/* Sends "GET /status" or the like; `body` is JSON, or NULL. */
void resident_ask(const struct resident *bench, struct http_client *client, const char *request,
                  const char *body);
/* The same, and reads the whole answer: its status. */
unsigned resident_exchange(struct resident *bench, const char *request, const char *body);
unsigned resident_order(struct resident *bench, const char *body);

/* Whether the last answer has these words. */
bool resident_has(const struct resident *bench, const char *words);
/* Asks until the answer has these words; a minute is enough for everything. */
void resident_await_answer(struct resident *bench, const char *request, const char *words);

#endif
