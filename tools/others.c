/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/others.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "rigs/page/markup.h"

bool others_reach(const char *where)
{
    static const char *const own[] = {"127.", "[::1]", "localhost:", "fd:"};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (!strncmp(where, own[i], strlen(own[i])))
            return false;
    return strchr(where, ':');
}

static void warn(const char *command, const char *address, const char *may)
{
    fprintf(stderr, "dealproof %s: other machines reach ", command);
    plain_text(stderr, address);
    fprintf(stderr, ", and whoever does %s; a port alone serves this one\n", may);
}

void others_warn(const char *command, const char *where, const char *may)
{
    if (others_reach(where))
        warn(command, where, may);
}

void others_warn_of_link(const char *command, const char *address, const char *may)
{
    static const char scheme[] = "listen:";

    if (!strncmp(address, scheme, sizeof scheme - 1) && others_reach(address + sizeof scheme - 1))
        warn(command, address, may);
}

void others_warn_of_rig(const char *command, const struct rig *rig)
{
    for (unsigned i = 0; i < DEVICE_CLASSES; i++) {
        const struct rig_device *device = rig_device(rig, (enum device_class)i);

        if (!device)
            continue;
        others_warn_of_link(command, device->address, OTHERS_MAY_BE_DEVICE);
        if (device->authenticate)
            others_warn_of_link(command, device->authenticate->address, OTHERS_MAY_BE_DEVICE);
    }
}
