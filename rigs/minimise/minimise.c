/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/minimise/minimise.h"

#include <stdlib.h>
#include <string.h>

/* The highest number that a defect is given at a guess. */
#define SOONEST_MAX 4096

static void drop(struct failing_case *failing, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++)
        free(failing->rounds[i].line);
    memmove(failing->rounds + from, failing->rounds + from + count,
            (failing->count - from - count) * sizeof *failing->rounds);
    failing->count -= count;
}

void minimise_after(const struct trials *trials, struct failing_case *failing)
{
    if (trials->at + 1 < failing->count)
        drop(failing, trials->at + 1, failing->count - trials->at - 1);
}

/* Without so many rounds from there on, on this rig; the rounds stay the case's. */
static bool fails_without(struct trials *trials, const struct failing_case *failing, size_t from,
                          size_t count, char *rig)
{
    struct failing_case less = *failing;
    bool fails;

    less.count = failing->count - count;
    less.rig = rig;
    if (!less.count || !trials_can(trials, less.count))
        return false;
    less.rounds = calloc(less.count, sizeof *less.rounds);
    if (!less.rounds)
        return false;
    memcpy(less.rounds, failing->rounds, from * sizeof *less.rounds);
    memcpy(less.rounds + from, failing->rounds + from + count,
           (less.count - from) * sizeof *less.rounds);
    fails = trials_fails(trials, &less);
    free(less.rounds);
    return fails;
}

/* Leaves them out where the case still fails so on a rig, which it takes; NULL: on its own. */
static bool leave_out(struct trials *trials, struct failing_case *failing, size_t from,
                      size_t count, char *rig)
{
    if (!fails_without(trials, failing, from, count, rig ? rig : failing->rig)) {
        free(rig);
        return false;
    }
    if (rig) {
        free(failing->rig);
        failing->rig = rig;
    }
    drop(failing, from, count);
    minimise_after(trials, failing);
    return true;
}

/* A defect that counts rounds, or what comes once in each, shows as many of them sooner. */
static bool leave_out_or_lower(struct trials *trials, struct failing_case *failing, size_t from,
                               size_t count)
{
    char *lowered;

    if (leave_out(trials, failing, from, count, NULL))
        return true;
    lowered = minimise_lowered(failing->rig, count);
    return lowered && leave_out(trials, failing, from, count, lowered);
}

/* What counts something else may come with the first of it, or the second, the fourth. */
static bool leave_out_soonest(struct trials *trials, struct failing_case *failing, size_t count,
                              uint64_t highest)
{
    char *rig;

    for (uint64_t number = 1; number <= highest; number *= 2) {
        rig = minimise_numbered(failing->rig, number);
        if (!rig)
            return false;
        if (leave_out(trials, failing, 0, count, rig))
            return true;
    }
    return false;
}

/*
 * What comes before the last round, in which it fails: all of it, or else all but one, three,
 * seven. So the length of an evening costs little where the defect needs little of it.
 */
bool minimise_before(struct trials *trials, struct failing_case *failing)
{
    for (size_t kept = 1; kept < failing->count; kept *= 2) {
        size_t count = failing->count - kept;

        if (leave_out_or_lower(trials, failing, 0, count) ||
            leave_out_soonest(trials, failing, count, kept == 1 ? SOONEST_MAX : 1))
            return true;
    }
    return false;
}

/* Chunks from the end, half of them at first and single rounds at last. */
bool minimise_rounds(struct trials *trials, struct failing_case *failing)
{
    size_t before = failing->count;

    for (size_t chunk = (failing->count + 1) / 2; chunk; chunk /= 2) {
        size_t at = failing->count;

        while (at) {
            size_t from = at > chunk ? at - chunk : 0;

            leave_out_or_lower(trials, failing, from, at - from);
            at = from < failing->count ? from : failing->count;
        }
    }
    return failing->count < before;
}

bool minimise_try_line(struct trials *trials, struct failing_case *failing, size_t index,
                       char *line, char *rig)
{
    struct case_round *round = &failing->rounds[index];
    struct case_round before = *round;
    char *rig_before = failing->rig;
    bool fails;

    if (line) {
        round->line = line;
        round->length = strlen(line);
    }
    if (rig)
        failing->rig = rig;
    fails = line && (round->length != before.length || memcmp(line, before.line, before.length)) &&
            trials_fails(trials, failing);
    if (fails) {
        free(before.line);
        free(rig ? rig_before : NULL);
        failing->is_changed = true;
        minimise_after(trials, failing);
        return true;
    }
    *round = before;
    failing->rig = rig_before;
    free(line);
    free(rig);
    return false;
}

char *minimise_header_without(const struct json_value *header, const char *key, const char *more)
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
    json_text_raw(&out, more, strlen(more));
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
        char *less =
            json_member(header, keys[i]) ? minimise_header_without(header, keys[i], "") : NULL;

        if (!less)
            continue;
        failing->header = less;
        if (trials_fails(trials, failing)) {
            free(before);
            minimise_after(trials, failing);
            failing->is_changed = is_smaller = true;
        } else {
            failing->header = before;
            free(less);
        }
    }
    return is_smaller;
}

/* The devices of the rig as they should be; those which are real as the emulated rig has them. */
static char *sound_rig(const struct trials *trials, const struct failing_case *failing)
{
    struct rig *rig;
    char *text = NULL;

    if (rig_parse(&rig, trials->rig_path, failing->rig, strlen(failing->rig), NULL))
        return NULL;
    if (rig_is_all_emulated(rig)) {
        rig_free(rig);
        return minimise_sound(failing->rig);
    }
    rig_free(rig);
    if (!rig_default(&rig, NULL)) {
        text = strndup(rig->text, rig->text_size);
        rig_free(rig);
    }
    return text;
}

void minimise(struct trials *trials, struct failing_case *failing)
{
    bool is_smaller = true;

    minimise_after(trials, failing);
    trials_compare(trials, failing, sound_rig(trials, failing));
    while (is_smaller) {
        is_smaller = minimise_before(trials, failing);
        is_smaller |= minimise_rounds(trials, failing);
        is_smaller |= minimise_faults(trials, failing);
        if (is_smaller)
            continue; /* a defect that comes sooner needs fewer rounds */
        is_smaller = minimise_burn(trials, failing);
        for (size_t i = 0; i < failing->count; i++)
            is_smaller |= minimise_round(trials, failing, i);
        is_smaller |= minimise_header(trials, failing);
    }
    if (failing->is_changed)
        minimise_source(trials, failing);
}
