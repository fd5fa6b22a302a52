/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of a rig share among themselves: the fields that a struct rig is filled by, and
 * the checks of what a table of fields cannot say.
 */
#ifndef RIGS_RIG_CHECK_H
#define RIGS_RIG_CHECK_H

#include "rigs/rig/fill.h"
#include "rigs/rig/rig.h"

extern const struct field rig_fields[];

/* A rig that is being checked; checks fill in what depends on another field. */
struct rig_check {
    const struct tree *tree;
    struct rig *rig;
    struct error *error;
};

/* Each returns 0 or ERROR_CONFIG with the place of the mistake. */
int rig_check_devices(const struct rig_check *check);
int rig_check_sensors(const struct rig_check *check);
int rig_check_table(const struct rig_check *check);

/* The driver of a device, `standard` where the file names none, and the place of its address. */
int rig_check_driver(const struct rig_check *check, enum device_class class,
                     struct rig_device *device, const char *standard,
                     const struct device_driver **driver);
/* The script of a driver that takes one, and what the device can do then. */
int rig_check_script(const struct rig_check *check, struct rig_device *device,
                     const struct device_driver *driver);
/* Where the file of a model is in the options of an address; NULL: they have none. */
const char *rig_find_file(const char *options);
/* Makes a path of the file, which is relative to it, one of the working directory. */
int rig_place_path(const struct rig_check *check, const char *where, char path[RIG_PATH_MAX]);
/* What the device must say of itself, if it can. */
int rig_check_identity(const struct rig_check *check, const struct rig_device *device,
                       const struct device_driver *driver);
/* Where it answers what its software comes to: address, options, key, and the path of a file. */
int rig_check_authenticate(const struct rig_check *check, const struct rig_device *device,
                           const struct device_driver *driver);
/* Address, options and faults of a device on a link. */
int rig_check_link(const struct rig_check *check, struct rig_device *device,
                   const struct device_driver *driver);

/*
 * Address, options and faults of a device on pins; `check_lines` looks for its lines on the chip of
 * an emulated one.
 */
struct emulated_chip;
int rig_check_pins(const struct rig_check *check, const struct rig_device *device,
                   const struct device_driver *driver,
                   int (*check_lines)(const struct rig_check *check,
                                      const struct emulated_chip *chip));
/* None of these fields, up to a NULL, is there: the driver is not on pins. */
int rig_refuse_lines(const struct rig_check *check, const struct device_driver *driver,
                     const char *const *fields);
/* The shuffler of the rig, which is on pins; and which is not. */
int rig_check_shuffler_pins(const struct rig_check *check, const struct device_driver *driver);
int rig_refuse_shuffler_lines(const struct rig_check *check, const struct device_driver *driver);

#define RIG_WHERE_MAX    96
#define RIG_SCRIPT_MODEL "emu:script" /* of an address */

#endif
