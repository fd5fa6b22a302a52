/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/hands.h"

#include <string.h>

static int rank_of(char letter)
{
    const char *at = letter ? strchr(RANKS, letter) : NULL;

    return at ? (int)(at - RANKS) + 2 : 0;
}

bool card_read(const char *text, struct card *card)
{
    if (strlen(text) != 2 || !rank_of(text[0]) || !strchr(SUITS, text[1]))
        return false;
    *card = (struct card){rank_of(text[0]), text[1]};
    return true;
}

void card_write(struct card card, char text[3])
{
    text[0] = RANKS[card.rank - 2];
    text[1] = card.suit;
    text[2] = '\0';
}

bool card_same(struct card a, struct card b)
{
    return a.rank == b.rank && a.suit == b.suit;
}

static bool holds(const struct card *cards, int count, struct card wanted)
{
    for (int i = 0; i < count; i++)
        if (card_same(cards[i], wanted))
            return true;
    return false;
}

static void sort_down(int *ranks, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (ranks[j] > ranks[i]) {
                int higher = ranks[j];

                ranks[j] = ranks[i];
                ranks[i] = higher;
            }
}

static int ranks_compare(const int *a, const int *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] > b[i] ? 1 : -1;
    return 0;
}

int flush_compare(const struct flush *a, const struct flush *b)
{
    if (a->length != b->length)
        return a->length > b->length ? 1 : -1;
    return ranks_compare(a->ranks, b->ranks, a->length);
}

/* The cards picked by the bits of a subset, as a flush; its length is 0 if the suits differ. */
static struct flush flush_of_subset(const struct card *cards, int count, unsigned subset)
{
    struct flush flush = {0};

    for (int i = 0; i < count; i++) {
        if (!(subset >> i & 1))
            continue;
        if (flush.length && flush.suit != cards[i].suit)
            return (struct flush){0};
        flush.suit = cards[i].suit;
        flush.ranks[flush.length++] = cards[i].rank;
    }
    sort_down(flush.ranks, flush.length);
    return flush;
}

struct flush longest_flush(const struct card *cards, int count)
{
    struct flush best = {0};

    for (unsigned subset = 1; subset < 1u << count; subset++) {
        struct flush flush = flush_of_subset(cards, count, subset);

        if (flush_compare(&flush, &best) > 0)
            best = flush;
    }
    return best;
}

/* A run of ranks from `lowest` up; rank 1 is the ace as the lowest card. */
static bool holds_run(const struct card *cards, int count, char suit, int lowest, int length)
{
    if (lowest + length - 1 > 14)
        return false;
    for (int rank = lowest; rank < lowest + length; rank++)
        if (!holds(cards, count, (struct card){rank == 1 ? 14 : rank, suit}))
            return false;
    return true;
}

int longest_straight_flush(const struct card *cards, int count)
{
    int longest = 0;

    for (const char *suit = SUITS; *suit; suit++)
        for (int lowest = 1; lowest <= 14; lowest++)
            for (int length = 1; length <= count; length++)
                if (holds_run(cards, count, *suit, lowest, length) && length > longest)
                    longest = length;
    return longest;
}

bool holds_suited(const struct card *cards, int count, const char *ranks)
{
    for (const char *suit = SUITS; *suit; suit++) {
        bool all = true;

        for (const char *rank = ranks; *rank; rank++)
            all = all && holds(cards, count, (struct card){rank_of(*rank), *suit});
        if (all)
            return true;
    }
    return false;
}

static bool is_straight(const int *down, bool ace_low)
{
    if (down[0] == down[1] + 1 && down[1] == down[2] + 1)
        return true;
    return ace_low && down[0] == 14 && down[1] == 3 && down[2] == 2;
}

static struct three_cards three_cards(const struct card cards[3], bool ace_low)
{
    int down[3] = {cards[0].rank, cards[1].rank, cards[2].rank};
    bool suited = cards[0].suit == cards[1].suit && cards[1].suit == cards[2].suit;
    struct three_cards hand = {HIGH_CARD, {0}, suited ? cards[0].suit : '\0'};

    sort_down(down, 3);
    memcpy(hand.ranks, down, sizeof down);
    if (is_straight(down, ace_low)) {
        hand.rank = suited ? STRAIGHT_FLUSH : STRAIGHT;
        if (suited && down[2] == 12)
            hand.rank = ROYAL;
        if (down[0] == 14 && down[1] == 3)
            memcpy(hand.ranks, (int[]){3, 2, 1}, sizeof hand.ranks);
    } else if (down[0] == down[1] && down[1] == down[2]) {
        hand.rank = THREE_OF_A_KIND;
    } else if (suited) {
        hand.rank = FLUSH;
    } else if (down[0] == down[1]) {
        hand.rank = PAIR;
    } else if (down[1] == down[2]) {
        hand.rank = PAIR;
        memcpy(hand.ranks, (int[]){down[1], down[2], down[0]}, sizeof hand.ranks);
    }
    return hand;
}

int three_cards_compare(const struct three_cards *a, const struct three_cards *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank ? 1 : -1;
    return ranks_compare(a->ranks, b->ranks, 3);
}

struct three_cards best_three(const struct card *cards, int count, bool ace_low)
{
    struct three_cards best = three_cards(cards, ace_low);

    for (int without = 0; count == 4 && without < 4; without++) {
        struct card three[3] = {cards[0], cards[1], cards[2]};
        struct three_cards hand;

        if (without < 3)
            three[without] = cards[3];
        hand = three_cards(three, ace_low);
        if (three_cards_compare(&hand, &best) > 0)
            best = hand;
    }
    return best;
}

const char *three_cards_name(const struct three_cards *hand)
{
    static const char *const names[] = {
        "high card",       "pair",           "flush",      "straight",
        "three of a kind", "straight flush", "royal flush"};

    return names[hand->rank];
}
