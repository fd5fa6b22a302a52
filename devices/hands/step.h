/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Something that a person does for a device, at the bench's desk: done, or a fault by its word. */
#ifndef DEVICES_HANDS_STEP_H
#define DEVICES_HANDS_STEP_H

#include "games/card.h"
#include "hal/base/error.h"
#include "hal/hal.h"

struct hands_step {
    const char *text;         /* "shuffle and press the green button" */
    const char *const *words; /* that may be answered instead of `done`, up to a NULL; NULL: none */
    uint32_t limit_ms;        /* 0: as long as it takes */
};

/*
 * Asks and waits: 0 when it is done, 1 + the index of the word that was answered, or as desk_ask().
 * `*time` is when, by the bench's clock.
 */
int hands_step(const struct hal *hal, const struct hands_step *step, nanos_t *time,
               struct error *error);

/*
 * Shows what was read last, which no later question could take back: 0 when it is right, 1 when it
 * is to be read again, or as desk_ask(). `backs` are their decks, as in struct card_reading.
 */
int hands_confirm(const struct hal *hal, const card_t *cards, const uint8_t *backs, unsigned count,
                  uint32_t limit_ms, struct error *error);

#endif
