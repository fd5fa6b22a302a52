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
 * A backend must never pass silence off as an idle device when it can know better.
 */
#ifndef HAL_LINK_H
#define HAL_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "games/error.h"
#include "hal/hal.h"

#define LINK_ADDRESS_MAX 256

struct link;

/* The modem lines of a serial port, as a set. */
enum link_line {
    LINK_RTS = 1,
    LINK_DTR = 2,
    LINK_CTS = 4,
    LINK_DSR = 8,
    LINK_DCD = 16,
    LINK_RI = 32
};

struct link_backend {
    const char *scheme;
    const char *form; /* how an address is written, with an example: for error messages and help */
    size_t size;      /* of the concrete link, whose first member is a struct link */
    /* `rest` is the address after the scheme. close() is called if and only if open() succeeded. */
    int (*open)(struct link *link, const char *rest, struct error *error);
    void (*close)(struct link *link);
    ssize_t (*read)(struct link *link, void *bytes, size_t size, nanos_t deadline,
                    struct error *error);
    ssize_t (*write)(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                     struct error *error);
    /* Modem lines, all in one set. NULL: this kind of link has none. */
    int (*get_lines)(struct link *link, unsigned *lines, struct error *error);
    int (*set_lines)(struct link *link, unsigned mask, unsigned lines, struct error *error);
};

/* First member of every concrete link; decorators (fault, tap) are links too. */
struct link {
    const struct link_backend *backend;
    const struct hal *hal;
    char address[LINK_ADDRESS_MAX];
    struct link_reopen *reopen; /* NULL unless link_reopen() was asked for */
};

/* Puts a backend into the table that link_open() searches; a new backend is one file. */
#define LINK_BACKEND(name)                                                                         \
    static const struct link_backend *const name##_entry                                           \
        __attribute__((used, section("link_backends"))) = &(name)

int link_open(struct link **link, const struct hal *hal, const char *address, struct error *error);
void link_close(struct link *link);

ssize_t link_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                  struct error *error);
ssize_t link_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                   struct error *error);

/* All of it or an error; ERROR_TIMEOUT when the deadline passes first. */
int link_write_all(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                   struct error *error);

/* ERROR_CONFIG on a link without modem lines. */
int link_get_lines(struct link *link, unsigned *lines, struct error *error);
int link_set_lines(struct link *link, unsigned mask, unsigned lines, struct error *error);

/*
 * From now on a read or write that finds the device gone tries to open it again, first after
 * `first`, then after twice as long each time up to `longest`, within the caller's deadline and at
 * most `tries` times in a row. Each time it came back, `said` is told; what was in flight is lost
 * and the read or write then returns 0 so that its caller starts over.
 */
struct link_reopen_policy {
    nanos_t first;
    nanos_t longest;
    unsigned tries;
    void (*said)(void *context, const char *address, unsigned tries, nanos_t away);
    void *context;
};

int link_reopen(struct link *link, const struct link_reopen_policy *policy, struct error *error);

/* The registered backends in the order of their schemes, for help texts; returns how many. */
size_t link_backends(const struct link_backend **backends, size_t size);

#endif
