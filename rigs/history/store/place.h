/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the history of this user is, where nobody names a store. */
#ifndef RIGS_HISTORY_STORE_PLACE_H
#define RIGS_HISTORY_STORE_PLACE_H

#include <limits.h>

#include "rigs/history/store/store.h"

/*
 * The address of the store: the one that is given, or $DEALPROOF_STORE, or that in
 * $XDG_DATA_HOME/dealproof, which is ~/.local/share otherwise; with `make` that folder is made.
 */
int history_place(const char *given, bool make, char address[STORE_ADDRESS_MAX],
                  struct error *error);

/* A folder of this program below $VARIABLE, or below that of the home; made for its owner. */
int history_folder(const char *variable, const char *otherwise, const char *name, bool make,
                   char path[PATH_MAX], struct error *error);

#endif
