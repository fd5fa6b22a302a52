/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A struct filled from a YAML tree by a table of its fields. One walk looks for unknown, missing
 * and repeated fields, reads each value, holds it to its bounds, puts in what is left out, and
 * remembers places; the first mistake ends it, with its line, its column and the value. Groups and
 * lists behind pointers are allocated and belong to the struct until fill_free().
 */
#ifndef RIGS_RIG_FILL_H
#define RIGS_RIG_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rigs/rig/tree.h"

enum field_kind {
    FIELD_TEXT,    /* char[size], at least `least` bytes */
    FIELD_NUMBER,  /* uint8_t or uint32_t, `least` to `most`, or `standard` where it is left out */
    FIELD_WORD,    /* an enum: the value of one of `words` */
    FIELD_WORDS,   /* an unsigned: the sum of the values of some of `words` */
    FIELD_DOLLARS, /* micros_t */
    FIELD_RATE,    /* int32_t: per cent as basis points */
    FIELD_GROUP,   /* a struct with `fields`, or a pointer to one, NULL where it is left out */
    FIELD_LIST,    /* a pointer to structs with `fields`, `least` to `most` of them */
};

struct field_word {
    const char *word;
    unsigned value;
};

/* Where a value stands in the file, for sentences about what only shows when it is used. */
struct rig_place {
    unsigned line, column;
};

struct field {
    const char *key; /* NULL ends a table */
    enum field_kind kind;
    bool required;
    bool is_pointer; /* of FIELD_GROUP */
    size_t offset;
    size_t size; /* of the member; of what is pointed at by a group or list */
    uint64_t least, most, standard;
    const char *unit; /* of a number, for sentences; NULL: none */
    const struct field_word *words;
    const struct field *fields;
    size_t place; /* offset of a struct rig_place that gets the place of the value, or 0 */
    size_t count; /* offset of the unsigned that counts a list */
};

/* Fills a struct of zeros. After an error what was allocated is still the caller's to free. */
int fill_tree(const struct tree *tree, const struct field *fields, void *into, struct error *error);

/* Frees what pointers of the struct own; the struct itself is the caller's. */
void fill_free(const struct field *fields, void *filled);

#endif
