/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* A program that was started to outlive its terminal (nohup) does. */
static sigset_t all(void)
{
    struct sigaction hangup;
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    return signals;
}

static void *watch(void *context)
{
    const struct interrupt *interrupt = context;
    struct pollfd fds[] = {{.fd = interrupt->signals, .events = POLLIN},
                           {.fd = interrupt->done, .events = POLLIN}};
    struct signalfd_siginfo info;
    unsigned times = 0;

    while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
        if (fds[1].revents)
            return NULL;
        if (fds[0].revents && read(interrupt->signals, &info, sizeof info) == sizeof info)
            interrupt->caught(interrupt->context, ++times);
    }
    return NULL;
}

static void close_both(const struct interrupt *interrupt)
{
    if (interrupt->signals >= 0)
        close(interrupt->signals);
    if (interrupt->done >= 0)
        close(interrupt->done);
}

int interrupt_watch(struct interrupt *interrupt, void (*caught)(void *context, unsigned times),
                    void *context, struct error *error)
{
    sigset_t signals = all();
    int reason;

    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    *interrupt = (struct interrupt){.signals = signalfd(-1, &signals, SFD_CLOEXEC),
                                    .done = eventfd(0, EFD_CLOEXEC),
                                    .caught = caught,
                                    .context = context};
    if (interrupt->signals < 0 || interrupt->done < 0)
        reason = errno;
    else
        reason = pthread_create(&interrupt->watcher, NULL, watch, interrupt);
    if (!reason)
        return 0;
    close_both(interrupt);
    return error_set(error, ERROR_RIG, "cannot watch signals: %s", strerror(reason));
}

void interrupt_release(struct interrupt *interrupt)
{
    eventfd_write(interrupt->done, 1);
    pthread_join(interrupt->watcher, NULL);
    close_both(interrupt);
}

int interrupt_descriptor(struct error *error)
{
    sigset_t signals = all();
    int fd;

    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    fd = signalfd(-1, &signals, SFD_CLOEXEC);
    return fd >= 0 ? fd : error_set(error, ERROR_RIG, "cannot watch signals: %s", strerror(errno));
}

void interrupt_allow(void)
{
    sigset_t signals = all();

    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}
