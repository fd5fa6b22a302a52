/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that are started between failing_begin() and failing_end() have a call fail, of the disk
 * or for memory: the library of tests/preload/ is put before the C library of theirs.
 */
#ifndef TESTS_SUPPORT_LIES_FAILING_H
#define TESTS_SUPPORT_LIES_FAILING_H

#include <stdbool.h>

#include "tests/support/scratch.h"

struct failing {
    char failed[SCRATCH_PATH_SIZE]; /* is made when one has */
};

/* The nth call, from 1, fails with that errno; with "on", all after it too. */
void failing_begin(struct failing *failing, const char *call, unsigned at, int reason,
                   const char *more);

/* Whether any has failed. */
bool failing_end(const struct failing *failing);

#endif
