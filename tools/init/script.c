/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a machine whose protocol a script knows (devices/SCRIPTS.md). */
#include <stdio.h>
#include <string.h>

#include "tools/init/init.h"
#include "tools/init/inquiry.h"

/* As the rig file will have it: relative to that. */
static int inspect(const struct init *init, enum device_class class, const char *script,
                   unsigned *capabilities, struct error *error)
{
    const char *output = init->options.output, *slash = strrchr(output, '/');
    const struct device_driver *driver =
        device_driver_find(class, init->devices[class].driver, error);
    int folder = slash && *script != '/' ? (int)(slash + 1 - output) : 0;
    char path[2 * RIG_PATH_MAX];
    struct device_connection connection = {.options = "", .script = path};

    if (!driver)
        return ERROR_CONFIG;
    if (strlen(script) >= RIG_PATH_MAX || folder >= RIG_PATH_MAX)
        return error_set(error, ERROR_CONFIG, "a path has at most %d bytes", RIG_PATH_MAX - 1);
    snprintf(path, sizeof path, "%.*s%s", folder, output, script);
    return device_inspect(driver, &connection, capabilities, error);
}

static int check_script(const struct init *init, enum device_class class, const char *answer,
                        struct error *error)
{
    unsigned capabilities;

    return inspect(init, class, answer, &capabilities, error);
}

int init_ask_script(struct init *init, enum device_class class, struct error *error)
{
    struct rig_device *device = &init->devices[class];
    const struct device_driver *driver = device_driver_find(class, device->driver, NULL);
    struct inquiry inquiry = {
        .option = "script", .given = init->options.script, .check = check_script, .class = class};
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (!driver || !driver->takes_script)
        return 0;
    snprintf(inquiry.text, sizeof inquiry.text, "Which file of Lua knows the protocol of the %s?",
             device_class_name(class));
    status = init_inquire(init, &inquiry, answer, error);
    if (status)
        return status;
    snprintf(device->script, sizeof device->script, "%s", answer);
    return inspect(init, class, answer, &device->capabilities, error);
}

int init_check_script(const struct init *init, struct error *error)
{
    if (!init->options.script || *init->devices[DEVICE_SHUFFLER].script ||
        *init->devices[DEVICE_SHOE].script)
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "--script is for a shuffler or a shoe with the driver 'script', and there is "
                     "none; write --shuffler script=ADDRESS");
}

unsigned init_capabilities(const struct init *init, enum device_class class)
{
    const struct rig_device *device = &init->devices[class];
    const struct device_driver *driver = device_driver_find(class, device->driver, NULL);

    return !driver ? 0 : driver->takes_script ? device->capabilities : driver->capabilities;
}
