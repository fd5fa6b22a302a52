/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shuffler with a green button, an exit and no data port, on an emulated chip
 * (hal/pins/emulated_pins.h), and the people around it: who sets its program at its panel, puts the
 * deck in, takes each packet and looks at its cards. The model makes its chip and owns it; it is
 * freed after the pins on it are closed and before its hal is.
 */
#ifndef DEVICES_SHUFFLER_PINS_MODEL_H
#define DEVICES_SHUFFLER_PINS_MODEL_H

#include "hal/base/error.h"
#include "hal/pins/emulated_pins.h"

struct plain_shuffler; /* begins with a struct model */

/*
 * A machine that pins open as "emu:NAME", with the lines button exit ready jam door. Options are
 * "key=value,key=value":
 *
 *   shuffle=MS (20000)   from the button to the shuffled deck
 *   shuffle=METHOD       uniform (devices/SHUFFLES.md)
 *   deal=MS (300)        from the shuffled deck, the packet before or the button to the packet
 *   take=MS (500)        so long a packet lies at the exit; 0: nobody takes it
 *   clear=MS (2000)      so long a jam or a door is seen; 0: for ever
 *   least=MS (30)        a shorter press is none
 *   press=WHAT           what a press does, as the option of the driver says it
 *   seed=N (1)           of the shuffles
 *   active-low=LINES     button, exit, ready, jam, door, joined by '+'; the others are active high
 *   fault=SPEC           any number of them:
 *
 *   jam@packet:N door@packet:N   before that packet
 *   slow@packet:N                it takes ten times as long
 *   late@shuffle:N               likewise
 *   deaf@press:N                 nothing comes of that press
 *   restless@shuffle:N           the deck is told as shuffled a second time, after the last packet
 *   stops@packet:N               it never comes, nor do those after it
 *   more@packet:N                after it a packet of one card comes that nobody asked for
 *   early@packet:N               it comes before the deck is told as shuffled: the first one
 *   held@packet:N                the exit still sees it when it was taken
 *   blind@packet:N               the exit does not see it
 *   blink@packet:N               the exit does not see it for 100 ms while it lies there
 *   bounce                       the contact of the exit bounces for 8 ms
 *   short@packet:N long@packet:N a card less, a card more than programmed
 *   swap@packet:N                it changes places with the next one, if that has its size
 *   wrong@card:N                 another card than the deck has there: one from the bottom
 *   twice@card:N                 the first card of the round again (N from 2)
 *
 * Packets, cards and presses count from 1 since the shuffle, shuffles since the machine was made;
 * each shows once. ERROR_CONFIG with a sentence for anything else, or when the name is taken.
 */
int plain_shuffler_new(struct plain_shuffler **model, struct hal *hal, const char *name,
                       const char *options, struct error *error);
void plain_shuffler_free(struct plain_shuffler *model);

int plain_shuffler_fault(struct plain_shuffler *model, const char *spec, struct error *error);
bool plain_shuffler_has_shown(const struct plain_shuffler *model);

/* The chip, to lose its edges or tear it out. */
struct emulated_chip *plain_shuffler_chip(struct plain_shuffler *model);

#endif
