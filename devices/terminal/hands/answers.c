/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/hands/answers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define BETWEEN " \t,;"

static const char *skip(const char *text)
{
    return text + strspn(text, BETWEEN);
}

static bool is_none(const char *text)
{
    return !strcasecmp(text, "none");
}

/* Whether a comma parts thousands: three digits follow it, and then no digit. */
static bool parts_thousands(const char *at)
{
    return *at == ',' && isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) &&
           isdigit((unsigned char)at[3]) && !isdigit((unsigned char)at[4]);
}

const char *hands_dollars(const char *text, uint64_t *micros, uint64_t *unit)
{
    uint64_t dollars = 0;

    text += *text == '$';
    if (!isdigit((unsigned char)*text))
        return NULL;
    for (; isdigit((unsigned char)*text) || parts_thousands(text); text++)
        if (*text != ',' && (dollars = 10 * dollars + (uint64_t)(*text - '0')) > 1000000000)
            return NULL;
    *micros = dollars * TERMINAL_MICROS_PER_DOLLAR;
    *unit = TERMINAL_MICROS_PER_DOLLAR;
    if (*text != '.')
        return text;
    for (text++; isdigit((unsigned char)*text); text++) {
        if (*unit == 1)
            return NULL;
        *unit /= 10;
        *micros += *unit * (uint64_t)(*text - '0');
    }
    return text;
}

int hands_seats(const char *text, uint8_t *seats, struct error *error)
{
    const char *at = skip(text);

    *seats = 0;
    if (is_none(at))
        return 0;
    for (; *at >= '1' && *at <= '0' + TERMINAL_SEATS; at = skip(at + 1))
        *seats |= (uint8_t)(1u << (*at - '0'));
    return *at || !*seats ? error_set(error, ERROR_CONFIG,
                                      "'%.40s' are no seats; write them as in 1 4, or none", text)
                          : 0;
}

int hands_cents(const char *text, uint64_t *cents, struct error *error)
{
    uint64_t micros = 0, unit;
    const char *end = is_none(text) ? text + strlen(text) : hands_dollars(text, &micros, &unit);

    *cents = micros / TERMINAL_MICROS_PER_CENT;
    return !end || *end || micros % TERMINAL_MICROS_PER_CENT
               ? error_set(error, ERROR_CONFIG,
                           "'%.40s' is no amount; write dollars and cents, as in 150.00, or none",
                           text)
               : 0;
}

int hands_award(const char *text, struct terminal_sign *sign, struct error *error)
{
    const char *at = skip(text);
    bool is_seat = *at >= '1' && *at <= '0' + TERMINAL_SEATS && strchr(BETWEEN, at[1]) && at[1];

    *sign = (struct terminal_sign){.meter = TERMINAL_NONE};
    if (is_none(at))
        return 0;
    if (is_seat && !hands_cents(skip(at + 1), &sign->cents, NULL)) {
        sign->seat = (uint8_t)(*at - '0');
        return 0;
    }
    return error_set(error, ERROR_CONFIG,
                     "'%.40s' is no award; write seat and dollars, as in 3 150.00, or none", text);
}

int hands_meters(const char *text, unsigned count, struct terminal_meters *meters,
                 struct error *error)
{
    const char *at = skip(text);
    unsigned read = 0;

    for (; at && *at && read < count; at = at ? skip(at) : NULL) {
        at = hands_dollars(at, &meters->meter[read].micros, &meters->meter[read].within);
        read += at != NULL;
    }
    return !at || *at || read < count
               ? error_set(
                     error, ERROR_CONFIG,
                     "'%.80s' are not %u amounts; write dollars, as in 10000.10, with a blank "
                     "between two of them",
                     text, count)
               : 0;
}
