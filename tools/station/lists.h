/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a station has to choose from and has played, as its page is told: rigs/STATION.md. */
#ifndef TOOLS_STATION_LISTS_H
#define TOOLS_STATION_LISTS_H

#include <pthread.h>

#include "rigs/recording/list.h"
#include "tools/station/runs.h"

/*
 * The recordings of the folders that were named, and those that were made here, but no copies of
 * what was played. A folder that has none is left out.
 */
void station_recordings_find(char *const *folders, const struct station_runs *runs,
                             struct recording_list *recordings);

/*
 * Bodies of /recordings and /runs, the caller's to free; NULL when memory is short. The lock is
 * that of the runs: the first takes it where it looks at them, for reading recordings takes long;
 * for the second the caller holds it.
 */
char *station_list_recordings(const struct recording_list *recordings,
                              const struct station_runs *runs, pthread_mutex_t *lock,
                              size_t *length);
char *station_list_runs(const struct station_runs *runs, size_t *length);

#endif
