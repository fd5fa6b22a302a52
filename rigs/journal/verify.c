/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/verify.h"

#include <string.h>

#include "hal/base/regular.h"

/* Files that were looked at last: a recording that is played often is read once. */
#define KEPT 64

struct kept {
    char name[DIGEST_SIZE]; /* of the path */
    char digest[DIGEST_SIZE];
    enum regular_state state;
};

struct files {
    const struct journal_verify *verify;
    struct journal_verified *verified;
    size_t count; /* of all that were looked at */
    struct kept kept[KEPT];
};

static const struct kept *look_at(struct files *files, const char *path)
{
    char name[DIGEST_SIZE];
    struct kept *kept;

    digest_bytes(path, strlen(path), name);
    for (size_t i = 0; i < KEPT && i < files->count; i++)
        if (!strcmp(files->kept[i].name, name))
            return &files->kept[i];
    kept = &files->kept[files->count++ % KEPT];
    memcpy(kept->name, name, sizeof name);
    kept->state = regular_digest(path, kept->digest);
    return kept;
}

static enum journal_file_state compare(struct files *files, const char *path, const char *digest)
{
    const struct kept *now = look_at(files, path);

    switch (now->state) {
    case REGULAR_READ:
        return strcmp(now->digest, digest) ? JOURNAL_FILE_DIFFERS : JOURNAL_FILE_SAME;
    case REGULAR_MISSING:
        return JOURNAL_FILE_MISSING;
    case REGULAR_OTHER:
        return JOURNAL_FILE_OTHER;
    default:
        return JOURNAL_FILE_UNREADABLE;
    }
}

static void check_file(struct files *files, const struct json_value *path,
                       const struct json_value *digest)
{
    enum journal_file_state state;

    if (!json_is(path, JSON_KIND_STRING) || !json_is(digest, JSON_KIND_STRING))
        return;
    state = compare(files, json_chars(path), json_chars(digest));
    files->verified->files[state]++;
    if (files->verify->file)
        files->verify->file(files->verify->context, json_chars(path), state);
}

static void see_line(struct files *files, const struct journal_line *line)
{
    const struct json_value *rig = json_member(line->fields, "rig");

    if (line->kind == JOURNAL_START) {
        check_file(files, json_member(rig, "path"), json_member(rig, "sha256"));
        JSON_EACH (file, json_member(line->fields, "files"))
            check_file(files, json_member(file, "path"), json_member(file, "sha256"));
    }
    if (line->kind != JOURNAL_RECORDING)
        return;
    check_file(files, json_member(line->fields, "path"), json_member(line->fields, "sha256"));
    check_file(files, json_member(line->fields, "expect"),
               json_member(line->fields, "expect-sha256"));
}

static int check_digest(const struct journal_verify *verify, const struct journal_ending *ending,
                        struct error *error)
{
    if (!verify->digest || !strcmp(verify->digest, ending->digest))
        return 0;
    return error_set(
        error, ERROR_RULE,
        "line %ju, the last one, has digest %s, not %s: lines are missing after it, or "
        "the journal was written anew",
        (uintmax_t)ending->lines, ending->digest, verify->digest);
}

static int read_all(struct journal_reader *reader, struct files *files, struct error *error)
{
    struct journal_verified *verified = files->verified;
    struct journal_line line;
    int status;

    while ((status = journal_reader_next(reader, &line, error)) > 0) {
        verified->rounds += line.kind == JOURNAL_ROUND;
        if (line.kind == JOURNAL_RESUMED) {
            verified->rounds -= json_is(json_member(line.fields, "lost"), JSON_KIND_OBJECT);
            verified->resumed++;
        }
        see_line(files, &line);
    }
    journal_reader_ending(reader, &verified->ending);
    return status ? status : check_digest(files->verify, &verified->ending, error);
}

int journal_verify(const char *path, const struct journal_verify *verify,
                   struct journal_verified *verified, struct error *error)
{
    struct files files = {.verify = verify, .verified = verified};
    struct journal_reader *reader;
    int status;

    *verified = (struct journal_verified){0};
    status = journal_reader_open(path, &reader, error);
    if (status < 0)
        return status;
    status = read_all(reader, &files, error);
    journal_reader_close(reader);
    if (status == ERROR_RIG)
        error_prefix(error, "cannot tell whether it is intact");
    if (status < 0)
        error_prefix(error, "%s", strcmp(path, "-") ? path : "standard input");
    return status;
}
