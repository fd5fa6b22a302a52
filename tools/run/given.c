/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/given.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "tools/output.h"

/* Each time from its beginning, whoever else reads it. */
static int open_given(const void *context, const char *path, struct error *error)
{
    const struct run_given *given = context;
    char name[32];
    int fd;

    if (strcmp(path, RUN_GIVEN_NAME) != 0)
        return lines_open(given->expect, error);
    snprintf(name, sizeof name, "/proc/self/fd/%d", given->recorded);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? error_set(error, ERROR_RIG, "standard input: cannot be read again: %s",
                              strerror(errno))
                  : fd;
}

int run_given_read(struct run_given *given, const char *expect, struct error *error)
{
    char block[16384];
    ssize_t got;
    int status = 0;

    *given = (struct run_given){.recorded = memfd_create(RUN_GIVEN_NAME, MFD_CLOEXEC),
                                .expect = expect,
                                .place = {.open = open_given, .context = given}};
    if (given->recorded < 0)
        return error_set(error, ERROR_RIG, "standard input: cannot be kept: %s", strerror(errno));
    while (!status &&
           ((got = read(STDIN_FILENO, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0)
            status = output_write(given->recorded, -1, block, (size_t)got, error);
    if (!status && got < 0)
        status = error_set(error, ERROR_RIG, "standard input: cannot be read: %s", strerror(errno));
    return status;
}

void run_given_close(struct run_given *given)
{
    if (given->recorded >= 0)
        close(given->recorded);
    given->recorded = -1;
}

int run_given_list(struct recording_list *recordings, struct error *error)
{
    *recordings = (struct recording_list){.paths = malloc(sizeof *recordings->paths)};
    if (recordings->paths)
        recordings->paths[0] = strdup(RUN_GIVEN_NAME);
    if (!recordings->paths || !recordings->paths[0]) {
        free(recordings->paths);
        return error_set(error, ERROR_RIG, "out of memory");
    }
    recordings->count = 1;
    return 0;
}
