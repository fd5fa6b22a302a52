/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects in a rig file, which stays as its author wrote it but for them. */
#include <ctype.h>
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
        return span->to > span->from;
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
    return replace(text, from, to, "");
}

/* At the first card, packet or round instead of a later one. */
static char *sooner(const char *text, struct span span)
{
    const char *at = memchr(text + span.from, '@', span.to - span.from);
    const char *number = at ? memchr(at, ':', (size_t)(text + span.to - at)) : NULL;

    if (!number || !isdigit((unsigned char)number[1]))
        return NULL;
    return replace(text, (size_t)(number + 1 - text), span.to, "1");
}

static bool shorten(struct trials *trials, struct failing_case *failing, struct span span)
{
    return try_rig(trials, failing, without(failing->rig, span)) ||
           try_rig(trials, failing, without_field(failing->rig, span)) ||
           try_rig(trials, failing, sooner(failing->rig, span));
}

/* After each that was taken out or changed the file is looked through anew. */
static bool shorten_any(struct trials *trials, struct failing_case *failing)
{
    struct span span = {0, 0};

    while (next_fault(failing->rig, span.to, &span)) {
        if (shorten(trials, failing, span))
            return true;
        while (next_in_list(failing->rig, &span))
            if (shorten(trials, failing, span))
                return true;
    }
    return false;
}

bool minimise_faults(struct trials *trials, struct failing_case *failing)
{
    bool is_smaller = false;

    while (shorten_any(trials, failing))
        is_smaller = true;
    return is_smaller;
}
