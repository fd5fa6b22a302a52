/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A USB device on umockdev's testbed, seen by the real libusb: it answers usbfs as the kernel
 * would, byte stream on its endpoints, halts, busy interfaces and departure included. Its node is
 * a pseudo-terminal that is writable exactly while a transfer can be reaped and hangs up when the
 * device leaves, so that poll(2) shows what usbfs shows. The testbed must outlive the device.
 */
#ifndef TESTS_SUPPORT_MOCK_USB_MOCK_H
#define TESTS_SUPPORT_MOCK_USB_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <umockdev.h>

struct usb_mock;

struct usb_mock_endpoint {
    uint8_t address;
    uint8_t type; /* as in bmAttributes: 2 bulk, 3 interrupt */
    uint16_t packet;
};

struct usb_mock_interface {
    uint8_t number;
    uint8_t alternate;
    uint8_t class;
    uint8_t endpoint_count;
    struct usb_mock_endpoint endpoints[4];
};

/* What is NULL or 0 is left out, but without interfaces there is a vendor-specific one with bulk
 * endpoints 0x81 and 0x01 of 512 bytes. */
struct usb_mock_identity {
    uint8_t port; /* on bus 1: "1-PORT", /dev/bus/usb/001/PORT */
    uint16_t vendor, product;
    const char *serial, *manufacturer, *name;
    const struct usb_mock_interface *interfaces;
    size_t interface_count;
};

/* What the host has done to the device so far. */
struct usb_mock_counts {
    unsigned opened, detached, attached, halts_cleared, submitted, discarded, reaped, reaps_in_vain;
    int alternate; /* of the interface that was set last */
    int claimed;   /* the interface that was claimed last; -1 for none */
};

struct usb_mock *usb_mock_new(UMockdevTestbed *testbed, const struct usb_mock_identity *identity);
void usb_mock_free(struct usb_mock *mock);

/* Plugged in when new. */
void usb_mock_plug(struct usb_mock *mock);
void usb_mock_unplug(struct usb_mock *mock);

/* Only udev says that the device left; its descriptor stays silent. */
void usb_mock_vanish(struct usb_mock *mock);

/* Only the descriptor says that the device left; udev keeps silent. */
void usb_mock_die(struct usb_mock *mock);

/* Bytes from the host that are there within 100 ms, or 0. */
ssize_t usb_mock_read(struct usb_mock *mock, void *bytes, size_t size);

/* Bytes to the host, in full packets and a short one. */
void usb_mock_write(struct usb_mock *mock, const void *bytes, size_t size);

/* One packet to the host, which may be empty. */
void usb_mock_packet(struct usb_mock *mock, const void *bytes, size_t size);

/* While held, the device takes nothing. */
void usb_mock_hold(struct usb_mock *mock, bool hold);

/*
 * The endpoint halts as soon as it is used, until the host clears it; so many times in a row. An
 * endpoint for writes takes `taken` bytes of the transfer first.
 */
void usb_mock_stall(struct usb_mock *mock, uint8_t endpoint, unsigned times, size_t taken);

/* Takes the permissions of the node away, or gives them back. */
void usb_mock_forbid(struct usb_mock *mock, bool forbid);

/* Another program has claimed the interfaces. */
void usb_mock_occupy(struct usb_mock *mock, bool occupied);

void usb_mock_counts(struct usb_mock *mock, struct usb_mock_counts *counts);

#endif
