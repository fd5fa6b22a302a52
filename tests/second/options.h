/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line says: options, each a way to read the page honestly or a habit of a device,
   and at most one lie. The texts belong to the command line. */
#ifndef SECOND_OPTIONS_H
#define SECOND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIONS_MAX 32

struct options {
    const char *names[OPTIONS_MAX];
    const char *values[OPTIONS_MAX];
    size_t count;
};

/* Adds NAME or NAME=VALUE; false when there is no such option or no room. Splits text in place. */
bool options_add(struct options *options, char *text);

bool options_has(const struct options *options, const char *name);

/* The option's text, or NULL. */
const char *options_text(const struct options *options, const char *name);

uint64_t options_number(const struct options *options, const char *name, uint64_t otherwise);

/* Prints all options with what they mean. */
void options_list(void);

#endif
