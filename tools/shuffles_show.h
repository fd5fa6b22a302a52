/*
 * What `dealproof shuffles` prints, on standard output: for people and, as one JSON object with
 * everything that was counted, for programs. Whether it could be written command_finish() says.
 */
#ifndef TOOLS_SHUFFLES_SHOW_H
#define TOOLS_SHUFFLES_SHOW_H

#include "rigs/shuffles.h"

/* Where the orders come from; empty where it is not known. */
struct shuffles_origin {
    const char *device;
    const char *firmware;
};

void shuffles_show(const struct shuffles_report *report, const struct shuffles_origin *origin);

/* ERROR_RIG when memory is short. */
int shuffles_show_json(const struct shuffles *shuffles, const struct shuffles_report *report,
                       const struct shuffles_origin *origin, struct error *error);

#endif
