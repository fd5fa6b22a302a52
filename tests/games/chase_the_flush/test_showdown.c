/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/chase_the_flush/showdown.h"

#include <string.h>

#include "games/audit/suits.h"
#include "tests/support/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

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

/* Twelve hands on a board, among them the first one dealt. */
static void compare_showdowns(const struct showdown *showdown, hand_t board, uint64_t *seed)
{
    static struct triples triples;

    triples_init(&triples);
    for (unsigned i = 0; i < 12; i++) {
        unsigned n = i ? seeded_below(seed, SHOWDOWN_HANDS) : 0;
        const struct showdown_hand *hand = &showdown->hands[n];
        struct naive_showdown expected = naive_showdown(triples.hand[hand->triple], board);

        CU_ASSERT_EQUAL(hand->wins, expected.wins);
        CU_ASSERT_EQUAL(hand->ties, expected.ties);
        CU_ASSERT_EQUAL(hand->unqualified, expected.unqualified);
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
        hand_t board = i ? seeded_hand(&seed, 4) : (hand_t)0xf;

        showdown_run(&showdown, &ranks, board, wanted);
        compare_showdowns(&showdown, board, &seed);
    }
}

/* What lets the audit forget the x-tra table while hands are played. */
TEST(a_hand_that_x_tra_pays_never_folds)
{
    static struct suit_class boards[QUAD_CLASSES];
    static struct showdown showdown;
    static uint8_t wanted[TRIPLE_COUNT];
    struct flush_ranks ranks;
    unsigned most = 0;

    memset(wanted, 1, sizeof wanted);
    flush_ranks_init(&ranks);
    suit_classes(4, boards, QUAD_CLASSES);
    for (unsigned i = 0; i < QUAD_CLASSES; i += 149) {
        showdown_run(&showdown, &ranks, boards[i].hand, wanted);
        for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
            const struct showdown_hand *hand = &showdown.hands[n];
            unsigned losses = SHOWDOWN_DEALERS - 0u - hand->wins - hand->ties;

            if (ranks.length[hand->rank] >= 4 && losses > most)
                most = losses;
        }
    }
    CU_ASSERT(most > SHOWDOWN_DEALERS / 3);
    CU_ASSERT(3 * most < 2 * SHOWDOWN_DEALERS);
}
