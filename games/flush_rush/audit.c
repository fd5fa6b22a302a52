/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "games/audit/lines.h"
#include "games/audit/suits.h"
#include "games/flush_rush/flush_rush.h"

/* Two cards beside the four of a hand, and the third one then: the burned card is never seen. */
#define FLOPS  1128
#define RIVERS 46

/*
 * What the third community card brings, added up over the RIVERS. No seven cards hold two flushes
 * of four, so each suit of the first six counts for itself: `gain` is what the hand then nets above
 * losing three units, `hits` how many of the cards win on each line, a byte a line: all lines
 * together have at most RIVERS.
 */

struct outlook {
    int64_t gain[8192];
    uint64_t hits[8192];
};

struct flush_rush_plan {
    struct audit_request request;
    struct suit_class hands[QUAD_CLASSES];
    struct outlook outlook[AUDIT_TABLES_MAX];
};

/*
 * What a unit finds for one hand and one table: what the first bet is worth, followed by the better
 * decision, by a second bet, by the rules; folds; hits by line.
 */
enum {
    FOUND_VALUE,
    FOUND_BETS,
    FOUND_RULES,
    FOUND_FOLDS,
    FOUND_HITS,
    FOUND = FOUND_HITS + FLUSH_LINE_COUNT
};

/* Hits of one hand while its flops are dealt, two bytes a line: FLOPS times RIVERS fit in. */
struct tally {
    uint64_t even, odd; /* lines 0, 2, 4, 6 and 1, 3, 5, 7 */
};

#define EVEN_BYTES UINT64_C(0x00ff00ff00ff00ff)

static const struct audit_tables *ante_tables(const struct flush_rush_plan *plan)
{
    return &plan->request.tables[FLUSH_RUSH_ANTE];
}

/* A win pays the ante by its line and two bets 1 to 1, where a loss would have cost all three. */
static int64_t gain_of(const struct paytable *table, unsigned line)
{
    return (int64_t)table->pays[line].amount + 2 + 3;
}

static void add_outlook(struct outlook *outlook, const struct paytable *table, unsigned six,
                        unsigned seven, unsigned cards)
{
    int line = paytable_line(table, flush_rush_ante_lines(seven));

    if (line < 0)
        return;
    outlook->gain[six] += gain_of(table, (unsigned)line) * cards;
    outlook->hits[six] += (uint64_t)cards << 8 * line;
}

static void outlook_init(struct outlook *outlook, const struct paytable *table)
{
    for (unsigned mask = 0; mask < 8192; mask++) {
        unsigned count = hand_count(mask);

        if (count > 6)
            continue;
        add_outlook(outlook, table, mask, mask, RIVERS - RANK_COUNT + count);
        for (unsigned rank = 0; rank < RANK_COUNT; rank++)
            if (!(mask >> rank & 1))
                add_outlook(outlook, table, mask, mask | 1u << rank, 1);
    }
}

static void *plan_new(const struct audit_request *request)
{
    struct flush_rush_plan *plan = calloc(1, sizeof *plan);

    if (!plan)
        return NULL;
    plan->request = *request;
    suit_classes(4, plan->hands, QUAD_CLASSES);
    for (unsigned t = 0; t < ante_tables(plan)->count; t++)
        outlook_init(&plan->outlook[t], ante_tables(plan)->table[t]);
    return plan;
}

static size_t plan_sums(const void *opaque)
{
    const struct flush_rush_plan *plan = opaque;

    return (size_t)QUAD_CLASSES * FOUND * ante_tables(plan)->count;
}

/* The second decision: six cards are seen; folding leaves the ante and the first bet behind. */
static void decide(const struct outlook *outlook, hand_t six, int64_t found[FOUND],
                   struct tally *tally)
{
    int64_t bet = -3 * RIVERS, fold = -2 * RIVERS;
    uint64_t hits = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        bet += outlook->gain[hand_suit(six, suit)];
        hits += outlook->hits[hand_suit(six, suit)];
    }
    found[FOUND_VALUE] += bet > fold ? bet : fold;
    found[FOUND_BETS] += bet;
    found[FOUND_RULES] += flush_rush_bets(NULL, six, 1) ? bet : fold;
    found[FOUND_FOLDS] += bet <= fold;
    if (bet <= fold)
        return;
    tally->even += hits & EVEN_BYTES;
    tally->odd += hits >> 8 & EVEN_BYTES;
}

static void unit(const void *opaque, size_t index, void *scratch, int64_t *sums)
{
    const struct flush_rush_plan *plan = opaque;
    unsigned tables = ante_tables(plan)->count;
    hand_t hand = plan->hands[index].hand;

    (void)scratch;
    for (unsigned t = 0; t < tables; t++) {
        int64_t *found = sums + (index * tables + t) * FOUND;
        struct tally tally = {0, 0};

        for (hand_t first = HAND_DECK & ~hand; first; first &= first - 1)
            for (hand_t second = first & (first - 1); second; second &= second - 1)
                decide(&plan->outlook[t], hand | (first & -first) | (second & -second), found,
                       &tally);
        for (unsigned line = 0; line < FLUSH_LINE_COUNT; line++)
            found[FOUND_HITS + line] =
                (line % 2 ? tally.odd : tally.even) >> 8 * (line - line % 2) & 0xffff;
    }
}

enum { PLAY_RULES, PLAY_ALWAYS, PLAY_FIRST, PLAY_SECOND, PLAY_COUNT };

static const char *const play_names[PLAY_COUNT] = {
    [PLAY_RULES] = "by the rules",
    [PLAY_ALWAYS] = "never fold",
    [PLAY_FIRST] = "never fold the first four cards",
    [PLAY_SECOND] = "never fold after the first bet",
};

static const char *const rules[] = {"first four cards: bet two of a suit, fold four suits",
                                    "six cards: bet three of a suit, fold everything else", NULL};

struct flush_rush_totals {
    wide_t value, hits, hands, fold_1, fold_2, pays;
    wide_t plays[PLAY_COUNT];
};

/* What betting twice ends with. */
static void add_hits(struct flush_rush_totals *totals, struct audit_law *law,
                     const struct paytable *table, const int64_t *hits, wide_t weight)
{
    for (unsigned line = 0; line < FLUSH_LINE_COUNT; line++) {
        law_add(law, gain_of(table, line) - 3, weight * hits[line]);
        totals->hits += weight * hits[line];
        totals->pays += weight * hits[line] * table->pays[line].amount;
    }
}

static void add_hand(struct flush_rush_totals *totals, struct audit_law *law,
                     const struct paytable *table, const struct suit_class *hands,
                     const int64_t *found)
{
    const wide_t fold = -(wide_t)FLOPS * RIVERS, weight = hands->weight;
    bool bets = found[FOUND_VALUE] > fold;

    totals->hands += weight;
    totals->plays[PLAY_RULES] +=
        weight * (flush_rush_bets(NULL, hands->hand, 0) ? found[FOUND_RULES] : fold);
    totals->plays[PLAY_ALWAYS] += weight * found[FOUND_BETS];
    totals->plays[PLAY_FIRST] += weight * found[FOUND_VALUE];
    totals->plays[PLAY_SECOND] += weight * (bets ? found[FOUND_BETS] : fold);
    totals->value += weight * (bets ? found[FOUND_VALUE] : fold);
    if (bets) {
        totals->fold_2 += weight * found[FOUND_FOLDS];
        add_hits(totals, law, table, found + FOUND_HITS, weight);
    } else {
        totals->fold_1 += weight * FLOPS;
    }
}

static void main_entry(const struct flush_rush_plan *plan, unsigned t, const int64_t *sums,
                       struct audit_entry *entry)
{
    const struct wager *ante = &plan->request.game->wagers[FLUSH_RUSH_ANTE];
    const struct paytable *table = ante_tables(plan)->table[t];
    struct flush_rush_totals totals = {0};
    struct line_counts counts;
    wide_t deals, bets;

    count_seven_card_lines(table, flush_rush_ante_lines, &counts);
    audit_entry_init(entry, &plan->request, ante->name, ante, table, &counts);
    for (size_t i = 0; i < QUAD_CLASSES; i++)
        add_hand(&totals, &entry->law, table, &plan->hands[i],
                 sums + (i * ante_tables(plan)->count + t) * FOUND);
    deals = totals.hands * FLOPS;
    bets = deals - totals.fold_1 - totals.fold_2;
    law_add(&entry->law, -1, totals.fold_1 * RIVERS);
    law_add(&entry->law, -2, totals.fold_2 * RIVERS);
    law_add(&entry->law, -3, bets * RIVERS - totals.hits);
    entry->ev = ratio_make(totals.value, deals * RIVERS);
    entry->average_wager = ratio_make(deals + 2 * bets + totals.fold_2, deals);
    entry->hit_frequency = ratio_make(totals.hits, deals * RIVERS);
    entry->rules = rules;
    audit_entry_parts(entry, totals.pays);
    for (unsigned play = 0; play < PLAY_COUNT; play++)
        audit_entry_play(entry, play_names[play], totals.plays[play]);
    audit_entry_share(entry, "fold-1", totals.fold_1, deals);
    audit_entry_share(entry, "fold-2", totals.fold_2, deals);
    audit_entry_share(entry, "bet-2", bets, deals);
}

/* Six cards are worth the same however they fell into hand and community. */
static void second_decision(hand_t six, int64_t deals, const struct outlook *outlook,
                            audit_row_fn row, void *context)
{
    int64_t bet = -3 * RIVERS;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        bet += outlook->gain[hand_suit(six, suit)];
    row(context, &(struct audit_row){.stage = 1,
                                     .hand = six,
                                     .deals = deals,
                                     .bet = ratio_make(bet, RIVERS),
                                     .not_bet = ratio_make(-2, 1),
                                     .bets = bet > -2 * RIVERS});
}

struct six_rows {
    const struct outlook *outlook;
    audit_row_fn row;
    void *context;
};

static void six_row(void *context, const struct suit_class *six)
{
    const struct six_rows *rows = context;

    second_decision(six->hand, six->weight, rows->outlook, rows->row, rows->context);
}

static void decisions(const void *opaque, const int64_t *sums, unsigned t, audit_row_fn row,
                      void *context)
{
    const struct flush_rush_plan *plan = opaque;
    struct six_rows rows = {&plan->outlook[t], row, context};

    for (size_t i = 0; i < QUAD_CLASSES; i++) {
        int64_t value = sums[(i * ante_tables(plan)->count + t) * FOUND + FOUND_VALUE];

        row(context, &(struct audit_row){.hand = plan->hands[i].hand,
                                         .deals = plan->hands[i].weight,
                                         .bet = ratio_make(value, (wide_t)FLOPS * RIVERS),
                                         .not_bet = ratio_make(-1, 1),
                                         .bets = value > -(int64_t)FLOPS * RIVERS});
    }
    suit_classes_each(6, six_row, &rows);
}

static size_t entries(const void *opaque, const int64_t *sums, struct audit_entry *entry)
{
    const struct flush_rush_plan *plan = opaque;
    const struct audit_tables *side = &plan->request.tables[FLUSH_RUSH_ALL_OR_NOTHING];
    size_t count = 0;

    for (unsigned t = 0; t < ante_tables(plan)->count; t++)
        main_entry(plan, t, sums, &entry[count++]);
    for (unsigned t = 0; t < side->count; t++) {
        struct line_counts counts;

        count_few_card_lines(4, side->table[t], flush_rush_all_or_nothing_lines, &counts);
        audit_entry_by_lines(&entry[count++], &plan->request, FLUSH_RUSH_ALL_OR_NOTHING,
                             side->table[t], &counts);
    }
    return count;
}

const struct audit_method flush_rush_audit = {
    .dealt = {{FLUSH_RUSH_ANTE, 7, flush_rush_ante_lines},
              {FLUSH_RUSH_ALL_OR_NOTHING, 4, flush_rush_all_or_nothing_lines}},
    .units = QUAD_CLASSES,
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
    .decisions = decisions,
};
