/*
 * What every link and pin of one bench shares: its clock, the way to cancel it, and the device
 * models that "emu:" addresses may name. The owner sets it up before the first open and keeps it
 * until after the last close.
 */
#ifndef HAL_HAL_H
#define HAL_HAL_H

#include <stdbool.h>
#include <stddef.h>

#include "games/error.h"
#include "hal/clock.h"

struct model;

/*
 * Makes a device model for "emu:NAME[?OPTIONS]". `options` is the text after '?', or "". The hal
 * knows no device: whoever sets up the bench gives it this function (NULL: nothing is emulated).
 */
typedef struct model *(*model_maker)(void *context, const char *name, const char *options,
                                     struct error *error);

struct hal {
    struct clock *clock;
    int cancel_fd; /* an eventfd; readable means cancelled. -1: cannot be cancelled */
    model_maker make_model;
    void *model_context;
};

/* A real clock and a cancellation that hal_cancel() triggers; ERROR_RIG when out of descriptors. */
int hal_open(struct hal *hal, struct clock *clock, struct error *error);
void hal_close(struct hal *hal);

/* Ends every wait of this bench with ERROR_ABORTED, now and later. Safe in a signal handler. */
void hal_cancel(const struct hal *hal);
bool hal_cancelled(const struct hal *hal);

/*
 * Waits until a descriptor is ready, the deadline has passed or the bench is cancelled. Returns
 * the revents, 0 at the deadline, ERROR_ABORTED or ERROR_RIG. Every real backend waits here, so
 * that none of them spins.
 */
int hal_wait(const struct hal *hal, int fd, short events, nanos_t deadline, struct error *error);

#endif
