/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is attached to this machine, for who is asked what stands on the bench. */
#include <string.h>

#include "devices/model.h"
#include "devices/probe.h"
#include "hal/base/plural.h"
#include "hal/base/printable.h"
#include "hal/pins/discover.h"
#include "hal/usb/discover.h"
#include "tools/init/init.h"
#include "tools/json_print.h"

static struct init_item *add(struct init_items *items, const char *address)
{
    struct init_item *item;

    if (items->count == INIT_ITEMS_MAX)
        return NULL;
    item = &items->list[items->count++];
    *item = (struct init_item){.is_known = false};
    snprintf(item->address, sizeof item->address, "%s", address);
    return item;
}

/* The rate that stands in the address of a discovery is a guess. */
static void add_port(void *context, const struct serial_port_info *port)
{
    struct init_item *item = add(context, port->address);

    if (!item)
        return;
    item->address[strcspn(item->address, "@")] = '\0';
    snprintf(item->path, sizeof item->path, "%s", port->accessible ? port->path : "");
    snprintf(item->text, sizeof item->text, "serial port%s%s%s", *port->usb.name ? ", " : "",
             port->usb.name, port->accessible ? "" : ", which this user may not open");
}

static const struct model_kind *kind_of(const struct usb_identity *usb)
{
    const struct model_kind *kind;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->usb_product && kind->usb_vendor == usb->vendor &&
            kind->usb_product == usb->product)
            return kind;
    return NULL;
}

static void add_usb(void *context, const struct usb_device_info *device)
{
    const struct model_kind *kind = kind_of(&device->usb);
    struct init_item *item = kind ? add(context, device->address) : NULL;

    if (!item)
        return;
    item->is_known = true;
    item->class = kind->class;
    snprintf(item->driver, sizeof item->driver, "%s", kind->driver);
    snprintf(item->text, sizeof item->text, "%s%s%s", device_class_name(kind->class),
             *device->usb.name ? ", " : "", device->usb.name);
}

static void add_chip(void *context, const struct gpio_chip_info *chip)
{
    char address[sizeof "gpio:" + PINS_LABEL_MAX];
    struct init_item *item;

    snprintf(address, sizeof address, "gpio:%s", chip->label);
    item = chip->failed ? NULL : add(context, address);
    if (item)
        snprintf(item->text, sizeof item->text, "GPIO chip of %zu line%s", chip->count,
                 plural(chip->count));
}

void init_find(struct init_items *items, FILE *notes)
{
    struct usb_known known[REGISTRY_MAX];
    size_t count = model_known_usb(known);
    struct error error;

    items->count = 0;
    if (discover_usb(known, count, false, add_usb, items, &error) < 0)
        fprintf(notes, "%s\n", error.text);
    if (discover_serial(add_port, items, &error) < 0)
        fprintf(notes, "%s\n", error.text);
    if (discover_gpio(add_chip, items, &error) < 0)
        fprintf(notes, "%s\n", error.text);
}

unsigned init_ports(const struct init_items *items)
{
    unsigned ports = 0;

    for (unsigned i = 0; i < items->count; i++)
        ports += !items->list[i].is_known && *items->list[i].path;
    return ports;
}

static void learn(struct init_item *item, const struct device_found *found)
{
    size_t length = strlen(item->address);

    item->is_known = true;
    item->class = found->class;
    snprintf(item->driver, sizeof item->driver, "%s", found->driver);
    snprintf(item->address + length, sizeof item->address - length, "@%u", found->rate);
    snprintf(item->text, sizeof item->text, "%s with the driver '%s'%s%s%s%s",
             device_class_name(found->class), found->driver, found->has_identity ? ", " : "",
             found->has_identity ? found->identity.model : "", found->has_identity ? " " : "",
             found->has_identity ? found->identity.serial : "");
    printable_make(item->text);
}

int init_probe(struct init_items *items, const struct hal *hal, FILE *notes, struct error *error)
{
    for (unsigned i = 0; i < items->count; i++) {
        struct init_item *item = &items->list[i];
        struct device_found found;
        int status;

        if (item->is_known || !*item->path)
            continue;
        fprintf(notes, "%s: ", item->address);
        fflush(notes);
        status = device_probe_port(hal, item->path, &found, error);
        if (status > 0)
            learn(item, &found);
        fprintf(notes, "%s\n",
                status > 0   ? item->text
                : status < 0 ? error->text
                             : "nobody has answered whom there is a driver for");
        if (status == ERROR_ABORTED)
            return status;
    }
    return 0;
}

static void print_line(const struct init_item *item, unsigned number)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "attached", "{}");
    json_print_integer(&print, "number", number);
    json_print_text(&print, "address", item->address);
    json_print_text(&print, "what", item->text);
    json_print_close(&print, "{}");
    json_print_close(&print, "{}");
    printf("\n");
}

void init_print(const struct init_items *items, bool json)
{
    if (items->count && !json)
        fprintf(stderr, "Attached here:\n");
    for (unsigned i = 0; i < items->count; i++)
        if (json)
            print_line(&items->list[i], i + 1);
        else
            fprintf(stderr, "  %u  %s: %s\n", i + 1, items->list[i].address, items->list[i].text);
    fflush(stdout);
}

int init_only(const struct init_items *items, enum device_class class)
{
    int only = 0;

    for (unsigned i = 0; i < items->count; i++) {
        if (!items->list[i].is_known || items->list[i].class != class)
            continue;
        if (only)
            return -1;
        only = (int)i + 1;
    }
    return only;
}
