/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/model_pump.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "devices/serve/serve.h"

struct model_pump {
    struct model *model;
    struct serve *serve;
    struct clock clock;
    pthread_t thread;
    pthread_mutex_t mutex;
    int stop; /* an eventfd */
};

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "model_pump: %s\n", what);
    abort();
}

static void *pump_model(void *context)
{
    struct model_pump *pump = context;
    struct error error;
    int status = 1;

    while (status > 0) {
        pthread_mutex_lock(&pump->mutex);
        status = serve_step(pump->serve, &error);
        pthread_mutex_unlock(&pump->mutex);
        if (status > 0)
            status = serve_wait(pump->serve, pump->stop, &error);
    }
    must(status == 0, error.text);
    return NULL;
}

/* The thread takes no signals: they are the test's. */
static void pump_start(struct model_pump *pump)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    must(pthread_create(&pump->thread, NULL, pump_model, pump) == 0, "no thread");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static struct model_pump *pump_new(struct model *model)
{
    struct model_pump *pump = calloc(1, sizeof *pump);

    must(pump, "no memory");
    pump->model = model;
    clock_real(&pump->clock);
    pthread_mutex_init(&pump->mutex, NULL);
    pump->stop = eventfd(0, EFD_CLOEXEC);
    must(pump->stop >= 0, "no eventfd");
    return pump;
}

struct model_pump *model_pump_pty(struct model *model)
{
    struct model_pump *pump = pump_new(model);
    struct error error;

    must(serve_pty(&pump->serve, model, &error) == 0, error.text);
    pump_start(pump);
    return pump;
}

struct model_pump *model_pump_tcp(struct model *model)
{
    struct model_pump *pump = pump_new(model);
    struct error error;

    must(serve_tcp(&pump->serve, model, "127.0.0.1:0", &error) == 0, error.text);
    pump_start(pump);
    return pump;
}

const char *model_pump_address(const struct model_pump *pump)
{
    return serve_address(pump->serve);
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
    serve_wake(pump->serve);
}

void model_pump_stop(struct model_pump *pump)
{
    eventfd_write(pump->stop, 1);
    pthread_join(pump->thread, NULL);
    serve_close(pump->serve);
    close(pump->stop);
    pthread_mutex_destroy(&pump->mutex);
    free(pump);
}
