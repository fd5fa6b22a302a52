/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RIG       COPIES_RIG
#define PAYTABLES COPIES_PAYTABLES

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_RIG, "no memory for what the bundle has kept");
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && !strcmp(text + length - tail, end);
}

static bool is_shoe(const char *name)
{
    return ends_with(name, ".shoe");
}

/* A number beyond the files that are listed leaves a gap anyway. */
static size_t count_recordings(const struct manifest *manifest)
{
    size_t count = 0;

    for (size_t i = 0; i < manifest->count; i++) {
        size_t number = copies_number(manifest->entries[i].name);

        if (number > count && number <= manifest->count)
            count = number;
    }
    return count;
}

/* Until the journal names a recording it has the name of its copy. */
static int list_recordings(struct kept *kept, struct error *error)
{
    const struct manifest *manifest = &kept->sealed->manifest;
    size_t count = count_recordings(manifest);

    kept->recordings = calloc(count + 1, sizeof *kept->recordings);
    kept->names.paths = calloc(count + 1, sizeof *kept->names.paths);
    if (!kept->recordings || !kept->names.paths)
        return no_memory(error);
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_entry *entry = &manifest->entries[i];
        size_t number = copies_number(entry->name);

        if (!number || number > count)
            continue;
        if (is_shoe(entry->name))
            kept->recordings[number - 1].shoe = entry;
        else if (ends_with(entry->name, ".expect"))
            kept->recordings[number - 1].expect = entry;
    }
    for (; kept->names.count < count; kept->names.count++) {
        const struct manifest_entry *shoe = kept->recordings[kept->names.count].shoe;
        char *name = strdup(shoe ? shoe->name : "");

        if (!name)
            return no_memory(error);
        kept->names.paths[kept->names.count] = name;
    }
    return 0;
}

static int see_recording(struct kept *kept, const struct journal_line *line, struct error *error)
{
    int64_t number = json_int(json_member(line->fields, "recording"));
    const char *path = json_chars(json_member(line->fields, "path"));
    char *name;

    if (!path || !json_chars(json_member(line->fields, "expect")))
        return 0;
    kept->has_recordings = true;
    if (number < 1 || (size_t)number > kept->names.count)
        return 0;
    name = strdup(path);
    if (!name)
        return no_memory(error);
    free(kept->names.paths[number - 1]);
    kept->names.paths[number - 1] = name;
    return 0;
}

static int read_journal(struct kept *kept, struct error *error)
{
    struct journal_reader *reader;
    struct journal_line line;
    int status = journal_reader_open(kept->journal_path, &reader, error);

    if (status)
        return status;
    while ((status = journal_reader_next(reader, &line, error)) > 0) {
        status = line.kind == JOURNAL_RECORDING ? see_recording(kept, &line, error) : 0;
        if (status)
            break;
    }
    journal_reader_close(reader);
    return status;
}

/* A nameless file with the content of a member; its descriptor, and a path that opens it. */
static int extract(const struct kept *kept, const char *name, int *fd, char path[KEPT_PATH_SIZE],
                   struct error *error)
{
    int got = tar_extract(kept->sealed->tar, tar_find(kept->sealed->tar, name), error);

    if (got < 0)
        return got;
    *fd = got;
    snprintf(path, KEPT_PATH_SIZE, "/proc/self/fd/%d", got);
    return 0;
}

/* "x.expect" for "x.shoe". */
static bool is_expectation_of(const char *path, const char *shoe)
{
    size_t stem = strlen(shoe) - strlen(".shoe");

    return is_shoe(shoe) && !strncmp(path, shoe, stem) && !strcmp(path + stem, ".expect");
}

static int open_kept(const void *context, const char *path, struct error *error)
{
    const struct kept *kept = context;

    for (size_t i = 0; i < kept->names.count; i++) {
        const char *name = kept->names.paths[i];
        const struct manifest_entry *entry = !strcmp(path, name) ? kept->recordings[i].shoe
                                             : is_expectation_of(path, name)
                                                 ? kept->recordings[i].expect
                                                 : NULL;
        const struct tar_member *member = entry ? tar_find(kept->sealed->tar, entry->name) : NULL;

        if (member)
            return tar_extract(kept->sealed->tar, member, error);
    }
    return error_set(error, ERROR_CONFIG, "%.200s: the bundle has no copy of it", path);
}

int kept_open(struct kept *kept, const struct sealed *sealed, struct error *error)
{
    int status;

    *kept = (struct kept){.sealed = sealed, .journal = -1, .paytables = -1};
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        kept->approved[i] = -1;
    kept->place = (struct recording_place){open_kept, kept};
    status = extract(kept, BUNDLE_JOURNAL, &kept->journal, kept->journal_path, error);
    if (!status)
        status = list_recordings(kept, error);
    if (!status)
        status = read_journal(kept, error);
    if (status)
        kept_close(kept);
    return status;
}

void kept_close(struct kept *kept)
{
    if (kept->journal >= 0)
        close(kept->journal);
    if (kept->paytables >= 0)
        close(kept->paytables);
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        if (kept->approved[i] >= 0)
            close(kept->approved[i]);
    if (kept->names.paths)
        recording_list_free(&kept->names);
    free(kept->recordings);
    *kept = (struct kept){.journal = -1, .paytables = -1};
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        kept->approved[i] = -1;
}

/* ERROR_RIG where a file is not in the archive: withheld if it is listed, and else never kept. */
static int check_there(const struct kept *kept, const char *name, struct error *error)
{
    if (tar_find(kept->sealed->tar, name))
        return 0;
    return error_set(error, ERROR_RIG,
                     manifest_find(&kept->sealed->manifest, name)
                         ? "%s is withheld"
                         : "the bundle has no copy of its %s",
                     name);
}

int kept_check_recordings(const struct kept *kept, struct error *error)
{
    int status = 0;

    if (!kept->names.count)
        return error_set(error, ERROR_RIG, "the bundle has no copies of its recordings");
    for (size_t i = 0; i < kept->names.count && !status; i++) {
        const struct kept_recording *copy = &kept->recordings[i];

        if (!copy->shoe || !copy->expect)
            return error_set(error, ERROR_RIG, "the bundle has no copy of recording %zu", i + 1);
        status = check_there(kept, copy->shoe->name, error);
        if (!status)
            status = check_there(kept, copy->expect->name, error);
    }
    return status;
}

static int parse_rig(struct kept *kept, const char *path, struct rig **rig, struct error *error)
{
    int status = check_there(kept, RIG, error);
    const struct tar_member *member;
    char *text;

    if (status)
        return status;
    member = tar_find(kept->sealed->tar, RIG);
    text = tar_text(kept->sealed->tar, member, RIG_SIZE_MAX, error);
    if (!text)
        return (int)error->code;
    status = rig_parse_alone(rig, path, text, (size_t)member->size, error);
    free(text);
    if (status)
        error->code = ERROR_RIG;
    return status ? ERROR_RIG : 0;
}

/* The copy is of the file that the journal names; one of an earlier version does not say which. */
static int check_paytables(const struct kept *kept, const struct json_value *start,
                           const struct rig *rig, struct error *error)
{
    const struct manifest_entry *copy = manifest_find(&kept->sealed->manifest, PAYTABLES);

    JSON_EACH (file, json_member(start, "files"))
        if (copy && !strcmp(json_chars(json_member(file, "path")), rig->paytables) &&
            strcmp(json_chars(json_member(file, "sha256")), copy->digest) != 0)
            return error_set(error, ERROR_RULE,
                             PAYTABLES " was altered: it is not the file that the journal names");
    return 0;
}

static int take_paytables(struct kept *kept, const struct json_value *start, struct rig *rig,
                          struct error *error)
{
    char path[KEPT_PATH_SIZE];
    int status;

    if (!rig->paytables[0])
        return 0;
    status = check_paytables(kept, start, rig, error);
    if (!status)
        status = check_there(kept, PAYTABLES, error);
    if (!status)
        status = extract(kept, PAYTABLES, &kept->paytables, path, error);
    if (!status)
        snprintf(rig->paytables, sizeof rig->paytables, "%s", path);
    return status;
}

/* The copy of a file that the rig names, by the digest that the journal has of it; NULL: none. */
static const struct manifest_entry *find_named(const struct kept *kept,
                                               const struct json_value *start, const char *path)
{
    const struct manifest *manifest = &kept->sealed->manifest;
    const char *digest = NULL;

    JSON_EACH (file, json_member(start, "files"))
        if (!strcmp(json_chars(json_member(file, "path")), path))
            digest = json_chars(json_member(file, "sha256"));
    for (size_t i = 0; digest && i < manifest->count; i++)
        if (!strncmp(manifest->entries[i].name, COPIES_FILES, strlen(COPIES_FILES)) &&
            !strcmp(manifest->entries[i].digest, digest))
            return &manifest->entries[i];
    return NULL;
}

/* What is approved is that of the copy, and never of a file of this machine. */
static int take_approved(struct kept *kept, const struct json_value *start, struct rig *rig,
                         struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < DEVICE_CLASSES && !status; i++) {
        const struct rig_device *device = rig_device(rig, (enum device_class)i);
        struct rig_authenticate *wanted = device ? device->authenticate : NULL;
        const struct manifest_entry *copy;
        char path[KEPT_PATH_SIZE];

        if (!wanted || !*wanted->approved)
            continue;
        copy = find_named(kept, start, wanted->approved);
        if (!copy)
            return error_set(error, ERROR_RIG, "the bundle has no copy of its approved digests");
        status = check_there(kept, copy->name, error);
        if (!status)
            status = extract(kept, copy->name, &kept->approved[i], path, error);
        if (!status)
            snprintf(wanted->approved, sizeof wanted->approved, "%s", path);
    }
    return status;
}

/* Of another version the one that is built in may be another, and a copy of it was kept. */
static int built_in_rig(struct kept *kept, bool is_own, struct rig **rig, struct error *error)
{
    const struct manifest_entry *entry = manifest_find(&kept->sealed->manifest, RIG);
    char digest[DIGEST_SIZE], path[RIG_PATH_MAX];
    int status = rig_default(rig, error);

    if (status || !entry)
        return status;
    digest_bytes((*rig)->text, (*rig)->text_size, digest);
    if (!strcmp(digest, entry->digest))
        return 0;
    memcpy(path, (*rig)->path, sizeof path);
    rig_free(*rig);
    *rig = NULL;
    return is_own ? error_set(error, ERROR_RULE,
                              RIG " was altered: it is not the rig that is built in, which the "
                                  "journal names")
                  : parse_rig(kept, path, rig, error);
}

int kept_rig(struct kept *kept, const struct json_value *start, bool is_own, struct rig **rig,
             struct error *error)
{
    const char *path = json_chars(json_member(json_member(start, "rig"), "path"));
    int status;

    *rig = NULL;
    status = path ? parse_rig(kept, path, rig, error) : built_in_rig(kept, is_own, rig, error);
    if (!status)
        status = take_paytables(kept, start, *rig, error);
    if (!status)
        status = take_approved(kept, start, *rig, error);
    if (status) {
        rig_free(*rig);
        *rig = NULL;
    }
    return status;
}
