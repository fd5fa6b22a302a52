/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a device that goes away is looked for: by its address, again and again. */
#ifndef HAL_REOPEN_H
#define HAL_REOPEN_H

#include "hal/clock.h"

/* First after `first`, then after twice as long each time up to `longest`, `tries` times in a row.
 */
struct reopen_policy {
    nanos_t first;   /* more than 0 */
    nanos_t longest; /* not less than `first` */
    unsigned tries;  /* more than 0 */
    /* Each time that it came back; may be NULL. */
    void (*said)(void *context, const char *address, unsigned tries, nanos_t away);
    /* Before each try is waited for, from 1; may be NULL, and told again of the same one. */
    void (*awaits)(void *context, unsigned try);
    void *context;
};

#endif
