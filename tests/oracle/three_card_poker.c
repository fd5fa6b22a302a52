/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "tests/oracle/table.h"

/* The dealer needs a queen, or a pair or better. */
static bool qualifies(const struct three_cards *dealer)
{
    return dealer->rank > HIGH_CARD || dealer->ranks[0] >= 12;
}

/* Beside whatever else becomes of the ante. A royal flush is a straight flush here. */
static int64_t ante_bonus(struct round *round, const struct seat *seat, enum three_card_rank rank)
{
    switch (rank) {
    case ROYAL:
    case STRAIGHT_FLUSH:
        round_decided(round, ANTE, "straight flush");
        return 5 * seat->stake[ANTE];
    case THREE_OF_A_KIND:
        round_decided(round, ANTE, "three of a kind");
        return 4 * seat->stake[ANTE];
    case STRAIGHT:
        round_decided(round, ANTE, "straight");
        return seat->stake[ANTE];
    default:
        return 0;
    }
}

static void settle_against_dealer(struct round *round, struct seat *seat,
                                  const struct three_cards *own, const struct three_cards *dealer)
{
    int order = three_cards_compare(own, dealer);

    if (!qualifies(dealer)) {
        seat->net[ANTE] = seat->stake[ANTE];
    } else if (order > 0) {
        seat->net[ANTE] = seat->stake[ANTE];
        seat->net[POKER_PLAY] = seat->stake[POKER_PLAY];
    } else if (order < 0) {
        seat->net[ANTE] = -seat->stake[ANTE];
        seat->net[POKER_PLAY] = -seat->stake[POKER_PLAY];
    }
    seat->net[ANTE] += ante_bonus(round, seat, own->rank);
}

static void settle_pair_plus(const struct table *table, struct round *round, struct seat *seat,
                             enum three_card_rank rank)
{
    static const struct {
        enum three_card_rank rank;
        int pays[5];
        const char *name;
    } lines[] = {{ROYAL, {40, 40, 40, 40, 50}, "straight flush"},
                 {STRAIGHT_FLUSH, {40, 40, 40, 40, 50}, "straight flush"},
                 {THREE_OF_A_KIND, {30, 30, 30, 25, 30}, "three of a kind"},
                 {STRAIGHT, {6, 6, 5, 6, 6}, "straight"},
                 {FLUSH, {4, 3, 4, 4, 3}, "flush"},
                 {PAIR, {1, 1, 1, 1, 1}, "pair"}};
    int64_t stake = seat->stake[PAIR_PLUS];

    seat->net[PAIR_PLUS] = -stake;
    for (size_t i = 0; stake && !seat->folded && i < sizeof lines / sizeof lines[0]; i++)
        if (rank == lines[i].rank) {
            seat->net[PAIR_PLUS] = stake * lines[i].pays[table->paytable[PAIR_PLUS] - '1'];
            round_decided(round, PAIR_PLUS, lines[i].name);
        }
}

void three_card_poker_settle(struct table *table, struct round *round)
{
    struct three_cards dealer = best_three(round->dealer, 3, true);

    snprintf(round->dealer_hand, sizeof round->dealer_hand, "%s", three_cards_name(&dealer));
    round->qualifies = qualifies(&dealer);
    for (int number = SEATS; number >= 1; number--) {
        struct seat *seat = &round->seats[number];
        struct three_cards own;

        if (!seat->in)
            continue;
        own = best_three(seat->cards, 3, true);
        snprintf(seat->hand, sizeof seat->hand, "%s", three_cards_name(&own));
        if (seat->folded)
            seat->net[ANTE] = -seat->stake[ANTE];
        else
            settle_against_dealer(round, seat, &own, &dealer);
        settle_pair_plus(table, round, seat, own.rank);
    }
}
