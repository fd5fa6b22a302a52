/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that come from devices may hold any byte. They are made fit for terminals, JSON and
 * addresses when they are read: all but printable ASCII becomes '?'. What is shown to people as it
 * is, such as a name that they typed, has numbers in place of what a terminal would obey. Nothing
 * here fails.
 */
#ifndef HAL_BASE_PRINTABLE_H
#define HAL_BASE_PRINTABLE_H

#include <stddef.h>

void printable_make(char *text);

/* Takes as much as fits; NULL is "". */
void printable_copy(char *text, size_t size, const char *from);

#define PRINTABLE_SIZE 16

/*
 * How many bytes the next character of a text takes, of which there are some left. `instead` is
 * what is shown in its place: a blank for a line break or a tab, <U+001B> for what is obeyed or not
 * seen, <FF> for a byte that is no character; "" for the others, which are shown as they are.
 */
size_t printable_next(const unsigned char *text, size_t left, char instead[PRINTABLE_SIZE]);

/* All of a text so, as much as fits; NULL is "". The two may not be the same. */
void printable_show(char *shown, size_t size, const char *text);

#endif
