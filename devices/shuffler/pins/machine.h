/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the emulated machine, whose options and faults devices/shuffler/pins/model.h lists:
 * how its cards move, and what the people around it do, who set its program at its panel, put the
 * deck in, take each packet and look at its cards.
 */
#ifndef DEVICES_SHUFFLER_PINS_MACHINE_H
#define DEVICES_SHUFFLER_PINS_MACHINE_H

#include "devices/deck/shuffle.h"
#include "devices/shuffler/pins/press.h"
#include "devices/shuffler/shuffler.h"
#include "devices/wire/defects.h"
#include "hal/link/model.h"
#include "hal/pins/emulated_pins.h"

extern const struct defect_table plain_shuffler_defects;

#define PACKETS_ROOM (SHUFFLER_PACKETS_MAX + 1) /* one more than was asked for */

struct packet {
    nanos_t at; /* the exit from then on */
    unsigned count;
    card_t cards[DECK_SIZE];
};

struct plain_shuffler {
    struct model model;
    struct hal *hal;
    struct emulated_chip *chip;
    nanos_t shuffle_time, deal_time, take_time, clear_time, least;
    enum plain_press press;
    unsigned active_low;
    struct defects defects;
    struct shuffle_method method;
    uint64_t seed;
    struct shuffle shuffle;
    card_t deck[DECK_SIZE];
    struct shuffler_program program;
    bool has_deck;    /* put in, and nothing dealt of it */
    bool is_ordered;  /* it is left as it is */
    bool is_shuffled; /* and nothing dealt */
    uint32_t shuffles, presses;
    nanos_t pressed; /* the button, since then; NEVER: it is not */
    nanos_t idle;    /* from then on the machine takes a press; NEVER: it is stuck */
    nanos_t ready;   /* when the deck is told as shuffled */
    unsigned used;   /* cards of the deck that were dealt */
    unsigned number; /* of the packets that were made since the shuffle */
    unsigned packet_count;
    struct packet packets[PACKETS_ROOM];
};

/* The machine behind the pins of this hal, whose people do what is asked of people; NULL: none. */
struct plain_shuffler *plain_shuffler_at(const struct hal *hal);

/* Somebody sets the program at the panel; for the next deal. */
void plain_shuffler_program(struct plain_shuffler *model, const struct shuffler_program *program);

/*
 * Somebody puts the deck in, in this order, which the machine is to leave; NULL: as it came.
 * Returns when it will be shuffled; NEVER where that takes a press.
 */
nanos_t plain_shuffler_give_deck(struct plain_shuffler *model, const card_t *order);

/* Somebody looks at the packet that came to the exit last until now: how many cards it has. */
unsigned plain_shuffler_look(struct plain_shuffler *model, card_t cards[DECK_SIZE]);

/* Drives a line from that time on; out of memory it stays as it is, and the machine looks dead. */
void plain_shuffler_drive(struct plain_shuffler *model, enum shuffler_line line, bool on,
                          nanos_t time);

/* The watcher of its chip. */
void plain_shuffler_changed(void *context, unsigned line, bool level, nanos_t time);

#endif
