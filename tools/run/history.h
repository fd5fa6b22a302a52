/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of a run put into a history when the run has ended, as --history or the rig file says
 * it. Whatever becomes of that, the verdict and the exit status of the run are its own: a store
 * that is away is told on standard error, and the journal waits in the spool (rigs/HISTORY.md).
 */
#ifndef TOOLS_RUN_HISTORY_H
#define TOOLS_RUN_HISTORY_H

#include "rigs/history/store/store.h"
#include "rigs/rig/rig.h"
#include "tools/options.h"

struct run_history {
    bool is_wanted;
    const char *store; /* as it was given; NULL: the default */
    char address[STORE_ADDRESS_MAX];
    char name[STORE_ADDRESS_MAX]; /* as it may be shown */
};

/* ERROR_CONFIG for a rig file with a password, which is not to be copied anywhere. */
int run_history_check_rig(const struct rig *rig, struct error *error);

/*
 * Before the first card: which store it is, by the option or the rig. ERROR_CONFIG where that is no
 * address, or no journal is written that it could be made of; 1 with a sentence where the rig alone
 * asks for that. A store is not opened.
 */
int run_history_prepare(struct run_history *history, const struct rig *rig, const char *journal,
                        struct error *error);

/*
 * The command line as the journal may have it, without a password in --history; to be freed, and
 * what is in it is argv's or `room`'s. NULL when memory is short.
 */
char **run_history_mask(const struct run_history *history, char **argv,
                        char room[STORE_ADDRESS_MAX + 16]);

/* After the run; `is_shown` where people are told of what went well. */
void run_history_import(const struct command *command, const struct run_history *history,
                        const char *journal, bool is_shown);

/* For `history import`: sends what waits for the store, and says so. Returns an exit status. */
int run_history_send(const struct command *command, struct store *store, bool is_shown);

#endif
