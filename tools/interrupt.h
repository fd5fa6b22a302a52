/*
 * Ctrl-C while a bench works: the first SIGINT or SIGTERM asks for an end at the next safe point,
 * the second one ends every wait of the bench. A thread of its own watches; both signals are
 * blocked from then on. The struct stays where it is, and the bench open, until the release.
 */
#ifndef TOOLS_INTERRUPT_H
#define TOOLS_INTERRUPT_H

#include <pthread.h>
#include <stdatomic.h>

#include "games/error.h"
#include "hal/hal.h"

struct interrupt {
    atomic_bool asked; /* to end at the next safe point */
    struct hal *hal;
    int signals, done;
    pthread_t watcher;
};

/* ERROR_RIG when the system has no descriptor or thread left; nothing is to be released then. */
int interrupt_watch(struct interrupt *interrupt, struct hal *hal, struct error *error);
void interrupt_release(struct interrupt *interrupt);

#endif
