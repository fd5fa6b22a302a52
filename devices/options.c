/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of drivers, as a rig file gives them. */
#include <stdio.h>
#include <string.h>

#include "devices/model.h"

/* Whether the text starts with exactly this option; then `*end` is where it ends. */
static bool is_option(const char *text, const char *key, const char *value, const char **end)
{
    size_t length = strlen(key), size = strlen(value);

    if (strncmp(text, key, length) != 0 || text[length] != '=' ||
        strncmp(text + length + 1, value, size) != 0)
        return false;
    *end = text + length + 1 + size;
    return **end == ',' || !**end;
}

bool device_has_option(const char *options, const char *key, const char *value)
{
    const char *end;

    for (; *options; options += strcspn(options, ","), options += *options == ',')
        if (is_option(options, key, value, &end))
            return true;
    return false;
}

static bool is_known(const struct device_driver *driver, const char *option, const char **end)
{
    for (const struct device_option *known = driver->options; known->key; known++)
        for (const char *const *value = known->values; *value; value++)
            if (is_option(option, known->key, *value, end))
                return true;
    return false;
}

static int say_none(const struct device_driver *driver, const char *options, struct error *error)
{
    const struct model_kind *kind = model_kind_for(driver);

    return error_set(error, ERROR_CONFIG,
                     "the driver '%s' has no options ('%.60s'); those of a model follow its "
                     "address, as in emu:%s?seed=7",
                     device_driver_name(driver), options, kind ? kind->name : driver->noun);
}

static int say_known(const struct device_driver *driver, const char *options, struct error *error)
{
    struct name_list names;
    char option[64];

    name_list_start(&names);
    for (const struct device_option *known = driver->options; known->key; known++)
        for (const char *const *value = known->values; *value; value++) {
            snprintf(option, sizeof option, "%s=%s", known->key, *value);
            name_list_add(&names, option);
        }
    return error_set(error, ERROR_CONFIG, "'%.60s' is none of: %s", options,
                     name_list_text(&names));
}

/* Of a script any key and value will do. */
static int check_form(const char *options, struct error *error)
{
    for (const char *option = options; *option; option += *option == ',') {
        size_t length = strcspn(option, ","), key = strcspn(option, "=,");

        if (!key || option[key] != '=')
            return error_set(error, ERROR_CONFIG,
                             "'%.*s' is no option of a script; write KEY=VALUE,KEY=VALUE",
                             (int)(length < 60 ? length : 60), option);
        option += length;
    }
    return 0;
}

int device_check_options(const struct device_driver *driver, const char *options,
                         struct error *error)
{
    const char *end;

    if (!*options)
        return 0;
    if (driver->takes_script)
        return check_form(options, error);
    if (!driver->options)
        return say_none(driver, options, error);
    for (const char *option = options; *option; option = end + (*end == ','))
        if (!is_known(driver, option, &end))
            return say_known(driver, option, error);
    return 0;
}
