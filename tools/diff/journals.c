/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two journals, line by line: what belongs to a run alone is passed over (rigs/journal/own.h). */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rigs/journal/own.h"
#include "rigs/page/markup.h"
#include "rigs/recording/differences.h"
#include "rigs/rig/rig.h"

/* What is waited for is of each run its own. */
static int next_entry(struct comparison *comparison, struct side *side)
{
    struct journal_line line;
    int status;

    do
        status = journal_reader_next(side->journal, &line, &comparison->error);
    while (status > 0 && line.kind == JOURNAL_WAIT);
    side->has_line = status > 0;
    if (status < 0) {
        error_prefix(&comparison->error, "%s", side->path);
        return comparison->error.code = ERROR_CONFIG;
    }
    if (!status)
        return 0;
    side->line = line.number;
    side->raw = line.fields;
    side->entry = line.kind;
    side->recording = json_int(json_member(line.fields, "recording"));
    side->round = json_int(json_member(line.fields, "round"));
    return 1;
}

static bool is_same_kind(const struct side *first, const struct side *second)
{
    return json_same(json_member(first->raw, "kind"), json_member(second->raw, "kind")) &&
           first->recording == second->recording && first->round == second->round;
}

/* The digest of a file that was used, or "": a rig that is built in has that of its own text. */
static const char *digest_of(const struct json_value *file)
{
    const char *digest = json_chars(json_member(file, "sha256"));

    return digest ? digest : "";
}

static int find_builtin(struct comparison *comparison)
{
    struct rig *rig;
    int status = rig_default(&rig, &comparison->error);

    if (status)
        return status;
    digest_bytes(rig->text, rig->text_size, comparison->builtin);
    rig_free(rig);
    return 0;
}

/* Files are the same where their digests are, whatever they are called. */
static void compare_file(struct comparison *comparison, const char *place,
                         const struct json_value *first, const struct json_value *second)
{
    const struct json_value *files[2] = {first, second};
    const char *digests[2];

    for (unsigned i = 0; i < 2; i++)
        digests[i] = json_is(files[i], JSON_KIND_NULL) ? comparison->builtin : digest_of(files[i]);
    if (*digests[0] && !strcmp(digests[0], digests[1]))
        return;
    snprintf(comparison->place, sizeof comparison->place, "start, %s", place);
    diff_compare(comparison, first, second, NULL);
    snprintf(comparison->place, sizeof comparison->place, "start");
}

/* The rig, and the files that it names. */
static void compare_rigs(struct comparison *comparison)
{
    const struct json_value *first = comparison->side[0].raw, *second = comparison->side[1].raw;
    const struct json_value *files[2] = {json_member(first, "files"), json_member(second, "files")};
    size_t count =
        json_count(files[0]) > json_count(files[1]) ? json_count(files[0]) : json_count(files[1]);

    compare_file(comparison, "rig", json_member(first, "rig"), json_member(second, "rig"));
    for (size_t i = 0; i < count; i++) {
        char place[32];

        snprintf(place, sizeof place, "file %zu", i + 1);
        compare_file(comparison, place, json_element(files[0], i), json_element(files[1], i));
    }
}

/* Whether limits of a timing were told before; they are those of the rig and told once. */
static bool was_told(struct comparison *comparison, const char *name, int64_t first, int64_t second)
{
    for (unsigned i = 0; i < comparison->limit_count; i++) {
        const struct told_limit *told = &comparison->limits[i];

        if (!strcmp(told->name, name) && told->limit[0] == first && told->limit[1] == second)
            return true;
    }
    if (comparison->limit_count < TOLD_LIMITS) {
        struct told_limit *told = &comparison->limits[comparison->limit_count++];

        snprintf(told->name, sizeof told->name, "%s", name);
        told->limit[0] = first;
        told->limit[1] = second;
    }
    return false;
}

/* Of timings that both have. */
static void compare_limits(struct comparison *comparison, const struct json_value *first,
                           const struct json_value *second)
{
    JSON_EACH (one, first)
        JSON_EACH (other, second) {
            const struct json_value *limits[2] = {json_member(one, "limit"),
                                                  json_member(other, "limit")};
            const char *name = json_chars(json_member(one, "name"));
            char place[64];

            if (!json_same(json_member(one, "name"), json_member(other, "name")) ||
                json_int(limits[0]) == json_int(limits[1]) ||
                was_told(comparison, name, json_int(limits[0]), json_int(limits[1])))
                continue;
            snprintf(place, sizeof place, "limit of %.40s", name);
            diff_tell(comparison, place, limits[0], limits[1]);
            comparison->differences++;
        }
}

/* Which fields of a line are passed over: its own, and the names of files that are the same. */
static void find_passed(const struct comparison *comparison, const char *passed[PASSED_MAX])
{
    static const char *const files[][2] = {{"sha256", "path"}, {"expect-sha256", "expect"}};
    const struct side *first = &comparison->side[0];
    unsigned count = 0;

    for (const char *const *own = journal_own_fields(first->entry); *own; own++)
        passed[count++] = *own;
    if (first->entry == JOURNAL_START) {
        passed[count++] = "rig";
        passed[count++] = "files";
    }
    for (unsigned i = 0; first->entry == JOURNAL_RECORDING && i < 2; i++) {
        const struct json_value *digest = json_member(first->raw, files[i][0]);

        if (json_chars(digest) &&
            json_same(digest, json_member(comparison->side[1].raw, files[i][0])))
            passed[count++] = files[i][1];
    }
    passed[count] = NULL;
}

static void place_entry(struct comparison *comparison, const struct side *side)
{
    const char *kind = json_chars(json_member(side->raw, "kind"));
    const char *name = json_chars(json_member(side->raw, "name"));
    char round[64] = "";

    if (side->round)
        snprintf(round, sizeof round, "recording %" PRId64 ", round %" PRId64 ", ", side->recording,
                 side->round);
    snprintf(comparison->place, sizeof comparison->place, "%s%.20s%s%.40s", round, kind,
             name ? " " : "", name ? name : "");
}

static void compare_entries(struct comparison *comparison)
{
    const struct side *first = &comparison->side[0], *second = &comparison->side[1];
    const char *passed[PASSED_MAX];

    place_entry(comparison, first);
    if (first->entry == JOURNAL_START)
        compare_rigs(comparison);
    find_passed(comparison, passed);
    diff_compare(comparison, first->raw, second->raw, passed);
    if (first->entry == JOURNAL_VERDICT) {
        compare_limits(comparison, json_member(first->raw, "timings"),
                       json_member(second->raw, "timings"));
        comparison->rounds++;
    }
}

static void tell_otherwise(struct comparison *comparison)
{
    const struct side *sides = comparison->side;

    comparison->differences++;
    if (comparison->json) {
        const struct json_value *values[2] = {sides[0].has_line ? sides[0].raw : NULL,
                                              sides[1].has_line ? sides[1].raw : NULL};

        snprintf(comparison->place, sizeof comparison->place, "goes on otherwise");
        diff_tell_json(comparison, "", values);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct side *side = &sides[i];

        fputs(i ? "; " : "", stdout);
        plain_text(stdout, side->path);
        if (!side->has_line) {
            fputs(" has ended", stdout);
            continue;
        }
        printf(" goes on with %s", json_chars(json_member(side->raw, "kind")));
        if (side->round)
            printf(" of recording %" PRId64 ", round %" PRId64, side->recording, side->round);
        printf(" in line %" PRIu64, side->line);
    }
    putchar('\n');
}

static bool is_kind(const struct side *side, const char *kind)
{
    return side->has_line && !strcmp(json_chars(json_member(side->raw, "kind")), kind);
}

/* To the next recording, or the end. */
static int pass_to_recording(struct comparison *comparison, struct side *side)
{
    int status = 1;

    while (status > 0 && side->has_line && !is_kind(side, "recording") && !is_kind(side, "end"))
        status = next_entry(comparison, side);
    return status;
}

/* To the beginning of a round, or of what is in none. */
static int pass_over(struct comparison *comparison, struct side *side, int64_t recording,
                     int64_t round)
{
    int status = 1;

    while (status > 0 && side->has_line && side->round && side->recording == recording &&
           side->round == round)
        status = next_entry(comparison, side);
    return status;
}

/* What follows a line that only one of them has is told of the next round, or recording, on. */
static int pass_difference(struct comparison *comparison)
{
    struct side *first = &comparison->side[0], *second = &comparison->side[1];
    int64_t recording = first->recording, round = first->round;
    bool is_in_round = first->has_line && second->has_line && round && round == second->round &&
                       recording == second->recording;
    bool was_there = (is_kind(first, "recording") || is_kind(first, "end")) &&
                     (is_kind(second, "recording") || is_kind(second, "end"));
    int status;

    tell_otherwise(comparison);
    if (was_there || !first->has_line || !second->has_line)
        return 0;
    status = is_in_round ? pass_over(comparison, first, recording, round)
                         : pass_to_recording(comparison, first);
    if (status < 0)
        return status;
    status = is_in_round ? pass_over(comparison, second, recording, round)
                         : pass_to_recording(comparison, second);
    return status < 0 ? status : 1;
}

int diff_journals(struct comparison *comparison)
{
    struct side *first = &comparison->side[0], *second = &comparison->side[1];
    int status = find_builtin(comparison);

    if (status >= 0)
        status = next_entry(comparison, first);
    if (status >= 0)
        status = next_entry(comparison, second);
    while (status >= 0 && (first->has_line || second->has_line)) {
        if (first->has_line && second->has_line && is_same_kind(first, second)) {
            compare_entries(comparison);
            status = next_entry(comparison, first);
            if (status >= 0)
                status = next_entry(comparison, second);
        } else {
            status = pass_difference(comparison);
            if (!status)
                break;
        }
    }
    return status < 0 ? status : 0;
}
