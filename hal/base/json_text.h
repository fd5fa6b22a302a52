/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON written into a buffer of the caller's, bounded and without allocation. What does not fit
 * sets `full` and is left out, so a line is built without looking and judged once at its end. Any
 * bytes may be given as a string: what is not UTF-8 becomes U+FFFD, control characters and those
 * that nobody sees are escaped.
 */
#ifndef HAL_BASE_JSON_TEXT_H
#define HAL_BASE_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct json_text {
    char *start;
    char *at;
    char *end;
    bool full;
};

static inline void json_text_begin(struct json_text *text, char *buffer, size_t size)
{
    *text = (struct json_text){.start = buffer, .at = buffer, .end = buffer + size};
}

static inline void json_text_raw(struct json_text *text, const char *bytes, size_t length)
{
    if (length > (size_t)(text->end - text->at)) {
        text->full = true;
        return;
    }
    memcpy(text->at, bytes, length);
    text->at += length;
}

/* Text that is JSON already, such as `,"seat":`. */
#define JSON_TEXT_PUT(text, literal) json_text_raw(text, literal, sizeof(literal) - 1)

void json_text_unsigned(struct json_text *text, uint64_t number);
void json_text_number(struct json_text *text, int64_t number);

/* With so many digits at most, and always with a point or an exponent. */
void json_text_real(struct json_text *text, double number, int digits);

/* With its quotes; NULL is written as null. */
void json_text_string(struct json_text *text, const char *string);

#endif
