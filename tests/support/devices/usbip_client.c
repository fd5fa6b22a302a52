/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/usbip_client.h"

#include <string.h>

#include "tests/support/suite.h"

#define DEVICE_ID 0x00010002 /* bus 1, device 2 */

struct usbip_client usbip_client;

const uint8_t usbip_request_list[8] = {0x01, 0x11, 0x80, 0x05};
const uint8_t usbip_request_import[USBIP_IMPORT_OUT] = {0x01, 0x11, 0x80, 0x03, 0,  0,
                                                        0,    0,    '1',  '-',  '1'};

void usbip_client_make(bool is_imported)
{
    static const struct usb_function_identity identity = {.vendor = 0x1209,
                                                          .product = 0x0002,
                                                          .manufacturer = "dealproof",
                                                          .name = "DP-SHOE1",
                                                          .serial = "H-4"};
    struct hal hal;

    puppet_stage_open(&usbip_client.stage, &hal);
    usbip_client.puppet = puppet_add(&usbip_client.stage);
    usbip_client.server = usbip_new(&usbip_client.puppet->model, &identity, is_imported, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(usbip_client.server);
}

void usbip_client_free(void)
{
    usbip_client.server->ops->free(usbip_client.server);
    CU_ASSERT_EQUAL(usbip_client.puppet->freed, 1);
    puppet_stage_close(&usbip_client.stage);
}

void usbip_client_say(const void *bytes, size_t size)
{
    usbip_client.server->ops->receive(usbip_client.server, bytes, size, 0);
}

size_t usbip_client_hear(void)
{
    struct model *server = usbip_client.server;
    uint8_t *heard = usbip_client.heard;
    size_t size = 0, count;

    while ((count = server->ops->send(server, heard + size, USBIP_HEARD_MAX - size, 0)))
        size += count;
    return size;
}

void usbip_put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

uint32_t usbip_get32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void usbip_client_encode(const struct usbip_urb *urb, uint8_t header[48])
{
    memset(header, 0, 48);
    usbip_put32(header, 1);
    usbip_put32(header + 0x04, urb->sequence);
    usbip_put32(header + 0x08, DEVICE_ID);
    usbip_put32(header + 0x0c, urb->direction);
    usbip_put32(header + 0x10, urb->endpoint);
    usbip_put32(header + 0x14, urb->flags);
    usbip_put32(header + 0x18, urb->length);
    usbip_put32(header + 0x1c, urb->start_frame);
    usbip_put32(header + 0x20, urb->packets);
    memcpy(header + 0x28, urb->setup, 8);
}

void usbip_client_submit(const struct usbip_urb *urb)
{
    uint8_t header[48];

    usbip_client_encode(urb, header);
    usbip_client_say(header, sizeof header);
}

void usbip_client_read(uint32_t sequence, uint32_t length)
{
    usbip_client_submit(
        &(struct usbip_urb){.sequence = sequence, .direction = 1, .endpoint = 1, .length = length});
}

void usbip_client_write(uint32_t sequence, const void *bytes, uint32_t length)
{
    usbip_client_submit(&(struct usbip_urb){.sequence = sequence, .endpoint = 1, .length = length});
    usbip_client_say(bytes, length);
}

void usbip_client_unlink(uint32_t sequence, uint32_t victim)
{
    uint8_t header[48] = {0};

    usbip_put32(header, 2);
    usbip_put32(header + 0x04, sequence);
    usbip_put32(header + 0x08, DEVICE_ID);
    usbip_put32(header + 0x14, victim);
    usbip_client_say(header, sizeof header);
}

void usbip_client_expect(const uint8_t *at, uint32_t command, uint32_t sequence, int status,
                         uint32_t actual)
{
    static const uint8_t zeros[24];

    CU_ASSERT_EQUAL(usbip_get32(at), command);
    CU_ASSERT_EQUAL(usbip_get32(at + 0x04), sequence);
    CU_ASSERT(!memcmp(at + 0x08, zeros, 12));
    CU_ASSERT_EQUAL((int)usbip_get32(at + 0x14), status);
    if (command == 4) {
        CU_ASSERT(!memcmp(at + 0x18, zeros, 24));
        return;
    }
    CU_ASSERT_EQUAL(usbip_get32(at + 0x18), actual);
    CU_ASSERT_EQUAL(usbip_get32(at + 0x24), 0);
    CU_ASSERT(!memcmp(at + 0x28, zeros, 8));
}

void usbip_client_configure(uint32_t sequence)
{
    usbip_client_submit(&(struct usbip_urb){.sequence = sequence, .setup = {0x00, 9, 1}});
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), 48);
    usbip_client_expect(usbip_client.heard, 3, sequence, 0, 0);
}

void usbip_client_attach(void)
{
    usbip_client_make(false);
    usbip_client_say(usbip_request_import, sizeof usbip_request_import);
    CU_ASSERT_EQUAL_FATAL(usbip_client_hear(), USBIP_IMPORT_IN);
    usbip_client_configure(1);
}
