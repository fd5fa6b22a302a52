/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "pty:PATH": a pseudo-terminal, or any terminal whose settings do not matter. libserialport opens
 * only what has a place under /sys/class/tty, which these do not have. Opened for one link alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "hal/base/registry.h"
#include "hal/link/descriptor.h"

struct pty_link {
    struct link link;
    int fd;
};

static int say_why_not(const struct link *link, int code, struct error *error)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return error_set(error, ERROR_DEVICE,
                         "%s: there is no such file: start the device's side first, or correct "
                         "the path",
                         link->address);
    case EIO:
    case ENXIO:
    case ENODEV:
        return error_set(error, ERROR_DEVICE,
                         "%s: nobody is on the other side: start the device's side first",
                         link->address);
    case EACCES:
    case EPERM:
        return error_set(error, ERROR_RIG,
                         "%s: no permission to read and write it: `ls -l` shows whose it is; join "
                         "that group or become that user",
                         link->address);
    case ENOTTY:
        return error_set(error, ERROR_CONFIG,
                         "%s is a device but not a terminal: give the path of one, as in "
                         "pty:/dev/pts/3",
                         link->address);
    case EBUSY:
    case EWOULDBLOCK:
        return error_set(error, ERROR_RIG,
                         "%s is busy: another program has it for itself; `fuser` shows which",
                         link->address);
    default:
        return error_set(error, ERROR_RIG, "%s cannot be opened: %s", link->address,
                         strerror(code));
    }
}

static int make_raw(int fd)
{
    struct termios settings;

    if (tcgetattr(fd, &settings) < 0)
        return -1;
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    /* With VMIN 0 a read of nothing would look like a hang-up. */
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return tcsetattr(fd, TCSANOW, &settings);
}

static int pty_open(struct link *link, const char *rest, struct error *error)
{
    struct pty_link *pty = (struct pty_link *)link;
    struct stat status;

    if (!*rest)
        return error_set(error, ERROR_CONFIG, "%s names no terminal: write pty:/dev/pts/3",
                         link->address);
    if (stat(rest, &status) < 0)
        return say_why_not(link, errno, error);
    if (!S_ISCHR(status.st_mode))
        return error_set(error, ERROR_CONFIG,
                         "%s is %s and not a terminal: give the path of one, as in pty:/dev/pts/3",
                         link->address, S_ISDIR(status.st_mode) ? "a directory" : "a file");
    pty->fd = open(rest, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (pty->fd < 0)
        return say_why_not(link, errno, error);
    /* Two readers would each get a part of what the device says. */
    if (flock(pty->fd, LOCK_EX | LOCK_NB) < 0 || make_raw(pty->fd) < 0) {
        int code = errno;

        close(pty->fd);
        return say_why_not(link, code, error);
    }
    return 0;
}

static void pty_close(struct link *link)
{
    close(((struct pty_link *)link)->fd);
}

static ssize_t pty_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                        struct error *error)
{
    return descriptor_read(link, ((struct pty_link *)link)->fd, bytes, size, deadline, error);
}

static ssize_t pty_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    return descriptor_write(link, ((struct pty_link *)link)->fd, write, bytes, size, deadline,
                            error);
}

static void pty_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled)
{
    descriptor_polled(((const struct pty_link *)link)->fd, reads, writes, polled);
}

static const struct link_backend pty_backend = {
    .scheme = "pty",
    .form = "pty:PATH, as in pty:/dev/pts/3",
    .size = sizeof(struct pty_link),
    .open = pty_open,
    .close = pty_close,
    .read = pty_read,
    .write = pty_write,
    .polled = pty_polled,
};

REGISTER(link_backends, pty_backend);
