/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents as tests look at them: words in them, and what xmllint says of them. */
#ifndef TESTS_SUPPORT_DOCUMENT_H
#define TESTS_SUPPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* How often these words are in a text. */
unsigned document_count(const char *text, const char *words);

/* xmllint's word on a document: its status, 0 when it is well-formed or keeps a schema. */
int document_lint(const char *arguments, const char *document, size_t length);

/* An XPath expression about it is true; says on standard error when it is not. */
bool document_holds(const char *document, size_t length, const char *expression);

#endif
