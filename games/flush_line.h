/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The eight lines that both Flush Rush's ante and Same Suit pay: straight flushes and flushes of
 * seven to four cards. One definition serves the engines and the audit. Constant data and pure
 * functions; nothing can fail.
 */
#ifndef GAMES_FLUSH_LINE_H
#define GAMES_FLUSH_LINE_H

#include "games/hand.h"
#include "games/paytable.h"

#define FLUSH_LINE_COUNT 8

/* Straight flushes of 7, 6, 5, 4 cards, then flushes of 7, 6, 5, 4 cards. */
extern const struct line flush_lines[FLUSH_LINE_COUNT];

/* "2-card flush" … "7-card flush", by length. */
const char *flush_name(unsigned length);

/* The longest line of each kind in seven cards; the shorter ones inside it never pay more. */
static inline lines_t hand_flush_lines(hand_t seven)
{
    unsigned straight = hand_straight_flush(seven);
    unsigned length = flush_length(hand_flush(seven));
    unsigned lines = 0;

    if (straight >= 4)
        lines |= line_bit(7 - straight);
    if (length >= 4)
        lines |= line_bit(11 - length);
    return (lines_t)lines;
}

/* Whether a straight flush and a longer flush are both among them. */
static inline bool flush_lines_cross(lines_t lines)
{
    unsigned straight = lines & 0xfu, flush = (unsigned)lines >> 4;

    return straight && flush && flush < straight;
}

/* Whether the ace and the `length - 1` ranks from the deuce up are held in one suit. */
static inline bool hand_ace_low(hand_t seven, unsigned length)
{
    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned wheel = 1u << RANK_ACE | ((1u << (length - 1)) - 1);

        if ((hand_suit(seven, suit) & wheel) == wheel)
            return true;
    }
    return false;
}

#endif
