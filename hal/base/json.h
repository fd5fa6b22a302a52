/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of JSON, read strictly: RFC 8259 and nothing beside it, no key twice in an object, no
 * U+0000, integers of 64 bits, at most JSON_DEPTH containers inside each other. A reader has room
 * for whatever a line of its length may hold, so that reading allocates nothing and never fails for
 * want of memory. Values belong to their reader and are valid until it reads the next line; they
 * stand in one array, a container before what it holds. Functions that look into a value take NULL
 * for one that is not there.
 */
#ifndef HAL_BASE_JSON_H
#define HAL_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/json_text.h"
#include "hal/base/lines.h"

#define JSON_LONGEST LINES_LONGEST
#define JSON_DEPTH   2048

enum json_kind {
    JSON_KIND_NULL,
    JSON_KIND_FALSE,
    JSON_KIND_TRUE,
    JSON_KIND_INTEGER,
    JSON_KIND_REAL,
    JSON_KIND_STRING,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT
};

struct json_value {
    const char *key; /* of a member of an object, else NULL */
    union {
        int64_t integer;
        const char *text; /* of a string, which ends with a NUL; of a real as it is written */
    };
    uint32_t length;    /* bytes of that text; members of an object, elements of an array */
    uint32_t span : 28; /* how many values it is with all that it holds */
    uint32_t kind : 4;
};

struct json_reader;

/* For texts of up to `longest` bytes, JSON_LONGEST at most. NULL when memory is short. */
struct json_reader *json_reader_new(size_t longest);
void json_reader_free(struct json_reader *reader);

/*
 * The object or array that a text is, or NULL: ERROR_RULE with a sentence that says what is wrong
 * and after how many bytes.
 */
const struct json_value *json_read(struct json_reader *reader, const char *text, size_t length,
                                   struct error *error);

/* A member that the last text had, also one that was refused after that member; NULL for none. */
const struct json_value *json_salvage(const struct json_reader *reader, const char *key);

/* A copy that lives until it is given to free(); NULL when memory is short. */
struct json_value *json_keep(const struct json_value *value);

static inline bool json_is(const struct json_value *value, enum json_kind kind)
{
    return value && value->kind == kind;
}

/* Goes through the values that a container holds; none of what is no container. */
#define JSON_EACH(value, container)                                                                \
    for (const struct json_value *value = json_begin(container),                                   \
                                 *value##_end = json_end(container);                               \
         value < value##_end; value += value->span)

static inline const struct json_value *json_begin(const struct json_value *container)
{
    return container ? container + 1 : NULL;
}

static inline const struct json_value *json_end(const struct json_value *container)
{
    return container ? container + container->span : NULL;
}

/* The member of that name; the element at that place. */
const struct json_value *json_member(const struct json_value *object, const char *key);
const struct json_value *json_element(const struct json_value *array, size_t index);

/* How many members or elements there are; 0 of what is no container. */
static inline size_t json_count(const struct json_value *value)
{
    return value && value->kind >= JSON_KIND_ARRAY ? value->length : 0;
}

/* NULL of what is no string, 0 of what is no integer. */
static inline const char *json_chars(const struct json_value *value)
{
    return json_is(value, JSON_KIND_STRING) ? value->text : NULL;
}

static inline int64_t json_int(const struct json_value *value)
{
    return json_is(value, JSON_KIND_INTEGER) ? value->integer : 0;
}

/* Whether two values say the same, whatever the order of their members. */
bool json_same(const struct json_value *a, const struct json_value *b);

/* Writes a value without blanks, as far as there is room. */
void json_text_value(struct json_text *text, const struct json_value *value);

#endif
