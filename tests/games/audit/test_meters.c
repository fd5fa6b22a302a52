/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meters against the house edge: with one of them at its break-even value there is none. */
#include "games/audit/meters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/audit/warnings.h"
#include "tests/support/suite.h"

static struct audit_entry entries[AUDIT_ENTRIES_MAX];

/* A progressive of seven cards needs no unit of work. */
static const struct audit_entry *stax(const struct paytable *extra)
{
    struct audit_request request;
    struct audit_part *part;
    struct audit *audit;
    size_t count;

    audit_request_init(&request, game_find("chase-the-flush"));
    if (extra)
        CU_ASSERT_EQUAL_FATAL(audit_request_add(&request, 4, extra, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(audit_new(&audit, &request, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(audit_part_new(&part, audit, NULL), 0);
    count = audit_entries(part, entries);
    audit_part_free(part);
    audit_free(audit);
    CU_ASSERT_STRING_EQUAL_FATAL(entries[count - 1].wager, "stax");
    return &entries[count - 1];
}

static bool reads(struct ratio ratio, unsigned decimals, const char *expected)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, decimals, text);
    return !strcmp(text, expected);
}

TEST(stax_keeps_38_9066_percent_at_reseed_without_contributions)
{
    struct ratio edge = audit_edge_at_reseed(stax(NULL));

    CU_ASSERT(reads(ratio_make(100 * edge.numerator, edge.denominator), 4, "38.9066"));
}

TEST(the_meters_of_stax_break_even_where_they_do)
{
    static const long dollars[] = {8142962, 165976, 63863, 7765};
    struct audit_meter meters[METERS_MAX];

    CU_ASSERT_EQUAL_FATAL(audit_meters(stax(NULL), meters), 4);
    for (unsigned i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(meters[i].break_even / MICROS_PER_DOLLAR, dollars[i]);
    CU_ASSERT(reads(meters[3].expected, 2, "3734.91"));
}

/* By another way: what comes back in all deals, line by line in dollars, is what was staked. */
TEST(a_meter_at_its_break_even_value_gives_back_every_dollar)
{
    const struct audit_entry *entry = stax(NULL);
    struct audit_meter meters[METERS_MAX];
    size_t count = audit_meters(entry, meters);

    for (size_t at = 0; at < count; at++) {
        double back = 0;

        for (unsigned i = 0; i < entry->line_count; i++) {
            const struct audit_line *line = &entry->lines[i];
            double pays = line->pay.amount / 100.0;

            if (line->pay.kind == PAY_METER)
                pays = 1e-6 * (double)((size_t)line->pay.amount == at
                                           ? meters[at].break_even
                                           : meters[line->pay.amount].rule->reseed);
            back += (double)line->combinations * pays;
        }
        CU_ASSERT(labs(lround(back - 5.0 * (double)entry->lines[0].of)) < 200);
        CU_ASSERT(reads(audit_edge_at(entry, &meters[at], meters[at].break_even), 8, "0.00000000"));
    }
}

TEST(a_sheet_without_a_fault_is_not_warned_of)
{
    char text[WARNINGS_MAX][WARNING_SIZE];

    CU_ASSERT_EQUAL(audit_warnings(stax(NULL), text), 0);
}

/* Diamond for the shortest straight flush comes too often to be fed, and takes A-K-Q with it. */
TEST(a_meter_that_is_not_fed_and_an_edge_below_0_are_warned_of)
{
    struct paytable table = game_find("chase-the-flush")->wagers[4].tables[0];
    char text[WARNINGS_MAX][WARNING_SIZE];

    strcpy(table.name, "wild");
    table.pays[7] = (struct pay){PAY_METER, 3};
    CU_ASSERT_EQUAL_FATAL(audit_warnings(stax(&table), text), 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(text[0], "a house edge of -"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text[0], "is outside of 0 % to 25 %"));
    CU_ASSERT_STRING_EQUAL(text[1], "no deal is paid on the line 'A-K-Q suited'");
    CU_ASSERT_STRING_EQUAL(
        text[2], "meter diamond gets $3 between two hits, less than the $500 of its reseed value");
}
