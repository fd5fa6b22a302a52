/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/rig/named.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/regular.h"

/* A link may lead to it: who runs has named it, nobody else has. */
static void add(struct rig_named named[RIG_NAMED_MAX], unsigned *count, const char *path)
{
    char real[PATH_MAX];

    for (unsigned i = 0; i < *count; i++)
        if (!strcmp(named[i].path, path))
            return;
    if (!*path || !realpath(path, real) ||
        regular_digest(real, named[*count].digest) != REGULAR_READ)
        return;
    named[(*count)++].path = path;
}

unsigned rig_named(const struct rig *rig, struct rig_named named[RIG_NAMED_MAX])
{
    unsigned count = 0;

    add(named, &count, rig->paytables);
    for (unsigned i = 0; i < DEVICE_CLASSES; i++) {
        const struct rig_device *device = rig_device(rig, (enum device_class)i);

        if (!device)
            continue;
        add(named, &count, device->script);
        add(named, &count, device->map);
        if (device->authenticate)
            add(named, &count, device->authenticate->approved);
    }
    return count;
}
