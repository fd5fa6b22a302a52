/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/device.h"

#include <stdlib.h>

int device_open(struct device **device, const struct device_driver *driver,
                const struct device_connection *connection, struct error *error)
{
    const char *address = connection->link ? connection->link->address : connection->address;
    struct device *opened;
    int status = device_check_options(driver, connection->options, error);

    *device = NULL;
    if (status)
        return status;
    opened = calloc(1, driver->size);
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: no memory for a %s", address, driver->noun);
    opened->driver = driver;
    opened->capabilities = driver->capabilities;
    opened->by_hand = driver->by_hand;
    opened->link = connection->link;
    opened->address = address;
    status = driver->open(opened, connection, error);
    if (status) {
        free(opened);
        return status;
    }
    *device = opened;
    return 0;
}

int device_inspect(const struct device_driver *driver, const struct device_connection *connection,
                   unsigned *capabilities, struct error *error)
{
    *capabilities = driver->capabilities;
    return driver->inspect ? driver->inspect(connection, capabilities, error) : 0;
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
    if (found && found->has_no_address)
        return error_set(error, ERROR_CONFIG, "%s: a %s of driver '%s' is on no link",
                         link->address, found->noun, driver);
    return found ? device_open(device, found, &connection, error) : ERROR_CONFIG;
}

void device_claim(struct device *device, const struct host *host)
{
    device->is_wide = host_is_wide(host);
    if (!device->is_wide)
        return;
    if (!(host->capabilities & WIRE_HAS_TEST_MODE))
        device->capabilities &= ~(unsigned)(DEVICE_LOADS_ORDER | DEVICE_HAS_TEST_MODE);
    if (!(host->capabilities & WIRE_KEEPS_LOG))
        device->capabilities &= ~(unsigned)DEVICE_KEEPS_LOG;
    if (host->capabilities & WIRE_TELLS_DECKS)
        device->capabilities |= DEVICE_TELLS_BACKS;
    if (host->capabilities & WIRE_TELLS_CONFIG)
        device->capabilities |= DEVICE_TELLS_CONFIG;
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
                     device->driver->noun, device_driver_name(device->driver), what);
}

int device_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    device->refusal = 0;
    if (!device_can(device, DEVICE_TELLS_IDENTITY))
        return device_cannot(device, "gives no identity: read the type plate", error);
    return device->driver->identity(device, identity, error);
}

int device_ask_test_mode(struct device *device, bool *is_on, struct error *error)
{
    *is_on = false;
    device->refusal = 0;
    return device_can(device, DEVICE_TELLS_STATUS)
               ? device->driver->in_test_mode(device, is_on, error)
               : 0;
}

bool device_in_test_mode(struct device *device)
{
    bool is_on;

    return !device_ask_test_mode(device, &is_on, NULL) && is_on;
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
