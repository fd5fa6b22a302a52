/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Audits as JSON for programs and as tables for people, on standard output. Every figure is printed
 * from its exact fraction, so the same audit prints the same bytes everywhere.
 */
#ifndef TOOLS_AUDIT_REPORT_H
#define TOOLS_AUDIT_REPORT_H

#include <stddef.h>

#include "games/audit/audit.h"

void audit_report_json(const struct audit_entry *entries, size_t count);

/* Entries of one game stand together. */
void audit_report_text(const struct audit_entry *entries, size_t count);

#endif
