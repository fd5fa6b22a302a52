/* SPDX-License-Identifier: GPL-3.0-or-later */
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

#include "devices/cards/stack.h"
#include "devices/device.h"
#include "devices/telling.h"
#include "games/card.h"

#define SHOE_SETTING_MAX 4 /* characters of a setting's value */

enum shoe_state {
    SHOE_IDLE = 1, /* unlocked, nothing drawn from this deck yet */
    SHOE_DEALING,  /* unlocked, some cards are drawn */
    SHOE_LOCKED,
    SHOE_ERROR, /* until the error is cleared; then as it was before */
};

/* The first seven are numbered as an Angel Eye shoe numbers them. */
enum shoe_fault {
    SHOE_NO_FAULT,
    SHOE_CANNOT_READ,
    SHOE_OVERDRAW,
    SHOE_BUTTON_MISUSE,
    SHOE_REVERSE_AT_EXIT,
    SHOE_REVERSE_MIDWAY,
    SHOE_CARD_CODE,
    SHOE_DRAW_TIMEOUT,
    SHOE_JAM,
    SHOE_FAULTS,
};

struct shoe_status {
    enum shoe_state state;
    enum shoe_fault error;
    bool test_mode;
    bool loaded;   /* the order of the deck was loaded */
    uint8_t drawn; /* cards of this deck */
    uint8_t left;
    uint32_t deck; /* its number; they count from 1 and go round */
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
    /* The entry that a log must have of it; code 0: the device keeps none. */
    struct {
        uint8_t code, detail;
        uint32_t value;
    } entry;
    union {
        struct {
            bool is_known;
            uint32_t number;
            bool loaded;
        } deck; /* that goes in with STAND BY */
        struct {
            card_t card;         /* valid */
            bool outside;        /* drawn while the shoe was locked, in error, or being set up */
            bool resent;         /* the device says it again because it was never acknowledged */
            bool loaded;         /* it is of an order that was loaded */
            uint8_t back;        /* the deck that it is of, from 1; 0: nobody says it */
            uint8_t raw;         /* its place as the device gives it: index, or target and index */
            bool is_nodded;      /* confirmed as recorded by somebody who did not read it out */
            const char *witness; /* who read it: "operator"; NULL: the device */
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

/*
 * What an entry of device_log() says: its code, and here its detail and its value. A driver whose
 * protocol has other codes translates.
 */
enum shoe_log_code {
    SHOE_LOG_CARD = 0x40, /* index in the deck; the card */
    SHOE_LOG_CUT_CARD,    /* index; 0 */
    SHOE_LOG_STAND_BY,    /* flags of the protocol; number of the deck */
    SHOE_LOG_FAULT,       /* enum shoe_fault; index */
    SHOE_LOG_CLEARED,     /* enum shoe_fault; 0 */
    SHOE_LOG_TEST_MODE,   /* 1 on, 0 off; 0 */
    SHOE_LOG_POWER_UP,    /* enum shoe_state; enum shoe_fault */
    SHOE_LOG_LOCK,        /* 1 locked, 0 unlocked; 0 */
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
 * One protocol, beside what any driver has. Slots return 0 or an error code; one that the device
 * refuses says so by device_refuse(). A slot may be NULL where that is said.
 */
struct shoe_driver {
    struct device_driver device;
    /* NULL unless it tells its status. */
    int (*status)(struct shoe *shoe, struct shoe_status *status, struct error *error);
    /* NULL: it has no lock, and nobody draws unless told to. */
    int (*lock)(struct shoe *shoe, bool on, struct error *error);
    /* So many cards are about to be drawn. NULL: the shoe has no use for it. */
    int (*expect)(struct shoe *shoe, unsigned count, struct error *error);
    /* NULL: people clear it at the shoe, and it goes on by itself. */
    int (*clear_error)(struct shoe *shoe, uint8_t code, struct error *error);
    /* NULL unless it has a test mode; NULL unless it loads an order, of each card at most once;
       NULL unless its deck is stacked. */
    int (*test_mode)(struct shoe *shoe, bool on, struct error *error);
    int (*load_order)(struct shoe *shoe, const card_t *order, size_t count, struct error *error);
    int (*stack)(struct shoe *shoe, const struct card_stack *stack, struct error *error);
    /* Of two decks, the one that people are to put in next, from 1; 0: there is one. NULL: the
       driver asks nobody. */
    void (*want_deck)(struct shoe *shoe, uint8_t deck);
    /* 1, 0 at the deadline, or an error. */
    int (*next)(struct shoe *shoe, struct shoe_event *event, nanos_t deadline, struct error *error);
    /* NULL: nothing is counted. */
    void (*counts)(const struct shoe *shoe, struct shoe_counts *counts);
};

/* First member of every concrete shoe. */
struct shoe {
    struct device device;
};

/*
 * Opens a conversation; "open" is the driver of the open wire protocol. ERROR_CONFIG for a driver
 * or an option that does not exist, ERROR_TIMEOUT when nobody answers. `*shoe` is NULL after a
 * failure. shoe_close() takes NULL.
 */
int shoe_open(struct shoe **shoe, const char *driver, struct link *link, const char *options,
              struct error *error);
void shoe_close(struct shoe *shoe);

/*
 * Requests. Each waits for the device's answer and not for what follows from it, which comes as
 * events. ERROR_DEVICE with device_refusal() not 0: the device refused and nothing has changed.
 * ERROR_CONFIG: the protocol has no such request; device_can() says so beforehand.
 */
int shoe_status(struct shoe *shoe, struct shoe_status *status, struct error *error);
int shoe_lock(struct shoe *shoe, bool on, struct error *error);
int shoe_expect(struct shoe *shoe, unsigned count, struct error *error);
int shoe_clear_error(struct shoe *shoe, uint8_t code, struct error *error);
int shoe_test_mode(struct shoe *shoe, bool on, struct error *error);
/* A new deck with these on top; ERROR_CONFIG unless they are 1 … 52 different cards. */
int shoe_load_order(struct shoe *shoe, const card_t *order, size_t count, struct error *error);
/* Of two decks, which one people are to put in next, from 1; 0: there is one. */
void shoe_want_deck(struct shoe *shoe, uint8_t deck);
/* Has people put in a deck that they have stacked; ERROR_CONFIG unless it has each card once. */
int shoe_stack(struct shoe *shoe, const struct card_stack *stack, struct error *error);

/* The next event: 1, or 0 when none came before the deadline, or an error. */
int shoe_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline, struct error *error);

void shoe_counts(const struct shoe *shoe, struct shoe_counts *counts);

/* An event as the journal has it: its name, and its details as JSON. */
void shoe_describe(const struct shoe_event *event, struct telling *telling);

/* "overdraw", "locked": for sentences and reports. */
const char *shoe_fault_text(unsigned code);
const char *shoe_state_text(unsigned state);

#endif
