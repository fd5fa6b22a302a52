/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(char digest[DIGEST_SIZE], const struct json_value *value)
{
    snprintf(digest, DIGEST_SIZE, "%s", json_chars(value) ? json_chars(value) : "");
}

/* No manifest has more files, so that a number beyond them has no copy. */
static int make_room(struct copies *copies, size_t number, struct error *error)
{
    struct copies_recording *recordings;
    size_t room = copies->room ? copies->room : 64;

    if (number <= copies->room)
        return 0;
    while (room < number)
        room *= 2;
    recordings = realloc(copies->recordings, room * sizeof *recordings);
    if (!recordings)
        return error_set(error, ERROR_RIG, "no memory for the digests of %zu recordings", room);
    memset(recordings + copies->room, 0, (room - copies->room) * sizeof *recordings);
    copies->recordings = recordings;
    copies->room = room;
    return 0;
}

static int see_recording(struct copies *copies, const struct journal_line *line,
                         struct error *error)
{
    int64_t number = json_int(json_member(line->fields, "recording"));
    struct copies_recording *recording;
    int status;

    if (number < 1 || number > TAR_MEMBERS_MAX || !json_chars(json_member(line->fields, "expect")))
        return 0;
    status = make_room(copies, (size_t)number, error);
    if (status)
        return status;
    recording = &copies->recordings[number - 1];
    recording->line = line->number;
    take(recording->shoe, json_member(line->fields, "sha256"));
    take(recording->expect, json_member(line->fields, "expect-sha256"));
    return 0;
}

static void see_start(struct copies *copies, const struct json_value *start)
{
    take(copies->rig, json_member(json_member(start, "rig"), "sha256"));
    JSON_EACH (file, json_member(start, "files"))
        if (copies->named_count < RIG_NAMED_MAX)
            take(copies->named[copies->named_count++], json_member(file, "sha256"));
}

int copies_see(struct copies *copies, const struct journal_line *line, struct error *error)
{
    if (line->kind == JOURNAL_START)
        see_start(copies, line->fields);
    return line->kind == JOURNAL_RECORDING ? see_recording(copies, line, error) : 0;
}

void copies_free(struct copies *copies)
{
    free(copies->recordings);
    *copies = (struct copies){.room = 0};
}

size_t copies_number(const char *name)
{
    const char *digits = name + strlen(COPIES_RECORDINGS);
    size_t number = 0, length;

    if (strncmp(name, COPIES_RECORDINGS, strlen(COPIES_RECORDINGS)) != 0)
        return 0;
    length = strspn(digits, "0123456789");
    if (length < 3 || length > 9 || digits[length] != '-' || strchr(digits, '/'))
        return 0;
    for (size_t i = 0; i < length; i++)
        number = 10 * number + (size_t)(digits[i] - '0');
    return number;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && !strcmp(text + length - tail, end);
}

/* What the journal says of a file, and in which line; "" where it says nothing. */
static const char *digest_of(const struct copies *copies, const char *name, uint64_t *line)
{
    size_t number = copies_number(name);
    const struct copies_recording *recording;

    *line = 1;
    if (!strcmp(name, COPIES_RIG))
        return copies->rig;
    if (!number || number > copies->room)
        return "";
    recording = &copies->recordings[number - 1];
    *line = recording->line;
    return ends_with(name, ".shoe")     ? recording->shoe
           : ends_with(name, ".expect") ? recording->expect
                                        : "";
}

/* Whether it is a copy of something that the rig file names, and of nothing that it named then. */
static bool is_exchanged(const struct copies *copies, const struct manifest_entry *entry)
{
    if (!copies->named_count || (strcmp(entry->name, COPIES_PAYTABLES) != 0 &&
                                 strncmp(entry->name, COPIES_FILES, strlen(COPIES_FILES)) != 0))
        return false;
    for (size_t i = 0; i < copies->named_count; i++)
        if (!strcmp(copies->named[i], entry->digest))
            return false;
    return true;
}

int copies_check(const struct copies *copies, const struct manifest *manifest, struct error *error)
{
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_entry *entry = &manifest->entries[i];
        uint64_t line;
        const char *digest = digest_of(copies, entry->name, &line);

        if ((*digest && strcmp(digest, entry->digest) != 0) || is_exchanged(copies, entry))
            return error_set(error, ERROR_RULE,
                             "%s was altered: it is not the file that line %ju of the journal "
                             "names",
                             entry->name, (uintmax_t)line);
    }
    return 0;
}
