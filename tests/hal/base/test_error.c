/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/error.h"

#include <errno.h>
#include <string.h>

#include "tests/support/suite.h"

TEST(an_error_carries_its_code_and_its_sentence)
{
    struct error error;

    CU_ASSERT_EQUAL(error_set(&error, ERROR_DEVICE, "seat %d has no %s", 3, "lamp"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(error.code, ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(error.text, "seat 3 has no lamp");
}

TEST(a_later_error_replaces_an_earlier_one)
{
    struct error error;

    error_set(&error, ERROR_DEVICE, "a long sentence about the device");
    error_set(&error, ERROR_RULE, "short");
    CU_ASSERT_EQUAL(error.code, ERROR_RULE);
    CU_ASSERT_STRING_EQUAL(error.text, "short");
}

TEST(a_refusal_carries_its_reason_which_no_other_error_keeps)
{
    struct error error;

    CU_ASSERT_EQUAL(error_refuse(&error, 7, "seat %d plays twice", 3), ERROR_RULE);
    error_prefix(&error, "round %d", 12);
    CU_ASSERT_EQUAL(error.code, ERROR_RULE);
    CU_ASSERT_EQUAL(error.reason, 7);
    CU_ASSERT_STRING_EQUAL(error.text, "round 12: seat 3 plays twice");
    error_set(&error, ERROR_RULE, "short");
    CU_ASSERT_EQUAL(error.reason, 0);
}

TEST(nobody_needs_to_want_the_sentence)
{
    CU_ASSERT_EQUAL(error_refuse(NULL, 7, "seat %d plays twice", 3), ERROR_RULE);
    CU_ASSERT_EQUAL(error_set(NULL, ERROR_TIMEOUT, "nothing came in %d ms", 5), ERROR_TIMEOUT);
    error_prefix(NULL, "line %d", 7);
}

TEST(every_code_is_the_exit_status_negated)
{
    static const struct {
        enum error_code code;
        int status;
    } known[] = {{ERROR_RULE, 1}, {ERROR_CONFIG, 2},  {ERROR_DEVICE, 3},
                 {ERROR_RIG, 4},  {ERROR_TIMEOUT, 5}, {ERROR_ABORTED, 130}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CU_ASSERT_EQUAL(error_set(NULL, known[i].code, "x"), -known[i].status);
}

TEST(a_prefix_says_where_before_the_sentence_says_what)
{
    struct error error;

    error_set(&error, ERROR_CONFIG, "no such seat");
    error_prefix(&error, "round %d", 12);
    error_prefix(&error, "%s:%d", "x.shoe", 4);
    CU_ASSERT_STRING_EQUAL(error.text, "x.shoe:4: round 12: no such seat");
    CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
}

/* A text of `length` times one letter. */
static const char *letters(char letter, size_t length)
{
    static char text[1024];

    memset(text, letter, length);
    text[length] = '\0';
    return text;
}

TEST(a_sentence_too_long_is_cut_at_its_end)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "%s", letters('a', room));
    CU_ASSERT_STRING_EQUAL(error.text, letters('a', room));
    error_set(&error, ERROR_RULE, "%s", letters('a', room + 1));
    CU_ASSERT_STRING_EQUAL(error.text, letters('a', room));
}

TEST(a_prefix_pushes_the_end_of_a_long_sentence_out)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "%s", letters('a', room));
    error_prefix(&error, "here");
    CU_ASSERT_EQUAL(strncmp(error.text, "here: aaa", 9), 0);
    CU_ASSERT_STRING_EQUAL(error.text + 6, letters('a', room - 6));
}

/* So that nobody takes a part of a word for a word, or what is left for all there is. */
TEST(what_is_cut_ends_with_a_whole_word_and_a_sign_that_there_is_more)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "%s any-code", letters('a', room - 9));
    CU_ASSERT_STRING_EQUAL(error.text + room - 11, "aa any-code");
    error_prefix(&error, "x");
    CU_ASSERT_EQUAL(strlen(error.text), room - 5 + strlen("…"));
    CU_ASSERT_STRING_EQUAL(error.text + room - 8, "aa …");
    error_set(&error, ERROR_RULE, "%s any-code", letters('a', room - 4));
    CU_ASSERT_STRING_EQUAL(error.text + room - 6, "aa …");
    error_set(&error, ERROR_RULE, "%s b any-code", letters('a', room - 5));
    CU_ASSERT_STRING_EQUAL(error.text + room - 7, "aa …");
}

TEST(a_word_that_is_too_long_to_be_left_out_is_cut_in_itself)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "path: %s", letters('a', room));
    CU_ASSERT_STRING_EQUAL(error.text + 6, letters('a', room - 6));
}

TEST(a_prefix_may_take_the_whole_room)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "what");
    error_prefix(&error, "%s", letters('p', room - 2));
    CU_ASSERT_EQUAL(strlen(error.text), room);
    CU_ASSERT_STRING_EQUAL(error.text + room - 3, "p: ");
}

TEST(a_prefix_that_leaves_no_room_is_left_out)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "what");
    error_prefix(&error, "%s", letters('p', room - 1));
    CU_ASSERT_STRING_EQUAL(error.text, "what");
    error_prefix(&error, "%s", letters('p', 2 * room));
    CU_ASSERT_STRING_EQUAL(error.text, "what");
    error_prefix(&error, "%s", letters('p', room - 3));
    CU_ASSERT_EQUAL(strlen(error.text), room);
    CU_ASSERT_STRING_EQUAL(error.text + room - 3, ": w");
}

TEST(a_prefix_may_quote_the_sentence_itself)
{
    struct error error;

    error_set(&error, ERROR_RULE, "jam");
    error_prefix(&error, "after %s", error.text);
    CU_ASSERT_STRING_EQUAL(error.text, "after jam: jam");
}

TEST(what_to_do_about_a_file_fits_what_is_wrong_with_it)
{
    static const struct {
        int reason;
        const char *remedy;
    } known[] = {{ENOSPC, "make room on its disk"},
                 {EDQUOT, "make room on its disk"},
                 {EACCES, "permission"},
                 {EPERM, "permission"},
                 {EROFS, "can be written"},
                 {ENOTDIR, "another name"},
                 {EISDIR, "another name"},
                 {EEXIST, "another name"},
                 {ENAMETOOLONG, "another name"},
                 {ELOOP, "another name"},
                 {EFBIG, "ulimit -f"},
                 {EMFILE, "ulimit -n"},
                 {ENOENT, "make the folder"},
                 {EIO, "look at its disk"},
                 {ENOTTY, "another place"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(error_remedy(known[i].reason), known[i].remedy));
}
