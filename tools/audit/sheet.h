/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All figures of one audited wager and table, ready to be shown: the entry, what so many rounds
 * should bring, its meters, what to warn of, and the sheet's own table where it is set beside that.
 * The entries must outlive their sheets.
 */
#ifndef TOOLS_AUDIT_SHEET_H
#define TOOLS_AUDIT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/audit/audit.h"
#include "games/audit/bands.h"
#include "games/audit/meters.h"
#include "games/audit/warnings.h"

/* What somebody asks for beside the figures themselves. */
struct audit_terms {
    uint64_t rounds;         /* that bands are of */
    unsigned hands_per_hour; /* of one wager, to turn rounds between hits into hours */
    bool against_sheet;
};

#define AUDIT_ROUNDS         10000
#define AUDIT_HANDS_PER_HOUR 40

struct audit_sheet {
    const struct audit_entry *entry;
    const struct audit_entry *against; /* NULL: nothing to compare it with */
    const struct audit_terms *terms;
    struct bands net;
    struct audit_meter meters[METERS_MAX];
    size_t meter_count;
    char warnings[WARNINGS_MAX][WARNING_SIZE];
    size_t warning_count;
};

/* One for free() of every entry, in their order; NULL when memory has run out. */
struct audit_sheet *audit_sheets_new(const struct audit_entry *entries, size_t count,
                                     const struct audit_terms *terms, struct error *error);

/* A band's bound or another result of the law, in stakes. */
struct ratio audit_sheet_stakes(const struct audit_sheet *sheet, int64_t steps);

/* How much less than the best a play brings. */
struct ratio audit_sheet_cost(const struct audit_sheet *sheet, unsigned play);

/* What a line brings above that of the sheet's own table. */
struct ratio audit_sheet_change(const struct audit_sheet *sheet, unsigned line);

/* Hours from one hit of a meter to the next; 0 of 1: never. */
struct ratio audit_sheet_hours(const struct audit_sheet *sheet, const struct audit_meter *meter);

/* "1000 to 1", "push", "$250", "meter star". */
void audit_sheet_pay(const struct audit_entry *entry, struct pay pay, char *text, size_t size);

/* "$7,766.02": dollars and cents, rounded down. */
#define AUDIT_DOLLARS_SIZE 32
void audit_sheet_dollars(micros_t micros, char text[AUDIT_DOLLARS_SIZE]);

#endif
