/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/typing.h"

#include <linux/input-event-codes.h>
#include <string.h>

#include "tests/support/suite.h"

static enum typing_result press(struct typing *typing, uint16_t key)
{
    enum typing_result result = typing_key(typing, key, true);

    CU_ASSERT_EQUAL(typing_key(typing, key, false), TYPING_MORE);
    return result;
}

static void press_all(struct typing *typing, const uint16_t *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(press(typing, keys[i]), TYPING_MORE);
}

#define PRESS(typing, ...)                                                                         \
    press_all(typing, (const uint16_t[]){__VA_ARGS__},                                             \
              sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

TEST(a_code_is_what_was_typed_before_enter_or_tab)
{
    static const uint16_t ends[] = {KEY_ENTER, KEY_TAB, KEY_KPENTER};

    for (size_t i = 0; i < 3; i++) {
        struct typing typing = {0};

        PRESS(&typing, KEY_0, KEY_7, KEY_A, KEY_MINUS);
        CU_ASSERT_TRUE(typing_is_open(&typing));
        CU_ASSERT_EQUAL(press(&typing, ends[i]), TYPING_CODE);
        CU_ASSERT_STRING_EQUAL(typing.code, "07a-");
        CU_ASSERT_FALSE(typing_is_open(&typing));
    }
}

TEST(shift_makes_capitals_and_signs_while_it_is_held)
{
    struct typing typing = {0};

    typing_key(&typing, KEY_LEFTSHIFT, true);
    PRESS(&typing, KEY_A, KEY_5, KEY_MINUS);
    typing_key(&typing, KEY_RIGHTSHIFT, true);
    typing_key(&typing, KEY_LEFTSHIFT, false);
    PRESS(&typing, KEY_SLASH);
    typing_key(&typing, KEY_RIGHTSHIFT, false);
    PRESS(&typing, KEY_A);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
    CU_ASSERT_STRING_EQUAL(typing.code, "A%_?a");
}

TEST(the_keypad_types_digits_whatever_numlock_says)
{
    struct typing typing = {0};

    PRESS(&typing, KEY_NUMLOCK, KEY_KP4, KEY_KP0, KEY_NUMLOCK, KEY_KPDOT, KEY_KPMINUS);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
    CU_ASSERT_STRING_EQUAL(typing.code, "40.-");
}

TEST(codes_follow_each_other_and_an_empty_one_is_none)
{
    struct typing typing = {0};

    PRESS(&typing, KEY_ENTER, KEY_1);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
    PRESS(&typing, KEY_ENTER, KEY_2);
    CU_ASSERT_EQUAL(press(&typing, KEY_TAB), TYPING_CODE);
    CU_ASSERT_STRING_EQUAL(typing.code, "2");
}

TEST(a_key_that_is_no_character_spoils_its_code_and_no_other)
{
    static const uint16_t strange[] = {KEY_F1, KEY_LEFTCTRL, KEY_CAPSLOCK, KEY_BACKSPACE, 0x2ff};

    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        struct typing typing = {0};

        PRESS(&typing, KEY_1);
        CU_ASSERT_EQUAL(press(&typing, strange[i]), TYPING_STRANGE);
        PRESS(&typing, KEY_F2, KEY_2, KEY_ENTER, KEY_3);
        CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
        CU_ASSERT_STRING_EQUAL(typing.code, "3");
    }
}

TEST(ten_thousand_keys_without_an_end_are_told_once)
{
    struct typing typing = {0};
    unsigned told = 0;

    for (unsigned i = 0; i < TYPING_CODE_MAX; i++)
        PRESS(&typing, KEY_1);
    for (unsigned i = TYPING_CODE_MAX; i < 10000; i++)
        told += press(&typing, KEY_1) == TYPING_LONG;
    CU_ASSERT_EQUAL(told, 1);
    PRESS(&typing, KEY_ENTER, KEY_9);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
    CU_ASSERT_STRING_EQUAL(typing.code, "9");
}

TEST(the_longest_code_is_whole)
{
    struct typing typing = {0};

    for (unsigned i = 0; i < TYPING_CODE_MAX; i++)
        PRESS(&typing, KEY_1);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
    CU_ASSERT_EQUAL(strlen(typing.code), TYPING_CODE_MAX);
}

TEST(what_is_left_of_a_code_whose_keys_were_lost_does_not_count)
{
    struct typing typing = {0};

    typing_key(&typing, KEY_LEFTSHIFT, true);
    PRESS(&typing, KEY_1, KEY_2);
    typing_lost(&typing);
    CU_ASSERT_TRUE(typing_is_open(&typing));
    PRESS(&typing, KEY_3);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_LOST);
    PRESS(&typing, KEY_4);
    CU_ASSERT_EQUAL(press(&typing, KEY_ENTER), TYPING_CODE);
    CU_ASSERT_STRING_EQUAL(typing.code, "4");
}
