/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "games/audit/lines.h"
#include "games/audit/suits.h"
#include "games/chase_the_flush/chase_the_flush.h"
#include "games/chase_the_flush/showdown.h"

/*
 * A unit takes one canonical board and plays every hand on it to the end. What it finds is added
 * to each of the six ways to split the board into a flop and what came after, renamed so that the
 * flop is canonical. After all units a record per (flop, hand) holds what the second decision needs
 * to know, added up over every deal that its suits can be renamed into.
 *
 * No decision depends on the x-tra table. What it pays, it pays alike for 3x, 2x and 1x, and a hand
 * that it pays never folds: folding costs two, calling at most three for each dealer's hand that
 * wins, and no four-card flush loses to two thirds of them (one card of a suit that has nine left
 * is in 7,050 of 14,190 hands). So units know of no table, and any number of them costs nothing.
 */
#define SPLITS     6
#define FLOPS      1176
#define LATER      1081 /* turns and rivers after a flop */
#define PAIR_COUNT 1326
#define LENGTHS    8

/* Sums of a class of hands over all boards, x-tra's pays left out. */
enum {
    CLASS_STAKE, /* net of ante and x-tra at a showdown */
    CLASS_LEAD,  /* net of each unit of the all-in bet */
    CLASS_RIVER, /* net of waiting for the river: the better of 1x and folding */
    CLASS_WINS,  /* by length of the flush */
    CLASS_SUMS = CLASS_WINS + LENGTHS
};

/* A record follows the classes. */
struct record {
    int64_t bet_2; /* net of 2x above that of waiting */
    int64_t folds; /* upper half: deals folded on the river; lower half: what those would win */
};

#define RECORDS_AT (TRIPLE_CLASSES * CLASS_SUMS)
#define FOLD_SHIFT 32

/* Hands whose findings are added together, few enough to stay in the nearest cache. */
#define BLOCK 512

struct chase_plan {
    struct audit_request request;
    struct flush_ranks ranks;
    struct triples triples;
    struct suit_class boards[QUAD_CLASSES];
    struct suit_class flops[PAIR_CLASSES];
    uint8_t flop_of_pair[PAIR_COUNT];
    uint32_t first_record[PAIR_CLASSES];         /* of a flop */
    uint16_t record[PAIR_CLASSES][TRIPLE_COUNT]; /* of a hand, after the flop's first */
    uint32_t record_count;
};

/* Where the hands on a board go when two of its cards are the flop. */
struct split {
    const uint16_t *reordered;
    const uint16_t *record;
    struct record *records;
};

struct chase_scratch {
    struct showdown showdown;
    struct split splits[SPLITS];
    unsigned count;
    uint16_t triple[BLOCK];
    struct record found[BLOCK];
};

static const struct audit_tables *x_tra_tables(const struct chase_plan *plan)
{
    return &plan->request.tables[CHASE_X_TRA];
}

static unsigned pair_index(hand_t pair)
{
    unsigned a = card_index((card_t)__builtin_ctzll(pair));
    unsigned b = card_index((card_t)__builtin_ctzll(pair & (pair - 1)));

    return b * (b - 1) / 2 + a;
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
            plan->record[f][i] = first == i ? count++ : plan->record[f][first];
        }
        plan->record_count += count;
    }
}

static void *plan_new(const struct audit_request *request)
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

static size_t plan_sums(const void *opaque)
{
    const struct chase_plan *plan = opaque;

    return RECORDS_AT + plan->record_count * sizeof(struct record) / sizeof(int64_t);
}

static const struct record *record_at(const int64_t *sums, size_t index)
{
    return (const struct record *)(const void *)(sums + RECORDS_AT) + index;
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
                .records = (struct record *)(void *)(sums + RECORDS_AT) + plan->first_record[f],
            };
        }
}

static void flush_block(struct chase_scratch *scratch)
{
    for (unsigned i = 0; i < SPLITS; i++) {
        const struct split *split = &scratch->splits[i];

        for (unsigned n = 0; n < scratch->count; n++) {
            unsigned triple = split->reordered[scratch->triple[n]];
            struct record *record = &split->records[split->record[triple]];

            record->bet_2 += scratch->found[n].bet_2;
            record->folds += scratch->found[n].folds;
        }
    }
    scratch->count = 0;
}

/* One hand on one board against all dealer's hands. */
static struct record play_hand(const struct flush_ranks *ranks, const struct showdown_hand *hand,
                               int64_t weight, int64_t class[CLASS_SUMS])
{
    int64_t wins = hand->wins, losses = SHOWDOWN_DEALERS - hand->wins - hand->ties;
    int64_t ante = hand->rank >= ranks->qualifies ? wins - hand->unqualified - losses
                                                  : hand->unqualified - SHOWDOWN_DEALERS;
    int64_t stake = ante - losses, lead = wins - losses, fold = -2 * SHOWDOWN_DEALERS;
    int64_t river = stake + lead > fold ? stake + lead : fold;

    class[CLASS_STAKE] += weight * stake;
    class[CLASS_LEAD] += weight * lead;
    class[CLASS_RIVER] += weight * river;
    class[CLASS_WINS + ranks->length[hand->rank]] += weight * wins;
    return (struct record){
        .bet_2 = weight * (stake + 2 * lead - river),
        .folds = stake + lead > fold ? 0 : weight * (INT64_C(1) << FOLD_SHIFT | wins),
    };
}

static void unit(const void *opaque, size_t index, void *opaque_scratch, int64_t *sums)
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
        unsigned triple = hand->triple;
        int64_t *class = sums + CLASS_SUMS * plan->triples.class[triple];

        if (!orbit[triple])
            continue;
        scratch->triple[scratch->count] = (uint16_t)triple;
        scratch->found[scratch->count++] =
            play_hand(&plan->ranks, hand, (int64_t)board->weight * orbit[triple], class);
        if (scratch->count == BLOCK)
            flush_block(scratch);
    }
    flush_block(scratch);
}

/* What the flop decisions of a class of hands come to. */
struct flop_play {
    int64_t gain;    /* of 2x above waiting, where it is better */
    int64_t bets;    /* flops, with their hands, where it is */
    int64_t folds;   /* deals folded on the river after the others */
    int64_t forgone; /* wins among the folded */
};

static void play_flops(const struct chase_plan *plan, const int64_t *sums,
                       struct flop_play play[TRIPLE_CLASSES])
{
    memset(play, 0, TRIPLE_CLASSES * sizeof *play);
    for (unsigned f = 0; f < PAIR_CLASSES; f++) {
        const uint8_t *orbit = plan->triples.orbit[suits_pattern(plan->flops[f].hand)];

        for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
            struct flop_play *at = &play[plan->triples.class[i]];
            const struct record *record;

            if (!orbit[i] || plan->triples.hand[i] & plan->flops[f].hand)
                continue;
            record = record_at(sums, plan->first_record[f] + plan->record[f][i]);
            if (record->bet_2 > 0) {
                at->gain += record->bet_2;
                at->bets += (int64_t)plan->flops[f].weight * orbit[i];
            } else {
                at->folds += record->folds >> FOLD_SHIFT;
                at->forgone += record->folds & UINT32_MAX;
            }
        }
    }
}

/* The whole game, x-tra's pays left out; counts are deals of the player's cards and the board. */
struct chase_play {
    wide_t value;
    wide_t hits;
    wide_t bets_3, bets_2, bets_1, folds;
};

static const wide_t all_deals = (wide_t)TRIPLE_COUNT * FLOPS * LATER;

static struct chase_play play_all(const struct chase_plan *plan, const int64_t *sums)
{
    struct flop_play play[TRIPLE_CLASSES];
    struct chase_play all = {0};

    play_flops(plan, sums, play);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        const int64_t *class = sums + CLASS_SUMS * i;
        wide_t bet_3 = SPLITS * ((wide_t) class[CLASS_STAKE] + 3 * class[CLASS_LEAD]);
        wide_t wait = (wide_t)SPLITS * class[CLASS_RIVER] + play[i].gain;

        for (unsigned length = 0; length < LENGTHS; length++)
            all.hits += (wide_t)SPLITS * class[CLASS_WINS + length];
        if (bet_3 > wait) {
            all.value += bet_3;
            all.bets_3 += (wide_t)plan->triples.classes[i].weight * FLOPS * LATER;
        } else {
            all.value += wait;
            all.bets_2 += (wide_t)play[i].bets * LATER;
            all.folds += play[i].folds;
            all.hits -= play[i].forgone;
        }
    }
    all.bets_1 = all_deals - all.bets_3 - all.bets_2 - all.folds;
    return all;
}

static void count_x_tra_lines(const struct paytable *table, const int64_t *sums,
                              struct line_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->of = (int64_t)(all_deals / SPLITS * SHOWDOWN_DEALERS);
    for (unsigned length = 0; length < LENGTHS; length++) {
        int line = paytable_line(table, chase_x_tra_lines(flush_make(length, 0)));

        for (unsigned i = 0; line >= 0 && i < TRIPLE_CLASSES; i++)
            counts->line[line] += sums[CLASS_SUMS * i + CLASS_WINS + length];
    }
}

static void main_entry(const struct chase_plan *plan, const struct chase_play *play,
                       const struct paytable *table, const int64_t *sums, struct audit_entry *entry)
{
    const struct wager *wagers = plan->request.game->wagers;
    wide_t value = play->value;
    struct line_counts counts;

    count_x_tra_lines(table, sums, &counts);
    for (unsigned line = 0; line < wagers[CHASE_X_TRA].line_count; line++)
        value += (wide_t)SPLITS * counts.line[line] * table->pays[line].amount;
    audit_entry_init(entry, &plan->request, wagers[CHASE_ANTE].name, &wagers[CHASE_X_TRA], table,
                     &counts);
    entry->ev = ratio_make(value, all_deals * SHOWDOWN_DEALERS);
    entry->average_wager =
        ratio_make(2 * all_deals + 3 * play->bets_3 + 2 * play->bets_2 + play->bets_1, all_deals);
    entry->hit_frequency = ratio_make(play->hits, all_deals * SHOWDOWN_DEALERS);
    audit_entry_share(entry, "bet-3x", play->bets_3, all_deals);
    audit_entry_share(entry, "bet-2x", play->bets_2, all_deals);
    audit_entry_share(entry, "bet-1x", play->bets_1, all_deals);
    audit_entry_share(entry, "fold", play->folds, all_deals);
}

static size_t side_entries(const struct chase_plan *plan, unsigned wager, lines_t (*lines)(hand_t),
                           struct audit_entry *entry)
{
    const struct audit_tables *tables = &plan->request.tables[wager];

    for (unsigned t = 0; t < tables->count; t++) {
        struct line_counts counts;

        count_seven_card_lines(tables->table[t], lines, &counts);
        audit_entry_by_lines(&entry[t], &plan->request, wager, tables->table[t], &counts);
    }
    return tables->count;
}

static size_t entries(const void *opaque, const int64_t *sums, struct audit_entry *entry)
{
    const struct chase_plan *plan = opaque;
    const struct chase_play play = play_all(plan, sums);
    size_t count = 0;

    for (unsigned t = 0; t < x_tra_tables(plan)->count; t++)
        main_entry(plan, &play, x_tra_tables(plan)->table[t], sums, &entry[count++]);
    count += side_entries(plan, CHASE_SAME_SUIT, chase_same_suit_lines, &entry[count]);
    return count + side_entries(plan, CHASE_STAX, chase_stax_lines, &entry[count]);
}

const struct audit_method chase_audit = {
    .units = QUAD_CLASSES,
    .scratch_size = sizeof(struct chase_scratch),
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
};
