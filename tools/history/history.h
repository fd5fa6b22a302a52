/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `dealproof history` can be told, each a command of its own in a file of its own: it is made
 * known by REGISTER(history_commands, x) and called "history import". They share how a store is
 * named and how runs are printed.
 */
#ifndef TOOLS_HISTORY_HISTORY_H
#define TOOLS_HISTORY_HISTORY_H

#include "rigs/history/find.h"
#include "tools/json_print.h"
#include "tools/options.h"

/* The first member of the options of each of them. */
struct history_options {
    const char *store;
    bool json, csv;
};

/* The rows of these options, for `expand` of a row. */
size_t history_rows(struct option_row *rows, size_t room);

/* The same without --json and --csv. */
size_t history_store_rows(struct option_row *rows, size_t room);

/* The store that is meant, opened; an exit status that is not 0 after it was said why not. */
int history_store(const struct command *command, const struct history_options *options, bool make,
                  struct store **store);

/* Runs as they come, in one of the three forms. */
struct history_printer {
    const struct history_options *options;
    struct json_print json;
    uint64_t count;
};

void history_print_begin(struct history_printer *printer, const struct history_options *options);
int history_print_run(void *printer, const struct history_found *run); /* a history_each */
void history_print_end(struct history_printer *printer);

/* The members of a run, into an object that is open. */
void history_print_members(struct json_print *print, const struct history_found *run);

/* Of checks, or of rounds without those that were ended. */
void history_print_counts(struct json_print *print, const struct history_counts *counts);

/*
 * A field of a line of comma-separated values, quoted where it must be; NULL is empty. It is words
 * alone, as plain_text() has them, and an apostrophe stands before what a table would compute.
 */
void history_print_field(FILE *out, const char *text);

#endif
