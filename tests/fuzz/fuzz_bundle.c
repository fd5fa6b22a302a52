/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bundles of strangers. An input that begins with '@' is a text of files, each after a line
 * "@NAME": they are put into an archive with a manifest that holds, a journal out of its bodies
 * (tests/fuzz/chain.h), and the statement that follows from it unless there is one. Any other input
 * is an archive whose checksums are repaired if its first byte is odd. An archive that is taken can
 * be read, and judging it ends with a sentence or a statement.
 *
 * Covers: rigs/evidence/tar.c rigs/evidence/sealed.c
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/evidence/sealed.h"
#include "tests/fuzz/chain.h"
#include "tests/fuzz/fuzz.h"

static const uint8_t zeros[2 * TAR_BLOCK];

static void put_member(FILE *out, const char *name, const void *bytes, size_t size)
{
    uint8_t block[TAR_BLOCK];
    struct error error;

    if (tar_check_name(name, &error) || tar_header(name, size, block, &error))
        return;
    fwrite(block, 1, sizeof block, out);
    fwrite(bytes, 1, size, out);
    fwrite(zeros, 1, tar_padded(size) - size, out);
}

static void put_file(FILE *out, FILE *manifest, const char *name, const char *bytes, size_t size)
{
    char digest[DIGEST_SIZE];

    digest_bytes(bytes, size, digest);
    fprintf(manifest, "%s  %s\n", digest, name);
    put_member(out, name, bytes, size);
}

static void put_statement(FILE *out, FILE *manifest, const char *journal, size_t size)
{
    static struct statement statement;
    const struct statement_head head = {.format = STATEMENT_FORMAT, .bundler = DEALPROOF_VERSION};
    struct fuzz_file file = fuzz_file(journal, size);
    struct error error;

    if (!statement_make(&statement, open(file.path, O_RDONLY | O_CLOEXEC), size, &head, &error)) {
        put_file(out, manifest, BUNDLE_STATEMENT, statement.text, statement.length);
        statement_free(&statement);
    }
    fuzz_file_close(&file);
}

/* One file of the text; returns where the next begins. */
static const char *put_section(FILE *out, FILE *manifest, const char *at, bool *is_stated)
{
    const char *newline = strchr(at, '\n'), *next = newline ? strstr(newline, "\n@") : NULL, *body;
    char name[TAR_NAME_SIZE] = "", *journal;
    size_t length, size;

    if (!newline)
        return NULL;
    length = (size_t)(newline - at - 1) < sizeof name ? (size_t)(newline - at - 1) : 0;
    memcpy(name, at + 1, length);
    body = newline + 1;
    length = next ? (size_t)(next + 1 - body) : strlen(body);
    if (!next || next >= body) {
        if (!strcmp(name, BUNDLE_JOURNAL)) {
            journal = fuzz_chain(body, length, &size);
            put_file(out, manifest, name, journal, size);
            if (!*is_stated)
                put_statement(out, manifest, journal, size);
            free(journal);
        } else {
            put_file(out, manifest, name, body, length);
        }
    }
    *is_stated |= !strcmp(name, BUNDLE_STATEMENT);
    return next ? next + 1 : NULL;
}

static char *make_bundle(const char *text, size_t *size)
{
    char *archive = NULL, *list = NULL;
    size_t length;
    FILE *out = open_memstream(&archive, size), *manifest = open_memstream(&list, &length);
    bool is_stated = false;

    FUZZ_MUST(out && manifest);
    while (text)
        text = put_section(out, manifest, text, &is_stated);
    fclose(manifest);
    put_member(out, MANIFEST_NAME, list, length);
    fwrite(zeros, 1, sizeof zeros, out);
    fclose(out);
    free(list);
    return archive;
}

/* Goes from header to header, as the sizes in them say, and puts the sum right. */
static void repair(uint8_t *archive, size_t size)
{
    for (size_t at = 0; at + TAR_BLOCK <= size;) {
        uint8_t *header = archive + at;
        char octal[13] = "";
        unsigned sum = 0;

        if (!memcmp(header, zeros, TAR_BLOCK))
            return;
        memset(header + 148, ' ', 8);
        for (unsigned i = 0; i < TAR_BLOCK; i++)
            sum += header[i];
        snprintf((char *)header + 148, 8, "%06o", sum);
        header[155] = ' ';
        memcpy(octal, header + 124, 12);
        at += TAR_BLOCK + (size_t)tar_padded(strtoull(octal, NULL, 8) % (1 << 20));
    }
}

static void read_members(const struct tar *tar)
{
    const struct tar_member *member;
    char bytes[TAR_BLOCK], digest[DIGEST_SIZE];
    struct error error;

    for (size_t i = 0; i < 16 && (member = tar_at(tar, i)); i++) {
        char *text = tar_text(tar, member, 4096, &error);
        int fd = tar_extract(tar, member, &error);

        FUZZ_MUST(tar_find(tar, member->name) == member);
        FUZZ_MUST(!tar_check_name(member->name, &error));
        tar_read(tar, member, member->size / 2, bytes, sizeof bytes, &error);
        FUZZ_MUST(!tar_digest(tar, member, digest, &error));
        free(text);
        FUZZ_MUST(fd >= 0);
        close(fd);
    }
}

static void judge(const char *path)
{
    static struct statement statement;
    struct sealed sealed = {0};
    struct error error = {.text = ""};
    struct tar *tar = NULL;
    int status = tar_open(&tar, path, &error);

    FUZZ_MUST(!status == (tar != NULL));
    FUZZ_MUST(!status || error.text[0]);
    if (tar)
        read_members(tar);
    tar_close(tar);
    status = sealed_open(&sealed, path, &error);
    FUZZ_MUST(!status || status == ERROR_CONFIG || status == ERROR_RULE);
    if (status)
        return;
    if (sealed_judge(&sealed, &statement, &error) < 0)
        FUZZ_MUST(error.text[0]);
    statement_free(&statement);
    sealed_close(&sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input), *archive = text;
    struct fuzz_file file;

    if (size && data[0] == '@')
        archive = make_bundle(text, &size);
    else if (size && data[0] % 2)
        repair((uint8_t *)archive, size);
    file = fuzz_file(archive, size);
    judge(file.path);
    fuzz_file_close(&file);
    if (archive != text)
        free(archive);
    free(text);
    return 0;
}

FUZZ_WORDS
