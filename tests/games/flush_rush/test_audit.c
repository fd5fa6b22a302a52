/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/suits.h"
#include "tests/support/games/audited.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

TEST(all_or_nothing_keeps_3_951981_percent)
{
    struct audited result;

    audited_sides("flush-rush", &result);
    CU_ASSERT(audited_edge_is(&result, "all-or-nothing", "sample", 6, "3.951981"));
}

TEST(flush_rush_keeps_3_749289_percent)
{
    const struct audit_entry *entry;
    struct audit_request request;
    struct audited result;

    audit_request_init(&request, game_find("flush-rush"));
    audited_whole(&request, NULL, NULL, &result);
    entry = audited_find(&result, "ante", "sample");
    CU_ASSERT(audited_edge_is(&result, "ante", "sample", 6, "3.749289"));
    CU_ASSERT(audited_reads(entry->average_wager, 6, "2.473545"));
    CU_ASSERT(audited_share_is(entry, "fold-1", "10.5498"));
    CU_ASSERT(audited_share_is(entry, "fold-2", "31.5459"));
    CU_ASSERT_EQUAL(audited_combinations(entry, "7-card straight flush"), 32);
}

static int naive_flush_rush_net(hand_t seven)
{
    static const int flush[] = {[4] = 5, [5] = 9, [6] = 20, [7] = 300};
    static const int straight_flush[] = {[4] = 15, [5] = 100, [6] = 500, [7] = 1000};
    unsigned length = flush_length(naive_flush(seven)), run = naive_straight_flush(seven);
    int pay = 0;

    if (length < 4)
        return -3;
    pay = flush[length];
    if (run >= 4 && straight_flush[run] > pay)
        pay = straight_flush[run];
    return pay + 2;
}

/* Both decisions by trying every card, straight from the rules. */
static int64_t naive_flush_rush_value(hand_t hole)
{
    const int64_t fold = -1128 * 46;
    int64_t value = 0;

    for (hand_t a = HAND_DECK & ~hole; a; a &= a - 1)
        for (hand_t b = a & (a - 1); b; b &= b - 1) {
            hand_t six = hole | (a & -a) | (b & -b);
            int64_t bet = 0;

            for (hand_t c = HAND_DECK & ~six; c; c &= c - 1)
                bet += naive_flush_rush_net(six | (c & -c));
            value += bet > -2 * 46 ? bet : -2 * 46;
        }
    return value > fold ? value : fold;
}

TEST(a_flush_rush_hand_is_worth_what_trying_every_card_says)
{
    static struct suit_class classes[QUAD_CLASSES];
    struct audit_request request;
    struct audited result;
    uint64_t seed = 11;

    audit_request_init(&request, game_find("flush-rush"));
    suit_classes(4, classes, QUAD_CLASSES);
    for (unsigned i = 0; i < 12; i++) {
        unsigned unit = i ? seeded_below(&seed, QUAD_CLASSES) : 0;
        wide_t value = (wide_t)naive_flush_rush_value(classes[unit].hand) * classes[unit].weight;

        audited_units(&request, unit, unit + 1, &result);
        CU_ASSERT(audited_same(audited_find(&result, "ante", "sample")->ev,
                               ratio_make(value, (wide_t)270725 * 1128 * 46)));
    }
}
