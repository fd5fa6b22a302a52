/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is looked for, what is found and what follows: with Visual Basic's few seeds. */
#include <stdlib.h>
#include <string.h>

#include "devices/deck/shuffle.h"
#include "rigs/shuffles/generators.h"
#include "rigs/shuffles/generators_words.h"
#include "tests/support/deck.h"
#include "tests/support/suite.h"

#define SEED       4711
#define LARGE_SEED 2000000

/* A machine whose orders are kept. */
struct machine {
    struct shuffle shuffle;
    card_t deck[DECK_SIZE];
    struct generators_orders orders;
};

static void machine_start(struct machine *machine, const char *method, uint64_t seed)
{
    struct shuffle_method read;

    CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(method, strlen(method), &read, NULL), 0);
    memset(machine, 0, sizeof *machine);
    shuffle_start(&machine->shuffle, read, seed);
    deck_in_order(machine->deck);
}

/* One more order, of which the first `known` cards are kept, with what went in or without. */
static void machine_deal(struct machine *machine, unsigned known, bool has_before)
{
    card_t before[DECK_SIZE];
    struct shuffles_order order = {
        .cards = machine->deck, .count = known, .before = has_before ? before : NULL};

    memcpy(before, machine->deck, sizeof before);
    shuffle_cards(&machine->shuffle, machine->deck, DECK_SIZE);
    CU_ASSERT_EQUAL_FATAL(generators_keep(&machine->orders, &order, NULL), 0);
}

static struct generators_found search(struct generators *generators, struct machine *machine,
                                      const char *names)
{
    struct generators_found found = {.is_found = false};
    size_t which = 0;

    generators_init(generators, &machine->orders);
    CU_ASSERT_EQUAL_FATAL(generators_take(generators, names, NULL), 0);
    CU_ASSERT_TRUE_FATAL(generators_choose(generators));
    while (!generators_mappings(generators, which))
        which++;
    CU_ASSERT_EQUAL(generators_seek(generators, which, 0, &found, NULL), 0);
    if (found.is_found)
        CU_ASSERT_EQUAL(generators_follow(generators, &found, NULL), 0);
    return found;
}

TEST(a_generator_is_found_and_predicts_what_comes)
{
    struct generators_found found;
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "vb6:naive-high", SEED);
    for (unsigned i = 0; i < 4; i++)
        machine_deal(&machine, DECK_SIZE, true);
    found = search(&generators, &machine, "vb6");
    CU_ASSERT_TRUE(found.is_found);
    CU_ASSERT_STRING_EQUAL(weak_entry_mapping(found.entry)->name, "naive-high");
    CU_ASSERT_EQUAL(found.seed, SEED);
    CU_ASSERT_EQUAL(found.order, 0);
    CU_ASSERT_EQUAL(found.start, GENERATORS_BEFORE);
    CU_ASSERT_EQUAL(found.right, 3);
    CU_ASSERT_EQUAL(found.gap, 0);
    CU_ASSERT_FALSE(found.is_broken);
    CU_ASSERT_TRUE(found.has_next);
    machine_deal(&machine, DECK_SIZE, true);
    CU_ASSERT_EQUAL(memcmp(found.next, machine.deck, DECK_SIZE), 0);
    generators_orders_free(&machine.orders);
}

/* The second order is chosen, as what went in is known of it by the first. */
TEST(the_order_dealt_before_stands_for_what_went_in)
{
    struct generators_found found;
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "vb6:pick-modulo", SEED);
    deck_mix(machine.deck, &(uint64_t){7});
    for (unsigned i = 0; i < 3; i++)
        machine_deal(&machine, DECK_SIZE, false);
    found = search(&generators, &machine, "vb6:pick-modulo");
    CU_ASSERT_TRUE(found.is_found);
    CU_ASSERT_EQUAL(found.order, 1);
    CU_ASSERT_EQUAL(found.start, GENERATORS_BEFORE);
    CU_ASSERT_FALSE(machine.orders.orders[1].has_before);
    CU_ASSERT_EQUAL(found.right, 1);
    generators_orders_free(&machine.orders);
}

TEST(numbers_that_others_drew_in_between_are_counted)
{
    struct generators_found found;
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "vb6:down-modulo", SEED);
    for (unsigned i = 0; i < 4; i++) {
        machine_deal(&machine, DECK_SIZE, true);
        for (unsigned j = 0; j < 17; j++)
            weak_next(weak_entry_generator(machine.shuffle.method.amount), &machine.shuffle.weak);
    }
    found = search(&generators, &machine, "vb6:down-modulo");
    CU_ASSERT_EQUAL(found.right, 3);
    CU_ASSERT_EQUAL(found.gap, 17);
    CU_ASSERT_TRUE(found.has_next);
    machine_deal(&machine, DECK_SIZE, true);
    CU_ASSERT_EQUAL(memcmp(found.next, machine.deck, DECK_SIZE), 0);
    generators_orders_free(&machine.orders);
}

TEST(a_generator_that_is_seeded_anew_is_found_again)
{
    static const char *const methods[] = {"vb6:up-high", "xorshift32:up-high"};

    for (size_t i = 0; i < 2; i++) {
        struct generators_found found;
        struct generators generators;
        struct machine machine;
        struct shuffle_method method;

        machine_start(&machine, methods[i], LARGE_SEED);
        machine_deal(&machine, DECK_SIZE, true);
        machine_deal(&machine, DECK_SIZE, true);
        method = machine.shuffle.method;
        shuffle_start(&machine.shuffle, method, LARGE_SEED - 60);
        machine_deal(&machine, DECK_SIZE, true);
        found = search(&generators, &machine, methods[i]);
        CU_ASSERT_EQUAL(found.seed, LARGE_SEED);
        CU_ASSERT_EQUAL(found.right, 1);
        CU_ASSERT_TRUE(found.is_broken);
        CU_ASSERT_TRUE(found.is_reseeded);
        CU_ASSERT_EQUAL(found.reseed, LARGE_SEED - 60);
        CU_ASSERT_FALSE(found.has_next);
        generators_orders_free(&machine.orders);
    }
}

/* Whatever goes in: the machine sorts before. */
TEST(a_machine_that_starts_from_a_sorted_deck_is_found)
{
    struct generators_found found;
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "vb6:sort", SEED);
    for (unsigned i = 0; i < 3; i++) {
        deck_in_order(machine.deck);
        machine_deal(&machine, DECK_SIZE, false);
    }
    found = search(&generators, &machine, "vb6:sort");
    CU_ASSERT_TRUE(found.is_found);
    CU_ASSERT_EQUAL(found.order, 0);
    CU_ASSERT_EQUAL(found.start, GENERATORS_SORTED);
    CU_ASSERT_EQUAL(found.right, 2);
    CU_ASSERT_EQUAL(found.next_start, GENERATORS_SORTED);
    deck_in_order(machine.deck);
    machine_deal(&machine, DECK_SIZE, false);
    CU_ASSERT_EQUAL(memcmp(found.next, machine.deck, DECK_SIZE), 0);
    generators_orders_free(&machine.orders);
}

TEST(the_cards_of_a_deal_are_enough_if_there_are_enough)
{
    struct generators_found found;
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "vb6:down-high", SEED);
    for (unsigned i = 0; i < 3; i++) {
        deck_in_order(machine.deck);
        machine_deal(&machine, 20, false);
    }
    found = search(&generators, &machine, "vb6:down-high");
    CU_ASSERT_TRUE(found.is_found);
    CU_ASSERT_EQUAL(found.seed, SEED);
    CU_ASSERT_EQUAL(found.right, 2);
    CU_ASSERT_EQUAL(found.hits, 1);
    generators_orders_free(&machine.orders);
}

/* 52 x 51 x … for each card of a deal, against seeds times mappings times orders times starts. */
TEST(how_many_cards_are_needed_follows_from_the_size_of_the_catalogue)
{
    struct generators generators;
    struct machine machine;
    double trials = 0, orders = 1;
    unsigned cards = 0;

    machine_start(&machine, "uniform", 1);
    machine_deal(&machine, 10, false);
    generators_init(&generators, &machine.orders);
    CU_ASSERT_FALSE(generators_choose(&generators));
    for (size_t i = 0; weak_generator_at(i); i++)
        if (!weak_generator_at(i)->by_millisecond)
            trials += (double)weak_generator_at(i)->seeds * WEAK_MAPPINGS * 4 *
                      (weak_is_cycle(weak_generator_at(i)) ? 1 : 2);
    while (trials / orders > 1e-6)
        orders *= DECK_SIZE - cards++;
    CU_ASSERT_EQUAL(generators.needed, cards);
    CU_ASSERT_EQUAL(generators.target_count, 0);
    generators_orders_free(&machine.orders);

    machine_start(&machine, "uniform", 1);
    machine_deal(&machine, cards, false);
    generators_init(&generators, &machine.orders);
    CU_ASSERT_TRUE(generators_choose(&generators));
    CU_ASSERT_TRUE(generators.chance <= 1e-6);
    generators_orders_free(&machine.orders);
}

TEST(a_whole_order_is_found_by_chance_less_often_than_once_in_ten_to_the_fifty)
{
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "uniform", 1);
    machine_deal(&machine, DECK_SIZE, false);
    machine_deal(&machine, DECK_SIZE, true);
    generators_init(&generators, &machine.orders);
    generators.to = INT64_C(86400000) * 365;
    CU_ASSERT_TRUE(generators_choose(&generators));
    CU_ASSERT_EQUAL(generators.target_count, 3);
    CU_ASSERT_TRUE(generators.chance > 0 && generators.chance < 1e-50);
    generators_orders_free(&machine.orders);
}

TEST(a_uniform_machine_is_not_found)
{
    struct generators generators;
    struct machine machine;

    machine_start(&machine, "uniform", SEED);
    machine_deal(&machine, DECK_SIZE, true);
    machine_deal(&machine, DECK_SIZE, true);
    CU_ASSERT_FALSE(search(&generators, &machine, "vb6").is_found);
    generators_orders_free(&machine.orders);
}

/* Two decks in turn, one generator: the next order is that of the deck whose turn it is. */
TEST(of_two_decks_the_one_whose_turn_it_is_is_predicted)
{
    struct generators_found found;
    struct generators generators;
    struct machine machine;
    card_t decks[2][DECK_SIZE];

    machine_start(&machine, "vb6:down-modulo", SEED);
    deck_in_order(decks[0]);
    deck_in_order(decks[1]);
    for (unsigned i = 0; i < 6; i++) {
        struct shuffles_order order = {
            .cards = decks[i % 2], .count = DECK_SIZE, .deck = i % 2, .unrelated = i < 2};

        shuffle_cards(&machine.shuffle, decks[i % 2], DECK_SIZE);
        if (i < 5)
            CU_ASSERT_EQUAL(generators_keep(&machine.orders, &order, NULL), 0);
    }
    found = search(&generators, &machine, "vb6:down-modulo");
    CU_ASSERT_EQUAL(found.right, 4);
    CU_ASSERT_TRUE(found.has_next);
    CU_ASSERT_EQUAL(memcmp(found.next, decks[1], DECK_SIZE), 0);
    generators_orders_free(&machine.orders);
}

TEST(names_that_are_not_in_the_catalogue_are_refused)
{
    static const char *const wrong[] = {"", "lc", "lcg,", ",lcg", "lcg:down", "lcg msvc"};
    struct generators_orders none = {.count = 0};
    struct generators generators;
    struct error error;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        generators_init(&generators, &none);
        CU_ASSERT_EQUAL(generators_take(&generators, wrong[i], &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is neither a generator nor a mapping"));
    }
    CU_ASSERT_EQUAL(generators_take(&generators, "lcg:sort,msvc,pick-high", &error), 0);
    CU_ASSERT_EQUAL(generators_mappings(&generators, 0), 2);
    CU_ASSERT_EQUAL(generators_mappings(&generators, 3), WEAK_MAPPINGS);
    CU_ASSERT_EQUAL(generators_mappings(&generators, 5), 1);
}
