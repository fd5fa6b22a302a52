/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/paytable.h"

#include <string.h>

#include "games/game.h"
#include "tests/support/suite.h"

static const struct line lines[] = {
    {"long straight", 0}, {"short straight", 0}, {"long flush", 1}, {"short flush", 1}};

static const struct paytable good = {
    "sheet", {{PAY_ODDS, 100}, {PAY_ODDS, 10}, {PAY_ODDS, 300}, {PAY_ODDS, 0}}};

static const struct paytable good_progressive = {
    "sheet", {{PAY_METER, 0}, {PAY_METER, 1}, {PAY_CASH, 5000}, {PAY_CASH, 5000}}};

static int check(const struct paytable *tables, size_t count, bool progressive, struct error *error)
{
    return paytables_check("side", lines, 4, tables, count, progressive, error);
}

/* Puts one pay into a copy of a good table; the sentence must hold `words`. */
static bool refused(bool progressive, unsigned line, struct pay pay, const char *words)
{
    struct paytable table = progressive ? good_progressive : good;
    struct error error = {0};

    CU_ASSERT_EQUAL(check(&table, 1, progressive, NULL), 0);
    table.pays[line] = pay;
    return check(&table, 1, progressive, &error) == ERROR_CONFIG &&
           strstr(error.text, "side, table 'sheet'") && strstr(error.text, words);
}

TEST(a_line_without_a_pay_is_a_gap)
{
    CU_ASSERT(refused(false, 1, (struct pay){PAY_NONE, 0}, "'short straight' has no pay"));
    CU_ASSERT(refused(true, 3, (struct pay){PAY_NONE, 0}, "'short flush' has no pay"));
}

TEST(a_pay_beyond_the_last_line_is_refused)
{
    CU_ASSERT(refused(false, 4, (struct pay){PAY_ODDS, 1}, "more pays than the 4 lines"));
}

TEST(a_better_hand_of_a_family_never_pays_less)
{
    CU_ASSERT(refused(false, 1, (struct pay){PAY_ODDS, 101}, "'short straight' pays more"));
    CU_ASSERT(refused(false, 0, (struct pay){PAY_ODDS, 9}, "better hand 'long straight'"));
    CU_ASSERT_FALSE(refused(false, 1, (struct pay){PAY_ODDS, 100}, ""));
    CU_ASSERT_FALSE(refused(false, 3, (struct pay){PAY_ODDS, 300}, ""));
    CU_ASSERT(refused(true, 3, (struct pay){PAY_CASH, 5001}, "'short flush' pays more"));
    CU_ASSERT(refused(true, 0, (struct pay){PAY_CASH, 999999}, "'short straight' pays more"));
}

TEST(a_pay_must_fit_its_wager)
{
    CU_ASSERT(refused(false, 0, (struct pay){PAY_CASH, 100}, "pays cash"));
    CU_ASSERT(refused(false, 0, (struct pay){PAY_METER, 0}, "pays a meter"));
    CU_ASSERT(refused(false, 3, (struct pay){PAY_ODDS, -1}, "less than a push (-1)"));
    CU_ASSERT(refused(true, 3, (struct pay){PAY_ODDS, 5}, "pays odds"));
    CU_ASSERT(refused(true, 3, (struct pay){PAY_CASH, 0}, "no cash"));
    CU_ASSERT_FALSE(refused(true, 3, (struct pay){PAY_CASH, 1}, ""));
    CU_ASSERT(refused(true, 1, (struct pay){PAY_METER, METERS_MAX}, "cannot exist"));
    CU_ASSERT(refused(true, 0, (struct pay){PAY_METER, -1}, "cannot exist"));
    CU_ASSERT(refused(true, 0, (struct pay){(enum pay_kind)9, 1}, "no known kind"));
}

TEST(a_meter_is_paid_by_one_line_only)
{
    CU_ASSERT(refused(true, 1, (struct pay){PAY_METER, 0}, "pay the same meter"));
}

TEST(cents_of_cash_are_no_number_of_a_meter)
{
    CU_ASSERT_FALSE(refused(true, 3, (struct pay){PAY_CASH, 1}, ""));
}

TEST(table_names_are_unique_and_not_empty)
{
    struct paytable two[2] = {good, good};
    struct error error;

    CU_ASSERT_EQUAL(check(two, 2, false, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "two tables are named 'sheet'"));
    strcpy(two[1].name, "other");
    CU_ASSERT_EQUAL(check(two, 2, false, NULL), 0);
    two[1].name[0] = '\0';
    CU_ASSERT_EQUAL(check(two, 2, false, &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text, "side: table 2 needs a name of 1 to 23 characters");
    memset(two[1].name, 'x', sizeof two[1].name);
    CU_ASSERT_EQUAL(check(two, 2, false, NULL), ERROR_CONFIG);
    two[1].name[TABLE_NAME_MAX - 1] = '\0';
    CU_ASSERT_EQUAL(check(two, 2, false, NULL), 0);
    two[0].name[0] = '\0';
    CU_ASSERT_EQUAL(check(two, 2, false, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "side: table 1 needs a name"));
}

TEST(every_table_is_held_against_every_other_and_looked_at_itself)
{
    struct paytable three[3] = {good, good, good};
    struct error error;

    strcpy(three[0].name, "first");
    CU_ASSERT_EQUAL(check(three, 3, false, &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text, "side: two tables are named 'sheet'");
    strcpy(three[1].name, "second");
    CU_ASSERT_EQUAL(check(three, 3, false, NULL), 0);
    three[2].pays[3] = (struct pay){PAY_ODDS, -1};
    CU_ASSERT_EQUAL(check(three, 3, false, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "side, table 'sheet': 'short flush'"));
}

TEST(line_names_are_unique_and_not_empty)
{
    static const struct line twice[] = {{"flush", 0}, {"flush", 0}};
    static const struct line nameless[] = {{"flush", 0}, {"", 0}};
    struct error error;

    CU_ASSERT_EQUAL(paytables_check("side", twice, 2, NULL, 0, false, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "two lines are named 'flush'"));
    CU_ASSERT_EQUAL(paytables_check("side", nameless, 2, NULL, 0, false, &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text, "side: line 2 has no name");
    CU_ASSERT_EQUAL(paytables_check("side", nameless, 1, NULL, 0, false, NULL), 0);
    CU_ASSERT_EQUAL(paytables_check("side", nameless + 1, 1, NULL, 0, false, &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text, "side: line 1 has no name");
}

TEST(every_line_is_held_against_every_other)
{
    static const struct line last_two[] = {{"straight", 0}, {"flush", 0}, {"flush", 0}};

    CU_ASSERT_EQUAL(paytables_check("side", last_two, 3, NULL, 0, false, NULL), ERROR_CONFIG);
}

TEST(a_table_has_room_for_a_dozen_lines)
{
    struct line many[LINES_MAX + 1] = {0};
    char names[LINES_MAX + 1][2] = {0};
    struct error error;

    for (unsigned i = 0; i <= LINES_MAX; i++) {
        names[i][0] = (char)('a' + i);
        many[i].name = names[i];
    }
    CU_ASSERT_EQUAL(paytables_check("side", many, LINES_MAX, NULL, 0, false, NULL), 0);
    CU_ASSERT_EQUAL(paytables_check("side", many, LINES_MAX + 1, NULL, 0, false, &error),
                    ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text, "side: 13 lines, at most 12 are possible");
}

TEST(of_all_lines_a_hand_satisfies_the_best_paying_one_is_paid)
{
    CU_ASSERT_EQUAL(paytable_line(&good, line_bit(0) | line_bit(2)), 2);
    CU_ASSERT_EQUAL(paytable_line(&good, line_bit(0) | line_bit(3)), 0);
    CU_ASSERT_EQUAL(paytable_line(&good, line_bit(3)), 3);
    CU_ASSERT_EQUAL(paytable_line(&good, 0), -1);
    CU_ASSERT_EQUAL(paytable_line(&good_progressive, line_bit(1) | line_bit(2)), 1);
}

TEST(the_name_of_a_table_has_no_part_in_what_it_pays)
{
    struct paytable table = good;

    memset(table.name, 'x', sizeof table.name - 1);
    CU_ASSERT_EQUAL(paytable_line(&table, line_bit(1) | line_bit(3)), 1);
}

TEST(of_lines_that_pay_the_same_the_better_hand_is_named)
{
    CU_ASSERT_EQUAL(paytable_line(&good_progressive, line_bit(2) | line_bit(3)), 2);
}

TEST(a_meter_is_worth_more_than_cash_and_a_lower_one_more_than_a_higher)
{
    const struct pay star = {PAY_METER, 0}, spade = {PAY_METER, 1}, cash = {PAY_CASH, 1000000};

    CU_ASSERT(pay_better(star, spade));
    CU_ASSERT_FALSE(pay_better(spade, star));
    CU_ASSERT(pay_better(spade, cash));
    CU_ASSERT_FALSE(pay_better(cash, spade));
    CU_ASSERT_FALSE(pay_better(star, star));
    CU_ASSERT(pay_better((struct pay){PAY_ODDS, 2}, (struct pay){PAY_ODDS, 1}));
    CU_ASSERT(pay_better((struct pay){PAY_ODDS, 0}, (struct pay){PAY_NONE, 7}));
}
