/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table's side of the bet sensors, on an emulated chip (hal/pins/emulated_pins.h): sensors that
 * see chips, actuators that place them, lamps and the photodiodes before them, and hands that
 * meddle. The model makes its chip and owns it; it is freed after the pins on it are closed and
 * before its hal is. A hal without memory for what happens later loses it, and the sensor then
 * looks stuck.
 */
#ifndef DEVICES_SENSORS_PINS_MODEL_H
#define DEVICES_SENSORS_PINS_MODEL_H

#include <stdbool.h>

#include "hal/base/error.h"
#include "hal/pins/emulated_pins.h"

struct bet_sensor_model; /* begins with a struct model */

/*
 * A table that pins open as "emu:NAME", with lines bet1 light1 chip1 lamp1 bet2 … up to its last
 * seat. Options are "key=value,key=value":
 *
 *   seats=N (7)         travel=MS (40)  from an actuator's command to the chip on the felt
 *   glow=MS (5)         from a lamp's command to what its photodiode sees
 *   bounce=MS (8)       how long the contacts of bounce@seat:N bounce
 *   hand=MS (300)       from the lamps of START ROUND to the hand of late and lift
 *   boot=MS (50)        how long a power cycle leaves sensors and lamps dead
 *   seed=N (1)          of the bouncing
 *   active-low=LINES    bet, light, chip, lamp, joined by '+'; the others are active high
 *   fault=SPEC          as for bet_sensor_model_fault(), any number of them
 *
 * ERROR_CONFIG with a sentence for anything else, or when the name is taken.
 */
int bet_sensor_model_new(struct bet_sensor_model **model, struct hal *hal, const char *name,
                         const char *options, struct error *error);
void bet_sensor_model_free(struct bet_sensor_model *model);

/*
 *   stuck-high@seat:N stuck-low@seat:N  the sensor always sees a wager, never sees one
 *   dark@seat:N lit@seat:N              the lamp never lights, never goes out
 *   bounce@seat:N                       the sensor's contacts bounce
 *   late@seat:N                         a hand places a wager after the next START ROUND
 *   lift@seat:N                         a hand takes the wager after the next START ROUND
 *   kept@seat:N                         a wager stays when its actuator takes it back in a round
 *   ghost@seat:N                        a wager is seen for 30 ms while others are placed
 *
 * The table takes the first lamp that lights as START ROUND, the last one that goes out as its end;
 * then a late wager is given back. Late, lift and ghost show once; the others stay. ERROR_CONFIG
 * for anything else.
 */
int bet_sensor_model_fault(struct bet_sensor_model *model, const char *spec, struct error *error);

/* Whether any of them has made a difference yet. */
bool bet_sensor_model_has_shown(const struct bet_sensor_model *model);

/* All faults are gone, and the lines show what is there. */
void bet_sensor_model_mend(struct bet_sensor_model *model);

/* At that time a hand places a wager on a seat, or takes all that lies there. */
void bet_sensor_model_hand(struct bet_sensor_model *model, unsigned seat, bool places,
                           nanos_t time);

/* Power gone and back after the time to boot. What lies on the felt stays; nothing is remembered.
 */
void bet_sensor_model_power_cycle(struct bet_sensor_model *model, nanos_t now);

/* The chip, to lose its edges or tear it out. */
struct emulated_chip *bet_sensor_model_chip(struct bet_sensor_model *model);

#endif
