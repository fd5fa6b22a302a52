/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a device model as a process of its own on the real clock, at the far end of a cable: a
 * pseudo-terminal, a serial line, a TCP port, or a socket that is connected already. One client at
 * a time; when
 * it goes away, the model is told and the next one is waited for. What the model sends while
 * nobody is connected is lost, as on any cable that ends nowhere. The model stays the caller's and
 * must outlive its server. Nothing here spins: it sleeps until a byte comes or the model is due.
 *
 * A model that sets `gone` has its cable torn. On a TCP port it is plugged in again for the next
 * client; the others have no next one, and serving ends. It also ends when a serial line hangs up.
 */
#ifndef DEVICES_SERVE_SERVE_H
#define DEVICES_SERVE_SERVE_H

#include "hal/base/error.h"
#include "hal/link/model.h"

struct serve;

/* A new pseudo-terminal in raw mode. ERROR_RIG when the machine has none left. */
int serve_pty(struct serve **serve, struct model *model, struct error *error);

/*
 * The serial line of that path, in raw mode and at the speed that it has: the other end of a null
 * modem cable, or a USB gadget. Nothing there tells one client from the next. ERROR_RIG when it
 * cannot be opened, ERROR_CONFIG when it is something else.
 */
int serve_tty(struct serve **serve, struct model *model, const char *path, struct error *error);

/*
 * "ADDR:PORT", or just "PORT" on 127.0.0.1; an IPv6 address stands in brackets, port 0 takes a free
 * one. ERROR_CONFIG when that cannot be an address of this machine, ERROR_RIG when it is in use.
 */
int serve_tcp(struct serve **serve, struct model *model, const char *where, struct error *error);

/*
 * A connected stream socket, whose descriptor is the server's from then on; after a failure the
 * caller still has it. ERROR_CONFIG when it is none.
 */
int serve_socket(struct serve **serve, struct model *model, int fd, struct error *error);

/* Hangs up. NULL is allowed. */
void serve_close(struct serve *serve);

/* What link_open() takes: "pty:/dev/pts/3", "tcp:127.0.0.1:40123"; "" for a tty or socket. */
const char *serve_address(const struct serve *serve);

/*
 * A client that has said nothing for so long gives way to one that waits; 0: never, which is the
 * default. Only of a TCP port.
 */
void serve_set_idle(struct serve *serve, nanos_t idle);

/* Who comes and goes, and what passes. Both may be NULL, and are called by serve_step(). */
struct serve_watch {
    void *context;
    void (*came)(void *context, bool is_there);
    void (*passed)(void *context, bool from_device, const uint8_t *bytes, size_t count,
                   nanos_t time);
};

/* Who has come last: "127.0.0.1:51234"; "" by a terminal or a descriptor. */
const char *serve_client(const struct serve *serve);

/* The struct must outlive the server. */
void serve_set_watch(struct serve *serve, const struct serve_watch *watch);

/*
 * Serves until `stop` (a descriptor, or -1) becomes readable or there can be no client any more:
 * 0. ERROR_RIG when waiting fails or the model does not do what it is due to do.
 */
int serve_run(struct serve *serve, int stop, struct error *error);

/*
 * The two halves of serve_run(), for a thread that shares the model with others: only serve_step()
 * touches the model. Each returns 1 to go on, 0 at the end as above, or an error.
 */
int serve_wait(struct serve *serve, int stop, struct error *error);
int serve_step(struct serve *serve, struct error *error);

/* Ends one serve_wait(), because somebody else has touched the model. From any thread. */
void serve_wake(struct serve *serve);

#endif
