/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "games/audit/lines.h"
#include "games/audit/suits.h"
#include "games/chase_the_flush/chase_the_flush.h"
#include "games/chase_the_flush/ends.h"
#include "games/chase_the_flush/rules.h"
#include "games/chase_the_flush/showdown.h"

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
#define SPLITS     6
#define FLOPS      1176
#define LATER      1081 /* turns and rivers after a flop */
#define PAIR_COUNT 1326

/*
 * The two cards after the flop bring a hand to three groups of flushes at most, the first of which
 * is known of its record.
 */
#define RECORD_WINS 3

struct record {
    int64_t losses;
    int64_t wins[RECORD_WINS];
    int64_t folded_losses; /* of those, where folding is better */
    int64_t folded_wins;
    int64_t folds; /* deals of the board where it is */
};

/* Which record a hand has, after the flop's first, and above that the first group of its wins. */
#define RECORD_BITS 14
#define RECORD_MASK ((1u << RECORD_BITS) - 1)

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
    uint16_t record[PAIR_CLASSES][TRIPLE_COUNT]; /* of a hand: RECORD_BITS */
    uint32_t record_count;
};

/* Where the hands on a board go when two of its cards are the flop. */
struct split {
    const uint16_t *reordered;
    const uint16_t *record;
    struct record *records;
};

/* How one hand on one board ends. */
struct found {
    int64_t losses, wins;
    int64_t folds; /* deals; 0: it plays */
    uint16_t triple;
    uint16_t group;
};

struct chase_scratch {
    struct showdown showdown;
    struct split splits[SPLITS];
    unsigned count;
    struct found found[BLOCK];
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

/*
 * One hand on one board against all dealer's hands. Dealers who do not qualify lose to a hand that
 * would; those who do beat one that would not.
 */
static struct found play_hand(const struct flush_ranks *ranks, const struct showdown_hand *hand,
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

        if (!orbit[hand->triple])
            continue;
        scratch->found[scratch->count++] =
            play_hand(&plan->ranks, hand, (int64_t)board->weight * orbit[hand->triple]);
        if (scratch->count == BLOCK)
            flush_block(scratch);
    }
    flush_block(scratch);
}

/* What is known of a flop and a hand: all showdowns, those that are played to the end, folds. */
struct flop_hand {
    hand_t flop, held;
    unsigned class; /* of the hand */
    int64_t flops;  /* that it stands for, with their hands */
    struct ends all, called;
    int64_t folds; /* deals of the board */
};

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

static int64_t wait_value(const struct flop_hand *hand)
{
    return ends_value(&hand->called, 1) - 2 * SHOWDOWN_DEALERS * hand->folds;
}

/* Every class of hands on every canonical flop. */
typedef void (*flop_hand_fn)(void *context, const struct flop_hand *hand);

static void each_flop_hand(const struct chase_plan *plan, const int64_t *sums, flop_hand_fn call,
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

/* What a class of hands is worth, x-tra's pays left out: 3x at once, and waiting for the flop. */
struct class_values {
    int64_t bet_3, wait;
};

static void add_values(void *context, const struct flop_hand *hand)
{
    struct class_values *values = (struct class_values *)context + hand->class;
    int64_t bet_2 = ends_value(&hand->all, 2), wait = wait_value(hand);

    values->bet_3 += ends_value(&hand->all, 3);
    values->wait += bet_2 > wait ? bet_2 : wait;
}

enum {
    PLAY_RULES,
    PLAY_RULES_3X,
    PLAY_CALLING,
    PLAY_ALWAYS_3X,
    PLAY_NO_3X,
    PLAY_NO_2X,
    PLAY_SUITED,
    PLAY_COUNT
};

static const char *const play_names[PLAY_COUNT] = {
    [PLAY_RULES] = "by the rules",
    [PLAY_RULES_3X] = "3x by the rules, then as well as can be",
    [PLAY_CALLING] = "never fold, else as well as can be",
    [PLAY_ALWAYS_3X] = "always bet 3x",
    [PLAY_NO_3X] = "never bet 3x, then as well as can be",
    [PLAY_NO_2X] = "never bet 2x, else as well as can be",
    [PLAY_SUITED] = "3x with three of a suit, 2x with four, then as well as can be",
};

/* The whole game; counts of decisions are deals of the player's cards and the board. */
struct chase_play {
    const struct class_values *values;
    struct ends ends[4];       /* by what was bet */
    int64_t bets[4];           /* 0: folds */
    int64_t plays[PLAY_COUNT]; /* what they are worth, x-tra's pays left out */
};

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add_plays(int64_t plays[PLAY_COUNT], const struct flop_hand *hand, bool bets_3)
{
    int64_t bet_3 = ends_value(&hand->all, 3), bet_2 = ends_value(&hand->all, 2);
    int64_t bet_1 = ends_value(&hand->all, 1), wait = wait_value(hand);
    int64_t best = greater(bet_2, wait);
    bool is_rule_3 = chase_rule_3x(hand->held);
    unsigned held = flush_length(hand_flush(hand->held));
    unsigned seen = flush_length(hand_flush(hand->held | hand->flop));

    plays[PLAY_RULES] += is_rule_3 ? bet_3 : chase_rule_2x(hand->held, hand->flop) ? bet_2 : wait;
    plays[PLAY_RULES_3X] += is_rule_3 ? bet_3 : best;
    plays[PLAY_CALLING] += bets_3 ? bet_3 : greater(bet_2, bet_1);
    plays[PLAY_ALWAYS_3X] += bet_3;
    plays[PLAY_NO_3X] += best;
    plays[PLAY_NO_2X] += bets_3 ? bet_3 : wait;
    plays[PLAY_SUITED] += held >= 3 ? bet_3 : seen >= 4 ? bet_2 : wait;
}

static void add_play(void *context, const struct flop_hand *hand)
{
    struct chase_play *play = context;
    const struct class_values *values = &play->values[hand->class];
    bool bets_3 = values->bet_3 > values->wait;
    unsigned bet = bets_3 ? 3 : ends_value(&hand->all, 2) > wait_value(hand) ? 2 : 1;

    ends_add(&play->ends[bet], bet == 1 ? &hand->called : &hand->all);
    play->bets[bet] += hand->flops * LATER - (bet == 1 ? hand->folds : 0);
    play->bets[0] += bet == 1 ? hand->folds : 0;
    add_plays(play->plays, hand, bets_3);
}

static void play_all(const struct chase_plan *plan, const int64_t *sums, struct chase_play *play)
{
    struct class_values values[TRIPLE_CLASSES] = {0};

    memset(play, 0, sizeof *play);
    play->values = values;
    each_flop_hand(plan, sums, add_values, values);
    each_flop_hand(plan, sums, add_play, play);
    play->values = NULL;
}

static const wide_t all_deals = (wide_t)TRIPLE_COUNT * FLOPS * LATER;

/* A hand with a line never folds: its wins are among those that were bet on. */
static int line_of_group(const struct paytable *table, unsigned group)
{
    return paytable_line(table, chase_x_tra_lines(flush_make(group + GROUP_LENGTH, 0)));
}

static void count_x_tra_lines(const struct paytable *table, const struct chase_play *play,
                              struct line_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->of = (int64_t)(all_deals / SPLITS * SHOWDOWN_DEALERS);
    for (unsigned group = 0; group < GROUPS; group++) {
        int line = line_of_group(table, group);

        for (unsigned bet = 1; line >= 0 && bet <= 3; bet++)
            counts->line[line] +=
                play->ends[bet].wins[group].high + play->ends[bet].wins[group].low;
    }
    for (unsigned line = 0; line < LINES_MAX; line++)
        counts->line[line] /= SPLITS;
}

/* What was bet on ends so; returns the deals that win. */
static wide_t add_ends(struct audit_law *law, const struct paytable *table, const struct ends *ends,
                       int64_t bet)
{
    wide_t wins = 0;

    law_add(law, -(bet + 2), ends->losses.high);
    law_add(law, -(bet + 1), ends->losses.low);
    law_add(law, 0, ends->ties);
    for (unsigned group = 0; group < GROUPS; group++) {
        int line = line_of_group(table, group);
        int64_t pays = line < 0 ? 0 : table->pays[line].amount;

        law_add(law, pays + bet + 1, ends->wins[group].high);
        law_add(law, pays + bet, ends->wins[group].low);
        wins += (wide_t)ends->wins[group].high + ends->wins[group].low;
    }
    return wins;
}

static void main_entry(const struct chase_plan *plan, const struct chase_play *play,
                       const struct paytable *table, struct audit_entry *entry)
{
    const struct wager *wagers = plan->request.game->wagers;
    const int64_t *bets = play->bets;
    struct line_counts counts;
    wide_t hits = 0, value = 0, pays = 0;

    count_x_tra_lines(table, play, &counts);
    audit_entry_init(entry, &plan->request, wagers[CHASE_ANTE].name, &wagers[CHASE_X_TRA], table,
                     &counts);
    law_add(&entry->law, -2, (wide_t)bets[0] * SHOWDOWN_DEALERS);
    for (int64_t bet = 1; bet <= 3; bet++)
        hits += add_ends(&entry->law, table, &play->ends[bet], bet);
    for (unsigned i = 0; i < entry->law.count; i++)
        value += entry->law.outcome[i].net * entry->law.outcome[i].deals;
    for (unsigned line = 0; line < wagers[CHASE_X_TRA].line_count; line++)
        pays += (wide_t)SPLITS * counts.line[line] * table->pays[line].amount;
    entry->ev = ratio_make(value, all_deals * SHOWDOWN_DEALERS);
    entry->average_wager =
        ratio_make(2 * all_deals + 3 * (wide_t)bets[3] + 2 * (wide_t)bets[2] + bets[1], all_deals);
    entry->hit_frequency = ratio_make(hits, all_deals * SHOWDOWN_DEALERS);
    entry->rules = chase_rules;
    audit_entry_parts(entry, pays);
    for (unsigned i = 0; i < PLAY_COUNT; i++)
        audit_entry_play(entry, play_names[i], play->plays[i] + pays);
    audit_entry_share(entry, "bet-3x", bets[3], all_deals);
    audit_entry_share(entry, "bet-2x", bets[2], all_deals);
    audit_entry_share(entry, "bet-1x", bets[1], all_deals);
    audit_entry_share(entry, "fold", bets[0], all_deals);
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

/* Where the rows go, and what 3x is worth. */
struct flop_rows {
    const struct class_values *values;
    audit_row_fn row;
    void *context;
    wide_t pays[TRIPLE_CLASSES]; /* x-tra's, the same for every decision */
    const struct paytable *table;
};

static int64_t pays_of(const struct paytable *table, const struct ends *ends)
{
    int64_t pays = 0;

    for (unsigned group = 0; group < GROUPS; group++) {
        int line = line_of_group(table, group);

        if (line >= 0)
            pays += (ends->wins[group].high + ends->wins[group].low) * table->pays[line].amount;
    }
    return pays;
}

static void add_class_pays(void *context, const struct flop_hand *hand)
{
    struct flop_rows *rows = context;

    rows->pays[hand->class] += pays_of(rows->table, &hand->all);
}

static void flop_row(void *context, const struct flop_hand *hand)
{
    const struct flop_rows *rows = context;
    const struct class_values *values = &rows->values[hand->class];
    wide_t deals = (wide_t)hand->flops * LATER * SHOWDOWN_DEALERS;
    int64_t pays = pays_of(rows->table, &hand->all);
    int64_t bet = ends_value(&hand->all, 2), wait = wait_value(hand);

    if (values->bet_3 > values->wait)
        return;
    rows->row(rows->context, &(struct audit_row){.stage = 1,
                                                 .hand = hand->held,
                                                 .board = hand->flop,
                                                 .deals = hand->flops,
                                                 .bet = ratio_make(bet + pays, deals),
                                                 .not_bet = ratio_make(wait + pays, deals),
                                                 .bets = bet > wait});
}

/* The river is left out: its decision is the last of the rules, which is exact. */
static void decisions(const void *opaque, const int64_t *sums, unsigned t, audit_row_fn row,
                      void *context)
{
    const struct chase_plan *plan = opaque;
    struct class_values values[TRIPLE_CLASSES] = {0};
    struct flop_rows rows = {
        .values = values, .row = row, .context = context, .table = x_tra_tables(plan)->table[t]};

    each_flop_hand(plan, sums, add_values, values);
    each_flop_hand(plan, sums, add_class_pays, &rows);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        wide_t deals = (wide_t)plan->triples.classes[i].weight * FLOPS * LATER * SHOWDOWN_DEALERS;

        row(context,
            &(struct audit_row){.hand = plan->triples.classes[i].hand,
                                .deals = plan->triples.classes[i].weight,
                                .bet = ratio_make(values[i].bet_3 + rows.pays[i], deals),
                                .not_bet = ratio_make(values[i].wait + rows.pays[i], deals),
                                .bets = values[i].bet_3 > values[i].wait});
    }
    each_flop_hand(plan, sums, flop_row, &rows);
}

static size_t entries(const void *opaque, const int64_t *sums, struct audit_entry *entry)
{
    const struct chase_plan *plan = opaque;
    struct chase_play play;
    size_t count = 0;

    play_all(plan, sums, &play);
    for (unsigned t = 0; t < x_tra_tables(plan)->count; t++)
        main_entry(plan, &play, x_tra_tables(plan)->table[t], &entry[count++]);
    count += side_entries(plan, CHASE_SAME_SUIT, chase_same_suit_lines, &entry[count]);
    return count + side_entries(plan, CHASE_STAX, chase_stax_lines, &entry[count]);
}

const struct audit_method chase_audit = {
    .dealt = {{CHASE_SAME_SUIT, 7, chase_same_suit_lines}, {CHASE_STAX, 7, chase_stax_lines}},
    .units = QUAD_CLASSES,
    .scratch_size = sizeof(struct chase_scratch),
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
    .decisions = decisions,
};
