/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recordings that a command line names, for every command that takes some. */
#ifndef TOOLS_RECORDINGS_H
#define TOOLS_RECORDINGS_H

#include "rigs/recording/list.h"
#include "tools/command.h"

/* recording_list_find(), and a note on standard error of the folders that were passed over. */
int recordings_find(const struct command *command, char *const *names,
                    struct recording_list *recordings, struct error *error);

/* That note, if there is any such folder. */
void recordings_note(const struct command *command, const struct recording_list *recordings);

#endif
