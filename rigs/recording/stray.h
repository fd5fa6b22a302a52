/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is in a folder beside the files that are looked for and would be left out, though somebody
 * meant it to be one: a link to nothing, a pipe, a name in capital letters, an expectation whose
 * recording is gone. Left out, what it should have proved would pass.
 */
#ifndef RIGS_RECORDING_STRAY_H
#define RIGS_RECORDING_STRAY_H

#include "hal/base/error.h"

/* What is looked for: "recording", ".shoe" and, NULL where there is none, ".expect" beside it. */
struct stray_kind {
    const char *called, *ending, *beside;
};

/* ERROR_CONFIG says what is at the path and what to do, 0 that it is one, or nothing like it. */
int stray_find(const char *path, const struct stray_kind *kind, struct error *error);

/* ERROR_CONFIG when it is a link that leads nowhere, whatever its name. */
int stray_link(const char *path, struct error *error);

#endif
