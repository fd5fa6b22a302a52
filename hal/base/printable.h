/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that come from devices may hold any byte. They are made fit for terminals, JSON and
 * addresses when they are read: all but printable ASCII becomes '?'. Nothing here fails.
 */
#ifndef HAL_BASE_PRINTABLE_H
#define HAL_BASE_PRINTABLE_H

#include <stddef.h>

void printable_make(char *text);

/* Takes as much as fits; NULL is "". */
void printable_copy(char *text, size_t size, const char *from);

#endif
