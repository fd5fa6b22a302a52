/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that somebody else has named, in a journal or an archive, and that are only to be read: a
 * regular file or none, never a device that has no end, a pipe that nobody writes to, or what a
 * link at the end of the path points at. No more is read than the file had when it was opened.
 */
#ifndef HAL_BASE_REGULAR_H
#define HAL_BASE_REGULAR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hal/base/digest.h"

/* More than that is read of none. */
#define REGULAR_LARGEST ((off_t)4 * 1024 * 1024 * 1024)

enum regular_state {
    REGULAR_READ,
    REGULAR_MISSING,
    REGULAR_OTHER,     /* no regular file, a link, or larger than that */
    REGULAR_UNREADABLE /* nobody can tell what is in it */
};

/* A descriptor for reading and the file's size; or -1, and why. */
int regular_open(const char *path, off_t *size, enum regular_state *state);

/* A descriptor of a regular file of any size, by a link too where that is allowed; or -1. */
int regular_descriptor(const char *path, bool by_link);

/* The digest of its bytes. */
enum regular_state regular_digest(const char *path, char digest[DIGEST_SIZE]);

#endif
