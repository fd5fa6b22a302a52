/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device models as USB devices of this kernel: a process of `dealproof emulate --usbip`, whose
 * socket vhci_hcd holds. The caller keeps the struct from plug_start() to plug_stop().
 */
#ifndef TESTS_KERNEL_PLUG_H
#define TESTS_KERNEL_PLUG_H

#include "tests/kernel/guest.h"

/* Where a device is plugged in. */
#define PLUG_PORTS 8

struct plug {
    struct guest_model model;
    unsigned port;      /* of vhci_hcd, from 0 */
    const char *serial; /* of the device, for finding it */
    unsigned short tcp; /* the model's port; 0: it has only the one socket */
};

/*
 * Starts a model with that serial number on a TCP port, from which it can be plugged in any number
 * of times and keeps its state. `arguments` are NULL or go after those.
 */
void plug_start(struct plug *plug, unsigned port, const char *device, const char *serial,
                const char *const *arguments);
void plug_stop(struct plug *plug);

/* Returns when the kernel has the device; a program may still be refused for a moment. */
void plug_in(struct plug *plug);
/* Returns when it is gone. One that went by itself is waited for. */
void plug_out(struct plug *plug);
bool plug_is_in(const struct plug *plug);

/* The same on a socket pair without handshake: started and plugged in, once. */
void plug_in_once(struct plug *plug, unsigned port, const char *device, const char *serial,
                  const char *const *arguments);

/*
 * Gives the kernel one end of a socket, which is closed here, at whose other end somebody serves a
 * device with that serial number; returns when it is there.
 */
void plug_socket(unsigned port, int fd, const char *serial);
/* Returns when no device has that serial number any more. */
void plug_await_absence(const char *serial);

#endif
