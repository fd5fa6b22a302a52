#include <stdlib.h>
#include <string.h>

#include "games/audit_lines.h"
#include "games/audit_method.h"
#include "games/audit_showdown.h"
#include "games/audit_suits.h"
#include "games/chase_the_flush.h"

/*
 * A unit takes one canonical board and plays every hand on it to the end. What it finds is added
 * to each of the six ways to split the board into a flop and what came after, renamed so that the
 * flop is canonical. After all units a record per (flop, hand) holds what the second decision needs
 * to know, added up over every deal that its suits can be renamed into.
 */
#define SPLITS     6
#define FLOPS      1176
#define LATER      1081 /* turns and rivers after a flop */
#define PAIR_COUNT 1326
#define LENGTHS    8

/* Sums of a record, per table. */
enum {
    SUM_BET_2, /* net of betting 2x on the flop */
    SUM_RIVER, /* net of waiting: the better of 1x and folding */
    SUM_FOLDS, /* upper half: deals in which the river folds; lower half: what those would win */
    SUMS
};

#define FOLD_SHIFT 32
#define LANES_MAX  (SUMS * AUDIT_TABLES_MAX)

/* Sums of a class of hands, whatever the table; before the records. */
enum { CLASS_LEAD, CLASS_WINS, CLASS_SUMS };

/* Then, before the records too, wins by length of the flush. */
#define WINS_AT    (TRIPLE_CLASSES * CLASS_SUMS)
#define RECORDS_AT (WINS_AT + LENGTHS)

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
    int32_t pay[AUDIT_TABLES_MAX][LENGTHS];
};

struct chase_scratch {
    struct showdown showdown;
    unsigned count;
    uint16_t triple[SHOWDOWN_HANDS];
    int64_t value[SHOWDOWN_HANDS * LANES_MAX];
};

static const struct audit_tables *x_tra_tables(const struct chase_plan *plan)
{
    return &plan->request.tables[CHASE_X_TRA];
}

static unsigned lanes_of(const struct chase_plan *plan)
{
    return SUMS * x_tra_tables(plan)->count;
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
    for (unsigned t = 0; t < x_tra_tables(plan)->count; t++)
        for (unsigned length = 0; length < LENGTHS; length++) {
            const struct paytable *table = x_tra_tables(plan)->table[t];
            int line = paytable_line(table, chase_x_tra_lines(flush_make(length, 0)));

            plan->pay[t][length] = line < 0 ? 0 : table->pays[line].amount;
        }
    return plan;
}

static size_t plan_sums(const void *opaque)
{
    const struct chase_plan *plan = opaque;

    return RECORDS_AT + (size_t)plan->record_count * lanes_of(plan);
}

/*
 * One hand on one board against all dealer's hands, per table: ante and x-tra are decided by the
 * showdown, the all-in bet adds its multiple of `lead`.
 */
static void value_hand(const struct chase_plan *plan, const struct showdown_hand *hand,
                       int64_t weight, int64_t *value)
{
    bool good = hand->rank >= plan->ranks.qualifies;
    unsigned length = plan->ranks.length[hand->rank];
    int64_t losses = SHOWDOWN_DEALERS - hand->wins - hand->ties;
    int64_t lead = hand->wins - losses;
    int64_t ante =
        good ? hand->wins - hand->unqualified - losses : hand->unqualified - SHOWDOWN_DEALERS;
    int64_t fold = -2 * SHOWDOWN_DEALERS;

    for (unsigned t = 0; t < x_tra_tables(plan)->count; t++, value += SUMS) {
        int64_t at_stake = ante + hand->wins * (int64_t)plan->pay[t][length] - losses;
        int64_t call = at_stake + lead;

        value[SUM_BET_2] = (at_stake + 2 * lead) * weight;
        value[SUM_RIVER] = (call > fold ? call : fold) * weight;
        value[SUM_FOLDS] = call > fold ? 0 : (INT64_C(1) << FOLD_SHIFT | hand->wins) * weight;
    }
}

static void value_hands(const struct chase_plan *plan, struct chase_scratch *scratch,
                        uint32_t board_weight, const uint8_t *orbit, int64_t *sums)
{
    unsigned lanes = lanes_of(plan), count = 0;

    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
        const struct showdown_hand *hand = &scratch->showdown.hands[n];
        int64_t weight = (int64_t)board_weight * orbit[hand->triple];
        int64_t *class = sums + CLASS_SUMS * plan->triples.class[hand->triple];

        if (!weight)
            continue;
        class[CLASS_LEAD] += weight * (2 * hand->wins + hand->ties - SHOWDOWN_DEALERS);
        class[CLASS_WINS] += weight * hand->wins;
        sums[WINS_AT + plan->ranks.length[hand->rank]] += weight * hand->wins;
        value_hand(plan, hand, weight, scratch->value + count * lanes);
        scratch->triple[count++] = hand->triple;
    }
    scratch->count = count;
}

/* Inlined with a constant number of lanes where it counts. */
static inline __attribute__((always_inline)) void
add_lanes(const struct chase_scratch *scratch, unsigned lanes, const uint16_t *reordered,
          const uint16_t *record, int64_t *restrict records)
{
    for (unsigned n = 0; n < scratch->count; n++) {
        const int64_t *value = scratch->value + (size_t)n * lanes;
        int64_t *sum = records + (size_t)record[reordered[scratch->triple[n]]] * lanes;

        for (unsigned lane = 0; lane < lanes; lane++)
            sum[lane] += value[lane];
    }
}

static void add_split(const struct chase_plan *plan, const struct chase_scratch *scratch,
                      hand_t flop, int64_t *sums)
{
    unsigned lanes = lanes_of(plan), order = suits_canonical_order(flop);
    unsigned f = plan->flop_of_pair[pair_index(suits_reorder(flop, order))];
    int64_t *records = sums + RECORDS_AT + (size_t)plan->first_record[f] * lanes;

    if (lanes == 2 * SUMS)
        add_lanes(scratch, 2 * SUMS, plan->triples.reordered[order], plan->record[f], records);
    else
        add_lanes(scratch, lanes, plan->triples.reordered[order], plan->record[f], records);
}

static void unit(const void *opaque, size_t index, void *opaque_scratch, int64_t *sums)
{
    const struct chase_plan *plan = opaque;
    struct chase_scratch *scratch = opaque_scratch;
    const struct suit_class *board = &plan->boards[index];
    const uint8_t *orbit = plan->triples.orbit[suits_pattern(board->hand)];

    showdown_run(&scratch->showdown, &plan->ranks, board->hand, orbit);
    value_hands(plan, scratch, board->weight, orbit, sums);
    for (hand_t first = board->hand; first; first &= first - 1)
        for (hand_t second = first & (first - 1); second; second &= second - 1)
            add_split(plan, scratch, (first & -first) | (second & -second), sums);
}

/* What the flop decisions of a class of hands come to. */
struct flop_play {
    wide_t bet_2;    /* net if 2x were bet on every flop */
    wide_t best;     /* net of the better of 2x and waiting */
    int64_t bets;    /* flops, with their hands, on which 2x is better */
    int64_t folds;   /* deals folded on the river otherwise */
    int64_t forgone; /* wins among the folded */
};

static void play_flops(const struct chase_plan *plan, unsigned t, const int64_t *sums,
                       struct flop_play play[TRIPLE_CLASSES])
{
    memset(play, 0, TRIPLE_CLASSES * sizeof *play);
    for (unsigned f = 0; f < PAIR_CLASSES; f++) {
        const uint8_t *orbit = plan->triples.orbit[suits_pattern(plan->flops[f].hand)];

        for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
            struct flop_play *at = &play[plan->triples.class[i]];
            size_t record = plan->first_record[f] + plan->record[f][i];
            const int64_t *sum = sums + RECORDS_AT + record * lanes_of(plan) + t * SUMS;

            if (!orbit[i] || plan->triples.hand[i] & plan->flops[f].hand)
                continue;
            at->bet_2 += sum[SUM_BET_2];
            if (sum[SUM_BET_2] > sum[SUM_RIVER]) {
                at->best += sum[SUM_BET_2];
                at->bets += (int64_t)plan->flops[f].weight * orbit[i];
            } else {
                at->best += sum[SUM_RIVER];
                at->folds += sum[SUM_FOLDS] >> FOLD_SHIFT;
                at->forgone += sum[SUM_FOLDS] & UINT32_MAX;
            }
        }
    }
}

static void count_x_tra_lines(const struct paytable *table, const int64_t *sums,
                              struct line_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->of = (int64_t)TRIPLE_COUNT * (FLOPS / SPLITS) * LATER * SHOWDOWN_DEALERS;
    for (unsigned length = 0; length < LENGTHS; length++) {
        int line = paytable_line(table, chase_x_tra_lines(flush_make(length, 0)));

        if (line >= 0)
            counts->line[line] += sums[WINS_AT + length];
    }
}

static void main_entry(const struct chase_plan *plan, unsigned t, const int64_t *sums,
                       struct audit_entry *entry)
{
    const struct game *game = plan->request.game;
    const struct paytable *table = x_tra_tables(plan)->table[t];
    const wide_t deals = (wide_t)TRIPLE_COUNT * FLOPS * LATER;
    wide_t value = 0, hits = 0, bets_3 = 0, bets_2 = 0, folds = 0, bets_1;
    struct flop_play play[TRIPLE_CLASSES];
    struct line_counts counts;

    play_flops(plan, t, sums, play);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++) {
        const int64_t *class = sums + CLASS_SUMS * i;
        wide_t bet_3 = play[i].bet_2 + (wide_t)SPLITS * class[CLASS_LEAD];

        hits += (wide_t)SPLITS * class[CLASS_WINS];
        if (bet_3 > play[i].best) {
            value += bet_3;
            bets_3 += (wide_t)plan->triples.classes[i].weight * FLOPS * LATER;
        } else {
            value += play[i].best;
            bets_2 += (wide_t)play[i].bets * LATER;
            folds += play[i].folds;
            hits -= play[i].forgone;
        }
    }
    bets_1 = deals - bets_3 - bets_2 - folds;
    count_x_tra_lines(table, sums, &counts);
    audit_entry_init(entry, &plan->request, game->wagers[CHASE_ANTE].name,
                     &game->wagers[CHASE_X_TRA], table, &counts);
    entry->ev = ratio_make(value, deals * SHOWDOWN_DEALERS);
    entry->average_wager = ratio_make(2 * deals + 3 * bets_3 + 2 * bets_2 + bets_1, deals);
    entry->hit_frequency = ratio_make(hits, deals * SHOWDOWN_DEALERS);
    audit_entry_share(entry, "bet-3x", bets_3, deals);
    audit_entry_share(entry, "bet-2x", bets_2, deals);
    audit_entry_share(entry, "bet-1x", bets_1, deals);
    audit_entry_share(entry, "fold", folds, deals);
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
    size_t count = 0;

    for (unsigned t = 0; t < x_tra_tables(plan)->count; t++)
        main_entry(plan, t, sums, &entry[count++]);
    count += side_entries(plan, CHASE_SAME_SUIT, chase_same_suit_lines, &entry[count]);
    return count + side_entries(plan, CHASE_STAX, chase_stax_lines, &entry[count]);
}

const struct audit_method audit_chase_the_flush = {
    .game = &game_chase_the_flush,
    .units = QUAD_CLASSES,
    .scratch_size = sizeof(struct chase_scratch),
    .plan = plan_new,
    .sums = plan_sums,
    .unit = unit,
    .entries = entries,
};
