/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control pipe of a USB device with one vendor interface and a pair of bulk endpoints, at high
 * speed: its descriptors and the standard requests. Values only; nothing allocates and what is not
 * known is a stall, which is how a USB device refuses.
 */
#ifndef DEVICES_SERVE_USB_FUNCTION_H
#define DEVICES_SERVE_USB_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USB_TEXT_MAX  64   /* characters of a string, without its final NUL */
#define USB_REPLY_MAX 256  /* bytes that a control request may be answered with */
#define USB_STALL     (-1) /* the request or the endpoint is refused */

#define USB_SETUP_SIZE   8
#define USB_RELEASE      0x0100 /* bcdDevice: 1.00 */
#define USB_OUT_ENDPOINT 0x01
#define USB_IN_ENDPOINT  0x81

struct usb_function_identity {
    uint16_t vendor;
    uint16_t product;
    char manufacturer[USB_TEXT_MAX + 1]; /* texts are ASCII */
    char name[USB_TEXT_MAX + 1];
    char serial[USB_TEXT_MAX + 1];
};

struct usb_function {
    struct usb_function_identity identity;
    bool is_configured;
    bool in_halted;
    bool out_halted;
};

void usb_function_init(struct usb_function *function, const struct usb_function_identity *identity);

/* As after a reset of the bus: not configured, no endpoint halted. */
void usb_function_reset(struct usb_function *function);

/*
 * Executes the request of a setup packet that has no data from the host. Returns the number of
 * bytes of the reply, never more than the packet's wLength, or USB_STALL.
 */
int usb_function_control(struct usb_function *function, const uint8_t setup[USB_SETUP_SIZE],
                         uint8_t reply[USB_REPLY_MAX]);

#endif
