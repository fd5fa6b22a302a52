/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards and hands as a person at the table would check them: a card is a rank and a suit, and a
 * hand is judged by trying every combination. Nothing here is shared with the program under test
 * and nothing is meant to be fast. Parsing is the only thing that may fail.
 */
#ifndef TESTS_ORACLE_HANDS_H
#define TESTS_ORACLE_HANDS_H

#include <stdbool.h>

struct card {
    int rank; /* 2 … 14, the ace is 14 */
    char suit;
};

/* The longest flush of a hand: its cards from the top, unused ranks 0. */
struct flush {
    int length;
    int ranks[7];
    char suit;
};

enum three_card_rank { HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH, ROYAL };

struct three_cards {
    enum three_card_rank rank;
    int ranks[3]; /* what decides between equals, most important first */
    char suit;    /* of a flush, straight flush or royal flush */
};

#define RANKS "23456789TJQKA"
#define SUITS "cdhs"

bool card_read(const char *text, struct card *card);
void card_write(struct card card, char text[3]);
bool card_same(struct card a, struct card b);

struct flush longest_flush(const struct card *cards, int count);
int flush_compare(const struct flush *a, const struct flush *b);

/* The longest run of one suit that the cards hold, the ace high or low, never both. */
int longest_straight_flush(const struct card *cards, int count);

/* Whether the cards hold all of these ranks ("AKQ") in one suit. */
bool holds_suited(const struct card *cards, int count, const char *ranks);

/* The best three-card poker hand in three or four cards. */
struct three_cards best_three(const struct card *cards, int count, bool ace_low);
int three_cards_compare(const struct three_cards *a, const struct three_cards *b);
const char *three_cards_name(const struct three_cards *hand);

#endif
