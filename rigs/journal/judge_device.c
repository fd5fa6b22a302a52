/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of a journal: its devices, and a run that goes on with the same ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/journal/judge.h"

static const struct judge_device *find_device(const struct judge *judge, const char *name)
{
    for (unsigned i = 0; i < judge->device_count; i++)
        if (!strncmp(judge->devices[i].name, name, JUDGE_NAME_SIZE - 1))
            return &judge->devices[i];
    return NULL;
}

bool judge_knows_device(const struct judge *judge, const char *name)
{
    return find_device(judge, name) != NULL;
}

static void digest_identity(const struct json_value *device, char digest[DIGEST_SIZE])
{
    static const char *const keys[] = {"model", "firmware", "serial", "digest"};
    struct digest sum;

    digest_begin(&sum);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct json_value *value = json_member(device, keys[i]);
        const char *text = json_chars(value);

        digest_add(&sum, text ? text : "\xff", text ? value->length + 1u : 1u);
    }
    digest_end(&sum, digest);
}

int judge_device(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const char *name = json_chars(json_member(line->fields, "name"));
    const struct json_value *digest = json_member(line->fields, "digest");
    struct judge_device *device = &judge->devices[judge->device_count];

    if (judge->recording.number || judge->is_resumed)
        return judge_refuse(line, "stands after a recording", error);
    if (judge_knows_device(judge, name))
        return judge_refuse(line, "tells of a device a second time", error);
    if (judge->device_count == JUDGE_DEVICES)
        return judge_refuse(line, "is one of more than any bench has", error);
    if (!json_is(digest, JSON_KIND_NULL) && !judge_is_digest(digest))
        return judge_refuse(line, "has a digest that is none", error);
    snprintf(device->name, sizeof device->name, "%s", name);
    digest_identity(line->fields, device->identity);
    judge->device_count++;
    return 0;
}

/* All devices are there, and each says of itself what it said before. */
static bool are_same(const struct judge *judge, const struct json_value *devices)
{
    if (json_count(devices) != judge->device_count)
        return false;
    JSON_EACH (now, devices) {
        const char *name = json_chars(json_member(now, "name"));
        const struct judge_device *was = name ? find_device(judge, name) : NULL;
        char identity[DIGEST_SIZE];

        digest_identity(now, identity);
        if (!was || strcmp(was->identity, identity))
            return false;
    }
    return true;
}

/* A round was lost if and only if it was open. */
static bool is_lost(const struct judge_round *round, const struct json_value *lost)
{
    const struct json_value *number = json_member(lost, "round");

    return round->is_open ? json_is(number, JSON_KIND_INTEGER) && json_int(number) == round->number
                          : json_is(lost, JSON_KIND_NULL);
}

int judge_resumed(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct json_value *fields = line->fields;

    if (judge->is_virtual)
        return judge_refuse(line, "goes on in virtual time", error);
    if (!judge_is_date(json_member(fields, "date")) ||
        json_int(json_member(fields, "away-s")) < 0 ||
        json_int(json_member(fields, "torn-bytes")) < 0)
        return judge_refuse(line, "has times or counts that cannot be", error);
    if (json_int(json_member(fields, "recordings")) != judge->recording.number ||
        json_int(json_member(fields, "judged")) != judge->recording.judged)
        return judge_refuse(line, "goes on from somewhere else", error);
    if (!is_lost(&judge->round, json_member(fields, "lost")))
        return judge_refuse(line, "has lost another round than the one above", error);
    if (!are_same(judge, json_member(fields, "devices")))
        return judge_refuse(line, "goes on with other devices", error);
    if (judge->round.checks[CHECK_FAIL])
        judge->totals.worst = verdict_worse(judge->totals.worst, VERDICT_FAIL);
    judge->is_resumed = true;
    judge->round = (struct judge_round){.is_open = false};
    judge->asked = judge->owed = 0;
    free(judge->question);
    judge->question = NULL;
    return 0;
}
