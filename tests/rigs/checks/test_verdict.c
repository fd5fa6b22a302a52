/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts: their names, their order and the error codes that they stand for. */
#include "rigs/checks/verdict.h"

#include <string.h>

#include "games/game.h"
#include "hal/base/error.h"
#include "rigs/checks/check.h"
#include "tests/support/suite.h"

TEST(every_verdict_is_found_by_its_name_and_nothing_else_is)
{
    enum verdict found = VERDICT_RIG;

    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        CU_ASSERT(verdict_parse(verdict_name((enum verdict)i), &found));
        CU_ASSERT_EQUAL(found, i);
    }
    found = VERDICT_FAIL;
    CU_ASSERT_FALSE(verdict_parse("passed", &found));
    CU_ASSERT_FALSE(verdict_parse("", &found));
    CU_ASSERT_EQUAL(found, VERDICT_FAIL);
}

TEST(the_worse_of_two_verdicts_counts_whichever_comes_first)
{
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_PASS, VERDICT_FAIL), VERDICT_FAIL);
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_FAIL, VERDICT_PASS), VERDICT_FAIL);
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_PASS, VERDICT_SKIPPED), VERDICT_PASS);
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_FAIL, VERDICT_TIMEOUT), VERDICT_TIMEOUT);
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_TIMEOUT, VERDICT_DEVICE), VERDICT_DEVICE);
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_DEVICE, VERDICT_RIG), VERDICT_RIG);
    CU_ASSERT_EQUAL(verdict_worse(VERDICT_RIG, VERDICT_ABORTED), VERDICT_ABORTED);
}

TEST(an_error_is_the_verdict_of_whose_fault_it_is)
{
    CU_ASSERT_EQUAL(verdict_of_status(0), VERDICT_PASS);
    CU_ASSERT_EQUAL(verdict_of_status(ERROR_RULE), VERDICT_FAIL);
    CU_ASSERT_EQUAL(verdict_of_status(ERROR_DEVICE), VERDICT_DEVICE);
    CU_ASSERT_EQUAL(verdict_of_status(ERROR_TIMEOUT), VERDICT_TIMEOUT);
    CU_ASSERT_EQUAL(verdict_of_status(ERROR_ABORTED), VERDICT_ABORTED);
    CU_ASSERT_EQUAL(verdict_of_status(ERROR_RIG), VERDICT_RIG);
    CU_ASSERT_EQUAL(verdict_of_status(ERROR_CONFIG), VERDICT_RIG);
    CU_ASSERT_EQUAL(verdict_of_status(1), VERDICT_RIG);
}

TEST(the_source_of_dealer_qualifies_names_every_game_that_has_it)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++)
        CU_ASSERT_EQUAL(strstr(check_kinds[CHECK_DEALER_QUALIFIES].source, game->title) != NULL,
                        game->dealer_qualifies);
}

TEST(every_check_is_found_by_its_name_and_nothing_else_is)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        CU_ASSERT_EQUAL(check_find(check_kinds[i].name), i);
    CU_ASSERT_EQUAL(check_find("no-such-check"), -1);
    CU_ASSERT_EQUAL(check_find(""), -1);
}
