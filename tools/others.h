/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who can reach what a command serves. */
#ifndef TOOLS_OTHERS_H
#define TOOLS_OTHERS_H

#include <stdbool.h>

/* Whether other machines do: "0.0.0.0:4001". A port alone is this machine's. */
bool others_reach(const char *where);

#endif
