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

/* What a unit finds for one hand and one table; hits are by line. */
enum { FOUND_VALUE, FOUND_FOLDS, FOUND_HITS, FOUND = FOUND_HITS + FLUSH_LINE_COUNT };

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

/* What betting twice ends with. */
static wide_t add_hits(struct audit_law *law, const struct paytable *table, const int64_t *hits,
                       wide_t weight)
{
    wide_t all = 0;

    for (unsigned line = 0; line < FLUSH_LINE_COUNT; line++) {
        law_add(law, gain_of(table, line) - 3, weight * hits[line]);
        all += weight * hits[line];
    }
    return all;
}

static void main_entry(const struct flush_rush_plan *plan, unsigned t, const int64_t *sums,
                       struct audit_entry *entry)
{
    const struct wager *ante = &plan->request.game->wagers[FLUSH_RUSH_ANTE];
    const struct paytable *table = ante_tables(plan)->table[t];
    wide_t value = 0, hits = 0, hands = 0, fold_1 = 0, fold_2 = 0, deals;
    struct line_counts counts;

    count_seven_card_lines(table, flush_rush_ante_lines, &counts);
    audit_entry_init(entry, &plan->request, ante->name, ante, table, &counts);
    for (unsigned i = 0; i < QUAD_CLASSES; i++) {
        const int64_t *found = sums + ((size_t)i * ante_tables(plan)->count + t) * FOUND;
        int64_t fold = -(int64_t)FLOPS * RIVERS, weight = plan->hands[i].weight;

        hands += weight;
        if (found[FOUND_VALUE] <= fold) {
            value += weight * fold;
            fold_1 += weight;
        } else {
            value += (wide_t)weight * found[FOUND_VALUE];
            fold_2 += weight * found[FOUND_FOLDS];
            hits += add_hits(&entry->law, table, found + FOUND_HITS, weight);
        }
    }
    deals = hands * FLOPS;
    fold_1 *= FLOPS;
    law_add(&entry->law, -1, fold_1 * RIVERS);
    law_add(&entry->law, -2, fold_2 * RIVERS);
    law_add(&entry->law, -3, (deals - fold_1 - fold_2) * RIVERS - hits);
    entry->ev = ratio_make(value, deals * RIVERS);
    entry->average_wager = ratio_make(3 * deals - 2 * fold_1 - fold_2, deals);
    entry->hit_frequency = ratio_make(hits, deals * RIVERS);
    audit_entry_share(entry, "fold-1", fold_1, deals);
    audit_entry_share(entry, "fold-2", fold_2, deals);
    audit_entry_share(entry, "bet-2", deals - fold_1 - fold_2, deals);
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
    .units = QUAD_CLASSES,
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
};
