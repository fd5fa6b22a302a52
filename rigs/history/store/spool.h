/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals that wait for a store which was away: $XDG_STATE_HOME/dealproof/spool, ~/.local/state
 * where that variable is not set. Each is there as a link to the journal, or as a copy where that
 * is on another disk, with a file beside it that says for which store it is; no password is in
 * there. Whoever opens that store next sends them.
 */
#ifndef RIGS_HISTORY_STORE_SPOOL_H
#define RIGS_HISTORY_STORE_SPOOL_H

#include "rigs/history/import.h"

/* Keeps a journal for the store of that store_name(). ERROR_RIG when it cannot be. */
int history_spool(const char *journal, const char *store, struct error *error);

struct history_sent {
    unsigned sent;
    unsigned refused;          /* journals that the store does not take: they are not tried again */
    char why[ERROR_TEXT_SIZE]; /* the last of them */
};

/* Imports all that wait for this store. A store that fails again leaves them; that is returned. */
int history_spool_send(struct store *store, struct history_sent *sent, struct error *error);

#endif
