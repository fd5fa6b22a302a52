/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run that the beginning of an id means. */
#include <stdio.h>
#include <string.h>

#include "hal/base/names.h"
#include "rigs/history/find.h"

int history_find_id(struct store *store, const char *beginning, char id[HISTORY_ID_MAX + 1],
                    int64_t *number, struct error *error)
{
    const struct store_value values[2] = {store_of_text(beginning),
                                          store_of_integer((int64_t)strlen(beginning))};
    struct store_rows *rows;
    struct name_list names;
    size_t count = 0;
    bool is_whole = false, has_run = false;
    int status;

    if (strlen(beginning) < HISTORY_ID_MIN)
        return error_set(error, ERROR_CONFIG, "'%s' is too short for the id of a run", beginning);
    status = store_ask(store,
                       "SELECT id, number, CASE WHEN whole IS NULL THEN 0 ELSE 1 END FROM run "
                       "WHERE SUBSTR(id, 1, CAST($2 AS INTEGER)) = $1 ORDER BY 3, id",
                       values, 2, &rows, error);
    if (status)
        return status;
    name_list_start(&names);
    while (!is_whole && (status = store_next(rows, error)) > 0) {
        is_whole = !strcmp(store_text(rows, 0), beginning);
        if (has_run && store_integer(rows, 2) && !is_whole)
            continue; /* shards are meant where no run is */
        has_run |= !store_integer(rows, 2);
        count = is_whole ? 1 : count + 1;
        snprintf(id, HISTORY_ID_MAX + 1, "%s", store_text(rows, 0));
        *number = store_integer(rows, 1);
        name_list_add(&names, id);
    }
    store_rows_free(rows);
    if (status < 0)
        return status;
    if (count == 1)
        return 0;
    return count
               ? error_set(error, ERROR_CONFIG, "'%.64s' may be any of %s", beginning,
                           name_list_text(&names))
               : error_set(error, ERROR_CONFIG, "%s: has no run '%.64s'; 'history list' shows them",
                           store_shown(store), beginning);
}
