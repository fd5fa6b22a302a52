/*
 * The USB devices that there is a driver for, by their ids under pid.codes. The one list of them:
 * discovery and the bench's doctor look here, and an emulated device takes its ids from here.
 * tools/99-dealproof.rules names the same ids to udev.
 */
#ifndef DEVICES_SERVE_KNOWN_USB_H
#define DEVICES_SERVE_KNOWN_USB_H

#include "hal/usb/discover.h"

#define KNOWN_USB_COUNT 3

extern const struct usb_known known_usb[KNOWN_USB_COUNT];

#endif
