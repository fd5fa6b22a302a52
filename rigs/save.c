#include "rigs/save.h"

#include <errno.h>
#include <fcntl.h>
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

/* What an earlier program of the same number has left behind is in nobody's use. */
static int open_temporary(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = open(path, flags, 0666);

    if (fd < 0 && errno == EEXIST && !unlink(path))
        fd = open(path, flags, 0666);
    return fd;
}

/* Everything is on the disk before the new file takes the name of the old one. */
static int replace(save_writer *write, const void *what, const char *path)
{
    char *temporary;
    int fd, reason;

    if (asprintf(&temporary, "%s.%jd.tmp", path, (intmax_t)getpid()) < 0)
        return ENOMEM;
    fd = open_temporary(temporary);
    reason = fd < 0 ? errno : fill(write, what, fd);
    if (!reason && rename(temporary, path))
        reason = errno;
    if (reason && fd >= 0)
        unlink(temporary);
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
