/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/resume.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/journal/inside.h"

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_RIG, "no memory to read a journal");
}

/* Counts the lines of the round that is open, with the one that begins it. */
static void see_round(struct journal_cut *cut, const struct judge *judge)
{
    cut->is_lost = judge->round.is_open;
    cut->lost_round = judge->round.number;
    cut->lost_lines = cut->is_lost ? cut->lost_lines + 1 : 0;
}

static int see_line(struct journal_cut *cut, const struct journal_line *line,
                    const struct judge *judge, struct error *error)
{
    cut->size += (off_t)line->length + 1;
    see_round(cut, judge);
    if (line->kind == JOURNAL_START) {
        cut->start = json_keep(line->fields);
        return cut->start ? 0 : no_memory(error);
    }
    if (line->kind == JOURNAL_DEVICE) {
        cut->devices[cut->device_count] = json_keep(line->fields);
        return cut->devices[cut->device_count++] ? 0 : no_memory(error);
    }
    return 0;
}

static int read_lines(struct journal_reader *reader, journal_cut_recording *recording,
                      void *context, struct journal_cut *cut, struct error *error)
{
    const struct judge *judge = journal_reader_judge(reader);
    struct journal_line line;
    int status;

    while ((status = journal_reader_next(reader, &line, error)) > 0) {
        status = see_line(cut, &line, judge, error);
        if (!status && recording && line.kind == JOURNAL_RECORDING)
            status = recording(context, &line, error);
        if (status)
            return status;
    }
    cut->totals = judge->totals;
    cut->recording = judge->recording;
    if (cut->is_lost && judge->round.checks[CHECK_FAIL])
        cut->totals.worst = verdict_worse(cut->totals.worst, VERDICT_FAIL);
    return status;
}

/* What stands after the last complete line. */
static int read_torn(int fd, struct journal_cut *cut, struct error *error)
{
    size_t kept = cut->torn < JOURNAL_TORN_KEPT ? cut->torn : JOURNAL_TORN_KEPT;
    struct stat status;

    if (fstat(fd, &status) || pread(fd, cut->torn_text, kept, cut->size) != (ssize_t)kept)
        return error_set(error, ERROR_RIG, "its end cannot be read");
    for (size_t i = 0; i < kept; i++)
        if (!cut->torn_text[i])
            cut->torn_text[i] = '\xff';
    cut->torn_text[kept] = '\0';
    cut->written = status.st_mtime;
    return 0;
}

static int find_end(int fd, const struct journal_reader *reader, struct journal_cut *cut,
                    struct error *error)
{
    const char *clock = json_chars(json_member(cut->start, "clock"));
    struct journal_ending ending;

    journal_reader_ending(reader, &ending);
    if (ending.ended)
        return error_set(error, ERROR_CONFIG,
                         "has its end line: the run has ended, and there is nothing to go on with");
    if (!clock || strcmp(clock, "real"))
        return error_set(error, ERROR_CONFIG,
                         "is of a run in virtual time, which comes out the same from its start: "
                         "play it again");
    cut->lines = ending.lines;
    cut->torn = ending.torn;
    memcpy(cut->digest, ending.digest, DIGEST_SIZE);
    return read_torn(fd, cut, error);
}

int journal_cut_read(const char *path, journal_cut_recording *recording, void *context,
                     struct journal_cut *cut, struct error *error)
{
    struct journal_reader *reader;
    int fd, status;

    *cut = (struct journal_cut){.size = 0};
    snprintf(cut->path, sizeof cut->path, "%s", path);
    fd = lines_open(path, error);
    if (fd < 0)
        return fd;
    status = journal_reader_new(fd, &reader, error);
    if (status)
        return status;
    status = read_lines(reader, recording, context, cut, error);
    if (!status)
        status = find_end(fd, reader, cut, error);
    journal_reader_close(reader);
    if (status)
        error_prefix(error, "%s", path);
    return status;
}

void journal_cut_free(struct journal_cut *cut)
{
    for (unsigned i = 0; i < cut->device_count; i++)
        free(cut->devices[i]);
    free(cut->start);
    *cut = (struct journal_cut){.size = 0};
}

static void put_lost(struct journal *journal, const struct journal_cut *cut)
{
    if (cut->is_lost) {
        NUMBER(journal, ",\"lost\":{\"round\":", cut->lost_round);
        NUMBER(journal, ",\"lines\":", cut->lost_lines);
        PUT(journal, "}");
    } else {
        PUT(journal, ",\"lost\":null");
    }
    NUMBER(journal, ",\"torn-bytes\":", cut->torn);
    STRING(journal, ",\"torn\":", cut->torn ? cut->torn_text : NULL);
}

static void put_devices(struct journal *journal, const struct journal_resume *resume)
{
    PUT(journal, ",\"devices\":[");
    for (size_t i = 0; i < resume->device_count; i++) {
        if (i)
            PUT(journal, ",");
        STRING(journal, "{\"name\":", resume->devices[i].name);
        journal_put_identity(journal, &resume->devices[i]);
        PUT(journal, "}");
    }
    PUT(journal, "]");
}

/* A clock that was set back since says nothing of how long it was. */
static void put_away(struct journal *journal, const struct journal_cut *cut)
{
    time_t now = time(NULL);

    if (now < cut->written)
        PUT(journal, ",\"away-s\":null");
    else
        NUMBER(journal, ",\"away-s\":", now - cut->written);
}

static int write_resumed(struct journal *journal, const struct journal_cut *cut,
                         const struct journal_resume *resume, struct error *error)
{
    char date[DATE_SIZE];
    int status;

    journal_file_begin(&journal->file, JOURNAL_RESUMED, clock_now(journal->clock));
    STRING(journal, ",\"version\":", resume->version);
    STRING(journal, ",\"date\":", journal_date(date));
    STRING(journal, ",\"by\":", resume->by);
    put_away(journal, cut);
    NUMBER(journal, ",\"recordings\":", cut->recording.number);
    NUMBER(journal, ",\"judged\":", cut->recording.judged);
    put_lost(journal, cut);
    put_devices(journal, resume);
    journal_put_command(journal, resume->command);
    status = journal_file_finish(&journal->file, error);
    return status ? status : journal_file_sync(&journal->file, error);
}

static void take_totals(struct journal *journal, const struct judge_totals *totals)
{
    journal->recordings = (uint64_t)totals->recordings;
    journal->worst = totals->worst;
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        journal->rounds[i] = (uint64_t)totals->rounds[i];
    for (unsigned i = 0; i < JUDGE_OUTCOMES; i++)
        journal->checks[i] = (uint64_t)totals->checks[i];
    journal->retries = (uint64_t)totals->retries;
    journal->reconnects = (uint64_t)totals->reconnects;
}

int journal_resume(const struct journal_cut *cut, const struct journal_options *options,
                   const struct journal_resume *resume, struct journal **resumed,
                   struct error *error)
{
    const struct journal_place place = {cut->path, cut->lines, cut->size, cut->digest, cut->torn};
    struct journal *journal = calloc(1, sizeof *journal);
    int status;

    if (!journal)
        return error_set(error, ERROR_RIG, "no memory for a journal");
    journal->clock = options->clock;
    journal->sync = options->sync;
    take_totals(journal, &cut->totals);
    status = journal_file_resume(&journal->file, &place, error);
    if (!status)
        status = write_resumed(journal, cut, resume, error);
    if (status) {
        journal_close(journal);
        return status;
    }
    *resumed = journal;
    return 0;
}
