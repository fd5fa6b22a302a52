/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first line of a journal: what is run, where and with what. */
#include "rigs/journal/journal.h"

#include <limits.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "rigs/journal/inside.h"

static void put_libraries(struct journal *journal, const struct journal_start *start)
{
    PUT(journal, ",\"libraries\":{");
    for (size_t i = 0; i < start->library_count; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, start->libraries[i].name);
        STRING(journal, ":", start->libraries[i].version);
    }
    PUT(journal, "}");
}

/* A year that has not four digits is no date, and told as a clock that was never set. */
const char *journal_date(char date[DATE_SIZE])
{
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || utc.tm_year < 1000 - 1900 || utc.tm_year > 9999 - 1900)
        gmtime_r(&(time_t){0}, &utc);
    strftime(date, DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return date;
}

/* By which a run is known wherever its journal goes. Without random numbers it has none. */
static void put_run_id(struct journal *journal)
{
    char id[JOURNAL_RUN_DIGITS + 1];
    uint64_t random[2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return;
    snprintf(id, sizeof id, "%016jx%016jx", (uintmax_t)random[0], (uintmax_t)random[1]);
    STRING(journal, ",\"run\":", id);
}

/* The machine that the bench is at. One that has no name is not told. */
static void put_host(struct journal *journal)
{
    char host[HOST_NAME_MAX + 1] = "";

    if (!gethostname(host, sizeof host - 1) && *host)
        STRING(journal, ",\"host\":", host);
}

static void put_clock(struct journal *journal)
{
    char date[DATE_SIZE];

    if (journal->clock->is_virtual) {
        PUT(journal, ",\"clock\":\"virtual\"");
        return;
    }
    STRING(journal, ",\"clock\":\"real\",\"date\":", journal_date(date));
    put_run_id(journal);
    put_host(journal);
}

void journal_put_command(struct journal *journal, const char *const *command)
{
    PUT(journal, ",\"command\":[");
    for (size_t i = 0; command && command[i]; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, command[i]);
    }
    PUT(journal, "]");
}

static void put_files(struct journal *journal, const struct journal_start *start)
{
    for (size_t i = 0; i < start->file_count; i++) {
        if (i)
            PUT(journal, ",");
        else
            PUT(journal, ",\"files\":[");
        STRING(journal, "{\"path\":", start->files[i].path);
        STRING(journal, ",\"sha256\":", start->files[i].digest);
        PUT(journal, "}");
    }
    if (start->file_count)
        PUT(journal, "]");
}

int journal_write_start(struct journal *journal, const struct journal_start *start,
                        struct error *error)
{
    journal_begin_line(journal, JOURNAL_START);
    NUMBER(journal, ",\"journal\":", JOURNAL_VERSION);
    STRING(journal, ",\"version\":", start->version);
    if (start->build && *start->build)
        STRING(journal, ",\"build\":", start->build);
    if (start->commit)
        STRING(journal, ",\"commit\":", start->commit);
    put_libraries(journal, start);
    PUT(journal, ",\"rig\":");
    if (start->rig_digest) {
        STRING(journal, "{\"path\":", start->rig_path);
        STRING(journal, ",\"sha256\":", start->rig_digest);
        PUT(journal, "}");
    } else {
        PUT(journal, "null");
    }
    put_files(journal, start);
    /* As text: a reader's numbers may have only 53 bits. */
    PUT(journal, ",\"seed\":\"");
    json_text_unsigned(&journal->file.text, start->seed);
    PUT(journal, "\"");
    put_clock(journal);
    journal_put_command(journal, start->command);
    if (start->rounds)
        NUMBER(journal, ",\"rounds\":", start->rounds);
    if (start->shard)
        STRING(journal, ",\"shard\":", start->shard);
    if (start->recordings)
        STRING(journal, ",\"recordings\":", start->recordings);
    if (start->job)
        STRING(journal, ",\"job\":", start->job);
    if (start->attempt)
        NUMBER(journal, ",\"attempt\":", start->attempt);
    if (start->realtime)
        NUMBER(journal, ",\"realtime\":", start->realtime);
    return journal_finish_line(journal, error);
}
