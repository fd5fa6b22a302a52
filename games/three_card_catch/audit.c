/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "games/audit/lines.h"
#include "games/audit/suits.h"
#include "games/three_card_catch/rules.h"
#include "games/three_card_catch/three_card_catch.h"

/*
 * A unit takes one canonical hand of the player and deals the dealer every hand beside it, then
 * both their draws. Draws are not tried against each other one by one: the player's possible draws
 * are sorted into levels of equal worth, the dealer's are counted between those levels.
 */
#define DEALERS    18424
#define DRAWS      46
#define DRAW_PAIRS (DRAWS * (DRAWS - 1))
#define BESIDE     49 /* cards that are not the player's */
#define RANKS_MAX  1024
#define NO_RANK    (RANKS_MAX - 1) /* of drawing a card that one holds: above all others */

/* Sums of a class of hands; then wins by line, for each table. */
enum { CLASS_WINS, CLASS_TIES, CLASS_LINES };

struct catch_plan {
    struct audit_request request;
    struct triples triples;
    bool natural[TRIPLE_COUNT];
    uint16_t rank[TRIPLE_COUNT];             /* dense, of the first three cards */
    uint16_t drawn[TRIPLE_COUNT][DECK_SIZE]; /* of the best three of four, by the card drawn */
    three_t worth[RANKS_MAX]; /* every worth that three cards can have, from the lowest up */
    unsigned worth_count;
};

/* The player's draws, sorted. */
struct levels {
    unsigned count;
    uint8_t cards[BESIDE];      /* how many reach the level */
    uint8_t card[BESIDE];       /* dense indices, those of the lowest level first */
    uint8_t of_card[DECK_SIZE]; /* by dense index */
    /* Twice the levels below a rank, and one more if the rank is a level itself. */
    uint8_t place[RANKS_MAX];
    int64_t wins[BESIDE];
    int64_t ties;
};

static const struct audit_tables *x_tra_tables(const struct catch_plan *plan)
{
    return &plan->request.tables[CATCH_X_TRA];
}

static size_t class_sums(const struct catch_plan *plan)
{
    return CLASS_LINES + (size_t)LINES_MAX * x_tra_tables(plan)->count;
}

/* The first worth that is not below. */
static unsigned rank_of(const struct catch_plan *plan, three_t three)
{
    unsigned low = 0, high = plan->worth_count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (plan->worth[middle] < three)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void init_worths(struct catch_plan *plan)
{
    for (unsigned class = 0; class < TRIPLE_CLASSES; class ++) {
        three_t three = hand_three(plan->triples.classes[class].hand, plan->request.ace_low);
        unsigned rank = rank_of(plan, three);

        if (rank < plan->worth_count && plan->worth[rank] == three)
            continue;
        memmove(&plan->worth[rank + 1], &plan->worth[rank],
                (plan->worth_count++ - rank) * sizeof plan->worth[0]);
        plan->worth[rank] = three;
    }
}

static void init_drawn(struct catch_plan *plan, unsigned index)
{
    hand_t hand = plan->triples.hand[index];
    bool ace_low = plan->request.ace_low;
    three_t first = hand_three(hand, ace_low);

    plan->rank[index] = (uint16_t)rank_of(plan, first);
    plan->natural[index] = three_natural(first);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        hand_t card = hand_card(card_from_index(i));

        plan->drawn[index][i] = NO_RANK;
        if (!(hand & card))
            plan->drawn[index][i] = (uint16_t)rank_of(plan, hand_best_three(hand | card, ace_low));
    }
}

static void *plan_new(const struct audit_request *request)
{
    struct catch_plan *plan = calloc(1, sizeof *plan);

    if (!plan)
        return NULL;
    plan->request = *request;
    triples_init(&plan->triples);
    init_worths(plan);
    for (unsigned i = 0; i < TRIPLE_COUNT; i++)
        init_drawn(plan, i);
    return plan;
}

static size_t plan_sums(const void *opaque)
{
    return TRIPLE_CLASSES * class_sums(opaque);
}

static void levels_init(struct levels *levels, const struct catch_plan *plan, unsigned player)
{
    const uint16_t *drawn = plan->drawn[player];
    uint8_t cards[RANKS_MAX] = {0}, starts[BESIDE + 1] = {0};

    memset(levels, 0, sizeof *levels);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        cards[drawn[i]]++;
    cards[NO_RANK] = 0;
    for (unsigned rank = 0; rank < RANKS_MAX; rank++) {
        unsigned level = levels->count;

        levels->place[rank] = (uint8_t)(2 * level + (cards[rank] != 0));
        if (!cards[rank])
            continue;
        levels->cards[level] = cards[rank];
        starts[level + 1] = (uint8_t)(starts[level] + cards[rank]);
        levels->count++;
    }
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        levels->of_card[i] = levels->place[drawn[i]] / 2;
        if (drawn[i] != NO_RANK)
            levels->card[starts[levels->of_card[i]]++] = (uint8_t)i;
    }
}

/*
 * Both draw. The dealer's draws are counted by their place among the player's levels; a card that
 * both would draw is taken out again.
 */
static void both_draw(struct levels *levels, const uint16_t *drawn, const uint8_t *held,
                      int64_t weight)
{
    const uint8_t *card = levels->card;
    uint8_t places[2 * BESIDE + 1] = {0};
    int doubled[BESIDE], below = 0, ties = 0;

    for (unsigned level = 0; level < levels->count; level++) {
        doubled[level] = 0;
        for (unsigned n = levels->cards[level]; n; n--) {
            unsigned place = levels->place[drawn[*card++]];

            places[place]++;
            doubled[level] += place <= 2 * level;
            ties -= place == 2 * level + 1;
        }
    }
    for (unsigned level = 0; level < levels->count; level++) {
        int cards = levels->cards[level] - (levels->of_card[held[0]] == level) -
                    (levels->of_card[held[1]] == level) - (levels->of_card[held[2]] == level);

        below += places[2 * level];
        levels->wins[level] += weight * (cards * below - doubled[level]);
        ties += cards * places[2 * level + 1];
        below += places[2 * level + 1];
    }
    levels->ties += weight * ties;
}

/* A natural is compared as it was dealt, and against a natural every other hand loses. */
static void first_cards(struct levels *levels, const struct catch_plan *plan, unsigned player,
                        unsigned dealer, int64_t weight)
{
    if (plan->rank[player] > plan->rank[dealer])
        levels->wins[0] += weight * DRAW_PAIRS;
    else if (plan->rank[player] == plan->rank[dealer])
        levels->ties += weight * DRAW_PAIRS;
}

/* The player's hand after a draw, or as it was dealt. */
static struct catch_hand make_hand(const struct catch_plan *plan, unsigned triple, bool drew,
                                   card_t card)
{
    const uint8_t *held = plan->triples.cards[triple];
    const card_t cards[4] = {card_from_index(held[0]), card_from_index(held[1]),
                             card_from_index(held[2]), card};

    return catch_hand_make(cards, drew ? 4 : 3, plan->request.ace_low);
}

static void add_levels(const struct catch_plan *plan, const struct levels *levels, unsigned player,
                       int64_t *class)
{
    const uint8_t *card = levels->card;
    bool drew = !plan->natural[player];

    class[CLASS_TIES] += levels->ties;
    for (unsigned level = 0; level < (drew ? levels->count : 1); level++) {
        struct catch_hand hand = make_hand(plan, player, drew, card_from_index(*card));
        lines_t lines = catch_x_tra_lines(&hand);

        card += levels->cards[level];
        class[CLASS_WINS] += levels->wins[level];
        for (unsigned t = 0; t < x_tra_tables(plan)->count; t++) {
            int line = paytable_line(x_tra_tables(plan)->table[t], lines);

            if (line >= 0)
                class[CLASS_LINES + t * LINES_MAX + (unsigned)line] += levels->wins[level];
        }
    }
}

static void unit(const void *opaque, size_t index, void *scratch, int64_t *sums)
{
    const struct catch_plan *plan = opaque;
    struct levels *levels = scratch;
    hand_t hand = plan->triples.classes[index].hand;
    unsigned player = triple_of_hand(hand);
    const uint8_t *orbit = plan->triples.orbit[suits_pattern(hand)];

    levels_init(levels, plan, player);
    for (unsigned dealer = 0; dealer < TRIPLE_COUNT; dealer++) {
        if (!orbit[dealer] || plan->triples.hand[dealer] & hand)
            continue;
        if (!plan->natural[player] && !plan->natural[dealer])
            both_draw(levels, plan->drawn[dealer], plan->triples.cards[dealer], orbit[dealer]);
        else
            first_cards(levels, plan, player, dealer, orbit[dealer]);
    }
    add_levels(plan, levels, player, sums + index * class_sums(plan));
}

/* Whether a class of hands plays, and what that nets: fold costs ante and x-tra. */
static bool plays(const struct catch_plan *plan, unsigned t, const int64_t *class, wide_t *value)
{
    const struct paytable *table = x_tra_tables(plan)->table[t];
    const int64_t *lines = class + CLASS_LINES + t * LINES_MAX;
    const int64_t all = (int64_t)DEALERS * DRAW_PAIRS;
    int64_t losses = all - class[CLASS_WINS] - class[CLASS_TIES];

    *value = 2 * ((wide_t) class[CLASS_WINS] - losses) - losses;
    for (unsigned line = 0; line < LINES_MAX; line++)
        *value += (wide_t)lines[line] * table->pays[line].amount;
    return *value > -2 * (wide_t)all;
}

/* What playing a class of hands ends with; a win without a line pushes x-tra. */
static void add_ends(const struct catch_plan *plan, unsigned t, const int64_t *class, wide_t weight,
                     struct audit_law *law)
{
    const struct paytable *table = x_tra_tables(plan)->table[t];
    const int64_t *lines = class + CLASS_LINES + t * LINES_MAX;
    int64_t unpaid = class[CLASS_WINS];

    for (unsigned line = 0; line < LINES_MAX; line++) {
        law_add(law, 2 + table->pays[line].amount, weight * lines[line]);
        unpaid -= lines[line];
    }
    law_add(law, 2, weight * unpaid);
    law_add(law, 0, weight * class[CLASS_TIES]);
    law_add(law, -3,
            weight * ((int64_t)DEALERS * DRAW_PAIRS - class[CLASS_WINS] - class[CLASS_TIES]));
}

struct catch_totals {
    wide_t value, wins, played, pays;
    wide_t plays[CATCH_PLAYS];
    struct line_counts counts;
    struct audit_law law;
};

static void add_class(const struct catch_plan *plan, unsigned t, unsigned index,
                      const int64_t *class, struct catch_totals *totals)
{
    const wide_t all = (wide_t)DEALERS * DRAW_PAIRS;
    const int64_t *lines = class + CLASS_LINES + t * LINES_MAX;
    const struct suit_class *hands = &plan->triples.classes[index];
    int64_t weight = hands->weight;
    wide_t value;
    bool is_played = plays(plan, t, class, &value);

    for (unsigned line = 0; line < LINES_MAX; line++)
        totals->counts.line[line] += weight * lines[line];
    totals->value += weight * (is_played ? value : -2 * all);
    for (unsigned play = 0; play < CATCH_PLAYS; play++)
        totals->plays[play] +=
            weight * (catch_play_bets(play, hands->hand, plan->request.ace_low) ? value : -2 * all);
    if (!is_played) {
        law_add(&totals->law, -2, all * weight);
        return;
    }
    totals->wins += (wide_t)weight * class[CLASS_WINS];
    totals->played += weight;
    for (unsigned line = 0; line < LINES_MAX; line++)
        totals->pays +=
            (wide_t)weight * lines[line] * x_tra_tables(plan)->table[t]->pays[line].amount;
    add_ends(plan, t, class, weight, &totals->law);
}

static void main_entry(const struct catch_plan *plan, unsigned t, const int64_t *sums,
                       struct audit_entry *entry)
{
    const struct game *game = plan->request.game;
    const wide_t all = (wide_t)TRIPLE_COUNT * DEALERS * DRAW_PAIRS;
    struct catch_totals totals = {.counts = {.of = (int64_t)all}};

    law_init(&totals.law, 1);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++)
        add_class(plan, t, i, sums + i * class_sums(plan), &totals);
    audit_entry_init(entry, &plan->request, game->wagers[CATCH_ANTE].name,
                     &game->wagers[CATCH_X_TRA], x_tra_tables(plan)->table[t], &totals.counts);
    entry->law = totals.law;
    entry->ev = ratio_make(totals.value, all);
    entry->average_wager = ratio_make(2 * TRIPLE_COUNT + totals.played, TRIPLE_COUNT);
    entry->hit_frequency = ratio_make(totals.wins, all);
    entry->rules = catch_rules;
    audit_entry_parts(entry, totals.pays);
    for (unsigned play = 0; play < CATCH_PLAYS; play++)
        audit_entry_play(entry, catch_play_names[play], totals.plays[play]);
    audit_entry_share(entry, "play", totals.played, TRIPLE_COUNT);
    audit_entry_share(entry, "fold", TRIPLE_COUNT - totals.played, TRIPLE_COUNT);
}

static void decisions(const void *opaque, const int64_t *sums, unsigned t, audit_row_fn row,
                      void *context)
{
    const struct catch_plan *plan = opaque;

    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        wide_t value;
        bool bets = plays(plan, t, sums + i * class_sums(plan), &value);

        row(context, &(struct audit_row){.hand = plan->triples.classes[i].hand,
                                         .deals = plan->triples.classes[i].weight,
                                         .bet = ratio_make(value, (wide_t)DEALERS * DRAW_PAIRS),
                                         .not_bet = ratio_make(-2, 1),
                                         .bets = bets});
    }
}

static void count_natural_lines(const struct catch_plan *plan, const struct paytable *table,
                                struct line_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->of = TRIPLE_COUNT;
    for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
        three_t first = hand_three(plan->triples.hand[i], plan->request.ace_low);
        int line = paytable_line(table, catch_natural_pair_plus_lines(first));

        if (line >= 0)
            counts->line[line]++;
    }
}

/* Dealer's hands that draw: all, those that hold a card, those that hold a pair of cards. */
struct drawing_dealers {
    int all;
    int card[DECK_SIZE];
    int pair[DECK_SIZE][DECK_SIZE];
};

static void drawing_dealers_init(struct drawing_dealers *dealers, const struct catch_plan *plan)
{
    memset(dealers, 0, sizeof *dealers);
    for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
        const uint8_t *held = plan->triples.cards[i];

        if (plan->natural[i])
            continue;
        dealers->all++;
        for (unsigned a = 0; a < 3; a++) {
            dealers->card[held[a]]++;
            for (unsigned b = 0; b < 3; b++)
                dealers->pair[held[a]][held[b]] += a != b;
        }
    }
}

/* Those that hold none of the player's four cards, by inclusion and exclusion. */
static int dealers_beside(const struct drawing_dealers *dealers, const struct catch_plan *plan,
                          hand_t four)
{
    unsigned held[4] = {0}, count = 0;
    int beside = dealers->all;

    for (hand_t left = four; left; left &= left - 1) {
        held[count++] = card_index((card_t)__builtin_ctzll(left));
        beside -= !plan->natural[triple_of_hand(four & ~(left & -left))];
    }
    for (unsigned a = 0; a < 4; a++) {
        beside -= dealers->card[held[a]];
        for (unsigned b = 0; b < a; b++)
            beside += dealers->pair[held[a]][held[b]];
    }
    return beside;
}

static void add_progressive(struct line_counts *counts, const struct paytable *table,
                            const struct catch_hand *hand, int64_t deals)
{
    int line = paytable_line(table, catch_progressive_lines(hand));

    if (line >= 0)
        counts->line[line] += deals;
}

/*
 * A hand that folds or meets a natural is paid on its first three cards; who draws depends on the
 * main game's strategy, that of the default x-tra table.
 */
static void count_progressive_lines(const struct catch_plan *plan, const int64_t *sums,
                                    const struct paytable *table, struct line_counts *counts)
{
    unsigned main_table = plan->request.game->wagers[CATCH_X_TRA].default_table;
    struct drawing_dealers dealers;
    wide_t value;

    memset(counts, 0, sizeof *counts);
    counts->of = (int64_t)TRIPLE_COUNT * DEALERS * DRAW_PAIRS;
    drawing_dealers_init(&dealers, plan);
    for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
        const int64_t *class = sums + plan->triples.class[i] * class_sums(plan);
        struct catch_hand hand = make_hand(plan, i, false, 0);
        int64_t undrawn = (int64_t)DEALERS * DRAW_PAIRS;

        for (hand_t left = HAND_DECK & ~plan->triples.hand[i];
             left && !plan->natural[i] && plays(plan, main_table, class, &value);
             left &= left - 1) {
            card_t card = (card_t)__builtin_ctzll(left);
            struct catch_hand drawn = make_hand(plan, i, true, card);
            int64_t deals = (DRAWS - 1) * dealers_beside(&dealers, plan, drawn.cards);

            add_progressive(counts, table, &drawn, deals);
            undrawn -= deals;
        }
        add_progressive(counts, table, &hand, undrawn);
    }
}

static size_t entries(const void *opaque, const int64_t *sums, struct audit_entry *entry)
{
    const struct catch_plan *plan = opaque;
    const struct audit_tables *naturals = &plan->request.tables[CATCH_NATURAL_PAIR_PLUS];
    const struct audit_tables *progressive = &plan->request.tables[CATCH_PROGRESSIVE];
    struct line_counts counts;
    size_t count = 0;

    for (unsigned t = 0; t < x_tra_tables(plan)->count; t++)
        main_entry(plan, t, sums, &entry[count++]);
    for (unsigned t = 0; t < naturals->count; t++) {
        count_natural_lines(plan, naturals->table[t], &counts);
        audit_entry_by_lines(&entry[count++], &plan->request, CATCH_NATURAL_PAIR_PLUS,
                             naturals->table[t], &counts);
    }
    for (unsigned t = 0; t < progressive->count; t++) {
        count_progressive_lines(plan, sums, progressive->table[t], &counts);
        audit_entry_by_lines(&entry[count++], &plan->request, CATCH_PROGRESSIVE,
                             progressive->table[t], &counts);
    }
    return count;
}

/* By the sheet's reading of the ace. */
static lines_t dealt_lines(hand_t three)
{
    return catch_natural_pair_plus_lines(hand_three(three, true));
}

const struct audit_method catch_audit = {
    .dealt = {{CATCH_NATURAL_PAIR_PLUS, 3, dealt_lines}},
    .units = TRIPLE_CLASSES,
    .scratch_size = sizeof(struct levels),
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
    .decisions = decisions,
};
