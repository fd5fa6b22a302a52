/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording from standard input, 'run -': read whole before anything is played, and known by a
 * name that is the same each time. What is expected of it is a file of its own.
 */
#ifndef TOOLS_RUN_GIVEN_H
#define TOOLS_RUN_GIVEN_H

#include "rigs/recording/files.h"
#include "rigs/recording/list.h"

#define RUN_GIVEN_NAME "standard-input.shoe"

struct run_given {
    int recorded;       /* a file without a name */
    const char *expect; /* a path */
    struct recording_place place;
};

/* ERROR_RIG when standard input cannot be read or kept. run_given_close() in any case. */
int run_given_read(struct run_given *given, const char *expect, struct error *error);
void run_given_close(struct run_given *given);

/* The one recording that it is. */
int run_given_list(struct recording_list *recordings, struct error *error);

#endif
