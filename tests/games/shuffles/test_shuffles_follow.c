/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/follow.h"

#include <math.h>
#include <string.h>

#include "tests/support/suite.h"

static struct follow follow;

static struct known_order known(const char *cards)
{
    struct known_order order = {.count = strlen(cards)};

    for (size_t i = 0; i < order.count; i++)
        order.cards[i] = (uint8_t)(cards[i] - 'a');
    return order;
}

static void add(const char *before, const char *now)
{
    struct known_order first = known(before), second = known(now);

    follow_add(&follow, &first, &second);
}

TEST(cards_that_were_not_seen_before_moved_from_nowhere)
{
    struct known_order before = known("abcd"), now = known("xcbay");
    uint8_t moved[DECK_SIZE];

    CU_ASSERT_EQUAL(follow_moves(&before, &now, moved), 3);
    CU_ASSERT(!memcmp(moved, (uint8_t[]){FOLLOW_UNKNOWN, 2, 1, 0, FOLLOW_UNKNOWN}, 5));
}

TEST(neighbours_are_kept_in_their_order_and_next_to_each_other)
{
    memset(&follow, 0, sizeof follow);
    add("abcdef", "abxcdy");
    add("abcdef", "fedcba");
    add("abcdef", "axb");
    add("abcdef", "bcdef");
    add("abcdef", "acebdf");
    CU_ASSERT_EQUAL(follow.count, 5);
    CU_ASSERT_EQUAL(follow.kept[2], 1);
    CU_ASSERT_EQUAL(follow.kept[0], 3);
    CU_ASSERT_EQUAL(follow.kept[4], 1);
    CU_ASSERT_EQUAL(follow.moved[0][0], 3);
    CU_ASSERT_EQUAL(follow.moved[5][0], 1);
    CU_ASSERT_EQUAL(follow.moved[3][2], 2);
}

TEST(a_place_can_be_seen_in_the_orders_that_reach_it_both_times)
{
    static shuffles_places totals;

    memset(&follow, 0, sizeof follow);
    add("abc", "abcde");
    add("abcde", "ab");
    add("abcde", "abcde");
    follow_totals(&follow, &totals);
    for (unsigned now = 0; now < DECK_SIZE; now++)
        for (unsigned before = 0; before < DECK_SIZE; before++)
            CU_ASSERT_EQUAL(totals[now][before],
                            (uint32_t)((before < 3 && now < 5) + (before < 5 && now < 2) +
                                       (before < 5 && now < 5)));
}

/* One place before and one after: the card is seen again one time in 52. */
TEST(the_chance_to_move_alike_is_that_of_every_move_squared)
{
    double factorial = 1;

    for (unsigned i = 2; i <= DECK_SIZE; i++)
        factorial *= i;
    CU_ASSERT_DOUBLE_EQUAL(follow_same(1, 1, 0), (1 + 51.0 * 51) / 52 / 52, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(follow_same(2, 1, 0), (2 + 50.0 * 50) / 52 / 52, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(follow_same(2, 1, 1), 2.0 / 52 / 52, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(follow_same(52, 52, 6) * factorial, 1, 1e-9);
    CU_ASSERT(follow_same(20, 20, 6) < 1e-11);
}

TEST(the_law_of_different_deals_is_their_mean)
{
    double chance[DECK_SIZE], mean = 0;

    memset(&follow, 0, sizeof follow);
    add("abcdefghij", "abcdefgh");
    add("abcdef", "abc");
    follow_law(&follow, chance);
    for (unsigned k = 0; k < DECK_SIZE; k++)
        mean += k * chance[k];
    CU_ASSERT_DOUBLE_EQUAL(mean, (9 * 7 + 5 * 2) / 2.0 / (52 * 51), 1e-14);
}
