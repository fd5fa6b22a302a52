/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of a command as a table of rows. One table serves getopt_long(), the list that --help
 * prints, and the sentences about what is wrong. -h and --help belong to every table without a row.
 * Values point into argv.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/command.h"

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_NUMBER, OPTION_SMALL_NUMBER };

/* What is done with the file that a value names. */
enum option_use {
    OPTION_READS,  /* or it names none */
    OPTION_WRITES, /* by save_whole() */
    OPTION_RECORDS /* a recording, which takes the place of another one with --force */
};

struct option_row {
    const char *name;     /* after two dashes; NULL: a heading of --help, which is `help` */
    char letter;          /* after one dash; 0: none */
    const char *argument; /* what --help calls its value, "[=X]" one that may be left out, which is
                             then read as NULL; NULL: it takes none */
    const char *help;     /* wrapped by --help; a newline stays one, also blanks after it */
    enum option_kind kind;
    size_t offset;       /* in the command's struct: OPTION_INTO() fills both */
    uint64_t low, high;  /* of a number */
    enum option_use use; /* no file is written that an argument or another option names */
    /* Instead of OPTION_INTO(), also for what may be given more than once: 0 or ERROR_CONFIG. */
    int (*read)(const struct option_row *row, char *value, void *options, struct error *error);
    /* Instead of all others: puts up to `room` rows in this one's place and says how many. */
    size_t (*expand)(struct option_row *rows, size_t room);
};

#define OPTIONS_MAX 48 /* rows of one command */

/* The member that a value goes to; a number's row goes on with its limits. */
#define OPTION_INTO(type, member)                                                                  \
    .kind = _Generic(((type *)0)->member,                                                          \
        bool: OPTION_FLAG,                                                                         \
        const char *: OPTION_TEXT,                                                                 \
        uint64_t: OPTION_NUMBER,                                                                   \
        unsigned: OPTION_SMALL_NUMBER),                                                            \
    .offset = offsetof(type, member)

/* The rows of a command with those that others stand for, and --help at their end. */
struct option_table {
    struct option_row rows[OPTIONS_MAX];
    size_t count;
};

/* The last row of a table. */
#define OPTIONS_END                                                                                \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/*
 * Reads the options of argv by the command's table into its struct, `options`, which holds the
 * defaults, and sees that no file would be lost by what the command is told to write. Returns the
 * arguments that are no options, NULL at their end; or NULL when there is nothing left to do, after
 * --help or a sentence about what is wrong, and `*status` is what to exit with.
 */
char **options_read(const struct command *command, int argc, char **argv, void *options,
                    int *status);

void options_lay_out(const struct command *command, struct option_table *table);

/* Its value may be left out, and is in the same word. */
bool options_is_optional(const struct option_row *row);

/* Whether what --help calls a value or an argument so is a file or a folder. */
bool options_takes_files(const char *argument);

/* For the list of a command: an item of it, and what is said of it, wrapped. */
void options_print_item(const char *name, const char *text);

/* A whole number: 0, or ERROR_CONFIG, which says that `--name` must be from low to high. */
int options_number(const char *name, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number, struct error *error);

#endif
