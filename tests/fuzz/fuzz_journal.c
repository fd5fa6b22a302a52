/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals (tests/fuzz/chain.h) judged, verified, reported in every format, stated, compared with
 * themselves and looked at for going on. All readers agree on whether a journal is intact.
 *
 * Covers: rigs/journal/judge.c rigs/journal/judge_result.c rigs/journal/judge_device.c
 * Covers: rigs/journal/judge_question.c rigs/journal/read.c rigs/journal/verify.c
 * Covers: rigs/journal/schema.c rigs/report/read.c rigs/report/report.c rigs/report/paid.c
 * Covers: rigs/report/text.c rigs/report/junit/junit.c rigs/report/junit/round.c rigs/report/html/html.c rigs/report/html/round.c
 * Covers: rigs/report/html/summary.c rigs/report/html/chart.c rigs/evidence/statement.c
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rigs/evidence/compare.h"
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

/* What is told of a journal, whatever is wrong with it. */
static void write_reports(const char *path, int status)
{
    const struct report_format *format;
    struct report *report = NULL;
    struct error error = {.text = ""};
    int read = report_read(path, &report, &error);
    FILE *out;

    FUZZ_MUST(!read || (read == (int)error.code && error.text[0]));
    FUZZ_MUST(!read || status);
    if (read)
        return;
    FUZZ_MUST(!status == !report->problem[0]);
    out = fuzz_sink();
    for (size_t i = 0; (format = report_format_at(i)); i++)
        format->write(report, out);
    fclose(out);
    report_free(report);
}

static void make_statement(const struct fuzz_file *file, int status)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct journal_cut cut;
    struct journal_verified verified;
    struct error error = {.text = ""};
    size_t length;
    char *journal = fuzz_chain((const char *)data, size, &length);
    struct fuzz_file file = fuzz_file(journal, length);
    int status = journal_verify(file.path, &(struct journal_verify){0}, &verified, &error), read;

    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    write_reports(file.path, status);
    make_statement(&file, status);
    compare_with_itself(&file, status);
    read = journal_cut_read(file.path, NULL, NULL, &cut, &error);
    FUZZ_MUST(read || !status);
    journal_cut_free(&cut);
    fuzz_file_close(&file);
    free(journal);
    return 0;
}

FUZZ_WORDS
