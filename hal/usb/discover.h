/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The USB devices that are attached to this machine, each with the address that a rig file would
 * name it by. Devices are not opened. What is handed to `found` belongs to the discovery and is
 * valid during that one call.
 */
#ifndef HAL_USB_DISCOVER_H
#define HAL_USB_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/link/discover.h"
#include "hal/link/link.h"

/* A kind of USB device that there is a driver for. */
struct usb_known {
    uint16_t vendor, product;
    const char *device;
};

struct usb_device_info {
    struct usb_identity usb;
    char path[DISCOVER_TEXT_MAX]; /* where it is plugged in: 1-4.2 */
    char node[DISCOVER_TEXT_MAX]; /* /dev/bus/usb/001/004 */
    const char *known;            /* the device of the table; NULL if it is not there */
    bool accessible;
    char address[LINK_ADDRESS_MAX]; /* means this device and no other one that is attached */
};

/*
 * Tells `found` each device that is in the table, or with `all` every device but hubs, in the
 * order of their ports. Returns how many, or ERROR_RIG.
 */
int discover_usb(const struct usb_known *known, size_t known_count, bool all,
                 void (*found)(void *context, const struct usb_device_info *device), void *context,
                 struct error *error);

#endif
