/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records of one size, however many there are: the last of them in memory, those before in a
 * temporary file that has no name. What they point at stays where it is. The store owns its copies.
 */
#ifndef RIGS_REPORT_STORE_H
#define RIGS_REPORT_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"

struct report_store;

/* For records of so many bytes; NULL when memory is short. */
struct report_store *report_store_new(size_t size);
void report_store_free(struct report_store *store);

/* Adds a record behind the others; ERROR_RIG when the temporary file cannot be written. */
int report_store_add(struct report_store *store, const void *record, struct error *error);

/* Copies a record, by its place from 0; false when there is none or it cannot be read back. */
bool report_store_at(struct report_store *store, size_t index, void *record);

#endif
