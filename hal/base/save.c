/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fill(save_writer *write, const void *what, int fd)
{
    FILE *out = fdopen(fd, "w");
    int reason;

    if (!out) {
        reason = errno;
        close(fd);
        return reason;
    }
    errno = 0;
    write(what, out);
    reason = fflush(out) || ferror(out) ? errno : 0;
    if (!reason && fsync(fd) && errno != EINVAL)
        reason = errno;
    if (fclose(out) && !reason)
        reason = errno;
    return reason;
}

/* A file of that name is left from an earlier process with our number; nobody uses it. */
static int open_temporary(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = open(path, flags, 0666);

    if (fd < 0 && errno == EEXIST && !unlink(path))
        fd = open(path, flags, 0666);
    return fd;
}

/* Everything is on the disk before the new file takes the name of the old one. */
static int replace_named(save_writer *write, const void *what, const char *path,
                         const char *temporary)
{
    int fd = open_temporary(temporary);
    int reason = fd < 0 ? errno : fill(write, what, fd);

    if (!reason && rename(temporary, path))
        reason = errno;
    if (reason && fd >= 0)
        unlink(temporary);
    return reason;
}

#define HANDLE_SIZE 32

/* A file without a name in the folder of `path`, and what link(2) can find it by; or -1. */
static int open_nameless(const char *path, char handle[HANDLE_SIZE])
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    int fd = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;

    free(folder);
    snprintf(handle, HANDLE_SIZE, "/proc/self/fd/%d", fd);
    if (fd >= 0 && access(handle, F_OK)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* link(2) replaces nothing; rename(2) does. */
static int give_name(const char *handle, const char *path, const char *temporary)
{
    if (!linkat(AT_FDCWD, handle, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
        return 0;
    if (errno != EEXIST)
        return errno;
    unlink(temporary);
    if (linkat(AT_FDCWD, handle, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW))
        return errno;
    if (rename(temporary, path)) {
        int reason = errno;

        unlink(temporary);
        return reason;
    }
    return 0;
}

/* Signals are blocked while the new file has a name; without one it vanishes with the process. */
static int replace(save_writer *write, const void *what, const char *path)
{
    char handle[HANDLE_SIZE], *temporary;
    int fd, reason = 0;
    sigset_t all, before;

    if (asprintf(&temporary, "%s.%jd.tmp", path, (intmax_t)getpid()) < 0)
        return ENOMEM;
    fd = open_nameless(path, handle);
    if (fd >= 0) {
        int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

        reason = copy < 0 ? errno : fill(write, what, copy);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (fd < 0)
        reason = replace_named(write, what, path, temporary);
    else if (!reason)
        reason = give_name(handle, path, temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (fd >= 0)
        close(fd);
    free(temporary);
    return reason;
}

static int overwrite(save_writer *write, const void *what, const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fd < 0 ? errno : fill(write, what, fd);
}

int save_whole(const char *path, save_writer *write, const void *what, struct error *error)
{
    struct stat status;
    int reason = !stat(path, &status) && !S_ISREG(status.st_mode) ? overwrite(write, what, path)
                                                                  : replace(write, what, path);

    return reason ? error_set(error, ERROR_RIG,
                              "%s: cannot be written: %s; what was there is untouched", path,
                              strerror(reason))
                  : 0;
}
