/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/authenticated.h"

#include <string.h>

#include "rigs/authenticate/rig.h"

/* A line that has no room for all components is at least so long (rigs/run/authenticate.c). */
#define FULL_LINE ((size_t)46 * 1024)

static const struct rig_authenticate *wanted_of(const struct rig *rig, unsigned class)
{
    const struct rig_device *device = rig_device(rig, (enum device_class) class);

    return device ? device->authenticate : NULL;
}

void authenticated_begin(struct authenticated *told, const struct rig *rig)
{
    *told = (struct authenticated){.due = 0};
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        if (wanted_of(rig, i))
            told->due |= 1u << i;
}

static int refuse(const struct journal_line *line, const char *why, struct error *error)
{
    return error_set(error, ERROR_RULE, "line %ju was altered: %s", (uintmax_t)line->number, why);
}

static bool is_text(const struct json_value *object, const char *key, const char *due)
{
    const char *text = json_chars(json_member(object, key));

    return text && !strcmp(text, due);
}

/* What becomes of a component that was told with that digest, or not at all. */
static enum authenticate_outcome judge(const struct approved *approved, const char *name,
                                       const char *digest, const char *expected)
{
    const struct approved_component *due = approved ? approved_find(approved, name) : NULL;

    if (!digest)
        return AUTHENTICATE_MISSING;
    /* With nothing approved, a device can still have told two digests. */
    if (!approved)
        return expected && strcmp(digest, expected) ? AUTHENTICATE_DIFFERS : AUTHENTICATE_SHOWN;
    if (!due)
        return AUTHENTICATE_UNAPPROVED;
    return strcmp(digest, due->digest) ? AUTHENTICATE_DIFFERS : AUTHENTICATE_MATCHES;
}

/* A text, or null where there is none. */
static bool is_text_or_null(const struct json_value *object, const char *key, const char *due)
{
    return due ? is_text(object, key, due) : json_is(json_member(object, key), JSON_KIND_NULL);
}

static unsigned count_component(const struct json_value *components, const char *name)
{
    unsigned count = 0;

    JSON_EACH (component, components)
        count += is_text(component, "name", name);
    return count;
}

/* What a component says of itself, beside its result. */
static int check_component(const struct approved *approved, const struct json_value *components,
                           const struct json_value *component, const struct journal_line *line,
                           struct error *error)
{
    const char *name = json_chars(json_member(component, "name"));
    const struct approved_component *due = approved ? approved_find(approved, name) : NULL;

    if (count_component(components, name) != 1)
        return refuse(line, "it tells a component twice", error);
    if (approved && !is_text_or_null(component, "approved", due ? due->digest : NULL))
        return refuse(line, "it tells another digest as approved than the approved one", error);
    return 0;
}

/* What stands around the components. */
static int check_around(const struct approved *approved, const struct journal_line *line,
                        const struct json_value *details, struct error *error)
{
    if (!is_text(details, "protocol", GAT_SPOKEN) ||
        !is_text(details, "note", AUTHENTICATE_CAUTION))
        return refuse(line, "its protocol or note is not what is written there", error);
    if (!is_text_or_null(details, "by", approved ? approved->by : NULL))
        return refuse(line, "it names another one who has approved the digests", error);
    return 0;
}

/* How many components a line says it had no room for: 0 for none, -1 when that cannot be so. */
static int64_t left_out_of(const struct journal_line *line, const struct json_value *details)
{
    const struct json_value *left_out = json_member(details, "left-out");

    if (!left_out)
        return 0;
    return json_int(left_out) > 0 && line->length >= FULL_LINE ? json_int(left_out) : -1;
}

static int check_components(struct authenticated *told, const struct approved *approved,
                            const struct journal_line *line, const struct json_value *details,
                            struct error *error)
{
    const struct json_value *components = json_member(details, "components");
    int64_t left_out = left_out_of(line, details);

    if (check_around(approved, line, details, error))
        return error->code;
    if (left_out < 0)
        return refuse(line, "it has room for the components that it says are left out", error);
    told->is_cut |= left_out > 0;
    JSON_EACH (component, components) {
        const char *name = json_chars(json_member(component, "name"));
        enum authenticate_outcome outcome =
            name ? judge(approved, name, json_chars(json_member(component, "digest")),
                         json_chars(json_member(component, "approved")))
                 : AUTHENTICATE_MISSING;

        if (!name || !is_text(component, "result", authenticate_outcome_name(outcome)))
            return refuse(line,
                          "it tells another result of a component than what is approved makes "
                          "of its digest",
                          error);
        if (check_component(approved, components, component, line, error))
            return error->code;
        told->wrong += outcome != AUTHENTICATE_SHOWN && outcome != AUTHENTICATE_MATCHES;
    }
    for (unsigned i = 0; approved && i < approved->count; i++)
        if (!count_component(components, approved->list[i].name) && !left_out--)
            return refuse(line, "a component that is approved is left out of it", error);
    return 0;
}

static int check_told(struct authenticated *told, const struct rig *rig,
                      const struct rig_authenticate *wanted, const struct journal_line *line,
                      struct error *error)
{
    const struct json_value *details = json_member(line->fields, "details");
    const uint64_t no_seed = 0;
    struct authenticate_setup setup;
    char options[GAT_SETTINGS_SIZE];
    int status = authenticate_setup(&setup, rig, wanted, &no_seed, error);
    const struct gat_key *key;

    if (status)
        return status;
    key = setup.plan.key ? setup.plan.key : setup.plan.approved ? &setup.plan.approved->key : NULL;
    if (!is_text(details, "address", wanted->address) ||
        !is_text(details, "options", gat_settings_text(&setup.plan.settings, options)))
        status = refuse(line, "its address or options are not those of the rig file", error);
    else if (key && json_member(details, "components") &&
             !is_text(details, key->is_hex ? "key-hex" : "key", key->text))
        status = refuse(line, "its key is not the one that is given or approved", error);
    else if (is_text(line->fields, "event", "authenticated"))
        status = check_components(told, setup.plan.approved, line, details, error);
    else
        told->wrong++;
    authenticate_setup_free(&setup);
    return status;
}

/* Software that was told is that of the cards between two tellings. */
static void see_card(struct authenticated *told, const struct journal_line *line)
{
    if (!is_text(line->fields, "event", "card") && !is_text(line->fields, "event", "card-again") &&
        !is_text(line->fields, "event", "packet-present"))
        return;
    told->has_dealt = true;
    told->ended = 0;
}

static int see_when(struct authenticated *told, unsigned class, const struct journal_line *line,
                    struct error *error)
{
    const struct json_value *details = json_member(line->fields, "details");

    if (is_text(details, "when", "opened"))
        told->begun |= told->has_dealt ? 0 : 1u << class;
    else if (is_text(details, "when", "end"))
        told->ended |= 1u << class;
    else if (!is_text(details, "when", "reopened"))
        return refuse(line, "it does not say when the device was asked for its software", error);
    return 0;
}

static int see_event(struct authenticated *told, const struct rig *rig,
                     const struct journal_line *line, struct error *error)
{
    const char *device = json_chars(json_member(line->fields, "device"));

    see_card(told, line);
    if (!is_text(line->fields, "event", "authenticated") &&
        !is_text(line->fields, "event", "not-authenticated"))
        return 0;
    for (unsigned i = 0; i < DEVICE_CLASSES; i++) {
        if (!wanted_of(rig, i) || strcmp(device, device_class_name((enum device_class)i)) != 0)
            continue;
        if (see_when(told, i, line, error))
            return error->code;
        return check_told(told, rig, wanted_of(rig, i), line, error);
    }
    return refuse(line, "the rig file does not say that this device is asked for its software",
                  error);
}

static int see_end(const struct authenticated *told, const struct journal_line *line,
                   struct error *error)
{
    if (told->wrong > told->failures)
        return refuse(line, "software was not as approved, and no check has failed for it", error);
    if (is_text(line->fields, "verdict", "pass") && told->is_cut)
        return refuse(line, "it passes, and not all components are in the journal", error);
    if (is_text(line->fields, "verdict", "pass") && told->due & ~told->ended)
        return refuse(line, "a device was not asked for its software after the last round", error);
    return 0;
}

int authenticated_see(struct authenticated *told, const struct rig *rig,
                      const struct journal_line *line, struct error *error)
{
    if (line->kind == JOURNAL_EVENT)
        return see_event(told, rig, line, error);
    if (line->kind == JOURNAL_CHECK && is_text(line->fields, "name", "identity") &&
        is_text(line->fields, "result", "fail"))
        told->failures++;
    if (line->kind == JOURNAL_VERDICT && is_text(line->fields, "verdict", "pass") &&
        told->due & ~told->begun)
        return refuse(line, "a device was not asked for its software before the first round",
                      error);
    return line->kind == JOURNAL_END ? see_end(told, line, error) : 0;
}
