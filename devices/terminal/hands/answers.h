/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people answer about a terminal: amounts, seats, awards, as they read them off it. */
#ifndef DEVICES_TERMINAL_HANDS_ANSWERS_H
#define DEVICES_TERMINAL_HANDS_ANSWERS_H

#include "devices/terminal/terminal.h"

/*
 * "150", "$10,000.10" as millionths of a dollar, and the unit of the last digit: a display shows a
 * meter no more exactly. NULL unless the text begins with an amount; otherwise what follows it.
 */
const char *hands_dollars(const char *text, uint64_t *micros, uint64_t *unit);

/* "1 4", "1,4" or "none" as a set. ERROR_CONFIG with a sentence. */
int hands_seats(const char *text, uint8_t *seats, struct error *error);

/* One amount in whole cents and nothing else; or "none", which is 0. Likewise. */
int hands_cents(const char *text, uint64_t *cents, struct error *error);

/* "3 150.00", a seat and an amount, or "none": seat 0. Likewise. */
int hands_award(const char *text, struct terminal_sign *sign, struct error *error);

/* So many amounts, in the order of the meters, whose names are the caller's. Likewise. */
int hands_meters(const char *text, unsigned count, struct terminal_meters *meters,
                 struct error *error);

#endif
