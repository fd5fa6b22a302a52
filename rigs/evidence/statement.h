/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bundle says of its run on one page of JSON (rigs/EVIDENCE.md), taken from the journal line
 * by line: it says nothing that the journal does not, so that it can be made again and compared.
 */
#ifndef RIGS_EVIDENCE_STATEMENT_H
#define RIGS_EVIDENCE_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "rigs/evidence/copies.h"
#include "rigs/journal/libraries.h"

#define STATEMENT_SIZE   65536
#define STATEMENT_FORMAT 3 /* that is made now; 2 had no `shard`, 1 no `resumed` */

/* What a statement says that is not in the journal. */
struct statement_head {
    int format;
    char bundler[32];         /* version of the program that made it */
    char amends[DIGEST_SIZE]; /* of the manifest that the bundle amends; "": none */
};

struct statement {
    char text[STATEMENT_SIZE]; /* a line of JSON and its newline */
    size_t length;
    bool is_ended;              /* the journal has its end line */
    char verdict[16];           /* of it; "" where it has none */
    char amends[DIGEST_SIZE];   /* of its head */
    char version[32];           /* of the program that wrote the journal */
    char by[64];                /* who performed it; "" where that was not said */
    char date[32];              /* of its first line; "" in virtual time */
    char shard[24];             /* "2/4": the part of a run that it tells; "": all of it */
    uint64_t devices, emulated; /* lines of devices, and those that were emulated */
    uint64_t resumed;           /* how often it was cut off and went on, */
    char resumed_by[64];        /* and by whom and when the last time; "" */
    char resumed_date[32];
    char build[LIBRARIES_BUILD_SIZE]; /* that wrote its first line; "" where it does not say */
    struct copies copies;             /* the digests that it has of files */
    struct json_value *libraries;     /* of its first line, a copy */
};

/*
 * A statement of a journal that somebody else reads, who shows every line: statement_begin() gives
 * what is kept until then, or NULL without memory; statement_see(), whose first argument that is,
 * fits a struct report_watch; statement_end() takes it back. Without an ending the journal was not
 * read to its end: there is no statement, and nothing to free.
 */
struct statement_facts;
struct statement_facts *statement_begin(struct statement *statement);
int statement_see(void *facts, const struct journal_line *line, struct error *error);
int statement_end(struct statement_facts *facts, const struct journal_ending *ending,
                  const struct statement_head *head, struct error *error);

/*
 * Reads a journal of so many bytes, which is closed, and judges it. Errors are those of the
 * journal's reader.
 */
int statement_make(struct statement *statement, int journal, uint64_t bytes,
                   const struct statement_head *head, struct error *error);
/* Gives back copies and libraries. */
void statement_free(struct statement *statement);

/* The head of what somebody has stated. ERROR_RULE: that is no statement, or more than one line. */
int statement_read(const char *text, size_t length, struct statement_head *head,
                   struct error *error);

/*
 * What somebody has stated, of the same journal as `ours`, which is made again with the same head:
 * 0 when they are the same, to the byte if the bundler is of this version; 1 when another version
 * made it and says it otherwise; ERROR_RULE, with the field, when it says what the journal does
 * not.
 */
int statement_compare(const char *text, const struct statement *ours, struct error *error);

#endif
