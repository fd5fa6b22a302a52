/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How showdowns of Chase the Flush end, counted: by who wins, whether the dealer qualifies and how
 * long the player's flush is. Plain values; nothing fails.
 */
#ifndef GAMES_CHASE_THE_FLUSH_ENDS_H
#define GAMES_CHASE_THE_FLUSH_ENDS_H

#include <stdint.h>

/* Flushes are told apart by group: up to 3 cards, 4, 5, 6, 7. */
#define GROUPS       5
#define GROUP_LENGTH 3 /* of group 0 */

static inline unsigned ends_group(unsigned length)
{
    return length > GROUP_LENGTH ? length - GROUP_LENGTH : 0;
}

/* Dealer's hands that qualify and that do not. */
struct dealers {
    int64_t high, low;
};

/* Both in one word, the high ones in its upper half; each is below 2^31. */
#define DEALERS_SHIFT 32

static inline struct dealers dealers_unpack(int64_t packed)
{
    return (struct dealers){packed >> DEALERS_SHIFT, packed & UINT32_MAX};
}

void dealers_add(struct dealers *sum, struct dealers more);

struct ends {
    struct dealers losses;
    struct dealers wins[GROUPS];
    int64_t ties;
};

void ends_add(struct ends *sum, const struct ends *more);

/* Of losses and wins. */
int64_t ends_sum(const struct ends *ends);

/* What they net with a bet of so many antes, x-tra's pays left out. */
int64_t ends_value(const struct ends *ends, int64_t bet);

#endif
