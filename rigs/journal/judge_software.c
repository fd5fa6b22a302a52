/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of a journal: what devices said of their software, and the checks that follow of it. */
#include <string.h>

#include "rigs/journal/judge.h"

static const char *text_of(const struct json_value *object, const char *key)
{
    return json_chars(json_member(object, key));
}

static bool is_null(const struct json_value *object, const char *key)
{
    return json_is(json_member(object, key), JSON_KIND_NULL);
}

static bool is_one_of(const char *text, const char *const *texts)
{
    for (; text && *texts; texts++)
        if (!strcmp(text, *texts))
            return true;
    return false;
}

/* What a digest and the one that is due come to; NULL where that cannot be. */
static const char *result_of(const struct json_value *component, bool is_approved)
{
    const char *digest = text_of(component, "digest"), *due = text_of(component, "approved");

    if ((!digest && !is_null(component, "digest")) || (!due && !is_null(component, "approved")))
        return NULL;
    if (!digest)
        return due && !is_approved ? NULL : "missing";
    if (!due)
        return is_approved ? "unapproved" : "shown";
    if (strcmp(digest, due) != 0)
        return "differs";
    return is_approved ? "matches" : NULL;
}

static bool is_told_before(const struct json_value *components, const struct json_value *component)
{
    JSON_EACH (other, components) {
        if (other == component)
            return false;
        if (json_same(json_member(other, "name"), json_member(component, "name")))
            return true;
    }
    return false;
}

static const char *judge_components(struct judge *judge, const struct json_value *details)
{
    static const char *const good[] = {"matches", "shown", NULL};
    const struct json_value *components = json_member(details, "components");
    bool is_approved = text_of(details, "by") != NULL;

    JSON_EACH (component, components) {
        const char *result = text_of(component, "result");
        const char *due = result_of(component, is_approved);

        if (!text_of(component, "name") || !result || !due)
            return "does not say what a component comes to";
        if (is_told_before(components, component))
            return "tells a component twice";
        if (strcmp(result, due) != 0)
            return "has another result of a component than its digests come to";
        judge->owed += !is_one_of(result, good);
    }
    return NULL;
}

static const char *judge_told(struct judge *judge, const struct json_value *details)
{
    const struct json_value *left_out = json_member(details, "left-out");

    if (!text_of(details, "version") || !text_of(details, "note") ||
        !text_of(details, "key") == !text_of(details, "key-hex") ||
        (!text_of(details, "by") && !is_null(details, "by")) ||
        !json_is(json_member(details, "components"), JSON_KIND_ARRAY))
        return "does not say what the software of the device comes to";
    if (left_out && json_int(left_out) < 1)
        return "leaves out fewer components than one";
    return judge_components(judge, details);
}

int judge_software(struct judge *judge, const struct journal_line *line, struct error *error)
{
    static const char *const whens[] = {"opened", "reopened", "end", NULL};
    const struct json_value *details = json_member(line->fields, "details");
    const char *event = text_of(line->fields, "event"), *why = NULL;

    if (strcmp(event, "authenticated") != 0 && strcmp(event, "not-authenticated") != 0)
        return 0;
    if (judge->owed)
        why = JUDGE_OWED;
    else if (!is_one_of(text_of(details, "when"), whens))
        why = "does not say when the device was asked for its software";
    else if (!text_of(details, "protocol") || !text_of(details, "address") ||
             !text_of(details, "options"))
        why = "does not say how the device was asked for its software";
    else if (!strcmp(event, "authenticated"))
        why = judge_told(judge, details);
    else if (!text_of(details, "why"))
        why = "does not say why the device told nothing of its software";
    else
        judge->owed = 1;
    return why ? judge_refuse(line, why, error) : 0;
}
