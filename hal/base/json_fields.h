/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields of a line of JSON: every field has one type, an unknown field is an error, and each
 * sentence names the field and shows the value. Errors carry ERROR_RULE.
 */
#ifndef HAL_BASE_JSON_FIELDS_H
#define HAL_BASE_JSON_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/json.h"

/* The object that a line holds, the reader's until it reads the next one, or NULL. */
const struct json_value *fields_parse(struct json_reader *reader, const char *text, size_t length,
                                      struct error *error);

/* All keys of an object must be among `known`, which ends with NULL. */
int fields_known(const struct json_value *object, const char *where, const char *const *known,
                 struct error *error);

int field_text(const struct json_value *value, const char *name, const char **text,
               struct error *error);
int field_number(const struct json_value *value, const char *name, int64_t low, int64_t high,
                 int64_t *number, struct error *error);
int field_array(const struct json_value *value, const char *name, struct error *error);
int field_object(const struct json_value *value, const char *name, struct error *error);

#define FIELD_SHOWN_SIZE 48

/* A value as a sentence may show it: printable, cut where it is longer than `size`. */
const char *field_show(const struct json_value *value, char *shown, size_t size);

#endif
