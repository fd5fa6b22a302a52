/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbered pieces of work that several threads take in any order and that are heard in the order of
 * their numbers, by one thread at a time. A thread that would be too far ahead of what has been
 * heard waits, so that what is kept for hearing is bounded. The owner sets it up before the threads
 * start and frees it after their end.
 */
#ifndef HAL_BASE_TURNS_H
#define HAL_BASE_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Called per piece in order, on a worker thread. */
typedef void (*turns_hearer)(void *context, size_t index);

struct turns {
    turns_hearer hear;
    void *context;
    size_t window;        /* how many pieces may be taken and not yet heard */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t moved;
    size_t next;  /* to be taken */
    size_t heard; /* all before this one */
    size_t end;   /* neither this one nor any later one is taken or heard */
    bool hearing; /* some thread does */
    bool *done;   /* of the pieces in the window, by number modulo its size */
};

/* False when memory is short. */
bool turns_init(struct turns *turns, size_t count, size_t window, turns_hearer hear, void *context);
void turns_free(struct turns *turns);

/* Before any is taken: those before this one were heard at another time. */
void turns_begin_at(struct turns *turns, size_t index);

/* The next piece, when it is near enough; false when there is none left. */
bool turns_take(struct turns *turns, size_t *index);

/* The piece is ready to be heard, and so may be others behind it. */
void turns_done(struct turns *turns, size_t index);

/* Whether this one, which is not done, will be heard, and all pieces before it have been. */
bool turns_is_next(struct turns *turns, size_t index);

/* No piece after this one is taken or heard. */
void turns_cut(struct turns *turns, size_t index);

/* No further piece is taken; those that are will be heard. */
void turns_close(struct turns *turns);

#endif
