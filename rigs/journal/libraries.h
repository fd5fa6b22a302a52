/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What this program runs on: the libraries as they are loaded, not as they were compiled against,
 * the C library, the kernel and the compiler. For the first line of a journal and for the doctor.
 */
#ifndef RIGS_JOURNAL_LIBRARIES_H
#define RIGS_JOURNAL_LIBRARIES_H

#include <stddef.h>

#define LIBRARIES_MAX        16
#define LIBRARY_VERSION_SIZE 72

struct library {
    const char *name;
    const char *version;
};

struct libraries {
    size_t count;
    struct library list[LIBRARIES_MAX];
    char versions[LIBRARIES_MAX][LIBRARY_VERSION_SIZE]; /* what `list` points at */
};

/* The struct must stay where it is: its list points into it. */
void libraries_find(struct libraries *libraries);

/*
 * The build of this program: the linker's own digest of it, in hexadecimal digits; "" where it was
 * linked without one.
 */
#define LIBRARIES_BUILD_SIZE 65
const char *libraries_build(char build[LIBRARIES_BUILD_SIZE]);

/* The version of one of them, or NULL where the name is unknown. */
const char *libraries_version(const struct libraries *libraries, const char *name);

#endif
