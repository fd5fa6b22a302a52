/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/records.h"

#include <stdlib.h>
#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"

/*
 * A unit takes one canonical board and plays every hand on it to the end. What it finds is added
 * to each of the six ways to split the board into a flop and what came after, renamed so that the
 * flop is canonical. After all units a record per (flop, hand) holds how showdowns end, added up
 * over every deal that its suits can be renamed into: all of them, and those of rivers on which
 * folding is better. All decisions and the law of the game follow from that.
 *
 * No decision depends on the x-tra table. What it pays, it pays alike for 3x, 2x and 1x, and a hand
 * that it pays never folds: folding costs two, calling at most three for each dealer's hand that
 * wins, and no four-card flush loses to two thirds of them (one card of a suit that has nine left
 * is in 7,050 of 14,190 hands). So units know of no table, and any number of them costs nothing.
 */

/* Which record a hand has, after the flop's first, and above that the first group of its wins. */
#define RECORD_BITS 14
#define RECORD_MASK ((1u << RECORD_BITS) - 1)

static unsigned pair_index(hand_t pair)
{
    unsigned a = card_index((card_t)__builtin_ctzll(pair));
    unsigned b = card_index((card_t)__builtin_ctzll(pair & (pair - 1)));

    return b * (b - 1) / 2 + a;
}

static unsigned first_group(hand_t five)
{
    return ends_group(flush_length(hand_flush(five)));
}

static void init_records(struct chase_plan *plan)
{
    for (unsigned f = 0; f < PAIR_CLASSES; f++) {
        hand_t flop = plan->flops[f].hand;
        unsigned pattern = suits_pattern(flop);
        uint16_t count = 0;

        plan->flop_of_pair[pair_index(flop)] = (uint8_t)f;
        plan->first_record[f] = plan->record_count;
        for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
            unsigned first = plan->triples.first[pattern][i];

            if (plan->triples.hand[i] & flop)
                continue;
            plan->record[f][i] =
                first == i
                    ? (uint16_t)(count++ | first_group(plan->triples.hand[i] | flop) << RECORD_BITS)
                    : plan->record[f][first];
        }
        plan->record_count += count;
    }
}

void *chase_plan_new(const struct audit_request *request)
{
    struct chase_plan *plan = calloc(1, sizeof *plan);

    if (!plan)
        return NULL;
    plan->request = *request;
    flush_ranks_init(&plan->ranks);
    triples_init(&plan->triples);
    suit_classes(4, plan->boards, QUAD_CLASSES);
    suit_classes(2, plan->flops, PAIR_CLASSES);
    init_records(plan);
    return plan;
}

size_t chase_plan_sums(const void *opaque)
{
    const struct chase_plan *plan = opaque;

    return plan->record_count * sizeof(struct record) / sizeof(int64_t);
}

static void splits_init(struct split splits[SPLITS], const struct chase_plan *plan, hand_t board,
                        int64_t *sums)
{
    for (hand_t first = board; first; first &= first - 1)
        for (hand_t second = first & (first - 1); second; second &= second - 1) {
            hand_t flop = (first & -first) | (second & -second);
            unsigned order = suits_canonical_order(flop);
            unsigned f = plan->flop_of_pair[pair_index(suits_reorder(flop, order))];

            *splits++ = (struct split){
                .reordered = plan->triples.reordered[order],
                .record = plan->record[f],
                .records = (struct record *)(void *)sums + plan->first_record[f],
            };
        }
}

static void flush_block(struct chase_scratch *scratch)
{
    for (unsigned i = 0; i < SPLITS; i++) {
        const struct split *split = &scratch->splits[i];

        for (unsigned n = 0; n < scratch->count; n++) {
            const struct found *found = &scratch->found[n];
            unsigned at = split->record[split->reordered[found->triple]];
            struct record *record = &split->records[at & RECORD_MASK];

            record->losses += found->losses;
            record->wins[found->group - (at >> RECORD_BITS)] += found->wins;
            if (!found->folds)
                continue;
            record->folded_losses += found->losses;
            record->folded_wins += found->wins;
            record->folds += found->folds;
        }
    }
    scratch->count = 0;
}

/* Dealers who do not qualify lose to a hand that would; those who do beat one that would not. */
struct found chase_play_hand(const struct flush_ranks *ranks, const struct showdown_hand *hand,
                             int64_t weight)
{
    int64_t wins = hand->wins, losses = SHOWDOWN_DEALERS - hand->wins - hand->ties;
    int64_t unqualified = hand->unqualified, qualified = SHOWDOWN_DEALERS - unqualified;
    bool is_high = hand->rank >= ranks->qualifies;
    int64_t wins_low = is_high ? unqualified : wins, losses_high = is_high ? losses : qualified;
    int64_t call = 2 * wins - wins_low - 2 * losses - losses_high;

    return (struct found){
        .losses = weight * (losses_high << DEALERS_SHIFT | (losses - losses_high)),
        .wins = weight * ((wins - wins_low) << DEALERS_SHIFT | wins_low),
        .folds = call > -2 * SHOWDOWN_DEALERS ? 0 : weight,
        .triple = hand->triple,
        .group = (uint16_t)ends_group(ranks->length[hand->rank]),
    };
}

void chase_unit(const void *opaque, size_t index, void *opaque_scratch, int64_t *sums)
{
    const struct chase_plan *plan = opaque;
    struct chase_scratch *scratch = opaque_scratch;
    const struct suit_class *board = &plan->boards[index];
    const uint8_t *orbit = plan->triples.orbit[suits_pattern(board->hand)];

    splits_init(scratch->splits, plan, board->hand, sums);
    showdown_run(&scratch->showdown, &plan->ranks, board->hand, orbit);
    scratch->count = 0;
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
        const struct showdown_hand *hand = &scratch->showdown.hands[n];

        if (!orbit[hand->triple])
            continue;
        scratch->found[scratch->count++] =
            chase_play_hand(&plan->ranks, hand, (int64_t)board->weight * orbit[hand->triple]);
        if (scratch->count == BLOCK)
            flush_block(scratch);
    }
    flush_block(scratch);
}

/* A hand that folds has no flush that pays: its wins are of the first group. */
static void read_record(const struct record *record, unsigned first, struct flop_hand *hand)
{
    int64_t deals = hand->flops * LATER;
    struct dealers losses = dealers_unpack(record->folded_losses),
                   wins = dealers_unpack(record->folded_wins);

    hand->folds = record->folds;
    hand->all.losses = dealers_unpack(record->losses);
    for (unsigned i = 0; i < RECORD_WINS && first + i < GROUPS; i++)
        hand->all.wins[first + i] = dealers_unpack(record->wins[i]);
    hand->called = hand->all;
    dealers_add(&hand->called.losses, (struct dealers){-losses.high, -losses.low});
    dealers_add(&hand->called.wins[0], (struct dealers){-wins.high, -wins.low});
    hand->all.ties = deals * SHOWDOWN_DEALERS - ends_sum(&hand->all);
    hand->called.ties = (deals - hand->folds) * SHOWDOWN_DEALERS - ends_sum(&hand->called);
}

void chase_each_flop_hand(const struct chase_plan *plan, const int64_t *sums, flop_hand_fn call,
                          void *context)
{
    const struct record *records = (const struct record *)(const void *)sums;

    for (unsigned f = 0; f < PAIR_CLASSES; f++) {
        const uint8_t *orbit = plan->triples.orbit[suits_pattern(plan->flops[f].hand)];

        for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
            unsigned at = plan->record[f][i];
            struct flop_hand hand = {.flop = plan->flops[f].hand, .held = plan->triples.hand[i]};

            if (!orbit[i] || hand.held & hand.flop)
                continue;
            hand.class = plan->triples.class[i];
            hand.flops = (int64_t)plan->flops[f].weight * orbit[i];
            read_record(&records[plan->first_record[f] + (at & RECORD_MASK)], at >> RECORD_BITS,
                        &hand);
            call(context, &hand);
        }
    }
}
