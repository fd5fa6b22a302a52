/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/compare.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_fields.h"
#include "rigs/checks/book.h"

struct comparison {
    struct journal_reader *was, *now;
    struct journal_line mine, other; /* the lines that are compared */
    bool has_other;
    bool has_begun;          /* a recording, whose rest the first journal may not have */
    bool is_short;           /* a recording was left before its end, as benches side by side are */
    struct error difference; /* the first, which may be where the run was cut short */
    bool differs;
    bool is_of_others; /* another version or build has written the first one */
};

/* From the time on, and without a seal. */
static const char *body_of(const struct journal_line *line, size_t *length)
{
    static const char seal[] = ",\"seal\":\"";
    const char *start = memmem(line->text, line->length, ",\"t\":", 5);
    size_t tail = sizeof seal - 1 + DIGEST_DIGITS + strlen("\"}");

    *length = line->length - (size_t)(start - line->text);
    if (line->kind == JOURNAL_END && *length > tail)
        *length -= tail;
    return start;
}

static bool is_same_start(const struct json_value *mine, const struct json_value *other)
{
    static const char *const keys[] = {"journal", "rig", "seed", "clock"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!json_same(json_member(mine, keys[i]), json_member(other, keys[i])))
            return false;
    /* Earlier versions did not say how many there are to play. */
    if (json_member(mine, "rounds") && json_member(other, "rounds") &&
        !json_same(json_member(mine, "rounds"), json_member(other, "rounds")))
        return false;
    mine = json_member(mine, "files");
    other = json_member(other, "files");
    return !mine || !other || json_same(mine, other); /* those of a bundle have no path */
}

static bool has_text(const struct journal_line *line, const char *key, const char *text)
{
    const char *here = json_chars(json_member(line->fields, key));

    return here && !strcmp(here, text);
}

/*
 * Earlier builds said that no round has asked for a check also where one did not pass and may not
 * have come so far. Nothing else of such a line may differ.
 */
static bool is_reason_of_others(const struct comparison *comparison)
{
    const struct json_value *mine = comparison->mine.fields, *other = comparison->other.fields;

    if (!comparison->is_of_others || comparison->mine.kind != JOURNAL_CHECK ||
        !has_text(&comparison->mine, "why", CHECK_UNASKED) ||
        !has_text(&comparison->other, "why", CHECK_UNREACHED) ||
        json_count(mine) != json_count(other))
        return false;
    JSON_EACH (value, other)
        if (strcmp(value->key, "prev") != 0 && strcmp(value->key, "why") != 0 &&
            !json_same(value, json_member(mine, value->key)))
            return false;
    return true;
}

static bool is_of_another_build(const struct comparison *comparison)
{
    const struct json_value *mine = comparison->mine.fields, *other = comparison->other.fields;

    return !json_same(json_member(mine, "version"), json_member(other, "version")) ||
           !json_same(json_member(mine, "build"), json_member(other, "build"));
}

static bool is_same(struct comparison *comparison)
{
    size_t mine_length, other_length;
    const char *mine, *other;

    if (comparison->mine.kind == JOURNAL_START && comparison->other.kind == JOURNAL_START) {
        comparison->is_of_others = is_of_another_build(comparison);
        return is_same_start(comparison->mine.fields, comparison->other.fields);
    }
    mine = body_of(&comparison->mine, &mine_length);
    other = body_of(&comparison->other, &other_length);
    return (mine_length == other_length && !memcmp(mine, other, mine_length)) ||
           is_reason_of_others(comparison);
}

/* Two values where they begin to differ, if that is beyond what is shown of their beginnings. */
static void show_both(const struct json_value *mine, const struct json_value *other,
                      char was[FIELD_SHOWN_SIZE], char is[FIELD_SHOWN_SIZE])
{
    char texts[2][JSON_LONGEST];
    struct json_text mine_text, other_text;
    size_t at = 0;

    field_show(mine, was, FIELD_SHOWN_SIZE);
    field_show(other, is, FIELD_SHOWN_SIZE);
    if (strcmp(was, is) != 0)
        return;
    json_text_begin(&mine_text, texts[0], sizeof texts[0] - 1);
    json_text_value(&mine_text, mine);
    *mine_text.at = '\0';
    json_text_begin(&other_text, texts[1], sizeof texts[1] - 1);
    json_text_value(&other_text, other);
    *other_text.at = '\0';
    while (texts[0][at] && texts[0][at] == texts[1][at])
        at++;
    at -= at < 16 ? at : 16;
    snprintf(was, FIELD_SHOWN_SIZE, "...%.38s...", texts[0] + at);
    snprintf(is, FIELD_SHOWN_SIZE, "...%.38s...", texts[1] + at);
}

/* The first field in which the lines differ. */
static void describe(struct comparison *comparison)
{
    const struct journal_line *mine = &comparison->mine;
    char was[FIELD_SHOWN_SIZE], is[FIELD_SHOWN_SIZE];

    comparison->differs = true;
    if (!comparison->has_other) {
        error_set(&comparison->difference, ERROR_RULE,
                  "line %ju was altered: played again, the run has no such line",
                  (uintmax_t)mine->number);
        return;
    }
    JSON_EACH (value, comparison->other.fields) {
        const struct json_value *here = json_member(mine->fields, value->key);

        if (!strcmp(value->key, "prev") || !strcmp(value->key, "n") || json_same(value, here))
            continue;
        if (here)
            show_both(here, value, was, is);
        else
            field_show(value, is, sizeof is);
        error_set(&comparison->difference, ERROR_RULE,
                  "line %ju was altered: its %.20s is %s, and %s when the run is played again",
                  (uintmax_t)mine->number, value->key, here ? was : "not there", is);
        return;
    }
    error_set(&comparison->difference, ERROR_RULE,
              "line %ju was altered: it has more than when the run is played again",
              (uintmax_t)mine->number);
}

static int next_other(struct comparison *comparison, struct error *error)
{
    int status = journal_reader_next(comparison->now, &comparison->other, error);

    comparison->has_other = status > 0;
    if (status >= 0)
        return 0;
    /* What this program writes itself nobody has altered. */
    if (status == ERROR_RULE)
        status = (int)(error->code = ERROR_RIG);
    return status;
}

/* Goes to where the recording of this line begins in the other journal. */
static int pass_over(struct comparison *comparison, struct error *error)
{
    int status = 0;

    while (!status && comparison->has_other && comparison->other.kind != JOURNAL_RECORDING &&
           comparison->other.kind != JOURNAL_END) {
        comparison->is_short = true;
        status = next_other(comparison, error);
    }
    return status;
}

/* What people do at a page is in no run that is played again. It was an event in older journals. */
static bool is_of_people(const struct journal_line *line)
{
    if (line->kind == JOURNAL_EVENT)
        return has_text(line, "event", "operator") && has_text(line, "device", "rig");
    return line->kind == JOURNAL_ORDER ||
           (line->kind == JOURNAL_OPERATOR && has_text(line, "from", "page"));
}

/*
 * After the first difference only the end of a run may come that was cut short: no round is begun
 * or judged any more, but one that was aborted.
 */
static bool may_be_cut(const struct journal_line *line)
{
    switch (line->kind) {
    case JOURNAL_RECORDING:
    case JOURNAL_ROUND:
    case JOURNAL_SETTLED:
        return false;
    case JOURNAL_VERDICT:
        return has_text(line, "verdict", "aborted");
    case JOURNAL_END:
        return has_text(line, "verdict", "aborted") || has_text(line, "verdict", "rig");
    default:
        return true;
    }
}

/* What this program plays ends with its end line, if it could be played at all. */
static bool is_whole(const struct journal_reader *reader)
{
    struct journal_ending ending;

    journal_reader_ending(reader, &ending);
    return ending.ended;
}

/*
 * A run whose bench fails when it is played again, for want of memory say, comes to something else
 * by that alone: its end says so.
 */
static int accuse(struct comparison *comparison, struct error *error)
{
    int status = 0;

    while (!status && comparison->has_other && comparison->other.kind != JOURNAL_END)
        status = next_other(comparison, error);
    if (status)
        return status;
    if (comparison->has_other && has_text(&comparison->other, "verdict", "rig")) {
        const char *why = json_chars(json_member(comparison->other.fields, "why"));

        return error_set(error, ERROR_RIG, "the bench has failed: %.200s", why ? why : "");
    }
    *error = comparison->difference;
    return ERROR_RULE;
}

static int compare_line(struct comparison *comparison, struct journals_compared *compared,
                        struct error *error)
{
    int status = 0;

    if (!comparison->differs) {
        status = next_other(comparison, error);
        if (!status && comparison->mine.kind == JOURNAL_RECORDING && comparison->has_begun)
            status = pass_over(comparison, error);
        comparison->has_begun |= comparison->mine.kind == JOURNAL_RECORDING;
        if (status)
            return status;
        if (comparison->has_other && is_same(comparison)) {
            compared->lines++;
            compared->lacks_rounds |= comparison->mine.kind == JOURNAL_START &&
                                      json_member(comparison->other.fields, "rounds") &&
                                      !json_member(comparison->mine.fields, "rounds");
            return 0;
        }
        if (!comparison->has_other && !is_whole(comparison->now))
            return error_set(error, ERROR_RIG, "it was not played to its end");
        describe(comparison);
    }
    return may_be_cut(&comparison->mine) ? 0 : accuse(comparison, error);
}

int journals_compare(struct journal_reader *was, struct journal_reader *now,
                     struct journals_compared *compared, struct error *error)
{
    struct comparison comparison = {.was = was, .now = now};
    struct journal_ending ending;
    bool is_aborted = false;
    int status;

    *compared = (struct journals_compared){.lines = 0};
    while ((status = journal_reader_next(was, &comparison.mine, error)) > 0) {
        if (is_of_people(&comparison.mine)) {
            if (!compared->people++)
                compared->first_of_people = comparison.mine.number;
            continue;
        }
        status = compare_line(&comparison, compared, error);
        if (status)
            return status;
        is_aborted =
            comparison.mine.kind == JOURNAL_END && has_text(&comparison.mine, "verdict", "aborted");
    }
    if (status)
        return status;
    journal_reader_ending(was, &ending);
    compared->is_cut = !ending.ended || comparison.differs || comparison.is_short;
    if (ending.ended ? comparison.is_short && !is_aborted : comparison.differs) {
        if (!comparison.differs)
            error_set(&comparison.difference, ERROR_RULE,
                      "line %ju was altered: played again, a recording above has more rounds",
                      (uintmax_t)ending.lines);
        return accuse(&comparison, error);
    }
    return 0;
}
