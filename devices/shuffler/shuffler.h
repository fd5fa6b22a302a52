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
 *
 * Not every machine can be told or asked everything. What its driver has no slot for is either left
 * to the machine and to people (they say so below), or it is ERROR_CONFIG and device_can() says so
 * beforehand.
 */
#ifndef DEVICES_SHUFFLER_SHUFFLER_H
#define DEVICES_SHUFFLER_SHUFFLER_H

#include "devices/cards/stack.h"
#include "devices/device.h"
#include "devices/telling.h"
#include "games/card.h"
#include "hal/pins/pins.h"

#define SHUFFLER_PACKETS_MAX DECK_SIZE

/* The lines of a machine that is on pins. */
enum shuffler_line {
    SHUFFLER_LINE_BUTTON, /* output: presses the green button */
    SHUFFLER_LINE_EXIT,   /* input: a packet lies at the exit */
    SHUFFLER_LINE_READY,  /* input: the deck is shuffled */
    SHUFFLER_LINE_JAM,    /* input: cards are jammed */
    SHUFFLER_LINE_DOOR,   /* input: a door is open */
    SHUFFLER_LINES,
};

/* "button", "exit", "ready", "jam", "door". */
extern const char *const shuffler_line_names[SHUFFLER_LINES];

/* What a driver on pins is told of them, as setup of its connection. */
struct shuffler_setup {
    const char *lines[SHUFFLER_LINES]; /* names or offsets; NULL: there is no such line */
    uint32_t debounce_us;              /* of the inputs */
    uint32_t press_ms;                 /* so long the button is pressed */
    enum pin_bias bias;                /* of the inputs */
    unsigned active_low;               /* set of enum shuffler_line */
};

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
    uint32_t shuffle;         /* number of the last one; they count from 1 and go round */
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
            uint32_t number;
            uint8_t deck;        /* of two, that was shuffled, from 1; 0: nobody says it */
            uint8_t loaded_deck; /* that LOAD ORDER was answered for; 0: nobody says it */
            bool loaded; /* the order was given: it was loaded, or people have stacked the deck */
            nanos_t started; /* when, if people put the deck in first; 0: when it was asked for */
        } shuffled;
        struct {
            uint8_t index;       /* counts from 0 since the shuffle */
            uint8_t size;        /* cards that the device says it dealt; 0: see is_unknown */
            uint8_t programmed;  /* cards that it was told to deal; 0: the program is not known */
            bool is_unknown;     /* nobody knows its cards, nor how many they are */
            bool is_nodded;      /* confirmed as recorded by somebody who did not read them out */
            const char *witness; /* who read the cards: "operator"; NULL: the device */
            card_t cards[DECK_SIZE]; /* top first; all valid, none twice unless a witness says so */
            uint8_t backs[DECK_SIZE]; /* the deck that each is of, from 1; 0: nobody says it */
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
    /* NULL unless it tells its status. */
    int (*status)(struct shuffler *shuffler, struct shuffler_status *status, struct error *error);
    /* Whether the protocol, in that version where it has several, can say such a program; `address`
       is for the sentence of ERROR_CONFIG. NULL: there is none that it could not deal. */
    int (*can_program)(const struct shuffler_program *program, const char *address,
                       unsigned version, struct error *error);
    /* The program is possible with one deck. ERROR_CONFIG when the protocol cannot say it. NULL: it
       is not told, and deals as it was set up at the machine. */
    int (*program)(struct shuffler *shuffler, const struct shuffler_program *program,
                   struct error *error);
    int (*shuffle)(struct shuffler *shuffler, struct error *error);
    int (*press)(struct shuffler *shuffler, struct error *error);
    /* NULL: nothing is to be told; people put the deck back, or the next shuffle takes it. */
    int (*return_deck)(struct shuffler *shuffler, struct error *error);
    /* NULL unless it has a test mode; NULL unless it loads an order, which holds each card once. */
    int (*test_mode)(struct shuffler *shuffler, bool on, struct error *error);
    int (*load_order)(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                      struct error *error);
    /* NULL unless its deck is stacked. */
    int (*stack)(struct shuffler *shuffler, const struct card_stack *stack, struct error *error);
    /* Of two decks, the one that people are to put in for the next shuffle, from 1. NULL: they are
       not asked, and the machine takes its decks in turn. */
    void (*want_deck)(struct shuffler *shuffler, uint8_t deck);
    /* NULL: people clear it at the machine, and it goes on by itself. */
    int (*clear_error)(struct shuffler *shuffler, enum shuffler_fault code, struct error *error);
    /* NULL unless it is on pins: as shuffler_look(). */
    int (*lines)(struct shuffler *shuffler, unsigned *has, unsigned *on, struct error *error);
    /* 1, 0 at the deadline, or an error. The event is zero: what is not known is left so. */
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
 * Whether a shuffler of that driver could be given such a program, asked before there is one, in
 * that version of its protocol or, with 0, in any; the sentence names the address. ERROR_CONFIG as
 * of shuffler_program().
 */
int shuffler_can_program(const char *driver, const char *address, unsigned version,
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
/* Has people stack the deck for the next shuffle, which leaves it so; likewise. */
int shuffler_stack(struct shuffler *shuffler, const struct card_stack *stack, struct error *error);
/* Of two decks, which one people are asked for; false: nobody is, the machine takes them in turn.
 */
bool shuffler_want_deck(struct shuffler *shuffler, uint8_t deck);
int shuffler_clear_error(struct shuffler *shuffler, enum shuffler_fault code, struct error *error);

/* Which lines a machine on pins has and which of its inputs are on now, as sets of enum
   shuffler_line; on any other there are none. */
int shuffler_look(struct shuffler *shuffler, unsigned *has, unsigned *on, struct error *error);

/* The next event: 1, or 0 when none came before the deadline, or an error. */
int shuffler_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                  struct error *error);

/* An event as the journal has it: its name, and its details as JSON. */
void shuffler_describe(const struct shuffler_event *event, struct telling *telling);

/*
 * Whether a shuffle may have that number after the last one: each is one more, modulo 65536, or
 * 2^32 where numbers are wide, and whether decks that were refused meanwhile had one is open.
 */
bool shuffler_number_follows(unsigned number, unsigned last, unsigned refused, bool is_wide);

/* How people name the faults, in their order from SHUFFLER_JAM on, and a NULL. */
extern const char *const shuffler_fault_words[SHUFFLER_FAULTS];

/* "jam", "packet dealing": for sentences and reports. */
const char *shuffler_fault_text(unsigned code);
const char *shuffler_state_text(unsigned state);

#endif
