/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/temporary.h"
#include "hal/base/utf8.h"

/* The fields of a header, all of them texts. */
struct header {
    char name[100], mode[8], owner[8], group[8], size[12], time[12], checksum[8], kind[1],
        link[100], magic[6], version[2], owner_name[32], group_name[32], major[8], minor[8],
        prefix[155], unused[12];
};
_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is one block");

#define PIECE (64 * 1024)

struct tar {
    int fd;
    uint64_t size;
    size_t count, room;
    struct tar_member *members;
    const struct tar_member **by_name; /* in the order of their names */
};

static bool is_part(const char *part, size_t length)
{
    return length && !(length == 1 && part[0] == '.') && !(length == 2 && !strncmp(part, "..", 2));
}

/* Where a name is cut in two, as GNU tar does; 0: both halves fit nowhere, or it need not be. */
static size_t cut_at(const char *name)
{
    size_t length = strlen(name), cut = length < 156 ? length : 156;

    if (length <= 100)
        return 0;
    while (--cut && name[cut] != '/') {
    }
    return length - cut - 1 <= 100 ? cut : 0;
}

/* UTF-8 that shows what it is, without a backslash. */
static bool is_printable(const char *name)
{
    const unsigned char *at = (const unsigned char *)name;
    size_t left = strlen(name), length;

    for (; left; at += length, left -= length) {
        length = utf8_length(at, left);
        if (!length || *at == '\\' || utf8_is_invisible(at, length) ||
            utf8_code(at, length) < ' ' ||
            (utf8_code(at, length) >= 0x7f && utf8_code(at, length) < 0xa0))
            return false;
    }
    return true;
}

int tar_check_name(const char *name, struct error *error)
{
    const char *at = name;

    if (!is_printable(name))
        return error_set(error, ERROR_CONFIG,
                         "'%.100s' cannot be the name of a file in an archive: it must be of "
                         "printable UTF-8 without a backslash; give the file another name",
                         name);
    for (;; at++) {
        size_t length = strcspn(at, "/");

        if (!is_part(at, length))
            return error_set(error, ERROR_CONFIG,
                             "'%.100s' cannot be the name of a file in an archive: it must stay "
                             "below it",
                             name);
        at += length;
        if (!*at)
            break;
    }
    if (strlen(name) >= TAR_NAME_SIZE || (strlen(name) > 100 && !cut_at(name)))
        return error_set(error, ERROR_CONFIG,
                         "'%.100s…' is too long for the name of a file in an archive", name);
    return 0;
}

static unsigned sum_of(const struct header *header)
{
    const uint8_t *bytes = (const uint8_t *)header;
    unsigned sum = 0;

    for (size_t i = 0; i < TAR_BLOCK; i++) {
        bool is_own = i >= offsetof(struct header, checksum) && i < offsetof(struct header, kind);

        sum += is_own ? ' ' : bytes[i];
    }
    return sum;
}

int tar_header(const char *name, uint64_t size, uint8_t block[TAR_BLOCK], struct error *error)
{
    struct header header;
    size_t cut = cut_at(name);
    const char *rest = cut ? name + cut + 1 : name;

    if (size > TAR_LARGEST)
        return error_set(error, ERROR_CONFIG,
                         "%.100s has %ju bytes; a file in an archive has at "
                         "most %ju",
                         name, (uintmax_t)size, (uintmax_t)TAR_LARGEST);
    memset(&header, 0, sizeof header);
    memcpy(header.prefix, name, cut);
    memcpy(header.name, rest, strlen(rest));
    memcpy(header.mode, "0000644", 8);
    memcpy(header.owner, "0000000", 8);
    memcpy(header.group, "0000000", 8);
    snprintf(header.size, sizeof header.size, "%011jo", (uintmax_t)size);
    memcpy(header.time, "00000000000", 12);
    header.kind[0] = '0';
    memcpy(header.magic, "ustar", 6);
    memcpy(header.version, "00", 2);
    memcpy(header.major, "0000000", 8);
    memcpy(header.minor, "0000000", 8);
    snprintf(header.checksum, sizeof header.checksum, "%06o", sum_of(&header));
    header.checksum[7] = ' ';
    memcpy(block, &header, TAR_BLOCK);
    return 0;
}

/* Octal digits up to a NUL or a blank, with nothing but those behind them. */
static bool read_octal(const char *field, size_t size, uint64_t *number)
{
    size_t digits = 0;

    *number = 0;
    while (digits < size && field[digits] >= '0' && field[digits] <= '7')
        *number = *number * 8 + (uint64_t)(field[digits++] - '0');
    for (size_t i = digits; i < size; i++)
        if (field[i] && field[i] != ' ')
            return false;
    return digits && digits < size;
}

static int alter(const char *name, const char *what, struct error *error)
{
    return error_set(error, ERROR_RULE, "the archive was altered%s%.100s: %s", *name ? " at " : "",
                     name, what);
}

static int no_archive(struct error *error)
{
    return error_set(error, ERROR_CONFIG, "this is no archive in the ustar format");
}

static int read_at(const struct tar *tar, uint64_t offset, void *bytes, size_t size,
                   struct error *error)
{
    for (size_t got = 0; got < size;) {
        ssize_t moved = pread(tar->fd, (char *)bytes + got, size - got, (off_t)(offset + got));

        if (moved < 0 && errno == EINTR)
            continue;
        if (moved <= 0)
            return error_set(error, ERROR_RIG, "the archive cannot be read: %s",
                             moved ? strerror(errno) : "it has become shorter");
        got += (size_t)moved;
    }
    return 0;
}

static int check_zeros(const struct tar *tar, uint64_t from, uint64_t to, const char *name,
                       struct error *error)
{
    char bytes[4096];

    while (from < to) {
        size_t size = to - from < sizeof bytes ? (size_t)(to - from) : sizeof bytes;
        int status = read_at(tar, from, bytes, size, error);

        if (status)
            return status;
        for (size_t i = 0; i < size; i++)
            if (bytes[i])
                return alter(name, "bytes stand where there must be none", error);
        from += size;
    }
    return 0;
}

static bool is_empty(const struct header *header)
{
    const char *bytes = (const char *)header;

    for (size_t i = 0; i < TAR_BLOCK; i++)
        if (bytes[i])
            return false;
    return true;
}

static void join_name(const struct header *header, char name[TAR_NAME_SIZE])
{
    int prefix = (int)strnlen(header->prefix, sizeof header->prefix);
    int rest = (int)strnlen(header->name, sizeof header->name);

    snprintf(name, TAR_NAME_SIZE, "%.*s%s%.*s", prefix, header->prefix, prefix ? "/" : "", rest,
             header->name);
}

/* What a header may say is a name and a size; all else of it follows from these. */
static int check_header(const struct header *header, struct tar_member *member, struct error *error)
{
    uint8_t ours[TAR_BLOCK];
    uint64_t sum;

    if (memcmp(header->magic, "ustar", sizeof header->magic) || memcmp(header->version, "00", 2))
        return member->offset == TAR_BLOCK
                   ? no_archive(error)
                   : alter("", "something else than a header stands in it", error);
    join_name(header, member->name);
    /* Six digits, a NUL and a blank: the sum does not count its own bytes. */
    if (memcmp(header->checksum + 6, "\0 ", 2) || !read_octal(header->checksum, 7, &sum) ||
        sum != sum_of(header))
        return alter("", "the checksum of a header is wrong", error);
    if (!read_octal(header->size, sizeof header->size, &member->size))
        return alter(member->name, "its size is no number", error);
    if (header->kind[0] != '0')
        return alter(member->name, "only files may be in it, no folders, links and devices", error);
    if (tar_check_name(member->name, error))
        return error->code = ERROR_RULE;
    if (tar_header(member->name, member->size, ours, error))
        return error->code = ERROR_RULE;
    return memcmp(ours, header, sizeof ours) ? alter(member->name,
                                                     "its header is not as a bundle has it, with "
                                                     "mode 0644, owner and time 0 and nothing else",
                                                     error)
                                             : 0;
}

static int add_member(struct tar *tar, const struct tar_member *member, struct error *error)
{
    size_t room = tar->room ? 2 * tar->room : 64;

    if (tar->count == TAR_MEMBERS_MAX)
        return error_set(error, ERROR_RULE, "the archive has more than %d files", TAR_MEMBERS_MAX);
    if (tar->count == tar->room) {
        struct tar_member *members = realloc(tar->members, room * sizeof *members);

        if (!members)
            return error_set(error, ERROR_RIG, "no memory for the list of %zu files", room);
        tar->members = members;
        tar->room = room;
    }
    tar->members[tar->count++] = *member;
    return 0;
}

static int take_member(struct tar *tar, const struct header *header, uint64_t *offset,
                       struct error *error)
{
    struct tar_member member = {.offset = *offset + TAR_BLOCK};
    int status = check_header(header, &member, error);

    if (status)
        return status;
    if (member.size > tar->size - member.offset ||
        tar_padded(member.size) > tar->size - member.offset)
        return alter(member.name, "its end is missing", error);
    *offset = member.offset + tar_padded(member.size);
    status = check_zeros(tar, member.offset + member.size, *offset, member.name, error);
    return status ? status : add_member(tar, &member, error);
}

/* More than any tar fills its last record with; zeros without end would be read for ever. */
#define END_MOST (256 * TAR_BLOCK)

static int check_end(const struct tar *tar, uint64_t offset, struct error *error)
{
    if (!offset)
        return no_archive(error);
    if (tar->size - offset < 2 * TAR_BLOCK)
        return alter("", "its end is missing", error);
    if (tar->size % TAR_BLOCK || tar->size - offset > END_MOST)
        return alter("", "there is more behind its end", error);
    return check_zeros(tar, offset, tar->size, "its end", error);
}

static int read_headers(struct tar *tar, struct error *error)
{
    struct header header;
    uint64_t offset = 0;

    if (tar->size < TAR_BLOCK)
        return no_archive(error);
    while (offset + TAR_BLOCK <= tar->size) {
        int status = read_at(tar, offset, &header, sizeof header, error);

        if (!status && is_empty(&header))
            return check_end(tar, offset, error);
        if (!status)
            status = take_member(tar, &header, &offset, error);
        if (status)
            return status;
    }
    return alter("", "its end is missing", error);
}

static int by_name(const void *one, const void *other)
{
    const struct tar_member *const *a = one, *const *b = other;

    return strcmp((*a)->name, (*b)->name);
}

static int sort_names(struct tar *tar, struct error *error)
{
    tar->by_name = calloc(tar->count + 1, sizeof *tar->by_name);
    if (!tar->by_name)
        return error_set(error, ERROR_RIG, "no memory for the list of %zu files", tar->count);
    for (size_t i = 0; i < tar->count; i++)
        tar->by_name[i] = &tar->members[i];
    qsort(tar->by_name, tar->count, sizeof *tar->by_name, by_name);
    for (size_t i = 1; i < tar->count; i++)
        if (!strcmp(tar->by_name[i - 1]->name, tar->by_name[i]->name))
            return alter(tar->by_name[i]->name, "it is in it twice", error);
    return 0;
}

static int open_regular(struct tar *tar, const char *path, struct error *error)
{
    struct stat about;

    tar->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (tar->fd < 0 || fstat(tar->fd, &about))
        return error_set(error, error_of_opening(errno), "cannot open it: %s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return error_set(error, ERROR_CONFIG, "this is no file");
    tar->size = (uint64_t)about.st_size;
    return 0;
}

int tar_open(struct tar **tar, const char *path, struct error *error)
{
    struct tar *opened = calloc(1, sizeof *opened);
    struct error unheard = {.text = ""};
    int status;

    *tar = NULL;
    error = error ? error : &unheard;
    if (!opened)
        return error_set(error, ERROR_RIG, "no memory for an archive");
    status = open_regular(opened, path, error);
    if (!status)
        status = read_headers(opened, error);
    if (!status)
        status = sort_names(opened, error);
    if (status) {
        error_prefix(error, "%.200s", path);
        tar_close(opened);
        return status;
    }
    *tar = opened;
    return 0;
}

void tar_close(struct tar *tar)
{
    if (!tar)
        return;
    if (tar->fd >= 0)
        close(tar->fd);
    free(tar->by_name);
    free(tar->members);
    free(tar);
}

const struct tar_member *tar_at(const struct tar *tar, size_t index)
{
    return index < tar->count ? &tar->members[index] : NULL;
}

const struct tar_member *tar_find(const struct tar *tar, const char *name)
{
    struct tar_member wanted;
    const struct tar_member *key = &wanted, **found;

    if (strlen(name) >= sizeof wanted.name)
        return NULL;
    strcpy(wanted.name, name);
    found = bsearch(&key, tar->by_name, tar->count, sizeof key, by_name);
    return found ? *found : NULL;
}

int64_t tar_read(const struct tar *tar, const struct tar_member *member, uint64_t from, void *bytes,
                 size_t size, struct error *error)
{
    int status;

    if (from >= member->size)
        return 0;
    if (size > member->size - from)
        size = (size_t)(member->size - from);
    status = read_at(tar, member->offset + from, bytes, size, error);
    return status ? status : (int64_t)size;
}

char *tar_text(const struct tar *tar, const struct tar_member *member, size_t most,
               struct error *error)
{
    char *text;

    if (member->size > most) {
        error_set(error, ERROR_CONFIG, "%s has %ju bytes; it may have %zu", member->name,
                  (uintmax_t)member->size, most);
        return NULL;
    }
    text = malloc((size_t)member->size + 1);
    if (!text) {
        error_set(error, ERROR_RIG, "no memory to read %s", member->name);
        return NULL;
    }
    if (read_at(tar, member->offset, text, (size_t)member->size, error)) {
        free(text);
        return NULL;
    }
    text[member->size] = '\0';
    return text;
}

typedef int use_piece(void *context, const void *bytes, size_t size, struct error *error);

static int each_piece(const struct tar *tar, const struct tar_member *member, use_piece *use,
                      void *context, struct error *error)
{
    char bytes[PIECE];
    int64_t got;
    int status = 0;

    for (uint64_t from = 0; from < member->size && !status; from += (uint64_t)got) {
        got = tar_read(tar, member, from, bytes, sizeof bytes, error);
        if (got < 0)
            return (int)got;
        status = use(context, bytes, (size_t)got, error);
    }
    return status;
}

static int add_to_digest(void *context, const void *bytes, size_t size, struct error *error)
{
    (void)error;
    digest_add(context, bytes, size);
    return 0;
}

int tar_digest(const struct tar *tar, const struct tar_member *member, char digest[DIGEST_SIZE],
               struct error *error)
{
    struct digest sum;
    int status;

    digest_begin(&sum);
    status = each_piece(tar, member, add_to_digest, &sum, error);
    if (!status)
        digest_end(&sum, digest);
    return status;
}

int tar_open_at(const struct tar *tar, const struct tar_member *member, struct error *error)
{
    char path[32];
    int fd;

    snprintf(path, sizeof path, "/proc/self/fd/%d", tar->fd);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && lseek(fd, (off_t)member->offset, SEEK_SET) >= 0)
        return fd;
    error_set(error, ERROR_RIG, "cannot read %s: %s", member->name, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ERROR_RIG;
}

static int add_to_file(void *context, const void *bytes, size_t size, struct error *error)
{
    const int *fd = context;

    for (size_t put = 0; put < size;) {
        ssize_t moved = write(*fd, (const char *)bytes + put, size - put);

        if (moved < 0 && errno != EINTR)
            return error_set(error, ERROR_RIG, "no room to unpack: %s", strerror(errno));
        put += moved > 0 ? (size_t)moved : 0;
    }
    return 0;
}

/* In a folder for temporary files, and in memory where that cannot be. */
static int open_nameless(void)
{
    int fd = temporary_open();

    return fd >= 0 ? fd : memfd_create("member", MFD_CLOEXEC);
}

int tar_extract(const struct tar *tar, const struct tar_member *member, struct error *error)
{
    int fd = open_nameless();
    int status;

    if (fd < 0)
        return error_set(error, ERROR_RIG, "no file to unpack to: %s", strerror(errno));
    status = each_piece(tar, member, add_to_file, &fd, error);
    if (!status && lseek(fd, 0, SEEK_SET) < 0)
        status = error_set(error, ERROR_RIG, "cannot read what was unpacked: %s", strerror(errno));
    if (status)
        close(fd);
    return status ? status : fd;
}
