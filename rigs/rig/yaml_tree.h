/*
 * A YAML file as a tree whose every value knows its line and column. libcyaml fills structs but
 * forgets where a value stood: the tree is matched against the same schema first, so that a mistake
 * is told with its place, and is kept for what can only be judged afterwards. The caller frees the
 * tree. What is too large, too deep, or uses anchors is refused before it costs anything.
 */
#ifndef RIGS_RIG_YAML_TREE_H
#define RIGS_RIG_YAML_TREE_H

#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"

struct yaml_tree;

/* One document, at least an empty mapping; ERROR_CONFIG with the place of what is wrong. */
int yaml_tree_parse(struct yaml_tree **tree, const char *path, const char *text, size_t size,
                    struct error *error);
void yaml_tree_free(struct yaml_tree *tree);

/* Fields, types, lengths and numbers that do not fit; ERROR_CONFIG for the first mistake. */
int yaml_tree_match(const struct yaml_tree *tree, const cyaml_schema_value_t *schema,
                    struct error *error);

/*
 * The place of a value, "devices.sensors.seats[2].bet" counting from 1; if it is not there, of the
 * nearest one around it.
 */
void yaml_tree_find(const struct yaml_tree *tree, const char *where, unsigned *line,
                    unsigned *column);

/* Whether there is such a value. */
bool yaml_tree_has(const struct yaml_tree *tree, const char *where);

/* "PATH:LINE:COLUMN: WHERE: SENTENCE" as ERROR_CONFIG, which it returns. */
int yaml_tree_error(const struct yaml_tree *tree, struct error *error, const char *where,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
