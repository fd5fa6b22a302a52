/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Archives in the ustar format of POSIX, which any tar reads: files only, by names below the
 * archive. What is written depends on names and contents alone: times and owners are zero, every
 * file may be read by all and written by its owner. Reading trusts nothing: a name that leads out
 * of the archive or comes twice, a folder, a link, a header that would be written otherwise, a byte
 * where there must be none end it.
 */
#ifndef RIGS_EVIDENCE_TAR_H
#define RIGS_EVIDENCE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/digest.h"
#include "hal/base/error.h"

#define TAR_BLOCK       512
#define TAR_NAME_SIZE   257 /* a prefix of 155 bytes, a slash, 100 bytes and a NUL */
#define TAR_MEMBERS_MAX 100000
#define TAR_LARGEST     ((uint64_t)8 * 1024 * 1024 * 1024 - 1) /* 11 octal digits */

/*
 * Whether a file of the archive may have that name: parts of printable UTF-8 without a backslash,
 * none of them "." or "..", and short enough. ERROR_CONFIG with the reason.
 */
int tar_check_name(const char *name, struct error *error);

/* Header of a file: one block. The name was checked. ERROR_CONFIG when the file is too large. */
int tar_header(const char *name, uint64_t size, uint8_t block[TAR_BLOCK], struct error *error);

/* How many bytes a file takes with what fills its last block, without its header. */
static inline uint64_t tar_padded(uint64_t size)
{
    return (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
}

struct tar_member {
    char name[TAR_NAME_SIZE];
    uint64_t size, offset; /* of its content in the archive */
};

struct tar;

/*
 * Reads the headers of a whole archive and checks them. ERROR_CONFIG: this is no archive.
 * ERROR_RULE: it is one that was altered, or that nobody may unpack; the sentence names the member.
 * ERROR_RIG: it cannot be read. `*tar` is NULL after a failure. tar_close() takes NULL.
 */
int tar_open(struct tar **tar, const char *path, struct error *error);
void tar_close(struct tar *tar);

/* The members in the order of the archive; NULL after the last. */
const struct tar_member *tar_at(const struct tar *tar, size_t index);
const struct tar_member *tar_find(const struct tar *tar, const char *name);

/* Up to `size` bytes of a member from `from` on; how many, or ERROR_RIG. */
int64_t tar_read(const struct tar *tar, const struct tar_member *member, uint64_t from, void *bytes,
                 size_t size, struct error *error);

/* A small member whole, with a NUL behind it, to be freed. NULL with ERROR_CONFIG beyond `most`. */
char *tar_text(const struct tar *tar, const struct tar_member *member, size_t most,
               struct error *error);

int tar_digest(const struct tar *tar, const struct tar_member *member, char digest[DIGEST_SIZE],
               struct error *error);

/* A descriptor of the archive that stands where the member begins, for who reads so many bytes and
 * no more; or an error. */
int tar_open_at(const struct tar *tar, const struct tar_member *member, struct error *error);

/* A descriptor of a nameless file with the member's content, for who reads files; or an error. */
int tar_extract(const struct tar *tar, const struct tar_member *member, struct error *error);

#endif
