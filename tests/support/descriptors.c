/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/descriptors.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FOLDER   "/proc/self/fd"
#define STILL    50     /* ms */
#define PATIENCE 120000 /* ms */

/* With `says`, each is named. */
static size_t count_open(bool says)
{
    DIR *directory = opendir(FOLDER);
    struct dirent *entry;
    size_t count = 0;

    while (directory && (entry = readdir(directory))) {
        char path[sizeof FOLDER + sizeof entry->d_name], target[256];
        ssize_t length;

        count++;
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        if (says && (length = readlink(path, target, sizeof target)) > 0)
            fprintf(stderr, "%s is %.*s\n", path, (int)length, target);
    }
    if (directory)
        closedir(directory);
    return count;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

size_t descriptors_settled(void)
{
    size_t count = count_open(false);

    for (int still = 0; still < STILL; still++) {
        size_t now;

        rest();
        now = count_open(false);
        if (now != count)
            still = 0;
        count = now;
    }
    return count;
}

bool descriptors_come_down_to(size_t wanted)
{
    size_t count = count_open(false);

    for (int i = 0; i < PATIENCE && count > wanted; i++) {
        rest();
        count = count_open(false);
    }
    if (count <= wanted)
        return true;
    fprintf(stderr, "%zu descriptors are open, not %zu\n", count_open(true), wanted);
    return false;
}
