/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/store/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/json_fields.h"
#include "hal/base/save.h"
#include "rigs/history/store/place.h"

#define NOTE    ".json"    /* for which store it is, and from where */
#define REFUSED ".refused" /* the same, when the store has refused it */
#define JOURNAL ".journal"

#define SPOOL_NAME_MAX 40

/* What is to be known of a journal that waits. */
struct note {
    const char *store, *host, *source;
};

static int find_folder(bool make, char folder[PATH_MAX], struct error *error)
{
    return history_folder("XDG_STATE_HOME", ".local/state", "/spool", make, folder, error);
}

static bool name_file(char path[PATH_MAX], const char *folder, const char *name, const char *ending)
{
    return snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX;
}

/* When it was last written goes with it: a run in virtual time is known by that. */
static int copy_time(int from, int to)
{
    struct stat about;

    if (fstat(from, &about))
        return -1;
    return futimens(to, (const struct timespec[]){about.st_atim, about.st_mtim});
}

static int copy_bytes(void *context, int to, struct error *error)
{
    const char *journal = context;
    int from = open(journal, O_RDONLY | O_CLOEXEC);
    char block[65536];
    ssize_t got = -1;

    while (from >= 0 && (got = read(from, block, sizeof block)) > 0)
        for (ssize_t done = 0, wrote; done < got; done += wrote) {
            wrote = write(to, block + done, (size_t)(got - done));
            if (wrote < 0) {
                got = -1;
                break;
            }
        }
    if (got || copy_time(from, to))
        error_set(error, ERROR_RIG, "%s cannot be copied into the spool: %s", journal,
                  strerror(errno));
    else
        got = 0;
    if (from >= 0)
        close(from);
    return got ? ERROR_RIG : 0;
}

static void write_note(const void *what, FILE *out)
{
    const struct note *note = what;
    const char *const members[][2] = {
        {"store", note->store}, {"host", note->host}, {"source", note->source}};

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        char buffer[6 * PATH_MAX];
        struct json_text text;

        json_text_begin(&text, buffer, sizeof buffer);
        json_text_string(&text, members[i][1]);
        fprintf(out, "%s\"%s\":%.*s", i ? "," : "{", members[i][0], (int)(text.at - text.start),
                text.start);
    }
    fputs("}\n", out);
}

static int make_name(char name[SPOOL_NAME_MAX], struct error *error)
{
    uint64_t random[2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return error_set(error, ERROR_RIG, "no random numbers to name a file of the spool by");
    snprintf(name, SPOOL_NAME_MAX, "%016jx%016jx", (uintmax_t)random[0], (uintmax_t)random[1]);
    return 0;
}

/* The note comes last: a journal without one does not wait. */
static int keep(const char *journal, const char *folder, const struct note *note,
                struct error *error)
{
    char name[SPOOL_NAME_MAX], to[PATH_MAX], beside[PATH_MAX];
    int status = make_name(name, error);

    if (status)
        return status;
    if (!name_file(to, folder, name, JOURNAL) || !name_file(beside, folder, name, NOTE))
        return error_set(error, ERROR_RIG, "the path of the spool is too long: %.200s", folder);
    if (link(journal, to))
        status = save_filled(to, copy_bytes, (void *)(uintptr_t)journal, error);
    if (!status)
        status = save_new(beside, write_note, note, error);
    if (status)
        unlink(to);
    return status;
}

int history_spool(const char *journal, const char *store, struct error *error)
{
    char folder[PATH_MAX], host[HISTORY_HOST_SIZE] = "", whole[PATH_MAX];
    const struct note note = {store, host, whole};
    int status = find_folder(true, folder, error);

    if (status)
        return status;
    if (gethostname(host, sizeof host - 1))
        snprintf(host, sizeof host, "unknown");
    if (!realpath(journal, whole))
        return error_set(error, ERROR_RIG, "%s: %s", journal, strerror(errno));
    return keep(whole, folder, &note, error);
}

/* A note that is none, or of another store, is passed over. */
static bool read_note(const char *path, struct json_reader *reader, struct note *note)
{
    char text[32768];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text);
    const struct json_value *fields =
        length > 0 ? fields_parse(reader, text, (size_t)length - 1, NULL) : NULL;

    if (fd >= 0)
        close(fd);
    note->store = json_chars(json_member(fields, "store"));
    note->host = json_chars(json_member(fields, "host"));
    note->source = json_chars(json_member(fields, "source"));
    return note->store && note->host && note->source;
}

struct sending {
    struct store *store;
    const char *folder;
    struct json_reader *reader;
    struct history_sent *sent;
};

static void refuse(const struct sending *sending, const char *name, const char *beside,
                   const struct error *why)
{
    char refused[PATH_MAX];

    sending->sent->refused++;
    snprintf(sending->sent->why, sizeof sending->sent->why, "%s", why->text);
    if (name_file(refused, sending->folder, name, REFUSED))
        rename(beside, refused);
}

static int send_one(const struct sending *sending, const char *name, struct error *error)
{
    char journal[PATH_MAX], beside[PATH_MAX];
    struct history_imported imported;
    struct note note;
    int status;

    if (!name_file(journal, sending->folder, name, JOURNAL) ||
        !name_file(beside, sending->folder, name, NOTE) ||
        !read_note(beside, sending->reader, &note) ||
        strcmp(note.store, store_shown(sending->store)) != 0)
        return 0;
    status = history_import(sending->store, journal,
                            &(struct history_import){.host = note.host, .source = note.source},
                            &imported, error);
    if (status == ERROR_RIG)
        return status;
    if (status) {
        refuse(sending, name, beside, error);
        return 0;
    }
    unlink(beside);
    unlink(journal);
    sending->sent->sent++;
    return 0;
}

static int is_note(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > strlen(NOTE) && length < SPOOL_NAME_MAX &&
           !strcmp(entry->d_name + length - strlen(NOTE), NOTE);
}

int history_spool_send(struct store *store, struct history_sent *sent, struct error *error)
{
    char folder[PATH_MAX];
    struct sending sending = {.store = store, .folder = folder, .sent = sent};
    struct dirent **notes;
    int count, status = find_folder(false, folder, error);

    *sent = (struct history_sent){.sent = 0};
    count = status ? 0 : scandir(folder, &notes, is_note, alphasort);
    if (count < 0) /* nothing has ever waited */
        return 0;
    sending.reader = count ? json_reader_new(32768) : NULL;
    if (count && !sending.reader)
        status = error_set(error, ERROR_RIG, "no memory to look into the spool");
    for (int i = 0; i < count; i++) {
        char *ending = strrchr(notes[i]->d_name, '.');

        *ending = '\0';
        if (!status)
            status = send_one(&sending, notes[i]->d_name, error);
        free(notes[i]);
    }
    if (count)
        free(notes);
    json_reader_free(sending.reader);
    return status;
}
