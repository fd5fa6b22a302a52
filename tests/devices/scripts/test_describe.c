/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bytes mean, by the split() and describe() of a script. */
#include "devices/scripts/describe.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

#define EXAMPLES "devices/scripts/examples/"

static struct error error;
static char told[4096];

static void tell(void *context, const struct script_message *message)
{
    size_t used = strlen(told);

    (void)context;
    snprintf(told + used, sizeof told - used, "%s%s%s %zu %s%s\n", message->from_device ? "<" : ">",
             message->is_damaged ? "!" : "", message->name ? message->name : "?", message->count,
             message->details, message->time == 5 ? "" : " late");
}

static int describe(struct script_describer *describer, bool from_device, const char *text,
                    size_t count)
{
    return script_describe(describer, from_device, (const uint8_t *)text, count, 5, tell, NULL,
                           &error);
}

TEST(frames_of_both_directions_are_cut_and_named_however_they_come)
{
    static const char to[] = "S*53\r\n", from[] = "+*2B\r\np 0 1 As Kd*6C\r\nx*00\r\n";
    static const char *const wanted = ">shuffle 4 {\"text\":\"\"}\n"
                                      "<done 4 {\"text\":\"\"}\n"
                                      "<packet-present 14 {\"cards\":\"As Kd\",\"index\":0,"
                                      "\"test_mode\":true}\n"
                                      "<!? 4 {}\n";
    struct script_describer *describer;

    CU_ASSERT_EQUAL_FATAL(script_describer_open(&describer, EXAMPLES "tally.lua", &error), 0);
    CU_ASSERT_EQUAL(script_describer_class(describer), DEVICE_SHUFFLER);
    told[0] = '\0';
    for (size_t i = 0; i < sizeof from - 1; i++) {
        if (i < sizeof to - 1)
            CU_ASSERT_EQUAL(describe(describer, false, to + i, 1), 0);
        CU_ASSERT_EQUAL(describe(describer, true, from + i, 1), 0);
    }
    if (strcmp(told, wanted))
        printf("%s", told);
    CU_ASSERT_STRING_EQUAL(told, wanted);
    script_describer_close(describer);
    script_describer_close(NULL);
}

TEST(the_examples_describe_what_their_protocols_say)
{
    static const char angel[] = "\x05\x33\x44\x81\xb8\x03\x34\x44\x06\x15\x21";
    static const char open[] = "\x04\x01\x01\x03\x01\x03\x11\x2a";
    struct script_describer *describer;

    told[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(script_describer_open(&describer, EXAMPLES "angel-eye.lua", &error), 0);
    CU_ASSERT_EQUAL(script_describer_class(describer), DEVICE_SHOE);
    CU_ASSERT_EQUAL(describe(describer, true, angel, sizeof angel - 1), 0);
    CU_ASSERT_STRING_EQUAL(told, "<card 8 {\"card\":\"8s\",\"outside\":false,\"raw\":1,"
                                 "\"report\":51,\"resent\":false}\n"
                                 "<acknowledged 1 {}\n"
                                 "<refused 2 {\"code\":33,\"text\":\"the shoe is busy\"}\n");
    script_describer_close(describer);
    told[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(script_describer_open(&describer, EXAMPLES "open-shuffler.lua", &error),
                          0);
    CU_ASSERT_EQUAL(describe(describer, false, open, sizeof open), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(told, ">!? 8 {}"));
    script_describer_close(describer);
}

static void write_script(struct script_file *file, const char *describe_lines)
{
    char text[1024];

    snprintf(text, sizeof text, SCRIPT_SHUFFLER("function d.describe(frame, from) %s end"),
             describe_lines);
    script_file_text(file, text);
}

static void expect(const char *lines, const char *wanted)
{
    struct script_describer *describer;
    struct script_file file;

    told[0] = '\0';
    write_script(&file, lines);
    CU_ASSERT_EQUAL_FATAL(script_describer_open(&describer, file.path, &error), 0);
    CU_ASSERT_EQUAL(describe(describer, true, "abc", 3), 0);
    if (strcmp(told, wanted))
        printf("%s\n%s%s", lines, told, wanted);
    CU_ASSERT_STRING_EQUAL(told, wanted);
    script_describer_close(describer);
    script_file_drop(&file);
}

TEST(details_are_json_in_the_order_of_their_names)
{
    expect("return 'n', {z = 1, a = 'x\"', m = true, l = {1, 'b', {k = 2.5}}, e = {}}",
           "<n 3 {\"a\":\"x\\\"\",\"e\":{},\"l\":[1,\"b\",{\"k\":2.5}],\"m\":true,\"z\":1}\n");
    expect("return 'n', {n = 0/0, i = -7, s = '\\200'}",
           "<n 3 {\"i\":-7,\"n\":null,\"s\":\"\\ufffd\"}\n");
    expect("return 'a\\nb'", "<a?b 3 {}\n");
    expect("return nil, {x = 1}", "<? 3 {\"x\":1}\n");
    expect("", "<? 3 {}\n");
    expect("return false", "<!? 3 {}\n");
}

static void expect_error(const char *lines, const char *within)
{
    struct script_describer *describer;
    struct script_file file;

    write_script(&file, lines);
    CU_ASSERT_EQUAL_FATAL(script_describer_open(&describer, file.path, &error), 0);
    CU_ASSERT_EQUAL(describe(describer, true, "abc", 3), ERROR_RIG);
    if (!strstr(error.text, within))
        printf("%s\n%s\n", lines, error.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, within));
    CU_ASSERT(!strncmp(error.text, file.path, strlen(file.path)));
    /* It stays so. */
    CU_ASSERT_EQUAL(describe(describer, true, "abc", 3), ERROR_RIG);
    script_describer_close(describer);
    script_file_drop(&file);
}

TEST(an_error_in_describe_is_told_with_file_and_line)
{
    expect_error("return nothing.at.all", "there is no 'nothing' here");
    expect_error("while true do end", "steps");
    expect_error("return 3", "it returns a number where the name of a frame belongs");
    expect_error("return 'n', 3", "its details are a number");
    expect_error("return 'n', {f = print}", "a function is no detail");
    expect_error("return 'n', {[true] = 1}", "a boolean is no name");
    expect_error("local t = {} t.t = t return 'n', t", "4 tables deep");
    expect_error("return 'n', {s = ('x'):rep(9000)}", "at most 8192 bytes");
    expect_error("send('x')", "send() has no place");
    expect_error("wait(1)", "wait() has no place");
}

TEST(what_describes_nothing_is_refused)
{
    struct script_describer *describer;
    struct script_file file;

    script_file_text(&file, SCRIPT_SHUFFLER(""));
    CU_ASSERT_EQUAL(script_describer_open(&describer, file.path, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(describer);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no function 'describe'"));
    script_file_drop(&file);
    CU_ASSERT_EQUAL(script_describer_open(&describer, "no/such.lua", &error), ERROR_CONFIG);
    script_file_text(&file, "return {class = 'toaster', received = print}");
    CU_ASSERT_EQUAL(script_describer_open(&describer, file.path, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error.text, "there is no class 'toaster'; the classes are shuffler"));
    script_file_drop(&file);
}
