/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who can reach what a command serves. */
#ifndef TOOLS_OTHERS_H
#define TOOLS_OTHERS_H

#include <stdbool.h>

#include "rigs/rig/rig.h"

/* Whether other machines do: "0.0.0.0:4001". A port alone is this machine's. */
bool others_reach(const char *where);

/* Says on standard error that others reach `where`, if they do, and what whoever does `may` do. */
void others_warn(const char *command, const char *where, const char *may);

/* The same of a link that waits for somebody to connect; every other one is left alone. */
void others_warn_of_link(const char *command, const char *address, const char *may);

/* The same of all links of a rig that is about to be opened. */
#define OTHERS_MAY_BE_DEVICE "is taken for the device"
void others_warn_of_rig(const char *command, const struct rig *rig);

#endif
