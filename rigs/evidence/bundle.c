/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/embed.h"
#include "hal/base/save.h"
#include "hal/base/veil.h"
#include "rigs/evidence/reports.h"
#include "rigs/evidence/sbom.h"
#include "rigs/evidence/sealed.h"

EMBED_TEXT(verify_page, "rigs/evidence/VERIFY.md");

#define PIECE (256 * 1024)

/* What goes into a bundle, and the archive while it is written. */
struct bundle {
    const struct bundle_options *options;
    struct bundle_made *made;
    struct manifest manifest;
    struct statement statement;
    char sbom[SBOM_SIZE];
    size_t sbom_length;
    int fd;
    uint64_t size;    /* of the archive so far */
    uint64_t journal; /* bytes of it that were judged */
    struct report *report;
    char *piece;
};

const char *bundle_verify_page(void)
{
    return verify_page;
}

/* What is made here and not found in the folder. */
static const char *text_of(const struct bundle *bundle, const char *name, size_t *length)
{
    if (!strcmp(name, BUNDLE_STATEMENT)) {
        *length = bundle->statement.length;
        return bundle->statement.text;
    }
    if (!strcmp(name, BUNDLE_SBOM)) {
        *length = bundle->sbom_length;
        return bundle->sbom;
    }
    if (!strcmp(name, BUNDLE_VERIFY)) {
        *length = strlen(verify_page);
        return verify_page;
    }
    return NULL;
}

static int add_file(struct bundle *bundle, const char *name, struct error *error)
{
    size_t length;

    if (tar_check_name(name, error))
        return ERROR_CONFIG;
    if (!strcmp(name, MANIFEST_NAME) || text_of(bundle, name, &length))
        return error_set(error, ERROR_CONFIG,
                         "there is a file '%s' in the folder already, and a bundle has its own: is "
                         "this an unpacked bundle?",
                         name);
    if (bundle->manifest.count + 3 >= TAR_MEMBERS_MAX)
        return error_set(error, ERROR_CONFIG, "there are more than %d files in it",
                         TAR_MEMBERS_MAX);
    return manifest_add(&bundle->manifest, name, error) ? 0 : ERROR_RIG;
}

static int take_entry(struct bundle *bundle, const FTSENT *entry, struct error *error)
{
    const char *name = entry->fts_path + strlen(bundle->options->folder);

    name += strspn(name, "/");
    switch (entry->fts_info) {
    case FTS_D:
    case FTS_DP:
        return 0;
    case FTS_F:
        return add_file(bundle, name, error);
    case FTS_SL:
    case FTS_SLNONE:
    case FTS_DEFAULT:
        return error_set(error, ERROR_CONFIG,
                         "%.100s is neither a file nor a folder; a bundle holds no links and no "
                         "devices",
                         name);
    default:
        return error_set(error, ERROR_RIG, "%.100s cannot be read: %s", name,
                         strerror(entry->fts_errno));
    }
}

static int find_files(struct bundle *bundle, struct error *error)
{
    char *const folders[] = {(char *)bundle->options->folder, NULL};
    struct stat about;
    FTSENT *entry;
    FTS *walk;
    int status = 0;

    if (stat(bundle->options->folder, &about))
        return error_set(error, ERROR_CONFIG, "there is no such folder");
    if (!S_ISDIR(about.st_mode))
        return error_set(error, ERROR_CONFIG,
                         "this is a file: name the folder of the run, as --reports leaves it");
    walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk)
        return error_set(error, ERROR_RIG, "the folder cannot be read: %s", strerror(errno));
    /* To the end also after an error: what is closed before is not given back whole. */
    while ((errno = 0, entry = fts_read(walk)))
        if (!status)
            status = take_entry(bundle, entry, error);
    if (!status && errno)
        status = error_set(error, ERROR_RIG, "the folder cannot be read: %s", strerror(errno));
    fts_close(walk);
    return status;
}

/* A descriptor of a file in the folder, and its size; or an error. */
static int open_file(const struct bundle *bundle, const char *name, uint64_t *size,
                     struct error *error)
{
    int folder = open(bundle->options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = folder < 0
                 ? -1
                 : openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    int reason = errno;
    struct stat about;

    if (folder >= 0)
        close(folder);
    if (fd < 0)
        return error_set(error, reason == ENOENT ? ERROR_CONFIG : ERROR_RIG,
                         "%.100s cannot be opened: %s", name, strerror(reason));
    if (fstat(fd, &about) || !S_ISREG(about.st_mode)) {
        close(fd);
        return error_set(error, ERROR_CONFIG, "%.100s is no file any more", name);
    }
    *size = (uint64_t)about.st_size;
    return fd;
}

static int put(struct bundle *bundle, const void *bytes, size_t size, struct error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t moved = pwrite(bundle->fd, (const char *)bytes + done, size - done,
                               (off_t)(bundle->size + done));

        if (moved < 0 && errno != EINTR)
            return error_set(error, ERROR_RIG, "the bundle cannot be written: %s", strerror(errno));
        done += moved > 0 ? (size_t)moved : 0;
    }
    bundle->size += size;
    return 0;
}

static int put_header(struct bundle *bundle, const char *name, uint64_t size, struct error *error)
{
    uint8_t block[TAR_BLOCK];
    int status = tar_header(name, size, block, error);

    return status ? status : put(bundle, block, sizeof block, error);
}

static int put_padding(struct bundle *bundle, uint64_t size, struct error *error)
{
    static const uint8_t zeros[TAR_BLOCK];

    return put(bundle, zeros, (size_t)(tar_padded(size) - size), error);
}

/* A name itself, or a folder that the name is in. */
static bool is_withheld(const struct bundle *bundle, const char *name)
{
    for (const char *const *one = bundle->options->without; one && *one; one++) {
        size_t length = strlen(*one);

        if (!strncmp(name, *one, length) && (!name[length] || name[length] == '/'))
            return true;
    }
    return false;
}

static int cannot_read(const char *name, ssize_t got, struct error *error)
{
    return got < 0 ? error_set(error, ERROR_RIG, "%.100s cannot be read: %s", name, strerror(errno))
                   : error_set(error, ERROR_CONFIG,
                               "%.100s has become shorter or longer while it was read: is the run "
                               "still going on?",
                               name);
}

/* Content, digested as it goes into the archive, or only digested. */
static int copy_file(struct bundle *bundle, const char *name, int fd, uint64_t size,
                     struct digest *sum, struct error *error)
{
    bool is_shown = !is_withheld(bundle, name);
    uint64_t done = 0;
    ssize_t got;

    while ((got = read(fd, bundle->piece, PIECE)) > 0 && (done += (uint64_t)got) <= size) {
        int status = is_shown ? put(bundle, bundle->piece, (size_t)got, error) : 0;

        if (status)
            return status;
        digest_add(sum, bundle->piece, (size_t)got);
    }
    return got || done != size ? cannot_read(name, got, error) : 0;
}

static int put_file(struct bundle *bundle, struct manifest_entry *entry, struct error *error)
{
    struct digest sum;
    uint64_t size;
    int fd = open_file(bundle, entry->name, &size, error), status = 0;
    bool is_shown = !is_withheld(bundle, entry->name);

    if (fd < 0)
        return fd;
    digest_begin(&sum);
    if (!strcmp(entry->name, BUNDLE_JOURNAL) && size != bundle->journal)
        status = cannot_read(entry->name, 0, error);
    if (!status && is_shown)
        status = put_header(bundle, entry->name, size, error);
    if (!status)
        status = copy_file(bundle, entry->name, fd, size, &sum, error);
    close(fd);
    if (!status && is_shown)
        status = put_padding(bundle, size, error);
    digest_end(&sum, entry->digest);
    bundle->made->withheld += !is_shown;
    return status;
}

static int put_text(struct bundle *bundle, struct manifest_entry *entry, const char *text,
                    size_t length, struct error *error)
{
    int status = put_header(bundle, entry->name, length, error);

    if (!status)
        status = put(bundle, text, length, error);
    digest_bytes(text, length, entry->digest);
    return status ? status : put_padding(bundle, length, error);
}

/* Its length is known before the digests are, so it is put in its place at last. */
static int put_manifest(struct bundle *bundle, struct error *error)
{
    char *text = manifest_text(&bundle->manifest);
    uint64_t end = bundle->size;
    int status;

    if (!text)
        return error_set(error, ERROR_RIG, "no memory for the manifest");
    bundle->size = TAR_BLOCK;
    status = put(bundle, text, strlen(text), error);
    digest_bytes(text, strlen(text), bundle->made->digest);
    bundle->size = end;
    free(text);
    return status;
}

/* A report that tells something else than the journal would be signed with it. */
static int check_reports(const struct bundle *bundle, struct error *error)
{
    struct remade remade = {.same = 0};
    int status =
        remade_reports(&bundle->manifest, &bundle->statement, bundle->report, &remade, error);

    snprintf(bundle->made->others, sizeof bundle->made->others, "%s", remade.names);
    return status;
}

static int put_archive(void *context, int fd, struct error *error)
{
    static const uint8_t end[2 * TAR_BLOCK];
    struct bundle *bundle = context;
    size_t length = manifest_length(&bundle->manifest);
    int status;

    bundle->fd = fd;
    bundle->size = 0;
    status = put_header(bundle, MANIFEST_NAME, length, error);
    bundle->size += tar_padded(length);
    for (size_t i = 0; i < bundle->manifest.count && !status; i++) {
        struct manifest_entry *entry = &bundle->manifest.entries[i];
        const char *text = text_of(bundle, entry->name, &length);

        status =
            text ? put_text(bundle, entry, text, length, error) : put_file(bundle, entry, error);
    }
    if (!status)
        status = copies_check(&bundle->statement.copies, &bundle->manifest, error);
    if (!status)
        status = check_reports(bundle, error);
    if (!status)
        status = put(bundle, end, sizeof end, error);
    return status ? status : put_manifest(bundle, error);
}

/*
 * The bundle that is amended is named by the digest of its manifest, which its signatures are over.
 * One that was altered is nothing to correct.
 */
static int find_amended(const char *path, char digest[DIGEST_SIZE], struct error *error)
{
    struct statement stated;
    struct sealed sealed;
    int status = sealed_open(&sealed, path, error);

    if (status)
        return status;
    memcpy(digest, sealed.digest, DIGEST_SIZE);
    status = sealed_judge(&sealed, &stated, error);
    if (status < 0)
        error_prefix(error, "%.200s", path);
    else
        statement_free(&stated);
    sealed_close(&sealed);
    return status < 0 ? status : 0;
}

/* Its bytes, when it is there and nobody writes it. */
static int find_journal(struct bundle *bundle, struct error *error)
{
    int journal = open_file(bundle, BUNDLE_JOURNAL, &bundle->journal, error);
    bool is_locked;

    if (journal < 0)
        return error_set(error, (enum error_code)journal,
                         "this is not the folder of a run, as --reports leaves it: there is no "
                         "" BUNDLE_JOURNAL " that can be read");
    is_locked = veil_is_locked(journal);
    close(journal);
    return is_locked
               ? error_set(error, ERROR_CONFIG,
                           BUNDLE_JOURNAL " is still being written: bundle it when the run is over")
               : 0;
}

/* The journal is read once, for the statement and for the reports that are made again. */
static int read_journal(struct bundle *bundle, const struct statement_head *head,
                        struct error *error)
{
    struct statement_facts *facts = statement_begin(&bundle->statement);
    struct report_watch watch = {.see = statement_see, .context = facts};
    char *path = NULL;
    int status, stated;

    if (!facts || asprintf(&path, "%s/" BUNDLE_JOURNAL, bundle->options->folder) < 0) {
        free(facts);
        return error_set(error, ERROR_RIG, "no memory for a statement");
    }
    status = report_read_watched(path, bundle->journal, &watch, &bundle->report, error);
    if (!status && *bundle->report->problem)
        status = error_set(error, ERROR_RULE, BUNDLE_JOURNAL ": %s", bundle->report->problem);
    stated = statement_end(facts, status ? NULL : &bundle->report->ending, head, error);
    free(path);
    return status ? status : stated;
}

static int state(struct bundle *bundle, struct error *error)
{
    struct statement_head head = {.format = STATEMENT_FORMAT, .bundler = DEALPROOF_VERSION};
    const char *amends = bundle->options->amends;
    struct sbom_program program;
    int length, status = amends ? find_amended(amends, head.amends, error) : 0;

    if (!status)
        status = find_journal(bundle, error);
    if (!status)
        status = read_journal(bundle, &head, error);
    if (status)
        return status;
    status = sbom_this_program(&program, bundle->options->commit, error);
    length = status ? status : sbom_write(&bundle->statement, &program, bundle->sbom, error);
    bundle->sbom_length = length < 0 ? 0 : (size_t)length;
    return length < 0 ? length : 0;
}

static int check_withheld(const struct bundle *bundle, struct error *error)
{
    for (const char *const *one = bundle->options->without; one && *one; one++) {
        size_t length = strlen(*one), i;

        for (i = 0; i < bundle->manifest.count; i++) {
            const char *name = bundle->manifest.entries[i].name;

            if (!strncmp(name, *one, length) && (!name[length] || name[length] == '/'))
                break;
        }
        if (i == bundle->manifest.count)
            return error_set(error, ERROR_CONFIG, "there is no '%.100s' to withhold", *one);
        if (!strcmp(*one, BUNDLE_JOURNAL))
            return error_set(error, ERROR_CONFIG,
                             "a bundle without its " BUNDLE_JOURNAL " proves nothing");
    }
    return 0;
}

static int make(struct bundle *bundle, const char *path, struct error *error)
{
    static const char *const own[] = {BUNDLE_STATEMENT, BUNDLE_SBOM, BUNDLE_VERIFY};
    int status = find_files(bundle, error);

    if (!status)
        status = check_withheld(bundle, error);
    if (!status)
        status = state(bundle, error);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (!manifest_add(&bundle->manifest, own[i], error))
            return ERROR_RIG;
    status = manifest_sort(&bundle->manifest, error);
    if (!status)
        status = save_filled(path, put_archive, bundle, error);
    bundle->made->files = bundle->manifest.count;
    bundle->made->bytes = bundle->size;
    return status;
}

int bundle_make(const char *path, const struct bundle_options *options, struct bundle_made *made,
                struct error *error)
{
    struct bundle *bundle = calloc(1, sizeof *bundle);
    struct error unheard = {.text = ""};
    int status;

    error = error ? error : &unheard;
    if (!bundle || !(bundle->piece = malloc(PIECE))) {
        free(bundle);
        return error_set(error, ERROR_RIG, "no memory for a bundle");
    }
    *made = (struct bundle_made){.files = 0};
    bundle->options = options;
    bundle->made = made;
    status = make(bundle, path, error);
    if (status)
        error_prefix(error, "%.200s", options->folder);
    statement_free(&bundle->statement);
    report_free(bundle->report);
    manifest_free(&bundle->manifest);
    free(bundle->piece);
    free(bundle);
    return status;
}
