/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short rules for Chase the Flush, as words and as what the audit tries: those for 3x and for the
 * river are exact, those for 2x cost what the audit says. Pure; nothing fails.
 */
#ifndef GAMES_CHASE_THE_FLUSH_RULES_H
#define GAMES_CHASE_THE_FLUSH_RULES_H

#include <stdbool.h>

#include "games/hand.h"

extern const char *const chase_rules[];

/* Whether they bet 3x on three cards, and 2x on what was not bet on. */
bool chase_rule_3x(hand_t held);
bool chase_rule_2x(hand_t held, hand_t flop);

#endif
