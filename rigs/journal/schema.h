/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lines of a journal are made of: for each kind its fields, in the order and of the types
 * that rigs/JOURNAL.md gives them. Fields that are not known here were added by a later version and
 * are passed over. Nothing is kept.
 */
#ifndef RIGS_JOURNAL_SCHEMA_H
#define RIGS_JOURNAL_SCHEMA_H

#include "hal/base/error.h"
#include "hal/base/json.h"
#include "rigs/journal/kind.h"

/*
 * Looks at the fields of a line of that kind. ERROR_RULE says which of them is missing, of a wrong
 * type or not in its place, as the end of a sentence: "has no 'verdict'".
 */
int schema_check(enum journal_kind kind, const struct json_value *line, struct error *error);

#endif
