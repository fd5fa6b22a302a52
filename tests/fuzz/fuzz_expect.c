/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expectations: an input is two lines, the expected one and the one that came. A line is the same
 * as itself; lines that are the same one way are the same the other way, unless one has a sentence;
 * each difference has its words, and values that are JSON.
 *
 * Covers: rigs/recording/expect.c
 * Seeds: fixtures/ .expect
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/json.h"
#include "rigs/recording/expect.h"
#include "tests/fuzz/fuzz.h"

#define SHOWN 8

/* Or nothing. */
static int is_json(const char *value)
{
    struct json_reader *json = json_reader_new(EXPECT_VALUE_SIZE + 2);
    char text[EXPECT_VALUE_SIZE + 2];
    int is_one;

    snprintf(text, sizeof text, "[%s]", value);
    is_one = json_count(json_read(json, text, strlen(text), NULL)) == (*value != '\0');
    json_reader_free(json);
    return is_one;
}

static int compare(const char *expected, size_t size, const char *got, size_t got_size)
{
    struct expect_difference differences[SHOWN];
    struct error error = {.text = ""};
    char text[EXPECT_TEXT_SIZE];
    int count = expect_compare(expected, size, got, got_size, differences, SHOWN, &error);

    FUZZ_MUST(count >= 0 || (count == ERROR_RULE && error.text[0]));
    for (int i = 0; i < count && i < SHOWN; i++) {
        FUZZ_MUST(strlen(expect_describe(&differences[i], text)) > 0);
        FUZZ_MUST(is_json(differences[i].expected) && is_json(differences[i].got));
    }
    return count;
}

/* A line has the number of its round; beside an error, which is a sentence, it has nothing else. */
static int is_line(const char *text, size_t length)
{
    struct json_reader *json = json_reader_new(length);
    const struct json_value *line = json_read(json, text, length, NULL);
    const struct json_value *sentence = json_member(line, "error");
    int is_one = json_member(line, "round") &&
                 (!sentence || (json_chars(sentence) && json_count(line) == 2));

    json_reader_free(json);
    return is_one;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input), *newline = strchr(text, '\n'), *second, *end;
    size_t length = newline ? (size_t)(newline - text) : 0, got;

    if (length && length < JSON_LONGEST) {
        int there, back;

        second = newline + 1;
        end = strchr(second, '\n');
        got = end ? (size_t)(end - second) : strlen(second);
        there = compare(text, length, second, got);
        back = compare(second, got, text, length);
        FUZZ_MUST((there < 0) == (back < 0));
        FUZZ_MUST(!there == !back || strstr(text, "error"));
        /* With the newline behind it, or equal bytes would not be looked into. */
        if (is_line(text, length))
            FUZZ_MUST(!compare(text, length, text, length + 1));
    }
    free(text);
    return 0;
}

FUZZ_WORDS
