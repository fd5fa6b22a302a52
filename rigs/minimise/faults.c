/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects in a rig file, which stays as its author wrote it but for them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/minimise/minimise.h"

/* Where a defect is written: "wrong@card:2" in `fault: 'wrong@card:2,slow'` or `?fault=wrong`. */
struct span {
    size_t from, to;
};

static bool is_of_fault(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '@' || c == ':' || c == '.' || c == '_';
}

/* The defect after `from`; false when there is none. Comments are none. */
static bool next_fault(const char *text, size_t from, struct span *span)
{
    const char *at = text + from;

    while ((at = strstr(at, "fault"))) {
        const char *line = at, *value = at + strlen("fault");

        while (line > text && line[-1] != '\n')
            line--;
        if (memchr(line, '#', (size_t)(at - line)) || (at > text && at[-1] == '-') ||
            (*value != '=' && *value != ':')) {
            at = value;
            continue;
        }
        value += 1 + strspn(value + 1, " '\"");
        span->from = (size_t)(value - text);
        while (is_of_fault(*value))
            value++;
        span->to = (size_t)(value - text);
        if (span->to > span->from)
            return true;
        at = value;
    }
    return false;
}

/* The next one of a list that is joined by commas, in a field of its own. */
static bool next_in_list(const char *text, struct span *span)
{
    size_t at = span->to;

    if (text[at] != ',' || !strncmp(text + at + 1, "fault=", 6) || !is_of_fault(text[at + 1]))
        return false;
    span->from = ++at;
    while (is_of_fault(text[at]))
        at++;
    if (text[at] == '=')
        return false; /* another option of the address */
    span->to = at;
    return true;
}

/* All of them, one after the other, from a span of zeros on. */
static bool next_any(const char *text, struct span *span)
{
    return next_in_list(text, span) || next_fault(text, span->to, span);
}

static char *replace(const char *text, size_t from, size_t to, const char *with)
{
    size_t length = strlen(text);
    char *made = malloc(length - (to - from) + strlen(with) + 1);

    if (!made)
        return NULL;
    memcpy(made, text, from);
    strcpy(made + from, with);
    strcat(made + from, text + to);
    return made;
}

static bool try_rig(struct trials *trials, struct failing_case *failing, char *rig)
{
    char *before = failing->rig;

    if (!rig)
        return false;
    failing->rig = rig;
    if (strcmp(rig, before) != 0 && trials_fails(trials, failing)) {
        free(before);
        minimise_after(trials, failing);
        return true;
    }
    failing->rig = before;
    free(rig);
    return false;
}

/* Takes it out, with what joins it to its neighbours. */
static char *without(const char *text, struct span span)
{
    static const char word[] = "fault=";
    size_t from = span.from, to = span.to;
    bool is_option =
        from >= strlen(word) && !strncmp(text + from - strlen(word), word, strlen(word));

    if (is_option)
        from -= strlen(word);
    if (text[to] == ',')
        to++;
    else if (from && (text[from - 1] == ',' || (is_option && text[from - 1] == '?')))
        from--;
    return replace(text, from, to, "");
}

/* A field that has nothing left is no field. */
static char *without_field(const char *text, struct span span)
{
    const char *field = text + span.from;
    size_t from, to = span.to;

    while (field > text && strncmp(field, "fault", 5) != 0 && *field != '\n')
        field--;
    if (strncmp(field, "fault:", 6) != 0)
        return NULL;
    from = (size_t)(field - text);
    to += text[to] == '\'' || text[to] == '"';
    while (from && (text[from - 1] == ' ' || text[from - 1] == ','))
        from--;
    if (from && text[from - 1] == '{' && text[to] == ',')
        to++;
    return replace(text, from, to, "");
}

char *minimise_sound(const char *rig)
{
    struct span span = {0, 0};
    char *made = NULL;

    while (next_any(made ? made : rig, &span)) {
        const char *text = made ? made : rig;
        bool is_joined = text[span.to] == ',' && is_of_fault(text[span.to + 1]);
        char *less = is_joined ? NULL : without_field(text, span);

        if (!less)
            less = without(text, span);
        free(made);
        made = less;
        if (!made)
            return NULL;
        span = (struct span){0, 0};
    }
    return made;
}

/* The digits of its number; false where it has none. */
static bool find_number(const char *text, struct span span, struct span *digits, uint64_t *number)
{
    const char *at = memchr(text + span.from, '@', span.to - span.from);
    const char *colon = at ? memchr(at, ':', (size_t)(text + span.to - at)) : NULL;

    if (!colon || !isdigit((unsigned char)colon[1]))
        return false;
    *digits = (struct span){(size_t)(colon + 1 - text), span.to};
    *number = strtoull(colon + 1, NULL, 10);
    return true;
}

static char *with_number(const char *text, struct span digits, uint64_t number)
{
    char written[24];

    snprintf(written, sizeof written, "%" PRIu64, number);
    return replace(text, digits.from, digits.to, written);
}

/* Numbers above a limit at another one, which has no more digits. */
static char *renumber(const char *rig, uint64_t above, bool lowers)
{
    struct span span = {0, 0}, digits;
    char *made = NULL;
    uint64_t number;

    while (next_any(made ? made : rig, &span)) {
        const char *text = made ? made : rig;
        char *next;

        if (!find_number(text, span, &digits, &number) || number <= above)
            continue;
        next = with_number(text, digits, lowers ? number - above : above);
        if (!next)
            break;
        span.to -= strlen(text) - strlen(next);
        free(made);
        made = next;
    }
    return made;
}

char *minimise_lowered(const char *rig, uint64_t by)
{
    return renumber(rig, by, true);
}

char *minimise_numbered(const char *rig, uint64_t number)
{
    return renumber(rig, number, false);
}

/*
 * At the first card, packet or round instead of a later one; or at the second, the fourth; or else
 * sooner by a half, a quarter, by one.
 */
static bool sooner(struct trials *trials, struct failing_case *failing, struct span span)
{
    struct span digits;
    uint64_t number;

    if (!find_number(failing->rig, span, &digits, &number))
        return false;
    for (uint64_t less = 1; less < number; less *= 2)
        if (try_rig(trials, failing, with_number(failing->rig, digits, less)))
            return true;
    for (uint64_t by = number / 2; by; by /= 2)
        if (try_rig(trials, failing, with_number(failing->rig, digits, number - by)))
            return true;
    return false;
}

static bool shorten(struct trials *trials, struct failing_case *failing, struct span span)
{
    return try_rig(trials, failing, without(failing->rig, span)) ||
           try_rig(trials, failing, without_field(failing->rig, span)) ||
           sooner(trials, failing, span);
}

/* After each that was taken out or changed the file is looked through anew. */
static bool shorten_any(struct trials *trials, struct failing_case *failing)
{
    struct span span = {0, 0};

    while (next_any(failing->rig, &span))
        if (shorten(trials, failing, span))
            return true;
    return false;
}

bool minimise_faults(struct trials *trials, struct failing_case *failing)
{
    bool is_smaller = false;

    while (shorten_any(trials, failing))
        is_smaller = true;
    return is_smaller;
}
