/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals forged: lines are changed, removed, repeated and put in, and then numbered, chained and
 * sealed anew, as anybody can who has the file. What a reader still finds, it finds in what the
 * lines say.
 */
#ifndef TESTS_SUPPORT_LIES_FORGE_H
#define TESTS_SUPPORT_LIES_FORGE_H

#include <stdbool.h>
#include <stddef.h>

struct forgery {
    size_t count;
    char **bodies; /* of the lines, from `"t":` up to their brace, without a seal */
};

/* Takes a journal apart; forge_free() it. A test whose journal is none ends. */
struct forgery forge_read(const char *path);
void forge_free(struct forgery *forgery);

/* The index of the nth line, from 1, that has this in it; a test that has none ends. */
size_t forge_find(const struct forgery *forgery, const char *within, unsigned nth);

/* Puts something else in the place of the first such text of a line; a test without it ends. */
void forge_replace(struct forgery *forgery, size_t line, const char *old, const char *new);
/* The same wherever it stands; how often. */
unsigned forge_replace_all(struct forgery *forgery, const char *old, const char *new);

void forge_remove(struct forgery *forgery, size_t line, size_t count);
void forge_insert(struct forgery *forgery, size_t line, const char *body);
/* Takes lines of another journal, to stand before this one's line. */
void forge_splice(struct forgery *forgery, size_t line, const struct forgery *from, size_t first,
                  size_t count);

/* Writes it with numbers, digests and a seal that hold. */
void forge_write(const struct forgery *forgery, const char *path);

#endif
