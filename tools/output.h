/*
 * Writing that waits no longer than it is wanted: a pipe that nobody reads ends with the stop
 * descriptor, not with the machine. What is written down to a pipe is whole lines whenever it ends.
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
