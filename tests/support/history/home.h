/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A home of a test's own for `dealproof history` as a process, with nothing in it. */
#ifndef TESTS_SUPPORT_HISTORY_HOME_H
#define TESTS_SUPPORT_HISTORY_HOME_H

#include <jansson.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"

/* Its store is not the default one, which is in the folder too. */
struct history_home {
    char folder[SCRATCH_PATH_SIZE];
    char journal[SCRATCH_PATH_SIZE + 16], store[SCRATCH_PATH_SIZE + 32];
};

struct history_home home_set_up(void);
void home_take_down(const struct history_home *home);

/* The program with these arguments, which end with NULL. */
struct process_result home_run(const char *const *arguments);
#define DEALPROOF(...) home_run((const char *const[]){__VA_ARGS__, NULL})

/* What a command with --json prints, to be given back by json_decref(). */
json_t *home_ask(const char *const *arguments);
#define ASK(...) home_ask((const char *const[]){"history", __VA_ARGS__, "--json", NULL})

#endif
