/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An Angel Eye II-EX shoe: reports that wait for an ACK, operations that get one. A person puts a
   deck in and draws cards whenever it is unlocked; the cards may come from a recording. */
#ifndef SECOND_ANGEL_EYE_H
#define SECOND_ANGEL_EYE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/second/lies.h"
#include "tests/second/line.h"
#include "tests/second/options.h"

struct angel_eye;

/* Lives as long as the program; aborts when there is no memory. */
struct angel_eye *angel_eye_create(const struct options *options, struct lies *lies,
                                   struct line *line);

void angel_eye_connected(struct angel_eye *eye);

void angel_eye_receive(struct angel_eye *eye, const uint8_t *bytes, size_t size);

void angel_eye_tick(struct angel_eye *eye, uint64_t now);

#endif
