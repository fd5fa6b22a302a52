/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/looks.h"

#include "tests/support/suite.h"

TEST(all_looks_and_the_end_share_the_significance)
{
    double sum = shuffles_look(0.01, SHUFFLES_ALL, 500, 500);

    for (uint64_t dealt = 1; dealt < 500; dealt++)
        sum += shuffles_look(0.01, SHUFFLES_COMING, 500, dealt);
    CU_ASSERT(sum <= 0.01 && sum > 0.0099);
    CU_ASSERT_DOUBLE_EQUAL(shuffles_look(0.01, SHUFFLES_ALL, 500, 500), 0.009, 1e-15);
}

TEST(where_no_number_was_declared_looks_without_end_share_it)
{
    double sum = 0;

    for (uint64_t dealt = 1; dealt <= 1000000; dealt++)
        sum += shuffles_look(0.01, dealt % 2 ? SHUFFLES_COMING : SHUFFLES_ALL, 0, dealt);
    CU_ASSERT(sum <= 0.01 && sum > 0.00999);
}

TEST(who_stops_early_is_judged_as_one_who_looks)
{
    CU_ASSERT_EQUAL(shuffles_look(0.01, SHUFFLES_CUT_SHORT, 500, 300),
                    shuffles_look(0.01, SHUFFLES_COMING, 500, 300));
    CU_ASSERT(shuffles_look(0.01, SHUFFLES_COMING, 0, 0) <= 0.01);
}
