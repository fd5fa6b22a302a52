/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/usb/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"
#include "hal/base/printable.h"

static bool parse_id(const char *text, uint16_t *id)
{
    unsigned value = 0;

    for (size_t i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] - 'A' + 'a') : text[i];
        const char *digit = c ? strchr(digits, c) : NULL;

        if (!digit)
            return false;
        value = value << 4 | (unsigned)(digit - digits);
    }
    *id = (uint16_t)value;
    return true;
}

static bool copy_word(char *word, size_t size, const char *text)
{
    return *text && memccpy(word, text, '\0', size);
}

bool usb_address_parse(struct usb_address *address, const char *rest)
{
    *address = (struct usb_address){0};
    if (!parse_id(rest, &address->vendor) || rest[4] != ':' ||
        !parse_id(rest + 5, &address->product))
        return false;
    switch (rest[9]) {
    case '\0':
        return true;
    case '/':
        return copy_word(address->serial, sizeof address->serial, rest + 10);
    case '@':
        return copy_word(address->path, sizeof address->path, rest + 10);
    default:
        return false;
    }
}

void usb_device_path(libusb_device *device, char *path, size_t size)
{
    uint8_t ports[8];
    int count = libusb_get_port_numbers(device, ports, sizeof ports);
    int bus = libusb_get_bus_number(device);
    size_t length;

    if (count <= 0) {
        snprintf(path, size, "usb%d", bus);
        return;
    }
    snprintf(path, size, "%d-%d", bus, ports[0]);
    for (int i = 1; i < count; i++) {
        length = strlen(path);
        snprintf(path + length, size - length, ".%d", ports[i]);
    }
}

void usb_device_string(libusb_device *device, const char *name, char *text, size_t size)
{
    char path[USB_PATH_MAX], attribute[128];
    FILE *file;

    text[0] = '\0';
    usb_device_path(device, path, sizeof path);
    snprintf(attribute, sizeof attribute, "/sys/bus/usb/devices/%s/%s", path, name);
    file = fopen(attribute, "re");
    if (!file)
        return;
    if (fgets(text, (int)size, file))
        text[strcspn(text, "\n")] = '\0';
    fclose(file);
    printable_make(text);
}

bool usb_device_matches(libusb_device *device, const struct usb_address *address)
{
    struct libusb_device_descriptor descriptor;
    char text[USB_STRING_MAX];

    if (libusb_get_device_descriptor(device, &descriptor) ||
        descriptor.idVendor != address->vendor || descriptor.idProduct != address->product)
        return false;
    if (address->path[0]) {
        usb_device_path(device, text, sizeof text);
        return !strcmp(text, address->path);
    }
    if (address->serial[0]) {
        usb_device_string(device, "serial", text, sizeof text);
        return !strcmp(text, address->serial);
    }
    return true;
}

/* "A17 at 1-2, B42 at 1-4". */
static void list_candidates(libusb_device **list, ssize_t count, const struct usb_address *address,
                            struct name_list *candidates)
{
    name_list_start(candidates);
    for (ssize_t i = 0; i < count; i++) {
        char serial[USB_STRING_MAX], path[USB_PATH_MAX], text[USB_STRING_MAX + USB_PATH_MAX + 8];

        if (!usb_device_matches(list[i], address))
            continue;
        usb_device_string(list[i], "serial", serial, sizeof serial);
        usb_device_path(list[i], path, sizeof path);
        snprintf(text, sizeof text, "%s at %s", serial[0] ? serial : "one without a serial number",
                 path);
        name_list_add(candidates, text);
    }
}

static int not_found(const struct usb_address *address, const char *written, ssize_t seen,
                     struct error *error)
{
    const char *which = address->serial[0] ? " with serial number "
                        : address->path[0] ? " at port "
                                           : "";

    return error_set(error, ERROR_DEVICE,
                     "%s: no USB device %04x:%04x%s%s among the %zd that are attached; plug it in, "
                     "or see 'dealproof discover --all'",
                     written, address->vendor, address->product, which,
                     address->serial[0] ? address->serial : address->path, seen);
}

static int ambiguous(libusb_device **list, ssize_t count, const struct usb_address *address,
                     const char *written, struct error *error)
{
    struct name_list candidates;

    list_candidates(list, count, address, &candidates);
    return error_set(error, ERROR_CONFIG,
                     "%s: several devices answer to that (%s); add the serial number "
                     "(usb:%04x:%04x/SERIAL) or the port (usb:%04x:%04x@PORT)",
                     written, name_list_text(&candidates), address->vendor, address->product,
                     address->vendor, address->product);
}

int usb_find(libusb_context *context, const struct usb_address *address, const char *written,
             libusb_device **device, struct error *error)
{
    libusb_device **list;
    libusb_device *found = NULL;
    unsigned candidates = 0;
    ssize_t count = libusb_get_device_list(context, &list);
    int status = 0;

    if (count < 0)
        return error_set(error, ERROR_RIG, "%s: cannot list USB devices: %s", written,
                         libusb_strerror((int)count));
    for (ssize_t i = 0; i < count; i++)
        if (usb_device_matches(list[i], address)) {
            found = list[i];
            candidates++;
        }
    if (!found)
        status = not_found(address, written, count, error);
    else if (candidates > 1)
        status = ambiguous(list, count, address, written, error);
    else
        *device = libusb_ref_device(found);
    libusb_free_device_list(list, 1);
    return status;
}

/* The first endpoint of a direction, bulk before interrupt; NULL if there is none. */
static const struct libusb_endpoint_descriptor *
find_endpoint(const struct libusb_interface_descriptor *setting, uint8_t direction)
{
    const struct libusb_endpoint_descriptor *interrupt = NULL;

    for (int i = 0; i < setting->bNumEndpoints; i++) {
        const struct libusb_endpoint_descriptor *endpoint = &setting->endpoint[i];
        int type = endpoint->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK;

        if ((endpoint->bEndpointAddress & LIBUSB_ENDPOINT_DIR_MASK) != direction)
            continue;
        if (type == LIBUSB_TRANSFER_TYPE_BULK)
            return endpoint;
        if (type == LIBUSB_TRANSFER_TYPE_INTERRUPT && !interrupt)
            interrupt = endpoint;
    }
    return interrupt;
}

static uint8_t type_of(const struct libusb_endpoint_descriptor *endpoint)
{
    return endpoint->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK;
}

/* Bits 0 to 10; those above count extra packets of fast interrupt endpoints. */
static uint16_t packet_of(const struct libusb_endpoint_descriptor *endpoint)
{
    return endpoint->wMaxPacketSize & 0x7ff;
}

/* Fills the pipe and returns its rank, less is better; -1 if the setting has not both ways. */
static int rank_setting(const struct libusb_interface_descriptor *setting, struct usb_pipe *pipe)
{
    const struct libusb_endpoint_descriptor *in = find_endpoint(setting, LIBUSB_ENDPOINT_IN);
    const struct libusb_endpoint_descriptor *out = find_endpoint(setting, LIBUSB_ENDPOINT_OUT);
    int class_rank = setting->bInterfaceClass == LIBUSB_CLASS_VENDOR_SPEC ? 0
                     : setting->bInterfaceClass == LIBUSB_CLASS_DATA      ? 1
                                                                          : 2;

    if (!in || !out || !packet_of(in) || !packet_of(out))
        return -1;
    *pipe = (struct usb_pipe){
        .interface = setting->bInterfaceNumber,
        .alternate = setting->bAlternateSetting,
        .in = in->bEndpointAddress,
        .out = out->bEndpointAddress,
        .in_type = type_of(in),
        .out_type = type_of(out),
        .in_packet = packet_of(in),
        .out_packet = packet_of(out),
    };
    return 4 * class_rank + (pipe->in_type != LIBUSB_TRANSFER_TYPE_BULK) +
           (pipe->out_type != LIBUSB_TRANSFER_TYPE_BULK);
}

static bool best_setting(const struct libusb_config_descriptor *config, struct usb_pipe *pipe)
{
    int best = -1;

    for (int i = 0; i < config->bNumInterfaces; i++)
        for (int a = 0; a < config->interface[i].num_altsetting; a++) {
            struct usb_pipe candidate;
            int rank = rank_setting(&config->interface[i].altsetting[a], &candidate);

            if (rank < 0 || (best >= 0 && rank >= best))
                continue;
            best = rank;
            *pipe = candidate;
        }
    return best >= 0;
}

int usb_pipe_find(libusb_device *device, const char *written, struct usb_pipe *pipe,
                  struct error *error)
{
    struct libusb_config_descriptor *config;
    int status = libusb_get_active_config_descriptor(device, &config);
    bool found;

    if (status)
        return error_set(error, ERROR_DEVICE, "%s: the device shows no configuration: %s", written,
                         libusb_strerror(status));
    found = best_setting(config, pipe);
    libusb_free_config_descriptor(config);
    if (!found)
        return error_set(error, ERROR_CONFIG,
                         "%s: the device has no interface with a bulk or interrupt endpoint each "
                         "way; it speaks otherwise, perhaps as a serial port",
                         written);
    return 0;
}
