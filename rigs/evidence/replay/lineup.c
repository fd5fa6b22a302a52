/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/lineup.h"

#include <string.h>

void lineup_begin(struct lineup *lineup, const struct rig *rig)
{
    lineup->due = 0;
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        if (rig_device(rig, (enum device_class)i))
            lineup->due |= 1U << i;
}

static int refuse(const struct journal_line *line, const char *what, const char *is,
                  const char *due, struct error *error)
{
    return error_set(error, ERROR_RULE,
                     "line %ju was altered: its %s is '%.80s', and '%.80s' in the rig file",
                     (uintmax_t)line->number, what, is ? is : "", due);
}

static bool is_text(const char *is, const char *due)
{
    return is && !strcmp(is, due);
}

int lineup_take(struct lineup *lineup, const struct rig *rig, const struct journal_line *line,
                struct error *error)
{
    const char *name = json_chars(json_member(line->fields, "name"));
    const char *driver = json_chars(json_member(line->fields, "driver"));
    const char *address = json_chars(json_member(line->fields, "address"));

    for (unsigned i = 0; i < DEVICE_CLASSES; i++) {
        const struct rig_device *device = rig_device(rig, (enum device_class)i);
        const char *due = device && device->address[0] ? device->address : NULL;

        if (!device || strcmp(name, device_class_name((enum device_class)i)) != 0)
            continue;
        if (!is_text(driver, device->driver))
            return refuse(line, "driver", driver, device->driver, error);
        if (!is_text(address, due ? due : device->driver))
            return refuse(line, "address", address, due ? due : device->driver, error);
        lineup->due &= ~(1U << i);
        return 0;
    }
    return error_set(error, ERROR_RULE, "line %ju was altered: the rig file has no device '%.40s'",
                     (uintmax_t)line->number, name);
}

bool lineup_is_whole(const struct lineup *lineup)
{
    return !lineup->due;
}

bool lineup_has_limits(const struct rig *rig, const struct json_value *verdict)
{
    const struct rig_timing *timing = &rig->timing;
    const struct {
        const char *name;
        uint32_t limit;
    } limits[] = {{"shuffle", timing->shuffle}, {"packet", timing->packet},
                  {"card", timing->card},       {"lights", timing->light},
                  {"jackpot", timing->jackpot}, {"take", timing->take},
                  {"reply", timing->reply}};

    JSON_EACH (timed, json_member(verdict, "timings"))
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
            if (json_member(timed, "limit") &&
                !strcmp(json_chars(json_member(timed, "name")), limits[i].name) &&
                json_int(json_member(timed, "limit")) != limits[i].limit * NANOS_PER_MILLI)
                return false;
    return true;
}
