/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The serial ports of this machine, each with the address that a rig file would name it by. Ports
 * are not opened. What is handed to `found` belongs to the discovery and is valid during that one
 * call.
 */
#ifndef HAL_LINK_DISCOVER_H
#define HAL_LINK_DISCOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/link/link.h"

#define DISCOVER_TEXT_MAX 128

/* What a USB device, also a serial adapter, says of itself; texts are empty where it says nothing.
 */
struct usb_identity {
    uint16_t vendor, product;
    char serial[DISCOVER_TEXT_MAX];
    char manufacturer[DISCOVER_TEXT_MAX];
    char name[DISCOVER_TEXT_MAX];
};

struct serial_port_info {
    char path[DISCOVER_TEXT_MAX]; /* /dev/ttyUSB0 */
    char description[DISCOVER_TEXT_MAX];
    const char *transport;   /* "native", "usb" or "bluetooth" */
    struct usb_identity usb; /* with transport "usb" */
    bool accessible;         /* we may open it for reading and writing */
    /* By the name that stays the same after a reboot, if it has one; the baud rate is a guess. */
    char address[LINK_ADDRESS_MAX];
};

/* Tells `found` each port, in the order of their names. Returns how many, or ERROR_RIG. */
int discover_serial(void (*found)(void *context, const struct serial_port_info *port),
                    void *context, struct error *error);

#endif
