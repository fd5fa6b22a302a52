/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mechanics of the emulated shuffler, below its wire: the deck, what moves and for how long,
 * faults, the memory that survives a power loss. The machine tells what happens through the peer,
 * which it owns. Used by the model alone; nothing here allocates.
 */
#ifndef DEVICES_SHUFFLER_OPEN_MACHINE_H
#define DEVICES_SHUFFLER_OPEN_MACHINE_H

#include "devices/deck/shuffle.h"
#include "devices/shuffler/open/defect.h"
#include "devices/shuffler/open/wire.h"
#include "devices/wire/log.h"
#include "devices/wire/peer.h"

#define MACHINE_LOG_ENTRIES 1024 /* the oldest are overwritten */

struct machine_program {
    uint8_t game;    /* enum shuffler_game */
    uint8_t packets; /* that follow each other; 0: not programmed yet */
    uint8_t draws;   /* single cards after them, one a press */
    uint8_t sizes[DECK_SIZE];
};

/* Non-volatile: what a power loss leaves as it was. */
struct machine_memory {
    uint8_t state;  /* enum shuffler_state */
    uint8_t resume; /* where the error came from, and where clearing it leads */
    uint8_t error;  /* enum shuffler_fault */
    bool test_mode;
    bool has_order; /* loaded for the next shuffle; only in test mode */
    uint32_t shuffle;
    struct machine_program program;
    uint8_t presented, taken, dealt;
    uint8_t exit_size; /* of what lies at the exit */
    card_t exit[DECK_SIZE];
    card_t deck[DECK_SIZE];
    card_t order[DECK_SIZE];
    uint8_t decks;           /* that take turns: 1 or 2 */
    uint8_t deck_id;         /* of the one that is in, 1 or 2 */
    card_t other[DECK_SIZE]; /* the one on the table, as it was dealt */
    uint64_t exchanged;      /* set of cards that lie in the other's deck */
    struct shuffle how;
    uint32_t logged;
    struct log_chain chain; /* where version 2 is spoken */
    struct log_entry log[MACHINE_LOG_ENTRIES];
};

struct shuffler_machine {
    struct machine_memory memory;
    struct peer peer;
    nanos_t due; /* when what moves has arrived, a hand takes the packet, or the power is back */
    bool is_off;
    /* The world around the device. */
    nanos_t shuffle_time, deal_time, take_time; /* take_time 0: nobody takes unasked */
    nanos_t closes_at;                          /* the door or the cover that stands open */
    card_t (*recording)[DECK_SIZE];             /* orders for shuffles in test mode; the model's */
    size_t recorded, played;
    struct defects defects; /* kinds are enum shuffler_defect */
    unsigned told;          /* events, for the defects that count them */
    uint32_t stated;        /* replies to STATUS */
    bool is_early;          /* the packet that comes next was told already */
};

/* Does everything that became due until now, each thing at its own time. */
void shuffler_machine_step(struct shuffler_machine *machine, nanos_t now);

/* The caller has looked whether the state allows it. */
void shuffler_machine_shuffle(struct shuffler_machine *machine, nanos_t now);
void shuffler_machine_deal(struct shuffler_machine *machine, nanos_t now);
void shuffler_machine_return(struct shuffler_machine *machine);
void shuffler_machine_take(struct shuffler_machine *machine, nanos_t now);
void shuffler_machine_clear(struct shuffler_machine *machine, nanos_t now);
void shuffler_machine_set_test_mode(struct shuffler_machine *machine, bool on, nanos_t now);

void shuffler_machine_power_off(struct shuffler_machine *machine, nanos_t back_at);
void shuffler_machine_power_on(struct shuffler_machine *machine, nanos_t now);

/* The deck that a card in the machine is of, by its back; 0 where there is one deck. */
uint8_t shuffler_machine_back(const struct shuffler_machine *machine, card_t card);

/* The number of the deck that is in, as version 2 tells it; 0 where there is one. */
uint8_t shuffler_machine_deck(const struct shuffler_machine *machine);

/* The flags byte of HELLO and STATUS. */
uint8_t shuffler_machine_flags(struct shuffler_machine *machine);

void shuffler_machine_tell(struct shuffler_machine *machine, uint8_t type, const void *payload,
                           size_t size, nanos_t now);
void shuffler_machine_log(struct shuffler_machine *machine, uint8_t code, uint8_t detail,
                          unsigned value, nanos_t now);

/* Answers of the device, with the machine as their context. */
extern const struct peer_ops shuffler_machine_peer_ops;

/* The green button; 0, or the refusal with which nothing came of it. */
unsigned shuffler_machine_press(struct shuffler_machine *machine, bool by_hand, nanos_t now);

#endif
