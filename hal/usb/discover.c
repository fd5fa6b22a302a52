/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/usb/device.h"
#include "hal/usb/discover.h"

static const char *find_known(const struct libusb_device_descriptor *descriptor,
                              const struct usb_known *known, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (known[i].vendor == descriptor->idVendor && known[i].product == descriptor->idProduct)
            return known[i].device;
    return NULL;
}

static unsigned count_matches(libusb_device **list, ssize_t count,
                              const struct usb_address *address)
{
    unsigned matches = 0;

    for (ssize_t i = 0; i < count; i++)
        matches += usb_device_matches(list[i], address);
    return matches;
}

/* By serial number if that tells it apart, or else by nothing or by its port. */
static void write_address(libusb_device **list, ssize_t count, struct usb_device_info *info)
{
    struct usb_address address = {.vendor = info->usb.vendor, .product = info->usb.product};
    bool alone = count_matches(list, count, &address) == 1;
    int length = snprintf(info->address, sizeof info->address, "usb:%04x:%04x", info->usb.vendor,
                          info->usb.product);
    char *rest = info->address + length;
    size_t size = sizeof info->address - (size_t)length;

    snprintf(address.serial, sizeof address.serial, "%s", info->usb.serial);
    if (info->usb.serial[0] && count_matches(list, count, &address) == 1)
        snprintf(rest, size, "/%s", info->usb.serial);
    else if (!alone)
        snprintf(rest, size, "@%s", info->path);
}

static void describe(libusb_device **list, ssize_t count, libusb_device *device,
                     const struct libusb_device_descriptor *descriptor,
                     struct usb_device_info *info)
{
    struct usb_identity *usb = &info->usb;

    usb->vendor = descriptor->idVendor;
    usb->product = descriptor->idProduct;
    usb_device_string(device, "serial", usb->serial, sizeof usb->serial);
    usb_device_string(device, "manufacturer", usb->manufacturer, sizeof usb->manufacturer);
    usb_device_string(device, "product", usb->name, sizeof usb->name);
    usb_device_path(device, info->path, sizeof info->path);
    snprintf(info->node, sizeof info->node, "/dev/bus/usb/%03d/%03d", libusb_get_bus_number(device),
             libusb_get_device_address(device));
    info->accessible = !access(info->node, R_OK | W_OK);
    write_address(list, count, info);
}

static int compare_paths(const void *a, const void *b)
{
    char first[USB_PATH_MAX], second[USB_PATH_MAX];

    usb_device_path(*(libusb_device *const *)a, first, sizeof first);
    usb_device_path(*(libusb_device *const *)b, second, sizeof second);
    return strverscmp(first, second);
}

int discover_usb(const struct usb_known *known, size_t known_count, bool all,
                 void (*found)(void *context, const struct usb_device_info *device), void *context,
                 struct error *error)
{
    libusb_context *usb;
    libusb_device **list;
    ssize_t count;
    int told = 0, status = libusb_init(&usb);

    if (status)
        return error_set(error, ERROR_RIG, "cannot use USB on this machine: %s",
                         libusb_strerror(status));
    count = libusb_get_device_list(usb, &list);
    if (count < 0) {
        libusb_exit(usb);
        return error_set(error, ERROR_RIG, "cannot list the USB devices: %s",
                         libusb_strerror((int)count));
    }
    qsort(list, (size_t)count, sizeof *list, compare_paths);
    for (ssize_t i = 0; i < count; i++) {
        struct libusb_device_descriptor descriptor;
        struct usb_device_info info = {0};

        if (libusb_get_device_descriptor(list[i], &descriptor))
            continue;
        info.known = find_known(&descriptor, known, known_count);
        if (!info.known && (!all || descriptor.bDeviceClass == LIBUSB_CLASS_HUB))
            continue;
        describe(list, count, list[i], &descriptor, &info);
        found(context, &info);
        told++;
    }
    libusb_free_device_list(list, 1);
    libusb_exit(usb);
    return told;
}
