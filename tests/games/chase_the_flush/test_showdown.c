/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/showdown.h"

#include <string.h>

#include "games/audit/suits.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

struct naive_showdown {
    unsigned wins, ties, unqualified;
};

static struct naive_showdown naive_showdown(hand_t hand, hand_t board)
{
    struct naive_showdown count = {0};
    flush_t own = naive_flush(hand | board);
    hand_t left = HAND_DECK & ~hand & ~board;

    for (hand_t a = left; a; a &= a - 1)
        for (hand_t b = a & (a - 1); b; b &= b - 1)
            for (hand_t c = b & (b - 1); c; c &= c - 1) {
                flush_t dealer = naive_flush((a & -a) | (b & -b) | (c & -c) | board);

                count.wins += own > dealer;
                count.ties += own == dealer;
                count.unqualified += dealer < flush_make(3, 1u << RANK_NINE);
            }
    return count;
}

static void compare_one(const struct showdown_hand *hand, const struct triples *triples,
                        hand_t board)
{
    struct naive_showdown expected = naive_showdown(triples->hand[hand->triple], board);

    CU_ASSERT_EQUAL(hand->wins, expected.wins);
    CU_ASSERT_EQUAL(hand->ties, expected.ties);
    CU_ASSERT_EQUAL(hand->unqualified, expected.unqualified);
}

/* Twelve hands on a board, among them the first one dealt. */
static void compare_showdowns(const struct showdown *showdown, hand_t board, uint64_t *seed)
{
    static struct triples triples;

    triples_init(&triples);
    for (unsigned i = 0; i < 12; i++) {
        unsigned n = i ? seeded_below(seed, SHOWDOWN_HANDS) : 0;

        compare_one(&showdown->hands[n], &triples, board);
    }
}

TEST(counting_by_exclusion_agrees_with_meeting_every_dealer)
{
    static struct showdown showdown;
    static uint8_t wanted[TRIPLE_COUNT];
    struct flush_ranks ranks;
    uint64_t seed = 3;

    memset(wanted, 1, sizeof wanted);
    flush_ranks_init(&ranks);
    for (unsigned i = 0; i < 6; i++) {
        hand_t board = i && i < 5 ? seeded_hand(&seed, 4) : (hand_t)0xf; /* which qualifies */

        showdown_run(&showdown, &ranks, board, wanted);
        compare_showdowns(&showdown, board, &seed);
    }
}

TEST(the_lowest_hand_that_qualifies_is_not_among_those_that_do_not)
{
    static struct showdown showdown;
    static struct triples triples;
    static uint8_t wanted[TRIPLE_COUNT];
    const hand_t board = table_hand("9h 3h 4c 5d");
    struct flush_ranks ranks;
    unsigned n = 0;

    triples_init(&triples);
    flush_ranks_init(&ranks);
    memset(wanted, 1, sizeof wanted);
    showdown_run(&showdown, &ranks, board, wanted);
    while (n < SHOWDOWN_HANDS && showdown.hands[n].rank != ranks.qualifies)
        n++;
    CU_ASSERT_FATAL(n < SHOWDOWN_HANDS);
    compare_one(&showdown.hands[n], &triples, board);
}

TEST(only_hands_that_are_wanted_are_counted)
{
    static struct showdown showdown;
    static struct triples triples;
    static uint8_t wanted[TRIPLE_COUNT];
    const hand_t board = table_hand("9h 3h 4c 5d");
    struct flush_ranks ranks;
    unsigned counted = 0;

    triples_init(&triples);
    flush_ranks_init(&ranks);
    wanted[triple_of_hand(table_hand("2h 3c 4d"))] = 1;
    memset(showdown.hands, 0xff, sizeof showdown.hands);
    showdown_run(&showdown, &ranks, board, wanted);
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++)
        if (wanted[showdown.hands[n].triple]) {
            counted++;
            compare_one(&showdown.hands[n], &triples, board);
        } else {
            CU_ASSERT_EQUAL(showdown.hands[n].unqualified, 0);
            CU_ASSERT_EQUAL(showdown.hands[n].wins, 0xffff); /* untouched */
        }
    CU_ASSERT_EQUAL(counted, 1);
}

TEST(every_set_of_up_to_seven_ranks_has_a_rank_of_its_own)
{
    static bool seen[FLUSH_RANKS];
    struct flush_ranks ranks;
    unsigned wrong = 0;

    memset(&ranks, 0xff, sizeof ranks);
    flush_ranks_init(&ranks);
    for (unsigned mask = 0; mask < 8192; mask++) {
        unsigned rank = ranks.of_mask[mask], count = hand_count(mask);

        if (count > 7) {
            wrong += rank != 0;
            continue;
        }
        wrong += rank >= FLUSH_RANKS || seen[rank] || ranks.length[rank] != count;
        seen[rank] = true;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(ranks.of_mask[0], 0);
    CU_ASSERT_EQUAL(ranks.of_mask[0x1fc0], FLUSH_RANKS - 1);
    CU_ASSERT_EQUAL(ranks.qualifies, ranks.of_mask[1u << RANK_NINE | 3]);
}
