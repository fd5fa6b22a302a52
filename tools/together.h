/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that belong together, as a recording and its expectation do: NAME.shoe, NAME.expect and
 * what else there is of it. Nothing is overwritten, and all of them are written or none.
 */
#ifndef TOOLS_TOGETHER_H
#define TOOLS_TOGETHER_H

#include <stddef.h>

#include "hal/base/error.h"

struct together_file {
    const char *ending; /* ".shoe" */
    const char *text;
    size_t length;
};

/* NAME of "NAME.shoe"; ERROR_CONFIG for another path. */
int together_name(const char *shoe, char *name, size_t size, struct error *error);

/*
 * Whether files of NAME can be made, before the work is done that fills them: ERROR_CONFIG when one
 * is there already or the name is too long, ERROR_RIG when nothing can be made in its folder.
 */
int together_check(const char *name, const struct together_file *files, size_t count,
                   struct error *error);

/*
 * Writes them in their order, and is silent: what needs the others comes last. What fails leaves
 * none of them.
 */
int together_save(const char *name, const struct together_file *files, size_t count,
                  struct error *error);

/* Removes those that were written so. */
void together_remove(const char *name, const struct together_file *files, size_t count);

/* The path of one of them. */
int together_path(const char *name, const struct together_file *file, char *path, size_t size,
                  struct error *error);

#endif
