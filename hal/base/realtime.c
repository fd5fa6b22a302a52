/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/realtime.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum outcome { ALLOWED, NO_PRIORITY, NO_MEMORY };

static int schedule(int policy, int priority)
{
    const struct sched_param parameters = {.sched_priority = priority};

    return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &parameters);
}

/* errno is why not. */
static enum outcome begin(void)
{
    if (schedule(SCHED_FIFO, REALTIME_PRIORITY))
        return NO_PRIORITY;
    if (!mlockall(MCL_CURRENT | MCL_FUTURE))
        return ALLOWED;
    schedule(SCHED_OTHER, 0);
    return NO_MEMORY;
}

static int tell(enum outcome outcome, int why, struct error *error)
{
    if (outcome == ALLOWED)
        return 0;
    if (outcome == NO_PRIORITY)
        return error_set(error, ERROR_CONFIG, "real-time priority %d: %s; %s", REALTIME_PRIORITY,
                         strerror(why), REALTIME_REMEDY);
    return error_set(error, ERROR_CONFIG, "memory cannot be locked: %s; %s", strerror(why),
                     REALTIME_REMEDY);
}

int realtime_begin(struct error *error)
{
    enum outcome outcome = begin();

    return tell(outcome, errno, error);
}

void realtime_end(void)
{
    schedule(SCHED_OTHER, 0);
    munlockall();
}

int realtime_try(struct error *error)
{
    struct {
        enum outcome outcome;
        int why;
    } found;
    int ends[2];
    pid_t child;
    ssize_t length;

    if (pipe(ends))
        return error_set(error, ERROR_RIG, "no pipe: %s", strerror(errno));
    child = fork();
    if (!child) {
        found.outcome = begin();
        found.why = errno;
        _exit(write(ends[1], &found, sizeof found) != sizeof found);
    }
    close(ends[1]);
    length = child > 0 ? read(ends[0], &found, sizeof found) : -1;
    close(ends[0]);
    if (child > 0)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    if (length != sizeof found)
        return error_set(error, ERROR_RIG, "no process to try real-time priority in");
    return tell(found.outcome, found.why, error);
}
