/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drivers and models, found by class and name among those that the linker put side by side. */
#include "hal/base/registry.h"

#include <stdio.h>
#include <string.h>

#include "devices/model.h"

REGISTRY(device_drivers);
REGISTRY(device_models);

const char *device_class_name(enum device_class class)
{
    static const char *const names[DEVICE_CLASSES] = {
        [DEVICE_SHUFFLER] = "shuffler",
        [DEVICE_SHOE] = "shoe",
        [DEVICE_TERMINAL] = "terminal",
        [DEVICE_SENSORS] = "sensors",
    };

    return names[class];
}

const char *device_driver_name(const struct device_driver *driver)
{
    return strchr(driver->key, '/') + 1;
}

const struct device_driver *device_driver_at(size_t index)
{
    return registry_at(&device_drivers, index);
}

const struct device_driver *device_driver_find(enum device_class class, const char *name,
                                               struct error *error)
{
    const void *drivers[REGISTRY_MAX];
    size_t count = registry_list(&device_drivers, drivers);
    bool is_one = class != DEVICE_SENSORS;
    struct name_list known;

    name_list_start(&known);
    for (size_t i = 0; i < count; i++) {
        const struct device_driver *driver = drivers[i];

        if (driver->class != class)
            continue;
        if (!strcmp(device_driver_name(driver), name))
            return driver;
        name_list_add(&known, device_driver_name(driver));
    }
    error_set(error, ERROR_CONFIG, "there is no driver '%.40s' for %s%s; the drivers are %s", name,
              is_one ? "a " : "", device_class_name(class), name_list_text(&known));
    return NULL;
}

const struct model_kind *model_kind_at(size_t index)
{
    return registry_at(&device_models, index);
}

const struct model_kind *model_kind_find(const char *name, struct error *error)
{
    const void *kinds[REGISTRY_MAX];
    size_t count = registry_list(&device_models, kinds);
    struct name_list known;

    name_list_start(&known);
    for (size_t i = 0; i < count; i++) {
        const struct model_kind *kind = kinds[i];

        if (!kind->make)
            continue;
        if (!strcmp(kind->name, name))
            return kind;
        name_list_add(&known, kind->name);
    }
    error_set(error, ERROR_CONFIG, "there is no model '%.40s'; the models are %s", name,
              name_list_text(&known));
    return NULL;
}

const struct model_kind *model_kind_for(const struct device_driver *driver)
{
    const struct model_kind *kind;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if ((kind->class == driver->class || kind->class == DEVICE_CLASSES) &&
            !strcmp(kind->driver, device_driver_name(driver)))
            return kind;
    return NULL;
}

bool model_kind_fits(const struct model_kind *kind, const struct device_driver *driver)
{
    return kind == model_kind_for(driver) ||
           (driver->takes_script && kind->make && kind->class == driver->class);
}
