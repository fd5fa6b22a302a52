/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/shuffles/repeats.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* Any order of a deck, the same for the same number. */
static void numbered(uint64_t number, uint8_t order[DECK_SIZE])
{
    uint64_t state = number;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = (uint8_t)i;
    for (unsigned i = DECK_SIZE - 1; i; i--) {
        unsigned other = seeded_below(&state, i + 1);
        uint8_t card = order[i];

        order[i] = order[other];
        order[other] = card;
    }
}

static uint64_t add_circle(struct repeats *repeats, uint64_t period, uint64_t count)
{
    uint8_t order[DECK_SIZE];

    for (uint64_t i = 0; i < count; i++) {
        numbered(i % period, order);
        repeats_add(repeats, order, DECK_SIZE);
    }
    return repeats_count(repeats);
}

TEST(an_order_that_comes_again_is_known)
{
    struct repeats *repeats = repeats_new();
    uint8_t order[DECK_SIZE];

    numbered(1, order);
    CU_ASSERT_FALSE(repeats_add(repeats, order, DECK_SIZE));
    numbered(2, order);
    CU_ASSERT_FALSE(repeats_add(repeats, order, DECK_SIZE));
    numbered(1, order);
    CU_ASSERT_TRUE(repeats_add(repeats, order, DECK_SIZE));
    CU_ASSERT_EQUAL(repeats_count(repeats), 1);
    repeats_free(repeats);
}

TEST(two_cards_swapped_make_another_order)
{
    struct repeats *repeats = repeats_new();
    uint8_t order[DECK_SIZE], card;

    for (unsigned i = 0; i + 1 < DECK_SIZE; i++) {
        numbered(1, order);
        card = order[i];
        order[i] = order[i + 1];
        order[i + 1] = card;
        CU_ASSERT_FALSE(repeats_add(repeats, order, DECK_SIZE));
    }
    repeats_free(repeats);
}

TEST(the_same_beginning_is_not_the_same_order)
{
    struct repeats *repeats = repeats_new();
    uint8_t order[DECK_SIZE];

    numbered(1, order);
    CU_ASSERT_FALSE(repeats_add(repeats, order, DECK_SIZE));
    CU_ASSERT_FALSE(repeats_add(repeats, order, REPEATS_CARDS_MIN));
    CU_ASSERT_TRUE(repeats_add(repeats, order, REPEATS_CARDS_MIN));
    repeats_free(repeats);
}

TEST(all_orders_are_watched_up_to_the_limit)
{
    struct repeats *repeats = repeats_new();

    CU_ASSERT_EQUAL(add_circle(repeats, REPEATS_KEPT - 1, REPEATS_KEPT - 1), 0);
    CU_ASSERT_EQUAL(repeats_share(repeats), 1);
    CU_ASSERT_EQUAL(add_circle(repeats, REPEATS_KEPT - 1, REPEATS_KEPT - 1), REPEATS_KEPT - 1);
    repeats_free(repeats);
}

TEST(a_circle_longer_than_the_limit_is_found_by_its_share)
{
    struct repeats *repeats = repeats_new();
    uint64_t period = 3 * REPEATS_KEPT, found;

    CU_ASSERT_EQUAL(add_circle(repeats, period, period), 0);
    CU_ASSERT_EQUAL(repeats_share(repeats), 0.25);
    found = add_circle(repeats, period, period);
    CU_ASSERT_TRUE(found > period / 4 - 2000 && found < period / 4 + 2000);
    repeats_free(repeats);
}

TEST(what_is_cleared_is_forgotten)
{
    struct repeats *repeats = repeats_new();

    add_circle(repeats, 3 * REPEATS_KEPT, 3 * REPEATS_KEPT);
    repeats_clear(repeats);
    CU_ASSERT_EQUAL(repeats_share(repeats), 1);
    CU_ASSERT_EQUAL(add_circle(repeats, 100, 100), 0);
    CU_ASSERT_EQUAL(add_circle(repeats, 100, 100), 100);
    repeats_free(repeats);
}
