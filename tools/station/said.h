/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a command that a station has started has said in words, among its lines of JSON: why it
 * ended, where its journal does not say so.
 */
#ifndef TOOLS_STATION_SAID_H
#define TOOLS_STATION_SAID_H

#include <stddef.h>

#define STATION_SAID   2048         /* of what is kept of it, with its NUL: the end of it */
#define STATION_OUTPUT "output.txt" /* where it is written, in the folder of a run */

/* The lines in words of what was printed, with "; " between them; "" where there are none. */
void station_said_read(int output, char said[STATION_SAID]);

#endif
