/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every link and pin of one bench shares: its clock, the way to cancel it, and the device
 * models that "emu:" addresses may name. The owner sets it up before the first open and keeps it
 * until after the last close.
 */
#ifndef HAL_HAL_H
#define HAL_HAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"
#include "hal/clock.h"

struct desk;
struct emulated_chip;
struct model;
struct pollfd;

/*
 * Makes a device model for "emu:NAME[?OPTIONS]". `options` is the text after '?', or "". The hal
 * knows no device: whoever sets up the bench gives it this function (NULL: nothing is emulated).
 */
typedef struct model *(*model_maker)(void *context, const char *name, const char *options,
                                     struct error *error);

struct hal {
    struct clock *clock;
    int cancel_fd;         /* an eventfd; readable means cancelled. -1: cannot be cancelled */
    atomic_bool cancelled; /* the same, to look at without a system call */
    model_maker make_model;
    void *model_context;
    struct emulated_chip
        *chips;        /* that "emu:" pins may name (hal/pins/emulated_pins.h); NULL: none */
    struct desk *desk; /* where the people at the bench are asked (hal/desk/desk.h); NULL: nobody is
                          there. Set after hal_open() by who keeps it until after hal_close() */
};

/*
 * Takes the caller's clock, which must outlive it, and makes a cancellation that hal_cancel()
 * triggers; nothing is emulated until make_model is set. ERROR_RIG when out of descriptors.
 */
int hal_open(struct hal *hal, struct clock *clock, struct error *error);
void hal_close(struct hal *hal);

/* Ends every wait of this bench with ERROR_ABORTED, now and later. Safe in a signal handler. */
void hal_cancel(struct hal *hal);

/* Waits last again, for whoever has something to put in order after all. */
void hal_resume(struct hal *hal);

static inline bool hal_cancelled(const struct hal *hal)
{
    return atomic_load_explicit(&hal->cancelled, memory_order_relaxed);
}

/*
 * Waits until a descriptor is ready, the deadline has passed or the bench is cancelled; with fd -1
 * only for the latter two. Returns the revents (POLLHUP, POLLERR and POLLNVAL unasked), 0 at the
 * deadline, ERROR_ABORTED or ERROR_RIG. A deadline that has passed already looks once. Every real
 * backend waits here, so that none of them spins.
 *
 * On a virtual clock nobody waits: what is ready now counts, otherwise time jumps to the deadline.
 * Only a descriptor with the deadline NEVER is waited for really; without a descriptor that would
 * never end and is ERROR_RIG.
 */
int hal_wait(const struct hal *hal, int fd, short events, nanos_t deadline, struct error *error);

/* The same for up to HAL_WAIT_MAX descriptors: fills their revents and returns how many are ready.
 */
#define HAL_WAIT_MAX 64
int hal_wait_many(const struct hal *hal, struct pollfd *fds, size_t count, nanos_t deadline,
                  struct error *error);

#endif
