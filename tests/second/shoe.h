/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shoe: a person draws card after card from it while it is unlocked. It is created
   by the conversation that it is given and lives as long as the program. */
#ifndef SECOND_SHOE_H
#define SECOND_SHOE_H

#include "tests/second/talk.h"

extern const struct talk_device shoe_device;

#endif
