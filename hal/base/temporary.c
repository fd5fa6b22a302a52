/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder ? folder : "/tmp";
}

/* For file systems that have no files without a name. */
static int open_and_unlink(void)
{
    char path[PATH_MAX];
    int fd;

    if (snprintf(path, sizeof path, "%s/dealproof-XXXXXX", temporary_folder()) >=
        (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

int temporary_open(void)
{
    int fd = open(temporary_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    return fd < 0 && errno == EOPNOTSUPP ? open_and_unlink() : fd;
}
