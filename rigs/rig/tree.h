/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A YAML file as a tree whose every value knows its line and column, read in one pass. The caller
 * frees the tree. What is too deep, uses anchors, or holds a second document is refused while it is
 * read, before it costs anything.
 */
#ifndef RIGS_RIG_TREE_H
#define RIGS_RIG_TREE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"

enum tree_kind { TREE_VALUE, TREE_LIST, TREE_GROUP };

struct tree_node {
    enum tree_kind kind;
    unsigned line, column;   /* from 1 */
    struct tree_node *first; /* entry of a list, or key of a group */
    struct tree_node *next;  /* entry or key beside this one */
    struct tree_node *value; /* of a key */
    struct tree_node *made;  /* before this one; for freeing */
    size_t length;           /* of the text, which may hold a NUL and ends with one more */
    char text[];             /* of a value */
};

struct tree;

/* One document; ERROR_CONFIG with the place of what is wrong, ERROR_RIG without memory. */
int tree_parse(struct tree **tree, const char *path, const char *text, size_t size,
               struct error *error);
void tree_free(struct tree *tree);

const struct tree_node *tree_root(const struct tree *tree);

/* The value of a field, or NULL where the group has none of that name. */
const struct tree_node *tree_field(const struct tree_node *group, const char *name, size_t length);

/*
 * The value at a place, "devices.sensors.seats[2].bet" counting from 1; if it is not there, the
 * nearest one around it.
 */
const struct tree_node *tree_find(const struct tree *tree, const char *where);

/* "PATH:LINE:COLUMN: WHERE: SENTENCE" as ERROR_CONFIG, which it returns. */
int tree_error(const struct tree *tree, struct error *error, const char *where, const char *format,
               ...) __attribute__((format(printf, 4, 5)));

/* The same of a node; `where` may be "". */
int tree_error_at(const struct tree *tree, const struct tree_node *node, struct error *error,
                  const char *where, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

#endif
