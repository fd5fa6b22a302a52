/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of a run and its summary share, for these files only. */
#ifndef TOOLS_RUN_LINES_H
#define TOOLS_RUN_LINES_H

#include "hal/base/json_text.h"
#include "hal/base/lines.h"
#include "tools/run/show.h"

#define TIMES_PRINTED 3 /* of the same failure */

#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

/* A line of JSON: further fields, left out where there is no value, and its end. */
void run_line_json(struct json_text *text, const char *key, const char *json);
void run_line_string(struct json_text *text, const char *key, const char *string);
void run_line_number(struct json_text *text, const char *key, int64_t number);
void run_line_print(FILE *out, struct json_text *text);

#endif
