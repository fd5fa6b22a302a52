/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What games/hand.h says, the simplest way: loops over cards, straight from the rules. Tests
 * compare with it and measurements divide by it. Nothing here is shared with the code it checks.
 */
#ifndef TESTS_SUPPORT_GAMES_NAIVE_HAND_H
#define TESTS_SUPPORT_GAMES_NAIVE_HAND_H

#include <stdbool.h>

#include "games/hand.h"

flush_t naive_flush(hand_t hand);
unsigned naive_straight_flush(hand_t hand);
bool naive_top_suited(hand_t hand, unsigned length);

/*
 * Three-card poker in its own scale: the category, then the ranks in the order they count, four
 * bits each. It orders hands as three_t should, with other numbers.
 */
unsigned naive_three(hand_t hand, bool ace_low);
unsigned naive_best_three(hand_t hand, bool ace_low);
enum three_category naive_three_category(unsigned three);

#endif
