/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/scripts/pattern.h"

#include <ctype.h>
#include <string.h>

#define ESCAPE '%'

static const char *match(struct pattern *self, const char *s, const char *p);

static const char *mistaken(struct pattern *self, const char *what)
{
    if (!self->mistake)
        self->mistake = what;
    return NULL;
}

/* False once they are used up: then nothing matches any more. */
static bool use_step(struct pattern *self)
{
    return --self->steps >= 0 && !self->mistake;
}

/* A set is looked through for every character, and for its end. */
static bool use_set(struct pattern *self, const char *p, const char *end)
{
    self->steps -= (end - p) / 8;
    return use_step(self);
}

/* Behind a single item, which is a character, a class or a set; NULL for one without an end. */
static const char *item_end(struct pattern *self, const char *p)
{
    const char *end = self->text_end, *start = p;

    if (*p == ESCAPE)
        return p + 1 < end ? p + 2 : mistaken(self, "it ends with '%'");
    if (*p != '[')
        return p + 1;
    p++;
    if (p < end && *p == '^')
        p++;
    do {
        if (p >= end)
            return mistaken(self, "a '[' has no ']'");
        if (*p++ == ESCAPE)
            p++;
    } while (p >= end || *p != ']');
    return use_set(self, start, p) ? p + 1 : NULL;
}

static bool in_class(int c, int class)
{
    bool is_in;

    switch (tolower(class)) {
    case 'a':
        is_in = isalpha(c);
        break;
    case 'c':
        is_in = iscntrl(c);
        break;
    case 'd':
        is_in = isdigit(c);
        break;
    case 'g':
        is_in = isgraph(c);
        break;
    case 'l':
        is_in = islower(c);
        break;
    case 'p':
        is_in = ispunct(c);
        break;
    case 's':
        is_in = isspace(c);
        break;
    case 'u':
        is_in = isupper(c);
        break;
    case 'w':
        is_in = isalnum(c);
        break;
    case 'x':
        is_in = isxdigit(c);
        break;
    default:
        return class == c;
    }
    return isupper(class) ? !is_in : is_in;
}

/* A set from its '[' to its ']', both included. */
static bool in_set(int c, const char *p, const char *last)
{
    bool is_wanted = true;

    if (*++p == '^') {
        is_wanted = false;
        p++;
    }
    for (; p < last; p++) {
        if (*p == ESCAPE) {
            if (in_class(c, (unsigned char)*++p))
                return is_wanted;
        } else if (p[1] == '-' && p + 2 < last) {
            if ((unsigned char)*p <= c && c <= (unsigned char)p[2])
                return is_wanted;
            p += 2;
        } else if ((unsigned char)*p == c) {
            return is_wanted;
        }
    }
    return !is_wanted;
}

static bool fits(struct pattern *self, const char *s, const char *p, const char *end)
{
    int c;

    if (s >= self->subject_end || !use_step(self))
        return false;
    c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case ESCAPE:
        return in_class(c, (unsigned char)p[1]);
    case '[':
        return use_set(self, p, end) && in_set(c, p, end - 1);
    default:
        return (unsigned char)*p == c;
    }
}

/* As many as there are, and fewer until the rest fits. */
static const char *match_most(struct pattern *self, const char *s, const char *p, const char *end)
{
    ptrdiff_t count = 0;

    while (fits(self, s + count, p, end))
        count++;
    for (; count >= 0 && use_step(self); count--) {
        const char *found = match(self, s + count, end + 1);

        if (found)
            return found;
    }
    return NULL;
}

/* As few as will do. */
static const char *match_fewest(struct pattern *self, const char *s, const char *p, const char *end)
{
    for (;;) {
        const char *found = match(self, s, end + 1);

        if (found)
            return found;
        if (!fits(self, s, p, end))
            return NULL;
        s++;
    }
}

static const char *open_capture(struct pattern *self, const char *s, const char *p,
                                ptrdiff_t length)
{
    const char *found;

    if (self->count >= PATTERN_CAPTURES)
        return mistaken(self, "it has too many captures");
    self->captures[self->count].start = s;
    self->captures[self->count++].length = length;
    found = match(self, s, p);
    if (!found)
        self->count--;
    return found;
}

static const char *close_capture(struct pattern *self, const char *s, const char *p)
{
    unsigned at = self->count;
    const char *found;

    while (at > 0 && self->captures[at - 1].length != PATTERN_UNCLOSED)
        at--;
    if (!at)
        return mistaken(self, "a ')' has no '('");
    at--;
    self->captures[at].length = s - self->captures[at].start;
    found = match(self, s, p);
    if (!found)
        self->captures[at].length = PATTERN_UNCLOSED;
    return found;
}

/* "%1": what that capture holds stands here again; a position holds nothing. */
static const char *match_again(struct pattern *self, const char *s, char digit)
{
    unsigned at = (unsigned)(digit - '1');
    size_t length;

    if (at >= self->count || self->captures[at].length == PATTERN_UNCLOSED)
        return mistaken(self, "it refers to a capture that is not there");
    if (self->captures[at].length < 0)
        return NULL;
    length = (size_t)self->captures[at].length;
    self->steps -= (int64_t)(length / 16);
    if ((size_t)(self->subject_end - s) < length ||
        memcmp(self->captures[at].start, s, length) != 0)
        return NULL;
    return s + length;
}

/* "%b()": from the first character to the second that balances it. */
static const char *match_balanced(struct pattern *self, const char *s, const char *p)
{
    unsigned open = 1;

    if (p + 1 >= self->text_end)
        return mistaken(self, "'%b' wants two characters");
    if (s >= self->subject_end || *s != *p)
        return NULL;
    while (++s < self->subject_end && use_step(self)) {
        if (*s == p[1]) {
            if (--open == 0)
                return s + 1;
        } else if (*s == *p) {
            open++;
        }
    }
    return NULL;
}

/* "%f[set]": where characters of the set begin. */
static bool is_frontier(struct pattern *self, const char *s, const char *p, const char *end)
{
    int before = s == self->subject ? 0 : (unsigned char)s[-1];
    int after = s == self->subject_end ? 0 : (unsigned char)*s;

    return use_set(self, p, end) && !in_set(before, p, end - 1) && in_set(after, p, end - 1);
}

/* What follows a '%' that is no class: `*is_done` unless it is one. Else the rest is at `*p`. */
static const char *match_special(struct pattern *self, const char *s, const char **p, bool *is_done)
{
    const char *end, *at = *p;

    *is_done = true;
    if (at + 1 < self->text_end && at[1] == 'b') {
        *p = at + 4;
        return match_balanced(self, s, at + 2);
    }
    if (at + 1 < self->text_end && at[1] == 'f') {
        if (at + 2 >= self->text_end || at[2] != '[')
            return mistaken(self, "'%f' wants a set");
        end = item_end(self, at + 2);
        *p = end;
        return end && is_frontier(self, s, at + 2, end) ? s : NULL;
    }
    if (at + 1 < self->text_end && isdigit((unsigned char)at[1])) {
        *p = at + 2;
        return at[1] == '0' ? mistaken(self, "'%0' is no capture") : match_again(self, s, at[1]);
    }
    *is_done = false;
    return NULL;
}

/* A single item and how often it may come. NULL unless `*s` and `*p` go on behind it. */
static const char *match_item(struct pattern *self, const char **s, const char **p, bool *goes_on)
{
    const char *end = item_end(self, *p);
    char how = end && end < self->text_end ? *end : '\0';
    const char *found;

    *goes_on = false;
    if (!end)
        return NULL;
    switch (how) {
    case '*':
        return match_most(self, *s, *p, end);
    case '+':
        return fits(self, *s, *p, end) ? match_most(self, *s + 1, *p, end) : NULL;
    case '-':
        return match_fewest(self, *s, *p, end);
    case '?':
        if (fits(self, *s, *p, end) && (found = match(self, *s + 1, end + 1)))
            return found;
        *p = end + 1;
        break;
    default:
        if (!fits(self, *s, *p, end))
            return NULL;
        ++*s;
        *p = end;
    }
    *goes_on = true;
    return NULL;
}

static const char *match_rest(struct pattern *self, const char *s, const char *p)
{
    while (p < self->text_end) {
        const char *found;
        bool is_special = false, goes_on;

        if (!use_step(self))
            return NULL;
        if (*p == '(')
            return p + 1 < self->text_end && p[1] == ')'
                       ? open_capture(self, s, p + 2, PATTERN_POSITION)
                       : open_capture(self, s, p + 1, PATTERN_UNCLOSED);
        if (*p == ')')
            return close_capture(self, s, p + 1);
        if (*p == '$' && p + 1 == self->text_end)
            return s == self->subject_end ? s : NULL;
        if (*p == ESCAPE) {
            found = match_special(self, s, &p, &is_special);
            if (is_special && !found)
                return NULL;
            if (is_special) {
                s = found;
                continue;
            }
        }
        found = match_item(self, &s, &p, &goes_on);
        if (!goes_on)
            return found;
    }
    return s;
}

static const char *match(struct pattern *self, const char *s, const char *p)
{
    const char *found;

    if (self->depth >= PATTERN_DEPTH)
        return mistaken(self, "it is too complex");
    self->depth++;
    found = match_rest(self, s, p);
    self->depth--;
    return found;
}

void pattern_begin(struct pattern *pattern, const char *subject, size_t length, const char *text,
                   size_t size, int64_t steps)
{
    pattern->subject = subject;
    pattern->subject_end = subject + length;
    pattern->text = text;
    pattern->text_end = text + size;
    pattern->steps = steps;
    pattern->depth = 0;
    pattern->mistake = NULL;
    pattern->count = 0;
}

const char *pattern_match(struct pattern *pattern, const char *from)
{
    const char *end;

    pattern->count = 0;
    end = match(pattern, from, pattern->text);
    if (!end || pattern->mistake || pattern->steps < 0)
        return NULL;
    for (unsigned i = 0; i < pattern->count; i++)
        if (pattern->captures[i].length == PATTERN_UNCLOSED)
            return mistaken(pattern, "a '(' has no ')'");
    return end;
}
