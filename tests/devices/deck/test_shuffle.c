/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each way of shuffling does to a deck. Small decks are shuffled often enough to compare every
 * order with its exact chance; seeds are fixed, so that a bound which is passed once in a thousand
 * times by chance either always holds or never.
 */
#include <math.h>
#include <string.h>

#include "devices/deck/shuffle.h"
#include "tests/support/suite.h"

#define CARDS_MAX  6
#define ORDERS_MAX 720
#define DRAWS      200000

static struct shuffle shuffle;

static void start(const char *method, uint64_t seed)
{
    struct shuffle_method read;

    CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(method, strlen(method), &read, NULL), 0);
    shuffle_start(&shuffle, read, seed);
}

static void lay_out(card_t *cards, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cards[i] = card_from_index((unsigned)i);
}

/* Where each card of an ordered deck went. */
static void find_places(const card_t *cards, size_t count, size_t *places)
{
    for (size_t i = 0; i < count; i++)
        places[card_index(cards[i])] = i;
}

static unsigned rising_sequences(const card_t *cards, size_t count)
{
    size_t places[DECK_SIZE];
    unsigned rising = 1;

    find_places(cards, count, places);
    for (size_t i = 1; i < count; i++)
        rising += places[i] < places[i - 1];
    return rising;
}

static unsigned valleys(const card_t *cards, size_t count)
{
    unsigned found = 0;

    for (size_t i = 1; i + 1 < count; i++)
        found += cards[i - 1] > cards[i] && cards[i] < cards[i + 1];
    return found;
}

/* The number of an order of an ordered deck among all, and that order by its number. */
static unsigned rank_of(const card_t *cards, size_t count)
{
    unsigned rank = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned lower = 0;

        for (size_t later = i + 1; later < count; later++)
            lower += cards[later] < cards[i];
        rank = rank * (unsigned)(count - i) + lower;
    }
    return rank;
}

static void order_of(unsigned rank, card_t *cards, size_t count)
{
    unsigned lower[CARDS_MAX];
    card_t left[CARDS_MAX];

    for (size_t i = count; i-- > 0; rank /= (unsigned)(count - i))
        lower[i] = rank % (unsigned)(count - i);
    lay_out(left, count);
    for (size_t i = 0; i < count; i++) {
        cards[i] = left[lower[i]];
        memmove(left + lower[i], left + lower[i] + 1, count - i - lower[i] - 1);
    }
}

static unsigned factorial(size_t count)
{
    return count < 2 ? 1 : (unsigned)count * factorial(count - 1);
}

static double choose(double from, int count)
{
    double product = from < count || count < 0 ? 0 : 1;

    for (int i = 0; i < count; i++)
        product *= (from - i) / (i + 1);
    return product;
}

/* What a statistic with that many degrees of freedom passes once in 1000 (Wilson and Hilferty). */
static double once_in_a_thousand(unsigned freedom)
{
    double part = 2.0 / (9.0 * freedom);

    return freedom * pow(1 - part + 3.0902 * sqrt(part), 3);
}

typedef double law_fn(const card_t *cards, size_t count, double amount);

/* Shuffles an ordered deck anew each time and compares how often each order came with its law. */
static void expect_law(const char *method, size_t count, law_fn *law, double amount)
{
    unsigned found[ORDERS_MAX] = {0}, possible = 0;
    double statistic = 0, total = 0;
    card_t cards[CARDS_MAX];

    start(method, count);
    for (unsigned i = 0; i < DRAWS; i++) {
        lay_out(cards, count);
        shuffle_cards(&shuffle, cards, count);
        found[rank_of(cards, count)]++;
    }
    for (unsigned i = 0; i < factorial(count); i++) {
        double expected, off;

        order_of(i, cards, count);
        expected = law(cards, count, amount) * DRAWS;
        total += expected;
        off = found[i] - expected;
        if (expected > 0)
            statistic += off * off / expected;
        else
            CU_ASSERT_EQUAL(found[i], 0);
        possible += expected > 0;
    }
    CU_ASSERT_DOUBLE_EQUAL(total, DRAWS, 1e-6 * DRAWS);
    CU_ASSERT(possible > 1);
    CU_ASSERT(statistic < once_in_a_thousand(possible - 1));
}

static double uniform_law(const card_t *cards, size_t count, double amount)
{
    (void)cards;
    (void)amount;
    return 1.0 / factorial(count);
}

TEST(a_uniform_shuffle_makes_every_order_equally_likely)
{
    for (size_t count = 2; count <= CARDS_MAX; count++)
        expect_law("uniform", count, uniform_law, 0);
}

/* Bayer and Diaconis: r rising sequences after riffling with 2^K hands. */
static double riffle_law(const card_t *cards, size_t count, double riffles)
{
    double hands = exp2(riffles);

    return choose(hands + (double)count - rising_sequences(cards, count), (int)count) /
           pow(hands, (double)count);
}

TEST(riffles_follow_the_law_of_rising_sequences)
{
    for (size_t count = 3; count <= CARDS_MAX; count++) {
        expect_law("riffle:1", count, riffle_law, 1);
        expect_law("riffle:2", count, riffle_law, 2);
        expect_law("riffle:3", count, riffle_law, 3);
        expect_law("riffle:7", count, riffle_law, 7);
    }
}

/* Diaconis, Fulman and Holmes, theorem 3.1, by the valleys of the order. */
static double shelf_law(const card_t *cards, size_t count, double shelves)
{
    int found = (int)valleys(cards, count), cut = (int)count - 1 - 2 * found;
    double sum = 0;

    for (int a = found; a < shelves; a++)
        sum += choose((double)count + shelves - a - 1, (int)count) * choose(cut, a - found);
    return pow(4, found + 1) / 2 / pow(2 * shelves, (double)count) * sum;
}

TEST(shelves_follow_the_law_of_valleys)
{
    for (size_t count = 3; count <= CARDS_MAX; count++) {
        expect_law("shelf:1", count, shelf_law, 1);
        expect_law("shelf:2", count, shelf_law, 2);
        expect_law("shelf:10", count, shelf_law, 10);
    }
}

/* Neighbours that are still so were not cut; any other order than of packets cannot be. */
static double overhand_law(const card_t *cards, size_t count, double amount)
{
    double chance = 1;
    size_t end = count;

    (void)amount;
    for (size_t i = 0; i < count;) {
        size_t first = card_index(cards[i]), size = end - first;

        if (first >= end)
            return 0;
        for (size_t kept = 0; kept < size; kept++)
            if (i + kept >= count || card_index(cards[i + kept]) != first + kept)
                return 0;
        chance *= pow(0.8, (double)size - 1) * (first ? 0.2 : 1);
        i += size;
        end = first;
    }
    return chance;
}

TEST(an_overhand_pass_turns_the_packets_round_and_not_their_cards)
{
    for (size_t count = 2; count <= CARDS_MAX; count++)
        expect_law("overhand", count, overhand_law, 1);
}

static double bias_law(const card_t *cards, size_t count, double chance)
{
    double even = (1 - chance) / factorial(count);

    return card_index(cards[0]) ? even : even + chance / factorial(count - 1);
}

TEST(a_biased_machine_keeps_its_top_card_and_shuffles_the_rest_evenly)
{
    for (size_t count = 2; count <= CARDS_MAX; count++) {
        expect_law("bias:0.1", count, bias_law, 0.1);
        expect_law("bias:0.9", count, bias_law, 0.9);
    }
    expect_law("bias:1", CARDS_MAX, bias_law, 1);
}

TEST(riffles_at_most_double_the_rising_sequences)
{
    card_t cards[DECK_SIZE];

    start("riffle:1", 3);
    for (unsigned i = 0; i < 1000; i++) {
        lay_out(cards, DECK_SIZE);
        shuffle_cards(&shuffle, cards, DECK_SIZE);
        CU_ASSERT(rising_sequences(cards, DECK_SIZE) <= 2);
    }
    start("riffle:3", 3);
    for (unsigned i = 0; i < 1000; i++) {
        lay_out(cards, DECK_SIZE);
        shuffle_cards(&shuffle, cards, DECK_SIZE);
        CU_ASSERT(rising_sequences(cards, DECK_SIZE) <= 8);
    }
}

TEST(ten_shelves_leave_nine_valleys_and_no_more)
{
    card_t cards[DECK_SIZE];
    unsigned most = 0;

    start("shelf:10", 4);
    for (unsigned i = 0; i < 10000; i++) {
        unsigned found;

        lay_out(cards, DECK_SIZE);
        shuffle_cards(&shuffle, cards, DECK_SIZE);
        found = valleys(cards, DECK_SIZE);
        most = found > most ? found : most;
    }
    CU_ASSERT_EQUAL(most, 9);
}

TEST(orders_come_round_whatever_went_in)
{
    card_t orders[15][DECK_SIZE];

    start("stuck:5", 5);
    for (unsigned i = 0; i < 15; i++) {
        lay_out(orders[i], DECK_SIZE);
        for (unsigned cut = 0; cut < i; cut++) {
            card_t card = orders[i][cut];

            orders[i][cut] = orders[i][DECK_SIZE - 1 - cut];
            orders[i][DECK_SIZE - 1 - cut] = card;
        }
        shuffle_cards(&shuffle, orders[i], DECK_SIZE);
    }
    for (unsigned i = 0; i < 15; i++)
        for (unsigned j = 0; j < i; j++)
            CU_ASSERT_EQUAL(!memcmp(orders[i], orders[j], DECK_SIZE), (i - j) % 5 == 0);
}

/* Laid out in order, an order is the permutation itself. */
TEST(of_few_permutations_each_comes_again_whatever_went_in)
{
    card_t orders[200][DECK_SIZE];
    unsigned different = 0;

    start("moves:5", 6);
    for (unsigned i = 0; i < 200; i++) {
        unsigned j = 0;

        lay_out(orders[i], DECK_SIZE);
        shuffle_cards(&shuffle, orders[i], DECK_SIZE);
        while (j < i && memcmp(orders[i], orders[j], DECK_SIZE) != 0)
            j++;
        different += i == j;
    }
    CU_ASSERT_EQUAL(different, 5);
}

/* 20,000 shuffles: four standard deviations of a chance of a half are 283. */
TEST(a_slot_sends_its_card_and_a_card_sticks_as_often_as_said)
{
    card_t cards[DECK_SIZE];
    double sent = 0, stuck = 0, else_where = 0;

    start("slot:0.5", 7);
    for (unsigned i = 0; i < 20000; i++) {
        lay_out(cards, DECK_SIZE);
        shuffle_cards(&shuffle, cards, DECK_SIZE);
        sent += card_index(cards[11]) == 6;
        else_where += card_index(cards[11]) == 7;
    }
    CU_ASSERT(fabs(sent - 20000 * (0.5 + 0.5 / 52)) < 283);
    CU_ASSERT(fabs(else_where - 20000 * 0.5 / 51 * (1 - 1.0 / 52) - 20000 * 0.5 / 52 / 51) < 60);
    start("stick:0.5", 8);
    for (unsigned i = 0; i < 20000; i++) {
        const card_t *above;

        lay_out(cards, DECK_SIZE);
        shuffle_cards(&shuffle, cards, DECK_SIZE);
        above = memchr(cards, card_make(RANK_EIGHT, SUIT_DIAMONDS), DECK_SIZE - 1);
        stuck += above && above[1] == card_make(RANK_QUEEN, SUIT_CLUBS);
    }
    CU_ASSERT(fabs(stuck - 20000 * (0.5 * 51 / 52 + 0.5 / 52)) < 283);
}

TEST(every_method_keeps_every_card_and_takes_a_deck_of_any_size)
{
    static const char *const methods[] = {"uniform", "riffle:7", "shelf:10",
                                          "stuck:2", "bias:0.5", "overhand:10",
                                          "moves:5", "slot:0.5", "stick:0.5"};
    card_t cards[DECK_SIZE];

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        for (size_t count = 0; count <= DECK_SIZE; count++) {
            uint64_t seen = 0;

            start(methods[i], count);
            lay_out(cards, count);
            shuffle_cards(&shuffle, cards, count);
            for (size_t card = 0; card < count; card++)
                seen |= UINT64_C(1) << card_index(cards[card]);
            CU_ASSERT_EQUAL(seen, (UINT64_C(1) << count) - 1);
        }
}

TEST(a_seed_decides_every_order)
{
    static const char *const methods[] = {"uniform", "riffle:7", "shelf:10",
                                          "stuck:2", "bias:0.5", "overhand:10",
                                          "moves:5", "slot:0.5", "stick:0.5"};
    card_t first[DECK_SIZE], again[DECK_SIZE], other[DECK_SIZE];

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        lay_out(first, DECK_SIZE);
        start(methods[i], 11);
        shuffle_cards(&shuffle, first, DECK_SIZE);
        lay_out(again, DECK_SIZE);
        start(methods[i], 11);
        shuffle_cards(&shuffle, again, DECK_SIZE);
        lay_out(other, DECK_SIZE);
        start(methods[i], 12);
        shuffle_cards(&shuffle, other, DECK_SIZE);
        CU_ASSERT(!memcmp(first, again, DECK_SIZE));
        CU_ASSERT(memcmp(first, other, DECK_SIZE) != 0);
    }
}
