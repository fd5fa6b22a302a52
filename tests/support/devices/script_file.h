/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts for tests (devices/SCRIPTS.md), written to scratch files that go when they are dropped.
 */
#ifndef TESTS_SUPPORT_DEVICES_SCRIPT_FILE_H
#define TESTS_SUPPORT_DEVICES_SCRIPT_FILE_H

#include "tests/support/scratch.h"

struct script_file {
    char path[SCRATCH_PATH_SIZE];
};

/* Any bytes; of a text, all of it. */
void script_file_write(struct script_file *file, const void *bytes, size_t size);
void script_file_text(struct script_file *file, const char *text);
void script_file_drop(const struct script_file *file);

/* What the file did to its box when it was run: "" for nothing, or the sentence. */
const char *script_file_run(const char *text);

/* A script of a shuffler with what it must have, around lines of its own: "function d.press() ..."
 */
#define SCRIPT_SHUFFLER(lines)                                                                     \
    "local d = {class = 'shuffler'}\n"                                                             \
    "for _, n in ipairs{'received', 'program', 'shuffle', 'press', 'return_deck', 'clear_error'} " \
    "do d[n] = function() end end\n" lines "\nreturn d\n"

#endif
