/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file of JSON Lines that another file names, such as paytables or approved digests: all of it is
 * read, up to the first line that is refused. Sentences are of a file and its line, and printable.
 */
#ifndef HAL_BASE_JSON_LINES_H
#define HAL_BASE_JSON_LINES_H

#include "hal/base/json_fields.h"

/* Takes the object of a line, numbered from 1, which is good until it returns. */
typedef int json_lines_take(void *context, const struct json_value *line, uint64_t number,
                            struct error *error);

/*
 * 0 at the end of the file. ERROR_CONFIG for a file that cannot be read or a line that is refused,
 * ERROR_RIG when memory is out or reading fails.
 */
int json_lines_read(const char *path, json_lines_take *take, void *context, struct error *error);

/* The sentence is of that line of the file; ERROR_RULE becomes ERROR_CONFIG. Returns the code. */
int json_lines_place(const char *path, uint64_t number, struct error *error);

#endif
