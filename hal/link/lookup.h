/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The addresses of a host, within a deadline. The system's resolver knows neither deadlines nor
 * cancellation and may take half a minute when a network is down, so a name is looked up by a
 * thread of its own, which is left to itself when nobody waits for it any more. A host that is
 * written as a number is not looked up at all.
 */
#ifndef HAL_LINK_LOOKUP_H
#define HAL_LINK_LOOKUP_H

#include <netdb.h>

#include "hal/base/error.h"
#include "hal/hal.h"

#define LOOKUP_HOST_MAX 256
#define LOOKUP_PORT_MAX 6

/*
 * `found` is the caller's, for freeaddrinfo(). ERROR_CONFIG when there is no such host, ERROR_RIG
 * when nobody could say so before the deadline, ERROR_ABORTED. On a virtual clock the resolver has
 * as long as it takes.
 */
int lookup_host(const struct hal *hal, const char *host, const char *port, nanos_t deadline,
                struct addrinfo **found, struct error *error);

#endif
