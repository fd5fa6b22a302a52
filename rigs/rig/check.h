/*
 * What the files of a rig share among themselves: the schema that libcyaml fills a struct rig by,
 * and the checks of what a schema cannot say.
 */
#ifndef RIGS_RIG_CHECK_H
#define RIGS_RIG_CHECK_H

#include "rigs/rig/rig.h"
#include "rigs/rig/yaml_tree.h"

extern const cyaml_schema_value_t rig_schema;

/* A rig that is being checked; checks also fill in defaults and what texts mean. */
struct rig_check {
    const struct yaml_tree *tree;
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
/* Address, options and faults of a device on a link. */
int rig_check_link(const struct rig_check *check, struct rig_device *device,
                   const struct device_driver *driver);

#define RIG_WHERE_MAX 96

#endif
