/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/run.h"

#include <stdlib.h>

static void free_devices(struct history_run *run)
{
    HISTORY_EACH(device, run->devices, struct history_device)
    {
        free(device->name);
        free(device->driver);
        free(device->address);
        free(device->model);
        free(device->serial);
        free(device->firmware);
        free(device->digest);
    }
    free(run->devices.items);
}

static void free_recordings(struct history_run *run)
{
    HISTORY_EACH(recording, run->recordings, struct history_recording)
    {
        free(recording->path);
        free(recording->sha256);
        free(recording->expect_sha256);
        free(recording->game);
        free(recording->settlements.data);
        free(recording->orders.data);
    }
    free(run->recordings.items);
}

static void free_checks(struct history_run *run)
{
    HISTORY_EACH(check, run->checked, struct history_check)
    {
        free(check->name);
        free(check->why);
    }
    HISTORY_EACH(failure, run->failures, struct history_failure)
    {
        free(failure->name);
        free(failure->wager);
        free(failure->expected);
        free(failure->got);
        free(failure->why);
    }
    free(run->checked.items);
    free(run->failures.items);
}

static void free_rounds(struct history_run *run)
{
    HISTORY_EACH(round, run->unpassed, struct history_unpassed)
    {
        free(round->why);
    }
    HISTORY_EACH(timing, run->timings, struct history_timing)
    {
        free(timing->name);
        free(timing->took.data);
    }
    free(run->unpassed.items);
    free(run->timings.items);
}

void history_run_free(struct history_run *run)
{
    if (!run)
        return;
    HISTORY_EACH(name, run->operators, char *)
    {
        free(*name);
    }
    free(run->operators.items);
    free_devices(run);
    free_recordings(run);
    free_checks(run);
    free_rounds(run);
    free(run->version);
    free(run->build);
    free(run->rig);
    free(run->rig_sha256);
    free(run->seed);
    free(run->command);
    free(run->job);
    free(run->why);
    free(run);
}
