/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of the shuffler: the device's side of devices/PROTOCOL.md, a pure state machine on bytes
 * and time. shuffler_model_new() allocates; whoever gets the model frees it through its ops. The
 * functions below stand for what happens to a device on a table: hands that take packets and press
 * the button, power that goes, defects. All of them take a model made here.
 */
#ifndef DEVICES_SHUFFLER_OPEN_MODEL_H
#define DEVICES_SHUFFLER_OPEN_MODEL_H

#include "games/card.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

/*
 * Options are "key=value,key=value": seed=N (1), shuffle=MS (20000), shuffle=METHOD (uniform;
 * devices/SHUFFLES.md), deal=MS (300), take=MS (500; 0: only by shuffler_model_take()),
 * decks=1|2 that take turns (1), serial=TEXT, protocol=1|2: the highest version that it knows (1),
 * shuffles=N made before (0), fault=SPEC (any number of them). NULL with
 * ERROR_CONFIG and a sentence for what is not an option.
 */
struct model *shuffler_model_new(const char *options, struct error *error);

/*
 * Adds a defect, which shows once. Packets and cards count from 1 in each round, shuffles from 1
 * since the device was made, frames are those of the host:
 *
 *   jam@packet:N misread@card:N door@packet:N power@packet:N cover@shuffle:N
 *   missing@shuffle:N extra@shuffle:N duplicate@shuffle:N unplug@frames:N
 *   reboot@packet:N               loses its power while the packet is at the exit
 *   slow@packet:N                 takes ten times as long for it
 *
 * and devices that lie, to try what looks for it:
 *
 *   short@packet:N long@packet:N  a card less, a card more than programmed
 *   wrong@card:N                  another card than the deck's order has there
 *   twice@card:N                  the round's first card again (N from 2)
 *   leak@packet:N                 the next packet's first card as a trailing byte
 *   whisper@packet:N              the next packet's cards in an event that does not exist
 *   silent-test                   test mode is never announced
 *   swap@packet:N                 it changes places with the next one, if that has its size
 *   reversed@packet:N             its cards, bottom first
 *   lose@packet:N                 the card below it is gone, and nobody is told
 *   early@packet:N                told before the button is pressed for it: the first or a draw
 *   more@packet:N                 after it a single card comes that nobody asked for: the last
 *   slip@packet:N                 its first card in the reply to the button that starts it
 *   mumble@packet:N               the next packet's cards in a reply that nobody asked for
 *   garble@packet:N               the same in a frame with a wrong CRC
 *   stammer@packet:N              PACKET PRESENT is sent twice at once
 *   crowd@packet:N                an event more, the same one, before that is acknowledged
 *   boast@packet:N                with N packets presented LOG counts an entry too many
 *   misaddress@packet:N           the next reply has another number first
 *   unflagged@packet:N            it comes without the flag of test mode
 *   unannounced                   test mode has its flags, but its event never comes
 *   unlogged@packet:N             it is not in the log
 *   mislogged@packet:N            the log has it with a card more
 *   misnumbered@shuffle:N         SHUFFLED tells the number of the next shuffle
 *   miscount@packet:N             STATUS counts a packet less once the packet was taken
 *   misstated@byte:N              the byte of STATUS is one more once all packets were taken
 *   phantom@packet:N              the button is told after it, which nobody pressed nor logged
 *   unlogged-mode                 TEST MODE is not in the log
 *   forgets@shuffle:N             loses its power in the middle of it, and is idle then
 *   stays-in-test                 it says that it has left test mode and is still in it
 *   renamed@shuffle:N             from then on its serial number is another one
 *   ends-silently                 the end of test mode is not announced
 *   parts@way:N                   with the end of test mode 1 it is told on and off again, 2 POWER
 *                                 UP is told, 3 a shuffle is counted, 4 it is told twice; the log
 *                                 has none of it
 *   talks                         once its log was read the button is told, which nobody pressed
 *   clock-stands clock-back clock-fast clock-slow  the clock of its log: the last two tenfold
 *   rewritten@entry:N             that entry of the log, from 1, is altered after it was read
 *   wavers@status:N               that reply to STATUS has a packet more programmed
 *   same-deck@shuffle:N           of two decks it takes the one that was dealt last (N from 2)
 *   stray@card:N                  of two decks: the card is of the other one, and goes on to be
 *   misdecked@packet:N            in version 2 it is told as one of the other deck
 *   misloaded@shuffle:N           in version 2 LOAD ORDER is answered for the other deck
 *   forged                        with its power back the first entry of its log is another one,
 *                                 and the digest fits
 *   gossips@packet:N              in version 2 an event of a vendor has the cards below it, sorted
 *   flips@packet:N                test mode changes after it and back again, told and logged
 *   retells@packet:N              test mode is told and logged after it, though it has not changed
 *   skip@event:N                  the event's number is one too high (N from 1 since it was made)
 *
 * and those of devices/wire/peer.h, which show in version 2.
 *
 * ERROR_CONFIG for anything else, and for more than DEFECTS_MAX of them.
 */
int shuffler_model_fault(struct model *model, const char *spec, struct error *error);

/* Whether any defect has made a difference yet. */
bool shuffler_model_has_shown(const struct model *model);

/*
 * Appends the order of one more shuffle, for playing a recording: `count` cards from the top, the
 * rest of the deck below them as the generator has it. Puts the device into test mode, which it
 * announces. Shuffles after the last order are random. ERROR_CONFIG for what is not a card or comes
 * twice, ERROR_RIG when out of memory.
 */
int shuffler_model_load(struct model *model, const card_t *top, size_t count, nanos_t now,
                        struct error *error);

/* Power gone and back at once; only what the device keeps in non-volatile memory is left. */
void shuffler_model_power_cycle(struct model *model, nanos_t now);

/* A hand takes the packet from the exit; false when there is none. */
bool shuffler_model_take(struct model *model, nanos_t now);

/* A finger presses the green button; 0, or the enum wire_refusal with which nothing came of it. */
unsigned shuffler_model_press(struct model *model, nanos_t now);

#endif
