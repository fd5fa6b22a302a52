#include "tools/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

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

int interrupt_watch(struct interrupt *interrupt, void (*caught)(void *context, unsigned times),
                    void *context, struct error *error)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    *interrupt = (struct interrupt){.signals = signalfd(-1, &signals, SFD_CLOEXEC),
                                    .done = eventfd(0, EFD_CLOEXEC),
                                    .caught = caught,
                                    .context = context};
    if (interrupt->signals < 0 || interrupt->done < 0 ||
        pthread_create(&interrupt->watcher, NULL, watch, interrupt))
        return error_set(error, ERROR_RIG, "cannot watch signals: %s", strerror(errno));
    return 0;
}

void interrupt_release(struct interrupt *interrupt)
{
    eventfd_write(interrupt->done, 1);
    pthread_join(interrupt->watcher, NULL);
    close(interrupt->signals);
    close(interrupt->done);
}
