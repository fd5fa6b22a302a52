/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/games/audited.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

bool audited_reads(struct ratio ratio, unsigned decimals, const char *expected)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, decimals, text);
    if (!strcmp(text, expected))
        return true;
    fprintf(stderr, "expected %s, got %s\n", expected, text);
    return false;
}

bool audited_same(struct ratio a, struct ratio b)
{
    a = ratio_reduce(a);
    b = ratio_reduce(b);
    return a.numerator == b.numerator && a.denominator == b.denominator;
}

const struct audit_entry *audited_find(const struct audited *audited, const char *wager,
                                       const char *table)
{
    for (size_t i = 0; i < audited->count; i++)
        if (!strcmp(audited->entries[i].wager, wager) &&
            !strcmp(audited->entries[i].table->name, table))
            return &audited->entries[i];
    CU_FAIL_FATAL("no such entry");
    return NULL;
}

bool audited_edge_is(const struct audited *audited, const char *wager, const char *table,
                     unsigned decimals, const char *percent)
{
    struct ratio ev = audited_find(audited, wager, table)->ev;

    return audited_reads(ratio_make(-100 * ev.numerator, ev.denominator), decimals, percent);
}

bool audited_share_is(const struct audit_entry *entry, const char *decision, const char *percent)
{
    for (unsigned i = 0; i < entry->strategy_count; i++) {
        struct ratio share = entry->strategy[i].share;

        if (!strcmp(entry->strategy[i].name, decision))
            return audited_reads(ratio_make(100 * share.numerator, share.denominator), 4, percent);
    }
    return false;
}

int64_t audited_combinations(const struct audit_entry *entry, const char *line)
{
    for (unsigned i = 0; i < entry->line_count; i++)
        if (!strcmp(entry->lines[i].name, line))
            return entry->lines[i].combinations;
    return -1;
}

void audited_units(const struct audit_request *request, size_t first, size_t end,
                   struct audited *audited)
{
    struct audit_part *part;
    struct audit *audit;

    CU_ASSERT_EQUAL_FATAL(audit_new(&audit, request, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(audit_part_new(&part, audit, NULL), 0);
    if (end > audit_units(audit))
        end = audit_units(audit);
    for (size_t unit = first; unit < end; unit++)
        audit_part_do(part, unit);
    audited->count = audit_entries(part, audited->entries);
    audit_part_free(part);
    audit_free(audit);
}

void audited_sides(const char *game, struct audited *audited)
{
    struct audit_request request;

    audit_request_init(&request, game_find(game));
    audited_units(&request, 0, 0, audited);
}

struct half {
    struct audit_part *part;
    size_t start, units;
};

static void *every_second_unit(void *argument)
{
    const struct half *half = argument;

    for (size_t unit = half->start; unit < half->units; unit += 2)
        audit_part_do(half->part, unit);
    return NULL;
}

void audited_whole(const struct audit_request *request, audit_row_fn visit, void *context,
                   struct audited *audited)
{
    struct half halves[2];
    struct audit *audit;
    pthread_t thread;

    CU_ASSERT_EQUAL_FATAL(audit_new(&audit, request, NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        halves[i] = (struct half){NULL, i, audit_units(audit)};
        CU_ASSERT_EQUAL_FATAL(audit_part_new(&halves[i].part, audit, NULL), 0);
    }
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, every_second_unit, &halves[1]), 0);
    every_second_unit(&halves[0]);
    pthread_join(thread, NULL);
    audit_part_add(halves[0].part, halves[1].part);
    audited->count = audit_entries(halves[0].part, audited->entries);
    CU_ASSERT(!visit || audit_decisions(halves[0].part, 0, visit, context));
    audit_part_free(halves[0].part);
    audit_part_free(halves[1].part);
    audit_free(audit);
}
