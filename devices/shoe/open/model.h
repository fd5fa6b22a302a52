/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of a dealing shoe: the device's side of "Shoe (class 2)" in devices/PROTOCOL.md, a pure
 * state machine on bytes and time. shoe_model_new() allocates; whoever gets the model frees it
 * through its ops. The functions below stand for what happens to a shoe on a table: a hand that
 * draws or puts a deck in, power that goes, defects. All of them take a model made here.
 */
#ifndef DEVICES_SHOE_OPEN_MODEL_H
#define DEVICES_SHOE_OPEN_MODEL_H

#include "games/card.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

/*
 * Options are "key=value,key=value": seed=N (1), draw=MS (0: only by shoe_model_draw(); otherwise a
 * hand draws a card that often while the shoe is unlocked), refill=MS (0: only by
 * shoe_model_refill(); otherwise a hand puts a new deck in when the shoe has been locked that long
 * and cards are missing), cut=N (0: no cut card; otherwise it lies below N cards), serial=TEXT,
 * fault=SPEC (any number of them). NULL with ERROR_CONFIG and a sentence for what is not an option.
 * The shoe is locked at first.
 */
struct model *shoe_model_new(const char *options, struct error *error);

/*
 * Adds a defect, which shows once. Cards count from 1 in each deck, frames are those of the host:
 *
 *   misread@card:N    it cannot be read: an error in its place; cleared, it is drawn again
 *   jam@card:N        it does not come out: the same
 *   reverse@card:N    it is pushed back at the exit: the same
 *   overdraw@card:N   a second card comes with it and is put back: an error after it
 *   repeat@card:N     its report is sent twice at once
 *   lost-ack@card:N   its acknowledgement is lost, so that it is reported again
 *   unplug@frames:N   the cable is torn
 *   power@card:N      the power is lost after it
 *
 * and shoes that lie, to try what looks for it:
 *
 *   wrong@card:N      another card than the order has there
 *   twice@card:N      the deck's first card again (N from 2)
 *   swap@card:N       it changes places with the next one
 *   sneak@card:N      locked after it, the shoe lets another card out
 *   smuggle@card:N    the same, but the card comes without its flag
 *   new-deck@card:N   another deck goes in after it
 *   misstated@byte:N  the byte of STATUS is one more once cards were drawn and the shoe is locked
 *   misnumbered@deck:N    STAND BY tells the number of the next deck
 *   ends-silently     the end of test mode is not announced
 *   talks             once its log was read a card is drawn although it is locked
 *   stirs             the same once it was asked where its log ends
 *   clock-stands clock-back clock-fast clock-slow  the clock of its log: the last two tenfold
 *   rewritten@entry:N that entry of the log, from 1, is altered after it was read
 *   flips@card:N      that test mode changes and back again is told and logged after it
 *   wavers@status:N   that reply to STATUS has the number of the next deck
 *   unlogged-deck@deck:N  STAND BY is not in the log
 *   false-lock@card:N     LOCK CHANGED after the card says the contrary, and so does the log
 *   lose@card:N       the card after it is gone, and nobody is told
 *   whisper@card:N    the next card in an event that does not exist
 *   unflagged@card:N  it comes without the flags of test mode
 *   unlogged@card:N   it is not in the log
 *   mislogged@card:N  the log has another card in its place
 *   skip@card:N       the number of its event is one too high
 *
 * Those of events, flags and the log are of this protocol alone; an Angel Eye does not show them.
 * ERROR_CONFIG for anything else; at most 16 at a time.
 */
int shoe_model_fault(struct model *model, const char *spec, struct error *error);

/* Whether any defect has made a difference yet. Both are of any shoe: devices/shoe/mechanics.h. */
bool shoe_model_has_shown(const struct model *model);

/*
 * Appends the order of one more deck, for playing a recording: `count` cards from the top, the rest
 * of the deck below them as the generator has it. Puts the device into test mode, which it
 * announces; the first order goes in at once if nothing was drawn yet. ERROR_CONFIG for what is not
 * a card or comes twice, ERROR_RIG when out of memory.
 */
int shoe_model_load(struct model *model, const card_t *top, size_t count, nanos_t now,
                    struct error *error);

/* A hand draws a card, locked or not; false when the deck is used up or nobody listens. */
bool shoe_model_draw(struct model *model, nanos_t now);

/* A hand puts the next deck in, whatever is left of the last one. */
void shoe_model_refill(struct model *model, nanos_t now);

/* Power gone and back at once; only what the device keeps in non-volatile memory is left. */
void shoe_model_power_cycle(struct model *model, nanos_t now);

#endif
