/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/veil.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* No file reaches so far: the byte that a writer locks, behind all that a veil can cover. */
#define BEHIND ((off_t)1 << 60)

static int lock(int fd, int command, short type, off_t from, off_t length)
{
    struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = from, .l_len = length};

    return fcntl(fd, command, &range);
}

bool veil_lock(int fd)
{
    return !lock(fd, F_OFD_SETLK, F_WRLCK, BEHIND, 1) || (errno != EAGAIN && errno != EACCES);
}

bool veil_is_locked(int fd)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = BEHIND, .l_len = 1};

    return !fcntl(fd, F_OFD_GETLK, &range) && range.l_type != F_UNLCK;
}

void veil_draw(int fd, off_t from)
{
    lock(fd, F_OFD_SETLK, F_WRLCK, from, BEHIND - from);
}

void veil_lift(int fd, off_t size)
{
    lock(fd, F_OFD_SETLK, F_UNLCK, 0, BEHIND);
    /* It stays as long as it is; where that fails, the next line tells. */
    if (ftruncate(fd, size))
        return;
}

off_t veil_find(int fd)
{
    struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = BEHIND};

    if (fcntl(fd, F_OFD_GETLK, &range) || range.l_type == F_UNLCK)
        return -1;
    return range.l_start;
}
