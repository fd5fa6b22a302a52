/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device of a table, seen from the host, whatever its class and protocol. A driver is one
 * protocol of one class; its file registers it, and devices/registry.c finds it by class and name.
 * The requests and events of each class are in its own header (devices/shuffler/shuffler.h,
 * devices/shoe/shoe.h, devices/terminal/terminal.h, devices/sensors/sensors.h), whose struct begins
 * with a struct device and whose driver begins with a struct device_driver.
 *
 * device_open() allocates and device_close() gives it back. Link and hal stay the caller's and must
 * outlive the device. What a device can do is asked before with device_can(): a request that it has
 * not is ERROR_CONFIG with a sentence.
 */
#ifndef DEVICES_DEVICE_H
#define DEVICES_DEVICE_H

#include "devices/wire/host.h"
#include "devices/wire/log.h"
#include "hal/base/error.h"
#include "hal/base/registry.h"
#include "hal/link/link.h"
#include "hal/link/tap.h"

enum device_class { DEVICE_SHUFFLER, DEVICE_SHOE, DEVICE_TERMINAL, DEVICE_SENSORS };
#define DEVICE_CLASSES 4

/* A set of these is what a driver can do. */
enum device_capability {
    DEVICE_LOADS_ORDER = 1 << 0,    /* deals an order that it was given */
    DEVICE_HAS_TEST_MODE = 1 << 1,  /* and announces it */
    DEVICE_KEEPS_LOG = 1 << 2,      /* device_log() */
    DEVICE_TELLS_IDENTITY = 1 << 3, /* device_identity() */
    DEVICE_TELLS_STATUS = 1 << 4,   /* the status of its class, device_in_test_mode() */
    DEVICE_SHOWS_FRAMES = 1 << 5,   /* device_host(): every frame can be looked at */
    DEVICE_TELLS_CARDS = 1 << 6,    /* the cards that it deals, as it or somebody else reads them */
    DEVICE_IS_STACKED = 1 << 7,     /* deals an order in which people have put its deck */
    DEVICE_TELLS_BACKS = 1 << 8,    /* of two decks, which one a card is of */
    DEVICE_TELLS_CONFIG = 1 << 9,   /* of a terminal: what it was configured for */
};

/* What is timed of a device. */
enum device_time {
    DEVICE_TIME_SHUFFLE = 1 << 0,
    DEVICE_TIME_PACKET = 1 << 1,
    DEVICE_TIME_TAKE = 1 << 2,
    DEVICE_TIME_CARD = 1 << 3,
    DEVICE_TIME_LIGHTS = 1 << 4,
    DEVICE_TIME_JACKPOT = 1 << 5,
};

/* An option of a driver: "key=value" with one of these values. */
struct device_option {
    const char *key;           /* NULL after the last option */
    const char *const *values; /* NULL after the last value */
};

/* Where a device is, and what is to be told to its driver. */
struct device_connection {
    struct link *link;   /* NULL for a driver on pins, or without an address */
    struct hal *hal;     /* for such drivers: the address is that of pins; the desk, where people
                            answer */
    const char *address; /* for sentences; of a link, the link's */
    const char *options; /* "key=value,key=value" of the driver, checked; "" for none */
    const void
        *setup; /* what the class needs on pins: struct sensors_setup, shuffler_setup; or NULL */
    /* Of a driver that takes them, for its struct card_reader_setup. */
    const char *cards;                  /* who reads the cards; "" where nobody need */
    const char *map;                    /* NULL: none was given */
    unsigned decks;                     /* of the table; with 2 it matters of which one a card is */
    const struct reopen_policy *reopen; /* NULL: what goes away is not looked for */
    uint64_t seed;                      /* of the run; for whatever a driver does at random */
    /* Of a driver that asks people: so long each of them is waited for; 0: as long as it takes. */
    uint32_t person_ms;
    unsigned protocol;  /* version of the open protocol that is to be spoken; 0: the highest */
    const char *script; /* file of a driver that takes one; NULL for the others */
    /* Hears what a script prints. NULL: nobody does. */
    void (*printed)(void *context, const char *line);
    void *printed_context;
};

struct device;

/*
 * One protocol of one class. Slots return 0 or an error code; one that the device refuses says so
 * by device_refuse(). A slot is NULL where the capability is missing that it stands for.
 */
struct device_driver {
    const char *key; /* CLASS/NAME: "shoe/angel-eye", where "angel-eye" is what a rig file says */
    enum device_class class;
    const char *noun;      /* what sentences call the device: "shuffler" */
    size_t size;           /* of the concrete device */
    unsigned capabilities; /* set of enum device_capability: all that any of its devices has */
    unsigned by_hand;      /* set of enum device_time: what people do, who take their time */
    bool on_pins;          /* it has no link */
    bool has_no_address;   /* neither a link nor pins: people are where it is */
    bool asks;             /* people are asked: there must be a desk, and somebody to answer */
    bool takes_cards;      /* a rig file says who reads its cards (devices/cards/reader.h) */
    bool takes_script; /* a file says the protocol: devices/SCRIPTS.md; options are the file's */
    bool has_versions; /* a rig file may say which one is spoken */
    uint8_t protocol;  /* number of it in a capture of the link; TAP_RAW: bytes without a name */
    tap_masker *mask;  /* for captures: hides codes in what is sent; NULL: there are none */
    const struct device_option *options; /* NULL: none */
    /*
     * What it could do so connected, asked before there is a device; the link is NULL. ERROR_CONFIG
     * when it cannot be used so at all. NULL: `capabilities`.
     */
    int (*inspect)(const struct device_connection *connection, unsigned *capabilities,
                   struct error *error);
    /* The memory after the struct device is zero. close() is called only if open() succeeded. It
       may take back capabilities that this device has not, and change which times are by hand. */
    int (*open)(struct device *device, const struct device_connection *connection,
                struct error *error);
    /* NULL: nothing is to be released. */
    void (*close)(struct device *device);
    int (*identity)(struct device *device, struct wire_identity *identity, struct error *error);
    int (*in_test_mode)(struct device *device, bool *is_on, struct error *error);
    /* As device_log(), in the codes of the class; or the positive enum wire_refusal. */
    int (*log)(struct device *device, uint32_t first, struct log_entry *entries, unsigned *count,
               uint32_t *total, struct error *error);
    struct host *(*host)(struct device *device);
    /* How many bytes of a message from the device mean something; 0 for one that does not exist. */
    size_t (*meaningful)(const struct frame *frame);
    /* Whether such a message says that it is of test mode: 1, 0, or -1 where it cannot say. */
    int (*frame_test_mode)(const struct frame *frame);
};

/* First member of the struct of each class. */
struct device {
    const struct device_driver *driver;
    const char *address;
    struct link *link;     /* NULL: it is on pins, or has no address */
    unsigned capabilities; /* its driver's, or those that open() has found */
    unsigned by_hand;      /* set of enum device_time: those that say nothing of the machine */
    unsigned untimed; /* set of enum device_time: those of which nobody tells the begin or end */
    bool is_wide;     /* its numbers have 32 bits, not 16 */
    unsigned refusal; /* the protocol's code for the last request; 0: it was not refused */
};

/* REGISTER(device_drivers, driver) in the file of a driver makes it known. */

/* "shuffler", "shoe", "terminal", "sensors": as a rig file names them. */
const char *device_class_name(enum device_class class);

/* As a rig file gives it. */
const char *device_driver_name(const struct device_driver *driver);

/* NULL with ERROR_CONFIG and a sentence that lists those of the class. */
const struct device_driver *device_driver_find(enum device_class class, const char *name,
                                               struct error *error);

/* The drivers of all classes in the order of their keys, by number; NULL after the last. */
const struct device_driver *device_driver_at(size_t index);

/* Whether the driver knows these options: 0, or ERROR_CONFIG with a sentence that lists its own. */
int device_check_options(const struct device_driver *driver, const char *options,
                         struct error *error);

/* What a device of that driver could do, as `inspect` has it. */
int device_inspect(const struct device_driver *driver, const struct device_connection *connection,
                   unsigned *capabilities, struct error *error);

/* For drivers: whether the options hold that one. */
bool device_has_option(const char *options, const char *key, const char *value);

/* `*device` is NULL after a failure. device_close() takes NULL. */
int device_open(struct device **device, const struct device_driver *driver,
                const struct device_connection *connection, struct error *error);
void device_close(struct device *device);

/* The same for a driver of that name on a link. */
int device_open_on_link(struct device **device, enum device_class class, const char *driver,
                        struct link *link, const char *options, struct error *error);

/*
 * For drivers of the open protocol: takes back what the device does not claim, adds what only
 * version 2 can tell.
 */
void device_claim(struct device *device, const struct host *host);

/* For drivers: keeps the refusal and says it; returns ERROR_DEVICE. */
int device_refuse(struct device *device, const char *request, unsigned refusal, const char *text,
                  struct error *error);

/* Not 0 after ERROR_DEVICE: the device refused the last request and nothing has changed. */
static inline unsigned device_refusal(const struct device *device)
{
    return device->refusal;
}

/* A set of capabilities: all of them. */
static inline bool device_can(const struct device *device, unsigned capabilities)
{
    return (device->capabilities & capabilities) == capabilities;
}

int device_identity(struct device *device, struct wire_identity *identity, struct error *error);

/* What its status says of test mode; false of one that cannot be asked. */
int device_ask_test_mode(struct device *device, bool *is_on, struct error *error);

/* The same; false also of one that does not answer. */
bool device_in_test_mode(struct device *device);

/*
 * At most LOG_REPLY_MAX entries from number `first` on, or from the oldest that the device still
 * has; `*total` is how many it ever wrote. What an entry says is in the header of the class.
 */
int device_log(struct device *device, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
               unsigned *count, uint32_t *total, struct error *error);

/* The conversation, for its counts and its observer; NULL when the protocol is another one. */
struct host *device_host(struct device *device);

/* Of a device that shows its frames, and deals: the two slots of its driver about a message. */
static inline size_t device_meaningful(const struct device *device, const struct frame *frame)
{
    return device->driver->meaningful(frame);
}

static inline int device_frame_test_mode(const struct device *device, const struct frame *frame)
{
    return device->driver->frame_test_mode(frame);
}

/* ERROR_CONFIG: a device of this driver has no such request; `what` as in "has no test mode". */
int device_cannot(const struct device *device, const char *what, struct error *error);

#endif
