/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line in the first line of a journal has asked for. */
#ifndef RIGS_EVIDENCE_REPLAY_COMMAND_LINE_H
#define RIGS_EVIDENCE_REPLAY_COMMAND_LINE_H

#include <stdbool.h>

#include "hal/base/json.h"

/* Whether an argument begins so: an option, with or without a value behind it. */
bool command_line_has(const struct json_value *command, const char *option);

/* The value of "--NAME VALUE" or "--NAME=VALUE", the last one; NULL: it is not given. */
const char *command_line_value(const struct json_value *command, const char *option);

#endif
