/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding out what is behind a serial port that nobody knows, by asking as its protocol would. The
 * file of a protocol registers how it is asked by REGISTER(device_probes, probe). Only questions
 * are sent that change nothing in a device of that protocol, and nothing is acknowledged that it
 * says; but what a device of another kind makes of the bytes nobody can know, so that a port is
 * probed only when somebody has agreed.
 */
#ifndef DEVICES_PROBE_H
#define DEVICES_PROBE_H

#include "devices/device.h"

struct device_found {
    enum device_class class;
    const char *driver; /* as a rig file gives it */
    uint32_t rate;      /* baud */
    bool has_identity;
    struct wire_identity identity;
};

struct device_probe {
    const char *name;
    const uint32_t *rates; /* at which such devices usually are, up to a 0 */
    /* 1 and what it is, 0 when no such device has answered in good time, or the link's error. Fills
       in all but the rate. */
    int (*ask)(struct link *link, struct device_found *found, struct error *error);
};

/*
 * Tries every probe at each of its rates on the port at `path`. 1, 0 when nobody known has
 * answered, or an error as of link_open() and link_read(). Takes PROBE_SECONDS at most.
 */
#define PROBE_SECONDS 10
int device_probe_port(const struct hal *hal, const char *path, struct device_found *found,
                      struct error *error);

/* The same on a link that is open, at the speed that it has; `*protocol` is the name of the probe.
 */
int device_probe_link(struct link *link, struct device_found *found, const char **protocol,
                      struct error *error);

#endif
