/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that grow, for what a store keeps as a blob. The caller owns them; free `data`. */
#ifndef RIGS_HISTORY_STORE_BYTES_H
#define RIGS_HISTORY_STORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history_bytes {
    unsigned char *data;
    size_t length, size;
};

/* False when memory is short. */
bool history_bytes_add(struct history_bytes *bytes, const void *data, size_t length);

/* A number of eight bytes, the lowest first; and one that was so written. */
bool history_bytes_add_number(struct history_bytes *bytes, int64_t number);
int64_t history_bytes_number(const unsigned char *data);

#endif
