/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/conform/records.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

REGISTRY(conform_chapters);

#define TEXT_SIZE 1600
#define ID_SIZE   16

const char *const conform_verdicts[CONFORM_VERDICTS] = {
    [CONFORM_PASS] = "pass",
    [CONFORM_FAIL] = "fail",
    [CONFORM_NOT_OFFERED] = "not offered",
    [CONFORM_NOT_SEEN] = "not to be seen",
};

const struct conform_clause *records_clause(const char *id, const struct conform_chapter **of)
{
    const struct conform_chapter *chapter;

    for (size_t i = 0; (chapter = registry_at(&conform_chapters, i)); i++)
        for (size_t j = 0; j < chapter->count; j++)
            if (!strcmp(chapter->clauses[j].id, id)) {
                *of = chapter;
                return &chapter->clauses[j];
            }
    return NULL;
}

static size_t count_ids(void)
{
    char id[ID_SIZE];
    size_t count = 0;

    while (conform_page_id(count, id, sizeof id))
        count++;
    return count;
}

struct suite_records *records_new(unsigned class)
{
    struct suite_records *records = calloc(1, sizeof *records);
    const struct conform_chapter *of;
    char id[ID_SIZE];

    if (records)
        records->list = calloc(count_ids() + 1, sizeof *records->list);
    if (!records || !records->list) {
        free(records);
        return NULL;
    }
    for (size_t i = 0; conform_page_id(i, id, sizeof id); i++) {
        const struct conform_clause *clause = records_clause(id, &of);

        if (clause && (!of->class || of->class == class))
            records->list[records->count++] =
                (struct suite_record){.clause = clause, .version = of->version};
    }
    return records;
}

void records_free(struct suite_records *records)
{
    for (size_t i = 0; i < records->count; i++)
        free(records->list[i].frames);
    free(records->list);
    free(records);
}

static struct suite_record *find(const struct suite *suite, const char *id)
{
    for (size_t i = 0; i < suite->records->count; i++)
        if (!strcmp(suite->records->list[i].clause->id, id))
            return &suite->records->list[i];
    return NULL;
}

/* The frames since the mark; the last of them where there are too many. */
static void keep_frames(struct suite *suite, struct suite_record *record)
{
    size_t first = suite->step_start, count;

    if (suite->frame_count - first > CONFORM_FRAMES_MAX)
        first = suite->frame_count - CONFORM_FRAMES_MAX;
    count = suite->frame_count - first;
    free(record->frames);
    record->frame_count = 0;
    record->frames = count ? calloc(count, sizeof *record->frames) : NULL;
    for (size_t i = 0; record->frames && i < count; i++)
        record->frames[record->frame_count++] = suite->frames[(first + i) % SUITE_KEPT];
}

/* What comes while the device is taken back after a failure proves nothing. */
static bool is_over(const struct suite *suite)
{
    return suite->broken || suite->is_ending || suite->is_muted;
}

bool suite_hold(struct suite *suite, const char *id, bool holds, const char *format, ...)
{
    struct suite_record *record = is_over(suite) ? NULL : find(suite, id);
    va_list list;

    if (!record || (record->is_held && record->verdict == CONFORM_FAIL) ||
        (record->is_held && record->verdict == CONFORM_NOT_OFFERED && holds))
        return holds;
    if (!record->is_held || !holds)
        keep_frames(suite, record);
    record->is_held = true;
    record->verdict = holds ? CONFORM_PASS : CONFORM_FAIL;
    if (!holds) {
        va_start(list, format);
        vsnprintf(record->why, sizeof record->why, format, list);
        va_end(list);
    }
    return holds;
}

void suite_not_offered(struct suite *suite, const char *id, const char *why)
{
    struct suite_record *record = is_over(suite) ? NULL : find(suite, id);

    if (!record || (record->is_held && record->verdict != CONFORM_PASS))
        return;
    keep_frames(suite, record);
    record->is_held = true;
    record->verdict = CONFORM_NOT_OFFERED;
    snprintf(record->why, sizeof record->why, "%s", why);
}

void suite_unseen(struct suite *suite, const char *id, const char *why)
{
    struct suite_record *record = is_over(suite) ? NULL : find(suite, id);

    if (record && !record->is_held)
        snprintf(record->why, sizeof record->why, "%s", why);
}

void suite_mark(struct suite *suite)
{
    suite->step_start = suite->frame_count;
}

static const char *why_unseen(const struct suite *suite, const struct suite_record *record)
{
    if (*record->why)
        return record->why;
    if (record->clause->unseen)
        return record->clause->unseen;
    return suite->broken ? "it was not reached" : "nothing happened that would have shown it";
}

void records_tell(const struct suite *suite)
{
    struct conform *conform = suite->conform;

    for (size_t i = 0; i < suite->records->count; i++) {
        struct suite_record *record = &suite->records->list[i];
        char text[TEXT_SIZE];
        struct conform_result result = {.id = record->clause->id,
                                        .text = text,
                                        .verdict = record->verdict,
                                        .frames = record->frames,
                                        .frame_count = record->frame_count};

        if (conform->only && strcmp(conform->only, result.id) != 0)
            continue;
        if (!record->is_held)
            result.verdict = CONFORM_NOT_SEEN;
        if (result.verdict != CONFORM_PASS)
            result.why = record->is_held ? record->why : why_unseen(suite, record);
        conform_page_text(result.id, text, sizeof text);
        conform->counts[result.verdict]++;
        conform->told(conform->context, &result);
    }
}
