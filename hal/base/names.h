/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of names inside an error's sentence: "a, b, c and 25 more". The caller owns the struct;
 * names that do not fit are counted instead. Pure like hal/base/error.h, and for every room as
 * well.
 */
#ifndef HAL_BASE_NAMES_H
#define HAL_BASE_NAMES_H

#include <stddef.h>

struct name_list {
    char text[440];
    size_t room; /* of the text that may be used */
    size_t length;
    size_t names;
    size_t left_out;
};

void name_list_start(struct name_list *list);

/* For a sentence that says little else: a list of twice the length. */
void name_list_start_long(struct name_list *list);

void name_list_add(struct name_list *list, const char *name);

/* The same for the last name: "a, b and c". */
void name_list_add_last(struct name_list *list, const char *name);

/* The finished text; "none" if nothing was added. Nothing may be added after that. */
const char *name_list_text(struct name_list *list);

#endif
