/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bundles of strangers. An input that begins with '@' is a text of files, each after a line
 * "@NAME": they are put into an archive behind a manifest that holds, a journal out of its bodies
 * (tests/fuzz/chain.h), and a statement without a text as it follows from the journal before it;
 * '-' before a name leaves the file out, '+' leaves it out of the manifest, and '!' gives it
 * another digest there. Any other input is an archive whose checksums are repaired if its first
 * byte is odd. An archive that is taken can be read, and judging it ends with a sentence or a
 * statement.
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

/* What a file of the text is like. */
struct section {
    char mark; /* '-': listed and not there, '+': there and not listed, '!': listed as another */
    char name[TAR_NAME_SIZE];
    const char *body;
    size_t size;
};

/* What a bundle is made of, and the journal that was put into it last. */
struct parts {
    FILE *members, *manifest;
    char *journal;
    size_t journal_size;
};

static void put_file(struct parts *parts, const struct section *section, const char *bytes,
                     size_t size)
{
    char digest[DIGEST_SIZE];

    digest_bytes(bytes, size, digest);
    if (section->mark == '!')
        digest[0] = digest[0] == '0' ? '1' : '0';
    if (section->mark != '+')
        fprintf(parts->manifest, "%s  %s\n", digest, section->name);
    if (section->mark != '-')
        put_member(parts->members, section->name, bytes, size);
}

static void put_journal(struct parts *parts, const struct section *section)
{
    free(parts->journal);
    parts->journal = fuzz_chain(section->body, section->size, &parts->journal_size);
    put_file(parts, section, parts->journal, parts->journal_size);
}

/* The statement that follows from the journal before it. */
static void put_statement(struct parts *parts, const struct section *section)
{
    static struct statement statement;
    const struct statement_head head = {.format = STATEMENT_FORMAT, .bundler = DEALPROOF_VERSION};
    struct fuzz_file file = fuzz_file(parts->journal, parts->journal_size);
    struct error error;

    if (!statement_make(&statement, open(file.path, O_RDONLY | O_CLOEXEC), parts->journal_size,
                        &head, &error)) {
        put_file(parts, section, statement.text, statement.length);
        statement_free(&statement);
    }
    fuzz_file_close(&file);
}

/* One file of the text; returns where the next begins. */
static const char *read_section(const char *at, struct section *section)
{
    const char *newline = strchr(at, '\n'), *next;
    size_t length;

    *section = (struct section){.body = ""};
    if (!newline)
        return NULL;
    section->mark = at[1] && strchr("-+!", at[1]) ? at[1] : 0;
    at += section->mark ? 2 : 1;
    length = (size_t)(newline - at) < sizeof section->name ? (size_t)(newline - at) : 0;
    memcpy(section->name, at, length);
    section->body = newline + 1;
    next = strstr(newline, "\n@");
    section->size = next ? (size_t)(next - newline) : strlen(section->body);
    return next ? next + 1 : NULL;
}

static void put_section(struct parts *parts, const struct section *section)
{
    if (!strcmp(section->name, BUNDLE_JOURNAL))
        put_journal(parts, section);
    else if (!strcmp(section->name, BUNDLE_STATEMENT) && !section->size && parts->journal)
        put_statement(parts, section);
    else
        put_file(parts, section, section->body, section->size);
}

static char *make_bundle(const char *text, size_t *size)
{
    char *archive = NULL, *list = NULL, *files = NULL;
    size_t length, rest;
    FILE *out = open_memstream(&archive, size);
    struct parts parts = {.members = open_memstream(&files, &rest),
                          .manifest = open_memstream(&list, &length)};
    struct section section;

    FUZZ_MUST(out && parts.members && parts.manifest);
    while (text) {
        text = read_section(text, &section);
        if (section.name[0])
            put_section(&parts, &section);
    }
    fclose(parts.manifest);
    fclose(parts.members);
    put_member(out, MANIFEST_NAME, list, length);
    fwrite(files, 1, rest, out);
    fwrite(zeros, 1, sizeof zeros, out);
    fclose(out);
    free(parts.journal);
    free(list);
    free(files);
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
    judge("/");
    judge("/proc/none");
    fuzz_file_close(&file);
    if (archive != text)
        free(archive);
    free(text);
    return 0;
}

FUZZ_WORDS
