#include "tests/model_pump.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

struct model_pump {
    struct model *model;
    struct clock clock;
    pthread_t thread;
    pthread_mutex_t mutex;
    bool stopping;
    int wake;     /* an eventfd: the model or `stopping` has changed */
    int wire;     /* to the host; -1 when nobody is connected or the cable is torn */
    int slave;    /* of a pty, kept open so that a host may come and go; or -1 */
    int listener; /* of TCP, or -1 */
    char address[64];
    uint8_t out[1024];
    size_t at, end;
};

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    abort();
}

static void hang_up(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void tear_cable(struct model_pump *pump)
{
    hang_up(&pump->wire);
    hang_up(&pump->slave);
    hang_up(&pump->listener);
    pump->at = pump->end = 0;
}

static void accept_host(struct model_pump *pump)
{
    const int on = 1;

    pump->wire = accept4(pump->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    setsockopt(pump->wire, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void lose_host(struct model_pump *pump)
{
    hang_up(&pump->wire);
    pump->at = pump->end = 0;
    if (pump->model->ops->unplug)
        pump->model->ops->unplug(pump->model, clock_now(&pump->clock));
}

static void take(struct model_pump *pump)
{
    uint8_t bytes[1024];
    ssize_t count = read(pump->wire, bytes, sizeof bytes);

    if (count > 0)
        pump->model->ops->receive(pump->model, bytes, (size_t)count, clock_now(&pump->clock));
    else if (count == 0 || errno != EAGAIN)
        lose_host(pump);
}

/* What the model sends while nobody is connected is lost, as on any cable that ends nowhere. */
static void give(struct model_pump *pump)
{
    struct model *model = pump->model;
    ssize_t count;

    if (pump->at == pump->end && !model->gone) {
        pump->at = 0;
        pump->end = model->ops->send(model, pump->out, sizeof pump->out, clock_now(&pump->clock));
    }
    if (model->gone) {
        tear_cable(pump);
        return;
    }
    if (pump->wire < 0)
        pump->at = pump->end;
    if (pump->at == pump->end)
        return;
    count = write(pump->wire, pump->out + pump->at, pump->end - pump->at);
    if (count > 0)
        pump->at += (size_t)count;
    else if (errno != EAGAIN)
        lose_host(pump);
}

/* Until the host says something, somebody wakes us, or the model is due. */
static void wait_for_work(struct model_pump *pump, bool *readable, bool *connecting)
{
    bool is_held_up = pump->at < pump->end;
    struct model *model = pump->model;
    nanos_t due = is_held_up || model->gone ? NEVER : model->ops->due(model);
    struct pollfd polled[] = {
        {.fd = pump->wake, .events = POLLIN},
        {.fd = pump->wire, .events = (short)(is_held_up ? POLLIN | POLLOUT : POLLIN)},
        {.fd = pump->wire < 0 ? pump->listener : -1, .events = POLLIN},
    };
    eventfd_t ignored;

    pthread_mutex_unlock(&pump->mutex);
    poll(polled, 3, clock_poll_timeout(&pump->clock, due));
    pthread_mutex_lock(&pump->mutex);
    if (polled[0].revents)
        eventfd_read(pump->wake, &ignored);
    *readable = polled[1].revents & (POLLIN | POLLHUP | POLLERR);
    *connecting = polled[2].revents;
}

static void *pump_model(void *context)
{
    struct model_pump *pump = context;
    bool readable, connecting;

    pthread_mutex_lock(&pump->mutex);
    while (!pump->stopping) {
        wait_for_work(pump, &readable, &connecting);
        if (connecting)
            accept_host(pump);
        if (readable)
            take(pump);
        give(pump);
    }
    pthread_mutex_unlock(&pump->mutex);
    return NULL;
}

static struct model_pump *pump_new(struct model *model)
{
    struct model_pump *pump = calloc(1, sizeof *pump);

    must(pump, "model_pump: memory");
    pump->model = model;
    clock_real(&pump->clock);
    pthread_mutex_init(&pump->mutex, NULL);
    pump->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pump->wire = pump->slave = pump->listener = -1;
    must(pump->wake >= 0, "model_pump: eventfd");
    return pump;
}

/* The thread takes no signals: they are the test's, and a closed socket is an error, not one. */
static void pump_start(struct model_pump *pump)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    must(pthread_create(&pump->thread, NULL, pump_model, pump) == 0, "model_pump: thread");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct model_pump *model_pump_pty(struct model *model)
{
    struct model_pump *pump = pump_new(model);
    struct termios settings;
    char path[48];

    pump->wire = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    must(pump->wire >= 0 && grantpt(pump->wire) == 0 && unlockpt(pump->wire) == 0 &&
             ptsname_r(pump->wire, path, sizeof path) == 0,
         "model_pump: pseudo-terminal");
    pump->slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    must(pump->slave >= 0 && tcgetattr(pump->slave, &settings) == 0, path);
    cfmakeraw(&settings);
    must(tcsetattr(pump->slave, TCSANOW, &settings) == 0, path);
    snprintf(pump->address, sizeof pump->address, "pty:%s", path);
    pump_start(pump);
    return pump;
}

struct model_pump *model_pump_tcp(struct model *model)
{
    struct model_pump *pump = pump_new(model);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;

    pump->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(pump->listener, (struct sockaddr *)&name, size) == 0 &&
             listen(pump->listener, 1) == 0 &&
             getsockname(pump->listener, (struct sockaddr *)&name, &size) == 0,
         "model_pump: socket");
    snprintf(pump->address, sizeof pump->address, "tcp:127.0.0.1:%u", ntohs(name.sin_port));
    pump_start(pump);
    return pump;
}

const char *model_pump_address(const struct model_pump *pump)
{
    return pump->address;
}

struct model *model_pump_lock(struct model_pump *pump, nanos_t *now)
{
    pthread_mutex_lock(&pump->mutex);
    *now = clock_now(&pump->clock);
    return pump->model;
}

void model_pump_unlock(struct model_pump *pump)
{
    pthread_mutex_unlock(&pump->mutex);
    eventfd_write(pump->wake, 1);
}

void model_pump_stop(struct model_pump *pump)
{
    nanos_t now;

    model_pump_lock(pump, &now);
    pump->stopping = true;
    model_pump_unlock(pump);
    pthread_join(pump->thread, NULL);
    tear_cable(pump);
    close(pump->wake);
    pthread_mutex_destroy(&pump->mutex);
    free(pump);
}
