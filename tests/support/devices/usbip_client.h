/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A USB/IP client for tests, written from the kernel's description of the protocol
 * (Documentation/usb/usbip_protocol.rst) byte for byte, with a server around a puppet at its other
 * end. One at a time: usbip_client_make() … usbip_client_free().
 */
#ifndef TESTS_SUPPORT_DEVICES_USBIP_CLIENT_H
#define TESTS_SUPPORT_DEVICES_USBIP_CLIENT_H

#include "devices/serve/usbip.h"
#include "tests/support/devices/puppet.h"

#define USBIP_IMPORT_OUT 40
#define USBIP_IMPORT_IN  320
#define USBIP_HEARD_MAX  65536

extern const uint8_t usbip_request_list[8];
extern const uint8_t usbip_request_import[USBIP_IMPORT_OUT]; /* of bus id 1-1 */

struct usbip_client {
    struct puppet_stage stage;
    struct puppet *puppet; /* the device */
    struct model *server;
    uint8_t heard[USBIP_HEARD_MAX]; /* by the last usbip_client_hear() */
};

extern struct usbip_client usbip_client;

struct usbip_urb {
    uint32_t sequence, direction, endpoint, flags, length, start_frame, packets;
    uint8_t setup[8];
};

/* A server that waits for the handshake, or is past it. */
void usbip_client_make(bool is_imported);
/* One that is attached and configured, as the kernel leaves it. */
void usbip_client_attach(void);
void usbip_client_free(void);

void usbip_client_say(const void *bytes, size_t size);
/* Everything that the server has to say now; returns how much it is. */
size_t usbip_client_hear(void);

void usbip_client_encode(const struct usbip_urb *urb, uint8_t header[48]);
void usbip_client_submit(const struct usbip_urb *urb);
void usbip_client_read(uint32_t sequence, uint32_t length);
void usbip_client_write(uint32_t sequence, const void *bytes, uint32_t length);
void usbip_client_unlink(uint32_t sequence, uint32_t victim);
/* SET_CONFIGURATION 1, and its answer. */
void usbip_client_configure(uint32_t sequence);

/* One answer of 48 bytes, with what the page wants to be zero. */
void usbip_client_expect(const uint8_t *at, uint32_t command, uint32_t sequence, int status,
                         uint32_t actual);

void usbip_put32(uint8_t *at, uint32_t value);
uint32_t usbip_get32(const uint8_t *at);

#endif
