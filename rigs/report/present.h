/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who and what took part in a run, as a report keeps it: devices, operators, journals. For its
 * reader only. What returns false had no memory.
 */
#ifndef RIGS_REPORT_PRESENT_H
#define RIGS_REPORT_PRESENT_H

#include "rigs/report/report.h"
#include "rigs/report/shards.h"

/* Room for one more element, the new ones being zero. */
bool report_grow(void **array, size_t count, size_t *size, size_t element);

/* A device line; one that several shards have is kept once. */
bool report_device_see(struct report *report, const struct json_value *fields);

bool report_operator_see(struct report *report, const char *name);

bool report_journal_see(struct report *report, const struct shards_journal *journal);
void report_journal_free(const struct report_journal *journal);

#endif
