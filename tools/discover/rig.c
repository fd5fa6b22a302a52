/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "devices/model.h"
#include "hal/link/discover.h"
#include "hal/pins/discover.h"
#include "hal/usb/device.h"
#include "hal/usb/discover.h"
#include "rigs/rig/rig.h"
#include "tools/discover/discover.h"

#define CANDIDATES_MAX 16

/*
 * One device of the rig, and what is attached. An address of the rig means a device of its own; in
 * place of one that is not there another is never written, however alone it stands.
 */
struct wanted {
    const char *name;
    const char *address;
    const struct rig_place *place;
    const struct device_driver *driver;
    const struct rig_sensors *sensors; /* NULL: they are not on pins, or it is another device */
    const struct rig_lines *lines;     /* of a shuffler on pins; all "" of others */
    struct usb_address usb;            /* that the rig asks for, */
    unsigned matches;                  /* and how many such devices there are */
    bool is_attached;
    char surely[LINK_ADDRESS_MAX]; /* the same device by the name that no other one has */
    char note[120];                /* on what is attached; "" for nothing */
    unsigned count;                /* of what else it could be */
    char candidates[CANDIDATES_MAX][LINK_ADDRESS_MAX + DISCOVER_TEXT_MAX + 2];
};

static void add_candidate(struct wanted *wanted, const char *address, const char *what)
{
    if (wanted->count < CANDIDATES_MAX)
        snprintf(wanted->candidates[wanted->count++], sizeof wanted->candidates[0], "%s%s%s",
                 address, *what ? ", " : "", what);
}

/* Whether both names lead to one node. */
static bool is_same_node(const char *a, const char *b)
{
    struct stat first, second;

    return !strcmp(a, b) || (!stat(a, &first) && !stat(b, &second) &&
                             first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

/* The baud rate is the rig's to know: that of the port is a guess. */
static void take_port(void *context, const struct serial_port_info *port)
{
    struct wanted *wanted = context;
    const char *rate = strrchr(wanted->address, '@');
    const char *path = wanted->address + strlen("serial:");
    int length = (int)strcspn(port->address, "@");
    char address[LINK_ADDRESS_MAX], named[LINK_ADDRESS_MAX];

    if (snprintf(address, sizeof address, "%.*s%s", length, port->address,
                 rate ? rate : "@115200") >= LINK_ADDRESS_MAX)
        return;
    snprintf(named, sizeof named, "%.*s", rate ? (int)(rate - path) : (int)strlen(path), path);
    if (!is_same_node(named, port->path)) {
        add_candidate(wanted, address,
                      strcmp(port->transport, "usb") != 0 ? port->transport : port->usb.name);
        return;
    }
    wanted->is_attached = true;
    if (strcmp(address, wanted->address) != 0 && strcmp(named, port->path) == 0)
        snprintf(wanted->note, sizeof wanted->note, "; after a reboot it may be another one");
}

/* A serial number or port that the rig names must be that of the device. */
static bool is_meant(const struct usb_address *address, const struct usb_device_info *device)
{
    return address->vendor == device->usb.vendor && address->product == device->usb.product &&
           (!address->serial[0] || !strcmp(address->serial, device->usb.serial)) &&
           (!address->path[0] || !strcmp(address->path, device->path));
}

static void take_usb(void *context, const struct usb_device_info *device)
{
    struct wanted *wanted = context;

    add_candidate(wanted, device->address, device->usb.name);
    if (!is_meant(&wanted->usb, device))
        return;
    wanted->matches++;
    if (!wanted->usb.serial[0] && !wanted->usb.path[0])
        snprintf(wanted->surely, sizeof wanted->surely, "%s", device->address);
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

/* A line of the rig that the chip has not; NULL: it has all. */
static const char *missing_line(const struct wanted *wanted, const struct gpio_chip_info *chip)
{
    const struct rig_lines *lines = wanted->lines;
    const char *const shuffler[] = {lines->button, lines->exit, lines->ready, lines->jam,
                                    lines->door};

    for (unsigned line = 0; line < SHUFFLER_LINES; line++)
        if (!has_line(chip, shuffler[line]))
            return shuffler[line];
    for (unsigned i = 0; wanted->sensors && i < wanted->sensors->seats_count; i++) {
        const struct rig_seat *seat = &wanted->sensors->seats[i];
        const char *const names[] = {seat->bet, seat->light, seat->chip, seat->lamp};

        for (unsigned line = 0; line < BET_LINES; line++)
            if (!has_line(chip, names[line]))
                return names[line];
    }
    return NULL;
}

/* A chip is meant by its label; what it lacks then is said. Others must have every line. */
static void take_chip(void *context, const struct gpio_chip_info *chip)
{
    struct wanted *wanted = context;
    const char *missing = chip->failed ? NULL : missing_line(wanted, chip);
    char address[LINK_ADDRESS_MAX];

    if (chip->failed)
        return;
    snprintf(address, sizeof address, "gpio:%s", chip->label);
    if (!strcmp(address, wanted->address)) {
        wanted->is_attached = !missing;
        if (missing)
            snprintf(wanted->note, sizeof wanted->note, ": it has no line '%s'", missing);
    } else if (!missing) {
        add_candidate(wanted, address, chip->name);
    }
}

/* All devices of the driver are candidates, and those of the rig's own numbers too. */
static int find_usb(struct wanted *wanted, struct error *error)
{
    const struct model_kind *kind = model_kind_for(wanted->driver);
    struct usb_known known[2];
    size_t count = 0;
    int found;

    if (!usb_address_parse(&wanted->usb, wanted->address + strlen("usb:")))
        return error_set(error, ERROR_CONFIG, "%s: %s is no address; write " USB_FORM, wanted->name,
                         wanted->address);
    known[count++] = (struct usb_known){wanted->usb.vendor, wanted->usb.product, wanted->name};
    if (kind && kind->usb_product &&
        (kind->usb_vendor != known[0].vendor || kind->usb_product != known[0].product))
        known[count++] = (struct usb_known){kind->usb_vendor, kind->usb_product, wanted->name};
    found = discover_usb(known, count, false, take_usb, wanted, error);
    wanted->is_attached = wanted->matches == 1;
    if (wanted->matches > 1)
        snprintf(wanted->note, sizeof wanted->note, ": it may be any of %u", wanted->matches);
    return found;
}

static int find_candidates(struct wanted *wanted, struct error *error)
{
    int found;

    if (!strncmp(wanted->address, "gpio:", 5))
        found = discover_gpio(take_chip, wanted, error);
    else if (!strncmp(wanted->address, "serial:", 7))
        found = discover_serial(take_port, wanted, error);
    else
        found = find_usb(wanted, error);
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

/* The address to write, after saying which it is and why. NULL: it is not there, or not sure. */
static const char *choose(const struct wanted *wanted, FILE *notes)
{
    bool is_shorter = *wanted->surely && strcmp(wanted->surely, wanted->address) != 0;

    if (wanted->is_attached) {
        fprintf(notes, "%s: %s is attached%s%s%s\n", wanted->name, wanted->address, wanted->note,
                is_shorter ? ": " : "", is_shorter ? wanted->surely : "");
        return is_shorter ? wanted->surely : wanted->address;
    }
    fprintf(notes, "%s: %s is not %s%s; it stays in the file\n", wanted->name, wanted->address,
            *wanted->note ? "what the rig needs" : "attached", wanted->note);
    for (unsigned i = 0; i < wanted->count; i++)
        fprintf(notes, "    %s %s\n", i ? "or" : "attached is", wanted->candidates[i]);
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
        wanted[count++] = (struct wanted){
            .name = device_class_name((enum device_class) class),
            .address = device->address,
            .place = &device->place,
            .driver = driver,
            .lines = &device->lines,
            .sensors = class == DEVICE_SENSORS && driver->on_pins ? devices->sensors : NULL};
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
        const char *address = choose(&wanted[i], notes);
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
        status = error_set(error, ERROR_DEVICE, "%s: %u of %zu address%s not there, or not sure",
                           path, open, count, count == 1 ? " is" : "es are");
    rig_free(rig);
    free(wanted);
    return status;
}
