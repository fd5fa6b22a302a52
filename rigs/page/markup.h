/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that came from anywhere, written so that it is nothing but text: in XML and HTML with the
 * five characters that mean something replaced, for a terminal as it is. Control characters and
 * those that nobody sees are written as their numbers, <U+001B>, and bytes that are not UTF-8 as
 * <FF>, in both, so that no device can forge a report or a screen.
 */
#ifndef RIGS_PAGE_MARKUP_H
#define RIGS_PAGE_MARKUP_H

#include <stdio.h>

#include "hal/base/json.h"

/* Inside elements, and inside attributes in double quotes; line breaks and tabs become blanks. */
void markup_text(FILE *out, const char *text);

/* A JSON value: a string without its quotes, anything else as JSON. */
void markup_json(FILE *out, const struct json_value *value);

/* The same for a terminal. */
void plain_text(FILE *out, const char *text);
void plain_json(FILE *out, const struct json_value *value);

#endif
