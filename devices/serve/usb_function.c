/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/serve/usb_function.h"

#include <endian.h>
#include <linux/usb/ch9.h>
#include <string.h>

#define CONFIGURATION 1
#define ENGLISH_US    0x0409

#define HIGH_SPEED_BYTES 512 /* of a bulk packet */
#define FULL_SPEED_BYTES 64

enum text_index { TEXT_LANGUAGES, TEXT_MANUFACTURER, TEXT_NAME, TEXT_SERIAL };

struct setup {
    uint8_t type, request;
    uint16_t value, index, length;
};

void usb_function_init(struct usb_function *function, const struct usb_function_identity *identity)
{
    *function = (struct usb_function){.identity = *identity};
}

void usb_function_reset(struct usb_function *function)
{
    function->is_configured = function->in_halted = function->out_halted = false;
}

static int describe_device(const struct usb_function_identity *identity, uint8_t *reply)
{
    const struct usb_device_descriptor device = {
        .bLength = USB_DT_DEVICE_SIZE,
        .bDescriptorType = USB_DT_DEVICE,
        .bcdUSB = htole16(0x0200),
        .bMaxPacketSize0 = 64,
        .idVendor = htole16(identity->vendor),
        .idProduct = htole16(identity->product),
        .bcdDevice = htole16(USB_RELEASE),
        .iManufacturer = TEXT_MANUFACTURER,
        .iProduct = TEXT_NAME,
        .iSerialNumber = TEXT_SERIAL,
        .bNumConfigurations = 1,
    };

    memcpy(reply, &device, USB_DT_DEVICE_SIZE);
    return USB_DT_DEVICE_SIZE;
}

/* The device as it would be at its other speed. */
static int describe_qualifier(uint8_t *reply)
{
    const struct usb_qualifier_descriptor qualifier = {
        .bLength = sizeof qualifier,
        .bDescriptorType = USB_DT_DEVICE_QUALIFIER,
        .bcdUSB = htole16(0x0200),
        .bMaxPacketSize0 = 64,
        .bNumConfigurations = 1,
    };

    memcpy(reply, &qualifier, sizeof qualifier);
    return (int)sizeof qualifier;
}

static struct usb_endpoint_descriptor describe_endpoint(uint8_t address, uint16_t bytes)
{
    return (struct usb_endpoint_descriptor){
        .bLength = USB_DT_ENDPOINT_SIZE,
        .bDescriptorType = USB_DT_ENDPOINT,
        .bEndpointAddress = address,
        .bmAttributes = USB_ENDPOINT_XFER_BULK,
        .wMaxPacketSize = htole16(bytes),
    };
}

static int describe_configuration(uint8_t type, uint16_t packet_bytes, uint8_t *reply)
{
    const uint16_t total = USB_DT_CONFIG_SIZE + USB_DT_INTERFACE_SIZE + 2 * USB_DT_ENDPOINT_SIZE;
    const struct usb_config_descriptor configuration = {
        .bLength = USB_DT_CONFIG_SIZE,
        .bDescriptorType = type,
        .wTotalLength = htole16(total),
        .bNumInterfaces = 1,
        .bConfigurationValue = CONFIGURATION,
        .bmAttributes = USB_CONFIG_ATT_ONE | USB_CONFIG_ATT_SELFPOWER,
    };
    const struct usb_interface_descriptor interface = {
        .bLength = USB_DT_INTERFACE_SIZE,
        .bDescriptorType = USB_DT_INTERFACE,
        .bNumEndpoints = 2,
        .bInterfaceClass = USB_CLASS_VENDOR_SPEC,
        .iInterface = TEXT_NAME,
    };
    const struct usb_endpoint_descriptor in = describe_endpoint(USB_IN_ENDPOINT, packet_bytes);
    const struct usb_endpoint_descriptor out = describe_endpoint(USB_OUT_ENDPOINT, packet_bytes);

    memcpy(reply, &configuration, USB_DT_CONFIG_SIZE);
    reply += USB_DT_CONFIG_SIZE;
    memcpy(reply, &interface, USB_DT_INTERFACE_SIZE);
    reply += USB_DT_INTERFACE_SIZE;
    memcpy(reply, &in, USB_DT_ENDPOINT_SIZE);
    memcpy(reply + USB_DT_ENDPOINT_SIZE, &out, USB_DT_ENDPOINT_SIZE);
    return total;
}

static int describe_text(const char *text, uint8_t *reply)
{
    size_t length = strnlen(text, USB_TEXT_MAX);

    reply[0] = (uint8_t)(2 + 2 * length);
    reply[1] = USB_DT_STRING;
    for (size_t i = 0; i < length; i++) {
        reply[2 + 2 * i] = (uint8_t)text[i];
        reply[3 + 2 * i] = 0;
    }
    return reply[0];
}

static int describe_languages(uint8_t *reply)
{
    reply[0] = 4;
    reply[1] = USB_DT_STRING;
    reply[2] = ENGLISH_US & 0xff;
    reply[3] = ENGLISH_US >> 8;
    return reply[0];
}

static int describe_string(const struct usb_function_identity *identity, unsigned index,
                           uint8_t *reply)
{
    switch (index) {
    case TEXT_LANGUAGES:
        return describe_languages(reply);
    case TEXT_MANUFACTURER:
        return describe_text(identity->manufacturer, reply);
    case TEXT_NAME:
        return describe_text(identity->name, reply);
    case TEXT_SERIAL:
        return describe_text(identity->serial, reply);
    default:
        return USB_STALL;
    }
}

static int get_descriptor(const struct usb_function_identity *identity, uint16_t value,
                          uint8_t *reply)
{
    unsigned type = value >> 8, index = value & 0xff;

    if (type == USB_DT_STRING)
        return describe_string(identity, index, reply);
    if (index != 0)
        return USB_STALL;
    switch (type) {
    case USB_DT_DEVICE:
        return describe_device(identity, reply);
    case USB_DT_CONFIG:
        return describe_configuration(USB_DT_CONFIG, HIGH_SPEED_BYTES, reply);
    case USB_DT_DEVICE_QUALIFIER:
        return describe_qualifier(reply);
    case USB_DT_OTHER_SPEED_CONFIG:
        return describe_configuration(USB_DT_OTHER_SPEED_CONFIG, FULL_SPEED_BYTES, reply);
    default:
        return USB_STALL;
    }
}

static int answer_byte(uint8_t byte, uint8_t *reply)
{
    reply[0] = byte;
    return 1;
}

static int answer_status(uint8_t status, uint8_t *reply)
{
    reply[0] = status;
    reply[1] = 0;
    return 2;
}

static int set_configuration(struct usb_function *function, uint16_t value)
{
    if (value > CONFIGURATION)
        return USB_STALL;
    usb_function_reset(function);
    function->is_configured = value == CONFIGURATION;
    return 0;
}

static int control_device(struct usb_function *function, const struct setup *setup, uint8_t *reply)
{
    switch (setup->type << 8 | setup->request) {
    case USB_DIR_IN << 8 | USB_REQ_GET_DESCRIPTOR:
        return get_descriptor(&function->identity, setup->value, reply);
    case USB_DIR_IN << 8 | USB_REQ_GET_STATUS:
        return answer_status(1 << USB_DEVICE_SELF_POWERED, reply);
    case USB_DIR_IN << 8 | USB_REQ_GET_CONFIGURATION:
        return answer_byte(function->is_configured ? CONFIGURATION : 0, reply);
    case USB_DIR_OUT << 8 | USB_REQ_SET_CONFIGURATION:
        return set_configuration(function, setup->value);
    default:
        return USB_STALL;
    }
}

static int control_interface(struct usb_function *function, const struct setup *setup,
                             uint8_t *reply)
{
    if (!function->is_configured || setup->index != 0)
        return USB_STALL;
    switch (setup->type << 8 | setup->request) {
    case (USB_DIR_IN | USB_RECIP_INTERFACE) << 8 | USB_REQ_GET_STATUS:
        return answer_status(0, reply);
    case (USB_DIR_IN | USB_RECIP_INTERFACE) << 8 | USB_REQ_GET_INTERFACE:
        return answer_byte(0, reply);
    case USB_RECIP_INTERFACE << 8 | USB_REQ_SET_INTERFACE:
        return setup->value == 0 ? set_configuration(function, CONFIGURATION) : USB_STALL;
    default:
        return USB_STALL;
    }
}

static bool *halt_of(struct usb_function *function, uint16_t endpoint)
{
    if (function->is_configured && endpoint == USB_IN_ENDPOINT)
        return &function->in_halted;
    if (function->is_configured && endpoint == USB_OUT_ENDPOINT)
        return &function->out_halted;
    return NULL;
}

static int control_endpoint(struct usb_function *function, const struct setup *setup,
                            uint8_t *reply)
{
    bool *halted = halt_of(function, setup->index);

    if (!halted)
        return USB_STALL;
    if (setup->type & USB_DIR_IN)
        return setup->request == USB_REQ_GET_STATUS ? answer_status(*halted, reply) : USB_STALL;
    if (setup->value != USB_ENDPOINT_HALT ||
        (setup->request != USB_REQ_SET_FEATURE && setup->request != USB_REQ_CLEAR_FEATURE))
        return USB_STALL;
    *halted = setup->request == USB_REQ_SET_FEATURE;
    return 0;
}

static int control(struct usb_function *function, const struct setup *setup, uint8_t *reply)
{
    if ((setup->type & USB_TYPE_MASK) != USB_TYPE_STANDARD)
        return USB_STALL;
    switch (setup->type & USB_RECIP_MASK) {
    case USB_RECIP_DEVICE:
        return control_device(function, setup, reply);
    case USB_RECIP_INTERFACE:
        return control_interface(function, setup, reply);
    case USB_RECIP_ENDPOINT:
        return control_endpoint(function, setup, reply);
    default:
        return USB_STALL;
    }
}

int usb_function_control(struct usb_function *function, const uint8_t bytes[USB_SETUP_SIZE],
                         uint8_t reply[USB_REPLY_MAX])
{
    const struct setup setup = {
        .type = bytes[0],
        .request = bytes[1],
        .value = (uint16_t)(bytes[2] | bytes[3] << 8),
        .index = (uint16_t)(bytes[4] | bytes[5] << 8),
        .length = (uint16_t)(bytes[6] | bytes[7] << 8),
    };
    int size = control(function, &setup, reply);

    return size > setup.length ? setup.length : size;
}
