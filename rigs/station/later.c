/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What takes longer than a moment, a report of a long run or a doctor, is done on a thread of its
 * own, one after the other, while the client's connection is suspended: everybody else is served
 * meanwhile. So are answers that another program has to take, on a second one.
 */
#include <signal.h>
#include <unistd.h>

#include "rigs/station/station.h"

static void *work(void *context)
{
    struct later *later = context;

    pthread_mutex_lock(&later->lock);
    while (!later->is_ending) {
        struct request *request = later->waiting;

        if (!request) {
            pthread_cond_wait(&later->changed, &later->lock);
            continue;
        }
        later->waiting = request->next;
        pthread_mutex_unlock(&later->lock);
        request->work(request);
        pthread_mutex_lock(&later->lock);
        request->next = later->done;
        later->done = request;
        server_wake(later->server);
    }
    pthread_mutex_unlock(&later->lock);
    return NULL;
}

/* Signals are for the threads of the bench. */
static int start(struct server *server, struct later *later)
{
    sigset_t all, before;
    int failed;

    later->server = server;
    pthread_mutex_init(&later->lock, NULL);
    pthread_cond_init(&later->changed, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&later->thread, NULL, work, later);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    later->is_started = !failed;
    return failed;
}

int later_start(struct server *server)
{
    int failed = 0;

    for (unsigned i = 0; !failed && i < LATER_COUNT; i++)
        failed = start(server, &server->later[i]);
    return failed;
}

enum MHD_Result later_do(struct request *request, enum later_what what,
                         void (*to_do)(struct request *request))
{
    struct later *later = &request->server->later[what];
    struct request **last = &later->waiting;

    request->work = to_do;
    request->is_suspended = true;
    request->connection->deadline = NEVER;
    http.suspend_connection(request->http);
    pthread_mutex_lock(&later->lock);
    while (*last)
        last = &(*last)->next;
    request->next = NULL;
    *last = request;
    pthread_cond_signal(&later->changed);
    pthread_mutex_unlock(&later->lock);
    return MHD_YES;
}

static void resume_all(struct server *server, struct request *request, nanos_t now)
{
    while (request) {
        struct request *next = request->next;

        request->is_suspended = false;
        request->connection->deadline = now + 10 * server->patience;
        http.resume_connection(request->http);
        request = next;
    }
}

static void resume_done(struct later *later, nanos_t now)
{
    struct request *done;

    pthread_mutex_lock(&later->lock);
    done = later->done;
    later->done = NULL;
    pthread_mutex_unlock(&later->lock);
    resume_all(later->server, done, now);
}

void later_resume(struct server *server, nanos_t now)
{
    for (unsigned i = 0; i < LATER_COUNT; i++)
        resume_done(&server->later[i], now);
}

static void stop(struct later *later, nanos_t now)
{
    if (!later->is_started)
        return;
    pthread_mutex_lock(&later->lock);
    later->is_ending = true;
    pthread_cond_signal(&later->changed);
    pthread_mutex_unlock(&later->lock);
    pthread_join(later->thread, NULL);
    later->is_started = false;
    resume_done(later, now);
    /* Nobody has begun with these, and nobody will. */
    for (struct request *request = later->waiting; request; request = request->next)
        request->is_given_up = true;
    resume_all(later->server, later->waiting, now);
    later->waiting = NULL;
    pthread_cond_destroy(&later->changed);
    pthread_mutex_destroy(&later->lock);
}

void later_stop(struct server *server, nanos_t now)
{
    for (unsigned i = 0; i < LATER_COUNT; i++)
        stop(&server->later[i], now);
}
