/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/turns.h"

#include <stdlib.h>

bool turns_init(struct turns *turns, size_t count, size_t window, turns_hearer hear, void *context)
{
    *turns = (struct turns){.hear = hear, .context = context, .window = window, .end = count};
    turns->done = calloc(window, sizeof *turns->done);
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->moved, NULL);
    return turns->done;
}

void turns_free(struct turns *turns)
{
    pthread_cond_destroy(&turns->moved);
    pthread_mutex_destroy(&turns->lock);
    free(turns->done);
}

void turns_begin_at(struct turns *turns, size_t index)
{
    turns->next = turns->heard = index;
}

bool turns_take(struct turns *turns, size_t *index)
{
    bool taken;

    pthread_mutex_lock(&turns->lock);
    while (turns->next < turns->end && turns->next - turns->heard >= turns->window)
        pthread_cond_wait(&turns->moved, &turns->lock);
    taken = turns->next < turns->end;
    if (taken)
        *index = turns->next++;
    pthread_mutex_unlock(&turns->lock);
    return taken;
}

static bool is_ready(const struct turns *turns)
{
    return turns->heard < turns->end && turns->done[turns->heard % turns->window];
}

void turns_done(struct turns *turns, size_t index)
{
    pthread_mutex_lock(&turns->lock);
    turns->done[index % turns->window] = true;
    while (!turns->hearing && is_ready(turns)) {
        turns->hearing = true;
        pthread_mutex_unlock(&turns->lock);
        turns->hear(turns->context, turns->heard);
        pthread_mutex_lock(&turns->lock);
        turns->hearing = false;
        turns->done[turns->heard++ % turns->window] = false;
        pthread_cond_broadcast(&turns->moved);
    }
    pthread_mutex_unlock(&turns->lock);
}

bool turns_is_next(struct turns *turns, size_t index)
{
    bool is_next;

    pthread_mutex_lock(&turns->lock);
    is_next = turns->heard == index && index < turns->end;
    pthread_mutex_unlock(&turns->lock);
    return is_next;
}

static void end_at(struct turns *turns, size_t end)
{
    if (end < turns->end)
        turns->end = end;
    pthread_cond_broadcast(&turns->moved);
}

void turns_cut(struct turns *turns, size_t index)
{
    pthread_mutex_lock(&turns->lock);
    end_at(turns, index + 1);
    pthread_mutex_unlock(&turns->lock);
}

void turns_close(struct turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    end_at(turns, turns->next);
    pthread_mutex_unlock(&turns->lock);
}
