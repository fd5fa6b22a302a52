/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'verify' of a bundle: one page that says what is proved, by whom, and what is not. */
#ifndef TOOLS_VERIFY_BUNDLE_H
#define TOOLS_VERIFY_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/command.h"

struct verify_bundle {
    const char *signers; /* file of those whose signatures count; NULL: nobody is asked for */
    const char *revoked; /* file of keys that count no more; NULL: none */
    bool replay;         /* what cannot be played or settled again is no proof */
    bool json;
    int64_t when; /* that signatures are held against, in seconds since 1970; 0: now */
};

/* Whether the file begins as an archive does: 1, 0, or ERROR_RIG when it cannot be read. */
int verify_is_bundle(const char *path, struct error *error);

/* Prints the page; the exit status. */
int verify_bundle(const struct command *command, const char *path, const struct verify_bundle *how);

#endif
