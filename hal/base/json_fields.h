/*
 * Strict reading of one line of JSON: every field has one type, an unknown field or a key given
 * twice is an error, and each sentence names the field and shows the value. Values belong to the
 * object they are read from. Errors carry ERROR_RULE, or ERROR_RIG when memory is short.
 */
#ifndef HAL_BASE_JSON_FIELDS_H
#define HAL_BASE_JSON_FIELDS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

/* The object that a line holds, to be released by json_decref(), or NULL. */
json_t *fields_parse(const char *text, size_t length, struct error *error);

/* All keys of an object must be among `known`, which ends with NULL. */
int fields_known(const json_t *object, const char *where, const char *const *known,
                 struct error *error);

int field_text(const json_t *value, const char *name, const char **text, struct error *error);
int field_number(const json_t *value, const char *name, int64_t low, int64_t high, int64_t *number,
                 struct error *error);
int field_array(const json_t *value, const char *name, struct error *error);
int field_object(const json_t *value, const char *name, struct error *error);

#define FIELD_SHOWN_SIZE 48

/* A value as a sentence may show it: printable, cut where it is longer than `size`. */
const char *field_show(const json_t *value, char *shown, size_t size);

/* Makes a text printable in place: whatever is not printable ASCII becomes '?'. */
void text_clean(char *text);

#endif
