/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An emulated shuffler at a table, for tests of the model: a raw host and the requests that bring
 * the device to where a test begins. One table a test program; everything is in virtual time.
 */
#ifndef TESTS_SUPPORT_DEVICES_SHUFFLER_TABLE_H
#define TESTS_SUPPORT_DEVICES_SHUFFLER_TABLE_H

#include "devices/shuffler/open/model.h"
#include "devices/shuffler/open/wire.h"
#include "devices/wire/peer.h"
#include "tests/support/devices/raw_host.h"

#define MILLIS(n) ((n)*NANOS_PER_MILLI)

struct shuffler_table {
    struct model *model;
    struct raw_host host;
};

void shuffler_table_open(struct shuffler_table *table, const char *options);
void shuffler_table_close(struct shuffler_table *table);

/* 0, or the refusal. */
unsigned shuffler_table_ask(struct shuffler_table *table, uint8_t type, const void *payload,
                            size_t size);

/* By STATUS, whose reply is then in host.reply. */
unsigned shuffler_table_state(struct shuffler_table *table);

/* Programs, shuffles and lets it end. */
void shuffler_table_ready(struct shuffler_table *table, const uint8_t program[3]);

/* Flush Rush for six seats: program, shuffle, press, as far as the device lets us. */
void shuffler_table_play(struct shuffler_table *table);

/*
 * Opens a fresh device in that state. Nobody takes its packets unasked, one packet of four is
 * programmed; on the way to an error three packets are, of which the second jams.
 */
void shuffler_table_reach(struct shuffler_table *table, enum shuffler_state state);

/* The cards of the packets that were reported, in a row; returns how many. */
unsigned shuffler_table_dealt(const struct shuffler_table *table, card_t cards[DECK_SIZE]);

#endif
