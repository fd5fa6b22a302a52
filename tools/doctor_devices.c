#include <errno.h>
#include <grp.h>
#include <libserialport.h>
#include <libusb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/pins_discover.h"
#include "tools/doctor.h"

#define RULES "install tools/99-dealproof.rules in /etc/udev/rules.d and plug the device in again"

/* Our own wire protocol; pid.codes lends the numbers. */
#define DEALPROOF_VENDOR  0x1209
#define DEALPROOF_PRODUCT 0x0001

/* Which group may use the node, if one may; otherwise only a udev rule can help. */
static void find_remedy(const char *path, char *remedy, size_t size)
{
    const mode_t both = S_IRGRP | S_IWGRP;
    const struct group *group = NULL;
    struct stat status;

    if (!stat(path, &status) && (status.st_mode & both) == both && status.st_gid)
        group = getgrgid(status.st_gid);
    if (group)
        snprintf(remedy, size, "join the group '%s' (usermod -aG %s USER) and log in again",
                 group->gr_name, group->gr_name);
    else
        snprintf(remedy, size, "%s", RULES);
}

/* A node that must be open to reading and writing; `failure` is how bad it is if it is not. */
static void check_node(struct findings *findings, const char *what, const char *path,
                       const char *detail, enum verdict failure)
{
    char remedy[256];
    int number;

    if (!access(path, R_OK | W_OK)) {
        findings_add(findings, VERDICT_OK, what, NULL, "%s", detail);
        return;
    }
    number = errno;
    find_remedy(path, remedy, sizeof remedy);
    findings_add(findings, failure, what, number == EACCES ? remedy : "plug it in again",
                 "%s; cannot open %s: %s", detail, path, strerror(number));
}

static const char *or_unknown(const char *text)
{
    return text && text[0] ? text : "no description";
}

static void check_serial(struct findings *findings)
{
    struct sp_port **ports;
    size_t count = 0;

    if (sp_list_ports(&ports) != SP_OK) {
        findings_add(findings, VERDICT_OK, "serial", NULL, "no ports");
        return;
    }
    for (; ports[count]; count++) {
        const char *path = sp_get_port_name(ports[count]);
        char what[96];

        snprintf(what, sizeof what, "serial %s", path);
        check_node(findings, what, path, or_unknown(sp_get_port_description(ports[count])),
                   VERDICT_FAIL);
    }
    sp_free_port_list(ports);
    if (!count)
        findings_add(findings, VERDICT_OK, "serial", NULL, "no ports");
}

/* Whether "usb:" could be meant for it: an interface that no class of the kernel's claims. */
static bool has_vendor_interface(libusb_device *device)
{
    struct libusb_config_descriptor *config;
    bool found = false;

    if (libusb_get_active_config_descriptor(device, &config))
        return false;
    for (int i = 0; i < config->bNumInterfaces; i++)
        if (config->interface[i].num_altsetting > 0 &&
            config->interface[i].altsetting[0].bInterfaceClass == LIBUSB_CLASS_VENDOR_SPEC)
            found = true;
    libusb_free_config_descriptor(config);
    return found;
}

/* A stranger that may not be opened is only worth a warning; one of ours is a failure. */
static bool check_usb_device(struct findings *findings, libusb_device *device)
{
    struct libusb_device_descriptor descriptor;
    char what[96], path[64], detail[64];
    bool ours;

    if (libusb_get_device_descriptor(device, &descriptor))
        return false;
    ours = descriptor.idVendor == DEALPROOF_VENDOR && descriptor.idProduct == DEALPROOF_PRODUCT;
    if (!ours && !has_vendor_interface(device))
        return false;
    snprintf(what, sizeof what, "usb %04x:%04x", descriptor.idVendor, descriptor.idProduct);
    snprintf(path, sizeof path, "/dev/bus/usb/%03u/%03u", libusb_get_bus_number(device),
             libusb_get_device_address(device));
    snprintf(detail, sizeof detail, "%s on bus %u", ours ? "ours" : "no known driver",
             libusb_get_bus_number(device));
    check_node(findings, what, path, detail, ours ? VERDICT_FAIL : VERDICT_WARN);
    return true;
}

static void check_usb(struct findings *findings)
{
    libusb_context *context;
    libusb_device **devices;
    ssize_t count;
    int result = libusb_init(&context);
    bool any = false;

    if (result) {
        findings_add(findings, VERDICT_WARN, "usb", "load the USB drivers if USB devices are used",
                     "this machine has no USB: %s", libusb_strerror(result));
        return;
    }
    count = libusb_get_device_list(context, &devices);
    for (ssize_t i = 0; i < count; i++)
        any |= check_usb_device(findings, devices[i]);
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    libusb_exit(context);
    if (!any)
        findings_add(findings, VERDICT_OK, "usb", NULL, "no devices for 'usb:' addresses");
}

static void check_chip(void *context, const struct gpio_chip_info *chip)
{
    struct findings *findings = context;
    char what[160], remedy[256];
    size_t used = 0;

    if (chip->failed) {
        snprintf(what, sizeof what, "gpio %s", chip->path);
        find_remedy(chip->path, remedy, sizeof remedy);
        findings_add(findings, VERDICT_FAIL, what,
                     chip->failed == EACCES ? remedy : "unload its driver and load it again",
                     "cannot open it: %s", strerror(chip->failed));
        return;
    }
    for (size_t i = 0; i < chip->count; i++)
        used += chip->lines[i].used;
    snprintf(what, sizeof what, "gpio %s", chip->label);
    findings_add(findings, VERDICT_OK, what, NULL, "%s, %zu lines, %zu of them in use", chip->path,
                 chip->count, used);
}

static void check_gpio(struct findings *findings)
{
    struct error error;
    int count = discover_gpio(check_chip, findings, &error);

    if (count < 0)
        findings_add(findings, VERDICT_FAIL, "gpio", "mount /dev", "%s", error.text);
    if (!count)
        findings_add(findings, VERDICT_OK, "gpio", NULL, "no chips");
}

void doctor_check_devices(struct findings *findings)
{
    check_serial(findings);
    check_usb(findings);
    check_gpio(findings);
}
