/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/printable.h"
#include "rigs/page/markup.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

static bool is_put(void (*put)(FILE *out, const char *text), const char *text, const char *as)
{
    char *written = NULL;
    size_t length;
    FILE *out = open_memstream(&written, &length);
    bool is_so;

    put(out, text);
    fclose(out);
    is_so = !strcmp(written, as);
    if (!is_so)
        printf("%s, not %s\n", written, as);
    free(written);
    return is_so;
}

TEST(text_that_turns_its_direction_or_is_not_seen_is_shown_as_its_code)
{
    CU_ASSERT_TRUE(is_put(plain_text,
                          "a\xe2\x80\xae"
                          "b",
                          "a<U+202E>b"));
    CU_ASSERT_TRUE(is_put(markup_text,
                          "a\xe2\x80\xae"
                          "b",
                          "a&lt;U+202E&gt;b"));
    CU_ASSERT_TRUE(
        is_put(plain_text, "\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf", "<U+2066><U+200B><U+FEFF>"));
    CU_ASSERT_TRUE(is_put(plain_text, "\xe2\x82\xac 5 \xe2\x80\x93 \xc3\xa9",
                          "\xe2\x82\xac 5 \xe2\x80\x93 \xc3\xa9"));
    CU_ASSERT_TRUE(is_put(plain_text, "\xd8\x9c\xc2\xad\xef\xbf\xb9\xf3\xa0\x81\x81",
                          "<U+061C><U+00AD><U+FFF9><U+E0041>"));
    CU_ASSERT_TRUE(is_put(markup_text, "<&\x1b[2J", "&lt;&amp;&lt;U+001B&gt;[2J"));
    CU_ASSERT_TRUE(is_put(plain_text, "a\x1b[31m\x7f\x01", "a<U+001B>[31m<U+007F><U+0001>"));
    CU_ASSERT_TRUE(is_put(plain_text, "\xc2\x9b 2\xc2\xa7", "<U+009B> 2\xc2\xa7"));
}

/* Two names that differ in such a byte alone are not shown as the same. */
TEST(bytes_that_are_no_text_are_shown_as_bytes)
{
    CU_ASSERT_TRUE(is_put(plain_text, "5\xff", "5<FF>"));
    CU_ASSERT_TRUE(is_put(plain_text, "\xe2\x82", "<E2><82>"));
    CU_ASSERT_TRUE(is_put(markup_text, "a\x80.shoe", "a&lt;80&gt;.shoe"));
}

TEST(a_text_is_shown_within_its_room)
{
    char text[16], short_one[12];

    printable_show(text, sizeof text, "a\x1b[31m");
    CU_ASSERT_STRING_EQUAL(text, "a<U+001B>[31m");
    printable_show(short_one, sizeof short_one, "a\x1b\x1b\x1b");
    CU_ASSERT_STRING_EQUAL(short_one, "a<U+001B>");
    printable_show(text, sizeof text, NULL);
    CU_ASSERT_STRING_EQUAL(text, "");
}
