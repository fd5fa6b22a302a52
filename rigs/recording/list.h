/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which recordings a command line means: files as they are named, and every *.shoe below a
 * directory, sorted by path. The list owns its paths.
 */
#ifndef RIGS_RECORDING_LIST_H
#define RIGS_RECORDING_LIST_H

#include <stddef.h>

#include "hal/base/error.h"

struct recording_list {
    char **paths;
    size_t count;
};

/* `names` ends with NULL. ERROR_CONFIG names what is not there, or holds no recording. */
int recording_list_find(char *const *names, struct recording_list *recordings, struct error *error);

/* ERROR_CONFIG when two paths are the same file, which would be read twice. */
int recording_list_check_once(const struct recording_list *recordings, struct error *error);

void recording_list_free(struct recording_list *recordings);

#endif
