/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing that can be stopped: while nobody reads a pipe the writer waits for it and for the stop
 * descriptor. A pipe gets whole lines, also when the writing is stopped.
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stddef.h>

#include "hal/base/error.h"

/*
 * Writes all of `text`, waiting while `fd` takes nothing, whether or not it blocks. ERROR_ABORTED
 * when it takes nothing and `stop`, unless negative, is readable; ERROR_RIG when writing fails.
 */
int output_write(int fd, int stop, const char *text, size_t length, struct error *error);

#endif
