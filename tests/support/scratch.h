/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of a test's own under /tmp. A path names nothing yet; who writes there removes it. A
 * program whose scratch file fails ends at once.
 */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

#define SCRATCH_PATH_SIZE 64

void scratch_path(char path[SCRATCH_PATH_SIZE]);

/* A path of a folder, which is made. */
void scratch_folder(char path[SCRATCH_PATH_SIZE]);

/* The whole file with a NUL after it, to be freed. */
char *scratch_read(const char *path, size_t *length);
/* How many lines a file has; -1 when the last one has no newline. */
int scratch_lines(const char *path);

void scratch_write(const char *path, const char *text, size_t length);

/* Removes a file, or a folder with all that is in it, if it is there. */
void scratch_remove(const char *path);

/* How many files have a name that begins so. */
size_t scratch_count(const char *path);

#endif
