/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/suits.h"

#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

TEST(canonical_hands_stand_for_every_hand_once)
{
    static const size_t hands[] = {[2] = 1326, [3] = 22100, [4] = 270725};
    static const size_t classes[] = {[2] = PAIR_CLASSES, [3] = TRIPLE_CLASSES, [4] = QUAD_CLASSES};
    static struct suit_class found[QUAD_CLASSES];

    for (unsigned cards = 2; cards <= 4; cards++) {
        size_t count = suit_classes(cards, found, QUAD_CLASSES), sum = 0;

        CU_ASSERT_EQUAL(count, classes[cards]);
        for (size_t i = 0; i < count; i++) {
            sum += found[i].weight;
            CU_ASSERT(suits_canonical(found[i].hand));
            CU_ASSERT_EQUAL(hand_count(found[i].hand), cards);
        }
        CU_ASSERT_EQUAL(sum, hands[cards]);
    }
}

TEST(renaming_suits_keeps_the_worth_of_a_hand)
{
    uint64_t seed = 7;

    for (unsigned i = 0; i < 2000; i++) {
        hand_t hand = seeded_hand(&seed, 7);
        hand_t canonical = suits_reorder(hand, suits_canonical_order(hand));

        CU_ASSERT(suits_canonical(canonical));
        CU_ASSERT_EQUAL(naive_flush(canonical), naive_flush(hand));
        CU_ASSERT_EQUAL(naive_straight_flush(canonical), naive_straight_flush(hand));
    }
}

/* Beside a canonical hand the first of its likes stands for all, so none is lost or counted twice.
 */
TEST(every_hand_beside_a_canonical_one_is_stood_for_once)
{
    static struct suit_class boards[QUAD_CLASSES];
    static struct triples triples;

    triples_init(&triples);
    suit_classes(4, boards, QUAD_CLASSES);
    for (unsigned i = 0; i < QUAD_CLASSES; i += 97) {
        const uint8_t *orbit = triples.orbit[suits_pattern(boards[i].hand)];
        unsigned sum = 0;

        for (unsigned n = 0; n < TRIPLE_COUNT; n++)
            if (!(triples.hand[n] & boards[i].hand))
                sum += orbit[n];
        CU_ASSERT_EQUAL(sum, 17296);
    }
}
