/*
 * A dealing shoe, seen from the host: a person draws the cards one at a time and the shoe reads
 * them. shoe_open() starts a conversation over a link, which stays the caller's and must outlive
 * the shoe; the backend of the link does not matter. Everything that the device says is checked:
 * what contradicts the protocol, or what the device said before, is ERROR_DEVICE with a sentence
 * that names the address, the message and the value, and the conversation may go on after it.
 *
 * What the driver leaves to its caller, because it is about the game and not about the device: a
 * card that comes twice, and a card that nobody should have drawn.
 */
#ifndef DEVICES_SHOE_SHOE_H
#define DEVICES_SHOE_SHOE_H

#include "devices/shoe/wire.h"
#include "devices/wire/host.h"
#include "games/card.h"

#define SHOE_LOG_MAX     14 /* entries that one request gets */
#define SHOE_SETTING_MAX 4  /* characters of a setting's value */

struct shoe_status {
    enum shoe_state state;
    enum shoe_fault error;
    bool test_mode;
    bool loaded;   /* the order of the deck was loaded */
    uint8_t drawn; /* cards of this deck */
    uint8_t left;
    uint16_t deck; /* its number; they count from 1 and go round */
};

enum shoe_event_kind {
    SHOE_EVENT_STARTED,  /* the device was switched on, or starts to talk again */
    SHOE_EVENT_STAND_BY, /* a deck was put in and nothing is drawn from it yet */
    SHOE_EVENT_CARD,
    SHOE_EVENT_CUT_CARD,
    SHOE_EVENT_FAULT,
    SHOE_EVENT_CLEARED, /* an error */
    SHOE_EVENT_LOCK,
    SHOE_EVENT_TEST_MODE,
    SHOE_EVENT_SETTING, /* somebody changed one at the device */
    SHOE_EVENT_RESULT,  /* of a game that the shoe believes it deals; nothing to rely on */
};

struct shoe_event {
    enum shoe_event_kind kind;
    nanos_t time;   /* at which it came, by the clock of the link */
    bool test_mode; /* as far as the device has said; false where the protocol has none */
    union {
        struct {
            card_t card;  /* valid */
            bool outside; /* drawn while the shoe was locked, in error, or being set up */
            bool resent;  /* the device says it again because it was never acknowledged */
            bool loaded;  /* it is of an order that was loaded */
            uint8_t raw;  /* its place as the device gives it: index, or target and index */
        } card;
        struct {
            uint8_t code;     /* enum shoe_fault, or a number that the makers have not published */
            bool is_stopped;  /* nothing is dealt until it is cleared */
            const char *text; /* of the code */
        } fault;              /* and its clearing */
        bool is_locked;
        bool is_on; /* test mode */
        struct {
            char address[3];
            char value[SHOE_SETTING_MAX + 1];
        } setting;
        uint8_t result; /* as the device gives it */
    };
};

struct shoe_log_entry {
    uint32_t number;
    uint64_t millis; /* of the device's clock */
    uint8_t code;    /* of the message that it records */
    uint8_t detail;
    uint16_t value;
};

/* What went wrong on the way and was mended. */
struct shoe_counts {
    uint64_t events;   /* handed out */
    uint64_t repeats;  /* said again by the device although they had been taken */
    uint64_t retries;  /* requests said again by the host */
    uint64_t rejected; /* damaged frames */
};

struct shoe;

/*
 * One protocol. Slots return 0 or an error code; one that the device refuses says so by
 * shoe_refuse(). A slot may be NULL where that is said: the call is then ERROR_CONFIG with a
 * sentence that names the protocol.
 */
struct shoe_driver {
    const char *name; /* as a rig file gives it */
    size_t size;      /* of the concrete shoe, whose first member is a struct shoe */
    /*
     * Options are "key=value,key=value", "" for none. The memory after the struct shoe is zero.
     * What was opened is given back by freeing the memory: a driver owns nothing else.
     */
    int (*open)(struct shoe *shoe, const char *options, struct error *error);
    /* NULL: the protocol gives no identity. */
    int (*identity)(struct shoe *shoe, struct wire_identity *identity, struct error *error);
    /* NULL: the protocol's answer cannot be read as a struct shoe_status. */
    int (*status)(struct shoe *shoe, struct shoe_status *status, struct error *error);
    int (*lock)(struct shoe *shoe, bool on, struct error *error);
    int (*clear_error)(struct shoe *shoe, uint8_t code, struct error *error);
    /* NULL both: the device has no test mode. The order holds each card at most once. */
    int (*test_mode)(struct shoe *shoe, bool on, struct error *error);
    int (*load_order)(struct shoe *shoe, const card_t *order, size_t count, struct error *error);
    /* 1, 0 at the deadline, or an error. */
    int (*next)(struct shoe *shoe, struct shoe_event *event, nanos_t deadline, struct error *error);
    /* As shoe_log(). NULL: the device keeps no log. */
    int (*log)(struct shoe *shoe, uint32_t first, struct shoe_log_entry *entries, unsigned *count,
               uint32_t *total, struct error *error);
    void (*counts)(const struct shoe *shoe, struct shoe_counts *counts);
    /* NULL: the protocol is not the open one. */
    struct host *(*host)(struct shoe *shoe);
};

/* First member of every concrete shoe. */
struct shoe {
    const struct shoe_driver *driver;
    struct link *link;
    unsigned refusal; /* the protocol's code for the last request; 0: it was not refused */
};

/* Puts a driver into the table that shoe_open() searches; a new protocol is one file. */
#define SHOE_DRIVER(name)                                                                          \
    static const struct shoe_driver *const name##_entry                                            \
        __attribute__((used, section("shoe_drivers"))) = &(name)

/* For drivers: keeps the refusal and says it; returns ERROR_DEVICE. */
int shoe_refuse(struct shoe *shoe, const char *request, unsigned refusal, const char *text,
                struct error *error);

/*
 * Opens a conversation. Drivers are "open" (the open wire protocol, no options) and "angel-eye"
 * (options: bcc=with-stx or bcc=without-stx). ERROR_CONFIG for a driver or an option that does not
 * exist, ERROR_TIMEOUT when nobody answers. `*shoe` is NULL after a failure. shoe_close() takes
 * NULL.
 */
int shoe_open(struct shoe **shoe, const char *driver, struct link *link, const char *options,
              struct error *error);
void shoe_close(struct shoe *shoe);

/*
 * Requests. Each waits for the device's answer and not for what follows from it, which comes as
 * events. ERROR_DEVICE with shoe_refusal() not 0: the device refused and nothing has changed.
 * ERROR_CONFIG: the protocol has no such request; shoe_can_load() says so beforehand.
 */
int shoe_identity(struct shoe *shoe, struct wire_identity *identity, struct error *error);
int shoe_status(struct shoe *shoe, struct shoe_status *status, struct error *error);
int shoe_lock(struct shoe *shoe, bool on, struct error *error);
int shoe_clear_error(struct shoe *shoe, uint8_t code, struct error *error);
int shoe_test_mode(struct shoe *shoe, bool on, struct error *error);
/* A new deck with these on top; ERROR_CONFIG unless they are 1 … 52 different cards. */
int shoe_load_order(struct shoe *shoe, const card_t *order, size_t count, struct error *error);
bool shoe_can_load(const struct shoe *shoe);
unsigned shoe_refusal(const struct shoe *shoe);

/* The next event: 1, or 0 when none came before the deadline, or an error. */
int shoe_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline, struct error *error);

/*
 * At most SHOE_LOG_MAX entries from number `first` on, or from the oldest that the device still
 * has; `*total` is how many it ever wrote.
 */
int shoe_log(struct shoe *shoe, uint32_t first, struct shoe_log_entry entries[SHOE_LOG_MAX],
             unsigned *count, uint32_t *total, struct error *error);

void shoe_counts(const struct shoe *shoe, struct shoe_counts *counts);

/* The conversation, for its observer; NULL when the protocol is another one. */
struct host *shoe_host(struct shoe *shoe);

/* "overdraw", "locked": for sentences and reports. */
const char *shoe_fault_text(unsigned code);
const char *shoe_state_text(unsigned state);

/* The registered drivers in the order of their names, for help texts; returns how many. */
size_t shoe_drivers(const struct shoe_driver **drivers, size_t size);

#endif
