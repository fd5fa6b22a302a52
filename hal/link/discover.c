/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <libserialport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/printable.h"
#include "hal/link/discover.h"

#define BY_ID "/dev/serial/by-id"

/* What most adapters and devices start with. */
#define USUAL_BAUD 115200

static bool links_to(const char *link, const char *path)
{
    char target[LINK_ADDRESS_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    const char *slash;

    if (length < 0)
        return false;
    target[length] = '\0';
    slash = strrchr(target, '/');
    return !strcmp(slash ? slash + 1 : target, strrchr(path, '/') + 1);
}

/* The name by which udev knows an adapter wherever it is plugged in; false if there is none. */
static bool find_lasting_name(const char *path, char *name, size_t size)
{
    DIR *directory = opendir(BY_ID);
    struct dirent *entry;
    bool found = false;

    if (!directory)
        return false;
    while (!found && (entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            found = (size_t)snprintf(name, size, BY_ID "/%s", entry->d_name) < size &&
                    links_to(name, path);
    closedir(directory);
    return found;
}

static const char *transport_of(struct sp_port *port)
{
    switch (sp_get_port_transport(port)) {
    case SP_TRANSPORT_USB:
        return "usb";
    case SP_TRANSPORT_BLUETOOTH:
        return "bluetooth";
    default:
        return "native";
    }
}

static void identify(struct sp_port *port, struct usb_identity *usb)
{
    int vendor, product;

    if (sp_get_port_usb_vid_pid(port, &vendor, &product) != SP_OK)
        return;
    usb->vendor = (uint16_t)vendor;
    usb->product = (uint16_t)product;
    printable_copy(usb->serial, sizeof usb->serial, sp_get_port_usb_serial(port));
    printable_copy(usb->manufacturer, sizeof usb->manufacturer, sp_get_port_usb_manufacturer(port));
    printable_copy(usb->name, sizeof usb->name, sp_get_port_usb_product(port));
}

static void describe(struct sp_port *port, struct serial_port_info *info)
{
    char name[LINK_ADDRESS_MAX - sizeof "serial:@115200"];
    bool lasting;

    *info = (struct serial_port_info){.transport = transport_of(port)};
    printable_copy(info->path, sizeof info->path, sp_get_port_name(port));
    printable_copy(info->description, sizeof info->description, sp_get_port_description(port));
    identify(port, &info->usb);
    info->accessible = !access(info->path, R_OK | W_OK);
    lasting = find_lasting_name(info->path, name, sizeof name);
    snprintf(info->address, sizeof info->address, "serial:%s@%d", lasting ? name : info->path,
             USUAL_BAUD);
}

static int compare_names(const void *a, const void *b)
{
    return strverscmp(sp_get_port_name(*(struct sp_port *const *)a),
                      sp_get_port_name(*(struct sp_port *const *)b));
}

int discover_serial(void (*found)(void *context, const struct serial_port_info *port),
                    void *context, struct error *error)
{
    struct serial_port_info info;
    struct sp_port **ports;
    size_t count = 0;

    if (sp_list_ports(&ports) != SP_OK) {
        int number = sp_last_error_code();

        /* A kernel without terminals has no ports, which is not a failure. */
        return number == ENOENT ? 0
                                : error_set(error, ERROR_RIG, "cannot list the serial ports: %s",
                                            strerror(number));
    }
    /* Without memory the library says that all is well and gives no list. */
    if (!ports)
        return error_set(error, ERROR_RIG, "cannot list the serial ports: %s", strerror(ENOMEM));
    while (ports[count])
        count++;
    qsort(ports, count, sizeof *ports, compare_names);
    for (size_t i = 0; i < count; i++) {
        describe(ports[i], &info);
        found(context, &info);
    }
    sp_free_port_list(ports);
    return (int)count;
}
