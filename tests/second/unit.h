/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bet sensor unit of seven seats with actuators and lamps. It is created
   by the conversation that it is given and lives as long as the program. */
#ifndef SECOND_UNIT_H
#define SECOND_UNIT_H

#include "tests/second/talk.h"

extern const struct talk_device unit_device;

#endif
