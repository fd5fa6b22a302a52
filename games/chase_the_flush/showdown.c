/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/showdown.h"

#include <string.h>

#include "games/audit/suits.h"
#include "games/chase_the_flush/chase_the_flush.h"

void flush_ranks_init(struct flush_ranks *ranks)
{
    unsigned rank = 0;

    memset(ranks, 0, sizeof *ranks);
    for (unsigned length = 0; length <= 7; length++)
        for (unsigned mask = 0; mask < 8192; mask++) {
            if (hand_count(mask) != length)
                continue;
            ranks->of_mask[mask] = (uint16_t)rank;
            ranks->length[rank] = (uint8_t)length;
            if (!ranks->qualifies && chase_qualifies(flush_make(length, mask)))
                ranks->qualifies = (uint16_t)rank;
            rank++;
        }
}

/* Hands seen so far: all, those that hold a card, those that hold a pair of cards. */
struct tally {
    unsigned all;
    uint16_t card[SHOWDOWN_CARDS];
    uint8_t pair[SHOWDOWN_CARDS][SHOWDOWN_CARDS];
};

static inline void tally_add(struct tally *tally, const uint8_t card[3])
{
    tally->all++;
    tally->card[card[0]]++;
    tally->card[card[1]]++;
    tally->card[card[2]]++;
    tally->pair[card[0]][card[1]]++;
    tally->pair[card[0]][card[2]]++;
    tally->pair[card[1]][card[2]]++;
}

/* Hands seen that share no card with this one, which itself was seen `self` times, 0 or 1. */
static inline unsigned tally_apart(const struct tally *tally, const uint8_t card[3], unsigned self)
{
    unsigned single = 0u + tally->card[card[0]] + tally->card[card[1]] + tally->card[card[2]];
    unsigned pairs = 0u + tally->pair[card[0]][card[1]] + tally->pair[card[0]][card[2]] +
                     tally->pair[card[1]][card[2]];

    return tally->all - single + pairs - self;
}

static inline uint16_t higher(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

/* The 48 cards beside the board, by what each makes of the board's suits. */
struct beside {
    uint8_t card[SHOWDOWN_CARDS]; /* dense index, ascending */
    uint8_t suit[SHOWDOWN_CARDS];
    uint16_t bit[SHOWDOWN_CARDS];  /* in its suit's mask */
    uint16_t rank[SHOWDOWN_CARDS]; /* of the board's suit with this card alone */
    unsigned mask[SUIT_COUNT];     /* of the board */
};

static void beside_init(struct beside *beside, const struct flush_ranks *ranks, hand_t board)
{
    unsigned count = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        beside->mask[suit] = hand_suit(board, suit);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        card_t card = card_from_index(i);
        unsigned suit = card_suit(card), bit = 1u << card_rank(card);

        if (board & hand_card(card))
            continue;
        beside->card[count] = (uint8_t)i;
        beside->suit[count] = (uint8_t)suit;
        beside->bit[count] = (uint16_t)bit;
        beside->rank[count++] = ranks->of_mask[beside->mask[suit] | bit];
    }
}

/*
 * The rank of three cards is the best of the suits they fall in. A suit that gains no card was
 * counted with the others: more cards of a suit never rank lower, and `floor` is the board's own.
 * Two of the three cards stay the same from one hand to the next, so that each takes one look-up:
 * taking each hand as new needs a tenth longer for a board.
 */
static void rank_hands(struct showdown *showdown, const struct flush_ranks *ranks,
                       const struct beside *s, uint16_t floor, const uint8_t *wanted)
{
    unsigned n = 0;

    for (unsigned k = 2; k < SHOWDOWN_CARDS; k++)
        for (unsigned j = 1; j < k; j++) {
            unsigned base = triple_index(0, s->card[j], s->card[k]);
            unsigned mask = s->mask[s->suit[j]] | s->bit[j];
            uint16_t rest = floor, two;

            if (s->suit[k] == s->suit[j])
                mask |= s->bit[k];
            else
                rest = higher(rest, s->rank[k]);
            two = higher(rest, ranks->of_mask[mask]);
            for (unsigned i = 0; i < j; i++, n++) {
                uint16_t triple = (uint16_t)(base + s->card[i]);
                uint16_t rank = s->suit[i] == s->suit[j]
                                    ? higher(rest, ranks->of_mask[mask | s->bit[i]])
                                    : higher(two, s->rank[i]);

                showdown->hands[n].triple = triple;
                showdown->hands[n].rank = rank;
                showdown->dealt[n] = (struct showdown_entry){
                    {(uint8_t)i, (uint8_t)j, (uint8_t)k}, wanted[triple], (uint16_t)n, rank};
            }
        }
}

static void sort_hands(struct showdown *showdown)
{
    uint16_t *starts = showdown->starts;
    unsigned before = 0;

    memset(starts, 0, sizeof showdown->starts);
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++)
        starts[showdown->dealt[n].rank]++;
    for (unsigned rank = 0; rank < FLUSH_RANKS; rank++) {
        unsigned count = starts[rank];

        starts[rank] = (uint16_t)before;
        before += count;
    }
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++)
        showdown->sorted[starts[showdown->dealt[n].rank]++] = showdown->dealt[n];
}

static void count_unqualified(struct showdown *showdown, uint16_t qualifies)
{
    struct tally tally = {0};

    for (unsigned n = 0; n < SHOWDOWN_HANDS && showdown->sorted[n].rank < qualifies; n++)
        tally_add(&tally, showdown->sorted[n].card);
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
        const struct showdown_entry *entry = &showdown->dealt[n];

        showdown->hands[n].unqualified = 0;
        if (tally.all && entry->wanted)
            showdown->hands[n].unqualified =
                (uint16_t)tally_apart(&tally, entry->card, entry->rank < qualifies);
    }
}

static void count_results(struct showdown *showdown)
{
    const struct showdown_entry *entry = showdown->sorted, *next, *end;
    struct tally tally = {0};

    for (end = entry + SHOWDOWN_HANDS; entry < end; entry = next) {
        next = showdown->sorted + showdown->starts[entry->rank];
        for (const struct showdown_entry *e = entry; e < next; e++)
            if (e->wanted)
                showdown->hands[e->hand].wins = (uint16_t)tally_apart(&tally, e->card, 0);
        for (const struct showdown_entry *e = entry; e < next; e++)
            tally_add(&tally, e->card);
        for (const struct showdown_entry *e = entry; e < next; e++)
            if (e->wanted)
                showdown->hands[e->hand].ties =
                    (uint16_t)(tally_apart(&tally, e->card, 1) - showdown->hands[e->hand].wins);
    }
}

void showdown_run(struct showdown *showdown, const struct flush_ranks *ranks, hand_t board,
                  const uint8_t *wanted)
{
    struct beside beside;
    uint16_t floor = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        floor = higher(floor, ranks->of_mask[hand_suit(board, suit)]);
    beside_init(&beside, ranks, board);
    rank_hands(showdown, ranks, &beside, floor, wanted);
    sort_hands(showdown);
    count_unqualified(showdown, ranks->qualifies);
    count_results(showdown);
}
