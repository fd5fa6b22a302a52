/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/scripted.h"

static const char *script;

void scripted_use(const char *path)
{
    script = path;
}

bool scripted_is(void)
{
    return script != NULL;
}

int scripted_open(struct device **device, enum device_class class, const char *driver,
                  struct link *link, const char *options, struct error *error)
{
    const struct device_connection connection = {
        .link = link, .address = link->address, .options = options, .script = script, .seed = 1};
    const struct device_driver *found =
        device_driver_find(class, script ? "script" : driver, error);

    *device = NULL;
    return found ? device_open(device, found, &connection, error) : ERROR_CONFIG;
}
