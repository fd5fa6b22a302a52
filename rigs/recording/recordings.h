/*
 * Which recordings a command line means: files as they are named, and every *.shoe below a
 * directory, sorted by path. The list owns its paths.
 */
#ifndef RIGS_RECORDING_RECORDINGS_H
#define RIGS_RECORDING_RECORDINGS_H

#include <stddef.h>

#include "hal/base/error.h"

struct recordings {
    char **paths;
    size_t count;
};

/* `names` ends with NULL. ERROR_CONFIG names what is not there, or holds no recording. */
int recordings_find(char *const *names, struct recordings *recordings, struct error *error);

/* ERROR_CONFIG when two paths are the same file, which would be read twice. */
int recordings_check_once(const struct recordings *recordings, struct error *error);

void recordings_free(struct recordings *recordings);

#endif
