/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "devices/model.h"
#include "hal/base/plural.h"
#include "hal/link/discover.h"
#include "hal/pins/discover.h"
#include "hal/usb/discover.h"
#include "tools/doctor/doctor.h"

#define RULES                                                                                      \
    "put 99-dealproof.rules in force: installing has put it into lib/udev/rules.d, from a source " \
    "tree copy tools/99-dealproof.rules to /etc/udev/rules.d; then 'sudo udevadm control "         \
    "--reload' and 'sudo udevadm trigger'"

/* What a node is of: a port or a chip of the machine's own cannot be plugged in again. */
enum node { BUILT_IN, PLUGGED };

/* Which group may use the node, if one may; otherwise only a udev rule can help. */
static void find_remedy(const char *path, enum node node, char *remedy, size_t size)
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
        snprintf(remedy, size, RULES "%s", node == PLUGGED ? ", or plug the device in again" : "");
}

/* A node that must be open to reading and writing. */
static void check_node(struct findings *findings, const char *what, const char *path,
                       enum node node, const char *detail)
{
    char remedy[FINDING_REMEDY_SIZE] = "plug it in again";
    int number;

    if (!access(path, R_OK | W_OK)) {
        findings_add(findings, FINDING_OK, what, NULL, "%s", detail);
        return;
    }
    number = errno;
    if (number == EACCES)
        find_remedy(path, node, remedy, sizeof remedy);
    else if (node == BUILT_IN)
        snprintf(remedy, sizeof remedy, "see what the kernel says of it: 'sudo dmesg'");
    findings_add(findings, FINDING_FAIL, what, remedy, "%s; cannot open %s: %s", detail, path,
                 strerror(number));
}

static void check_port(void *context, const struct serial_port_info *port)
{
    char what[sizeof "serial " + sizeof port->path];

    snprintf(what, sizeof what, "serial %s", port->path);
    check_node(context, what, port->path, strcmp(port->transport, "native") ? PLUGGED : BUILT_IN,
               port->description[0] ? port->description : "no description");
}

static void check_device(void *context, const struct usb_device_info *device)
{
    char detail[sizeof " at " + sizeof device->path + 32];

    snprintf(detail, sizeof detail, "%s at %s", device->known, device->path);
    check_node(context, device->address, device->node, PLUGGED, detail);
}

static void check_chip(void *context, const struct gpio_chip_info *chip)
{
    struct findings *findings = context;
    char what[160], remedy[FINDING_REMEDY_SIZE];
    size_t used = 0;

    if (chip->failed) {
        snprintf(what, sizeof what, "gpio %s", chip->path);
        find_remedy(chip->path, BUILT_IN, remedy, sizeof remedy);
        findings_add(findings, FINDING_FAIL, what,
                     chip->failed == EACCES ? remedy : "unload its driver and load it again",
                     "cannot open it: %s", strerror(chip->failed));
        return;
    }
    for (size_t i = 0; i < chip->count; i++)
        used += chip->lines[i].used;
    snprintf(what, sizeof what, "gpio %s", chip->label);
    findings_add(findings, FINDING_OK, what, NULL, "%s, %zu line%s, %zu of them in use", chip->path,
                 chip->count, plural(chip->count), used);
}

/* What cannot be listed may be absent from this machine, which is no failure of the bench. */
static void conclude(struct findings *findings, const char *what, const char *none, int count,
                     const struct error *error)
{
    if (count < 0)
        findings_add(findings, FINDING_WARN, what, "load its drivers if this bench needs them",
                     "%s", error->text);
    if (!count)
        findings_add(findings, FINDING_OK, what, NULL, "%s", none);
}

void doctor_check_devices(struct findings *findings)
{
    struct usb_known known[REGISTRY_MAX];
    size_t count = model_known_usb(known);
    struct error error;

    conclude(findings, "serial", "no ports", discover_serial(check_port, findings, &error), &error);
    conclude(findings, "usb", "no devices with a driver",
             discover_usb(known, count, false, check_device, findings, &error), &error);
    conclude(findings, "gpio", "no chips", discover_gpio(check_chip, findings, &error), &error);
}
