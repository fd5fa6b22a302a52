/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/sealed.h"

#include <stdlib.h>
#include <string.h>

static int read_manifest(struct sealed *sealed, struct error *error)
{
    const struct tar_member *member = tar_find(sealed->tar, MANIFEST_NAME);

    if (!member)
        return error_set(error, ERROR_CONFIG, "this is no bundle: it has no " MANIFEST_NAME);
    sealed->text = tar_text(sealed->tar, member, MANIFEST_LARGEST, error);
    if (!sealed->text)
        return (int)error->code;
    sealed->length = (size_t)member->size;
    if (strlen(sealed->text) != sealed->length)
        return error_set(error, ERROR_RULE, "the manifest was altered: it has a NUL");
    digest_bytes(sealed->text, sealed->length, sealed->digest);
    return manifest_read(&sealed->manifest, sealed->text, error);
}

/* What the manifest does not list, nobody has signed. */
static int check_members(const struct sealed *sealed, struct error *error)
{
    const struct tar_member *member, *before = NULL;

    for (size_t i = 0; (member = tar_at(sealed->tar, i)); i++) {
        const struct manifest_entry *entry = manifest_find(&sealed->manifest, member->name);
        char digest[DIGEST_SIZE];
        int status;

        if (!strcmp(member->name, MANIFEST_NAME) != !i)
            return error_set(error, ERROR_RULE,
                             "the archive was altered: " MANIFEST_NAME " is not its first file");
        if (!i)
            continue;
        if (before && strcmp(before->name, member->name) > 0)
            return error_set(error, ERROR_RULE,
                             "the archive was altered: %s is not in the order of names",
                             member->name);
        before = member;
        if (!entry)
            return error_set(error, ERROR_RULE, "%s was added: the manifest does not list it",
                             member->name);
        status = tar_digest(sealed->tar, member, digest, error);
        if (status)
            return status;
        if (strcmp(digest, entry->digest))
            return error_set(error, ERROR_RULE,
                             "%s was altered: its digest is not that of the manifest",
                             member->name);
    }
    return 0;
}

static int count_withheld(struct sealed *sealed, struct error *error)
{
    static const char *const needed[] = {BUNDLE_JOURNAL, BUNDLE_STATEMENT, BUNDLE_SBOM,
                                         BUNDLE_VERIFY};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!tar_find(sealed->tar, needed[i]))
            return error_set(error, ERROR_RULE, "%s is missing, which no bundle is without",
                             needed[i]);
    if (manifest_find(&sealed->manifest, MANIFEST_NAME))
        return error_set(error, ERROR_RULE, "the manifest lists itself");
    for (size_t i = 0; i < sealed->manifest.count; i++)
        sealed->withheld += !tar_find(sealed->tar, sealed->manifest.entries[i].name);
    return 0;
}

int sealed_open(struct sealed *sealed, const char *path, struct error *error)
{
    struct error unheard = {.text = ""};
    int status;

    error = error ? error : &unheard;
    *sealed = (struct sealed){.tar = NULL};
    status = tar_open(&sealed->tar, path, error);
    if (status)
        return status;
    status = read_manifest(sealed, error);
    if (!status)
        status = check_members(sealed, error);
    if (!status)
        status = count_withheld(sealed, error);
    if (status) {
        error_prefix(error, "%.200s", path);
        sealed_close(sealed);
    }
    return status;
}

void sealed_close(struct sealed *sealed)
{
    manifest_free(&sealed->manifest);
    free(sealed->text);
    tar_close(sealed->tar);
    *sealed = (struct sealed){.tar = NULL};
}

int sealed_judge(const struct sealed *sealed, struct statement *ours, struct error *error)
{
    const struct tar_member *member = tar_find(sealed->tar, BUNDLE_JOURNAL);
    const struct tar_member *page = tar_find(sealed->tar, BUNDLE_STATEMENT);
    char *stated = tar_text(sealed->tar, page, STATEMENT_SIZE, error);
    struct statement_head head;
    int journal, status;

    memset(ours, 0, sizeof *ours);
    if (!stated)
        return error ? (int)error->code : ERROR_RIG;
    status = statement_read(stated, (size_t)page->size, &head, error);
    journal = status ? status : tar_open_at(sealed->tar, member, error);
    status = journal < 0 ? journal : statement_make(ours, journal, member->size, &head, error);
    if (!status)
        status = copies_check(&ours->copies, &sealed->manifest, error);
    if (!status)
        status = statement_compare(stated, ours, error);
    if (status < 0)
        statement_free(ours);
    free(stated);
    return status;
}
