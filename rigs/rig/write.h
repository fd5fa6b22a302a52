/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A first rig file as text, with comments for who goes on with it. Of the rig its name, clock,
 * seats, decks, devices, order and wagers are written; all other fields stand in comments, with
 * what they are where they are left out. rig_parse() reads the text back as the same rig.
 */
#ifndef RIGS_RIG_WRITE_H
#define RIGS_RIG_WRITE_H

#include <stdio.h>

#include "games/game.h"
#include "rigs/rig/rig.h"

/* The game gives the names in the comments; NULL: any. Errors of writing are the stream's. */
void rig_write(const struct rig *rig, const struct game *game, FILE *out);

#endif
