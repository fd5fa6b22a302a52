/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table that observe and record are told of, as the first line of a recording. */
#ifndef TOOLS_LIVE_HEADER_H
#define TOOLS_LIVE_HEADER_H

#include "tools/live/options.h"

#define LIVE_HEADER_SIZE 8192

/* `deal` is "packets" or "cards". False when a text of an option is no UTF-8 or too long. */
bool live_header(const struct live_options *options, const char *deal, char line[LIVE_HEADER_SIZE]);

#endif
