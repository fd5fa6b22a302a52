/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "games/audit/lines.h"
#include "games/audit/suits.h"
#include "games/three_card_poker/three_card_poker.h"

/* A unit takes one canonical hand of the player and deals the dealer every hand beside it. */
#define DEALERS 18424

/* Sums of a class of hands: dealer's hands by how they end; what is left ties. */
enum { DEALER_BEATEN, DEALER_WINS, DEALER_UNQUALIFIED, CLASS_SUMS };

struct poker_plan {
    struct audit_request request;
    struct triples triples;
    three_t three[TRIPLE_COUNT];
};

static void *plan_new(const struct audit_request *request)
{
    struct poker_plan *plan = calloc(1, sizeof *plan);

    if (!plan)
        return NULL;
    plan->request = *request;
    triples_init(&plan->triples);
    for (unsigned i = 0; i < TRIPLE_COUNT; i++)
        plan->three[i] = poker_three(plan->triples.hand[i]);
    return plan;
}

static size_t plan_sums(const void *opaque)
{
    (void)opaque;
    return (size_t)TRIPLE_CLASSES * CLASS_SUMS;
}

static void unit(const void *opaque, size_t index, void *scratch, int64_t *sums)
{
    const struct poker_plan *plan = opaque;
    hand_t hand = plan->triples.classes[index].hand;
    three_t player = poker_three(hand);
    const uint8_t *orbit = plan->triples.orbit[suits_pattern(hand)];
    int64_t *class = sums + index * CLASS_SUMS;

    (void)scratch;
    for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
        three_t dealer = plan->three[i];

        if (!orbit[i] || plan->triples.hand[i] & hand)
            continue;
        if (!poker_qualifies(dealer))
            class[DEALER_UNQUALIFIED] += orbit[i];
        else if (player > dealer)
            class[DEALER_BEATEN] += orbit[i];
        else if (player < dealer)
            class[DEALER_WINS] += orbit[i];
    }
}

static int64_t bonus_of(const struct paytable *table, hand_t hand)
{
    int line = paytable_line(table, poker_bonus_lines(hand));

    return line < 0 ? 0 : table->pays[line].amount;
}

/* What playing nets against all of the dealer's hands. */
static int64_t value_of(const int64_t *class, int64_t bonus)
{
    return 2 * (class[DEALER_BEATEN] - class[DEALER_WINS]) + class[DEALER_UNQUALIFIED] +
           bonus * DEALERS;
}

/* Of those, how many the player gains by: ante, bonus and play together come to more than 0. */
static int64_t hits_of(const int64_t *class, int64_t bonus)
{
    int64_t hits = class[DEALER_BEATEN] + class[DEALER_UNQUALIFIED];

    if (bonus > 0)
        hits = DEALERS - class[DEALER_WINS];
    return bonus > 2 ? DEALERS : hits;
}

static void add_ends(struct audit_law *law, const int64_t *class, int64_t bonus, wide_t weight)
{
    int64_t ties = DEALERS - class[DEALER_BEATEN] - class[DEALER_WINS] - class[DEALER_UNQUALIFIED];

    law_add(law, bonus + 2, weight * class[DEALER_BEATEN]);
    law_add(law, bonus + 1, weight * class[DEALER_UNQUALIFIED]);
    law_add(law, bonus, weight * ties);
    law_add(law, bonus - 2, weight * class[DEALER_WINS]);
}

/* Each play has a rule of its own; of equal worth the one that stakes less is taken. */
enum { PLAY_RULES, PLAY_ALWAYS, PLAY_QUEEN, PLAY_PAIR, PLAY_COUNT };

static const char *const play_names[PLAY_COUNT] = {
    [PLAY_RULES] = "by the rules",
    [PLAY_ALWAYS] = "never fold",
    [PLAY_QUEEN] = "play any queen or better, what a dealer qualifies with",
    [PLAY_PAIR] = "play a pair or better only",
};

static const char *const rules[] = {"play queen-six-four or better, fold everything else", NULL};

static bool play_bets(unsigned play, hand_t hand)
{
    switch (play) {
    case PLAY_RULES:
        return poker_bets(NULL, hand, 0);
    case PLAY_QUEEN:
        return poker_qualifies(poker_three(hand));
    case PLAY_PAIR:
        return three_category(poker_three(hand)) >= THREE_PAIR;
    default:
        return true;
    }
}

struct poker_totals {
    wide_t value, hits, played, pays;
    wide_t plays[PLAY_COUNT];
};

static void add_class(const struct suit_class *hands, const struct paytable *table,
                      const int64_t *class, struct poker_totals *totals, struct audit_law *law)
{
    int64_t bonus = bonus_of(table, hands->hand), value = value_of(class, bonus);
    wide_t weight = hands->weight;
    bool plays = value > -DEALERS;

    totals->value += weight * (plays ? value : -DEALERS);
    for (unsigned play = 0; play < PLAY_COUNT; play++)
        totals->plays[play] += weight * (play_bets(play, hands->hand) ? value : -DEALERS);
    if (!plays) {
        law_add(law, -1, weight * DEALERS);
        return;
    }
    totals->hits += weight * hits_of(class, bonus);
    totals->played += weight;
    totals->pays += weight * bonus * DEALERS;
    add_ends(law, class, bonus, weight);
}

static void main_entry(const struct poker_plan *plan, const struct paytable *table,
                       const int64_t *sums, struct audit_entry *entry)
{
    const struct wager *ante = &plan->request.game->wagers[POKER_ANTE];
    const wide_t deals = (wide_t)TRIPLE_COUNT * DEALERS;
    struct poker_totals totals = {0};
    struct line_counts counts;

    count_few_card_lines(3, table, poker_bonus_lines, &counts);
    audit_entry_init(entry, &plan->request, ante->name, ante, table, &counts);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++)
        add_class(&plan->triples.classes[i], table, sums + (size_t)i * CLASS_SUMS, &totals,
                  &entry->law);
    entry->ev = ratio_make(totals.value, deals);
    entry->average_wager = ratio_make(TRIPLE_COUNT + totals.played, TRIPLE_COUNT);
    entry->hit_frequency = ratio_make(totals.hits, deals);
    entry->rules = rules;
    audit_entry_parts(entry, totals.pays);
    for (unsigned play = 0; play < PLAY_COUNT; play++)
        audit_entry_play(entry, play_names[play], totals.plays[play]);
    audit_entry_share(entry, "play", totals.played, TRIPLE_COUNT);
    audit_entry_share(entry, "fold", TRIPLE_COUNT - totals.played, TRIPLE_COUNT);
}

static void decisions(const void *opaque, const int64_t *sums, unsigned t, audit_row_fn row,
                      void *context)
{
    const struct poker_plan *plan = opaque;
    const struct paytable *table = plan->request.tables[POKER_ANTE].table[t];

    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        const struct suit_class *hands = &plan->triples.classes[i];
        int64_t value = value_of(sums + (size_t)i * CLASS_SUMS, bonus_of(table, hands->hand));

        row(context, &(struct audit_row){.hand = hands->hand,
                                         .deals = hands->weight,
                                         .bet = ratio_make(value, DEALERS),
                                         .not_bet = ratio_make(-1, 1),
                                         .bets = value > -DEALERS});
    }
}

static size_t entries(const void *opaque, const int64_t *sums, struct audit_entry *entry)
{
    const struct poker_plan *plan = opaque;
    const struct audit_tables *bonuses = &plan->request.tables[POKER_ANTE];
    const struct audit_tables *pair_plus = &plan->request.tables[POKER_PAIR_PLUS];
    struct line_counts counts;
    size_t count = 0;

    for (unsigned t = 0; t < bonuses->count; t++)
        main_entry(plan, bonuses->table[t], sums, &entry[count++]);
    for (unsigned t = 0; t < pair_plus->count; t++) {
        count_few_card_lines(3, pair_plus->table[t], poker_pair_plus_lines, &counts);
        audit_entry_by_lines(&entry[count++], &plan->request, POKER_PAIR_PLUS, pair_plus->table[t],
                             &counts);
    }
    return count;
}

const struct audit_method poker_audit = {
    .dealt = {{POKER_PAIR_PLUS, 3, poker_pair_plus_lines}},
    .units = TRIPLE_CLASSES,
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
    .decisions = decisions,
};
