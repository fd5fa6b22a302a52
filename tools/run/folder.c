/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/save.h"
#include "rigs/report/format.h"
#include "rigs/rig/named.h"
#include "tools/doctor/write.h"

#define RECORDINGS "recordings"
#define CAPTURES   "captures"
#define FILES      "files"
#define JOURNAL    "run.journal"
#define RIG_FILE   "rig.yaml"
#define DOCTOR     "doctor.txt"

/* What a run leaves beside a file for each format. */
static const char *const names[] = {JOURNAL,  RIG_FILE, "paytables.json", DOCTOR, RECORDINGS,
                                    CAPTURES, FILES};
#define NAMES (sizeof names / sizeof names[0])

/* So many runs may stand beside each other. */
#define RUNS_MAX 100000

bool run_folder_join(char path[PATH_MAX], const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";

    return snprintf(path, PATH_MAX, "%s%s%s", folder, slash, name) < PATH_MAX;
}

/* The names one after the other, NULL after the last. */
static const char *name_at(size_t index)
{
    const struct report_format *format;

    if (index < NAMES)
        return names[index];
    format = report_format_at(index - NAMES);
    return format ? format->file : NULL;
}

static bool has_name(const char *folder, const char *name)
{
    struct stat status;
    char path[PATH_MAX];

    return run_folder_join(path, folder, name) && !lstat(path, &status);
}

/* The first name of a run that is there; NULL: none. */
static const char *name_in_use(const char *folder)
{
    const char *name;

    for (size_t i = 0; (name = name_at(i)); i++)
        if (has_name(folder, name))
            return name;
    return NULL;
}

int run_folder_make(const char *folder, struct error *error)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s", folder);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
    if (mkdir(path, 0777) && errno != EEXIST)
        return error_set(error, ERROR_RIG, "%s: cannot be made: %s; %s", folder, strerror(errno),
                         error_remedy(errno));
    return 0;
}

/* Copies have a number before their name, but for captures. */
static bool is_copy(const char *name)
{
    size_t digits = strspn(name, "0123456789");

    return digits >= 3 && name[digits] == '-';
}

static void empty_inside(const char *path, bool is_numbered)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        if (!is_numbered || is_copy(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

static int empty(const char *folder, struct error *error)
{
    const char *name;
    char path[PATH_MAX];

    for (size_t i = 0; (name = name_at(i)); i++) {
        struct stat status;

        if (!run_folder_join(path, folder, name) || lstat(path, &status))
            continue;
        if (S_ISDIR(status.st_mode))
            empty_inside(path, strcmp(name, CAPTURES) != 0);
        if (S_ISDIR(status.st_mode) ? rmdir(path) : unlink(path))
            return error_set(error, ERROR_RIG,
                             "%s: cannot be removed: %s; remove it, or choose another name", path,
                             strerror(errno));
    }
    return 0;
}

int run_folder_empty(const char *folder, struct error *error)
{
    bool is_begun = has_name(folder, DOCTOR) && has_name(folder, RIG_FILE);

    return has_name(folder, JOURNAL) || is_begun ? empty(folder, error) : 0;
}

/* The first name of what is left of a path after the folder that it is in; 0: it is not in there.
 */
static size_t name_inside(const char *folder, const char *path)
{
    size_t length = strlen(folder);

    if (strncmp(path, folder, length) != 0 || path[length] != '/')
        return 0;
    return strcspn(path + length + 1, "/");
}

bool run_folder_holds(const char *folder, const char *path)
{
    char real_folder[PATH_MAX], real[PATH_MAX];
    size_t length;
    const char *name;

    if (!realpath(folder, real_folder) || !realpath(path, real))
        return false;
    length = name_inside(real_folder, real);
    for (size_t i = 0; length && (name = name_at(i)); i++)
        if (strlen(name) == length && !memcmp(real + strlen(real_folder) + 1, name, length))
            return true;
    return false;
}

void run_folder_drop(const char *folder)
{
    empty(folder, NULL);
    rmdir(folder);
}

static int say_unwritten(const char *path, struct error *error)
{
    return error_set(error, ERROR_RIG, "%s: cannot be written: %s; %s", path, strerror(errno),
                     error_remedy(errno));
}

/* A new file in the folder; no link is followed, and nothing that is there is written over. */
static FILE *make_file(const char *folder, const char *name, mode_t mode, char path[PATH_MAX])
{
    FILE *file;
    int fd;

    errno = ENAMETOOLONG;
    fd = run_folder_join(path, folder, name) ? save_open_new(path, O_WRONLY, mode) : -1;
    file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file && fd >= 0)
        close(fd);
    return file;
}

/* All of it is in the file, or it is said. */
static int close_file(FILE *file, const char *path, struct error *error)
{
    bool is_written = !fflush(file) && !ferror(file);

    if (fclose(file))
        is_written = false;
    return is_written ? 0 : say_unwritten(path, error);
}

/* On a real clock a power cut after the first card finds all of it on the disk. */
static int sync_folder(const char *folder, struct error *error)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = fd < 0 || syncfs(fd) ? say_unwritten(folder, error) : 0;

    if (fd >= 0)
        close(fd);
    return status;
}

/*
 * Puts the rig file there, which one run alone can. Returns 1, with an error, where another one was
 * quicker or this is no folder.
 */
static int claim(const char *folder, const struct rig *rig, struct error *error)
{
    char path[PATH_MAX];
    int status = run_folder_make(folder, error);
    FILE *file;

    if (status)
        return status;
    file = make_file(folder, RIG_FILE, 0666, path);
    if (!file && errno == ENOTDIR) {
        error_set(error, ERROR_CONFIG, "%s: is a file, and no folder of reports; %s", folder,
                  error_remedy(ENOTDIR));
        return 1;
    }
    if (!file) {
        bool is_taken = errno == EEXIST;

        return say_unwritten(path, error) && is_taken ? 1 : ERROR_RIG;
    }
    fwrite(rig->text, 1, rig->text_size, file);
    return close_file(file, path, error);
}

/* The folder itself, which has nothing of a run any more. */
static int take_fixed(const char *folder, const struct rig *rig, struct error *error)
{
    const char *name = name_in_use(folder);

    if (name)
        return error_set(error, ERROR_CONFIG,
                         "%s/%s: is there, and no run has left it; remove it, or choose another "
                         "folder",
                         folder, name);
    return claim(folder, rig, error) ? (int)error->code : 0;
}

int run_folder_take(const char *folder, bool is_fixed, const struct rig *rig, char chosen[PATH_MAX],
                    struct error *error)
{
    size_t length = strlen(folder);
    struct stat status;
    int result;

    while (length > 1 && folder[length - 1] == '/')
        length--;
    /* Room for a number and the names in it. */
    if (length > PATH_MAX - 64)
        return error_set(error, ERROR_CONFIG, "--reports %.60s...: the name is too long", folder);
    snprintf(chosen, PATH_MAX, "%.*s", (int)length, folder);
    if (is_fixed || (!stat(chosen, &status) && !S_ISDIR(status.st_mode)))
        return take_fixed(chosen, rig, error);
    for (unsigned number = 2; (result = name_in_use(chosen) ? 1 : claim(chosen, rig, error)) > 0;
         number++) {
        if (number == RUNS_MAX)
            return error_set(error, ERROR_CONFIG, "%s: too many runs are beside it", folder);
        snprintf(chosen, PATH_MAX, "%.*s.%u", (int)length, folder, number);
    }
    return result;
}

/* The digest of what was copied is for who knows what it must be. */
static int copy_from(const struct recording_place *place, const char *from, const char *folder,
                     const char *name, mode_t mode, char digest[DIGEST_SIZE], struct error *error)
{
    int fd = place ? place->open(place->context, from, error) : lines_open(from, error);
    char path[PATH_MAX], block[16384];
    struct digest sum;
    ssize_t got;
    FILE *file;

    if (fd < 0)
        return fd;
    file = make_file(folder, name, mode, path);
    if (!file) {
        close(fd);
        return say_unwritten(path, error);
    }
    digest_begin(&sum);
    while ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        if (got < 0)
            continue;
        digest_add(&sum, block, (size_t)got);
        fwrite(block, 1, (size_t)got, file);
    }
    close(fd);
    digest_end(&sum, digest);
    if (got < 0) {
        fclose(file);
        return error_set(error, ERROR_RIG, "%s: cannot be read: %s", from, strerror(errno));
    }
    return close_file(file, path, error);
}

static int copy_file(const char *from, const char *folder, const char *name, mode_t mode,
                     char digest[DIGEST_SIZE], struct error *error)
{
    return copy_from(NULL, from, folder, name, mode, digest, error);
}

/* One of the two files of a recording; `digest` is what it had when it was surveyed. */
static int keep_recorded(const struct recording_place *place, const char *folder, size_t number,
                         const char *path, const char *digest, struct error *error)
{
    const char *slash = strrchr(path, '/');
    char name[NAME_MAX + 1], now[DIGEST_SIZE];
    int status;

    snprintf(name, sizeof name, "%03zu-%s", number, slash ? slash + 1 : path);
    status = copy_from(place, path, folder, name, 0666, now, error);
    if (!status && strcmp(now, digest))
        return error_set(error, ERROR_CONFIG, "%s: was changed while it was copied", path);
    return status;
}

/* What can be read only once, such as a pipe, has no digest yet and is not copied. */
static int keep_recordings(const char *folder, const struct run_used *used, struct error *error)
{
    char inside[PATH_MAX], expect[PATH_MAX];
    int status = 0;

    if (!used->recordings)
        return 0;
    run_folder_join(inside, folder, RECORDINGS);
    status = run_folder_make(inside, error);
    for (size_t i = 0; i < used->recordings->count && !status; i++) {
        const struct run_survey *survey = &used->surveys[i];
        const char *path = used->recordings->paths[i];

        if (!*survey->digest || !*survey->expect_digest)
            continue;
        snprintf(expect, sizeof expect, "%.*s.expect", (int)(strlen(path) - strlen(".shoe")), path);
        status = keep_recorded(used->place, inside, i + 1, path, survey->digest, error);
        if (!status)
            status =
                keep_recorded(used->place, inside, i + 1, expect, survey->expect_digest, error);
    }
    return status;
}

/* Scripts and maps; paytables have their own name. */
static int keep_named(const char *folder, const struct rig *rig, struct error *error)
{
    struct rig_named named[RIG_NAMED_MAX];
    unsigned count = rig_named(rig, named), first = rig->paytables[0] != 0;
    char inside[PATH_MAX];
    int status = 0;

    if (count <= first)
        return 0;
    run_folder_join(inside, folder, FILES);
    status = run_folder_make(inside, error);
    for (unsigned i = first; i < count && !status; i++)
        status = keep_recorded(NULL, inside, i - first + 1, named[i].path, named[i].digest, error);
    return status;
}

static int keep_doctor(const char *folder, struct error *error)
{
    char path[PATH_MAX];
    FILE *file = make_file(folder, DOCTOR, 0666, path);

    if (!file)
        return say_unwritten(path, error);
    doctor_write(file);
    return close_file(file, path, error);
}

int run_folder_keep(const char *folder, const struct run_used *used, struct error *error)
{
    const struct rig *rig = used->rig;
    char digest[DIGEST_SIZE];
    int status = 0;

    if (rig->paytables[0])
        status = copy_file(rig->paytables, folder, "paytables.json", 0666, digest, error);
    if (!status)
        status = keep_named(folder, rig, error);
    if (!status)
        status = keep_recordings(folder, used, error);
    if (!status)
        status = keep_doctor(folder, error);
    return !status && rig->clock == RIG_CLOCK_REAL ? sync_folder(folder, error) : status;
}

int run_folder_keep_journal(const char *folder, const char *journal, struct error *error)
{
    char path[PATH_MAX], digest[DIGEST_SIZE];
    struct stat from, to;

    if (run_folder_join(path, folder, JOURNAL) && !stat(journal, &from) && !stat(path, &to) &&
        from.st_dev == to.st_dev && from.st_ino == to.st_ino)
        return 0;
    return copy_file(journal, folder, JOURNAL, 0666, digest, error);
}

int run_folder_keep_capture(const char *folder, const char *capture, struct error *error)
{
    const char *slash = strrchr(capture, '/');
    char inside[PATH_MAX], digest[DIGEST_SIZE];
    struct stat status;
    int result;

    /* A pipe that Wireshark reads has nothing left to copy. */
    if (lstat(capture, &status) || !S_ISREG(status.st_mode))
        return 0;
    run_folder_join(inside, folder, CAPTURES);
    result = run_folder_make(inside, error);
    return result ? result
                  : copy_file(capture, inside, slash ? slash + 1 : capture, 0600, digest, error);
}
