/* SPDX-License-Identifier: GPL-3.0-or-later */
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

#include "devices/device.h"
#include "devices/telling.h"
#include "games/card.h"

#define SHUFFLER_PACKETS_MAX DECK_SIZE

enum shuffler_state {
    SHUFFLER_IDLE = 1,  /* the deck is in, not shuffled */
    SHUFFLER_SHUFFLING, /* moving */
    SHUFFLER_READY,     /* shuffled, counted, nothing dealt yet */
    SHUFFLER_DEALING,   /* moving a packet to the exit */
    SHUFFLER_PRESENT,   /* a packet is at the exit */
    SHUFFLER_WAITING,   /* what was programmed is dealt: for a draw, or for the deck */
    SHUFFLER_ERROR,     /* until shuffler_clear_error() */
};

enum shuffler_fault {
    SHUFFLER_NO_FAULT,
    SHUFFLER_JAM,
    SHUFFLER_MISREAD,
    SHUFFLER_MISSING_CARD,
    SHUFFLER_EXTRA_CARD,
    SHUFFLER_DUPLICATE_CARD,
    SHUFFLER_DOOR_OPEN,
    SHUFFLER_COVER_OPEN,
    SHUFFLER_POWER_LOST, /* while something moved */
    SHUFFLER_FAULTS,
};

/* What the green button starts. A driver says it in its protocol, or that it cannot. */
struct shuffler_program {
    uint8_t burn;                        /* cards of a first packet that is burned; 0 for none */
    uint8_t count;                       /* packets after it, which follow each other */
    uint8_t sizes[SHUFFLER_PACKETS_MAX]; /* of each of them */
    uint8_t draws; /* single cards after them at most, one for each press of the button */
};

struct shuffler_status {
    enum shuffler_state state;
    enum shuffler_fault error;
    bool test_mode;
    uint8_t presented, taken; /* packets since the last shuffle */
    uint8_t left;             /* cards in the device */
    uint16_t shuffle;         /* number of the last one; they count from 1 and go round */
    uint8_t program;          /* the device's number for what was programmed */
    uint8_t packets;          /* programmed; 0 before the first program */
    bool is_as_programmed;    /* both are what the last program of this conversation makes them */
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

/*
 * What an entry of device_log() says: its code, and here its detail and its value. A driver whose
 * protocol has other codes translates.
 */
enum shuffler_log_code {
    SHUFFLER_LOG_SHUFFLED = 0x40, /* set of enum shuffler_log_flag; number of the shuffle */
    SHUFFLER_LOG_PRESENT,         /* index; size */
    SHUFFLER_LOG_TAKEN,           /* index; 0 */
    SHUFFLER_LOG_FAULT,           /* enum shuffler_fault; detail */
    SHUFFLER_LOG_CLEARED,         /* enum shuffler_fault; 0 */
    SHUFFLER_LOG_TEST_MODE,       /* 1 on, 0 off; 0 */
    SHUFFLER_LOG_POWER_UP,        /* enum shuffler_state; enum shuffler_fault */
    SHUFFLER_LOG_BUTTON,          /* 1 by hand, 0 by a request; the refusal, or 0 */
};

enum shuffler_log_flag {
    SHUFFLER_LOG_IN_TEST_MODE = 1,
    SHUFFLER_LOG_LOADED = 2, /* the order was loaded, not shuffled */
};

struct shuffler;

/*
 * One protocol, beside what any driver has. Slots return 0 or an error code; one that is refused
 * says so by device_refuse(). No slot is NULL but those that say so.
 */
struct shuffler_driver {
    struct device_driver device;
    int (*status)(struct shuffler *shuffler, struct shuffler_status *status, struct error *error);
    /* Whether the protocol can say such a program; `address` is for the sentence of ERROR_CONFIG.
     */
    int (*can_program)(const struct shuffler_program *program, const char *address,
                       struct error *error);
    /* The program is possible with one deck. ERROR_CONFIG when the protocol cannot say it. */
    int (*program)(struct shuffler *shuffler, const struct shuffler_program *program,
                   struct error *error);
    int (*shuffle)(struct shuffler *shuffler, struct error *error);
    int (*press)(struct shuffler *shuffler, struct error *error);
    int (*return_deck)(struct shuffler *shuffler, struct error *error);
    /* NULL unless it has a test mode; NULL unless it loads an order, which holds each card once. */
    int (*test_mode)(struct shuffler *shuffler, bool on, struct error *error);
    int (*load_order)(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                      struct error *error);
    int (*clear_error)(struct shuffler *shuffler, enum shuffler_fault code, struct error *error);
    /* 1, 0 at the deadline, or an error. */
    int (*next)(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                struct error *error);
};

/* First member of every concrete shuffler. */
struct shuffler {
    struct device device;
};

/*
 * Opens a conversation; "open" is the driver of the open wire protocol. ERROR_CONFIG for a driver
 * that does not exist. `*shuffler` is NULL after a failure. shuffler_close() takes NULL.
 */
int shuffler_open(struct shuffler **shuffler, const char *driver, struct link *link,
                  struct error *error);
void shuffler_close(struct shuffler *shuffler);

/*
 * Whether a shuffler of that driver could be given such a program, asked before there is one; the
 * sentence names the address. ERROR_CONFIG as of shuffler_program().
 */
int shuffler_can_program(const char *driver, const char *address,
                         const struct shuffler_program *program, struct error *error);

/*
 * Requests. Each waits for the device's answer and not for what follows from it, which comes as
 * events. ERROR_DEVICE with device_refusal() not 0: the device refused and nothing has changed.
 */
int shuffler_status(struct shuffler *shuffler, struct shuffler_status *status, struct error *error);
/* ERROR_CONFIG for a program that no deck can be dealt by, or that the protocol cannot say. */
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

/* The next event: 1, or 0 when none came before the deadline, or an error. */
int shuffler_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                  struct error *error);

/* An event as the journal has it: its name, and its details as JSON. */
void shuffler_describe(const struct shuffler_event *event, struct telling *telling);

/* "jam", "packet dealing": for sentences and reports. */
const char *shuffler_fault_text(unsigned code);
const char *shuffler_state_text(unsigned state);

#endif
