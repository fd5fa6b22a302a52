/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What takes longer than a moment, a report of a long run or a doctor, is done on a thread of its
 * own, one after the other, while the client's connection is suspended: everybody else is served
 * meanwhile.
 */
#include <signal.h>
#include <unistd.h>

#include "rigs/station/station.h"

static void *work(void *context)
{
    struct server *server = context;
    struct later *later = &server->later;

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
        server_wake(server);
    }
    pthread_mutex_unlock(&later->lock);
    return NULL;
}

/* Signals are for the threads of the bench. */
int later_start(struct server *server)
{
    struct later *later = &server->later;
    sigset_t all, before;
    int failed;

    pthread_mutex_init(&later->lock, NULL);
    pthread_cond_init(&later->changed, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&later->thread, NULL, work, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    later->is_started = !failed;
    return failed;
}

enum MHD_Result later_do(struct request *request, void (*to_do)(struct request *request))
{
    struct later *later = &request->server->later;
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

void later_resume(struct server *server, nanos_t now)
{
    struct later *later = &server->later;
    struct request *done;

    pthread_mutex_lock(&later->lock);
    done = later->done;
    later->done = NULL;
    pthread_mutex_unlock(&later->lock);
    resume_all(server, done, now);
}

void later_stop(struct server *server, nanos_t now)
{
    struct later *later = &server->later;

    if (!later->is_started)
        return;
    pthread_mutex_lock(&later->lock);
    later->is_ending = true;
    pthread_cond_signal(&later->changed);
    pthread_mutex_unlock(&later->lock);
    pthread_join(later->thread, NULL);
    later->is_started = false;
    later_resume(server, now);
    /* Nobody has begun with these, and nobody will. */
    for (struct request *request = later->waiting; request; request = request->next)
        request->is_given_up = true;
    resume_all(server, later->waiting, now);
    later->waiting = NULL;
    pthread_cond_destroy(&later->changed);
    pthread_mutex_destroy(&later->lock);
}
