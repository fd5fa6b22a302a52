/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A byte stream to a device, with deadlines. link_open() picks the backend by the scheme of the
 * address: "serial:/dev/ttyUSB0@115200", "usb:1209:0001/SERIAL", "tcp:HOST:PORT", "pty:PATH",
 * "emu:MODEL". The caller owns the link and closes it once; the hal it was opened with must
 * outlive it. One thread uses a link at a time.
 *
 * Reads and writes return the number of bytes moved, possibly fewer than asked for, or
 *   0              nothing could be moved before the deadline: nothing yet
 *   ERROR_DEVICE   the other side is gone: unplugged, closed, powered off; it may come back
 *   ERROR_RIG      the link is broken: a failure that reopening is not known to cure
 *   ERROR_ABORTED  the bench was cancelled
 * A backend that can find out that the device is gone must say so instead of returning 0.
 */
#ifndef HAL_LINK_LINK_H
#define HAL_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hal/base/error.h"
#include "hal/base/names.h"
#include "hal/hal.h"
#include "hal/reopen.h"

#define LINK_ADDRESS_MAX 256 /* with its final NUL */

struct link;
struct pollfd;

/* The modem lines of a serial port, as a set. */
enum link_line {
    LINK_RTS = 1,
    LINK_DTR = 2,
    LINK_CTS = 4,
    LINK_DSR = 8,
    LINK_DCD = 16,
    LINK_RI = 32
};

/* A backend is one file that ends with REGISTER(link_backends, ...) (hal/base/registry.h). */
struct link_backend {
    const char *scheme;
    const char *form; /* how an address is written, with an example: for error messages and help */
    size_t size;      /* of the concrete link, whose first member is a struct link */
    /*
     * `rest` is the address after the scheme. The memory after the struct link is zero. close() is
     * called if and only if open() succeeded. ERROR_CONFIG: the address cannot mean a device;
     * ERROR_DEVICE: the device is not there or does not answer; ERROR_RIG: this machine will not
     * let us, say for want of permission. An open() that waits does so until link->open_by at the
     * latest. NULL in a decorator.
     */
    int (*open)(struct link *link, const char *rest, struct error *error);
    /* Whether the address can be, without opening anything; NULL: only open() tells. */
    int (*check)(const struct link *link, const char *rest, struct error *error);
    /* A decorator closes only what is its own; the link that it wraps is closed after it. */
    void (*close)(struct link *link);
    ssize_t (*read)(struct link *link, void *bytes, size_t size, nanos_t deadline,
                    struct error *error);
    ssize_t (*write)(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                     struct error *error);
    /* Modem lines, all in one set. NULL: none, or those of the link that a decorator wraps. */
    int (*get_lines)(struct link *link, unsigned *lines, struct error *error);
    int (*set_lines)(struct link *link, unsigned mask, unsigned lines, struct error *error);
    /* Decorators: what is wrapped was opened again; forget what was in flight. NULL: nothing is. */
    void (*reopened)(struct link *link);
    /* What link_polled() fills in, of an open link. NULL: no descriptor tells, or the inner one. */
    void (*polled)(const struct link *link, bool reads, bool writes, struct pollfd *polled);
};

/* First member of every concrete link; decorators (fault, tap) are links too. */
struct link {
    const struct link_backend *backend;
    const struct hal *hal;
    char address[LINK_ADDRESS_MAX];
    nanos_t open_by;            /* when an open() in progress must have ended; NEVER at first */
    struct link *inner;         /* what a decorator wraps and owns; NULL in a backend */
    struct link_reopen *reopen; /* NULL unless link_reopen() was asked for */
    bool is_open;               /* false while the device is away */
    bool is_lost;               /* reading or writing said so, and nothing opens it again */
};

/* ERROR_CONFIG for an address that can be seen to mean no device, whatever is attached. */
int link_check(const char *address, struct error *error);

/*
 * Opens a link. ERROR_CONFIG, ERROR_DEVICE and ERROR_RIG are as a backend's open() means them; the
 * sentence names the address. `*link` is NULL after a failure.
 */
int link_open(struct link **link, const struct hal *hal, const char *address, struct error *error);

/*
 * Makes a decorator around a link and owns that link from then on; after a failure the caller
 * still does. The memory after the struct link is zero.
 */
int link_wrap(struct link **link, const struct link_backend *backend, struct link *inner,
              struct error *error);

/* Closes a link with everything it wraps. NULL is allowed. */
void link_close(struct link *link);

/*
 * One read or write, as described above. With a deadline that has passed already, what can be
 * moved at once is moved. `size` must not be 0. A read looks for a cancellation first, even when
 * bytes are waiting; a write does when it has to wait.
 */
ssize_t link_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                  struct error *error);
ssize_t link_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                   struct error *error);

/*
 * All of it (0) or an error: ERROR_TIMEOUT when the deadline passes first. A link that was reopened
 * on the way gets all of it again, from the first byte.
 */
int link_write_all(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                   struct error *error);

/*
 * For who waits for several links at once: the descriptor that becomes ready when a read, or with
 * `writes` a write, may move something; -1 in it where the link is away or none is asked for. False
 * where no descriptor tells, as in an emulated link. It says when to try, not that it succeeds.
 */
bool link_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled);

/* ERROR_CONFIG on a link without modem lines. */
int link_get_lines(struct link *link, unsigned *lines, struct error *error);
int link_set_lines(struct link *link, unsigned mask, unsigned lines, struct error *error);

/*
 * From now on a read or write that finds the device gone closes it and tries to open it again,
 * first after `first`, then after twice as long each time up to `longest`, within the caller's
 * deadline and at most `tries` times in a row. Each time it came back, `said` (which may be NULL)
 * is told; what was in flight is lost and the read or write then returns 0 so that its caller
 * starts over.
 *
 * While the device is away, a deadline that passes is ERROR_DEVICE and not 0; the next read or
 * write goes on with the same back-off. Once the tries are used up every read and write is
 * ERROR_DEVICE until link_reopen() is called again. The struct link stays where it is. Ask the
 * outermost link: a decorator has what it wraps reopened. The policy is copied; NULL ends
 * reopening. ERROR_CONFIG for one that breaks its own bounds.
 */
int link_reopen(struct link *link, const struct reopen_policy *policy, struct error *error);

/*
 * After a read or write that was ERROR_DEVICE: waits for the device as long as it is looked for. 0
 * once it is back; ERROR_DEVICE when the tries are used up; ERROR_ABORTED. Where nobody asked for
 * reopening, ERROR_DEVICE at once, and the sentence stays that of the read or write.
 */
int link_await(struct link *link, struct error *error);

/* How often the device came back. */
uint64_t link_comebacks(const struct link *link);

/* Whether the device has left and was not found again yet; its emulated model is gone meanwhile. */
bool link_is_away(const struct link *link);

/* The same, or a read or write has said that it is gone, and nothing opens it again. */
bool link_is_lost(const struct link *link);

/*
 * What a sentence about a device that says nothing ends with: who serves TCP lets everybody
 * connect and speaks with one; "" of links that only one program can open.
 */
const char *link_may_be_taken(const struct link *link);

/* The backend with that number in the order of their schemes; NULL after the last. */
const struct link_backend *link_backend_at(size_t index);

/* The backend of an address by its scheme; NULL when there is none. */
const struct link_backend *link_backend_of(const char *address);

/* The schemes with their colons, for a sentence that lists them. */
void link_schemes(struct name_list *schemes);

#endif
