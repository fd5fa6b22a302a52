/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/audit/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a table is the sheet's own, and the one it takes if nobody names another. */
static bool is_own(const struct audit_entry *entry, bool *is_default)
{
    for (unsigned w = 0; w < entry->game->wager_count; w++) {
        const struct wager *wager = &entry->game->wagers[w];

        for (unsigned t = 0; t < wager->table_count; t++)
            if (entry->table == &wager->tables[t]) {
                *is_default = t == wager->default_table;
                return true;
            }
    }
    return false;
}

static const struct audit_entry *own_entry(const struct audit_entry *entries, size_t count,
                                           const struct audit_entry *entry)
{
    bool is_default = false;

    if (is_own(entry, &is_default))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (entries[i].game == entry->game && !strcmp(entries[i].wager, entry->wager) &&
            is_own(&entries[i], &is_default) && is_default)
            return &entries[i];
    return NULL;
}

struct audit_sheet *audit_sheets_new(const struct audit_entry *entries, size_t count,
                                     const struct audit_terms *terms, struct error *error)
{
    struct audit_sheet *sheets = calloc(count ? count : 1, sizeof *sheets);

    if (!sheets)
        error_set(error, ERROR_RIG, "no memory for the figures of %zu tables", count);
    for (size_t i = 0; sheets && i < count; i++) {
        struct audit_sheet *sheet = &sheets[i];

        sheet->entry = &entries[i];
        sheet->terms = terms;
        sheet->against = terms->against_sheet ? own_entry(entries, count, &entries[i]) : NULL;
        sheet->meter_count = audit_meters(&entries[i], sheet->meters);
        sheet->warning_count = audit_warnings(&entries[i], sheet->warnings);
        if (bands_of_net(&sheet->net, &entries[i].law, terms->rounds, error)) {
            free(sheets);
            return NULL;
        }
    }
    return sheets;
}

struct ratio audit_sheet_stakes(const struct audit_sheet *sheet, int64_t steps)
{
    return ratio_make(steps, sheet->entry->law.per);
}

struct ratio audit_sheet_cost(const struct audit_sheet *sheet, unsigned play)
{
    return ratio_subtract(sheet->entry->ev, sheet->entry->plays[play].ev);
}

struct ratio audit_sheet_change(const struct audit_sheet *sheet, unsigned line)
{
    return ratio_subtract(audit_line_brings(sheet->entry, line),
                          audit_line_brings(sheet->against, line));
}

struct ratio audit_sheet_hours(const struct audit_sheet *sheet, const struct audit_meter *meter)
{
    return ratio_reduce(ratio_make(meter->expected.numerator,
                                   meter->expected.denominator * sheet->terms->hands_per_hour));
}

static void format_dollars(int32_t cents, char *text, size_t size)
{
    if (cents % 100)
        snprintf(text, size, "%d.%02d", (int)cents / 100, (int)cents % 100);
    else
        snprintf(text, size, "%d", (int)cents / 100);
}

void audit_sheet_pay(const struct audit_entry *entry, struct pay pay, char *text, size_t size)
{
    if (pay.kind == PAY_METER) {
        snprintf(text, size, "meter %s", entry->game->meters[pay.amount].name);
    } else if (pay.kind == PAY_CASH) {
        text[0] = '$';
        format_dollars(pay.amount, text + 1, size - 1);
    } else if (pay.amount) {
        snprintf(text, size, "%d to 1", (int)pay.amount);
    } else {
        snprintf(text, size, "push");
    }
}

void audit_sheet_dollars(micros_t micros, char text[AUDIT_DOLLARS_SIZE])
{
    char digits[AUDIT_DOLLARS_SIZE];
    size_t length, to = 0;

    snprintf(digits, sizeof digits, "%lld", (long long)(micros / MICROS_PER_DOLLAR));
    length = strlen(digits);
    text[to++] = '$';
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = digits[i];
    }
    snprintf(text + to, AUDIT_DOLLARS_SIZE - to, ".%02d", (int)(micros / MICROS_PER_CENT % 100));
}
