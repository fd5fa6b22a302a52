/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal from inside, for its own files only: what it has counted, and how the fields of a
 * line are written.
 */
#ifndef RIGS_JOURNAL_INSIDE_H
#define RIGS_JOURNAL_INSIDE_H

#include <string.h>

#include "rigs/journal/entry.h"
#include "rigs/journal/file.h"

struct journal_passes {
    const char *name;
    uint64_t count;
};

struct journal {
    const struct clock *clock;
    bool sync;
    nanos_t latest;      /* the time of its last line */
    uint64_t recordings; /* the last one is the current one */
    bool in_round;
    char place[64]; /* of the lines of this round, as text */
    size_t place_length;
    enum verdict worst;
    uint64_t rounds[VERDICT_COUNT];
    uint64_t round_checks[CHECK_SKIPPED + 1];
    uint64_t checks[CHECK_SKIPPED + 1];
    uint64_t retries, reconnects;
    size_t pass_count, latest_pass;
    struct journal_passes passes[JOURNAL_PASSES];
    struct journal_part part;       /* `full` is NULL in the journal itself */
    struct error refused;           /* why a full part could not be joined; code 0: it could */
    const struct journal *unjoined; /* a part of which some lines have been added and counted all */
    struct journal_file file;
};

/* Writers of a field: `key` is its name with the comma, quotes and colon around it. */
#define PUT(journal, literal) JSON_TEXT_PUT(&(journal)->file.text, literal)
#define NUMBER(journal, key, value)                                                                \
    do {                                                                                           \
        PUT(journal, key);                                                                         \
        json_text_number(&(journal)->file.text, (int64_t)(value));                                 \
    } while (0)
#define STRING(journal, key, value)                                                                \
    do {                                                                                           \
        PUT(journal, key);                                                                         \
        json_text_string(&(journal)->file.text, value);                                            \
    } while (0)
#define JSON(journal, key, value)                                                                  \
    do {                                                                                           \
        PUT(journal, key);                                                                         \
        journal_file_json(&(journal)->file, value, strlen(value));                                 \
    } while (0)

#define DATE_SIZE sizeof "2026-01-01T00:00:00Z"

/* The time of day, in UTC. */
const char *journal_date(char date[DATE_SIZE]);

/* What is written of a device, after the name; and of the command line. */
void journal_put_identity(struct journal *journal, const struct journal_device *device);
void journal_put_command(struct journal *journal, const char *const *command);

/* A line: its beginning, where in the run it belongs, and its end. */
void journal_begin_line(struct journal *journal, enum journal_kind kind);
void journal_put_place(struct journal *journal);
int journal_finish_line(struct journal *journal, struct error *error);

/* The first line. */
int journal_write_start(struct journal *journal, const struct journal_start *start,
                        struct error *error);

/* That a part was joined by half: nothing more can be written then. */
int journal_say_unjoined(const struct journal *journal, struct error *error);

#endif
