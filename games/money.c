/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/money.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits, then perhaps a point and one to `decimals` digits more, counted in units of the last. */
static bool decimal_parse(const char *text, unsigned decimals, int64_t maximum, int64_t *value)
{
    int64_t whole = 0, fraction = 0, scale = 1;

    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++) {
        whole = whole * 10 + (*text - '0');
        if (whole > maximum)
            return false;
    }
    if (*text == '.') {
        if (!is_digit(*++text))
            return false;
        for (; is_digit(*text) && decimals; text++, decimals--, scale *= 10)
            fraction = fraction * 10 + (*text - '0');
    }
    for (; decimals; decimals--, scale *= 10)
        fraction *= 10;
    if (*text || whole > maximum / scale)
        return false;
    *value = whole * scale + fraction;
    return *value <= maximum;
}

int micros_parse(const char *text, micros_t *value, struct error *error)
{
    if (!decimal_parse(text, 6, METER_MAX, value))
        return error_set(error, ERROR_CONFIG,
                         "'%.40s' is not an amount of dollars; write digits with at most six "
                         "decimals, as in '10000.00', and no more than 1000000000",
                         text);
    return 0;
}

int rate_parse(const char *text, int32_t *basis_points, struct error *error)
{
    int64_t value;

    if (!decimal_parse(text, 2, RATE_MAX, &value))
        return error_set(error, ERROR_CONFIG,
                         "'%.40s' is not a rate; write per cent with at most two decimals, as in "
                         "'1.25', and no more than 100",
                         text);
    *basis_points = (int32_t)value;
    return 0;
}

size_t micros_format(micros_t value, char text[MICROS_TEXT_SIZE])
{
    char digits[MICROS_TEXT_SIZE];
    char *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t length;

    *--at = '\0';
    for (unsigned i = 0; i < 6; i++, rest /= 10)
        *--at = (char)('0' + rest % 10);
    *--at = '.';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--at = '-';
    length = (size_t)(digits + sizeof digits - 1 - at);
    memcpy(text, at, length + 1);
    return length;
}
