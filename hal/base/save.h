/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are written whole or not at all: everything is on the disk before the new file takes
 * the name of the old one. Nothing is kept; what fails, or is ended by a signal, leaves what was
 * there and nothing beside it. No link at the end of a path is followed: it is replaced.
 */
#ifndef HAL_BASE_SAVE_H
#define HAL_BASE_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "hal/base/error.h"
#include "hal/base/registry.h"

/*
 * A kind of file that no other one takes the place of, such as a journal: REGISTER(save_kinds, x)
 * in the file of a kind makes it known here, and save_whole() leaves it alone then.
 */
struct save_kept {
    const char *name; /* for sentences: "a journal" */
    /* By the first line, or as much of it as SAVE_LOOK_SIZE; without its newline. */
    bool (*is_one)(const char *line, size_t length);
};

#define SAVE_LOOK_SIZE 4096

/*
 * Whether save_whole() may take the place of what is there: ERROR_CONFIG names the kind of a file
 * that is kept, also behind a link. For who is to write later, and can be told now.
 */
int save_may_replace(const char *path, struct error *error);

/* Errors of writing are the stream's; one that lacks memory leaves ENOMEM in errno. */
typedef void save_writer(const void *what, FILE *out);

/*
 * ERROR_RIG when it cannot be, ERROR_CONFIG where what is there is kept. What is there and no file,
 * such as a pipe, is written as it is.
 */
int save_whole(const char *path, save_writer *write, const void *what, struct error *error);

/*
 * Opens what is there with these flags. A link is followed only in the names that the system gives
 * to descriptors which this process has, such as /dev/stdout; -1 with ELOOP elsewhere.
 */
int save_open_there(const char *path, int flags);

/* Makes a file and opens it with these flags; -1 with EEXIST where there is anything, a link too.
 */
int save_open_new(const char *path, int flags, mode_t mode);

/*
 * The same in place of a file or a link that is there, whose target stays as it is. What is there
 * and no file is opened as it is.
 */
int save_open_anew(const char *path, int flags, mode_t mode);

/* What is there, if anything, as lstat(2) says, or stat(2) of such a name. */
int save_look(const char *path, struct stat *status);

/* Writes to an open file; 0, or an error with its sentence. */
typedef int save_filler(void *what, int fd, struct error *error);

/*
 * A file of a name that nothing has: ERROR_CONFIG where something does, which is left alone,
 * ERROR_RIG when it cannot be written, or what `fill` fails with.
 */
int save_filled(const char *path, save_filler *fill, void *what, struct error *error);
int save_new(const char *path, save_writer *write, const void *what, struct error *error);

#endif
