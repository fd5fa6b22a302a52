/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `dealproof discover --rig`: a rig file with the addresses of what is attached here; with --slurm,
 * rig files as nodes of a cluster. The files of the command share this and nothing else.
 */
#ifndef TOOLS_DISCOVER_DISCOVER_H
#define TOOLS_DISCOVER_DISCOVER_H

#include <stdio.h>

#include "hal/base/error.h"

/*
 * Writes the file to `out` with the serial number behind each USB address that means one attached
 * device; everything else stays as it is, comments included, above all the address of what is not
 * attached. What was found for each device is said on `notes`, and what it could be instead.
 * Returns 0, ERROR_DEVICE when a device is not there or one of several, or the error that ended it.
 */
int discover_fill(const char *path, FILE *out, FILE *notes, struct error *error);

/*
 * Opens the benches, which end with NULL, and writes what slurm.conf and gres.conf say of them.
 * ERROR_CONFIG when a file is no rig or two would be one node; the errors of benches that cannot be
 * opened. Nothing is written then.
 */
int discover_slurm(char *const *paths, FILE *out, struct error *error);

#endif
