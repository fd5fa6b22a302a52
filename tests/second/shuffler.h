/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shuffler: one deck, dealt in packets that a person takes by and by. It is created
   by the conversation that it is given and lives as long as the program. */
#ifndef SECOND_SHUFFLER_H
#define SECOND_SHUFFLER_H

#include "tests/second/talk.h"

extern const struct talk_device shuffler_device;

#endif
