/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods of shuffling as text. */
#include <string.h>

#include "devices/deck/shuffle.h"
#include "tests/support/suite.h"

static void expect_method(const char *text, enum shuffle_kind kind, uint32_t amount)
{
    struct shuffle_method method = {SHUFFLE_UNIFORM, 99};

    CU_ASSERT_EQUAL(shuffle_method_parse(text, strlen(text), &method, NULL), 0);
    CU_ASSERT_EQUAL(method.kind, kind);
    CU_ASSERT_EQUAL(method.amount, amount);
}

TEST(every_method_reads_from_its_least_to_its_most)
{
    expect_method("uniform", SHUFFLE_UNIFORM, 0);
    expect_method("riffle:1", SHUFFLE_RIFFLE, 1);
    expect_method("riffle:100", SHUFFLE_RIFFLE, 100);
    expect_method("shelf:1", SHUFFLE_SHELF, 1);
    expect_method("shelf:1000", SHUFFLE_SHELF, 1000);
    expect_method("stuck:1", SHUFFLE_STUCK, 1);
    expect_method("stuck:1000000", SHUFFLE_STUCK, 1000000);
    expect_method("bias:0.000001", SHUFFLE_BIAS, 1);
    expect_method("bias:0.05", SHUFFLE_BIAS, 50000);
    expect_method("bias:1", SHUFFLE_BIAS, 1000000);
    expect_method("bias:1.000", SHUFFLE_BIAS, 1000000);
    expect_method("overhand", SHUFFLE_OVERHAND, 1);
    expect_method("overhand:10000", SHUFFLE_OVERHAND, 10000);
    expect_method("moves:50", SHUFFLE_MOVES, 50);
    expect_method("slot:0.5", SHUFFLE_SLOT, 500000);
    expect_method("stick:0.2", SHUFFLE_STICK, 200000);
}

TEST(only_as_many_characters_as_were_given_are_read)
{
    struct shuffle_method method;

    CU_ASSERT_EQUAL(shuffle_method_parse("riffle:77", 8, &method, NULL), 0);
    CU_ASSERT_EQUAL(method.amount, 7);
}

TEST(what_is_no_method_is_named_with_those_that_are)
{
    static const char *const wrong[] = {
        "",
        "Uniform",
        "uniform:",
        "uniform:1",
        "riffle",
        "riffle:",
        "riffle:0",
        "riffle:101",
        "riffle:7x",
        "riffle:-1",
        "riffle:7:7",
        "riff:7",
        "riffle:4294967297",
        "shelf:1001",
        "stuck",
        "stuck:1000001",
        "bias:0",
        "bias:0.0",
        "bias:1.1",
        "bias:.5",
        "bias:0.",
        "bias:0.0000001",
        "bias:5%",
        "bias:1.000001",
        "bias:2",
        "bias:0,5",
        "overhand:",
        "overhand:0",
        "overhand:10001",
        "moves",
        "moves:0",
        "slot:0",
        "stick",
        "stick:1.1",
        "lcg",
        "lcg:",
        "lcg:down",
        "lcg:down-modulo:1",
        "LCG:down-modulo",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct shuffle_method method;
        struct error error = {.code = 0};

        CU_ASSERT_EQUAL(shuffle_method_parse(wrong[i], strlen(wrong[i]), &method, &error),
                        ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i]));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is no way to shuffle; write uniform, riffle:K"));
        CU_ASSERT_PTR_NOT_NULL(
            strstr(error.text, "passes) or a weak generator as lcg:down-modulo"));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "has a list"));
    }
}

TEST(a_method_is_written_as_it_is_read)
{
    static const char *const texts[] = {"uniform",
                                        "riffle:7",
                                        "shelf:10",
                                        "stuck:1000000",
                                        "bias:1",
                                        "bias:0.1",
                                        "bias:0.000001",
                                        "overhand:10",
                                        "moves:50",
                                        "slot:0.5",
                                        "stick:0.2",
                                        "lcg:down-modulo",
                                        "glibc-type0:sattolo-modulo"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct shuffle_method method;
        char text[SHUFFLE_METHOD_TEXT];

        CU_ASSERT_EQUAL(shuffle_method_parse(texts[i], strlen(texts[i]), &method, NULL), 0);
        shuffle_method_text(&method, text);
        CU_ASSERT_STRING_EQUAL(text, texts[i]);
    }
}
