/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8, judged strictly: nothing written longer than it must be, no halves of characters. */
#ifndef HAL_BASE_UTF8_H
#define HAL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* How many of the `left` bytes the character takes that a text starts with; 0 when it is none. */
size_t utf8_sequence(const unsigned char *text, size_t left);

/* The same; 0 also for U+FFFE and U+FFFF, which XML and HTML cannot hold. */
size_t utf8_length(const unsigned char *text, size_t left);

/* The number of a character that takes so many bytes. */
unsigned utf8_code(const unsigned char *text, size_t length);

/*
 * Whether it is one that nobody sees and that changes how others are read: it turns their
 * direction, joins or hides them, or ends a line. It is written as its number wherever a text is
 * shown.
 */
bool utf8_is_invisible(const unsigned char *text, size_t length);

/* Whether all of a text is. */
bool utf8_is_valid(const char *text);

#endif
