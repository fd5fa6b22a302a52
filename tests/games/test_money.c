/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/money.h"

#include <string.h>

#include "tests/support/suite.h"

static micros_t parse(const char *text)
{
    micros_t value = -1;

    CU_ASSERT_EQUAL(micros_parse(text, &value, NULL), 0);
    return value;
}

static int32_t parse_rate(const char *text)
{
    int32_t value = -1;

    CU_ASSERT_EQUAL(rate_parse(text, &value, NULL), 0);
    return value;
}

static const char *formatted(micros_t value)
{
    static char text[MICROS_TEXT_SIZE];

    CU_ASSERT_EQUAL(micros_format(value, text), strlen(text));
    return text;
}

TEST(dollars_are_read_to_the_millionth)
{
    CU_ASSERT_EQUAL(parse("10000.00"), 10000000000);
    CU_ASSERT_EQUAL(parse("10000"), 10000000000);
    CU_ASSERT_EQUAL(parse("0.000001"), 1);
    CU_ASSERT_EQUAL(parse("0"), 0);
    CU_ASSERT_EQUAL(parse("2.5"), 2500000);
}

TEST(the_largest_meter_is_a_billion_dollars_and_not_a_millionth_more)
{
    micros_t value;

    CU_ASSERT_EQUAL(parse("1000000000.000000"), METER_MAX);
    CU_ASSERT_EQUAL(micros_parse("1000000000.000001", &value, NULL), ERROR_CONFIG);
    CU_ASSERT_EQUAL(micros_parse("1000000001", &value, NULL), ERROR_CONFIG);
    CU_ASSERT_EQUAL(micros_parse("99999999999999999999999999", &value, NULL), ERROR_CONFIG);
    /* As millionths this is 2^64 and a little. */
    CU_ASSERT_EQUAL(micros_parse("18446744073710", &value, NULL), ERROR_CONFIG);
}

TEST(an_amount_that_is_not_plain_digits_is_refused_and_named)
{
    static const char *const bad[] = {"",     "-1",  "+1",    " 1",   "1 ",        "1.",
                                      ".5",   "1,0", "1.2.3", "1e3",  "0.0000001", "0x10",
                                      "$250", "NaN", "1.-5",  "--1.0"};
    struct error error;
    micros_t value;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_EQUAL(micros_parse(bad[i], &value, &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, bad[i]));
    }
}

TEST(a_rate_is_per_cent_with_two_decimals)
{
    CU_ASSERT_EQUAL(parse_rate("1.25"), 125);
    CU_ASSERT_EQUAL(parse_rate("1.5"), 150);
    CU_ASSERT_EQUAL(parse_rate("5"), 500);
    CU_ASSERT_EQUAL(parse_rate("0.01"), 1);
    CU_ASSERT_EQUAL(parse_rate("100.00"), RATE_MAX);
}

TEST(a_rate_above_a_hundred_or_finer_than_a_basis_point_is_refused)
{
    static const char *const bad[] = {"100.01", "101", "0.005", "1%", "-1", ""};
    int32_t rate;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CU_ASSERT_EQUAL(rate_parse(bad[i], &rate, NULL), ERROR_CONFIG);
}

TEST(a_meter_is_written_with_six_decimals)
{
    CU_ASSERT_STRING_EQUAL(formatted(10000100000), "10000.100000");
    CU_ASSERT_STRING_EQUAL(formatted(0), "0.000000");
    CU_ASSERT_STRING_EQUAL(formatted(1), "0.000001");
    CU_ASSERT_STRING_EQUAL(formatted(999999), "0.999999");
    CU_ASSERT_STRING_EQUAL(formatted(1000000), "1.000000");
    CU_ASSERT_STRING_EQUAL(formatted(METER_MAX), "1000000000.000000");
}

TEST(any_amount_at_all_can_be_written)
{
    CU_ASSERT_STRING_EQUAL(formatted(-1), "-0.000001");
    CU_ASSERT_STRING_EQUAL(formatted(INT64_MAX), "9223372036854.775807");
    CU_ASSERT_STRING_EQUAL(formatted(INT64_MIN), "-9223372036854.775808");
}

TEST(what_is_written_reads_back_the_same)
{
    uint64_t state = 1;

    for (unsigned i = 0; i < 2000; i++) {
        micros_t value;

        state = state * 6364136223846793005u + 1442695040888963407u;
        value = (micros_t)(state >> 1) % (METER_MAX >> i % 50);
        CU_ASSERT_EQUAL(parse(formatted(value)), value);
    }
}

TEST(nothing_is_written_behind_a_meters_text)
{
    char text[MICROS_TEXT_SIZE];
    size_t length;

    memset(text, 'x', sizeof text);
    length = micros_format(1, text);
    CU_ASSERT_EQUAL(text[length], '\0');
    CU_ASSERT_EQUAL(text[length + 1], 'x');
}
