/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A serial port on umockdev's testbed, seen by the real libserialport: a pseudo-terminal with the
 * modem lines that pseudo-terminals lack, and a USB adapter around it if asked for. The testbed
 * must outlive the port.
 */
#ifndef TESTS_SUPPORT_MOCK_SERIAL_MOCK_H
#define TESTS_SUPPORT_MOCK_SERIAL_MOCK_H

#include <stdbool.h>
#include <umockdev.h>

struct serial_mock;

/* The USB adapter that a port belongs to; it sits at port `port` of bus 1. */
struct serial_mock_usb {
    unsigned port;
    unsigned vendor, product;
    const char *serial, *manufacturer, *name;
};

/* `name` is the kernel's, as "ttyS4"; `usb` may be NULL. Plugged in when new. */
struct serial_mock *serial_mock_new(UMockdevTestbed *testbed, const char *name,
                                    const struct serial_mock_usb *usb);
void serial_mock_free(struct serial_mock *mock);

void serial_mock_plug(struct serial_mock *mock);
void serial_mock_unplug(struct serial_mock *mock);

/* The device's end and, for its settings, the host's end; -1 while unplugged. */
int serial_mock_device(const struct serial_mock *mock);
int serial_mock_host(const struct serial_mock *mock);

/* The lines that the device drives, and those it sees, as TIOCM_ bits. */
void serial_mock_pull(struct serial_mock *mock, int lines);
int serial_mock_outputs(struct serial_mock *mock);

/* From now on that ioctl of the port fails with this errno; 0 ends it. */
void serial_mock_fail(struct serial_mock *mock, unsigned long request, int number);

#endif
