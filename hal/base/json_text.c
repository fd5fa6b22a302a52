/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/json_text.h"

#include <stdio.h>

#include "hal/base/utf8.h"

#define NUMBER_SIZE 20

void json_text_unsigned(struct json_text *text, uint64_t number)
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char digits[NUMBER_SIZE];
    char *at = digits + sizeof digits;

    for (; number >= 10; number /= 100)
        at = memcpy(at - 2, pairs + number % 100 * 2, 2);
    if (number || at == digits + sizeof digits)
        *--at = (char)('0' + number);
    json_text_raw(text, at, (size_t)(digits + sizeof digits - at));
}

void json_text_number(struct json_text *text, int64_t number)
{
    if (number < 0)
        JSON_TEXT_PUT(text, "-");
    json_text_unsigned(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* An exponent is written without a plus and without zeros before it. */
static void shorten_exponent(char *shown)
{
    char *exponent = strchr(shown, 'e'), *from;

    if (!exponent)
        return;
    from = exponent += 1 + (exponent[1] == '-');
    from += *from == '+';
    from += strspn(from, "0");
    memmove(exponent, from, strlen(from) + 1);
}

void json_text_real(struct json_text *text, double number, int digits)
{
    char shown[48];

    snprintf(shown, sizeof shown - 2, "%.*g", digits, number);
    if (!strpbrk(shown, ".e"))
        strcat(shown, ".0");
    shorten_exponent(shown);
    json_text_raw(text, shown, strlen(shown));
}

/* Characters that stand for themselves. */
static const bool is_plain[256] = {
    [' '] = true, ['!'] = true, ['#' ... '['] = true, [']' ... '~'] = true};

/* Copies up to the first character that is not plain, which may be the NUL; returns it. */
static const unsigned char *put_plain(struct json_text *text, const unsigned char *at)
{
    char *out = text->at;

    while (out < text->end && is_plain[*at])
        *out++ = (char)*at++;
    text->at = out;
    if (!is_plain[*at])
        return at;
    text->full = true;
    return at + strlen((const char *)at);
}

static void put_escaped(struct json_text *text, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    char escape[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};

    if (byte == '"' || byte == '\\') {
        escape[1] = (char)byte;
        json_text_raw(text, escape, 2);
    } else {
        json_text_raw(text, escape, sizeof escape);
    }
}

static void put_unit(struct json_text *text, unsigned unit)
{
    static const char hex[] = "0123456789abcdef";
    const char escape[] = {
        '\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15], hex[unit >> 4 & 15], hex[unit & 15]};

    json_text_raw(text, escape, sizeof escape);
}

/* What a terminal would obey or nobody would see is escaped, as JSON allows for any character. */
static void put_character(struct json_text *text, const unsigned char *at, size_t length)
{
    unsigned code = utf8_code(at, length);

    if (code >= 0xa0 && !utf8_is_invisible(at, length)) {
        json_text_raw(text, (const char *)at, length);
    } else if (code > 0xffff) {
        put_unit(text, 0xd800 + ((code - 0x10000) >> 10));
        put_unit(text, 0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
        put_unit(text, code);
    }
}

void json_text_string(struct json_text *text, const char *string)
{
    const unsigned char *at = (const unsigned char *)string;

    if (!string) {
        JSON_TEXT_PUT(text, "null");
        return;
    }
    JSON_TEXT_PUT(text, "\"");
    while (*(at = put_plain(text, at))) {
        size_t length = utf8_length(at, strlen((const char *)at));

        if (length > 1)
            put_character(text, at, length);
        else if (length)
            put_escaped(text, *at);
        else
            JSON_TEXT_PUT(text, "\\ufffd");
        at += length ? length : 1;
    }
    JSON_TEXT_PUT(text, "\"");
}
