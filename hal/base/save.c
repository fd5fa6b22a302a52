/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/regular.h"

int save_open_new(const char *path, int flags, mode_t mode)
{
    return open(path, flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
}

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
    reason = errno == ENOMEM ? ENOMEM : 0;
    if (!reason && (fflush(out) || ferror(out)))
        reason = errno;
    if (!reason && fsync(fd) && errno != EINVAL)
        reason = errno;
    if (fclose(out) && !reason)
        reason = errno;
    return reason;
}

/* A file of that name is left from an earlier process with our number; nobody uses it. */
static int open_temporary(const char *path)
{
    int fd = save_open_new(path, O_WRONLY, 0666);

    if (fd < 0 && errno == EEXIST && !unlink(path))
        fd = save_open_new(path, O_WRONLY, 0666);
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
    int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;

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

static bool is_own_descriptor(const char *path)
{
    static const char *const names[] = {"/dev/stdout", "/dev/stderr"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(path, names[i]) || !strncmp(path, folders[i], strlen(folders[i])))
            return true;
    return false;
}

int save_open_there(const char *path, int flags)
{
    return open(path, flags | O_CLOEXEC | (is_own_descriptor(path) ? 0 : O_NOFOLLOW));
}

int save_look(const char *path, struct stat *status)
{
    return is_own_descriptor(path) ? stat(path, status) : lstat(path, status);
}

static int overwrite(save_writer *write, const void *what, const char *path)
{
    int fd = save_open_there(path, O_WRONLY);

    return fd < 0 ? errno : fill(write, what, fd);
}

static bool is_written_as_it_is(const char *path)
{
    struct stat status;

    return is_own_descriptor(path) ||
           (!lstat(path, &status) && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode));
}

int save_open_anew(const char *path, int flags, mode_t mode)
{
    if (is_written_as_it_is(path))
        return save_open_there(path, flags);
    if (unlink(path) && errno != ENOENT)
        return -1;
    return save_open_new(path, flags, mode);
}

REGISTRY(save_kinds);

static const char *kept_kind(const char *line, size_t length)
{
    const void *kinds[REGISTRY_MAX];
    size_t count = registry_list(&save_kinds, kinds);

    for (size_t i = 0; i < count; i++) {
        const struct save_kept *kind = kinds[i];

        if (kind->is_one(line, length))
            return kind->name;
    }
    return NULL;
}

/* What cannot be read is not known to be kept. */
int save_may_replace(const char *path, struct error *error)
{
    int fd = is_own_descriptor(path) ? -1 : regular_descriptor(path, true);
    char text[SAVE_LOOK_SIZE];
    const char *newline, *kind;
    ssize_t length;

    if (fd < 0)
        return 0;
    length = pread(fd, text, sizeof text, 0);
    close(fd);
    if (length <= 0)
        return 0;
    newline = memchr(text, '\n', (size_t)length);
    kind = kept_kind(text, newline ? (size_t)(newline - text) : (size_t)length);
    return kind ? error_set(error, ERROR_CONFIG,
                            "%.200s: is %s, and is left alone; name another file to write", path,
                            kind)
                : 0;
}

int save_whole(const char *path, save_writer *write, const void *what, struct error *error)
{
    int reason;

    if (save_may_replace(path, error))
        return ERROR_CONFIG;
    reason = is_written_as_it_is(path) ? overwrite(write, what, path) : replace(write, what, path);

    return reason ? error_set(error, ERROR_RIG,
                              "%s: cannot be written: %s; what was there is untouched", path,
                              strerror(reason))
                  : 0;
}

static int cannot(const char *path, int reason, struct error *error)
{
    if (reason == EEXIST)
        return error_set(error, ERROR_CONFIG,
                         "%.200s: is there already, and is left alone; name another file", path);
    return error_set(error, ERROR_RIG, "%.200s: cannot be written: %s", path, strerror(reason));
}

static int fill_named(const char *path, save_filler *fill_it, void *what, struct error *error)
{
    int fd = save_open_new(path, O_RDWR, 0666);
    int status;

    if (fd < 0)
        return cannot(path, errno, error);
    status = fill_it(what, fd, error);
    if (!status && fsync(fd))
        status = cannot(path, errno, error);
    close(fd);
    if (status)
        unlink(path);
    return status;
}

/* Where files without a name cannot be, it has its name while it is filled: signals wait. */
static int fill_undisturbed(const char *path, save_filler *fill_it, void *what, struct error *error)
{
    sigset_t all, before;
    int status;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = fill_named(path, fill_it, what, error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

int save_filled(const char *path, save_filler *fill_it, void *what, struct error *error)
{
    char handle[HANDLE_SIZE];
    struct stat there;
    int fd, status;

    if (!lstat(path, &there))
        return cannot(path, EEXIST, error);
    fd = open_nameless(path, handle);
    if (fd < 0)
        return fill_undisturbed(path, fill_it, what, error);
    status = fill_it(what, fd, error);
    if (!status && (fsync(fd) || linkat(AT_FDCWD, handle, AT_FDCWD, path, AT_SYMLINK_FOLLOW)))
        status = cannot(path, errno, error);
    close(fd);
    return status;
}

struct stream {
    const char *path; /* for sentences */
    save_writer *write;
    const void *what;
};

static int fill_stream(void *context, int fd, struct error *error)
{
    const struct stream *stream = context;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    int reason = copy < 0 ? errno : fill(stream->write, stream->what, copy);

    return reason ? cannot(stream->path, reason, error) : 0;
}

int save_new(const char *path, save_writer *write, const void *what, struct error *error)
{
    struct stream stream = {path, write, what};

    return save_filled(path, fill_stream, &stream, error);
}
