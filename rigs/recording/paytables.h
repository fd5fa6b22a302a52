/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paytables: those of the sheets and those given in a file, looked up as one. A file holds one
 * table a line (rigs/FORMATS.md). A set owns the tables it has read and must outlive the setups
 * that point at them; wherever a set is wanted, NULL stands for the sheets alone.
 */
#ifndef RIGS_RECORDING_PAYTABLES_H
#define RIGS_RECORDING_PAYTABLES_H

#include <stddef.h>

#include "games/game.h"
#include "hal/base/error.h"

struct paytables;

/* Reads a file, "-" being standard input; ERROR_CONFIG names the file, the line and the reason. */
int paytables_load(const char *path, struct paytables **set, struct error *error);
void paytables_free(struct paytables *set);

/* The table of that name for a wager of a game, or NULL. */
const struct paytable *paytables_find(const struct paytables *set, const struct game *game,
                                      unsigned wager, const char *name);

/* The tables of a wager by number: first the sheet's, then the file's; NULL after the last. */
const struct paytable *paytables_at(const struct paytables *set, const struct game *game,
                                    unsigned wager, size_t index);

#endif
