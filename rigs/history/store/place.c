/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/store/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int make_folders(char *path, struct error *error)
{
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    if (mkdir(path, 0700) && errno != EEXIST)
        return error_set(error, ERROR_RIG, "%s: cannot be made: %s", path, strerror(errno));
    return 0;
}

int history_folder(const char *variable, const char *otherwise, const char *name, bool make,
                   char path[PATH_MAX], struct error *error)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    int length;

    if (base && *base == '/')
        length = snprintf(path, PATH_MAX, "%s/dealproof%s", base, name);
    else if (home && *home == '/')
        length = snprintf(path, PATH_MAX, "%s/%s/dealproof%s", home, otherwise, name);
    else
        return error_set(error, ERROR_CONFIG,
                         "neither %s nor HOME is a folder, so that there is no place for the "
                         "history; name one: --store of 'history', --history=STORE of a run, or "
                         "DEALPROOF_STORE",
                         variable);
    if (length >= PATH_MAX)
        return error_set(error, ERROR_CONFIG, "%s is too long for the path of a folder", variable);
    return make ? make_folders(path, error) : 0;
}

int history_place(const char *given, bool make, char address[STORE_ADDRESS_MAX],
                  struct error *error)
{
    const char *named = given ? given : getenv("DEALPROOF_STORE");
    char folder[PATH_MAX];
    int status, length;

    if (named && *named) {
        length = snprintf(address, STORE_ADDRESS_MAX, "%s", named);
        status = 0;
    } else {
        status = history_folder("XDG_DATA_HOME", ".local/share", "", make, folder, error);
        length = status ? 0 : snprintf(address, STORE_ADDRESS_MAX, "sqlite:%s/history.db", folder);
    }
    if (length >= STORE_ADDRESS_MAX)
        return error_set(error, ERROR_CONFIG, "the address of a store is longer than %d bytes",
                         STORE_ADDRESS_MAX - 1);
    return status;
}
