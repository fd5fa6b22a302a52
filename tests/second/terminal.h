/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dealer terminal with its progressive controller and table sign. It is created
   by the conversation that it is given and lives as long as the program. */
#ifndef SECOND_TERMINAL_H
#define SECOND_TERMINAL_H

#include "tests/second/talk.h"

extern const struct talk_device terminal_device;

#endif
