/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of a recording that was made, for people. */
#ifndef TOOLS_LIVE_RECORDED_H
#define TOOLS_LIVE_RECORDED_H

#include <stdint.h>

/* "recorded: 3 rounds in a.shoe and a.expect", or that it is nothing; without the end of the line.
 */
void live_say_recorded(const char *output, uint64_t rounds);

#endif
