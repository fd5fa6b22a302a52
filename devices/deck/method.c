/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods of shuffling as text: "uniform", "riffle:7", "bias:0.05", "lcg:down-modulo". */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/deck/shuffle.h"
#include "devices/deck/weak.h"

#define DECIMALS 6 /* of a chance, kept in parts per million */

/* By enum shuffle_kind, but for SHUFFLE_WEAK, whose names are those of the catalogue. */
static const struct method {
    const char *name;
    uint32_t most;    /* what its amount may be, from 1; 0: it has none */
    uint32_t usually; /* where none is given; 0: it must be given */
    bool is_chance;   /* written as a fraction of 1 */
} methods[] = {
    [SHUFFLE_UNIFORM] = {.name = "uniform"},
    [SHUFFLE_RIFFLE] = {.name = "riffle", .most = 100},
    [SHUFFLE_SHELF] = {.name = "shelf", .most = 1000},
    [SHUFFLE_STUCK] = {.name = "stuck", .most = 1000000},
    [SHUFFLE_BIAS] = {.name = "bias", .most = 1000000, .is_chance = true},
    [SHUFFLE_OVERHAND] = {.name = "overhand", .most = 10000, .usually = 1},
    [SHUFFLE_MOVES] = {.name = "moves", .most = 1000000},
    [SHUFFLE_SLOT] = {.name = "slot", .most = 1000000, .is_chance = true},
    [SHUFFLE_STICK] = {.name = "stick", .most = 1000000, .is_chance = true},
};
#define METHODS (sizeof methods / sizeof methods[0])

static int no_method(const char *text, size_t length, struct error *error)
{
    return error_set(
        error, ERROR_CONFIG,
        "'%.*s' is no way to shuffle; write uniform, riffle:K (1 to 100 riffles), "
        "shelf:M (1 to 1000 shelves), stuck:N (1 to 1000000 orders that come round), "
        "moves:N (1 to 1000000 permutations), bias:E (the top card stays, a chance from "
        "0.000001 to 1), slot:E (place 7 goes to 12), stick:E (8d on Qc), "
        "overhand[:K] (1 to 10000 passes) or a weak generator as lcg:down-modulo, of which "
        "'dealproof shuffles --generators' has a list",
        (int)(length < 40 ? length : 40), text);
}

/* Digits up to `most`; returns how many there were, 0 when it is no such number. */
static size_t read_digits(const char *text, size_t length, uint32_t most, uint32_t *number)
{
    size_t digits = 0;
    uint32_t value = 0;

    while (digits < length && isdigit((unsigned char)text[digits])) {
        value = value * 10 + (uint32_t)(text[digits++] - '0');
        if (value > most)
            return 0;
    }
    *number = value;
    return digits;
}

/* "0.05" as parts per million. */
static bool read_chance(const char *text, size_t length, uint32_t *chance)
{
    uint32_t whole, parts = 0;
    size_t digits = read_digits(text, length, 1, &whole), decimals = 0;

    if (!digits)
        return false;
    if (digits < length) {
        decimals = length - digits - 1;
        if (text[digits] != '.' || !decimals || decimals > DECIMALS ||
            read_digits(text + digits + 1, decimals, 999999, &parts) != decimals)
            return false;
    }
    for (; decimals < DECIMALS; decimals++)
        parts *= 10;
    *chance = whole * 1000000 + parts;
    return true;
}

static bool read_amount(const struct method *method, const char *text, size_t length,
                        uint32_t *amount)
{
    bool is_read = method->is_chance
                       ? read_chance(text, length, amount)
                       : length && read_digits(text, length, method->most, amount) == length;

    return is_read && *amount >= 1 && *amount <= method->most;
}

int shuffle_method_parse(const char *text, size_t length, struct shuffle_method *method,
                         struct error *error)
{
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : length;
    size_t kind = 0;

    while (kind < METHODS &&
           (strlen(methods[kind].name) != name || memcmp(methods[kind].name, text, name) != 0))
        kind++;
    if (kind == METHODS) {
        method->kind = SHUFFLE_WEAK;
        return weak_entry_find(text, length, &method->amount) ? 0 : no_method(text, length, error);
    }
    method->kind = (enum shuffle_kind)kind;
    method->amount = methods[kind].usually;
    if (colon ? !methods[kind].most ||
                    !read_amount(&methods[kind], colon + 1, length - name - 1, &method->amount)
              : methods[kind].most && !methods[kind].usually)
        return no_method(text, length, error);
    return 0;
}

void shuffle_method_text(const struct shuffle_method *method, char text[SHUFFLE_METHOD_TEXT])
{
    const struct method *known = &methods[method->kind % METHODS];
    int used;

    if (method->kind == SHUFFLE_WEAK) {
        weak_entry_text(method->amount, text);
    } else if (known->is_chance) {
        used = snprintf(text, SHUFFLE_METHOD_TEXT, "%s:%" PRIu32 ".%06" PRIu32, known->name,
                        method->amount / 1000000, method->amount % 1000000);
        while (text[used - 1] == '0')
            text[--used] = '\0';
        if (text[used - 1] == '.')
            text[used - 1] = '\0';
    } else if (known->most) {
        snprintf(text, SHUFFLE_METHOD_TEXT, "%s:%" PRIu32, known->name, method->amount);
    } else {
        snprintf(text, SHUFFLE_METHOD_TEXT, "%s", known->name);
    }
}
