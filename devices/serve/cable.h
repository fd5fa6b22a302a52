/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways by which a client reaches a served model: what is opened for it, how its coming and
 * going shows, and how bytes are written. The owner of a struct cable calls cable_init() first and
 * cable_close() last; every descriptor in it is the cable's.
 */
#ifndef DEVICES_SERVE_CABLE_H
#define DEVICES_SERVE_CABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "hal/base/error.h"

struct cable {
    int wire; /* a pseudo-terminal's master, a tty or a connected socket, non-blocking; or -1 */
    int door; /* readable when a client may have come: listener or inotify; -1: none will */
    bool is_terminal;  /* a pseudo-terminal, whose wire stays open without a client, or a tty */
    bool is_connected; /* a client is there */
    char address[96];  /* as link_open() takes it; "" when no address leads here */
    char client[96];   /* "127.0.0.1:51234", the last that was admitted; "" when it has none */
};

void cable_init(struct cable *cable);
int cable_open_pty(struct cable *cable, struct error *error);
int cable_open_tty(struct cable *cable, const char *path, struct error *error);
int cable_open_tcp(struct cable *cable, const char *where, struct error *error);
int cable_open_socket(struct cable *cable, int fd, struct error *error);
void cable_close(struct cable *cable);

/* Accepts a waiting client, if any, and sets is_connected. ERROR_RIG if it cannot be accepted. */
int cable_admit(struct cable *cable, struct error *error);

/* The client is gone or is to go. */
void cable_hang_up(struct cable *cable);

/* Whether a client may come once the device has torn its cable. */
bool cable_can_reconnect(const struct cable *cable);

/* As write(2), without a signal. */
ssize_t cable_write(const struct cable *cable, const void *bytes, size_t size);

#endif
