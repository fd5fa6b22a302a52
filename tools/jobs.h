/* How many threads a command works on: --jobs and -j, alike for every command that has them. */
#ifndef TOOLS_JOBS_H
#define TOOLS_JOBS_H

#include "tools/command.h"

#define JOBS_MAX 64

/* One for each core that this process may run on. */
unsigned jobs_default(void);

/* Reads the option's value: EXIT_PASS, or EXIT_USAGE after saying what is wrong with it. */
int jobs_read(const struct command *command, const char *text, unsigned *jobs);

#endif
