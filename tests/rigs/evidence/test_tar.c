/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Archives, held against the tar of the system, and those that somebody made to do harm. */
#include "rigs/evidence/tar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* An archive in memory while it is made. */
struct made {
    size_t size;
    uint8_t bytes[64 * 1024];
    char path[SCRATCH_PATH_SIZE];
    struct error error;
};

static void put(struct made *made, const void *bytes, size_t size)
{
    CU_ASSERT_FATAL(made->size + size <= sizeof made->bytes);
    memcpy(made->bytes + made->size, bytes, size);
    made->size += size;
}

static void put_file(struct made *made, const char *name, const char *text)
{
    static const char zeros[TAR_BLOCK];
    uint8_t block[TAR_BLOCK];
    size_t length = strlen(text);

    CU_ASSERT_EQUAL_FATAL(tar_header(name, length, block, NULL), 0);
    put(made, block, sizeof block);
    put(made, text, length);
    put(made, zeros, (size_t)(tar_padded(length) - length));
}

static void begin(struct made *made)
{
    memset(made, 0, sizeof *made);
    scratch_path(made->path);
}

/* With an end, as it must be. */
static void end(struct made *made)
{
    static const char zeros[2 * TAR_BLOCK];

    put(made, zeros, sizeof zeros);
}

static int open_made(struct made *made, struct tar **tar)
{
    scratch_write(made->path, (const char *)made->bytes, made->size);
    return tar_open(tar, made->path, &made->error);
}

static int try_made(struct made *made)
{
    struct tar *tar;
    int status = open_made(made, &tar);

    tar_close(tar);
    unlink(made->path);
    return status;
}

/* The header of the last file that was put, whose content has one block, with its checksum anew. */
static void alter_header(struct made *made, size_t offset, const void *bytes, size_t size)
{
    uint8_t *header = made->bytes + made->size - 2 * TAR_BLOCK;
    char sum[8];
    unsigned total = 0;

    memcpy(header + offset, bytes, size);
    memset(header + 148, ' ', 8);
    for (unsigned i = 0; i < TAR_BLOCK; i++)
        total += header[i];
    snprintf(sum, sizeof sum, "%06o", total);
    memcpy(header + 148, sum, 7);
}

#define LONG_PART "0123456789012345678901234567890123456789012345678901234567890123456789"

TEST(an_archive_is_read_as_it_was_written)
{
    static const char *const names[] = {"MANIFEST", "a", "in/a/folder", "\u00e4 b<c>.shoe",
                                        LONG_PART "/" LONG_PART "/" LONG_PART};
    struct made made;
    struct tar *tar;

    begin(&made);
    for (unsigned i = 0; i < 5; i++)
        put_file(&made, names[i], names[i]);
    end(&made);
    CU_ASSERT_EQUAL_FATAL(open_made(&made, &tar), 0);
    for (unsigned i = 0; i < 5; i++) {
        const struct tar_member *member = tar_find(tar, names[i]);
        char digest[DIGEST_SIZE], expected[DIGEST_SIZE], *text;

        CU_ASSERT_PTR_NOT_NULL_FATAL(member);
        CU_ASSERT_PTR_EQUAL(member, tar_at(tar, i));
        text = tar_text(tar, member, 1000, &made.error);
        CU_ASSERT_STRING_EQUAL(text, names[i]);
        free(text);
        CU_ASSERT_EQUAL(tar_digest(tar, member, digest, &made.error), 0);
        digest_bytes(names[i], strlen(names[i]), expected);
        CU_ASSERT_STRING_EQUAL(digest, expected);
        CU_ASSERT_PTR_NULL(tar_text(tar, member, 0, &made.error));
    }
    CU_ASSERT_PTR_NULL(tar_at(tar, 5));
    CU_ASSERT_PTR_NULL(tar_find(tar, "b"));
    tar_close(tar);
    unlink(made.path);
}

static int shell(const char *format, const char *path, const char *again)
{
    char command[768];
    int status;

    snprintf(command, sizeof command, format, path, again);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(the_tar_of_the_system_unpacks_ours_and_we_read_its)
{
    char folder[] = "/tmp/dealproof-XXXXXX";
    struct made made;
    struct tar *tar;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    begin(&made);
    put_file(&made, "a", "alpha");
    put_file(&made, "f/b", "beta");
    put_file(&made, LONG_PART "/" LONG_PART "/c", "gamma");
    end(&made);
    scratch_write(made.path, (const char *)made.bytes, made.size);
    CU_ASSERT_EQUAL(shell("tar -xf %s -C %s", made.path, folder), 0);
    CU_ASSERT_EQUAL(shell("cd %s && test \"$(cat a f/b)\" = alphabeta", folder, ""), 0);
    CU_ASSERT_EQUAL(shell("tar --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0 "
                          "--mode=0644 -cf %s -C %s a f/b " LONG_PART "/" LONG_PART "/c",
                          made.path, folder),
                    0);
    CU_ASSERT_EQUAL_FATAL(tar_open(&tar, made.path, &made.error), 0);
    CU_ASSERT_PTR_NOT_NULL(tar_find(tar, "a"));
    CU_ASSERT_PTR_NOT_NULL(tar_find(tar, "f/b"));
    CU_ASSERT_PTR_NOT_NULL(tar_find(tar, LONG_PART "/" LONG_PART "/c"));
    CU_ASSERT_PTR_NULL(tar_at(tar, 3));
    tar_close(tar);
    CU_ASSERT_EQUAL(shell("rm -r %s %s", folder, made.path), 0);
}

TEST(no_bit_of_a_header_of_what_fills_blocks_or_of_the_end_can_be_turned)
{
    struct made made;
    struct tar *tar;

    begin(&made);
    put_file(&made, "a", "alpha");
    end(&made);
    for (size_t bit = 0; bit < 8 * made.size; bit++) {
        bool is_content = bit / 8 >= TAR_BLOCK && bit / 8 < TAR_BLOCK + strlen("alpha");

        made.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CU_ASSERT_EQUAL(open_made(&made, &tar) == 0, is_content);
        tar_close(tar);
        made.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    unlink(made.path);
}

TEST(an_archive_cannot_lead_out_of_its_folder_or_hold_links)
{
    static const char *const names[] = {"../x", "/x",    "a/../../x", "a//b",     "./a",
                                        "",     "a/",    "a\nb",      "a\\b",     "a/.",
                                        "\x80", "a\x7f", "\xc2\x85",  "a\u202eb", "\xc3"};
    static const char kinds[] = {'1', '2', '3', '4', '5', '6', '7', 'x', 'g', 'L', 'K', 'S', '\0'};
    struct made made;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[100] = "";

        begin(&made);
        put_file(&made, "a", "x");
        memcpy(name, names[i], strlen(names[i]));
        alter_header(&made, 0, name, sizeof name);
        end(&made);
        CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
        CU_ASSERT_EQUAL(tar_check_name(names[i], NULL), ERROR_CONFIG);
    }
    for (size_t i = 0; i < sizeof kinds; i++) {
        begin(&made);
        put_file(&made, "a", "x");
        alter_header(&made, 156, &kinds[i], 1);
        end(&made);
        CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(made.error.text, "no folders, links"));
    }
}

/* What tar would do with it, nobody has signed. */
TEST(a_header_says_nothing_that_a_name_and_a_size_do_not)
{
    static const struct {
        size_t offset;
        const char *bytes;
    } fields[] = {{100, "0004755"}, {108, "0001750"}, {116, "0001750"}, {136, "14000000000"},
                  {157, "a.shoe"},  {265, "root"},    {297, "root"},    {329, "0000001"},
                  {337, "0000001"}, {500, "secret"},  {124, "1 "},      {50, "hidden"},
                  {345, "\0hidden"}};
    struct made made;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t hidden = fields[i].bytes[0] ? 0 : 1;

        begin(&made);
        put_file(&made, "a", "x");
        alter_header(&made, fields[i].offset, fields[i].bytes,
                     hidden + strlen(fields[i].bytes + hidden));
        end(&made);
        CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(made.error.text, " at a: "));
    }
}

TEST(a_file_twice_a_size_beyond_the_end_and_a_missing_end_are_found)
{
    struct made made;

    begin(&made);
    put_file(&made, "a", "x");
    put_file(&made, "b", "x");
    put_file(&made, "a", "y");
    end(&made);
    CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(made.error.text, "twice"));
    begin(&made);
    put_file(&made, "a", "x");
    alter_header(&made, 124, "77777777777", 12);
    end(&made);
    CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
    begin(&made);
    put_file(&made, "a", "x");
    alter_header(&made, 124, "0000000000x", 12);
    end(&made);
    CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
    for (unsigned blocks = 0; blocks < 2; blocks++) {
        begin(&made);
        put_file(&made, "a", "x");
        end(&made);
        made.size -= 2 * TAR_BLOCK - blocks * TAR_BLOCK;
        CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
    }
    /* An archive that is cut, or has more behind it, was one. */
    for (size_t size = TAR_BLOCK; size < 4 * TAR_BLOCK; size += 61) {
        begin(&made);
        put_file(&made, "a", "x");
        end(&made);
        made.size = size;
        CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
    }
    for (unsigned i = 0; i < 2; i++) {
        begin(&made);
        put_file(&made, "a", "x");
        end(&made);
        put(&made, i ? "garbage\n" : "\0\0\0\0\0\0\0", 8);
        CU_ASSERT_EQUAL(try_made(&made), ERROR_RULE);
    }
    for (size_t size = 0; size < TAR_BLOCK; size += 511) {
        begin(&made);
        made.size = size;
        CU_ASSERT_EQUAL(try_made(&made), ERROR_CONFIG);
    }
}

TEST(a_name_that_no_header_can_hold_is_refused)
{
    char name[300];

    memset(name, 'a', sizeof name);
    name[101] = '\0';
    CU_ASSERT_EQUAL(tar_check_name(name, NULL), ERROR_CONFIG);
    name[101] = 'a';
    name[100] = '/';
    name[201] = '\0';
    CU_ASSERT_EQUAL(tar_check_name(name, NULL), 0);
    name[201] = 'a';
    name[202] = '\0';
    CU_ASSERT_EQUAL(tar_check_name(name, NULL), ERROR_CONFIG);
}

TEST(what_is_no_file_is_not_opened)
{
    struct error error;
    struct tar *tar;

    CU_ASSERT_EQUAL(tar_open(&tar, "/dev/zero", &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(tar_open(&tar, "/tmp", &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(tar_open(&tar, "/nothing", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(tar);
}
