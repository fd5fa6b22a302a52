#include "devices/device.h"

#include <stdio.h>
#include <stdlib.h>
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
                     driver->name, options, kind ? kind->name : driver->noun);
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

int device_check_options(const struct device_driver *driver, const char *options,
                         struct error *error)
{
    const char *end;

    if (!*options)
        return 0;
    if (!driver->options)
        return say_none(driver, options, error);
    for (const char *option = options; *option; option = end + (*end == ','))
        if (!is_known(driver, option, &end))
            return say_known(driver, option, error);
    return 0;
}

int device_open(struct device **device, const struct device_driver *driver,
                const struct device_connection *connection, struct error *error)
{
    struct device *opened;
    int status = device_check_options(driver, connection->options, error);

    *device = NULL;
    if (status)
        return status;
    opened = calloc(1, driver->size);
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: no memory for a %s", connection->address,
                         driver->noun);
    opened->driver = driver;
    opened->link = connection->link;
    opened->address = connection->link ? connection->link->address : connection->address;
    status = driver->open(opened, connection, error);
    if (status) {
        free(opened);
        return status;
    }
    *device = opened;
    return 0;
}

void device_close(struct device *device)
{
    if (device && device->driver->close)
        device->driver->close(device);
    free(device);
}

int device_open_on_link(struct device **device, enum device_class class, const char *driver,
                        struct link *link, const char *options, struct error *error)
{
    const struct device_connection connection = {
        .link = link, .address = link->address, .options = options};
    const struct device_driver *found = device_driver_find(class, driver, error);

    *device = NULL;
    return found ? device_open(device, found, &connection, error) : ERROR_CONFIG;
}

int device_refuse(struct device *device, const char *request, unsigned refusal, const char *text,
                  struct error *error)
{
    device->refusal = refusal;
    return error_set(error, ERROR_DEVICE, "%s: the %s refuses %s: %s", device->address,
                     device->driver->noun, request, text);
}

int device_cannot(const struct device *device, const char *what, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s: a %s of driver '%s' %s", device->address,
                     device->driver->noun, device->driver->name, what);
}

int device_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    device->refusal = 0;
    if (!device_can(device, DEVICE_TELLS_IDENTITY))
        return device_cannot(device, "gives no identity: read the type plate", error);
    return device->driver->identity(device, identity, error);
}

bool device_in_test_mode(struct device *device)
{
    bool is_on = false;

    device->refusal = 0;
    return device_can(device, DEVICE_TELLS_STATUS) &&
           !device->driver->in_test_mode(device, &is_on, NULL) && is_on;
}

int device_log(struct device *device, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
               unsigned *count, uint32_t *total, struct error *error)
{
    int result;

    device->refusal = 0;
    if (!device_can(device, DEVICE_KEEPS_LOG))
        return device_cannot(device, "keeps no log", error);
    result = device->driver->log(device, first, entries, count, total, error);
    return result > 0 ? device_refuse(device, "LOG", (unsigned)result,
                                      wire_refusal_text((unsigned)result), error)
                      : result;
}

struct host *device_host(struct device *device)
{
    return device->driver->host ? device->driver->host(device) : NULL;
}
