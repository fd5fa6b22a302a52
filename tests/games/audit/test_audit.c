/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/games/audited.h"

#include <string.h>

#include "tests/support/suite.h"

TEST(decimals_are_rounded_half_away_from_zero)
{
    CU_ASSERT(audited_reads(ratio_make(1, 8), 2, "0.13"));
    CU_ASSERT(audited_reads(ratio_make(-1, 8), 2, "-0.13"));
    CU_ASSERT(audited_reads(ratio_make(1249, 10000), 2, "0.12"));
    CU_ASSERT(audited_reads(ratio_make(-1, 1000), 2, "0.00"));
    CU_ASSERT(audited_reads(ratio_make(199, 200), 2, "1.00"));
    CU_ASSERT(audited_reads(ratio_make(12, 1), 10, "12.0000000000"));
    CU_ASSERT(audited_reads(ratio_make(25, 10), 0, "3"));
    CU_ASSERT(audited_reads(ratio_make(0, 7), 0, "0"));
    CU_ASSERT(audited_reads(ratio_divide(ratio_make(-3, 4), ratio_make(5, 2)), 1, "-0.3"));
}

TEST(the_parts_of_an_audit_add_up_in_any_order)
{
    struct audit_request request;
    struct audited one, two;

    audit_request_init(&request, game_find("flush-rush"));
    audited_units(&request, 0, SIZE_MAX, &one);
    audited_whole(&request, NULL, NULL, &two);
    CU_ASSERT_EQUAL(one.count, two.count);
    for (size_t i = 0; i < one.count; i++) {
        CU_ASSERT(audited_same(one.entries[i].ev, two.entries[i].ev));
        CU_ASSERT(audited_same(one.entries[i].hit_frequency, two.entries[i].hit_frequency));
    }
}

TEST(a_table_too_many_is_refused)
{
    struct audit_request request;
    struct error error;

    audit_request_init(&request, game_find("flush-rush"));
    for (unsigned i = 1; i < AUDIT_TABLES_MAX; i++)
        CU_ASSERT_EQUAL(audit_request_add(&request, 0, request.tables[0].table[0], &error), 0);
    CU_ASSERT_EQUAL(audit_request_add(&request, 0, request.tables[0].table[0], &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "table 'sample' is one too many"));
}
