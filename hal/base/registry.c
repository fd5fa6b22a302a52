/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/registry.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const void *thing)
{
    return *(const char *const *)thing;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(name_of(*(const void *const *)a), name_of(*(const void *const *)b));
}

size_t registry_list(const struct registry *registry, const void *things[REGISTRY_MAX])
{
    size_t count = (size_t)(registry->end - registry->first);

    if (!count)
        return 0;
    if (count > REGISTRY_MAX)
        count = REGISTRY_MAX;
    memcpy(things, registry->first, count * sizeof *things);
    qsort(things, count, sizeof *things, by_name);
    return count;
}

const void *registry_find(const struct registry *registry, const char *name)
{
    for (const void *const *thing = registry->first; thing < registry->end; thing++)
        if (!strcmp(name_of(*thing), name))
            return *thing;
    return NULL;
}

const void *registry_find_scheme(const struct registry *registry, const char *address)
{
    for (const void *const *thing = registry->first; thing < registry->end; thing++) {
        size_t length = strlen(name_of(*thing));

        if (!strncmp(name_of(*thing), address, length) && address[length] == ':')
            return *thing;
    }
    return NULL;
}

const void *registry_at(const struct registry *registry, size_t index)
{
    const void *things[REGISTRY_MAX];
    size_t count = registry_list(registry, things);

    return index < count ? things[index] : NULL;
}

void registry_names(const struct registry *registry, struct name_list *names)
{
    const void *things[REGISTRY_MAX];
    size_t count = registry_list(registry, things);

    name_list_start(names);
    for (size_t i = 0; i < count; i++)
        name_list_add(names, name_of(things[i]));
}
