/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What looks wrong with a table: a house edge that no house would offer or no player take, a line
 * that no deal is paid on, a meter that gets less between two hits than its reseed value costs.
 * They are said, not judged: an audit with warnings is as exact as one without.
 */
#ifndef GAMES_AUDIT_WARNINGS_H
#define GAMES_AUDIT_WARNINGS_H

#include "games/audit/audit.h"

/* House edges outside of this are warned of, in per cent. */
#define EDGE_LOW  0
#define EDGE_HIGH 25

#define WARNING_SIZE 160
#define WARNINGS_MAX (1 + LINES_MAX + METERS_MAX)

/* Sentences without a full stop; returns how many there are. */
size_t audit_warnings(const struct audit_entry *entry, char text[WARNINGS_MAX][WARNING_SIZE]);

#endif
