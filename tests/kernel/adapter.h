/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A USB serial adapter of this kernel: an ACM gadget on dummy_hcd, which cdc_acm makes a port of.
 * What is written to the one end is read at the other. The caller keeps the struct from
 * adapter_make() to adapter_free().
 */
#ifndef TESTS_KERNEL_ADAPTER_H
#define TESTS_KERNEL_ADAPTER_H

#include "tests/kernel/guest.h"

/* Pairs of controllers that tests/kernel/run boots with. */
#define ADAPTERS 3

struct adapter {
    unsigned number;    /* of its controller, from 0 */
    const char *serial; /* number of the adapter */
    char device[32];    /* the device's end: "/dev/ttyGS0" */
    char port[32];      /* the host's: "/dev/ttyACM0", while it is plugged in */
    bool is_served;
    struct guest_model model;
};

/* Made and plugged in. */
void adapter_make(struct adapter *adapter, unsigned number, const char *serial);
void adapter_free(struct adapter *adapter);

/* A model at the device's end; `arguments` are more for `emulate`, or NULL. */
void adapter_serve(struct adapter *adapter, const char *device, const char *const *arguments);

void adapter_plug_in(struct adapter *adapter);
/* Whoever has either end open is hung up, a model included. Returns when the port is gone.
 */
void adapter_unplug(struct adapter *adapter);

#endif
