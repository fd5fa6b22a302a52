/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripts of a rig: files that are a driver's protocol. */
#include <stdio.h>
#include <string.h>

#include "devices/device.h"
#include "rigs/rig/check.h"

#define FILE_OPTION "file="

static void place_of(const struct device_driver *driver, const char *field,
                     char where[RIG_WHERE_MAX])
{
    snprintf(where, RIG_WHERE_MAX, "devices.%s.%s", device_class_name(driver->class), field);
}

const char *rig_find_file(const char *options)
{
    for (; *options; options += strcspn(options, ","), options += *options == ',')
        if (!strncmp(options, FILE_OPTION, strlen(FILE_OPTION)))
            return options + strlen(FILE_OPTION);
    return NULL;
}

/*
 * The model of a script is in its own file unless the address names another one, which is relative
 * to the rig file as well.
 */
static int place_model(const struct rig_check *check, struct rig_device *device, const char *where)
{
    const char *rest = device->address + strlen(RIG_SCRIPT_MODEL), *file;
    char path[RIG_PATH_MAX], address[LINK_ADDRESS_MAX];
    size_t length = 0;
    int status, size;

    if (strncmp(device->address, RIG_SCRIPT_MODEL, strlen(RIG_SCRIPT_MODEL)) != 0 ||
        (*rest && *rest != '?'))
        return 0;
    rest += *rest == '?';
    file = rig_find_file(rest);
    if (file) {
        length = strcspn(file, ",");
        snprintf(path, sizeof path, "%.*s", (int)length, file);
        status = rig_place_path(check, where, path);
        if (status)
            return status;
        size = snprintf(address, sizeof address, RIG_SCRIPT_MODEL "?%.*s%s%s", (int)(file - rest),
                        rest, path, file + length);
    } else {
        size = snprintf(address, sizeof address, RIG_SCRIPT_MODEL "?" FILE_OPTION "%s%s%s",
                        device->script, *rest ? "," : "", rest);
    }
    if (size >= LINK_ADDRESS_MAX)
        return tree_error(check->tree, check->error, where,
                          "with the folder of the rig file it has %d bytes; it may have %d", size,
                          LINK_ADDRESS_MAX - 1);
    memcpy(device->address, address, sizeof address);
    return 0;
}

/* A comma would end it among the options of a model. */
static int check_file(const struct rig_check *check, struct rig_device *device,
                      const struct device_driver *driver, const char *where)
{
    struct device_connection connection = {.options = device->options, .script = device->script};
    struct error said = {.code = ERROR_CONFIG};
    int status = rig_place_path(check, where, device->script);

    if (status)
        return status;
    if (strchr(device->script, ','))
        return tree_error(check->tree, check->error, where, "a path with a comma cannot be used");
    if (device_inspect(driver, &connection, &device->capabilities, &said))
        return said.code == ERROR_RIG
                   ? error_set(check->error, ERROR_RIG, "%s", said.text)
                   : tree_error(check->tree, check->error, where, "%s", said.text);
    return 0;
}

int rig_check_script(const struct rig_check *check, struct rig_device *device,
                     const struct device_driver *driver)
{
    char where[RIG_WHERE_MAX], address[RIG_WHERE_MAX];
    int status;

    place_of(driver, "script", where);
    place_of(driver, "address", address);
    device->capabilities = driver->capabilities;
    if (!driver->takes_script && device->script[0])
        return tree_error(check->tree, check->error, where,
                          "the driver '%s' takes none; it is for 'driver: script'",
                          device_driver_name(driver));
    if (!driver->takes_script)
        return 0;
    if (!device->script[0]) {
        place_of(driver, "driver", where);
        return tree_error(check->tree, check->error, where,
                          "which script? Name its file, as in script: my-%s.lua", driver->noun);
    }
    status = check_file(check, device, driver, where);
    return status ? status : place_model(check, device, address);
}
