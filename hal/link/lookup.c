/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/lookup.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Held by the thread that looks and by the one that waits; the last one to let go frees it. */
struct lookup {
    atomic_int holders;
    int done_fd;
    char host[LOOKUP_HOST_MAX], port[LOOKUP_PORT_MAX];
    int code, number; /* of getaddrinfo(), and errno */
    struct addrinfo *found;
};

static void let_go(struct lookup *lookup)
{
    if (atomic_fetch_sub(&lookup->holders, 1) > 1)
        return;
    if (lookup->found)
        freeaddrinfo(lookup->found);
    close(lookup->done_fd);
    free(lookup);
}

static int ask(const char *host, const char *port, int flags, struct addrinfo **found)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | flags};
    int code = getaddrinfo(host, port, &hints, found);

    if (code)
        *found = NULL;
    return code;
}

static void *look(void *context)
{
    struct lookup *lookup = context;

    lookup->code = ask(lookup->host, lookup->port, 0, &lookup->found);
    lookup->number = errno;
    eventfd_write(lookup->done_fd, 1);
    let_go(lookup);
    return NULL;
}

static struct lookup *new_lookup(const char *host, const char *port)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);

    if (!lookup)
        return NULL;
    lookup->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (lookup->done_fd < 0) {
        free(lookup);
        return NULL;
    }
    snprintf(lookup->host, sizeof lookup->host, "%s", host);
    snprintf(lookup->port, sizeof lookup->port, "%s", port);
    atomic_init(&lookup->holders, 2);
    return lookup;
}

/* Signals are blocked in this thread; the program's other threads take them. */
static int start(struct lookup *lookup)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    int number = pthread_attr_init(&attributes);

    if (number)
        return number;
    sigfillset(&all);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setsigmask_np(&attributes, &all);
    number = pthread_create(&thread, &attributes, look, lookup);
    pthread_attr_destroy(&attributes);
    return number;
}

static int say_unknown(const char *host, int code, int number, struct error *error)
{
    return error_set(error, code == EAI_NONAME ? ERROR_CONFIG : ERROR_RIG,
                     "no address is known for host '%s' (%s): correct the name, or give its number",
                     host, code == EAI_SYSTEM ? strerror(number) : gai_strerror(code));
}

static int say_unstarted(const char *host, int number, struct error *error)
{
    return error_set(error, ERROR_RIG, "cannot look up host '%s': %s; give its number", host,
                     strerror(number));
}

static int await(const struct hal *hal, struct lookup *lookup, nanos_t deadline,
                 struct addrinfo **found, struct error *error)
{
    int ready =
        hal_wait(hal, lookup->done_fd, POLLIN, hal->clock->is_virtual ? NEVER : deadline, error);

    if (ready < 0)
        return ready;
    if (!ready)
        return error_set(error, ERROR_RIG,
                         "nobody said in time which address host '%s' has: check the network and "
                         "its name server, or give the host's number",
                         lookup->host);
    if (lookup->code)
        return say_unknown(lookup->host, lookup->code, lookup->number, error);
    *found = lookup->found;
    lookup->found = NULL;
    return 0;
}

int lookup_host(const struct hal *hal, const char *host, const char *port, nanos_t deadline,
                struct addrinfo **found, struct error *error)
{
    int status = ask(host, port, AI_NUMERICHOST, found);
    struct lookup *lookup;

    if (status != EAI_NONAME)
        return status ? say_unknown(host, status, errno, error) : 0;
    lookup = new_lookup(host, port);
    if (!lookup)
        return say_unstarted(host, errno, error);
    status = start(lookup);
    if (status) {
        let_go(lookup);
        let_go(lookup);
        return say_unstarted(host, status, error);
    }
    status = await(hal, lookup, deadline, found, error);
    let_go(lookup);
    return status;
}
