/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who has a folder of runs: one station at a time, and one program at a time that uses the bench
 * for it. Both are locks of files in that folder, which end with who holds them, however that ends.
 * What a station has started may outlive it, and the next one has to know.
 */
#ifndef TOOLS_STATION_HOLD_H
#define TOOLS_STATION_HOLD_H

#include <stdbool.h>
#include <sys/types.h>

#include "hal/base/error.h"

struct station_hold {
    const char *folder;
    int station; /* descriptors; the bench is looked at by the second */
    int bench;
};

/*
 * Takes the folder, which must be there: ERROR_CONFIG when another station has it, ERROR_RIG when
 * it cannot be written.
 */
int station_hold_take(struct station_hold *hold, const char *folder, struct error *error);
void station_hold_release(struct station_hold *hold);

/* Whether a program uses the bench; `pid` is which one, 0 where that is not known. */
bool station_hold_is_used(const struct station_hold *hold, pid_t *pid);

/*
 * Takes the bench: a descriptor for the program that is started. Closed here after that, the bench
 * is held until the program has ended. ERROR_RIG when somebody uses it.
 */
int station_hold_bench(const struct station_hold *hold, struct error *error);
void station_hold_name(const struct station_hold *hold, pid_t pid);

#endif
