/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions of a desk at this program's own standard streams: to a person on the terminal, printed
 * on standard error and answered by a line that is typed, or to a script, as lines of JSON
 * (rigs/STATION.md). Standard input is read while a question is open, by a thread of its own.
 */
#ifndef TOOLS_ASK_H
#define TOOLS_ASK_H

#include "rigs/desk/desk.h"
#include "tools/run_show.h"

struct ask;

/* Who could answer here: DESK_SCRIPT, DESK_TERMINAL where standard input and error are one, or 0.
 */
unsigned ask_side(bool json);

/*
 * Answers the desk's questions as that side from now on, by that name (NULL: none was given).
 * While a question
 * is open on a terminal, what is shown of the run there is held back. ask_close() ends it, before
 * the desk is freed; no question may be asked afterwards. ERROR_RIG
 * when the system has no memory, descriptor or thread left.
 */
int ask_open(struct ask **ask, struct desk *desk, enum desk_side side, const char *by,
             struct run_show *show, struct error *error);
void ask_close(struct ask *ask);

#endif
