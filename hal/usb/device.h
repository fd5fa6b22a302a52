/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding a USB device and the way into it: the address, the one device that it means, and the
 * interface whose endpoints carry the bytes. Nothing here opens a device or talks to it; names and
 * serial numbers are those that the kernel read when the device arrived. A device that usb_find()
 * returns is the caller's to unreference.
 */
#ifndef HAL_USB_DEVICE_H
#define HAL_USB_DEVICE_H

#include <libusb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

#define USB_STRING_MAX 128
#define USB_PATH_MAX   32
#define USB_FORM                                                                                   \
    "usb:VID:PID, usb:VID:PID/SERIAL or usb:VID:PID@PORT, as in usb:1209:0001/A0017 or "           \
    "usb:1209:0001@1-4.2"

/* "VID:PID", "VID:PID/SERIAL" or "VID:PID@PORT"; an empty serial number or port means any. */
struct usb_address {
    uint16_t vendor;
    uint16_t product;
    char serial[USB_STRING_MAX];
    char path[USB_PATH_MAX];
};

/* Endpoints for both directions in one setting of one interface. */
struct usb_pipe {
    uint8_t interface;
    uint8_t alternate;
    uint8_t in, out;                /* endpoint addresses */
    uint8_t in_type, out_type;      /* LIBUSB_TRANSFER_TYPE_BULK or _INTERRUPT */
    uint16_t in_packet, out_packet; /* the most that one packet holds */
};

/* False if `rest` is none of the three forms. */
bool usb_address_parse(struct usb_address *address, const char *rest);

/* Where a device is plugged in, as the kernel writes it: "1-4.2", or "usb1" for a root hub. */
void usb_device_path(libusb_device *device, char *path, size_t size);

/* "serial", "product" or "manufacturer", made printable; empty if the device has none. */
void usb_device_string(libusb_device *device, const char *name, char *text, size_t size);

bool usb_device_matches(libusb_device *device, const struct usb_address *address);

/*
 * The one device that the address means. `written` is the whole address, for the sentences:
 * ERROR_DEVICE when there is none, ERROR_CONFIG when there are several.
 */
int usb_find(libusb_context *context, const struct usb_address *address, const char *written,
             libusb_device **device, struct error *error);

/*
 * Picks an interface that has an endpoint in each direction: vendor-specific ones first, then CDC
 * data, then any other; among equals those with bulk endpoints before those with interrupt
 * endpoints, then the lowest numbers. ERROR_CONFIG when there is none.
 */
int usb_pipe_find(libusb_device *device, const char *written, struct usb_pipe *pipe,
                  struct error *error);

#endif
