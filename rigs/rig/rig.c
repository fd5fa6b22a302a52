/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/rig/rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/cards/reader.h"
#include "rigs/recording/paytables.h"

bool rig_is_emulated(const char *address)
{
    return !strncmp(address, "emu:", 4);
}

/* Appends to a text that keeps room for its NUL; false when it does not fit. */
static bool append(char *text, size_t size, const char *separator, const char *key,
                   const char *value, size_t length)
{
    size_t used = strlen(text);
    int added = snprintf(text + used, size - used, "%s%s%.*s", separator, key, (int)length, value);

    return added >= 0 && (size_t)added < size - used;
}

int rig_address(const char *address, const char *fault, uint64_t seed, char text[LINK_ADDRESS_MAX],
                struct error *error)
{
    const char *options = strchr(address, '?');
    char number[24];
    bool fits;

    snprintf(text, LINK_ADDRESS_MAX, "%s", address);
    if (!rig_is_emulated(address))
        return 0;
    fits = options || append(text, LINK_ADDRESS_MAX, "?", "", "", 0);
    if (!options || (strncmp(options + 1, "seed=", 5) != 0 && !strstr(options, ",seed="))) {
        snprintf(number, sizeof number, "%" PRIu64, seed);
        fits = fits && append(text, LINK_ADDRESS_MAX, options && options[1] ? "," : "",
                              "seed=", number, strlen(number));
    }
    while (fits && *fault) {
        size_t length = strcspn(fault, ",");

        fits = append(text, LINK_ADDRESS_MAX, ",", "fault=", fault, length);
        fault += length + (fault[length] == ',');
    }
    if (!fits)
        return error_set(error, ERROR_CONFIG,
                         "address and faults make more than %d bytes; give fewer of them",
                         LINK_ADDRESS_MAX - 1);
    return 0;
}

const struct rig_device *rig_device(const struct rig *rig, enum device_class class)
{
    const struct rig_devices *devices = &rig->devices;

    switch (class) {
    case DEVICE_SHUFFLER:
        return devices->shuffler;
    case DEVICE_SHOE:
        return devices->shoe;
    case DEVICE_TERMINAL:
        return devices->terminal;
    default:
        return devices->sensors ? &devices->sensors->device : NULL;
    }
}

/* Who reads cards and is no person is on a node: "scanner:/dev/input/event5". */
static bool is_all_emulated(const struct rig_device *device)
{
    return rig_is_emulated(device->address) &&
           (!device->authenticate || rig_is_emulated(device->authenticate->address)) &&
           !strchr(device->cards, ':');
}

bool rig_is_all_emulated(const struct rig *rig)
{
    for (unsigned i = 0; i < DEVICE_CLASSES; i++) {
        const struct rig_device *device = rig_device(rig, (enum device_class)i);

        if (device && !is_all_emulated(device))
            return false;
    }
    return true;
}

static const struct card_reader_kind *reader_of(const struct device_driver *driver,
                                                const struct rig_device *device)
{
    return driver && driver->takes_cards ? card_reader_find(device->cards, NULL) : NULL;
}

static bool device_asks(enum device_class class, const struct rig_device *device)
{
    const struct device_driver *driver =
        device ? device_driver_find(class, device->driver, NULL) : NULL;
    const struct card_reader_kind *reader = reader_of(driver, device);

    return (driver && driver->asks && !rig_is_emulated(device->address)) ||
           (reader && reader->asks);
}

bool rig_asks(const struct rig *rig)
{
    return device_asks(DEVICE_SHUFFLER, rig->devices.shuffler) ||
           device_asks(DEVICE_SHOE, rig->devices.shoe) ||
           device_asks(DEVICE_TERMINAL, rig->devices.terminal);
}

bool rig_knows_cards(enum device_class class, const struct rig_device *device)
{
    const struct device_driver *driver = device_driver_find(class, device->driver, NULL);
    const struct card_reader_kind *reader = reader_of(driver, device);

    return driver && device->capabilities & DEVICE_TELLS_CARDS && (!reader || reader->reads);
}

void rig_place_error(const struct rig *rig, const struct rig_place *place, const char *what,
                     struct error *error)
{
    if (error)
        error_prefix(error, "%s:%u:%u: the %s", rig->path, place->line, place->column, what);
}

int rig_paytables(const struct rig *rig, struct paytables **set, struct error *error)
{
    int status = 0;

    *set = NULL;
    if (rig->paytables[0])
        status = paytables_load(rig->paytables, set, error);
    if (status)
        rig_place_error(rig, &rig->paytables_place, "paytables", error);
    return status;
}
