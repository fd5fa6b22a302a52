/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE ((size_t)16 * 1024)

static enum regular_state why_not(int reason)
{
    switch (reason) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
        return REGULAR_MISSING;
    case ELOOP: /* a link */
    case ENXIO: /* a socket */
    case ENODEV:
        return REGULAR_OTHER;
    default:
        return REGULAR_UNREADABLE;
    }
}

int regular_open(const char *path, off_t *size, enum regular_state *state)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    struct stat status;

    if (fd < 0) {
        *state = why_not(errno);
        return -1;
    }
    *state = fstat(fd, &status) ? REGULAR_UNREADABLE : REGULAR_READ;
    if (*state == REGULAR_READ && (!S_ISREG(status.st_mode) || status.st_size > REGULAR_LARGEST))
        *state = REGULAR_OTHER;
    if (*state != REGULAR_READ) {
        close(fd);
        return -1;
    }
    *size = status.st_size;
    return fd;
}

int regular_descriptor(const char *path, bool by_link)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (by_link ? 0 : O_NOFOLLOW));
    struct stat status;

    if (fd < 0 || (!fstat(fd, &status) && S_ISREG(status.st_mode)))
        return fd;
    close(fd);
    return -1;
}

/* Up to where the file ended when it was opened, or ends by now. */
static bool read_all(int fd, off_t size, struct digest *sum)
{
    uint8_t block[BLOCK_SIZE];

    while (size) {
        size_t wanted = size < (off_t)sizeof block ? (size_t)size : sizeof block;
        ssize_t got = read(fd, block, wanted);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return !got;
        digest_add(sum, block, (size_t)got);
        size -= got;
    }
    return true;
}

enum regular_state regular_digest(const char *path, char digest[DIGEST_SIZE])
{
    enum regular_state state;
    struct digest sum;
    off_t size;
    int fd = regular_open(path, &size, &state);

    if (fd < 0)
        return state;
    digest_begin(&sum);
    if (!read_all(fd, size, &sum))
        state = REGULAR_UNREADABLE;
    close(fd);
    digest_end(&sum, digest);
    return state;
}
