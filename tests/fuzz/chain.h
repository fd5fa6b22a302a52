/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals out of fuzzed lines: each line of the text is a body, from `"t":` on and without its
 * brace, and gets the number, digests and seal that hold, so that what is read is judged by what it
 * says. A text that begins with a brace is a journal as it is.
 */
#ifndef TESTS_FUZZ_CHAIN_H
#define TESTS_FUZZ_CHAIN_H

#include <stddef.h>

/* The journal, to be freed. */
char *fuzz_chain(const char *text, size_t length, size_t *size);

#endif
