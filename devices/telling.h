/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device said, as the journal has it: the name of the event (rigs/JOURNAL.md lists them) and
 * its details as JSON. A plain value that the caller owns; each class fills one of its events in.
 */
#ifndef DEVICES_TELLING_H
#define DEVICES_TELLING_H

#include "games/card.h"
#include "hal/base/json_text.h"

#define TELLING_SIZE 1024

struct telling {
    const char *name;
    struct json_text text;
    char buffer[TELLING_SIZE];
};

/* Starts one; what is put into the text that it returns are the details. */
struct json_text *telling_begin(struct telling *telling, const char *name);

/* The details, or NULL when there are none or too many. */
const char *telling_details(struct telling *telling);

/* The whole of it where the details are one value. */
void telling_plain(struct telling *telling, const char *name);
void telling_number(struct telling *telling, const char *name, uint64_t number);
void telling_text(struct telling *telling, const char *name, const char *words);
void telling_truth(struct telling *telling, const char *name, bool is_so);
void telling_seats(struct telling *telling, const char *name, unsigned seats);

/* Members of an object, each with the text before its value: `{"seat":`. */
void telling_put_number(struct json_text *text, const char *key, uint64_t number);
void telling_put_text(struct json_text *text, const char *key, const char *words);
void telling_put_truth(struct json_text *text, bool is_so);
/* Who read the cards before it, NULL for the device itself, and whether that was but a nod. */
void telling_put_witness(struct json_text *text, const char *witness, bool is_nodded);
void telling_put_cards(struct json_text *text, const card_t *cards, unsigned count);

#endif
