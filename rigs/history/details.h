/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a history has of one run, or of several, beside its line: recordings, checks, failures,
 * rounds and timings. Each function calls `each` for every row in their order; not 0 ends it, and
 * is returned. What is handed out is the store's until `each` returns. Errors as store_ask().
 */
#ifndef RIGS_HISTORY_DETAILS_H
#define RIGS_HISTORY_DETAILS_H

#include "rigs/history/run.h"
#include "rigs/history/store/store.h"

/* `others`: how many other contents the store has under the name of this recording. */
typedef int history_each_recording(void *context, const struct history_recording *recording,
                                   int64_t others);
int history_recordings(struct store *store, int64_t run, history_each_recording *each,
                       void *context, struct error *error);

typedef int history_each_check(void *context, const struct history_check *check);
int history_checks(struct store *store, int64_t run, history_each_check *each, void *context,
                   struct error *error);

typedef int history_each_failure(void *context, const struct history_failure *failure);
int history_failures(struct store *store, int64_t run, history_each_failure *each, void *context,
                     struct error *error);

typedef int history_each_unpassed(void *context, const struct history_unpassed *round);
int history_rounds(struct store *store, int64_t run, history_each_unpassed *each, void *context,
                   struct error *error);

/* By name, and of one name by recording. */
typedef int history_each_timing(void *context, const struct history_timing *timing);
int history_timings(struct store *store, int64_t run, history_each_timing *each, void *context,
                    struct error *error);

/*
 * A run of the same bench that was imported before this one and is dated after it, so that one of
 * the two dates is wrong, or an old journal came late; "" where there is none.
 */
int history_dated_after(struct store *store, int64_t run, char id[HISTORY_ID_MAX + 1],
                        struct error *error);

#endif
