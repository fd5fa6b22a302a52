/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short rules for 3 Card Catch and plays that people fall for, as words and as what the audit
 * tries. Pure; nothing fails.
 */
#ifndef GAMES_THREE_CARD_CATCH_RULES_H
#define GAMES_THREE_CARD_CATCH_RULES_H

#include <stdbool.h>

#include "games/hand.h"

/* The first is that of the rules. */
#define CATCH_PLAYS 4

extern const char *const catch_play_names[CATCH_PLAYS];
extern const char *const catch_rules[];

/* Whether somebody who plays so plays three cards. */
bool catch_play_bets(unsigned play, hand_t hand, bool ace_low);

#endif
