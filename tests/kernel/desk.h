/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench with one open link to a peer of the program's link_contract. The caller keeps the struct
 * from desk_start() to desk_end(), and may close the link and open another in its place.
 */
#ifndef TESTS_KERNEL_DESK_H
#define TESTS_KERNEL_DESK_H

#include "hal/hal.h"
#include "hal/link/link.h"
#include "tests/support/devices/link_contract.h"

struct desk {
    struct clock clock;
    struct hal hal;
    struct peer *peer;
    char address[LINK_ADDRESS_MAX];
    struct link *link;
    struct error error;
};

void desk_start(struct desk *desk);
void desk_end(struct desk *desk);

/*
 * Prints what 64 bytes take to the device and back, of that many times. A peer that is no echo is
 * made to read and write in between.
 */
void desk_measure(struct desk *desk, unsigned times, bool is_echo, const char *what);

#endif
