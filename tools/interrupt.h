/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP as calls on a thread of their own, where locks may be taken and
 * devices spoken to. These signals stay blocked in the thread that asks and in those it starts
 * later. The owner keeps the struct where it is until the release.
 */
#ifndef TOOLS_INTERRUPT_H
#define TOOLS_INTERRUPT_H

#include <pthread.h>

#include "hal/base/error.h"

struct interrupt {
    int signals, done; /* descriptors */
    pthread_t watcher;
    void (*caught)(void *context, unsigned times);
    void *context;
};

/*
 * `caught` is told how many signals have come, from 1. ERROR_RIG when the system has no descriptor
 * or thread left; nothing is to be released then.
 */
int interrupt_watch(struct interrupt *interrupt, void (*caught)(void *context, unsigned times),
                    void *context, struct error *error);
void interrupt_release(struct interrupt *interrupt);

/*
 * For who waits by poll(): a descriptor that becomes readable at one of these signals, which then
 * do nothing else; the caller closes it. ERROR_RIG when there is none left.
 */
int interrupt_descriptor(struct error *error);

/* Lets the signals end the program again, once everything is written that must not be lost. */
void interrupt_allow(void);

#endif
