/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/debounce.h"

void debounce_start(struct debounce *debounce, nanos_t period, bool level)
{
    *debounce =
        (struct debounce){.period = period, .level = level, .latest = level, .settles = NEVER};
}

void debounce_edge(struct debounce *debounce, bool level, nanos_t time)
{
    debounce->latest = level;
    debounce->settles = time + debounce->period;
}

bool debounce_settle(struct debounce *debounce, nanos_t until, nanos_t *at)
{
    if (debounce->latest == debounce->level || debounce->settles > until)
        return false;
    *at = debounce->settles;
    debounce->level = debounce->latest;
    return true;
}
