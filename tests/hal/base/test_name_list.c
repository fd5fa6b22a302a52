/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "hal/base/names.h"
#include "tests/support/suite.h"

TEST(an_empty_list_says_none)
{
    struct name_list list;

    name_list_start(&list);
    CU_ASSERT_STRING_EQUAL(name_list_text(&list), "none");
}

TEST(names_are_set_off_by_commas)
{
    struct name_list list;

    name_list_start(&list);
    name_list_add(&list, "bet1");
    CU_ASSERT_STRING_EQUAL(list.text, "bet1");
    name_list_add(&list, "bet2");
    CU_ASSERT_STRING_EQUAL(name_list_text(&list), "bet1, bet2");
}

TEST(the_last_name_may_be_set_off_by_and)
{
    struct name_list list;

    name_list_start_long(&list);
    name_list_add(&list, "bet1");
    name_list_add(&list, "bet2");
    name_list_add_last(&list, "bet3");
    CU_ASSERT_STRING_EQUAL(name_list_text(&list), "bet1, bet2 and bet3");
    name_list_start_long(&list);
    name_list_add_last(&list, "bet1");
    CU_ASSERT_STRING_EQUAL(name_list_text(&list), "bet1");
}

TEST(a_long_list_holds_twice_as_many_names)
{
    struct name_list list, longer;

    name_list_start(&list);
    name_list_start_long(&longer);
    for (int i = 0; i < 64; i++) {
        name_list_add(&list, "line");
        name_list_add(&longer, "line");
    }
    CU_ASSERT(strlen(name_list_text(&list)) < 200);
    CU_ASSERT(longer.names > 2 * list.names && longer.left_out == 0);
}

TEST(names_that_do_not_fit_are_counted)
{
    struct name_list list;
    char name[16];

    name_list_start(&list);
    for (int i = 100; i < 164; i++) {
        snprintf(name, sizeof name, "line%d", i);
        name_list_add(&list, name);
    }
    CU_ASSERT_EQUAL(list.names + list.left_out, 64);
    CU_ASSERT_TRUE(strlen(name_list_text(&list)) < sizeof list.text);
    CU_ASSERT_EQUAL(strncmp(list.text, "line100, line101, ", 18), 0);
    snprintf(name, sizeof name, " and %zu more", list.left_out);
    CU_ASSERT_STRING_EQUAL(list.text + strlen(list.text) - strlen(name), name);
}

TEST(one_name_that_is_too_long_is_counted_too)
{
    struct name_list list;
    char name[300];

    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    name_list_start(&list);
    name_list_add(&list, name);
    CU_ASSERT_STRING_EQUAL(name_list_text(&list), "1 more");
}
