/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions of a desk at this program's own standard streams: to a person on the terminal, printed
 * on standard error and answered by a line that is typed; to a script, as lines of JSON on both
 * (rigs/STATION.md); or to the program that passes them on to a page, whose answers come from
 * where its orders do. Standard input is read while a question is open, by a thread of its own.
 */
#ifndef TOOLS_ASK_H
#define TOOLS_ASK_H

#include "hal/desk/desk.h"
#include "tools/run/show.h"

struct ask;
struct json_value;

/*
 * Who could answer here: DESK_SCRIPT with "json", DESK_PAGE with "orders", and with NULL
 * DESK_TERMINAL where standard input and error are one, or 0.
 */
unsigned ask_side(const char *questions);

/*
 * Takes {"id":4,"answer":"bet","by":"Ann"} as an answer of that side. What is wrong with it is said
 * in a line of JSON on standard output; DESK_UNKNOWN is also what has no such form. `id` is filled
 * where it has one.
 */
enum desk_result ask_take(struct desk *desk, const struct json_value *answer, enum desk_side side,
                          int64_t *id);

/*
 * Answers the desk's questions as that side from now on, by that name (NULL: none was given); as
 * DESK_PAGE it shows them alone. While a question is open on a terminal, what is shown of the run
 * there is held back. ask_close() ends it, before the desk is freed; no question may be asked
 * afterwards. ERROR_RIG when the system has no memory, descriptor or thread left.
 */
int ask_open(struct ask **ask, struct desk *desk, enum desk_side side, const char *by,
             struct run_show *show, struct error *error);
void ask_close(struct ask *ask);

#endif
