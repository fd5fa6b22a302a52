/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig from its file: read, filled, checked as a whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/rig/check.h"

/* A path of the file is relative to the file. */
static int place_path(const struct rig_check *check, const char *where, char path[RIG_PATH_MAX])
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

static int check_rig(const struct rig_check *check)
{
    int status = rig_check_table(check);

    if (!status)
        status = rig_check_devices(check);
    if (!status)
        status = rig_check_sensors(check);
    if (!status)
        status = place_path(check, "paytables", check->rig->paytables);
    return status ? status : place_path(check, "capture", check->rig->capture);
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
    return fill(tree, rig_fields, *rig, error);
}

int rig_parse(struct rig **rig, const char *path, const char *text, size_t size,
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
    if (!status)
        status = check_rig(&(struct rig_check){tree, *rig, error});
    tree_free(tree);
    if (status) {
        rig_free(*rig);
        *rig = NULL;
    }
    return status;
}

/* Reads at most one byte more than is allowed. */
static int read_file(const char *path, char **text, size_t *size, struct error *error)
{
    FILE *file = fopen(path, "re");
    int failed;

    *text = NULL;
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
