/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/audit/lines.h"
#include "games/chase_the_flush/chase_the_flush.h"
#include "games/chase_the_flush/records.h"
#include "games/chase_the_flush/river.h"
#include "games/chase_the_flush/rules.h"

static const struct audit_tables *x_tra_tables(const struct chase_plan *plan)
{
    return &plan->request.tables[CHASE_X_TRA];
}

static int64_t wait_value(const struct flop_hand *hand)
{
    return ends_value(&hand->called, 1) - 2 * SHOWDOWN_DEALERS * hand->folds;
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
    chase_each_flop_hand(plan, sums, add_values, values);
    chase_each_flop_hand(plan, sums, add_play, play);
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

static void decisions(const void *opaque, const int64_t *sums, unsigned t, audit_row_fn row,
                      void *context)
{
    const struct chase_plan *plan = opaque;
    struct class_values values[TRIPLE_CLASSES] = {0};
    struct flop_rows rows = {
        .values = values, .row = row, .context = context, .table = x_tra_tables(plan)->table[t]};

    chase_each_flop_hand(plan, sums, add_values, values);
    chase_each_flop_hand(plan, sums, add_class_pays, &rows);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        wide_t deals = (wide_t)plan->triples.classes[i].weight * FLOPS * LATER * SHOWDOWN_DEALERS;

        row(context,
            &(struct audit_row){.hand = plan->triples.classes[i].hand,
                                .deals = plan->triples.classes[i].weight,
                                .bet = ratio_make(values[i].bet_3 + rows.pays[i], deals),
                                .not_bet = ratio_make(values[i].wait + rows.pays[i], deals),
                                .bets = values[i].bet_3 > values[i].wait});
    }
    chase_each_flop_hand(plan, sums, flop_row, &rows);
}

/* What x-tra pays is left out: a hand that might fold has no flush with a line. */
static void last_decisions(const void *opaque, const int64_t *sums, void *scratch, audit_row_fn row,
                           void *context)
{
    const struct chase_plan *plan = opaque;
    struct class_values values[TRIPLE_CLASSES] = {0};
    bool is_bet_on[TRIPLE_CLASSES];

    chase_each_flop_hand(plan, sums, add_values, values);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++)
        is_bet_on[i] = values[i].bet_3 > values[i].wait;
    for (unsigned board = 0; board < QUAD_CLASSES; board++)
        chase_river(plan, is_bet_on, board, scratch, row, context);
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
    .plan = chase_plan_new,
    .sums = chase_plan_sums,
    .unit = chase_unit,
    .entries = entries,
    .decisions = decisions,
    .last_decisions = last_decisions,
};
