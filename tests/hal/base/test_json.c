/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/json.h"

#include <jansson.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static const struct json_value *read_text(struct json_reader *reader, const char *text,
                                          struct error *error)
{
    return json_read(reader, text, strlen(text), error);
}

/* What a text is when it is read and written again; "" when it is refused. */
static void written_again(const char *text, char *again, size_t size)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *value = read_text(reader, text, NULL);
    struct json_text out;

    json_text_begin(&out, again, size - 1);
    if (value)
        json_text_value(&out, value);
    *out.at = '\0';
    json_reader_free(reader);
}

TEST(what_is_read_is_what_is_written)
{
    static const char *const texts[][2] = {
        {"{}", "{}"},
        {" [ ] ", "[]"},
        {"{\"a\" : [1, -2,0,-0 ] ,\t\"b\":{\"c\":null}}\r\n",
         "{\"a\":[1,-2,0,0],\"b\":{\"c\":null}}"},
        {"[true,false,null]", "[true,false,null]"},
        {"[9223372036854775807,-9223372036854775808]",
         "[9223372036854775807,-9223372036854775808]"},
        {"[1.50,-0.1e+5,700.000,1e+20,7.4505805969238281E-009]",
         "[1.5,-10000.0,700.0,1e20,7.4505805969238281e-9]"},
        {"[\"\\\"\\\\\\/\"]", "[\"\\\"\\\\/\"]"},
        {"[\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"]",
         "[\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"]"},
        {"[\"a\xc3\xa9\\n\x7f\"]", "[\"a\xc3\xa9\\u000a\\u007f\"]"},
        {"{\"\":\"\"}", "{\"\":\"\"}"},
        {"[[[]],[[],{}]]", "[[[]],[[],{}]]"},
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char again[128];

        written_again(texts[i][0], again, sizeof again);
        CU_ASSERT_STRING_EQUAL(again, texts[i][1]);
    }
}

TEST(what_is_no_json_is_refused_with_its_place)
{
    static const char *const texts[][2] = {
        {"", "not valid JSON at byte 0: '[' or '{' expected near end of file"},
        {"7", "not valid JSON at byte 1: '[' or '{' expected near '7'"},
        {"\"a\"", "not valid JSON at byte 3: '[' or '{' expected near '\"a\"'"},
        {"{", "not valid JSON at byte 1: string or '}' expected near end of file"},
        {"{1:2}", "not valid JSON at byte 2: string or '}' expected near '1'"},
        {"{\"a\" 1}", "not valid JSON at byte 6: ':' expected near '1'"},
        {"{\"a\":1,}", "not valid JSON at byte 8: string or '}' expected near '}'"},
        {"{\"a\":1]", "not valid JSON at byte 7: '}' expected near ']'"},
        {"{\"a\":1 witnesses", "not valid JSON at byte 16: '}' expected near 'witnesses'"},
        {"[1,]", "not valid JSON at byte 4: unexpected token near ']'"},
        {"[1 2]", "not valid JSON at byte 4: ']' expected near '2'"},
        {"[1}", "not valid JSON at byte 3: ']' expected near '}'"},
        {"[1", "not valid JSON at byte 2: ']' expected near end of file"},
        {"{}{}", "not valid JSON at byte 3: end of file expected near '{'"},
        {"[]x", "not valid JSON at byte 3: end of file expected near 'x'"},
        {"[True]", "not valid JSON at byte 5: invalid token near 'True'"},
        {"[nul]", "not valid JSON at byte 4: invalid token near 'nul'"},
        {"[\v1]", "not valid JSON at byte 2: invalid token near '?'"},
        {"['a']", "not valid JSON at byte 2: invalid token near '''"},
        {"[01]", "not valid JSON at byte 2: invalid token near '0'"},
        {"[-]", "not valid JSON at byte 2: invalid token near '-'"},
        {"[+1]", "not valid JSON at byte 2: invalid token near '+'"},
        {"[1.]", "not valid JSON at byte 3: invalid token near '1.'"},
        {"[.5]", "not valid JSON at byte 2: invalid token near '.'"},
        {"[1e]", "not valid JSON at byte 3: invalid token near '1e'"},
        {"[9223372036854775808]",
         "not valid JSON at byte 20: too big integer near '9223372036854775808'"},
        {"[-9223372036854775809]",
         "not valid JSON at byte 21: too big negative integer near '-9223372036854775809'"},
        {"[1e999]", "not valid JSON at byte 6: real number overflow near '1e999'"},
        {"[\"a", "not valid JSON at byte 3: premature end of input near '\"a'"},
        {"[\"a\nb\"]", "not valid JSON at byte 3: unexpected newline near '\"a'"},
        {"[\"a\tb\"]", "not valid JSON at byte 3: control character 0x9 near '\"a'"},
        {"[\"\\x\"]", "not valid JSON at byte 3: invalid escape near '\"\\'"},
        {"[\"\\u12g4\"]", "not valid JSON at byte 4: invalid escape near '\"\\u'"},
        {"[\"\\ud800x\"]", "not valid JSON at byte 8: invalid Unicode '\\uD800' near '\"\\ud800'"},
        {"[\"\\udc00\"]", "not valid JSON at byte 8: invalid Unicode '\\uDC00' near '\"\\udc00'"},
        {"[\"\\u0000\"]",
         "not valid JSON at byte 8: the character \\u0000 cannot be in a text near "
         "'\"\\u0000'"},
        {"[\"\xc0\x80\"]", "not valid JSON at byte 2: unable to decode byte 0xc0 near '\"'"},
        {"[\"\xed\xa0\x80\"]", "not valid JSON at byte 2: unable to decode byte 0xed near '\"'"},
        {"[\"\xf4\x90\x80\x80\"]",
         "not valid JSON at byte 2: unable to decode byte 0xf4 near '\"'"},
        {"[\"\xc3\"]", "not valid JSON at byte 2: unable to decode byte 0xc3 near '\"'"},
        {"[\x80]", "not valid JSON at byte 1: unable to decode byte 0x80"},
        {"{\"a\":1,\"b\":2,\"a\":3}",
         "not valid JSON at byte 16: duplicate object key near '\"a\"'"},
        {"[{\"\\u0061\":1,\"a\":1}]",
         "not valid JSON at byte 16: duplicate object key near '\"a\"'"},
        {"\xef\xbb\xbf{}", "the line begins with a byte order mark; save the file without one"},
    };
    struct json_reader *reader = json_reader_new(JSON_LONGEST);

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct error error = {.text = ""};

        CU_ASSERT_PTR_NULL(read_text(reader, texts[i][0], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_RULE);
        CU_ASSERT_STRING_EQUAL(error.text, texts[i][1]);
    }
    json_reader_free(reader);
}

TEST(a_nul_byte_is_no_end_of_the_text)
{
    static const char *const texts[] = {"{}\0", "{\"a\":1\0}", "{\"a\0b\":1}", "[\"a\0\"]"};
    static const size_t lengths[] = {3, 8, 9, 6};
    struct json_reader *reader = json_reader_new(JSON_LONGEST);

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CU_ASSERT_PTR_NULL(json_read(reader, texts[i], lengths[i], NULL));
    json_reader_free(reader);
}

TEST(no_beginning_of_a_line_is_a_line)
{
    static const char line[] =
        "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"As \\u00e9\"],"
        "\"x\":[1.5e3,true,null,{}]}";
    struct json_reader *reader = json_reader_new(JSON_LONGEST);

    for (size_t length = 0; length < sizeof line - 1; length++) {
        /* A copy of that size, so that the sanitizer sees whoever looks behind it. */
        char *part = malloc(length + 1);

        memcpy(part, line, length);
        CU_ASSERT_PTR_NULL(json_read(reader, part, length, NULL));
        free(part);
    }
    CU_ASSERT_PTR_NOT_NULL(read_text(reader, line, NULL));
    json_reader_free(reader);
}

static void fill(char *text, char bracket, size_t count, char closing)
{
    memset(text, bracket, count);
    memset(text + count, closing, count);
    text[2 * count] = '\0';
}

TEST(only_so_many_containers_stand_inside_each_other)
{
    static char text[2 * JSON_DEPTH + 3];
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct error error;

    fill(text, '[', JSON_DEPTH, ']');
    CU_ASSERT_PTR_NOT_NULL(read_text(reader, text, &error));
    fill(text, '[', JSON_DEPTH + 1, ']');
    CU_ASSERT_PTR_NULL(read_text(reader, text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "maximum parsing depth reached"));
    json_reader_free(reader);
}

/* The texts that have the most values, members and brackets a byte. */
TEST(a_reader_has_room_for_whatever_a_line_may_hold)
{
    static char text[JSON_LONGEST + 2];
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct error error;
    size_t at;

    memset(text, '[', JSON_LONGEST);
    CU_ASSERT_PTR_NULL(json_read(reader, text, JSON_LONGEST, &error));
    for (at = 0; at < JSON_LONGEST - 1; at += 2)
        memcpy(text + at, at < JSON_DEPTH ? "[[" : "0,", 2);
    CU_ASSERT_PTR_NULL(json_read(reader, text, JSON_LONGEST, &error));
    text[0] = '[';
    for (at = 1; at < JSON_LONGEST - 1; at += 2)
        memcpy(text + at, "0,", 2);
    text[JSON_LONGEST - 1] = ']';
    text[JSON_LONGEST - 2] = '0';
    CU_ASSERT_EQUAL(json_count(json_read(reader, text, JSON_LONGEST - 1, &error)), 0);
    text[JSON_LONGEST - 2] = ']';
    CU_ASSERT_EQUAL(json_count(json_read(reader, text, JSON_LONGEST - 1, &error)),
                    (JSON_LONGEST - 2) / 2);
    text[0] = '{';
    for (at = 1; at + 5 < JSON_LONGEST; at += 5)
        memcpy(text + at, "\"\":0,", 5);
    text[at - 1] = '}';
    CU_ASSERT_PTR_NULL(json_read(reader, text, at, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "duplicate object key"));
    CU_ASSERT_PTR_NULL(json_read(reader, text, JSON_LONGEST + 1, &error));
    CU_ASSERT_STRING_EQUAL(error.text, "it is longer than 65536 bytes");
    json_reader_free(reader);
}

TEST(a_reader_of_short_texts_refuses_long_ones)
{
    struct json_reader *reader = json_reader_new(4);
    struct error error;

    CU_ASSERT_PTR_NOT_NULL(read_text(reader, "[12]", NULL));
    CU_ASSERT_PTR_NULL(read_text(reader, "[123]", &error));
    CU_ASSERT_STRING_EQUAL(error.text, "it is longer than 4 bytes");
    json_reader_free(reader);
}

TEST(a_key_is_found_twice_among_many)
{
    static char text[JSON_LONGEST];
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct error error;
    char *at = text + sprintf(text, "{");

    for (int i = 0; i < 3000; i++)
        at += sprintf(at, "\"key %d\":%d,", i, i);
    strcpy(at - 1, "}");
    CU_ASSERT_EQUAL(json_int(json_member(read_text(reader, text, &error), "key 2999")), 2999);
    strcpy(at - 1, ",\"key 17\":0}");
    CU_ASSERT_PTR_NULL(read_text(reader, text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "duplicate object key near '\"key 17\"'"));
    json_reader_free(reader);
}

TEST(values_are_found_by_name_and_place)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *line =
        read_text(reader, "{\"a\":[[1,2],\"x\",{\"b\":3}],\"c\":-4,\"d\":true}", NULL);
    const struct json_value *list = json_member(line, "a");

    CU_ASSERT_EQUAL(json_count(line), 3);
    CU_ASSERT_EQUAL(json_count(list), 3);
    CU_ASSERT_EQUAL(json_int(json_element(json_element(list, 0), 1)), 2);
    CU_ASSERT_STRING_EQUAL(json_chars(json_element(list, 1)), "x");
    CU_ASSERT_EQUAL(json_int(json_member(json_element(list, 2), "b")), 3);
    CU_ASSERT_PTR_NULL(json_element(list, 3));
    CU_ASSERT_EQUAL(json_int(json_member(line, "c")), -4);
    CU_ASSERT_TRUE(json_is(json_member(line, "d"), JSON_KIND_TRUE));
    CU_ASSERT_PTR_NULL(json_member(line, "b"));
    CU_ASSERT_PTR_NULL(json_member(json_member(line, "e"), "f"));
    CU_ASSERT_PTR_NULL(json_chars(json_member(line, "c")));
    CU_ASSERT_EQUAL(json_int(json_member(line, "d")), 0);
    CU_ASSERT_EQUAL(json_count(json_member(line, "c")), 0);
    json_reader_free(reader);
}

TEST(what_came_before_a_mistake_is_known)
{
    static const struct {
        const char *text;
        int64_t number; /* 0: not known */
    } cases[] = {{"{\"round\":12,\"bets", 12},
                 {"{\"round\":12", 0},
                 {"{\"bets\":{\"1\":{}},\"round\":12,", 12},
                 {"{\"bets\":{\"round\":3,\"a\":1},\"round\":12}x", 12},
                 {"{\"bets\":{\"round\":3,", 0},
                 {"{\"bets\":[{\"round\":3},{\"round\":4},", 0},
                 {"{\"round\":1,\"a\":1,\"a\":1}", 1},
                 {"[{\"round\":1},", 0},
                 {"", 0}};
    struct json_reader *reader = json_reader_new(JSON_LONGEST);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_PTR_NULL(read_text(reader, cases[i].text, NULL));
        CU_ASSERT_EQUAL(json_int(json_salvage(reader, "round")), cases[i].number);
    }
    json_reader_free(reader);
}

TEST(a_copy_outlives_its_reader)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct json_value *kept;

    kept = json_keep(read_text(reader, "{\"a\":[\"one\",2.50,3],\"b\":{\"c\":\"four\"}}", NULL));
    read_text(reader, "[\"another\",\"line\",\"altogether\"]", NULL);
    json_reader_free(reader);
    CU_ASSERT_STRING_EQUAL(json_chars(json_element(json_member(kept, "a"), 0)), "one");
    CU_ASSERT_STRING_EQUAL(json_element(json_member(kept, "a"), 1)->text, "2.50");
    CU_ASSERT_STRING_EQUAL(json_chars(json_member(json_member(kept, "b"), "c")), "four");
    free(kept);
}

TEST(the_order_of_members_makes_no_difference)
{
    static const char *const pairs[][2] = {{"{\"a\":1,\"b\":[1,2]}", "{\"b\":[1,2],\"a\":1}"},
                                           {"[1.0,\"\\u0041\"]", "[1.00,\"A\"]"}};
    static const char *const others[][2] = {{"[1]", "[1.0]"},      {"[1,2]", "[2,1]"},
                                            {"{\"a\":1}", "{}"},   {"{\"a\":1}", "{\"b\":1}"},
                                            {"[true]", "[false]"}, {"[\"a\"]", "[\"ab\"]"}};
    struct json_reader *one = json_reader_new(JSON_LONGEST), *two = json_reader_new(JSON_LONGEST);

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        CU_ASSERT_TRUE(
            json_same(read_text(one, pairs[i][0], NULL), read_text(two, pairs[i][1], NULL)));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CU_ASSERT_FALSE(
            json_same(read_text(one, others[i][0], NULL), read_text(two, others[i][1], NULL)));
    json_reader_free(one);
    json_reader_free(two);
}

/* What turns the direction of a text, hides in it, or is obeyed by terminals. */
TEST(what_nobody_sees_is_escaped_and_read_back_as_it_was)
{
    static const char text[] = "a\xe2\x80\xae\xd8\x9c\xf3\xa0\x81\x81\xc2\x9b\xc3\xa9";
    static const char written[] = "[\"a\\u202e\\u061c\\udb40\\udc41\\u009b\xc3\xa9\"]";
    char line[128];
    struct json_text out;
    struct json_reader *reader = json_reader_new(sizeof line);
    const struct json_value *value;

    json_text_begin(&out, line, sizeof line);
    JSON_TEXT_PUT(&out, "[");
    json_text_string(&out, text);
    JSON_TEXT_PUT(&out, "]");
    CU_ASSERT_EQUAL_FATAL((size_t)(out.at - out.start), sizeof written - 1);
    CU_ASSERT(!memcmp(line, written, sizeof written - 1));
    value = json_read(reader, line, sizeof written - 1, NULL);
    CU_ASSERT_STRING_EQUAL(json_chars(json_element(value, 0)), text);
    json_reader_free(reader);
}

TEST(reading_allocates_nothing)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    size_t before = mallinfo2().uordblks;

    for (int i = 0; i < 100; i++)
        CU_ASSERT_PTR_NOT_NULL(read_text(reader, "{\"a\":[\"\\u00e9\",1.5,{\"b\":{}}]}", NULL));
    CU_ASSERT_EQUAL(mallinfo2().uordblks, before);
    json_reader_free(reader);
}

/* Whether two readers have understood the same. */
static bool is_same(const struct json_value *value, const json_t *other)
{
    size_t index = 0;

    switch ((enum json_kind)value->kind) {
    case JSON_KIND_NULL:
        return json_is_null(other);
    case JSON_KIND_FALSE:
        return json_is_false(other);
    case JSON_KIND_TRUE:
        return json_is_true(other);
    case JSON_KIND_INTEGER:
        return json_is_integer(other) && json_integer_value(other) == value->integer;
    case JSON_KIND_REAL:
        return json_is_real(other) && json_real_value(other) == strtod(value->text, NULL);
    case JSON_KIND_STRING:
        return json_is_string(other) && json_string_length(other) == value->length &&
               !strcmp(json_string_value(other), value->text);
    case JSON_KIND_ARRAY:
        if (!json_is_array(other) || json_array_size(other) != value->length)
            return false;
        break;
    case JSON_KIND_OBJECT:
        if (!json_is_object(other) || json_object_size(other) != value->length)
            return false;
        break;
    }
    JSON_EACH (each, value) {
        const json_t *found =
            each->key ? json_object_get(other, each->key) : json_array_get(other, index++);

        if (!found || !is_same(each, found))
            return false;
    }
    return true;
}

/* Puts something into a text that a reader may stumble over; returns the new length. */
static size_t spoil(char *text, size_t length, uint64_t *seed)
{
    static const char *const pieces[] = {"\"",
                                         "\\",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ":",
                                         ",",
                                         "\\u0041",
                                         "\\ud800",
                                         "\xc3",
                                         "\xa9",
                                         "\xed\xa0\x80",
                                         "\v",
                                         " ",
                                         "1e9",
                                         "1e999",
                                         "-",
                                         "0",
                                         ".5",
                                         "99999999999999999999",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "true",
                                         "nul",
                                         "\\n",
                                         "\x01",
                                         "\x7f",
                                         "\\u0000",
                                         "\xef\xbf\xbf",
                                         "\\ud83d\\ude00",
                                         "\xf4\x90\x80\x80"};
    const char *piece = pieces[seeded_next(seed) % (sizeof pieces / sizeof pieces[0])];
    size_t at = seeded_next(seed) % length, size = strlen(piece), gone = seeded_next(seed) % 4;

    if (gone > length - at)
        gone = length - at;
    memmove(text + at + size, text + at + gone, length - at - gone);
    memcpy(text + at, piece, size);
    return length + size - gone;
}

TEST(whatever_is_spoilt_is_read_as_jansson_reads_it)
{
    static const char line[] =
        "{\"round\":4,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000},\"3\":{\"ante\":-2000}},"
        "\"dealt\":[\"Qs 3h 4s\",\"Kc\\tTh\",\"\xc3\xa9\"],\"play\":{\"1\":[\"play\"],\"3\":[]},"
        "\"x\":[1.5e3,true,null,{}]}";
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    uint64_t seed = 11;
    size_t accepted = 0, differing = 0;

    for (int i = 0; i < 30000; i++) {
        char text[sizeof line + 128];
        size_t length = sizeof line - 1;
        const struct json_value *value;
        json_t *other;

        memcpy(text, line, length);
        for (uint64_t times = 1 + seeded_next(&seed) % 3; times; times--)
            length = spoil(text, length, &seed);
        value = json_read(reader, text, length, NULL);
        other = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
        accepted += value != NULL;
        differing += !value != !other || (value && !is_same(value, other));
        json_decref(other);
    }
    CU_ASSERT_EQUAL(differing, 0);
    CU_ASSERT(accepted > 1000 && accepted < 20000);
    json_reader_free(reader);
}
