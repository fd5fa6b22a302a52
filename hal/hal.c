/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/hal.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int hal_open(struct hal *hal, struct clock *clock, struct error *error)
{
    *hal = (struct hal){.clock = clock, .cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (hal->cancel_fd < 0)
        return error_set(error, ERROR_RIG,
                         "no descriptor to cancel the bench with (%s): raise `ulimit -n`",
                         strerror(errno));
    return 0;
}

void hal_close(struct hal *hal)
{
    if (hal->cancel_fd >= 0)
        close(hal->cancel_fd);
    hal->cancel_fd = -1;
}

void hal_cancel(struct hal *hal)
{
    const uint64_t one = 1;
    int saved = errno;
    ssize_t written;

    if (hal->cancel_fd < 0)
        return;
    atomic_store(&hal->cancelled, true);
    written = write(hal->cancel_fd, &one, sizeof one);

    /* The one way to fail is a full counter, which is a cancellation already. */
    (void)written;
    errno = saved;
}

void hal_resume(struct hal *hal)
{
    uint64_t times;

    if (hal->cancel_fd < 0)
        return;
    /* Nothing to read is nothing to take back. */
    if (read(hal->cancel_fd, &times, sizeof times) < 0)
        times = 0;
    atomic_store(&hal->cancelled, false);
}

/* How long to poll, as ppoll() takes it: NULL for ever. */
static const struct timespec *time_left(const struct clock *clock, nanos_t deadline,
                                        struct timespec *left)
{
    nanos_t nanos;

    if (deadline == NEVER)
        return NULL;
    nanos = clock->is_virtual ? 0 : deadline - clock_now(clock);
    if (nanos < 0)
        nanos = 0;
    left->tv_sec = (time_t)(nanos / NANOS_PER_SECOND);
    left->tv_nsec = (long)(nanos % NANOS_PER_SECOND);
    return left;
}

/* With nothing to look at, virtual time costs no system call. */
static int jump(const struct hal *hal, nanos_t deadline, struct error *error)
{
    if (hal_cancelled(hal))
        return error_set(error, ERROR_ABORTED, "cancelled");
    if (deadline == NEVER)
        return error_set(error, ERROR_RIG,
                         "nothing will ever happen: virtual time, no deadline and nothing due; "
                         "wait with a deadline");
    clock_advance(hal->clock, deadline);
    return 0;
}

/* Polls `count` descriptors and, behind them, the cancellation; returns how many are ready. */
static int wait_ready(const struct hal *hal, struct pollfd *polled, size_t count, nanos_t deadline,
                      struct error *error)
{
    struct timespec left;
    int ready;

    polled[count] = (struct pollfd){.fd = hal->cancel_fd, .events = POLLIN};
    do {
        ready = ppoll(polled, count + 1, time_left(hal->clock, deadline, &left), NULL);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return error_set(error, ERROR_RIG, "cannot wait for %zu descriptors: %s", count,
                         strerror(errno));
    if (polled[count].revents)
        return error_set(error, ERROR_ABORTED, "cancelled");
    if (!ready)
        clock_advance(hal->clock, deadline);
    return ready;
}

int hal_wait(const struct hal *hal, int fd, short events, nanos_t deadline, struct error *error)
{
    struct pollfd polled[2] = {{.fd = fd, .events = events}};
    int ready;

    if (hal->clock->is_virtual && fd < 0)
        return jump(hal, deadline, error);
    ready = wait_ready(hal, polled, 1, deadline, error);
    return ready > 0 ? polled[0].revents : ready;
}

int hal_wait_many(const struct hal *hal, struct pollfd *fds, size_t count, nanos_t deadline,
                  struct error *error)
{
    struct pollfd polled[HAL_WAIT_MAX + 1];
    int ready;

    if (count > HAL_WAIT_MAX)
        return error_set(error, ERROR_RIG, "cannot wait for %zu descriptors at once: at most %d",
                         count, HAL_WAIT_MAX);
    if (hal->clock->is_virtual && !count)
        return jump(hal, deadline, error);
    for (size_t i = 0; i < count; i++)
        polled[i] = fds[i];
    ready = wait_ready(hal, polled, count, deadline, error);
    for (size_t i = 0; i < count; i++)
        fds[i].revents = polled[i].revents;
    return ready;
}
