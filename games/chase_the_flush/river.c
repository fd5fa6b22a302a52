/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/river.h"

#include <string.h>

#define RIVER_STAGE 2

/* Hands on one board that come to the river and have a flush of that rank: to bet on, to fold. */
struct by_rank {
    uint16_t bets[FLUSH_RANKS];
    uint16_t folds[FLUSH_RANKS];
};

struct river {
    const struct chase_plan *plan;
    const bool *is_bet_on;
    struct chase_scratch *scratch;
    const struct suit_class *board;
    const uint8_t *orbit;
};

static bool comes_here(const struct river *river, const struct showdown_hand *hand)
{
    return river->orbit[hand->triple] &&
           !river->is_bet_on[river->plan->triples.class[hand->triple]];
}

static void count_ranks(const struct river *river, struct by_rank *count)
{
    memset(count, 0, sizeof *count);
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
        const struct showdown_hand *hand = &river->scratch->showdown.hands[n];

        if (!comes_here(river, hand))
            continue;
        if (chase_play_hand(&river->plan->ranks, hand, 1).folds)
            count->folds[hand->rank]++;
        else
            count->bets[hand->rank]++;
    }
}

/* The lowest rank of a hand that leaves the fewest hands on the wrong side. */
static unsigned lowest_to_bet(const struct by_rank *count)
{
    unsigned wrong = 0, least = UINT32_MAX, lowest = 0;

    for (unsigned rank = 0; rank < FLUSH_RANKS; rank++)
        wrong += count->folds[rank];
    for (unsigned rank = 0; rank < FLUSH_RANKS; rank++) {
        if (count->bets[rank] + count->folds[rank] && wrong < least) {
            least = wrong;
            lowest = rank;
        }
        wrong += count->bets[rank];
        wrong -= count->folds[rank];
    }
    return lowest;
}

/* The ranks of the flush that has that rank, off a hand that makes it. */
static uint16_t flush_of(const struct river *river, unsigned rank)
{
    const struct showdown_hand *hand = river->scratch->showdown.hands;

    while (hand->rank != rank)
        hand++;
    return (uint16_t)flush_ranks(
        hand_flush(river->plan->triples.hand[hand->triple] | river->board->hand));
}

static void put_hand(const struct river *river, const struct showdown_hand *hand,
                     const struct found *found, audit_row_fn row, void *context)
{
    const struct ends ends = {.losses = dealers_unpack(found->losses),
                              .wins = {dealers_unpack(found->wins)}};

    row(context, &(struct audit_row){
                     .stage = RIVER_STAGE,
                     .hand = river->plan->triples.hand[hand->triple],
                     .board = river->board->hand,
                     .deals = (int64_t)river->board->weight * river->orbit[hand->triple],
                     .bet = ratio_make(ends_value(&ends, 1), SHOWDOWN_DEALERS),
                     .not_bet = ratio_make(-2, 1),
                     .bets = !found->folds,
                 });
}

static void put_others(const struct river *river, unsigned lowest, audit_row_fn row, void *context)
{
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
        const struct showdown_hand *hand = &river->scratch->showdown.hands[n];
        struct found found;

        if (!comes_here(river, hand))
            continue;
        found = chase_play_hand(&river->plan->ranks, hand, 1);
        if ((hand->rank < lowest) != (found.folds != 0))
            put_hand(river, hand, &found, row, context);
    }
}

void chase_river(const struct chase_plan *plan, const bool *is_bet_on, unsigned board,
                 struct chase_scratch *scratch, audit_row_fn row, void *context)
{
    const struct river river = {plan, is_bet_on, scratch, &plan->boards[board],
                                plan->triples.orbit[suits_pattern(plan->boards[board].hand)]};
    struct by_rank count;
    unsigned lowest;

    showdown_run(&scratch->showdown, &plan->ranks, river.board->hand, river.orbit);
    count_ranks(&river, &count);
    lowest = lowest_to_bet(&count);
    row(context, &(struct audit_row){.stage = RIVER_STAGE,
                                     .flush = flush_of(&river, lowest),
                                     .board = river.board->hand,
                                     .deals = river.board->weight,
                                     .bets = true});
    put_others(&river, lowest, row, context);
}
