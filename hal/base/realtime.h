/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Real-time priority for the thread that talks to devices, and all memory of the process locked, so
 * that neither other programs nor the disk delay when it sees what came. Threads and processes that
 * it starts later are ordinary ones.
 */
#ifndef HAL_BASE_REALTIME_H
#define HAL_BASE_REALTIME_H

#include "hal/base/error.h"

/* SCHED_FIFO: above all ordinary programs, below the kernel's threads of interrupts, which have 50.
 */
#define REALTIME_PRIORITY 40

/* What lets a user have it. */
#define REALTIME_REMEDY                                                                            \
    "as root put '@gpio - rtprio 40' and '@gpio - memlock unlimited' into "                        \
    "/etc/security/limits.d/dealproof.conf, join that group and log in again; a systemd unit has " \
    "LimitRTPRIO=40 and LimitMEMLOCK=infinity"

/* For the calling thread, until realtime_end(); ERROR_CONFIG where it is not allowed. */
int realtime_begin(struct error *error);
void realtime_end(void);

/* Whether realtime_begin() would do, tried in a process of its own. */
int realtime_try(struct error *error);

#endif
