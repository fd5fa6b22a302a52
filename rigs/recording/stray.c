/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/stray.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* In any letters. */
static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);

    return length > size && !strcasecmp(name + length - size, ending);
}

int stray_link(const char *path, struct error *error)
{
    char target[PATH_MAX];
    struct stat status;
    ssize_t length;
    int why;

    if (!stat(path, &status))
        return 0;
    why = errno;
    length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return 0;
    target[length] = '\0';
    return error_set(error, ERROR_CONFIG, "a link to %.150s, %s; mend or remove it", target,
                     why == ENOENT  ? "which is not there"
                     : why == ELOOP ? "which leads back to itself"
                                    : strerror(why));
}

static int check_name(const char *name, const struct stray_kind *kind, struct error *error)
{
    if (!strcmp(name + strlen(name) - strlen(kind->ending), kind->ending))
        return 0;
    return error_set(error, ERROR_CONFIG, "a %s is named NAME%s, in small letters; rename it",
                     kind->called, kind->ending);
}

static int check_file(const char *path, const struct stray_kind *kind, struct error *error)
{
    struct stat status;

    if (stat(path, &status))
        return stray_link(path, error);
    if (S_ISREG(status.st_mode))
        return 0;
    return error_set(error, ERROR_CONFIG, "%s, and a %s is a file; rename or remove it",
                     S_ISDIR(status.st_mode)    ? "a directory"
                     : S_ISFIFO(status.st_mode) ? "a pipe"
                     : S_ISSOCK(status.st_mode) ? "a socket"
                                                : "a device",
                     kind->called);
}

/* An expectation, of which the file itself may be gone. */
static int check_beside(const char *path, const struct stray_kind *kind, struct error *error)
{
    char other[PATH_MAX];
    struct stat status;
    int stem = (int)(strlen(path) - strlen(kind->beside));

    if (snprintf(other, sizeof other, "%.*s%s", stem, path, kind->ending) >= (int)sizeof other ||
        !lstat(other, &status))
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "the %s %.150s is not there; put it back, or remove this file", kind->called,
                     name_of(other));
}

int stray_find(const char *path, const struct stray_kind *kind, struct error *error)
{
    static const char of_editors[] = ".#"; /* links that say who has the file open */
    const char *name = name_of(path);
    int status;

    if (!strncmp(name, of_editors, sizeof of_editors - 1))
        return 0;
    if (ends_in(name, kind->ending)) {
        status = check_name(name, kind, error);
        return status ? status : check_file(path, kind, error);
    }
    if (kind->beside && ends_in(name, kind->beside))
        return check_beside(path, kind, error);
    /* It may have been a folder of them. */
    return strchr(name, '.') ? 0 : stray_link(path, error);
}
