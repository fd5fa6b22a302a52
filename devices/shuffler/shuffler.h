/*
 * A single-deck shuffler that deals packets, seen from the host. shuffler_open() starts a
 * conversation over a link, which stays the caller's and must outlive the shuffler; the backend of
 * the link does not matter. Everything that the device says is checked: what contradicts the
 * protocol, or what the device said before, is ERROR_DEVICE with a sentence that names the address,
 * the message and the value, and the conversation may go on after it.
 *
 * What the driver leaves to its caller, because it is about the game and not about the device: a
 * packet of another size than programmed, and a card that comes again in a later packet.
 */
#ifndef DEVICES_SHUFFLER_SHUFFLER_H
#define DEVICES_SHUFFLER_SHUFFLER_H

#include "devices/shuffler/wire.h"
#include "devices/wire/host.h"
#include "games/card.h"

#define SHUFFLER_PACKETS_MAX DECK_SIZE
#define SHUFFLER_LOG_MAX     14 /* entries that one request gets */

struct shuffler_program {
    enum shuffler_game game;
    uint8_t hands;                       /* the dealer's included where he has one; 0 in a custom */
    uint8_t burn;                        /* cards of a first packet that is burned; 0 for none */
    uint8_t count;                       /* packets of a custom program, the burn left out */
    uint8_t sizes[SHUFFLER_PACKETS_MAX]; /* of a custom program */
};

/* What a program deals. */
struct shuffler_packets {
    uint8_t count; /* that follow each other by themselves, the burn included */
    uint8_t draws; /* single cards after them, one for each press of the button */
    uint8_t sizes[SHUFFLER_PACKETS_MAX];
};

struct shuffler_status {
    enum shuffler_state state;
    enum shuffler_fault error;
    bool test_mode;
    uint8_t presented, taken; /* packets since the last shuffle */
    uint8_t left;             /* cards in the device */
    uint16_t shuffle;         /* number of the last one; they count from 1 and go round */
    enum shuffler_game game;
    uint8_t packets; /* programmed; 0 before the first program */
};

enum shuffler_event_kind {
    SHUFFLER_EVENT_SHUFFLED,
    SHUFFLER_EVENT_PRESENT,
    SHUFFLER_EVENT_TAKEN,
    SHUFFLER_EVENT_FAULT,
    SHUFFLER_EVENT_CLEARED,
    SHUFFLER_EVENT_TEST_MODE,
    SHUFFLER_EVENT_POWER_UP,
    SHUFFLER_EVENT_BUTTON,
};

struct shuffler_event {
    enum shuffler_event_kind kind;
    nanos_t time; /* at which it came, by the clock of the link */
    bool test_mode;
    union {
        struct {
            uint16_t number;
            bool loaded; /* the order was loaded */
        } shuffled;
        struct {
            uint8_t index;      /* counts from 0 since the shuffle */
            uint8_t size;       /* cards that the device says it dealt */
            uint8_t programmed; /* cards that it was told to deal; 0: the program is not known */
            card_t cards[DECK_SIZE]; /* top first; all valid, none twice */
        } packet;
        uint8_t taken; /* index of the packet */
        struct {
            enum shuffler_fault code;
            uint8_t detail;
        } fault; /* and its clearing, without detail */
        struct {
            enum shuffler_state state;
            enum shuffler_fault error;
            uint8_t presented, taken;
        } power;
        uint8_t
            button; /* 0, or the enum wire_refusal: a person pressed it and nothing came of it */
    };
};

struct shuffler_log_entry {
    uint32_t number;
    uint64_t millis; /* of the device's clock */
    uint8_t code;    /* of the message that it records */
    uint8_t detail;
    uint16_t value;
};

struct shuffler;

/*
 * One protocol. Slots return 0 or an error code; one that is refused says so by shuffler_refuse().
 * No slot is NULL but those that say so.
 */
struct shuffler_driver {
    const char *name; /* as a rig file gives it */
    size_t size;      /* of the concrete shuffler, whose first member is a struct shuffler */
    /* The memory after the struct shuffler is zero. close() is called only if open() succeeded. */
    int (*open)(struct shuffler *shuffler, struct error *error);
    /* NULL: nothing is to be released. */
    void (*close)(struct shuffler *shuffler);
    int (*identity)(struct shuffler *shuffler, struct wire_identity *identity, struct error *error);
    int (*status)(struct shuffler *shuffler, struct shuffler_status *status, struct error *error);
    /* The program is possible: shuffler_packets() has looked at it. */
    int (*program)(struct shuffler *shuffler, const struct shuffler_program *program,
                   const struct shuffler_packets *packets, struct error *error);
    int (*shuffle)(struct shuffler *shuffler, struct error *error);
    int (*press)(struct shuffler *shuffler, struct error *error);
    int (*return_deck)(struct shuffler *shuffler, struct error *error);
    /* NULL both: the device has no test mode. The order holds each card once. */
    int (*test_mode)(struct shuffler *shuffler, bool on, struct error *error);
    int (*load_order)(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                      struct error *error);
    int (*clear_error)(struct shuffler *shuffler, enum shuffler_fault code, struct error *error);
    /* 1, 0 at the deadline, or an error. */
    int (*next)(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                struct error *error);
    /* As shuffler_log(). NULL: the device keeps no log. */
    int (*log)(struct shuffler *shuffler, uint32_t first, struct shuffler_log_entry *entries,
               unsigned *count, uint32_t *total, struct error *error);
    /* NULL: the protocol is not the open one. */
    struct host *(*host)(struct shuffler *shuffler);
};

/* First member of every concrete shuffler. */
struct shuffler {
    const struct shuffler_driver *driver;
    struct link *link;
    unsigned refusal; /* enum wire_refusal of the last request; 0: it was not refused */
};

/* Puts a driver into the table that shuffler_open() searches; a new protocol is one file. */
#define SHUFFLER_DRIVER(name)                                                                      \
    static const struct shuffler_driver *const name##_entry                                        \
        __attribute__((used, section("shuffler_drivers"))) = &(name)

/* For drivers: keeps the refusal and says it; returns ERROR_DEVICE. */
int shuffler_refuse(struct shuffler *shuffler, const char *request, unsigned refusal,
                    struct error *error);

/*
 * Opens a conversation; "open" is the driver of the open wire protocol. ERROR_CONFIG for a driver
 * that does not exist. `*shuffler` is NULL after a failure. shuffler_close() takes NULL.
 */
int shuffler_open(struct shuffler **shuffler, const char *driver, struct link *link,
                  struct error *error);
void shuffler_close(struct shuffler *shuffler);

/* What a program deals; ERROR_CONFIG for one that is impossible. */
int shuffler_packets(const struct shuffler_program *program, struct shuffler_packets *packets,
                     struct error *error);

/*
 * Requests. Each waits for the device's answer and not for what follows from it, which comes as
 * events. ERROR_DEVICE with shuffler_refusal() not 0: the device refused and nothing has changed.
 */
int shuffler_identity(struct shuffler *shuffler, struct wire_identity *identity,
                      struct error *error);
int shuffler_status(struct shuffler *shuffler, struct shuffler_status *status, struct error *error);
int shuffler_program(struct shuffler *shuffler, const struct shuffler_program *program,
                     struct error *error);
int shuffler_shuffle(struct shuffler *shuffler, struct error *error);
int shuffler_press(struct shuffler *shuffler, struct error *error);
int shuffler_return_deck(struct shuffler *shuffler, struct error *error);
int shuffler_test_mode(struct shuffler *shuffler, bool on, struct error *error);
/* For the next shuffle, top first; ERROR_CONFIG unless it holds each of the 52 cards once. */
int shuffler_load_order(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                        struct error *error);
int shuffler_clear_error(struct shuffler *shuffler, enum shuffler_fault code, struct error *error);
unsigned shuffler_refusal(const struct shuffler *shuffler);

/* The next event: 1, or 0 when none came before the deadline, or an error. */
int shuffler_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                  struct error *error);

/*
 * At most SHUFFLER_LOG_MAX entries from number `first` on, or from the oldest that the device still
 * has; `*total` is how many it ever wrote.
 */
int shuffler_log(struct shuffler *shuffler, uint32_t first,
                 struct shuffler_log_entry entries[SHUFFLER_LOG_MAX], unsigned *count,
                 uint32_t *total, struct error *error);

/* The conversation, for its counts and its observer; NULL when the protocol is another one. */
struct host *shuffler_host(struct shuffler *shuffler);

/* "jam", "packet dealing": for sentences and reports. */
const char *shuffler_fault_text(unsigned code);
const char *shuffler_state_text(unsigned state);

/* The registered drivers, for help texts; returns how many. */
size_t shuffler_drivers(const struct shuffler_driver **drivers, size_t size);

#endif
