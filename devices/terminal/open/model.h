/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of the dealer terminal with its progressive controller and table sign: the device's side
 * of devices/PROTOCOL.md, a pure state machine on bytes and time. terminal_model_new() allocates;
 * whoever gets the model frees it through its ops. The functions below take a model made here.
 */
#ifndef DEVICES_TERMINAL_OPEN_MODEL_H
#define DEVICES_TERMINAL_OPEN_MODEL_H

#include "devices/terminal/config.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

/*
 * Options are "key=value,key=value": seed=N (1), code=DIGITS (4711), admin=DIGITS (86420),
 * serial=TEXT, preset=stax|three-card-catch (stax), awards=N paid before (0), history=1 (it has
 * paid the first meter once and ended a round of seats 1 and 2 since), configure=keeps|resets
 * (keeps) counts of rounds and awards and the sign, chatty=1 (tells also what has not changed:
 * everything after CONFIGURE, meters and lights twice at END ROUND), protocol=1|2: the highest
 * version that it knows (1), fault=SPEC (any number of them). NULL with ERROR_CONFIG and a sentence
 * for what is not an option.
 */
struct model *terminal_model_new(const char *options, struct error *error);

/*
 * Adds a defect. Rounds, jackpots, keys and events count from 1 since the device was made, frames
 * are those of the host:
 *
 *   unplug@frames:N         gone from the bus after that many
 *   power@key:N             loses its power when the key has done its work, before it is answered
 *
 * and devices that lie, to try what looks for it:
 *
 *   dark@seat:N lit@seat:N  a light that is never, or always, lit
 *   wrong-meter@round:N     END ROUND adds a cent too much to the first meter
 *   no-contribution@round:N END ROUND adds nothing
 *   by-sensors@round:N      END ROUND adds for the wagers on the sensors then, not for the locked
 *   wrong-sign@jackpot:N    the sign shows a dollar more than is paid
 *   early-amount            the amount is on the wire before the code was entered
 *   early-sign@jackpot:N    the sign shows what is to be paid as soon as the hand is chosen
 *   flicker@round:N         the lights of a seat go out and on again before END ROUND
 *   late-must-hit           the Must Hit meter is let past its ceiling
 *   stranger-must-hit       Must Hit goes to a seat without a wager
 *   lowest-must-hit         Must Hit always goes to the lowest of the seats
 *   eager-must-hit          it is paid in every round
 *   ceiling-must-hit        it is paid only when the meter has passed its ceiling
 *   accepts@key:N           says that it accepted a key which it refuses
 *   refuses@key:N           refuses a key that is possible, and does nothing
 *   left-lit@round:N        the lights stay lit after CANCEL or END ROUND
 *   goes-dark@round:N       the lights go out, untold, when the first seat is chosen
 *   false-lights@round:N    LIGHTS CHANGED at START ROUND tells one seat less than is lit
 *   micro@round:N           END ROUND adds a millionth too much to the last meter
 *   false-meters@round:N    METERS CHANGED tells the last meter a millionth wrong
 *   false-step@round:N      METERS CHANGED tells a wrong value first, and then the right one
 *   cancel-adds@round:N     CANCEL ROUND adds the contributions
 *   wrong-seat@jackpot:N    the sign shows another seat
 *   sign-stays@jackpot:N    the sign still shows it after OK
 *   false-sign@round:N      the sign shows seat 1 a dollar that nobody won
 *   wrong-award@jackpot:N   JACKPOT PAID tells a dollar less than is paid
 *   two-seats@jackpot:N     another seat is told to be paid as well, at END ROUND
 *   wrong-ledger@jackpot:N  the ledger has a cent less than was paid
 *   false-before@jackpot:N  the ledger has the meter a millionth higher before the award
 *   false-after@jackpot:N   the ledger has the meter a millionth higher after the award
 *   false-hand@jackpot:N    the ledger has another hand than was paid
 *   silent-test             test mode is never announced
 *   ends-silently           the end of test mode is not announced
 *   sign-flickers@jackpot:N SIGN CHANGED tells it, then none, then the same again
 *   fidgets@way:N           with CONFIGURE 1 a key is told as refused, 2 seat 1 as lit, 3 an award
 *                           on the sign that it does not show, 4 the screen as open, then idle
 *   parts@way:N             with the end of test mode 1 a key is told as refused, 2 test mode on
 *                           and off again, 3 a round is counted, 4 a meter has a millionth more
 *   talks                   once its log was read an award is told that nobody made
 *   clock-stands clock-back clock-fast clock-slow  the clock of its log: the last two tenfold
 *   rewritten@entry:N       that entry of the log, from 1, is altered after it was read
 *   ledger-stands           the times of the ledger stand still
 *   wavers@status:N         that reply to STATUS has seat 4 locked, or not, otherwise than it is
 *   unlogged@key:N          nothing that the key does is logged
 *   mislogged@key:N         what the key does is logged of another seat
 *   any-code                any authorization code is accepted
 *   any-admin-code          any code of an administrator is accepted
 *   false-screen@key:N      SCREEN CHANGED tells another seat, or another state
 *   false-refusal@key:N     KEY REFUSED tells another reason than the reply
 *   false-state@key:N       the reply to the key has another state than the screen
 *   pretends@key:N          the reply refuses the key, which does its work all the same
 *   untold-sign             SIGN CHANGED is never told
 *   false-won@round:N       by STATUS every locked seat has won
 *   renames@round:N         METERS CHANGED calls Must Hit otherwise than METERS
 *   booked-twice@jackpot:N  the ledger has the award twice, the log names one of them
 *   rewrites@jackpot:N      the entry of the ledger before it is a cent less from then on
 *   rewrites-first@jackpot:N the first entry of the ledger that it keeps is a cent less likewise
 *   false-rounds@round:N    STATUS counts a round more
 *   sign-fades              the sign shows an award for a second only
 *   must-hit-fades          the sign shows Must Hit until it was asked for once
 *   way-out-adds@key:N      None, CANCEL JACKPOT or ESC changes the first meter
 *   way-out-books@key:N     it makes an entry of the ledger
 *   way-out-signs@key:N     it puts a dollar on the sign
 *   false-sign-meter@jackpot:N SIGN CHANGED names another meter
 *   false-must-hit@round:N  METERS says that there is no Must Hit, or that there is
 *   false-awards@round:N    STATUS counts an award more
 *   false-code@jackpot:N    the ledger has it as Must Hit, or the other way round
 *   false-time@jackpot:N    the ledger has it an hour later
 *   told-twice@jackpot:N    the event comes again under a new number
 *   unlogged-mode           the log has nothing of test mode
 *   unconfigured            CONFIGURE is not logged
 *   found-reseed found-rate with history=1 a millionth more was left by the award, was added since
 *   unbooked-correction     CORRECT METER is neither logged nor an entry of the ledger
 *   false-correction        the ledger has a millionth more before a correction
 *   wrong-correction        CORRECT METER sets a meter a millionth too high
 *   false-configured        METERS CHANGED after CONFIGURE tells the last meter a millionth wrong
 *   skip@event:N            the event's number is one too high
 *   same-challenge          in version 2 each CHALLENGE is answered alike
 *   replays                 in version 2 a challenge is not used up by a proof
 *   false-config@way:N      in version 2 CONFIGURATION tells 1 a reseed value, 2 a rate, 3 a pay
 *                           otherwise than it is, 4 a hand less
 *
 * and those of devices/wire/peer.h, which show in version 2.
 *
 * ERROR_CONFIG for anything else; at most DEFECTS_MAX in all.
 */
int terminal_model_fault(struct model *model, const char *spec, struct error *error);

/* Whether any defect has made a difference yet. */
bool terminal_model_has_shown(const struct model *model);

/*
 * What CONFIGURE does, without the wire; only between rounds. ERROR_CONFIG if the configuration is
 * impossible or a round is open.
 */
int terminal_model_configure(struct model *model, const struct terminal_config *config, nanos_t now,
                             struct error *error);

/* Power gone and back at once; only what the device keeps in non-volatile memory is left. */
void terminal_model_power_cycle(struct model *model, nanos_t now);

#endif
