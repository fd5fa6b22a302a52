/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void die(const char *path)
{
    perror(path);
    exit(EXIT_FAILURE);
}

void scratch_path(char path[SCRATCH_PATH_SIZE])
{
    int fd;

    strcpy(path, "/tmp/dealproof-test.XXXXXX");
    fd = mkstemp(path);
    if (fd < 0)
        die(path);
    close(fd);
    unlink(path);
}

void scratch_folder(char path[SCRATCH_PATH_SIZE])
{
    strcpy(path, "/tmp/dealproof-test.XXXXXX");
    if (!mkdtemp(path))
        die(path);
}

char *scratch_read(const char *path, size_t *length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *text;

    if (fd < 0 || fstat(fd, &status))
        die(path);
    *length = (size_t)status.st_size;
    text = malloc(*length + 1);
    if (!text || read(fd, text, *length) != (ssize_t)*length)
        die(path);
    text[*length] = '\0';
    close(fd);
    return text;
}

void scratch_write(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, text, length) != (ssize_t)length)
        die(path);
    close(fd);
}

int scratch_lines(const char *path)
{
    size_t length;
    char *text = scratch_read(path, &length);
    int lines = length && text[length - 1] != '\n' ? -1 : 0;

    for (size_t i = 0; lines >= 0 && i < length; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

void scratch_remove(const char *path)
{
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT)
        die(path);
}

size_t scratch_count(const char *path)
{
    char pattern[SCRATCH_PATH_SIZE + 8];
    glob_t found;
    size_t files;

    snprintf(pattern, sizeof pattern, "%s*", path);
    files = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
    globfree(&found);
    return files;
}
