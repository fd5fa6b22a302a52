#include "hal/base/error.h"

#include <string.h>

#include "tests/support/suite.h"

static void an_error_carries_its_code_and_its_sentence(void)
{
    struct error error;

    CU_ASSERT_EQUAL(error_set(&error, ERROR_DEVICE, "seat %d has no %s", 3, "lamp"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(error.code, ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(error.text, "seat 3 has no lamp");
}

static void a_later_error_replaces_an_earlier_one(void)
{
    struct error error;

    error_set(&error, ERROR_DEVICE, "a long sentence about the device");
    error_set(&error, ERROR_RULE, "short");
    CU_ASSERT_EQUAL(error.code, ERROR_RULE);
    CU_ASSERT_STRING_EQUAL(error.text, "short");
}

static void nobody_needs_to_want_the_sentence(void)
{
    CU_ASSERT_EQUAL(error_set(NULL, ERROR_TIMEOUT, "nothing came in %d ms", 5), ERROR_TIMEOUT);
    error_prefix(NULL, "line %d", 7);
}

static void every_code_is_the_exit_status_negated(void)
{
    static const struct {
        enum error_code code;
        int status;
    } known[] = {{ERROR_RULE, 1}, {ERROR_CONFIG, 2},  {ERROR_DEVICE, 3},
                 {ERROR_RIG, 4},  {ERROR_TIMEOUT, 5}, {ERROR_ABORTED, 130}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CU_ASSERT_EQUAL(error_set(NULL, known[i].code, "x"), -known[i].status);
}

static void a_prefix_says_where_before_the_sentence_says_what(void)
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

static void a_sentence_too_long_is_cut_at_its_end(void)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "%s", letters('a', room));
    CU_ASSERT_STRING_EQUAL(error.text, letters('a', room));
    error_set(&error, ERROR_RULE, "%s", letters('a', room + 1));
    CU_ASSERT_STRING_EQUAL(error.text, letters('a', room));
}

static void a_prefix_pushes_the_end_of_a_long_sentence_out(void)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "%s", letters('a', room));
    error_prefix(&error, "here");
    CU_ASSERT_EQUAL(strncmp(error.text, "here: aaa", 9), 0);
    CU_ASSERT_STRING_EQUAL(error.text + 6, letters('a', room - 6));
}

static void a_prefix_may_take_the_whole_room(void)
{
    const size_t room = sizeof((struct error *)0)->text - 1;
    struct error error;

    error_set(&error, ERROR_RULE, "what");
    error_prefix(&error, "%s", letters('p', room - 2));
    CU_ASSERT_EQUAL(strlen(error.text), room);
    CU_ASSERT_STRING_EQUAL(error.text + room - 3, "p: ");
}

static void a_prefix_that_leaves_no_room_is_left_out(void)
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

static void a_prefix_may_quote_the_sentence_itself(void)
{
    struct error error;

    error_set(&error, ERROR_RULE, "jam");
    error_prefix(&error, "after %s", error.text);
    CU_ASSERT_STRING_EQUAL(error.text, "after jam: jam");
}

SUITE("error", TEST(an_error_carries_its_code_and_its_sentence),
      TEST(a_later_error_replaces_an_earlier_one), TEST(nobody_needs_to_want_the_sentence),
      TEST(every_code_is_the_exit_status_negated),
      TEST(a_prefix_says_where_before_the_sentence_says_what),
      TEST(a_sentence_too_long_is_cut_at_its_end),
      TEST(a_prefix_pushes_the_end_of_a_long_sentence_out), TEST(a_prefix_may_take_the_whole_room),
      TEST(a_prefix_that_leaves_no_room_is_left_out), TEST(a_prefix_may_quote_the_sentence_itself))
