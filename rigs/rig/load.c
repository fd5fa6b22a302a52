/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig from its file: read, filled, checked as a whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/rig/check.h"

int rig_place_path(const struct rig_check *check, const char *where, char path[RIG_PATH_MAX])
{
    const char *slash = strrchr(check->rig->path, '/');
    char given[RIG_PATH_MAX];
    int length;

    if (!path[0] || path[0] == '/' || !slash)
        return 0;
    memcpy(given, path, sizeof given);
    length = snprintf(path, RIG_PATH_MAX, "%.*s/%s", (int)(slash - check->rig->path),
                      check->rig->path, given);
    if (length >= RIG_PATH_MAX)
        return tree_error(check->tree, check->error, where,
                          "the path has %d bytes with the folder of the rig file; it may "
                          "have %d",
                          length, RIG_PATH_MAX - 1);
    return 0;
}

static int place_map(const struct rig_check *check, struct rig_device *device, const char *where)
{
    return device ? rig_place_path(check, where, device->map) : 0;
}

static int check_rig(const struct rig_check *check)
{
    int status = rig_check_table(check);

    if (!status)
        status = rig_check_devices(check);
    if (!status)
        status = rig_check_sensors(check);
    if (!status)
        status = place_map(check, check->rig->devices.shuffler, "devices.shuffler.map");
    if (!status)
        status = place_map(check, check->rig->devices.shoe, "devices.shoe.map");
    if (!status)
        status = rig_place_path(check, "paytables", check->rig->paytables);
    return status ? status : rig_place_path(check, "capture", check->rig->capture);
}

/* The first file that a device needs, if it needs any; scripts may be of a model alone. */
static const char *file_of(const struct rig_device *device)
{
    if (!device)
        return NULL;
    return device->script[0]                                                       ? device->script
           : device->map[0]                                                        ? device->map
           : !strncmp(device->address, RIG_SCRIPT_MODEL, strlen(RIG_SCRIPT_MODEL)) ? device->address
                                                                                   : NULL;
}

static int refuse_files(const struct rig_check *check)
{
    const struct rig_devices *devices = &check->rig->devices;
    const struct rig_device *all[] = {devices->shuffler, devices->shoe, devices->terminal,
                                      devices->sensors ? &devices->sensors->device : NULL};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (file_of(all[i]))
            return error_set(check->error, ERROR_RIG,
                             "its rig names a script or a map of cards, which nobody opens "
                             "who does not trust it: %.200s",
                             file_of(all[i]));
    return 0;
}

/* The text is kept for its digest. */
static int keep_text(struct rig *rig, const char *path, const char *text, size_t size,
                     struct error *error)
{
    rig->text = malloc(size + 1);
    if (!rig->text)
        return error_set(error, ERROR_RIG, "%s: not enough memory to keep it", path);
    memcpy(rig->text, text, size);
    rig->text[size] = '\0';
    rig->text_size = size;
    snprintf(rig->path, sizeof rig->path, "%s", path);
    return 0;
}

static int make_rig(struct rig **rig, const struct tree *tree, struct error *error)
{
    *rig = calloc(1, sizeof **rig);
    if (!*rig)
        return error_set(error, ERROR_RIG, "no memory for a rig");
    return fill_tree(tree, rig_fields, *rig, error);
}

static int parse(struct rig **rig, const char *path, const char *text, size_t size, bool alone,
                 struct error *error)
{
    struct tree *tree;
    int status;

    *rig = NULL;
    if (strlen(path) >= RIG_PATH_MAX)
        return error_set(error, ERROR_CONFIG, "%.60s…: a path has at most %d bytes", path,
                         RIG_PATH_MAX - 1);
    if (size > RIG_SIZE_MAX)
        return error_set(error, ERROR_CONFIG, "%s: a rig file has at most %d bytes", path,
                         RIG_SIZE_MAX);
    status = tree_parse(&tree, path, text, size, error);
    if (status)
        return status;
    status = make_rig(rig, tree, error);
    if (!status)
        status = keep_text(*rig, path, text, size, error);
    if (!status && alone)
        status = refuse_files(&(struct rig_check){tree, *rig, error});
    if (!status)
        status = check_rig(&(struct rig_check){tree, *rig, error});
    tree_free(tree);
    if (status) {
        rig_free(*rig);
        *rig = NULL;
    }
    return status;
}

int rig_parse(struct rig **rig, const char *path, const char *text, size_t size,
              struct error *error)
{
    return parse(rig, path, text, size, false, error);
}

int rig_parse_alone(struct rig **rig, const char *path, const char *text, size_t size,
                    struct error *error)
{
    return parse(rig, path, text, size, true, error);
}

/* Reads at most one byte more than is allowed. */
static int read_file(const char *path, char **text, size_t *size, struct error *error)
{
    FILE *file = fopen(path, "re");
    int failed;

    *text = NULL;
    if (!file && errno == ENOMEM)
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", path);
    if (!file)
        return error_set(error, ERROR_CONFIG, "%s: %s; name a rig file", path, strerror(errno));
    *text = malloc(RIG_SIZE_MAX + 1);
    if (!*text) {
        fclose(file);
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", path);
    }
    errno = 0;
    *size = fread(*text, 1, RIG_SIZE_MAX + 1, file);
    failed = ferror(file) ? errno : 0;
    fclose(file);
    if (!failed)
        return 0;
    free(*text);
    *text = NULL;
    return error_set(error, ERROR_CONFIG, "%s: %s; name a rig file", path, strerror(failed));
}

int rig_load(struct rig **rig, const char *path, struct error *error)
{
    char *text;
    size_t size = 0;
    int status;

    *rig = NULL;
    status = read_file(path, &text, &size, error);
    if (!status)
        status = rig_parse(rig, path, text, size, error);
    free(text);
    return status;
}

void rig_free(struct rig *rig)
{
    if (!rig)
        return;
    free(rig->text);
    fill_free(rig_fields, rig);
    free(rig);
}
