/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is counted of an order beside those that came before it. */
#include <string.h>

#include "games/shuffles/count.h"
#include "games/shuffles/order.h"

/* A whole order against the one it was shuffled from. */
static void count_moves(struct shuffles *shuffles, const uint8_t moved[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        shuffles->stayed[i] += moved[i] == i;
        shuffles->moved[i][moved[i]]++;
    }
    count_value(shuffles, SHUFFLES_PAIRS_KEPT, order_pairs_kept(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_RISING, order_rising(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_VALLEYS, order_valleys(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_PEAKS, order_peaks(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_FIXED_POINTS, order_fixed_points(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_CYCLES, order_cycles(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_DISPLACEMENT, order_displacement(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_GUESSED_NEXT, order_guessed_next(moved, DECK_SIZE));
    count_value(shuffles, SHUFFLES_GUESSED_ALONG, order_guessed_along(moved, DECK_SIZE));
}

/*
 * Moves of too few cards come again all the time. How many cards were known before stands where a
 * place is not known: moves are the same only where as much is known of them.
 */
static void count_same_moves(struct shuffles *shuffles, const struct known_order *from,
                             const struct known_order *now, uint8_t moved[DECK_SIZE], size_t seen)
{
    if (seen < REPEATS_CARDS_MIN)
        return;
    for (size_t i = 0; i < now->count && seen < now->count; i++)
        if (moved[i] == FOLLOW_UNKNOWN)
            moved[i] = (uint8_t)(FOLLOW_UNKNOWN + from->count);
    shuffles->moves_known++;
    repeats_add(shuffles->moves, moved, now->count);
}

/* A whole order against the one before the last. */
static void count_later(struct shuffles *shuffles, const uint8_t moved[DECK_SIZE])
{
    shuffles->later_seen[LATER_KEPT][order_pairs_kept(moved, DECK_SIZE)]++;
    shuffles->later_seen[LATER_RISING][order_rising(moved, DECK_SIZE)]++;
    shuffles->later_seen[LATER_VALLEYS][order_valleys(moved, DECK_SIZE)]++;
    shuffles->later_seen[LATER_PEAKS][order_peaks(moved, DECK_SIZE)]++;
    shuffles->later_seen[LATER_FIXED][order_fixed_points(moved, DECK_SIZE)]++;
    shuffles->later++;
}

/* Where what went in is known there is nothing to be learned from what was dealt long before. */
static void count_before_last(struct shuffles *shuffles, const struct known_order *earlier,
                              const struct known_order *now)
{
    uint8_t moved[DECK_SIZE];

    if (earlier->count == DECK_SIZE && now->count == DECK_SIZE) {
        follow_moves(earlier, now, moved);
        count_later(shuffles, moved);
    } else if (earlier->count) {
        follow_add(&shuffles->dealt_later, earlier, now);
    }
}

/* Where nobody wrote down what went in, it may have been what came of this deck the last time. */
void count_against(struct shuffles *shuffles, const struct known_order last[2],
                   const struct known_order *now, const struct known_order *before)
{
    const struct known_order *from = before ? before : &last[0];
    uint8_t moved[DECK_SIZE];
    size_t seen;

    if (!from->count)
        return;
    seen = follow_moves(from, now, moved);
    if (seen == DECK_SIZE) {
        count_moves(shuffles, moved);
        shuffles->before += before != NULL;
        shuffles->previous += before == NULL;
    } else {
        follow_add(&shuffles->dealt, from, now);
    }
    count_same_moves(shuffles, from, now, moved, seen);
    if (!before)
        count_before_last(shuffles, &last[1], now);
}
