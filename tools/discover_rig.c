/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "hal/link/discover.h"
#include "hal/pins/discover.h"
#include "hal/usb/discover.h"
#include "rigs/rig/rig.h"
#include "tools/discover.h"

#define CANDIDATES_MAX 16

/* One device of the rig, and what is attached that it could be. */
struct wanted {
    const char *name;
    const char *address;
    const struct rig_place *place;
    const struct device_driver *driver;
    const struct rig_sensors *sensors; /* NULL for a device on a link */
    unsigned count;
    char candidates[CANDIDATES_MAX][LINK_ADDRESS_MAX];
};

static void add_candidate(struct wanted *wanted, const char *address)
{
    if (wanted->count < CANDIDATES_MAX)
        snprintf(wanted->candidates[wanted->count++], LINK_ADDRESS_MAX, "%s", address);
}

/* The baud rate is the rig's to know: that of the port is a guess. */
static void take_port(void *context, const struct serial_port_info *port)
{
    struct wanted *wanted = context;
    const char *rate = strrchr(wanted->address, '@');
    char address[LINK_ADDRESS_MAX];
    int length = (int)strcspn(port->address, "@");

    if (snprintf(address, sizeof address, "%.*s%s", length, port->address,
                 rate ? rate : "@115200") < LINK_ADDRESS_MAX)
        add_candidate(wanted, address);
}

static void take_usb(void *context, const struct usb_device_info *device)
{
    add_candidate(context, device->address);
}

static bool has_line(const struct gpio_chip_info *chip, const char *name)
{
    char *end;
    unsigned long offset = strtoul(name, &end, 10);

    if (!name[0] || (*end == '\0' && offset < chip->count))
        return true;
    for (size_t i = 0; i < chip->count; i++)
        if (!strcmp(chip->lines[i].name, name))
            return true;
    return false;
}

/* A chip that has every line of the rig. */
static void take_chip(void *context, const struct gpio_chip_info *chip)
{
    struct wanted *wanted = context;
    char address[LINK_ADDRESS_MAX];

    for (unsigned i = 0; i < wanted->sensors->seats_count; i++) {
        const struct rig_seat *seat = &wanted->sensors->seats[i];

        if (chip->failed || !has_line(chip, seat->bet) || !has_line(chip, seat->light) ||
            !has_line(chip, seat->chip) || !has_line(chip, seat->lamp))
            return;
    }
    snprintf(address, sizeof address, "gpio:%s", chip->label);
    add_candidate(wanted, address);
}

static int find_candidates(struct wanted *wanted, struct error *error)
{
    const struct model_kind *kind;
    struct usb_known known;
    int found = 0;

    if (wanted->sensors)
        return discover_gpio(take_chip, wanted, error) < 0 ? ERROR_RIG : 0;
    if (!strncmp(wanted->address, "serial:", 7))
        found = discover_serial(take_port, wanted, error);
    if (!strncmp(wanted->address, "usb:", 4)) {
        kind = model_kind_for(wanted->driver);
        if (!kind || !kind->usb_product)
            return error_set(error, ERROR_CONFIG, "a %s with the driver '%s' is never on USB",
                             wanted->name, device_driver_name(wanted->driver));
        known = (struct usb_known){kind->usb_vendor, kind->usb_product, wanted->name};
        found = discover_usb(&known, 1, false, take_usb, wanted, error);
    }
    return found < 0 ? found : 0;
}

/* Whether discovery can say anything about such an address. */
static bool is_discoverable(const char *address)
{
    return !strncmp(address, "serial:", 7) || !strncmp(address, "usb:", 4) ||
           !strncmp(address, "gpio:", 5);
}

/* Where the address stands in the text, or NULL if it is written in a way of its own. */
static const char *find_address(const struct rig *rig, const struct wanted *wanted)
{
    const char *at = rig->text, *end = rig->text + rig->text_size;

    for (unsigned line = 1; line < wanted->place->line && at; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || (size_t)(end - at) < wanted->place->column)
        return NULL;
    at += wanted->place->column - 1;
    at += *at == '"' || *at == '\'';
    return strncmp(at, wanted->address, strlen(wanted->address)) ? NULL : at;
}

/* Whether another device of the rig could only be the same one. */
static bool is_contested(const struct wanted *all, size_t count, const struct wanted *wanted)
{
    for (const struct wanted *other = all; other < all + count; other++)
        if (other != wanted && other->count == 1 &&
            !strcmp(other->candidates[0], wanted->candidates[0]))
            return true;
    return false;
}

/* The address to write, after saying which it is and why. NULL: none is sure. */
static const char *choose(const struct wanted *all, size_t count, const struct wanted *wanted,
                          FILE *notes)
{
    for (unsigned i = 0; i < wanted->count; i++)
        if (!strcmp(wanted->candidates[i], wanted->address)) {
            fprintf(notes, "%s: %s is attached\n", wanted->name, wanted->address);
            return wanted->candidates[i];
        }
    if (wanted->count == 1 && !is_contested(all, count, wanted)) {
        fprintf(notes, "%s: %s\n", wanted->name, wanted->candidates[0]);
        return wanted->candidates[0];
    }
    fprintf(notes, "%s: %s; the address stays %s\n", wanted->name,
            wanted->count ? "which one is meant is not sure" : "none is attached", wanted->address);
    for (unsigned i = 0; i < wanted->count; i++)
        fprintf(notes, "    %s\n", wanted->candidates[i]);
    return NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct rig_place *left = ((const struct wanted *)a)->place;
    const struct rig_place *right = ((const struct wanted *)b)->place;

    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return left->column < right->column ? -1 : left->column > right->column;
}

/* The devices of the rig that are real, in the order of the file. */
static size_t list_wanted(const struct rig *rig, struct wanted wanted[DEVICE_CLASSES])
{
    const struct rig_devices *devices = &rig->devices;
    const struct rig_device *listed[DEVICE_CLASSES] = {
        [DEVICE_SHUFFLER] = devices->shuffler,
        [DEVICE_SHOE] = devices->shoe,
        [DEVICE_TERMINAL] = devices->terminal,
        [DEVICE_SENSORS] = devices->sensors ? &devices->sensors->device : NULL,
    };
    size_t count = 0;

    for (unsigned class = 0; class < DEVICE_CLASSES; class ++) {
        const struct rig_device *device = listed[class];
        const struct device_driver *driver;

        if (!device || !is_discoverable(device->address))
            continue;
        driver = device_driver_find((enum device_class) class, device->driver, NULL);
        wanted[count++] = (struct wanted){.name = device_class_name((enum device_class) class),
                                          .address = device->address,
                                          .place = &device->place,
                                          .driver = driver,
                                          .sensors = driver->on_pins ? devices->sensors : NULL};
    }
    qsort(wanted, count, sizeof *wanted, by_place);
    return count;
}

/* Copies the text with the addresses that are sure; returns how many are not. */
static unsigned write_filled(const struct rig *rig, const struct wanted *wanted, size_t count,
                             FILE *out, FILE *notes)
{
    const char *from = rig->text;
    unsigned open = 0;

    for (size_t i = 0; i < count; i++) {
        const char *address = choose(wanted, count, &wanted[i], notes);
        const char *at = find_address(rig, &wanted[i]);

        if (!address || !at) {
            open++;
            continue;
        }
        fwrite(from, 1, (size_t)(at - from), out);
        fputs(address, out);
        from = at + strlen(wanted[i].address);
    }
    fwrite(from, 1, (size_t)(rig->text + rig->text_size - from), out);
    return open;
}

int discover_fill(const char *path, FILE *out, FILE *notes, struct error *error)
{
    struct wanted *wanted = calloc(DEVICE_CLASSES, sizeof *wanted);
    struct rig *rig = NULL;
    unsigned open = 0;
    size_t count = 0;
    int status = wanted ? rig_load(&rig, path, error)
                        : error_set(error, ERROR_RIG, "not enough memory for the devices");

    if (!status)
        count = list_wanted(rig, wanted);
    for (size_t i = 0; i < count && !status; i++)
        status = find_candidates(&wanted[i], error);
    if (!status)
        open = write_filled(rig, wanted, count, out, notes);
    if (open)
        status = error_set(error, ERROR_DEVICE, "%s: %u of %zu addresses could not be filled in",
                           path, open, count);
    rig_free(rig);
    free(wanted);
    return status;
}
