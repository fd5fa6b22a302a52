/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two files that are compared by what they mean, for the files of `dealproof diff` only: the two
 * sides, and what of them has been told so far. The command owns them.
 */
#ifndef TOOLS_DIFF_DIFF_H
#define TOOLS_DIFF_DIFF_H

#include "rigs/journal/read.h"
#include "rigs/recording/files.h"
#include "rigs/recording/meaning.h"
#include "rigs/recording/write.h"

enum kind { KIND_RECORDING, KIND_EXPECTATION, KIND_JOURNAL, KIND_COUNT };

/* One of the two files. */
struct side {
    const char *path;
    enum kind kind;
    struct recording_file file;
    struct text_line first; /* which says what the file is, until it is taken */
    bool has_first;
    struct recording_header header;
    struct journal_reader *journal;
    enum journal_kind entry;         /* of its line */
    struct json_reader *json, *made; /* of the line as it is, and of what it means */
    bool has_line;
    uint64_t line;
    const struct json_value *raw, *value; /* of the line that is next; value: what it means */
    int64_t recording, round;             /* the number of the line, or the last one before it */
    uint64_t begun;                       /* how often the numbers of its rounds have begun again */
    uint64_t unnumbered; /* how many lines without a number follow that round, this one too */
    uint8_t deck;        /* that the round before was dealt from, of two */
    char text[MEANING_SIZE];
};

/* Limits of a timing that differ. */
struct told_limit {
    char name[24];
    int64_t limit[2];
};

#define TOLD_LIMITS 32

/* Fields of a line of a journal that are passed over, at most. */
#define PASSED_MAX 24

struct comparison {
    struct side side[2];
    struct paytables *paytables;
    bool json;
    uint64_t differences, rounds;
    char place[128];           /* "round 3", before what differs in it */
    char builtin[DIGEST_SIZE]; /* of the rig that is built in */
    struct told_limit limits[TOLD_LIMITS];
    unsigned limit_count;
    struct error error;
};

/* One difference: the first side's value and the second one's, NULL where it has none. */
void diff_tell(void *context, const char *place, const struct json_value *first,
               const struct json_value *second);

/* The same as a line of JSON. A side that has nothing there has no member. */
void diff_tell_json(const struct comparison *comparison, const char *place,
                    const struct json_value *const values[2]);

/* All of two values, but for the members that are named, up to NULL. */
void diff_compare(struct comparison *comparison, const struct json_value *first,
                  const struct json_value *second, const char *const *ignored);

/* Journals, whose sides are open. */
int diff_journals(struct comparison *comparison);

#endif
