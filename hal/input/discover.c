/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/input/discover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BY_ID "/dev/input/by-id"

/* So udev names what has the keys of a keyboard. */
static bool types(const char *name)
{
    static const char end[] = "-event-kbd";
    size_t length = strlen(name);

    return length > strlen(end) && !strcmp(name + length - strlen(end), end);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct keyboard_info *)a)->path, ((const struct keyboard_info *)b)->path);
}

static int add(struct keyboard_info **list, size_t *count, const char *name)
{
    struct keyboard_info *longer = realloc(*list, (*count + 1) * sizeof **list);
    struct keyboard_info *added;

    if (!longer)
        return -1;
    *list = longer;
    added = &longer[*count];
    /* A name that does not fit could not be given in a rig file either. */
    if (snprintf(added->path, sizeof added->path, BY_ID "/%s", name) < KEYBOARD_PATH_MAX) {
        added->accessible = !access(added->path, R_OK);
        ++*count;
    }
    return 0;
}

int discover_keyboards(void (*found)(void *context, const struct keyboard_info *keyboard),
                       void *context, struct error *error)
{
    DIR *directory = opendir(BY_ID);
    struct keyboard_info *list = NULL;
    struct dirent *entry;
    size_t count = 0;
    int status = 0;

    /* Without any input device there is no such folder. */
    if (!directory)
        return errno == ENOENT
                   ? 0
                   : error_set(error, ERROR_RIG, "cannot list " BY_ID ": %s", strerror(errno));
    while (!status && (entry = readdir(directory)))
        status = types(entry->d_name) ? add(&list, &count, entry->d_name) : 0;
    closedir(directory);
    if (status) {
        free(list);
        return error_set(error, ERROR_RIG, "no memory to list " BY_ID);
    }
    if (count)
        qsort(list, count, sizeof *list, compare_names);
    for (size_t i = 0; i < count; i++)
        found(context, &list[i]);
    free(list);
    return (int)count;
}
