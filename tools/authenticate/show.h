/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `dealproof authenticate` prints: for people, or as one JSON object a device. */
#ifndef TOOLS_AUTHENTICATE_SHOW_H
#define TOOLS_AUTHENTICATE_SHOW_H

#include "devices/probe.h"
#include "rigs/authenticate/authenticate.h"

struct authenticate_shown {
    const char *device; /* in the rig; NULL: an address was given */
    const char *address;
    const char *approved; /* path; NULL: none */
    bool hides_key;       /* it came from a file of its own */
    const struct authenticate_plan *plan;
    const struct authenticate_result *result;
};

void authenticate_show_text(const struct authenticate_shown *shown);
void authenticate_show_json(const struct authenticate_shown *shown);

/* What a device says of itself without GAT. */
void authenticate_show_declared(const char *device, const char *address, const char *protocol,
                                const struct wire_identity *identity, bool is_json);

/* A device that could not be asked, or told nothing: NULL where something is not known. */
struct authenticate_failed {
    const char *device, *address;
    const char *speaks; /* another protocol */
    int status;         /* the exit status */
    const char *why;
};

void authenticate_show_failed(const struct authenticate_failed *failed);

#endif
