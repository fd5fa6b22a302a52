/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"

static int refuse_line(const char *address, const char *line, const struct gpio_line_info *lines,
                       size_t count, struct error *error)
{
    struct name_list names;

    name_list_start(&names);
    for (size_t i = 0; i < count; i++)
        if (lines[i].name[0])
            name_list_add(&names, lines[i].name);
    return error_set(error, ERROR_CONFIG,
                     "%s: no line '%s'; write an offset from 0 to %zu, or one of the names: %s",
                     address, line, count - 1, name_list_text(&names));
}

/* A number of decimal digits below `count`, or -1. */
static int parse_offset(const char *text, size_t count)
{
    size_t digits = strspn(text, "0123456789");
    unsigned long offset;

    if (!digits || text[digits] || digits > 9)
        return -1;
    offset = strtoul(text, NULL, 10);
    return offset < count ? (int)offset : -1;
}

static int find_line(const char *address, const char *wanted, const struct gpio_line_info *lines,
                     size_t count, unsigned *offset, struct error *error)
{
    int found = -1, by_number;

    for (unsigned i = 0; i < count; i++) {
        if (strcmp(lines[i].name, wanted))
            continue;
        if (found >= 0)
            return error_set(error, ERROR_CONFIG,
                             "%s: both line %d and line %u are named '%s'; write the offset",
                             address, found, i, wanted);
        found = (int)i;
    }
    by_number = parse_offset(wanted, count);
    if (found < 0)
        found = by_number;
    if (found < 0)
        return refuse_line(address, wanted, lines, count, error);
    *offset = (unsigned)found;
    return 0;
}

static int check_free(const char *address, const char *wanted, unsigned offset,
                      const struct gpio_line_info *line, struct error *error)
{
    if (!line->used)
        return 0;
    return error_set(error, ERROR_RIG,
                     "%s: line '%s' (offset %u) is in use by %s%s%s; free it, or "
                     "use another line",
                     address, wanted, offset, line->consumer[0] ? "'" : "",
                     line->consumer[0] ? line->consumer : "the kernel or an unnamed program",
                     line->consumer[0] ? "'" : "");
}

static int check_twice(const char *address, const char *wanted, const unsigned *offsets, size_t pin,
                       struct error *error)
{
    for (size_t i = 0; i < pin; i++)
        if (offsets[i] == offsets[pin])
            return error_set(error, ERROR_CONFIG,
                             "%s: line '%s' is asked for twice, as pins %zu "
                             "and %zu",
                             address, wanted, i, pin);
    return 0;
}

static int resolve_one(const char *address, const struct gpio_line_info *lines, size_t line_count,
                       const char *wanted, size_t pin, unsigned *offsets, struct error *error)
{
    int result = find_line(address, wanted, lines, line_count, &offsets[pin], error);

    if (!result)
        result = check_twice(address, wanted, offsets, pin, error);
    if (!result)
        result = check_free(address, wanted, offsets[pin], &lines[offsets[pin]], error);
    return result;
}

int pins_resolve(const char *address, const struct gpio_line_info *lines, size_t line_count,
                 const struct pin_request *requests, size_t count, unsigned *offsets,
                 struct error *error)
{
    int result = 0;

    for (size_t pin = 0; pin < count && !result; pin++)
        result = resolve_one(address, lines, line_count, requests[pin].line, pin, offsets, error);
    return result;
}
