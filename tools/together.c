/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/together.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/save.h"

static void write_file(const void *what, FILE *out)
{
    const struct together_file *file = what;

    fwrite(file->text, 1, file->length, out);
}

int together_name(const char *shoe, char *name, size_t size, struct error *error)
{
    const char *slash = strrchr(shoe, '/'), *file = slash ? slash + 1 : shoe;
    size_t length = strlen(shoe), ending = strlen(".shoe");

    if (strlen(file) <= ending || strcmp(shoe + length - ending, ".shoe") != 0)
        return error_set(error, ERROR_CONFIG, "-o %s: a recording is named NAME.shoe", shoe);
    if (length >= size)
        return error_set(error, ERROR_CONFIG, "-o %.60s...: the name is too long", shoe);
    snprintf(name, size, "%.*s", (int)(length - ending), shoe);
    return 0;
}

int together_path(const char *name, const struct together_file *file, char *path, size_t size,
                  struct error *error)
{
    if (snprintf(path, size, "%s%s", name, file->ending) < (int)size)
        return 0;
    return error_set(error, ERROR_CONFIG, "%.60s...: the name is too long", name);
}

static int check_folder(const char *name, const char *path, struct error *error)
{
    const char *slash = strrchr(name, '/');
    char folder[PATH_MAX];

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) + 1 : 1,
             slash ? name : ".");
    if (!access(folder, W_OK | X_OK))
        return 0;
    return error_set(error, ERROR_RIG, "%s: cannot be written: %s", path, strerror(errno));
}

int together_check(const char *name, const struct together_file *files, size_t count,
                   struct error *error)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < count; i++) {
        struct stat there;

        if (together_path(name, &files[i], path, sizeof path, error))
            return error->code;
        if (!save_look(path, &there))
            return error_set(error, ERROR_CONFIG, "%s: is there already; name another with -o",
                             path);
    }
    return check_folder(name, path, error);
}

void together_remove(const char *name, const struct together_file *files, size_t count)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < count; i++)
        if (!together_path(name, &files[i], path, sizeof path, NULL))
            unlink(path);
}

int together_save(const char *name, const struct together_file *files, size_t count,
                  struct error *error)
{
    int status = together_check(name, files, count, error);

    for (size_t i = 0; i < count && !status; i++) {
        char path[PATH_MAX];

        status = together_path(name, &files[i], path, sizeof path, error);
        if (!status)
            status = save_new(path, write_file, &files[i], error);
        if (status)
            together_remove(name, files, i);
    }
    return status;
}
