/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON printed to a stream, value by value: compact, or with every value on a line of its own. Keys
 * and texts may be any bytes; what is not UTF-8 becomes U+FFFD. Errors are the stream's.
 */
#ifndef TOOLS_JSON_PRINT_H
#define TOOLS_JSON_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "hal/base/json.h"

struct json_print {
    FILE *out;
    unsigned indent; /* blanks a level; 0: everything on one line */
    unsigned depth;
    bool has_value; /* a comma comes before the next one */
};

/* `key` is NULL outside of an object; brackets are "{}" or "[]". */
void json_print_open(struct json_print *print, const char *key, const char *brackets);
void json_print_close(struct json_print *print, const char *brackets);

/* NULL is printed as null, and so is a number that is not finite. */
void json_print_text(struct json_print *print, const char *key, const char *text);
void json_print_integer(struct json_print *print, const char *key, int64_t number);
void json_print_real(struct json_print *print, const char *key, double number, int digits);
void json_print_bool(struct json_print *print, const char *key, bool value);

/* What is JSON already; a value that was read, whose NULL is printed as null. */
void json_print_raw(struct json_print *print, const char *key, const char *json, size_t length);
void json_print_value(struct json_print *print, const char *key, const struct json_value *value);

/* The end of a document or of a line of JSON Lines; another may follow. */
void json_print_end(struct json_print *print);

#endif
