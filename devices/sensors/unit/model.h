/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of a bet sensor unit with its table: the device's side of "Bet sensors (class 3)" in
 * devices/PROTOCOL.md, a pure state machine on bytes and time. bet_unit_model_new() allocates;
 * whoever gets the model frees it through its ops. The functions below take a model made here.
 */
#ifndef DEVICES_SENSORS_UNIT_MODEL_H
#define DEVICES_SENSORS_UNIT_MODEL_H

#include "hal/base/error.h"
#include "hal/link/model.h"

/*
 * Options are "key=value,key=value": seed=N (1), serial=TEXT, place=MS (0: nobody is there;
 * otherwise a hand comes that often between rounds, places a wager at a random seat or takes the
 * one that it placed there), fault=SPEC (any number of them). NULL with ERROR_CONFIG and a sentence
 * for what is not an option.
 */
struct model *bet_unit_model_new(const char *options, struct error *error);

/*
 * Adds a defect:
 *
 *   stuck-high@seat:N stuck-low@seat:N  the sensor always sees a wager, never sees one
 *   dark@seat:N lit@seat:N              the lamp never lights, never goes out
 *   late@seat:N                         300 ms after the next LOCK with that seat empty a hand
 *                                       places a wager there; once
 *   lift@seat:N                         300 ms after the next LOCK with a wager at that seat a hand
 *                                       takes it; once
 *   kept@seat:N                         a wager stays when its actuator takes it back in a round
 *   misstated@byte:N                    STATUS in a round is wrong: flags, placed, locked (3 to 5)
 *   ends-silently                       the end of test mode is not announced
 *   stays-in-test                       it says that it has left test mode and is still in it
 *   talks                               once its log was read a wager is told that nobody placed
 *   clock-stands clock-back clock-fast clock-slow  the clock of its log: the last two tenfold
 *   rewritten@entry:N                   that entry of the log, from 1, is altered after it was read
 *   wavers@status:N                     that reply to STATUS tells another wager of the last seat
 *   snatched@seat:N                     a hand takes the wager as LOCK comes, which is refused
 *   twitches@seat:N                     the first wager there is told as lifted and placed again
 *   flickers@status:N                   that reply to STATUS has its lamp otherwise than it is
 *   flips@lock:N                        that test mode changes and back again is told and logged
 *                                       after that LOCK
 *   unlogged@entry:N                    that entry of the log, from 1, is never written
 *   unplug@frames:N                     gone from the bus after that many of the host's
 *
 * ERROR_CONFIG for anything else.
 */
int bet_unit_model_fault(struct model *model, const char *spec, struct error *error);

/* A hand places a wager at a seat, or takes all that lies there. */
void bet_unit_model_hand(struct model *model, unsigned seat, bool places, nanos_t now);

/* Power gone and back at once; only what the device keeps in non-volatile memory is left. What lies
 * on the felt stays. */
void bet_unit_model_power_cycle(struct model *model, nanos_t now);

#endif
