/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals (tests/fuzz/chain.h) judged, verified, reported in every format, stated, compared with
 * themselves and looked at for going on. All readers agree on whether a journal is intact. What
 * stands below a line "===" is another journal, which a report takes for a shard of the same run;
 * what stands below a line "---" is a statement that somebody made of the first.
 *
 * Covers: rigs/journal/judge.c rigs/journal/judge_result.c rigs/journal/judge_device.c
 * Covers: rigs/journal/judge_question.c rigs/journal/read.c rigs/journal/verify.c
 * Covers: rigs/journal/schema.c rigs/report/read.c rigs/report/report.c rigs/report/paid.c
 * Covers: rigs/report/text.c rigs/report/junit/junit.c rigs/report/junit/round.c
 * Covers: rigs/report/html/html.c rigs/report/html/round.c
 * Covers: rigs/report/html/summary.c rigs/report/html/chart.c rigs/evidence/statement.c
 * Covers: rigs/report/shards.c rigs/report/software.c
 * Covers: rigs/report/files.c rigs/report/kept.c rigs/report/free.c
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/evidence/replay/compare.h"
#include "rigs/evidence/statement.h"
#include "rigs/journal/resume.h"
#include "rigs/journal/verify.h"
#include "rigs/report/format.h"
#include "tests/fuzz/chain.h"
#include "tests/fuzz/fuzz.h"

static int reopen(const struct fuzz_file *file)
{
    int fd = open(file->path, O_RDONLY | O_CLOEXEC);

    FUZZ_MUST(fd >= 0);
    return fd;
}

static void write_all(const struct report *report)
{
    const struct report_format *format;
    FILE *out = fuzz_sink();

    for (size_t i = 0; (format = report_format_at(i)); i++)
        format->write(report, out);
    fclose(out);
}

/* What is told of a journal, whatever is wrong with it. */
static void write_reports(const char *path, int status)
{
    struct report *report = NULL;
    struct error error = {.text = ""};
    int read = report_read(path, &report, &error);

    FUZZ_MUST(!read || (read == (int)error.code && error.text[0]));
    FUZZ_MUST(!read || status);
    if (read)
        return;
    FUZZ_MUST(!status == !report->problem[0]);
    write_all(report);
    report_free(report);
    report_free(NULL);
}

/* Two journals as the shards of one run. */
static void report_shards(const struct fuzz_file *file, const struct fuzz_input *other)
{
    size_t length;
    char *journal = fuzz_chain((const char *)other->at, other->left, &length);
    struct fuzz_file second = fuzz_file(journal, length);
    char *const paths[] = {(char *)(uintptr_t)file->path, other->left ? second.path : NULL, NULL};
    struct report *report = NULL;
    struct error error = {.text = ""};
    int status = report_read_shards(paths, &report, &error);

    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    if (!status) {
        write_all(report);
        report_free(report);
    }
    fuzz_file_close(&second);
    free(journal);
}

/* The statement of somebody else; one of a later program may say more. */
static void compare_statements(const char *theirs, size_t size, const struct statement *ours)
{
    struct statement_head head;
    struct error error = {.text = ""};
    int status = statement_read(theirs, size, &head, &error);

    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    if (status)
        return;
    status = statement_compare(theirs, ours, &error);
    FUZZ_MUST(status >= 0 || (status == (int)error.code && error.text[0]));
}

static void make_statement(const struct fuzz_file *file, int status,
                           const struct fuzz_input *stated)
{
    static struct statement statement;
    struct statement_head head = {.format = STATEMENT_FORMAT, .bundler = DEALPROOF_VERSION};
    struct error error = {.text = ""};
    int made = statement_make(&statement, reopen(file), file->size, &head, &error);

    /* One that is too long is no mistake of the journal. */
    FUZZ_MUST(!made == !status || made == ERROR_RIG || made == ERROR_CONFIG);
    if (!made) {
        FUZZ_MUST(!statement_compare(statement.text, &statement, &error));
        FUZZ_MUST(!statement_read(statement.text, statement.length, &head, &error));
        if (stated->left) {
            char *text = fuzz_text(stated);

            compare_statements(text, stated->left, &statement);
            free(text);
        }
        statement_free(&statement);
    }
}

/* As if it were played again; what people did at a page is in no such run. */
static void compare_with_itself(const struct fuzz_file *file, int status)
{
    struct journal_reader *was = NULL, *now = NULL;
    struct journals_compared compared;
    struct error error = {.text = ""};

    FUZZ_MUST(!journal_reader_new(reopen(file), &was, &error));
    FUZZ_MUST(!journal_reader_new(reopen(file), &now, &error));
    if (journals_compare(was, now, &compared, &error))
        FUZZ_MUST(error.text[0]);
    else
        FUZZ_MUST(!status);
    journal_reader_close(was);
    journal_reader_close(now);
}

static void tell_file(void *context, const char *path, enum journal_file_state state)
{
    (void)context;
    FUZZ_MUST(path && state < JOURNAL_FILE_STATES);
}

/* With the digest of its last line, which somebody has kept, and with another one. */
static void verify_again(const char *path, const char *digest, int status)
{
    char other[DIGEST_SIZE];
    struct journal_verify verify = {.digest = digest, .file = tell_file};
    struct journal_verified verified;
    struct error error = {.text = ""};

    FUZZ_MUST(journal_verify(path, &verify, &verified, &error) == status);
    snprintf(other, sizeof other, "%s", digest);
    other[0] = other[0] == '0' ? '1' : '0';
    verify.digest = other;
    FUZZ_MUST(journal_verify(path, &verify, &verified, &error));
}

/* Where a part ends before such a line; what is below it. */
static size_t cut(const uint8_t *data, size_t size, const char *line, struct fuzz_input *below)
{
    const uint8_t *end = memmem(data, size, line, strlen(line));
    size_t upto = end ? (size_t)(end - data) + 1 : size;

    *below = (struct fuzz_input){data, 0};
    if (end)
        *below = (struct fuzz_input){data + upto + 4, size - upto - 4};
    return upto;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct journal_cut last;
    struct journal_verified verified;
    struct error error = {.text = ""};
    struct fuzz_input stated, other;
    size_t length, upto = cut(data, size, "\n---\n", &stated);
    char *journal = fuzz_chain((const char *)data, cut(data, upto, "\n===\n", &other), &length);
    struct fuzz_file file = fuzz_file(journal, length);
    int status = journal_verify(file.path, &(struct journal_verify){0}, &verified, &error), read;

    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    verify_again(file.path, verified.ending.digest, status);
    write_reports(file.path, status);
    report_shards(&file, &other);
    make_statement(&file, status, &stated);
    compare_with_itself(&file, status);
    read = journal_cut_read(file.path, NULL, NULL, &last, &error);
    FUZZ_MUST(read || !status);
    journal_cut_free(&last);
    fuzz_file_close(&file);
    free(journal);
    return 0;
}

FUZZ_WORDS
