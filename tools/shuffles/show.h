/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `dealproof shuffles` prints, on standard output: for people and, as one JSON object with
 * everything that was counted, for programs. Whether it could be written command_finish() says. A
 * page goes to a file of its own.
 */
#ifndef TOOLS_SHUFFLES_SHOW_H
#define TOOLS_SHUFFLES_SHOW_H

#include "games/shuffles/shuffles.h"

/* Where the orders come from; empty where it is not known. */
struct shuffles_origin {
    const char *device;
    const char *firmware;
    const char *from;     /* the first recording, or the rig */
    uint64_t recordings;  /* 0 for a rig */
    const char *recorded; /* the dates */
    const char *digest;   /* of the recordings, or of the one that was made */
    uint64_t declared;    /* shuffles that were to be dealt; 0 for recordings */
};

void shuffles_show(const struct shuffles_report *report, const struct shuffles_origin *origin);

void shuffles_show_json(const struct shuffles *shuffles, const struct shuffles_report *report,
                        const struct shuffles_origin *origin);

/* The same as a page, written whole or not at all; ERROR_RIG when it cannot be. */
int shuffles_show_page(const struct shuffles *shuffles, const struct shuffles_report *report,
                       const struct shuffles_origin *origin, const char *path, struct error *error);

#endif
