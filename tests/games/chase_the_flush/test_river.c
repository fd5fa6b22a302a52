/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/river.h"

#include <stdlib.h>
#include <string.h>

#include "games/chase_the_flush/rules.h"
#include "games/game.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

#define DEALERS 14190

/* What is written of one board. */
struct board_rows {
    flush_t lowest;
    unsigned flushes, count;
    struct audit_row row[SHOWDOWN_HANDS];
};

struct bench {
    struct chase_plan *plan;
    struct chase_scratch *scratch;
    struct board_rows *rows;
    bool is_bet_on[TRIPLE_CLASSES];
};

static void bench_open(struct bench *bench)
{
    struct audit_request request;

    audit_request_init(&request, game_find("chase-the-flush"));
    bench->plan = chase_plan_new(&request);
    bench->scratch = malloc(sizeof *bench->scratch);
    bench->rows = malloc(sizeof *bench->rows);
    CU_ASSERT_FATAL(bench->plan && bench->scratch && bench->rows);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++)
        bench->is_bet_on[i] = chase_rule_3x(bench->plan->triples.classes[i].hand);
}

static void bench_close(struct bench *bench)
{
    free(bench->plan);
    free(bench->scratch);
    free(bench->rows);
}

static void take_row(void *context, const struct audit_row *row)
{
    struct board_rows *rows = context;

    CU_ASSERT_EQUAL(row->stage, 2);
    if (!row->flush) {
        rows->row[rows->count++] = *row;
        return;
    }
    CU_ASSERT(row->bets);
    rows->lowest = flush_make(hand_count(row->flush), row->flush);
    rows->flushes++;
}

static void read_board(struct bench *bench, unsigned board)
{
    bench->rows->flushes = bench->rows->count = 0;
    chase_river(bench->plan, bench->is_bet_on, board, bench->scratch, take_row, bench->rows);
    CU_ASSERT_EQUAL(bench->rows->flushes, 1);
}

/* What 1x is worth, dealer by dealer, straight from the rules; times 14,190. */
static int naive_bet(hand_t held, hand_t board)
{
    flush_t player = naive_flush(held | board);
    hand_t left = HAND_DECK & ~(held | board);
    int value = 0;

    for (hand_t a = left; a; a &= a - 1)
        for (hand_t b = a & (a - 1); b; b &= b - 1)
            for (hand_t c = b & (b - 1); c; c &= c - 1) {
                flush_t dealer = naive_flush(board | (a & -a) | (b & -b) | (c & -c));
                int ante = dealer >= flush_make(3, 1u << RANK_NINE);

                value += player > dealer ? ante + 1 : player < dealer ? -ante - 2 : 0;
            }
    return value;
}

/* What the table says to a hand that comes to the river, as a reader of it looks it up. */
static bool table_bets(const struct bench *bench, hand_t held, unsigned triple, unsigned pattern,
                       hand_t board)
{
    hand_t first = bench->plan->triples.hand[bench->plan->triples.first[pattern][triple]];

    for (unsigned i = 0; i < bench->rows->count; i++)
        if (bench->rows->row[i].hand == first)
            return bench->rows->row[i].bets;
    return naive_flush(held | board) >= bench->rows->lowest;
}

static void compare_hands(const struct bench *bench, unsigned board, uint64_t *seed)
{
    const struct suit_class *class = &bench->plan->boards[board];
    unsigned pattern = suits_pattern(class->hand);

    for (unsigned n = 0; n < 40;) {
        hand_t held = seeded_hand(seed, 3);
        unsigned triple = triple_of_hand(held);

        if (held & class->hand || chase_rule_3x(held))
            continue;
        CU_ASSERT_EQUAL(table_bets(bench, held, triple, pattern, class->hand),
                        naive_bet(held, class->hand) > -2 * DEALERS);
        n++;
    }
}

/* Some of the hands that are written down for themselves; returns how many there are. */
static unsigned compare_rows(const struct bench *bench, hand_t board)
{
    const struct board_rows *rows = bench->rows;

    for (unsigned i = 0; i < rows->count; i += 1 + rows->count / 10) {
        const struct audit_row *row = &rows->row[i];
        int bet = naive_bet(row->hand, board);
        struct ratio apart = ratio_subtract(row->bet, ratio_make(bet, DEALERS));

        CU_ASSERT(row->board == board);
        CU_ASSERT(!apart.numerator);
        CU_ASSERT(row->not_bet.numerator == -2 && row->not_bet.denominator == 1);
        CU_ASSERT_EQUAL(row->bets, bet > -2 * DEALERS);
        CU_ASSERT_NOT_EQUAL(row->bets, naive_flush(row->hand | board) >= rows->lowest);
        CU_ASSERT(!chase_rule_3x(row->hand));
    }
    return rows->count;
}

TEST(a_flush_and_the_hands_apart_from_it_decide_every_river_as_all_dealers_do)
{
    struct bench bench;
    unsigned with = 0, without = 0;
    uint64_t seed = 7;

    bench_open(&bench);
    for (unsigned i = 0; i < 60; i++) {
        unsigned board = seeded_below(&seed, QUAD_CLASSES);

        read_board(&bench, board);
        if (compare_rows(&bench, bench.plan->boards[board].hand))
            with++;
        else
            without++;
        compare_hands(&bench, board, &seed);
    }
    CU_ASSERT(with >= 10);
    CU_ASSERT(without >= 10);
    bench_close(&bench);
}

/* On A-K-Q-J of a suit, everybody has four of it and nobody folds: the board is the lowest flush.
 */
TEST(nobody_folds_on_four_of_a_suit)
{
    struct bench bench;
    unsigned found = 0;

    bench_open(&bench);
    for (unsigned i = 0; i < QUAD_CLASSES; i++)
        if (hand_suit(bench.plan->boards[i].hand, 0) == 0x1e00) {
            read_board(&bench, i);
            CU_ASSERT_EQUAL(bench.rows->lowest, flush_make(4, 0x1e00));
            CU_ASSERT_EQUAL(bench.rows->count, 0);
            found++;
        }
    CU_ASSERT_EQUAL(found, 1);
    bench_close(&bench);
}
