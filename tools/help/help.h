/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tables of the commands are turned into beside --help: manual pages, and what shells
 * complete. All of it is printed on standard output.
 */
#ifndef TOOLS_HELP_HELP_H
#define TOOLS_HELP_HELP_H

#include <stdio.h>

#include "tools/options.h"

/* The commands, and then all of their parts; NULL after the last. */
const struct command *help_command_at(size_t index);

/* A manual page in troff: of a command, or of the program for NULL. */
void help_manual(const struct command *command);

/* What can stand for a value or an argument. */
struct help_words {
    bool files;
    char list[512]; /* words with blanks between them */
};

/* Of the value of an option, by what --help calls it. */
void help_values(const char *argument, struct help_words *words);

/* Of the arguments of a command, by its synopsis. */
void help_arguments(const struct command *command, struct help_words *words);

void help_complete_bash(void);
void help_complete_zsh(void);

#endif
