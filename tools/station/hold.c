/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/veil.h"
#include "rigs/recording/list.h"

#define BENCH_LOCK ".bench.lock"
#define PID_SIZE   16 /* of a number with its newline */

static int open_lock(const char *folder, const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%.*s/%s", PATH_MAX - 64, folder, name);
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
}

int station_hold_take(struct station_hold *hold, const char *folder, struct error *error)
{
    int status;

    *hold = (struct station_hold){folder, open_lock(folder, RECORDING_LIST_RUNS),
                                  open_lock(folder, BENCH_LOCK)};
    if (hold->station < 0 || hold->bench < 0)
        status = error_set(error, ERROR_RIG, "%s: runs cannot be kept there: %s", folder,
                           strerror(errno));
    else if (!veil_lock(hold->station))
        status = error_set(
            error, ERROR_CONFIG,
            "%s: another station keeps its runs there; stop it, or name another folder by "
            "--runs",
            folder);
    else
        return 0;
    station_hold_release(hold);
    return status;
}

void station_hold_release(struct station_hold *hold)
{
    if (hold->station >= 0)
        close(hold->station);
    if (hold->bench >= 0)
        close(hold->bench);
    hold->station = hold->bench = -1;
}

bool station_hold_is_used(const struct station_hold *hold, pid_t *pid)
{
    char text[PID_SIZE + 1] = "";
    bool is_used = veil_is_locked(hold->bench);

    *pid = 0;
    if (is_used && pread(hold->bench, text, PID_SIZE, 0) > 0)
        *pid = (pid_t)strtol(text, NULL, 10);
    return is_used;
}

int station_hold_bench(const struct station_hold *hold, struct error *error)
{
    int fd = open_lock(hold->folder, BENCH_LOCK);

    if (fd >= 0 && veil_lock(fd))
        return fd;
    error_set(error, ERROR_RIG, "the bench cannot be taken: %s",
              fd < 0 ? strerror(errno) : "somebody else uses it");
    if (fd >= 0)
        close(fd);
    return ERROR_RIG;
}

/* For people: where that cannot be written, nobody is named. */
void station_hold_name(const struct station_hold *hold, pid_t pid)
{
    char text[PID_SIZE + 1];
    int length = snprintf(text, sizeof text, "%-*d\n", PID_SIZE - 1, (int)pid);
    ssize_t written = pwrite(hold->bench, text, (size_t)length, 0);

    (void)written;
}
