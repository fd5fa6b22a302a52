/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>

#include "devices/sensors/sensors.h"

#define LINE(line) (1u << BET_LINE_##line)

/* What needs all of these lines is not proven without one of them. */
static const struct {
    unsigned lines;
    const char *sentence;
} rules[] = {
    {LINE(BET), "wagers are not seen: none is known to be placed, lifted or late, and START ROUND "
                "takes them on trust (no bet line)"},
    {LINE(CHIP), "wagers must be placed and taken by hand (no chip line)"},
    {LINE(BET) | LINE(CHIP),
     "a sensor that is stuck is not noticed (it takes a bet line and a chip line)"},
    {LINE(LIGHT), "the lamp is lit by the table, not by the rig (no light line)"},
    {LINE(LAMP), "a lamp that stays dark or lit is not noticed (no lamp line)"},
};
#define RULES (sizeof rules / sizeof rules[0])

static_assert(RULES * BET_SENSOR_SEATS + 1 == BET_UNCHECKED_MAX, "every sentence has its place");

size_t sensors_unchecked_lines(unsigned seats, const unsigned with[BET_LINES],
                               struct bet_unchecked *unchecked)
{
    size_t count = 0;

    for (unsigned seat = 1; seat <= seats; seat++) {
        unsigned lines = 0;

        for (unsigned line = 0; line < BET_LINES; line++)
            lines |= (with[line] >> seat & 1) << line;
        for (size_t i = 0; i < RULES; i++)
            if (rules[i].lines & ~lines)
                unchecked[count++] = (struct bet_unchecked){seat, rules[i].sentence};
    }
    return count;
}
