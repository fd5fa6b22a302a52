/* A whole number as an option's value, alike for every command that has such options. */
#ifndef TOOLS_NUMBER_H
#define TOOLS_NUMBER_H

#include <stdint.h>

#include "tools/command.h"

/* EXIT_PASS, or EXIT_USAGE after saying that it must be from `low` to `high`. */
int number_read(const struct command *command, const char *option, const char *text, uint64_t low,
                uint64_t high, uint64_t *number);

#endif
