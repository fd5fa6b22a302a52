/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that a rig file names and a run depends on: paytables, scripts, maps of cards, approved
 * digests. Their paths stay the rig's.
 */
#ifndef RIGS_RIG_NAMED_H
#define RIGS_RIG_NAMED_H

#include "hal/base/digest.h"
#include "rigs/rig/rig.h"

#define RIG_NAMED_MAX (1 + 3 * DEVICE_CLASSES)

struct rig_named {
    const char *path;
    char digest[DIGEST_SIZE];
};

/* Each once, paytables first; what is no file that can be read is left out. How many. */
unsigned rig_named(const struct rig *rig, struct rig_named named[RIG_NAMED_MAX]);

#endif
