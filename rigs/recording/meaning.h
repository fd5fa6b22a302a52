/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounds as they are compared: what a line means, whatever words it was written in. Decisions are
 * called by one name, steps among the keys are written in one way, and which of two decks a round
 * is dealt from is said where it follows from the rounds before.
 */
#ifndef RIGS_RECORDING_MEANING_H
#define RIGS_RECORDING_MEANING_H

#include <stddef.h>
#include <stdint.h>

#include "rigs/recording/format.h"

#define MEANING_SIZE JSON_LONGEST

/*
 * Writes a line of JSON without a newline and returns its length, or 0 where it has no room. Keys
 * are left out where none are recorded. `*deck` is that of the round before, 0 of the first, as for
 * recording_deck().
 */
size_t recording_mean_round(char line[MEANING_SIZE], const struct recording_header *header,
                            const struct recording_round *recorded, uint8_t *deck);

#endif
