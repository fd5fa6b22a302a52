/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check(int fd, bool is_secret, struct error *error)
{
    struct stat about;

    if (fstat(fd, &about))
        return error_set(error, ERROR_RIG, "cannot look at it: %s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return error_set(error, ERROR_CONFIG, "this is no file");
    if (is_secret && about.st_mode & (S_IRWXG | S_IRWXO))
        return error_set(
            error, ERROR_CONFIG,
            "others than its owner can use this key: chmod 600 it, and sign with a new "
            "one if they may have");
    return 0;
}

static int read_all(int fd, char text[KEY_FILE_MAX], struct error *error)
{
    size_t size = 0;
    ssize_t got;

    while (size < KEY_FILE_MAX && (got = read(fd, text + size, KEY_FILE_MAX - size))) {
        if (got < 0 && errno != EINTR)
            return error_set(error, ERROR_RIG, "cannot read it: %s", strerror(errno));
        size += got > 0 ? (size_t)got : 0;
    }
    if (size == KEY_FILE_MAX)
        return error_set(error, ERROR_CONFIG, "a file of a key has less than %d bytes",
                         KEY_FILE_MAX);
    text[size] = '\0';
    return strlen(text) == size ? 0
                                : error_set(error, ERROR_CONFIG, "this is no text: it has a NUL");
}

int key_file_read(const char *path, bool is_secret, char text[KEY_FILE_MAX], struct error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int status;

    if (fd < 0)
        return error_set(error, ERROR_CONFIG, "cannot open it: %s", strerror(errno));
    status = check(fd, is_secret, error);
    if (!status)
        status = read_all(fd, text, error);
    close(fd);
    return status;
}
