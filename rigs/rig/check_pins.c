/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices on pins, whatever their class: address, options, the model where it is emulated. */
#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "hal/pins/emulated_pins.h"
#include "rigs/rig/check.h"

/* A device on pins while it is checked. */
struct subject {
    const struct rig_check *check;
    const struct rig_device *device;
    const struct device_driver *driver;
};

static int wrong(const struct subject *subject, const char *field, const char *sentence)
{
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.%s.%s", device_class_name(subject->driver->class),
             field);
    return tree_error(subject->check->tree, subject->check->error, where, "%s", sentence);
}

/* A model that was not made: want of memory is no mistake of the rig file. */
static int not_made(const struct subject *subject, const char *field, const struct error *said)
{
    if (said->code != ERROR_RIG)
        return wrong(subject, field, said->text);
    return error_set(subject->check->error, ERROR_RIG, "%s: devices.%s.%s: %s",
                     subject->check->rig->path, device_class_name(subject->driver->class), field,
                     said->text);
}

/* Makes the model with these options, on a hal of its own, and frees it again. */
static int try_model(const struct subject *subject, const struct model_kind *kind,
                     const char *field, const char *fault,
                     int (*check_lines)(const struct rig_check *check,
                                        const struct emulated_chip *chip))
{
    char address[LINK_ADDRESS_MAX];
    struct model *model;
    struct clock clock;
    struct hal hal;
    struct error said;
    char *options;
    int status;

    if (rig_address(subject->device->address, fault, UINT64_MAX, address, &said))
        return wrong(subject, field, said.text);
    options = strchr(address, '?');
    *options++ = '\0';
    clock_virtual(&clock, 0);
    status = hal_open(&hal, &clock, subject->check->error);
    if (status)
        return status;
    model = kind->make_on_pins(&hal, address + strlen("emu:"), options, &said);
    if (!model) {
        status = not_made(subject, field, &said);
    } else {
        status = check_lines ? check_lines(subject->check, hal.chips) : 0;
        model->ops->free(model);
    }
    hal_close(&hal);
    return status;
}

static int check_real(const struct subject *subject, const struct model_kind *kind)
{
    const char *address = subject->device->address;
    char text[200];

    if (strncmp(address, "gpio:", 5) != 0 || !address[5]) {
        snprintf(text, sizeof text,
                 "'%.60s' is no address of pins; write gpio:LABEL, as in gpio:pinctrl-rp1, or "
                 "emu:%s",
                 address, kind ? kind->name : "NAME");
        return wrong(subject, "address", text);
    }
    if (strlen(address + 5) >= PINS_LABEL_MAX) {
        snprintf(text, sizeof text, "the label of a chip has at most %d bytes", PINS_LABEL_MAX - 1);
        return wrong(subject, "address", text);
    }
    if (subject->check->rig->clock == RIG_CLOCK_VIRTUAL)
        return wrong(subject, "address",
                     "real pins cannot follow a virtual clock; write 'clock: real'");
    if (subject->device->fault[0])
        return wrong(subject, "fault",
                     subject->driver->class == DEVICE_SENSORS
                         ? "only an emulated table has defects on purpose"
                         : "only an emulated device has defects on purpose");
    return 0;
}

int rig_check_pins(const struct rig_check *check, const struct rig_device *device,
                   const struct device_driver *driver,
                   int (*check_lines)(const struct rig_check *check,
                                      const struct emulated_chip *chip))
{
    const struct subject subject = {check, device, driver};
    const struct model_kind *kind = model_kind_for(driver);
    struct error said;
    int status;

    if (device_check_options(driver, device->options, &said))
        return wrong(&subject, "options", said.text);
    if (device->link_fault)
        return wrong(&subject, "link-fault", "pins have no link");
    if (!kind || !rig_is_emulated(device->address))
        return check_real(&subject, kind);
    status = try_model(&subject, kind, "address", "", NULL);
    return status ? status : try_model(&subject, kind, "fault", device->fault, check_lines);
}

int rig_refuse_lines(const struct rig_check *check, const struct device_driver *driver,
                     const char *const *fields)
{
    const char *class = device_class_name(driver->class);
    const struct tree_node *device;
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.%s", class);
    device = tree_find(check->tree, where);
    for (; *fields; fields++) {
        snprintf(where, sizeof where, "devices.%s.%s", class, *fields);
        if (tree_field(device, *fields, strlen(*fields)))
            return tree_error(check->tree, check->error, where,
                              driver->class == DEVICE_SENSORS
                                  ? "it is for sensors on pins; the driver '%s' has lines of its "
                                    "own"
                                  : "it is for a shuffler on pins; the driver '%s' has no lines",
                              device_driver_name(driver));
    }
    return 0;
}
