/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/authenticated.h"

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

/* A text, or null where there is none. */
static bool is_text_or_null(const struct json_value *object, const char *key, const char *due)
{
    return due ? is_text(object, key, due) : json_is(json_member(object, key), JSON_KIND_NULL);
}

static bool has_component(const struct json_value *components, const char *name)
{
    JSON_EACH (component, components)
        if (is_text(component, "name", name))
            return true;
    return false;
}

/* What stands around the components. */
static int check_around(const struct approved *approved, const struct journal_line *line,
                        const struct json_value *details, struct error *error)
{
    if (!authenticate_is_protocol(json_chars(json_member(details, "protocol"))) ||
        !authenticate_is_caution(json_chars(json_member(details, "note"))))
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
        const struct approved_component *due = approved ? approved_find(approved, name) : NULL;

        if (approved && !is_text_or_null(component, "approved", due ? due->digest : NULL))
            return refuse(line, "it tells another digest as approved than the approved one", error);
    }
    for (unsigned i = 0; approved && i < approved->count; i++)
        if (!has_component(components, approved->list[i].name) && !left_out--)
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

static void see_when(struct authenticated *told, unsigned class, const struct journal_line *line)
{
    const struct json_value *details = json_member(line->fields, "details");

    if (is_text(details, "when", "opened"))
        told->begun |= told->has_dealt ? 0 : 1u << class;
    else
        told->again |= 1u << class;
    if (is_text(details, "when", "end"))
        told->ended |= 1u << class;
}

/* Its line comes after it was asked what its software comes to. */
static void see_back(struct authenticated *told, const struct journal_line *line)
{
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        if (is_text(line->fields, "device", device_class_name((enum device_class)i)))
            told->unasked |= told->due & ~told->again & 1u << i;
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
        see_when(told, i, line);
        return check_told(told, rig, wanted_of(rig, i), line, error);
    }
    return refuse(line, "the rig file does not say that this device is asked for its software",
                  error);
}

static int see_end(const struct authenticated *told, const struct journal_line *line,
                   struct error *error)
{
    if (told->unasked && !is_text(line->fields, "verdict", "aborted") &&
        !is_text(line->fields, "verdict", "rig"))
        return refuse(line, "a device came back and was not asked for its software", error);
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
    if (line->kind == JOURNAL_ROUND)
        told->again = 0;
    if (line->kind == JOURNAL_RECONNECT)
        see_back(told, line);
    if (line->kind == JOURNAL_VERDICT && is_text(line->fields, "verdict", "pass") &&
        told->due & ~told->begun)
        return refuse(line, "a device was not asked for its software before the first round",
                      error);
    return line->kind == JOURNAL_END ? see_end(told, line, error) : 0;
}
