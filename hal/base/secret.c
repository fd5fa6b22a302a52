/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_file(int fd, const char *path, const char *noun, struct error *error)
{
    struct stat about;

    if (fd < 0 || fstat(fd, &about))
        return error_set(error, ERROR_CONFIG, "cannot read the %s file %.200s: %s", noun, path,
                         strerror(errno));
    if (!S_ISREG(about.st_mode))
        return error_set(error, ERROR_CONFIG, "the %s file %.200s is no file", noun, path);
    if (about.st_mode & (S_IRWXG | S_IRWXO))
        return error_set(error, ERROR_CONFIG,
                         "the %s file %.200s can be read by others than its owner: "
                         "chmod 600 it, and write a new %s",
                         noun, path, noun);
    return 0;
}

/* What stands behind a NUL would be no part of the secret, and nobody would be told. */
static int end_line(char *secret, size_t count, const char *path, const char *noun,
                    struct error *error)
{
    const char *newline = memchr(secret, '\n', count);
    size_t length = newline ? (size_t)(newline - secret) : count;

    if (memchr(secret, '\0', length))
        return error_set(error, ERROR_CONFIG,
                         "the %s file %.200s has a NUL byte in its first line; write a text", noun,
                         path);
    if (length && secret[length - 1] == '\r')
        length--;
    secret[length] = '\0';
    return 0;
}

int secret_read(const char *path, const char *noun, char *secret, size_t size, struct error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int status = check_file(fd, path, noun, error);
    ssize_t got = status ? 0 : read(fd, secret, size);
    int reason = errno;

    if (fd >= 0)
        close(fd);
    if (status)
        return status;
    if (got < 0)
        return error_set(error, ERROR_CONFIG, "cannot read the %s file %.200s: %s", noun, path,
                         strerror(reason));
    if ((size_t)got == size && !memchr(secret, '\n', size))
        return error_set(error, ERROR_CONFIG, "the %s in %.200s has more than %zu characters", noun,
                         path, size - 1);
    return end_line(secret, (size_t)got, path, noun, error);
}
