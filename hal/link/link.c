/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/link.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/registry.h"

/* The policy of a link that comes back, and how far it is with that. */
struct link_reopen {
    struct reopen_policy policy;
    nanos_t gone_at, next_try, pause;
    unsigned tries;     /* in a row, without success */
    uint64_t comebacks; /* so far */
    bool is_away;
};

REGISTRY(link_backends);

const struct link_backend *link_backend_at(size_t index)
{
    return registry_at(&link_backends, index);
}

const struct link_backend *link_backend_of(const char *address)
{
    return registry_find_scheme(&link_backends, address);
}

void link_schemes(struct name_list *schemes)
{
    const struct link_backend *backend;
    char scheme[LINK_ADDRESS_MAX];

    name_list_start(schemes);
    for (size_t i = 0; (backend = link_backend_at(i)); i++) {
        snprintf(scheme, sizeof scheme, "%s:", backend->scheme);
        name_list_add(schemes, scheme);
    }
}

static int refuse_scheme(const char *address, struct error *error)
{
    struct name_list schemes;

    link_schemes(&schemes);
    return error_set(error, ERROR_CONFIG,
                     "'%s' is not the address of a link: it must begin with one of %s", address,
                     name_list_text(&schemes));
}

/* Puts the address before a backend's sentence that does not name it. */
static int name_address(const struct link *link, int status, struct error *error)
{
    if (error && status < 0 && !strstr(error->text, link->address))
        error_prefix(error, "%s", link->address);
    return status;
}

int link_check(const char *address, struct error *error)
{
    const struct link_backend *backend = link_backend_of(address);
    struct link link = {.backend = backend};

    if (!backend)
        return refuse_scheme(address, error);
    if (!backend->check || strlen(address) >= sizeof link.address)
        return 0;
    strcpy(link.address, address);
    return backend->check(&link, strchr(address, ':') + 1, error);
}

static struct link *allocate(const struct link_backend *backend, const struct hal *hal,
                             const char *address, struct error *error)
{
    struct link *link = calloc(1, backend->size);

    if (!link) {
        error_set(error, ERROR_RIG, "%s: out of memory for the link", address);
        return NULL;
    }
    link->backend = backend;
    link->hal = hal;
    memcpy(link->address, address, strlen(address) + 1);
    link->open_by = NEVER;
    return link;
}

static int open_backend(struct link *link, struct error *error)
{
    const char *rest = strchr(link->address, ':') + 1;
    int status;

    memset((char *)link + sizeof *link, 0, link->backend->size - sizeof *link);
    status = link->backend->open(link, rest, error);
    link->is_open = status == 0;
    return name_address(link, status, error);
}

int link_open(struct link **link, const struct hal *hal, const char *address, struct error *error)
{
    const struct link_backend *backend;
    int status;

    *link = NULL;
    if (strlen(address) >= LINK_ADDRESS_MAX)
        return error_set(error, ERROR_CONFIG,
                         "'%.60s...' is too long for an address: at most %d bytes", address,
                         LINK_ADDRESS_MAX - 1);
    backend = link_backend_of(address);
    if (!backend)
        return refuse_scheme(address, error);
    *link = allocate(backend, hal, address, error);
    if (!*link)
        return ERROR_RIG;
    status = open_backend(*link, error);
    if (status < 0) {
        free(*link);
        *link = NULL;
    }
    return status;
}

int link_wrap(struct link **link, const struct link_backend *backend, struct link *inner,
              struct error *error)
{
    *link = allocate(backend, inner->hal, inner->address, error);
    if (!*link)
        return ERROR_RIG;
    (*link)->inner = inner;
    (*link)->is_open = true;
    return 0;
}

void link_close(struct link *link)
{
    while (link) {
        struct link *inner = link->inner;

        if (link->is_open && link->backend->close)
            link->backend->close(link);
        free(link->reopen);
        free(link);
        link = inner;
    }
}

/* Only the innermost link holds the device; the decorators around it stay as they are. */
static struct link *innermost(struct link *link)
{
    while (link->inner)
        link = link->inner;
    return link;
}

static void pause_until_next_try(struct link *link, nanos_t pause)
{
    struct link_reopen *reopen = link->reopen;
    nanos_t now = clock_now(link->hal->clock);

    reopen->pause = pause;
    reopen->next_try = pause < NEVER - now ? now + pause : NEVER;
}

static void start_waiting(struct link *link)
{
    link->reopen->tries = 0;
    pause_until_next_try(link, link->reopen->policy.first);
}

static void go_away(struct link *link)
{
    struct link *device = innermost(link);

    /* At once: while the old node is open, a device that is plugged in again gets another one. */
    if (device->is_open) {
        device->backend->close(device);
        device->is_open = false;
    }
    link->reopen->is_away = true;
    link->reopen->gone_at = clock_now(link->hal->clock);
    start_waiting(link);
}

static void come_back(struct link *link)
{
    struct link_reopen *reopen = link->reopen;
    const struct reopen_policy *policy = &reopen->policy;

    for (struct link *outer = link; outer; outer = outer->inner)
        if (outer->backend->reopened)
            outer->backend->reopened(outer);
    reopen->is_away = false;
    reopen->comebacks++;
    if (policy->said)
        policy->said(policy->context, link->address, reopen->tries,
                     clock_now(link->hal->clock) - reopen->gone_at);
}

static int try_again(struct link *link, nanos_t deadline, struct error *error)
{
    struct link_reopen *reopen = link->reopen;
    struct link *device = innermost(link);
    nanos_t longest;
    int status;

    reopen->tries++;
    device->open_by = deadline;
    status = open_backend(device, error);
    device->open_by = NEVER;
    if (status == 0) {
        come_back(link);
        return 0;
    }
    longest = reopen->policy.longest;
    pause_until_next_try(link, reopen->pause > longest / 2 ? longest : reopen->pause * 2);
    return status;
}

/* After a last try that failed the sentence keeps its reason. */
static int give_up(const struct link *link, bool has_reason, struct error *error)
{
    unsigned tries = link->reopen->tries;

    if (!has_reason)
        return error_set(error, ERROR_DEVICE,
                         "%s is gone and %u tries did not bring it back: plug it in and start over",
                         link->address, tries);
    error_prefix(error, "gone, and %u tries did not bring it back", tries);
    if (error)
        error->code = ERROR_DEVICE;
    return ERROR_DEVICE;
}

/* 0 when the device is there again; ERROR_DEVICE at the deadline or after the last try. */
static int await_return(struct link *link, nanos_t deadline, struct error *error)
{
    struct link_reopen *reopen = link->reopen;
    int status = 0;

    while (reopen->tries < reopen->policy.tries) {
        nanos_t until = reopen->next_try < deadline ? reopen->next_try : deadline;

        if (reopen->policy.awaits)
            reopen->policy.awaits(reopen->policy.context, reopen->tries + 1);
        status = hal_wait(link->hal, -1, 0, until, error);
        if (status < 0)
            return status;
        if (clock_now(link->hal->clock) < reopen->next_try)
            return error_set(error, ERROR_DEVICE,
                             "%s is gone; %u tries did not bring it back so far: plug it in",
                             link->address, reopen->tries);
        status = try_again(link, deadline, error);
        if (status == 0 || status == ERROR_ABORTED)
            return status;
    }
    return give_up(link, status < 0, error);
}

/* What a read or write returns for the backend's result. */
static ssize_t conclude(struct link *link, ssize_t moved, nanos_t deadline, struct error *error)
{
    if (moved >= 0)
        return moved;
    link->is_lost |= moved == ERROR_DEVICE && !link->reopen;
    if (moved != ERROR_DEVICE || !link->reopen)
        return name_address(link, (int)moved, error);
    go_away(link);
    return name_address(link, await_return(link, deadline, error), error);
}

/* Nothing can be moved while the device is away: 0 once it came back. */
static ssize_t move_nothing(struct link *link, nanos_t deadline, struct error *error)
{
    if (!link->reopen)
        return error_set(error, ERROR_DEVICE, "%s is gone: plug it in and open it again",
                         link->address);
    return name_address(link, await_return(link, deadline, error), error);
}

bool link_is_away(const struct link *link)
{
    return !link->is_open || (link->reopen && link->reopen->is_away);
}

bool link_is_lost(const struct link *link)
{
    return link->is_lost || link_is_away(link);
}

ssize_t link_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                  struct error *error)
{
    if (link_is_away(link))
        return move_nothing(link, deadline, error);
    return conclude(link, link->backend->read(link, bytes, size, deadline, error), deadline, error);
}

ssize_t link_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                   struct error *error)
{
    if (link_is_away(link))
        return move_nothing(link, deadline, error);
    return conclude(link, link->backend->write(link, bytes, size, deadline, error), deadline,
                    error);
}

int link_await(struct link *link, struct error *error)
{
    if (!link->reopen)
        return ERROR_DEVICE;
    return link_is_away(link) ? (int)move_nothing(link, NEVER, error) : 0;
}

uint64_t link_comebacks(const struct link *link)
{
    return link->reopen ? link->reopen->comebacks : 0;
}

int link_write_all(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                   struct error *error)
{
    const uint8_t *from = bytes;
    size_t moved = 0;

    while (moved < size) {
        uint64_t before = link_comebacks(link);
        ssize_t n = link_write(link, from + moved, size - moved, deadline, error);

        if (n < 0)
            return (int)n;
        if (link_comebacks(link) != before)
            moved = 0;
        else if (n == 0)
            return error_set(error, ERROR_TIMEOUT,
                             "%s took %zu of %zu bytes before the deadline: does the device read?",
                             link->address, moved, size);
        moved += (size_t)n;
    }
    return 0;
}

const char *link_may_be_taken(const struct link *link)
{
    return strncmp(link->address, "tcp:", 4) != 0
               ? ""
               : " Behind TCP it may speak with another program, which then has to end first.";
}

bool link_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled)
{
    bool is_there = !link_is_away(link);

    while (link->inner && !link->backend->polled)
        link = link->inner;
    if (!link->backend->polled)
        return false;
    *polled = (struct pollfd){.fd = -1};
    if (is_there && link->is_open && (reads || writes))
        link->backend->polled(link, reads, writes, polled);
    return true;
}

static int refuse_lines(const struct link *link, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s has no modem lines: only serial: links do",
                     link->address);
}

int link_get_lines(struct link *link, unsigned *lines, struct error *error)
{
    if (link_is_away(link))
        return error_set(error, ERROR_DEVICE, "%s is gone: plug it in", link->address);
    if (link->backend->get_lines)
        return name_address(link, link->backend->get_lines(link, lines, error), error);
    return link->inner ? link_get_lines(link->inner, lines, error) : refuse_lines(link, error);
}

int link_set_lines(struct link *link, unsigned mask, unsigned lines, struct error *error)
{
    if (link_is_away(link))
        return error_set(error, ERROR_DEVICE, "%s is gone: plug it in", link->address);
    if (link->backend->set_lines)
        return name_address(link, link->backend->set_lines(link, mask, lines, error), error);
    return link->inner ? link_set_lines(link->inner, mask, lines, error)
                       : refuse_lines(link, error);
}

int link_reopen(struct link *link, const struct reopen_policy *policy, struct error *error)
{
    if (!policy) {
        free(link->reopen);
        link->reopen = NULL;
        return 0;
    }
    if (policy->first <= 0 || policy->longest < policy->first || policy->tries == 0)
        return error_set(error, ERROR_CONFIG,
                         "%s: a link reopens after more than 0 ns, at longest not sooner than at "
                         "first, and tries at least once; not after %lld to %lld ns, %u tries",
                         link->address, (long long)policy->first, (long long)policy->longest,
                         policy->tries);
    if (!link->reopen)
        link->reopen = calloc(1, sizeof *link->reopen);
    if (!link->reopen)
        return error_set(error, ERROR_RIG, "%s: out of memory for reopening", link->address);
    link->reopen->policy = *policy;
    if (!innermost(link)->is_open && !link->reopen->is_away)
        go_away(link);
    start_waiting(link);
    return 0;
}
