/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Audits as JSON for programs, as tables for people, and as a page. Every figure is printed from
 * its exact fraction, so the same audit prints the same bytes everywhere. Sheets of one game stand
 * together.
 */
#ifndef TOOLS_AUDIT_REPORT_H
#define TOOLS_AUDIT_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "tools/audit/sheet.h"

/* On standard output. */
void audit_report_json(const struct audit_sheet *sheets, size_t count);
void audit_report_text(const struct audit_sheet *sheets, size_t count);

/* A page that needs nothing else. */
void audit_report_html(const struct audit_sheet *sheets, size_t count, FILE *out);

#endif
