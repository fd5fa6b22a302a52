/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/compare.h"

#include <stdio.h>
#include <string.h>

#include "rigs/recording/files.h"
#include "rigs/recording/settle.h"

struct comparer {
    struct recording_file *expected;
    struct json_reader *json;
    struct compare_result *result;
    uint64_t lines; /* of what was settled */
};

static struct expect_difference *next_difference(struct compare_result *result)
{
    return result->shown < COMPARE_SHOWN ? &result->differences[result->shown++] : NULL;
}

/* The round, or where its number does not say it the line. */
static void name_line(char *name, size_t size, int64_t number, uint64_t line, const char *file,
                      bool is_empty)
{
    char round[24] = "?";

    if (number > 0)
        snprintf(round, sizeof round, "%jd", (intmax_t)number);
    snprintf(name, size, "%s (line %ju of the %s%s)", round, (uintmax_t)line, file,
             is_empty ? ", which is empty" : "");
}

/* A line that only one side has; the recording has a header before it. */
static void note_missing(struct compare_result *result, struct json_reader *json, const char *text,
                         size_t length, uint64_t line, bool expected)
{
    struct expect_difference *difference = next_difference(result);
    int64_t number = 0;
    bool is_empty = recording_is_empty(text, length) ||
                    memmem(text, length, RECORDING_EMPTY_LINE, sizeof RECORDING_EMPTY_LINE - 1);

    result->differing++;
    if (!difference)
        return;
    recording_find_number(json, text, length, &number);
    *difference =
        (struct expect_difference){.place = expected ? EXPECT_MISSING : EXPECT_UNEXPECTED};
    if (number > 0 && (uint64_t)number == line)
        snprintf(difference->round, sizeof difference->round, "%jd", (intmax_t)number);
    else if (expected)
        name_line(difference->round, sizeof difference->round, number, line, "expectation",
                  is_empty);
    else
        name_line(difference->round, sizeof difference->round, number, line + 1, "recording",
                  is_empty);
}

/* The next line that has something on it. One that has not is of no round, and a line too many. */
static int next_expected(struct comparer *comparer, struct text_line *line, struct error *error)
{
    int status;

    while ((status = recording_file_next(comparer->expected, line, error)) > 0 &&
           recording_is_empty(line->text, line->length))
        note_missing(comparer->result, comparer->json, line->text, line->length, line->number,
                     true);
    return status;
}

static int compare_line(struct comparer *comparer, const char *text, size_t length,
                        struct error *error)
{
    struct compare_result *result = comparer->result;
    struct text_line line;
    int status = next_expected(comparer, &line, error);
    size_t room;

    comparer->lines++;
    if (status < 0)
        return status;
    if (status == LINES_END) {
        note_missing(result, comparer->json, text, length, comparer->lines, false);
        return 0;
    }
    room = COMPARE_SHOWN - result->shown;
    status = expect_compare(line.text, line.length, text, length,
                            result->differences + result->shown, room, error);
    if (status < 0) {
        error_prefix(error, "%s:%ju", comparer->expected->name, (uintmax_t)line.number);
        return error->code = ERROR_CONFIG;
    }
    result->differing += status > 0;
    result->shown += (size_t)status < room ? (size_t)status : room;
    return 0;
}

static int compare_output(void *context, const char *lines, size_t length, struct error *error)
{
    const char *end = lines + length;

    while (lines < end) {
        const char *newline = memchr(lines, '\n', (size_t)(end - lines));
        int status = compare_line(context, lines, (size_t)(newline - lines), error);

        if (status < 0)
            return status;
        lines = newline + 1;
    }
    return 0;
}

static int compare_rest(struct comparer *comparer, struct error *error)
{
    struct text_line line;
    int status;

    while ((status = recording_file_next(comparer->expected, &line, error)) > 0)
        note_missing(comparer->result, comparer->json, line.text, line.length, line.number, true);
    return status;
}

static int compare_files(const struct settle_job *job, struct comparer *comparer,
                         struct error *error)
{
    struct settle_count count = {0, 0};
    int status = settle_run(job, &count, error);

    if (!status && !count.rounds)
        return error_set(error, ERROR_CONFIG, "%s: " RECORDING_NO_ROUND, job->input->name);
    if (!status)
        status = compare_rest(comparer, error);
    comparer->result->rounds = count.rounds;
    return status;
}

int compare_recording(const char *path, const struct paytables *paytables,
                      const struct settle_table *table, unsigned jobs, int stop,
                      struct compare_result *result, struct error *error)
{
    struct recording_files files;
    struct comparer comparer = {.expected = &files.expected, .result = result};
    struct settle_job job = {.input = &files.recorded,
                             .jobs = jobs,
                             .paytables = paytables,
                             .table = table,
                             .context = &comparer,
                             .write = compare_output};
    int status;

    memset(result, 0, sizeof *result);
    status = recording_files_open(&files, path, stop, error);
    if (status)
        return status;
    comparer.json = json_reader_new(JSON_LONGEST);
    status = comparer.json ? compare_files(&job, &comparer, error)
                           : error_set(error, ERROR_RIG, "%s: out of memory", path);
    json_reader_free(comparer.json);
    recording_files_close(&files);
    return status;
}
