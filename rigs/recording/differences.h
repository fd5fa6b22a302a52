/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where two values of JSON differ, told as places of a recording: "seat 4, bets, ante". The order
 * of members does not matter. Pure; texts live as long as the call that hands them over.
 */
#ifndef RIGS_RECORDING_DIFFERENCES_H
#define RIGS_RECORDING_DIFFERENCES_H

#include "hal/base/json.h"

#define DIFFERENCE_PLACE_SIZE 256

/* One of the values is NULL where only the other one is there. */
typedef void difference_teller(void *context, const char *place, const struct json_value *first,
                               const struct json_value *second);

/*
 * Tells every difference, those of members in `ignored` (NULL at its end, or NULL) left out at the
 * outermost level; returns how many there are.
 */
unsigned differences_tell(const struct json_value *first, const struct json_value *second,
                          const char *const *ignored, difference_teller *tell, void *context);

/* Whether the numbers at that place are cents. */
bool difference_is_money(const char *place);

#endif
