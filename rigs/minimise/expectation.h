/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line that was expected differs in from its settlement, put into another settlement. */
#ifndef RIGS_MINIMISE_EXPECTATION_H
#define RIGS_MINIMISE_EXPECTATION_H

#include "hal/base/json.h"

/* Writes `fresh` with all that `expected` says otherwise than `settled`. */
void expectation_carry(struct json_text *out, const struct json_value *fresh,
                       const struct json_value *settled, const struct json_value *expected);

#endif
