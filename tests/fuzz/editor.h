/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Somebody on the line who rewrites messages of emulated devices as an input says: how many pass,
 * then what is done to the next one. Its check is made good again (tests/support/lies/alter.h).
 */
#ifndef TESTS_FUZZ_EDITOR_H
#define TESTS_FUZZ_EDITOR_H

#include <stdbool.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/lies/alter.h"

struct editor {
    struct fuzz_input input;
    unsigned passes; /* messages until the next edit */
    bool is_over;    /* there are no more */
    unsigned edits, cards;
};

void editor_begin(struct editor *editor, struct fuzz_input input);

/* For struct alter; the context is the editor. */
void editor_lie(void *context, enum device_class from, struct alter_message *message);

#endif
