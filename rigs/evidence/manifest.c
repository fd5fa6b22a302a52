/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BETWEEN "  " /* digest and name: sha256sum's mark of a text, which all files are alike */

struct manifest_entry *manifest_add(struct manifest *manifest, const char *name,
                                    struct error *error)
{
    size_t room = manifest->room ? 2 * manifest->room : 64;

    if (manifest->count == manifest->room) {
        struct manifest_entry *entries = realloc(manifest->entries, room * sizeof *entries);

        if (!entries) {
            error_set(error, ERROR_RIG, "no memory for a manifest of %zu files", room);
            return NULL;
        }
        manifest->entries = entries;
        manifest->room = room;
    }
    manifest->entries[manifest->count] = (struct manifest_entry){.digest = ""};
    snprintf(manifest->entries[manifest->count].name, TAR_NAME_SIZE, "%s", name);
    return &manifest->entries[manifest->count++];
}

void manifest_free(struct manifest *manifest)
{
    free(manifest->entries);
    *manifest = (struct manifest){.count = 0};
}

static int by_name(const void *one, const void *other)
{
    const struct manifest_entry *a = one, *b = other;

    return strcmp(a->name, b->name);
}

const struct manifest_entry *manifest_find(const struct manifest *manifest, const char *name)
{
    struct manifest_entry wanted;

    if (strlen(name) >= sizeof wanted.name || !manifest->count)
        return NULL;
    strcpy(wanted.name, name);
    return bsearch(&wanted, manifest->entries, manifest->count, sizeof wanted, by_name);
}

/* No disk can hold a file and a folder of one name, and so nobody could unpack them. */
static int check_folders(const struct manifest *manifest, enum error_code code, struct error *error)
{
    for (size_t i = 0; i < manifest->count; i++) {
        char name[TAR_NAME_SIZE];

        strcpy(name, manifest->entries[i].name);
        for (char *slash; (slash = strrchr(name, '/'));) {
            *slash = '\0';
            if (!strcmp(name, MANIFEST_NAME) || manifest_find(manifest, name))
                return error_set(error, code, "'%s' is a file and a folder in it", name);
        }
    }
    return 0;
}

int manifest_sort(struct manifest *manifest, struct error *error)
{
    if (manifest->count)
        qsort(manifest->entries, manifest->count, sizeof *manifest->entries, by_name);
    for (size_t i = 1; i < manifest->count; i++)
        if (!strcmp(manifest->entries[i - 1].name, manifest->entries[i].name))
            return error_set(error, ERROR_CONFIG, "there are two files '%s'",
                             manifest->entries[i].name);
    return check_folders(manifest, ERROR_CONFIG, error);
}

size_t manifest_length(const struct manifest *manifest)
{
    size_t length = 0;

    for (size_t i = 0; i < manifest->count; i++)
        length += DIGEST_DIGITS + strlen(BETWEEN) + strlen(manifest->entries[i].name) + 1;
    return length;
}

char *manifest_text(const struct manifest *manifest)
{
    char *text = malloc(manifest_length(manifest) + 1), *at = text;

    if (text)
        *text = '\0';
    for (size_t i = 0; text && i < manifest->count; i++)
        at += sprintf(at, "%.64s" BETWEEN "%s\n", manifest->entries[i].digest,
                      manifest->entries[i].name);
    return text;
}

static int refuse(size_t line, const char *why, struct error *error)
{
    return error_set(error, ERROR_RULE, "line %zu of the manifest %s", line, why);
}

static int take_line(struct manifest *manifest, const char *line, size_t length,
                     struct error *error)
{
    size_t number = manifest->count + 1, before = DIGEST_DIGITS + strlen(BETWEEN);
    struct manifest_entry *entry;
    char name[TAR_NAME_SIZE];

    if (strspn(line, "0123456789abcdef") != DIGEST_DIGITS ||
        strncmp(line + DIGEST_DIGITS, BETWEEN, strlen(BETWEEN)) || length <= before ||
        length - before >= sizeof name)
        return refuse(number, "is no digest and name", error);
    memcpy(name, line + before, length - before);
    name[length - before] = '\0';
    if (tar_check_name(name, error)) {
        error_prefix(error, "line %zu of the manifest", number);
        return error->code = ERROR_RULE;
    }
    if (manifest->count && strcmp(manifest->entries[manifest->count - 1].name, name) >= 0)
        return refuse(number, "names a file twice, or out of order", error);
    if (manifest->count == TAR_MEMBERS_MAX)
        return refuse(number, "is one too many", error);
    entry = manifest_add(manifest, name, error);
    if (!entry)
        return ERROR_RIG;
    memcpy(entry->digest, line, DIGEST_DIGITS);
    return 0;
}

int manifest_read(struct manifest *manifest, const char *text, struct error *error)
{
    struct error unheard = {.text = ""};

    *manifest = (struct manifest){.count = 0};
    for (const char *end; *text; text = end + 1) {
        int status;

        end = strchr(text, '\n');
        if (!end)
            return refuse(manifest->count + 1, "does not end", error);
        status = take_line(manifest, text, (size_t)(end - text), error ? error : &unheard);
        if (status)
            return status;
    }
    return check_folders(manifest, ERROR_RULE, error);
}
