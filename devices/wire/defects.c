/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/defects.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"

static const struct defect_kind *find_kind(const struct defect_table *table, const char *spec)
{
    size_t length = strcspn(spec, "@");

    for (size_t i = 0; i < table->count; i++)
        if (strlen(table->kinds[i].name) == length && !memcmp(table->kinds[i].name, spec, length))
            return &table->kinds[i];
    return NULL;
}

static int say_unknown(const struct defect_table *table, const char *spec, struct error *error)
{
    struct name_list known;

    name_list_start_long(&known);
    for (size_t i = 0; i < table->count; i++)
        name_list_add(&known, table->kinds[i].name);
    return error_set(error, ERROR_CONFIG, "'%.40s' is no fault of %s: it has %s", spec, table->noun,
                     name_list_text(&known));
}

/* The number of "@packet:3"; false when that is not what stands there. */
static bool read_place(const char *text, const struct defect_kind *kind, uint32_t *at)
{
    size_t length = strlen(kind->unit);
    unsigned long long number;
    char *end;

    if (*text != '@' || strncmp(text + 1, kind->unit, length) != 0 || text[length + 1] != ':')
        return false;
    text += length + 2;
    if (*text < '1' || *text > '9' || strlen(text) > 10)
        return false;
    number = strtoull(text, &end, 10);
    *at = (uint32_t)number;
    return !*end && number >= kind->first && number <= kind->last;
}

int defect_parse(const struct defect_table *table, const char *spec, struct defect *defect,
                 struct error *error)
{
    const struct defect_kind *kind = find_kind(table, spec);
    const char *place = spec + strcspn(spec, "@");

    if (!kind)
        return say_unknown(table, spec, error);
    *defect = (struct defect){.kind = (unsigned)(kind - table->kinds)};
    if (!kind->unit && *place)
        return error_set(error, ERROR_CONFIG, "'%.60s': %s is always there, write it alone", spec,
                         kind->name);
    if (kind->unit && !read_place(place, kind, &defect->at))
        return error_set(error, ERROR_CONFIG, "'%.60s': write %s@%s:N with N from %u to %u", spec,
                         kind->name, kind->unit, kind->first, kind->last);
    return 0;
}

int defects_add(struct defects *defects, const struct defect_table *table, const char *spec,
                struct error *error)
{
    struct defect defect;
    int status = defect_parse(table, spec, &defect, error);

    if (status)
        return status;
    if (defects->count == DEFECTS_MAX)
        return error_set(error, ERROR_CONFIG, "'%.60s' is one fault too many: a model takes %d",
                         spec, DEFECTS_MAX);
    defects->list[defects->count++] = defect;
    return 0;
}

struct defect *defects_find(struct defects *defects, unsigned kind, uint64_t first, uint64_t last)
{
    for (unsigned i = 0; i < defects->count; i++) {
        struct defect *defect = &defects->list[i];

        if (defect->kind == kind && !defect->shown && defect->at >= first && defect->at <= last)
            return defect;
    }
    return NULL;
}

bool defects_show(struct defects *defects, unsigned kind, uint64_t first, uint64_t last)
{
    struct defect *defect = defects_find(defects, kind, first, last);

    return defect && (defect->shown = true);
}

bool defects_hold(struct defects *defects, unsigned kind, uint64_t at)
{
    for (unsigned i = 0; i < defects->count; i++)
        if (defects->list[i].kind == kind && defects->list[i].at == at)
            return defects->list[i].shown = true;
    return false;
}

bool defects_have_shown(const struct defects *defects)
{
    for (unsigned i = 0; i < defects->count; i++)
        if (defects->list[i].shown)
            return true;
    return false;
}
