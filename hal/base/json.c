/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"
#include "hal/base/utf8.h"

/* Up to so many keys are compared each with each; more are sorted. */
#define FEW_MEMBERS 32

/* Longer pieces of the text are not shown in a sentence. */
#define SHOWN_MAX 20

struct json_reader {
    size_t longest;
    const char *given; /* what is being read: strings are decoded in the copy of it, `text` */
    size_t length;
    struct error *error;
    size_t count;
    size_t sure; /* those before have been read whole, with the comma behind them */
    size_t depth;
    struct json_value *open; /* the innermost container; its span is where the outer one is */
    const char **keys;       /* of an object, while they are compared */
    char *text;
    struct json_value values[];
};

/*
 * One block for all: every value but an open container takes two bytes of text at least, itself
 * and what stands behind it; a member takes five.
 */
struct json_reader *json_reader_new(size_t longest)
{
    size_t values = longest / 2 + JSON_DEPTH + 2, keys = longest / 5 + 1;
    struct json_reader *reader = malloc(sizeof *reader + values * sizeof reader->values[0] +
                                        keys * sizeof reader->keys[0] + longest + 1);

    if (!reader)
        return NULL;
    reader->longest = longest;
    reader->count = reader->sure = 0;
    reader->keys = (const char **)(reader->values + values);
    reader->text = (char *)(reader->keys + keys);
    return reader;
}

void json_reader_free(struct json_reader *reader)
{
    free(reader);
}

/* Refuses the text for what stands in it from `from` to `to`; returns NULL. */
__attribute__((format(printf, 4, 5))) static char *
refuse(const struct json_reader *reader, const char *from, const char *to, const char *format, ...)
{
    char reason[128], near[SHOWN_MAX + 16] = "";
    int shown = (int)(to - from);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (to == reader->text + reader->length && !shown)
        strcpy(near, " near end of file");
    else if (shown && shown <= SHOWN_MAX)
        snprintf(near, sizeof near, " near '%.*s'", shown, reader->given + (from - reader->text));
    if (reader->length >= 3 && !memcmp(reader->given, "\xef\xbb\xbf", 3)) {
        error_set(reader->error, ERROR_RULE,
                  "the line begins with a byte order mark; save the file without one");
        return NULL;
    }
    error_set(reader->error, ERROR_RULE, "not valid JSON at byte %td: %s%s", to - reader->text,
              reason, near);
    if (reader->error)
        printable_make(reader->error->text);
    return NULL;
}

static char *skip_blanks(char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Four hexadecimal digits; -1 when they are none. */
static int32_t hex_value(const char *digits)
{
    int32_t value = 0;

    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;

        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

static char *put_utf8(char *out, int32_t value)
{
    if (value < 0x80) {
        *out++ = (char)value;
    } else if (value < 0x800) {
        *out++ = (char)(0xc0 | value >> 6);
        *out++ = (char)(0x80 | (value & 0x3f));
    } else if (value < 0x10000) {
        *out++ = (char)(0xe0 | value >> 12);
        *out++ = (char)(0x80 | (value >> 6 & 0x3f));
        *out++ = (char)(0x80 | (value & 0x3f));
    } else {
        *out++ = (char)(0xf0 | value >> 18);
        *out++ = (char)(0x80 | (value >> 12 & 0x3f));
        *out++ = (char)(0x80 | (value >> 6 & 0x3f));
        *out++ = (char)(0x80 | (value & 0x3f));
    }
    return out;
}

/* Decodes \uXXXX, or two of them where the first is half of a character. `at` is behind the u. */
static char *read_unicode(const struct json_reader *reader, const char *start, char *at, char **out)
{
    int32_t value = hex_value(at), low;

    if (value < 0)
        return refuse(reader, start, at, "invalid escape");
    at += 4;
    if (!value)
        return refuse(reader, start, at, "the character \\u0000 cannot be in a text");
    if (value >= 0xd800 && value <= 0xdbff) {
        low = at[0] == '\\' && at[1] == 'u' ? hex_value(at + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return refuse(reader, start, at, "invalid Unicode '\\u%04X'", (unsigned)value);
        value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
    } else if (value >= 0xdc00 && value <= 0xdfff) {
        return refuse(reader, start, at, "invalid Unicode '\\u%04X'", (unsigned)value);
    }
    *out = put_utf8(*out, value);
    return at;
}

/* `at` is behind the backslash. */
static char *read_escape(const struct json_reader *reader, const char *start, char *at, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *letter = *at ? strchr(letters, *at) : NULL;

    if (*at == 'u')
        return read_unicode(reader, start, at + 1, out);
    if (!letter)
        return refuse(reader, start, at, "invalid escape");
    *(*out)++ = meant[letter - letters];
    return at + 1;
}

static char *read_utf8(const struct json_reader *reader, const char *start, char *at, char **out)
{
    size_t length =
        utf8_sequence((const unsigned char *)at, reader->length - (size_t)(at - reader->text));

    if (!length)
        return refuse(reader, start, at, "unable to decode byte 0x%x", *(unsigned char *)at);
    memmove(*out, at, length);
    *out += length;
    return at + length;
}

static char *cut_string(const struct json_reader *reader, const char *start, char *at)
{
    if (at == reader->text + reader->length)
        return refuse(reader, start, at, "premature end of input");
    if (*at == '\n')
        return refuse(reader, start, at, "unexpected newline");
    return refuse(reader, start, at, "control character 0x%x", *(unsigned char *)at);
}

/* ASCII characters of a string that need no escape. */
static const bool is_plain[256] = {
    [' '] = true, ['!'] = true, ['#' ... '['] = true, [']' ... 0x7f] = true};

/*
 * Decodes the string that starts with the quote at `at` in its place and ends it with a NUL.
 * Returns what is behind it, or NULL.
 */
static char *read_string(const struct json_reader *reader, char *at, uint32_t *length)
{
    const char *start = at++;
    char *out = at;

    while (is_plain[(unsigned char)*at])
        at++;
    *length = (uint32_t)(at - out);
    if (*at == '"') {
        *at = '\0';
        return at + 1;
    }
    out = at;
    while (*at != '"') {
        if (*at == '\\')
            at = read_escape(reader, start, at + 1, &out);
        else if (*at & 0x80)
            at = read_utf8(reader, start, at, &out);
        else if ((unsigned char)*at < ' ')
            return cut_string(reader, start, at);
        else
            *out++ = *at++;
        if (!at)
            return NULL;
    }
    *length = (uint32_t)(out - start - 1);
    *out = '\0';
    return at + 1;
}

static char *skip_digits(char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* The end of the fraction and the exponent of a real number, or NULL; `end` is how far it goes. */
static char *skip_real(char *at, char **end)
{
    if (*at == '.') {
        *end = ++at;
        if (!is_digit(*at))
            return NULL;
        at = skip_digits(at);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        *end = at;
        if (!is_digit(*at))
            return NULL;
        at = skip_digits(at);
    }
    return at;
}

static char *read_real(const struct json_reader *reader, char *start, char *at,
                       struct json_value *value)
{
    char *end = at;
    double number;

    at = skip_real(at, &end);
    if (!at)
        return refuse(reader, start, end, "invalid token");
    errno = 0;
    number = strtod(start, NULL);
    if (errno == ERANGE && (number > 1 || number < -1))
        return refuse(reader, start, at, "real number overflow");
    value->kind = JSON_KIND_REAL;
    value->text = start;
    value->length = (uint32_t)(at - start);
    return at;
}

static char *read_number(const struct json_reader *reader, char *at, struct json_value *value)
{
    char *start = at, *first = at + (*at == '-');
    uint64_t number = 0, limit = (uint64_t)INT64_MAX + (*at == '-');
    bool is_big = false;

    for (at = first; is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');

        is_big |= number > (limit - digit) / 10;
        number = number * 10 + digit;
    }
    if (at == first)
        return refuse(reader, start, at, "invalid token");
    if (*first == '0' && at > first + 1)
        return refuse(reader, start, first + 1, "invalid token");
    if (*at == '.' || *at == 'e' || *at == 'E')
        return read_real(reader, start, at, value);
    if (is_big)
        return refuse(reader, start, at, "too big%s integer", *start == '-' ? " negative" : "");
    value->kind = JSON_KIND_INTEGER;
    value->integer = (int64_t)(*start == '-' ? 0 - number : number);
    return at;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char *read_word(const struct json_reader *reader, char *at, struct json_value *value)
{
    static const struct {
        const char *word;
        size_t length;
        enum json_kind kind;
    } words[] = {
        {"true", 4, JSON_KIND_TRUE}, {"false", 5, JSON_KIND_FALSE}, {"null", 4, JSON_KIND_NULL}};
    const char *start = at;

    while (is_letter(*at))
        at++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if ((size_t)(at - start) == words[i].length &&
            !memcmp(start, words[i].word, words[i].length)) {
            value->kind = words[i].kind;
            return at;
        }
    return refuse(reader, start, at, "invalid token");
}

/* Refuses what stands at `at`, with the whole of it in the sentence. */
static char *refuse_token(const struct json_reader *reader, char *at, const char *reason)
{
    const char *start = at, *end = reader->text + reader->length;
    struct json_value ignored;
    uint32_t length;

    if (*at == '"')
        at = read_string(reader, at, &length);
    else if (is_digit(*at) || *at == '-')
        at = read_number(reader, at, &ignored);
    else if (is_letter(*at))
        while (is_letter(*at))
            at++;
    else if (*at & 0x80 && !utf8_sequence((const unsigned char *)at, (size_t)(end - at)))
        return refuse(reader, start, at, "unable to decode byte 0x%x", *(unsigned char *)at);
    else
        at += at < end;
    return at ? refuse(reader, start, at, "%s", reason) : NULL;
}

static char *read_scalar(const struct json_reader *reader, char *at, struct json_value *value)
{
    uint32_t length;

    if (*at == '"') {
        value->text = at + 1;
        at = read_string(reader, at, &length);
        value->length = length;
        value->kind = JSON_KIND_STRING;
        return at;
    }
    if (is_digit(*at) || *at == '-')
        return read_number(reader, at, value);
    if (is_letter(*at))
        return read_word(reader, at, value);
    return refuse_token(reader, at, strchr("}],:", *at) ? "unexpected token" : "invalid token");
}

static int by_text(const void *a, const void *b)
{
    const char *const *first = a, *const *second = b;
    int order = strcmp(*first, *second);

    return order ? order : (*first > *second) - (*first < *second);
}

/* A key that an object has twice: the second one, or NULL. */
static const char *find_twice(struct json_reader *reader, const struct json_value *object)
{
    const char **keys = reader->keys;
    size_t count = 0;

    if (object->length <= FEW_MEMBERS) {
        JSON_EACH (value, object) {
            for (size_t i = 0; i < count; i++)
                if (keys[i][0] == value->key[0] && !strcmp(keys[i], value->key))
                    return value->key;
            keys[count++] = value->key;
        }
        return NULL;
    }
    JSON_EACH (value, object)
        keys[count++] = value->key;
    qsort(keys, count, sizeof *keys, by_text);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(keys[i - 1], keys[i]))
            return keys[i];
    return NULL;
}

static char *refuse_twice(struct json_reader *reader, const char *key)
{
    size_t start = (size_t)(key - 1 - reader->text), end = start + 1;

    while (reader->given[end] != '"')
        end += reader->given[end] == '\\' ? 2 : 1;
    return refuse(reader, reader->text + start, reader->text + end + 1, "duplicate object key");
}

static char *open_container(struct json_reader *reader, char *at, struct json_value *value)
{
    if (reader->depth++ == JSON_DEPTH)
        return refuse(reader, at, at + 1, "maximum parsing depth reached");
    value->kind = *at == '{' ? JSON_KIND_OBJECT : JSON_KIND_ARRAY;
    value->length = 0;
    value->span = (uint32_t)(reader->open ? reader->open - reader->values : 0) & 0xfffffff;
    reader->open = value;
    return at + 1;
}

/* `at` is behind the bracket. */
static char *close_container(struct json_reader *reader, char *at)
{
    struct json_value *container = reader->open, *outer = &reader->values[container->span];
    const char *twice;

    container->span = (uint32_t)(&reader->values[reader->count] - container) & 0xfffffff;
    reader->open = --reader->depth ? outer : NULL;
    reader->sure = reader->count;
    twice = container->kind == JSON_KIND_OBJECT ? find_twice(reader, container) : NULL;
    return twice ? refuse_twice(reader, twice) : at;
}

/* The key of the next member and its colon. */
static char *read_key(struct json_reader *reader, char *at, const char **key)
{
    uint32_t length;

    if (*at != '"')
        return refuse_token(reader, at, "string or '}' expected");
    *key = at + 1;
    at = read_string(reader, at, &length);
    if (!at)
        return NULL;
    at = skip_blanks(at);
    return *at == ':' ? skip_blanks(at + 1) : refuse_token(reader, at, "':' expected");
}

/* One value that is no container whole, or the beginning of one that is. */
static char *read_value(struct json_reader *reader, char *at)
{
    struct json_value *value;
    const char *key = NULL;

    if (json_is(reader->open, JSON_KIND_OBJECT) && !(at = read_key(reader, at, &key)))
        return NULL;
    if (reader->open)
        reader->open->length++;
    value = &reader->values[reader->count++];
    value->key = key;
    value->span = 1;
    return *at == '{' || *at == '[' ? open_container(reader, at, value)
                                    : read_scalar(reader, at, value);
}

/* What may stand behind a value: brackets that close, then a comma or the end of the text. */
static char *read_closing(struct json_reader *reader, char *at)
{
    while (reader->open) {
        bool is_object = reader->open->kind == JSON_KIND_OBJECT;

        at = skip_blanks(at);
        if (*at == ',') {
            reader->sure = reader->count;
            return skip_blanks(at + 1);
        }
        if (*at != (is_object ? '}' : ']'))
            return refuse_token(reader, at, is_object ? "'}' expected" : "']' expected");
        at = close_container(reader, at + 1);
        if (!at)
            return NULL;
    }
    return at;
}

static char *read_values(struct json_reader *reader, char *at)
{
    do {
        const struct json_value *outer = reader->open;

        at = read_value(reader, at);
        if (!at)
            return NULL;
        if (reader->open != outer) {
            at = skip_blanks(at);
            if (*at != (reader->open->kind == JSON_KIND_OBJECT ? '}' : ']'))
                continue;
        }
        at = read_closing(reader, at);
        if (!at)
            return NULL;
    } while (reader->open);
    return at;
}

const struct json_value *json_read(struct json_reader *reader, const char *text, size_t length,
                                   struct error *error)
{
    char *at;

    reader->count = reader->sure = reader->depth = 0;
    if (length > reader->longest) {
        error_set(error, ERROR_RULE, "it is longer than %zu bytes", reader->longest);
        return NULL;
    }
    memcpy(reader->text, text, length);
    reader->text[length] = '\0';
    reader->given = text;
    reader->length = length;
    reader->error = error;
    reader->open = NULL;
    at = skip_blanks(reader->text);
    if (*at != '{' && *at != '[') {
        refuse_token(reader, at, "'[' or '{' expected");
        return NULL;
    }
    at = read_values(reader, at);
    if (!at)
        return NULL;
    at = skip_blanks(at);
    if (at != reader->text + length) {
        refuse_token(reader, at, "end of file expected");
        return NULL;
    }
    return reader->values;
}

/* A container that was not closed has kept the place of the outer one, here that of the object. */
const struct json_value *json_salvage(const struct json_reader *reader, const char *key)
{
    const struct json_value *object = reader->values, *end = object + reader->sure;

    if (reader->sure && object->kind == JSON_KIND_OBJECT)
        for (const struct json_value *at = object + 1; at < end && at->span; at += at->span)
            if (!strcmp(at->key, key))
                return at;
    return NULL;
}
