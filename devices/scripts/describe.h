/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bytes of a link mean, by the functions split() and describe() of a script
 * (devices/SCRIPTS.md). A describer is made of a file and fed what passed in either direction, as
 * it came; it cuts that into frames and hands each out with its name and its details. It talks to
 * no device and knows no time but what it is told. The caller owns it; one thread uses it.
 */
#ifndef DEVICES_SCRIPTS_DESCRIBE_H
#define DEVICES_SCRIPTS_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/device.h"
#include "hal/base/error.h"
#include "hal/clock.h"

struct script_describer;

/* One frame. Everything in it lasts until the function that was told of it returns. */
struct script_message {
    bool from_device;
    nanos_t time; /* at which its last byte passed */
    const uint8_t *bytes;
    size_t count;
    bool is_damaged;     /* it was no whole frame: the check is wrong, or its end is missing */
    const char *name;    /* "packet-present"; NULL: the script does not know it */
    const char *details; /* a JSON object, its members in the order of their names; "{}" for none */
};

typedef void script_message_told(void *context, const struct script_message *message);

/*
 * ERROR_CONFIG with file, line and reason for a script that cannot be loaded or has no describe().
 * `*describer` is NULL after a failure. script_describer_close() takes NULL.
 */
int script_describer_open(struct script_describer **describer, const char *path,
                          struct error *error);
void script_describer_close(struct script_describer *describer);

/* The class that the script is of. */
enum device_class script_describer_class(const struct script_describer *describer);

/*
 * Bytes that passed at that time, in order for each direction. `told` hears of every frame that
 * they complete. ERROR_RIG with file and line when the script errs; nothing is described after
 * that.
 */
int script_describe(struct script_describer *describer, bool from_device, const uint8_t *bytes,
                    size_t count, nanos_t time, script_message_told *told, void *context,
                    struct error *error);

#endif
