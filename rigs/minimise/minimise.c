/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/minimise/minimise.h"

#include <stdlib.h>
#include <string.h>

#define PASSES_MAX 8

/* Without so many rounds from there on; the rounds stay the case's. */
static bool fails_without(struct trials *trials, const struct failing_case *failing, size_t from,
                          size_t count)
{
    struct failing_case less = *failing;
    bool fails;

    less.count = failing->count - count;
    less.rounds = calloc(less.count ? less.count : 1, sizeof *less.rounds);
    if (!less.rounds || !less.count) {
        free(less.rounds);
        return false;
    }
    memcpy(less.rounds, failing->rounds, from * sizeof *less.rounds);
    memcpy(less.rounds + from, failing->rounds + from + count,
           (less.count - from) * sizeof *less.rounds);
    fails = trials_fails(trials, &less);
    free(less.rounds);
    return fails;
}

static void drop(struct failing_case *failing, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++)
        free(failing->rounds[i].line);
    memmove(failing->rounds + from, failing->rounds + from + count,
            (failing->count - from - count) * sizeof *failing->rounds);
    failing->count -= count;
}

/* Chunks from the end, half of them at first and single rounds at last. */
bool minimise_rounds(struct trials *trials, struct failing_case *failing)
{
    size_t before = failing->count;

    for (size_t chunk = (failing->count + 1) / 2; chunk; chunk /= 2) {
        size_t at = failing->count;

        while (at) {
            size_t from = at > chunk ? at - chunk : 0;

            if (fails_without(trials, failing, from, at - from))
                drop(failing, from, at - from);
            at = from;
        }
    }
    return failing->count < before;
}

bool minimise_try_line(struct trials *trials, struct failing_case *failing, size_t index,
                       char *line)
{
    char *before = failing->rounds[index].line;

    if (!line)
        return false;
    failing->rounds[index].line = line;
    if (strcmp(line, before) != 0 && trials_fails(trials, failing)) {
        free(before);
        return true;
    }
    failing->rounds[index].line = before;
    free(line);
    return false;
}

/* The header without one of its fields. */
static char *header_without(const struct json_value *header, const char *key)
{
    char text[LINES_LONGEST];
    struct json_text out;
    bool is_first = true;

    json_text_begin(&out, text, sizeof text - 1);
    JSON_TEXT_PUT(&out, "{");
    JSON_EACH (value, header) {
        if (!strcmp(value->key, key))
            continue;
        if (!is_first)
            JSON_TEXT_PUT(&out, ",");
        is_first = false;
        json_text_string(&out, value->key);
        JSON_TEXT_PUT(&out, ":");
        json_text_value(&out, value);
    }
    JSON_TEXT_PUT(&out, "}");
    *out.at = '\0';
    return out.full ? NULL : strdup(text);
}

/* What it says of the table; where it comes from stays. */
static bool minimise_header(struct trials *trials, struct failing_case *failing)
{
    static const char *const keys[] = {"meters", "must-hit", "tables", "rules",
                                       "decks",  "burn",     "deal"};
    bool is_smaller = false;

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct json_value *header =
            json_read(trials->json[0], failing->header, strlen(failing->header), NULL);
        char *before = failing->header;
        char *less = json_member(header, keys[i]) ? header_without(header, keys[i]) : NULL;

        if (!less)
            continue;
        failing->header = less;
        if (trials_fails(trials, failing)) {
            free(before);
            is_smaller = true;
        } else {
            failing->header = before;
            free(less);
        }
    }
    return is_smaller;
}

void minimise(struct trials *trials, struct failing_case *failing)
{
    bool is_smaller = true;

    for (unsigned pass = 0; pass < PASSES_MAX && is_smaller; pass++) {
        is_smaller = minimise_rounds(trials, failing);
        is_smaller |= minimise_faults(trials, failing);
        if (is_smaller)
            continue; /* a defect that comes sooner needs fewer rounds */
        for (size_t i = 0; i < failing->count; i++)
            is_smaller |= minimise_round(trials, failing, i);
        is_smaller |= minimise_header(trials, failing);
    }
}
