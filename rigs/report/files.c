/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/report/present.h"

#define FEWEST_SLOTS 64

static uint64_t hash(const char *path)
{
    uint64_t sum = 14695981039346656037u;

    while (*path)
        sum = (sum ^ (unsigned char)*path++) * 1099511628211u;
    return sum ^ sum >> 32;
}

/* Where the file that was told last of this path stands, or where it would. */
static size_t *find_slot(const struct report_files *files, const char *path)
{
    size_t at = (size_t)hash(path) & (files->slot_count - 1);

    while (files->slots[at] &&
           strcmp(report_text(files->list[files->slots[at] - 1].fields, "path"), path) != 0)
        at = (at + 1) & (files->slot_count - 1);
    return &files->slots[at];
}

/* At least half of the slots stay free. A later file takes the place of an earlier one. */
static bool widen(struct report_files *files)
{
    size_t count = files->slot_count ? 2 * files->slot_count : FEWEST_SLOTS;
    size_t *slots;

    if (2 * (files->count + 1) <= files->slot_count)
        return true;
    slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    free(files->slots);
    files->slots = slots;
    files->slot_count = count;
    for (size_t i = 0; i < files->count; i++)
        *find_slot(files, report_text(files->list[i].fields, "path")) = i + 1;
    return true;
}

static bool is_told_alike(const struct json_value *fields, const struct json_value *others)
{
    return json_same(json_member(fields, "game"), json_member(others, "game")) &&
           json_same(json_member(fields, "sha256"), json_member(others, "sha256"));
}

static struct report_file *add(struct report_files *files, const struct json_value *fields,
                               size_t *slot)
{
    struct report_file *file;

    if (!report_grow((void **)&files->list, files->count, &files->size, sizeof *files->list))
        return NULL;
    file = &files->list[files->count];
    file->fields = json_keep(fields);
    if (!file->fields)
        return NULL;
    *slot = ++files->count;
    return file;
}

const struct report_file *report_file_see(struct report_files *files,
                                          const struct json_value *fields)
{
    struct report_file *file = NULL;
    unsigned repeats = 0;
    size_t *slot;

    if (!widen(files))
        return NULL;
    slot = find_slot(files, report_text(fields, "path"));
    if (*slot) {
        file = &files->list[*slot - 1];
        repeats = file->repeats;
    }
    if (!file || !is_told_alike(fields, file->fields))
        file = add(files, fields, slot);
    if (file)
        file->repeats = repeats + 1;
    return file;
}

void report_files_free(struct report_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->list[i].fields);
    free(files->list);
    free(files->slots);
}
