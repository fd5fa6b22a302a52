/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/serve/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "devices/serve/cable.h"

/*
 * Small enough that what it can ask for fits the buffers of any model, USB/IP's included: nothing
 * more is read before all of it has been answered.
 */
#define MOUTHFUL 4096

struct serve {
    struct model *model;
    struct clock clock;
    struct cable cable;
    int wake;       /* an eventfd */
    bool readable;  /* the client said something, or went */
    bool hung_up;   /* the client went */
    bool at_door;   /* a client may have come */
    bool has_more;  /* the model gave all that there was room for: it is asked again at once */
    bool is_silent; /* the model had nothing to give */
    nanos_t due;    /* of the model, when it was touched last */
    nanos_t idle;   /* after which a client gives way; 0: it does not */
    nanos_t heard;  /* from the client, the last time */
    const struct serve_watch *watch;
    size_t at, end; /* of `out`: not yet written */
    uint8_t out[MOUTHFUL];
};

static int serve_new(struct serve **serve, struct model *model, struct error *error)
{
    *serve = calloc(1, sizeof **serve);
    if (!*serve)
        return error_set(error, ERROR_RIG, "no memory to serve a model");
    (*serve)->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if ((*serve)->wake < 0) {
        free(*serve);
        *serve = NULL;
        return error_set(error, ERROR_RIG,
                         "no descriptor to serve a model with (%s): raise "
                         "`ulimit -n`",
                         strerror(errno));
    }
    (*serve)->model = model;
    clock_real(&(*serve)->clock);
    cable_init(&(*serve)->cable);
    return 0;
}

/* Ends an opening: the server, or nothing of it. */
static int opened(struct serve **serve, int status)
{
    if (status == 0)
        return 0;
    serve_close(*serve);
    *serve = NULL;
    return status;
}

int serve_pty(struct serve **serve, struct model *model, struct error *error)
{
    int status = serve_new(serve, model, error);

    return status ? status : opened(serve, cable_open_pty(&(*serve)->cable, error));
}

int serve_tty(struct serve **serve, struct model *model, const char *path, struct error *error)
{
    int status = serve_new(serve, model, error);

    return status ? status : opened(serve, cable_open_tty(&(*serve)->cable, path, error));
}

int serve_tcp(struct serve **serve, struct model *model, const char *where, struct error *error)
{
    int status = serve_new(serve, model, error);

    return status ? status : opened(serve, cable_open_tcp(&(*serve)->cable, where, error));
}

int serve_socket(struct serve **serve, struct model *model, int fd, struct error *error)
{
    int status = serve_new(serve, model, error);

    return status ? status : opened(serve, cable_open_socket(&(*serve)->cable, fd, error));
}

void serve_close(struct serve *serve)
{
    if (!serve)
        return;
    cable_close(&serve->cable);
    close(serve->wake);
    free(serve);
}

const char *serve_address(const struct serve *serve)
{
    return serve->cable.address;
}

void serve_wake(struct serve *serve)
{
    eventfd_write(serve->wake, 1);
}

void serve_set_idle(struct serve *serve, nanos_t idle)
{
    serve->idle = idle;
}

void serve_set_watch(struct serve *serve, const struct serve_watch *watch)
{
    serve->watch = watch;
}

const char *serve_client(const struct serve *serve)
{
    return serve->cable.client;
}

static void tell_came(const struct serve *serve, bool is_there)
{
    if (serve->watch && serve->watch->came)
        serve->watch->came(serve->watch->context, is_there);
}

static void tell_passed(const struct serve *serve, bool from_device, const uint8_t *bytes,
                        size_t count, nanos_t now)
{
    if (serve->watch && serve->watch->passed)
        serve->watch->passed(serve->watch->context, from_device, bytes, count, now);
}

/* When the client has to give way, if somebody else comes; NEVER: it has not. */
static nanos_t gives_way(const struct serve *serve)
{
    return serve->idle && serve->cable.is_connected && cable_can_reconnect(&serve->cable)
               ? serve->heard + serve->idle
               : NEVER;
}

static bool is_held_up(const struct serve *serve)
{
    return serve->at < serve->end;
}

/* How long the model leaves us, as ppoll() takes it: NULL for ever. */
static const struct timespec *time_left(const struct serve *serve, struct timespec *left)
{
    nanos_t now = clock_now(&serve->clock), until = is_held_up(serve) ? NEVER : serve->due;
    nanos_t way = gives_way(serve), nanos;

    if (way > now && way < until)
        until = way;
    if (until == NEVER && !serve->has_more)
        return NULL;
    nanos = until - now;
    if (nanos < 0 || (serve->has_more && !is_held_up(serve)))
        nanos = 0;
    left->tv_sec = (time_t)(nanos / NANOS_PER_SECOND);
    left->tv_nsec = (long)(nanos % NANOS_PER_SECOND);
    return left;
}

/* What to poll the client for: input only when the last answer has been written. */
static short events_wanted(const struct serve *serve)
{
    if (is_held_up(serve))
        return POLLOUT;
    return serve->has_more ? 0 : POLLIN;
}

/* Somebody else may come: nobody is there, or only who has been silent for too long. */
static bool is_open_to_others(const struct serve *serve)
{
    return !serve->cable.is_connected || gives_way(serve) <= clock_now(&serve->clock);
}

int serve_wait(struct serve *serve, int stop, struct error *error)
{
    const struct cable *cable = &serve->cable;
    struct pollfd polled[] = {
        {.fd = stop, .events = POLLIN},
        {.fd = serve->wake, .events = POLLIN},
        {.fd = cable->is_connected ? cable->wire : -1, .events = events_wanted(serve)},
        {.fd = is_open_to_others(serve) ? cable->door : -1, .events = POLLIN},
    };
    struct timespec left;
    eventfd_t ignored;

    if (ppoll(polled, sizeof polled / sizeof polled[0], time_left(serve, &left), NULL) < 0) {
        if (errno == EINTR)
            return 1;
        return error_set(error, ERROR_RIG, "cannot wait for a client: %s", strerror(errno));
    }
    if (polled[0].revents)
        return 0;
    if (polled[1].revents)
        eventfd_read(serve->wake, &ignored);
    serve->readable = polled[2].revents & (POLLIN | POLLHUP | POLLERR);
    serve->hung_up = polled[2].revents & (POLLHUP | POLLERR);
    serve->at_door = polled[3].revents;
    return 1;
}

static void lose_client(struct serve *serve, nanos_t now)
{
    serve->at = serve->end = 0;
    serve->has_more = false;
    if (serve->cable.is_connected)
        tell_came(serve, false);
    cable_hang_up(&serve->cable);
    if (serve->model->ops->unplug)
        serve->model->ops->unplug(serve->model, now);
}

static bool is_not_yet(int code)
{
    return code == EAGAIN || code == EWOULDBLOCK || code == EINTR;
}

static void take(struct serve *serve, nanos_t now)
{
    uint8_t bytes[MOUTHFUL];
    ssize_t count = read(serve->cable.wire, bytes, sizeof bytes);

    if (count > 0) {
        serve->heard = now;
        tell_passed(serve, false, bytes, (size_t)count, now);
        serve->model->ops->receive(serve->model, bytes, (size_t)count, now);
    } else if (count == 0 || !is_not_yet(errno)) {
        lose_client(serve, now);
    }
}

static void ask_model(struct serve *serve, nanos_t now)
{
    serve->at = 0;
    serve->end = serve->model->ops->send(serve->model, serve->out, sizeof serve->out, now);
    serve->has_more = serve->end == sizeof serve->out;
    serve->is_silent = serve->end == 0;
}

static void give(struct serve *serve, nanos_t now)
{
    ssize_t count;

    if (!is_held_up(serve))
        ask_model(serve, now);
    if (!serve->cable.is_connected)
        serve->at = serve->end;
    if (!is_held_up(serve))
        return;
    count = cable_write(&serve->cable, serve->out + serve->at, serve->end - serve->at);
    if (count > 0) {
        tell_passed(serve, true, serve->out + serve->at, (size_t)count, now);
        serve->at += (size_t)count;
    } else if (!is_not_yet(errno)) {
        lose_client(serve, now);
    }
}

/* The cable is torn at the model's end. */
static int leave(struct serve *serve, nanos_t now)
{
    if (!cable_can_reconnect(&serve->cable)) {
        cable_close(&serve->cable);
        return 0;
    }
    lose_client(serve, now);
    serve->model->gone = false;
    serve->due = serve->model->ops->due(serve->model);
    return 1;
}

/* Who waits takes the place of who is silent. */
static int admit(struct serve *serve, nanos_t now, struct error *error)
{
    int status;

    if (serve->cable.is_connected)
        lose_client(serve, now);
    status = cable_admit(&serve->cable, error);
    serve->heard = now;
    if (serve->cable.is_connected)
        tell_came(serve, true);
    return status;
}

int serve_step(struct serve *serve, struct error *error)
{
    nanos_t now = clock_now(&serve->clock);

    if (serve->at_door && !(serve->cable.is_connected && serve->readable) &&
        admit(serve, now, error) < 0)
        return ERROR_RIG;
    if (serve->hung_up)
        serve->at = serve->end;
    if (serve->readable)
        take(serve, now);
    serve->at_door = serve->readable = serve->hung_up = false;
    if (!serve->model->gone)
        give(serve, now);
    if (serve->model->broken)
        return error_set(error, ERROR_RIG, "%s", serve->model->broken);
    if (serve->model->gone)
        return leave(serve, now);
    if (!serve->cable.is_connected && serve->cable.door < 0)
        return 0;
    serve->due = serve->model->ops->due(serve->model);
    if (serve->is_silent && serve->due <= now)
        return error_set(error, ERROR_RIG,
                         "the model is due but has nothing to send: correct its due()");
    return 1;
}

int serve_run(struct serve *serve, int stop, struct error *error)
{
    int status = serve_step(serve, error);

    while (status > 0) {
        status = serve_wait(serve, stop, error);
        if (status > 0)
            status = serve_step(serve, error);
    }
    return status;
}
