/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `dealproof discover --rig`: a rig file with the addresses of what is attached here. The files
 * of the command share this and nothing else.
 */
#ifndef TOOLS_DISCOVER_H
#define TOOLS_DISCOVER_H

#include <stdio.h>

#include "hal/base/error.h"

/*
 * Writes the file to `out`, each real address replaced where one attached device is the only one
 * that can be meant; everything else stays as it is, comments included. What was found for each
 * device is said on `notes`. Returns 0, ERROR_DEVICE when a device has none or several candidates,
 * or the error that ended it.
 */
int discover_fill(const char *path, FILE *out, FILE *notes, struct error *error);

#endif
