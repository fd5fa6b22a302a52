/* The model's shuffle and its generator. */
#include <string.h>

#include "devices/shuffle.h"
#include "tests/suite.h"

static struct shuffle_generator generator;

static void the_generator_gives_the_published_numbers(void)
{
    /* xoshiro256** from the state 1, 2, 3, 4: 11520, 0, 1509978240, 1215971899390074240. */
    generator = (struct shuffle_generator){{1, 2, 3, 4}};
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(shuffle_below(&generator, 1u << 31), 0);
    CU_ASSERT_EQUAL(shuffle_below(&generator, 1u << 31), 1215971899390074240 >> 33);
}

static void a_number_below_one_is_zero_and_none_reaches_its_bound(void)
{
    shuffle_seed(&generator, 1);
    for (int i = 0; i < 1000; i++)
        CU_ASSERT_EQUAL(shuffle_below(&generator, 1), 0);
    for (uint32_t below = 1; below < 1000; below++)
        CU_ASSERT(shuffle_below(&generator, below) < below);
}

/* A plain product would give every third number twice as often as the others. */
static void a_large_bound_is_hit_evenly(void)
{
    const uint32_t below = 3u << 30;
    unsigned thirds[3] = {0};

    shuffle_seed(&generator, 2);
    for (int i = 0; i < 30000; i++) {
        uint32_t number = shuffle_below(&generator, below);

        thirds[number % 3]++;
    }
    for (int i = 0; i < 3; i++)
        CU_ASSERT(thirds[i] > 9600 && thirds[i] < 10400);
}

static void a_shuffle_keeps_every_card(void)
{
    card_t cards[DECK_SIZE];
    uint64_t seen = 0;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        cards[i] = card_from_index(i);
    shuffle_seed(&generator, 3);
    shuffle_uniform(cards, DECK_SIZE, &generator);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        seen |= UINT64_C(1) << cards[i];
    CU_ASSERT_EQUAL(__builtin_popcountll(seen), DECK_SIZE);
    shuffle_uniform(cards, 0, &generator);
    shuffle_uniform(cards, 1, &generator);
}

/* Four cards have 24 orders; the statistic has 23 degrees of freedom and passes 49.7 once in 1000.
 */
static void every_order_of_four_cards_is_equally_likely(void)
{
    unsigned found[256] = {0}, orders = 0;
    double statistic = 0;
    const double expected = 1000;

    shuffle_seed(&generator, 4);
    for (int i = 0; i < 24000; i++) {
        card_t cards[4] = {0, 1, 2, 3};

        shuffle_uniform(cards, 4, &generator);
        found[cards[0] << 6 | cards[1] << 4 | cards[2] << 2 | cards[3]]++;
    }
    for (unsigned i = 0; i < 256; i++)
        if (found[i]) {
            double off = (double)found[i] - expected;

            statistic += off * off / expected;
            orders++;
        }
    CU_ASSERT_EQUAL(orders, 24);
    CU_ASSERT(statistic < 49.7);
}

SUITE("shuffle", TEST(the_generator_gives_the_published_numbers),
      TEST(a_number_below_one_is_zero_and_none_reaches_its_bound),
      TEST(a_large_bound_is_hit_evenly), TEST(a_shuffle_keeps_every_card),
      TEST(every_order_of_four_cards_is_equally_likely))
