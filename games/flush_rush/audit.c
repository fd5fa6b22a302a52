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
 * losing three units, `hits` how many of the cards win.
 */
struct outlook {
    int64_t gain[8192];
    uint8_t hits[8192];
};

struct flush_rush_plan {
    struct audit_request request;
    struct suit_class hands[QUAD_CLASSES];
    struct outlook outlook[AUDIT_TABLES_MAX];
};

/* What a unit finds for one hand and one table. */
enum { FOUND_VALUE, FOUND_FOLDS, FOUND_HITS, FOUND };

static const struct audit_tables *ante_tables(const struct flush_rush_plan *plan)
{
    return &plan->request.tables[FLUSH_RUSH_ANTE];
}

/* A win pays the ante by its line and two bets 1 to 1, where a loss would have cost all three. */
static int64_t gain_of(const struct paytable *table, unsigned mask)
{
    int line = paytable_line(table, flush_rush_ante_lines(mask));

    return line < 0 ? 0 : (int64_t)table->pays[line].amount + 2 + 3;
}

static void outlook_init(struct outlook *outlook, const struct paytable *table)
{
    for (unsigned mask = 0; mask < 8192; mask++) {
        unsigned count = hand_count(mask), elsewhere = RIVERS - RANK_COUNT + count;
        int64_t now;

        if (count > 6)
            continue;
        now = gain_of(table, mask);
        outlook->gain[mask] = now * elsewhere;
        outlook->hits[mask] = (uint8_t)(now ? elsewhere : 0);
        for (unsigned rank = 0; rank < RANK_COUNT; rank++) {
            int64_t then = mask >> rank & 1 ? 0 : gain_of(table, mask | 1u << rank);

            outlook->gain[mask] += then;
            outlook->hits[mask] = (uint8_t)(outlook->hits[mask] + (then != 0));
        }
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
static void decide(const struct outlook *outlook, hand_t six, int64_t found[FOUND])
{
    int64_t bet = -3 * RIVERS, fold = -2 * RIVERS, hits = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        bet += outlook->gain[hand_suit(six, suit)];
        hits += outlook->hits[hand_suit(six, suit)];
    }
    found[FOUND_VALUE] += bet > fold ? bet : fold;
    found[FOUND_FOLDS] += bet <= fold;
    found[FOUND_HITS] += bet > fold ? hits : 0;
}

static void unit(const void *opaque, size_t index, void *scratch, int64_t *sums)
{
    const struct flush_rush_plan *plan = opaque;
    unsigned tables = ante_tables(plan)->count;
    hand_t hand = plan->hands[index].hand;

    (void)scratch;
    for (hand_t first = HAND_DECK & ~hand; first; first &= first - 1)
        for (hand_t second = first & (first - 1); second; second &= second - 1)
            for (unsigned t = 0; t < tables; t++)
                decide(&plan->outlook[t], hand | (first & -first) | (second & -second),
                       sums + (index * tables + t) * FOUND);
}

static void main_entry(const struct flush_rush_plan *plan, unsigned t, const int64_t *sums,
                       struct audit_entry *entry)
{
    const struct wager *ante = &plan->request.game->wagers[FLUSH_RUSH_ANTE];
    const struct paytable *table = ante_tables(plan)->table[t];
    wide_t value = 0, hits = 0, hands = 0, fold_1 = 0, fold_2 = 0, deals;
    struct line_counts counts;

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
            hits += weight * found[FOUND_HITS];
        }
    }
    count_seven_card_lines(table, flush_rush_ante_lines, &counts);
    audit_entry_init(entry, &plan->request, ante->name, ante, table, &counts);
    deals = hands * FLOPS;
    fold_1 *= FLOPS;
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
