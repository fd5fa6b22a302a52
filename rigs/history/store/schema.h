/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a history (rigs/HISTORY.md), with a version, and what makes a store of an older
 * version one of this. A store of a later version is refused: what it has is not known here.
 */
#ifndef RIGS_HISTORY_STORE_SCHEMA_H
#define RIGS_HISTORY_STORE_SCHEMA_H

#include "rigs/history/store/store.h"

#define HISTORY_SCHEMA_VERSION 2

/*
 * Opens a store as a history; an empty one becomes one with `make`, an older one is brought to this
 * version, in one transaction either way. Errors as store_open(); ERROR_CONFIG for a later version.
 */
int history_open(const char *address, bool make, struct store **store, struct error *error);

#endif
