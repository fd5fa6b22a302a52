/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a device model on the far side of a pseudo-terminal or of a TCP connection, in a thread of
 * its own and on the real clock, so that a driver meets it as it would meet a device. The model
 * stays the caller's and must outlive its pump; while the pump runs it is touched only between
 * model_pump_lock() and model_pump_unlock(). A model that sets `gone` has its cable torn.
 */
#ifndef TESTS_SUPPORT_DEVICES_MODEL_PUMP_H
#define TESTS_SUPPORT_DEVICES_MODEL_PUMP_H

#include "hal/link/model.h"

struct model_pump;

/* Each aborts when the machine has no terminal, socket or thread left: only a broken test does. */
struct model_pump *model_pump_pty(struct model *model);
struct model_pump *model_pump_tcp(struct model *model);

/* What link_open() takes: "pty:/dev/pts/3", "tcp:127.0.0.1:40123". */
const char *model_pump_address(const struct model_pump *pump);

/* The model, at rest until the pump is unlocked, and the time that it is to be told. */
struct model *model_pump_lock(struct model_pump *pump, nanos_t *now);
void model_pump_unlock(struct model_pump *pump);

/* Ends the thread and hangs up. Waits for nobody but its own thread. */
void model_pump_stop(struct model_pump *pump);

#endif
