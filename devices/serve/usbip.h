/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A USB/IP server, protocol 1.1.1, with one device on it, whose bulk endpoints carry the bytes of
 * a model: Linux's `usbip attach` makes it a USB device like any other. The server is itself a
 * model, so that it runs wherever one does. Every request is checked: what is not one of the
 * protocol, or is larger than the kernel would make it, sets `gone`, which hangs up.
 */
#ifndef DEVICES_SERVE_USBIP_H
#define DEVICES_SERVE_USBIP_H

#include <stdbool.h>

#include "devices/serve/usb_function.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

#define USBIP_BUSID "1-1" /* of the one device */

/*
 * Owns the device from then on and frees it with itself; after a failure (ERROR_RIG, no memory)
 * the caller still does. `is_imported` leaves out the handshake: the socket goes straight to the
 * kernel's virtual host controller, with any device number.
 */
struct model *usbip_new(struct model *device, const struct usb_function_identity *identity,
                        bool is_imported, struct error *error);

#endif
