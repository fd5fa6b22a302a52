/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/warnings.h"

#include <stdio.h>

#include "games/audit/meters.h"

static size_t warn_of_edge(const struct audit_entry *entry, char text[WARNING_SIZE])
{
    struct ratio edge = ratio_negate(entry->ev);
    char percent[RATIO_TEXT_SIZE];

    if (100 * edge.numerator >= EDGE_LOW * edge.denominator &&
        100 * edge.numerator <= EDGE_HIGH * edge.denominator)
        return 0;
    ratio_format(ratio_reduce(ratio_make(100 * edge.numerator, edge.denominator)), 4, percent);
    snprintf(text, WARNING_SIZE, "a house edge of %s %% is outside of %d %% to %d %%", percent,
             EDGE_LOW, EDGE_HIGH);
    return 1;
}

static size_t warn_of_lines(const struct audit_entry *entry, char text[][WARNING_SIZE])
{
    size_t count = 0;

    for (unsigned i = 0; i < entry->line_count; i++)
        if (!entry->lines[i].combinations)
            snprintf(text[count++], WARNING_SIZE, "no deal is paid on the line '%s'",
                     entry->lines[i].name);
    return count;
}

static size_t warn_of_meters(const struct audit_entry *entry, char text[][WARNING_SIZE])
{
    struct audit_meter meters[METERS_MAX];
    size_t there = audit_meters(entry, meters), count = 0;

    for (size_t i = 0; i < there; i++) {
        const struct meter_rule *rule = meters[i].rule;

        if (meters[i].chance.numerator && meters[i].contributed >= rule->reseed)
            continue;
        snprintf(text[count++], WARNING_SIZE,
                 "meter %s gets $%lld between two hits, less than the $%lld of its reseed value",
                 rule->name, (long long)(meters[i].contributed / MICROS_PER_DOLLAR),
                 (long long)(rule->reseed / MICROS_PER_DOLLAR));
    }
    return count;
}

size_t audit_warnings(const struct audit_entry *entry, char text[WARNINGS_MAX][WARNING_SIZE])
{
    size_t count = warn_of_edge(entry, text[0]);

    count += warn_of_lines(entry, text + count);
    return count + warn_of_meters(entry, text + count);
}
