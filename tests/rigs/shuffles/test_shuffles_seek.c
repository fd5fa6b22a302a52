/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for seeds: every entry of the catalogue is found again, among few seeds here and among
 * all of them with SEEDS=all (make generators).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/shuffles/seek.h"
#include "rigs/shuffles/seek_numbers.h"
#include "tests/support/deck.h"
#include "tests/support/suite.h"

#define FEW   UINT64_C(20000) /* seeds, no multiple of anything */
#define WHERE UINT64_C(12345)
#define DEALT 20

static bool is_whole(void)
{
    const char *seeds = getenv("SEEDS");

    return seeds && !strcmp(seeds, "all");
}

/* A seed that is tried as the `at`-th. */
static uint64_t seed_at(const struct weak_generator *generator, uint64_t at)
{
    return weak_is_cycle(generator) ? seek_advance(generator, generator->first, at)
                                    : generator->first + at;
}

static void make_target(const struct weak_generator *generator, const struct weak_mapping *mapping,
                        uint64_t seed, unsigned skipped, struct seek_target *target)
{
    struct weak_state state;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        target->moved[i] = (uint8_t)i;
    weak_seed(generator, seed, &state);
    while (skipped-- > 0)
        weak_next(generator, &state);
    weak_shuffle(generator, mapping, &state, target->moved, DECK_SIZE);
}

/* All mappings at once, each with an order of its own; says which were found where they should. */
static void expect_found(const struct weak_generator *generator, unsigned known, unsigned skipped,
                         uint64_t at)
{
    struct seek_target targets[WEAK_MAPPINGS];
    uint64_t seed = seed_at(generator, at);
    struct seek seek;

    seek_init(&seek, generator);
    seek.jobs = is_whole() ? 2 : 1;
    if (!is_whole() || generator->by_millisecond)
        seek.seeds = FEW;
    for (size_t i = 0; i < WEAK_MAPPINGS; i++) {
        targets[i].known = known;
        make_target(generator, weak_mapping_at(i), seed, skipped, &targets[i]);
        seek.questions[seek.question_count++] =
            (struct seek_question){weak_mapping_at(i), &targets[i]};
    }
    CU_ASSERT_EQUAL(seek_run(&seek, NULL), 0);
    CU_ASSERT_EQUAL(seek.done, seek.seeds);
    CU_ASSERT_EQUAL(seek.hit_count, WEAK_MAPPINGS);
    for (size_t i = 0; i < WEAK_MAPPINGS && i < seek.hit_count; i++) {
        if (seek.hits[i].question != i || seek.hits[i].seed != seed)
            fprintf(stderr, "%s:%s\n", generator->name, weak_mapping_at(i)->name);
        CU_ASSERT_EQUAL(seek.hits[i].question, i);
        CU_ASSERT_EQUAL(seek.hits[i].seed, seed);
        CU_ASSERT_EQUAL(seek.hits[i].skipped, skipped);
    }
}

TEST(every_entry_is_found_by_a_whole_order)
{
    for (size_t i = 0; weak_generator_at(i); i++) {
        uint64_t seeds = weak_generator_at(i)->seeds;

        expect_found(weak_generator_at(i), DECK_SIZE, 0,
                     is_whole() && !weak_generator_at(i)->by_millisecond ? seeds - WHERE : WHERE);
        if (is_whole()) {
            printf("%s\n", weak_generator_at(i)->name);
            fflush(stdout);
        }
    }
}

TEST(every_entry_is_found_by_the_cards_of_a_deal)
{
    if (is_whole())
        return;
    for (size_t i = 0; weak_generator_at(i); i++)
        expect_found(weak_generator_at(i), DEALT, 0, WHERE);
}

TEST(the_first_and_the_last_seed_are_tried)
{
    if (is_whole())
        return;
    for (size_t i = 0; weak_generator_at(i); i++) {
        expect_found(weak_generator_at(i), DECK_SIZE, 0, 0);
        expect_found(weak_generator_at(i), DECK_SIZE, 0, FEW - 1);
    }
}

/* On a cycle that is another state; others are just seeded. */
TEST(a_number_that_was_drawn_after_seeding_and_not_used_hides_nothing)
{
    if (is_whole())
        return;
    for (size_t i = 0; weak_generator_at(i); i++)
        if (!weak_is_cycle(weak_generator_at(i)))
            expect_found(weak_generator_at(i), DECK_SIZE, 1, WHERE);
}

/* Whether two of the smallest keys, or of the largest, are equal. */
static bool has_equal_keys(const struct weak_generator *generator, uint64_t seed, bool descends)
{
    struct weak_state state;
    uint32_t keys[DECK_SIZE];

    weak_seed(generator, seed, &state);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        uint32_t number = weak_next(generator, &state), key = descends ? ~number : number;
        unsigned at = i;

        for (; at && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
    for (unsigned i = 0; i < 5; i++)
        if (keys[i] == keys[i + 1])
            return true;
    return false;
}

TEST(equal_keys_hide_nothing)
{
    const struct weak_generator *generator = weak_generator_at(3);

    CU_ASSERT_STRING_EQUAL_FATAL(generator->name, "msvc");
    for (int descends = 0; descends < 2 && !is_whole(); descends++) {
        unsigned tried = 0;

        for (uint64_t at = 0; at < FEW && tried < 4; at++)
            if (has_equal_keys(generator, seed_at(generator, at), descends)) {
                expect_found(generator, DECK_SIZE, 0, at);
                tried++;
            }
        CU_ASSERT_EQUAL(tried, 4);
    }
}

TEST(numbers_in_vectors_are_those_of_the_models)
{
    uint32_t numbers[64 * SEEK_LANES];

    for (size_t i = 0; weak_generator_at(i); i++) {
        const struct weak_generator *generator = weak_generator_at(i);
        uint64_t from = generator->first + 0x7fffffd0; /* over what a sign would be */
        struct weak_state state;
        struct seek_cycle cycle;

        if (weak_is_cycle(generator)) {
            seek_cycle_start(&cycle, generator, generator->first);
            seek_cycle_numbers(&cycle, numbers, 64 * SEEK_LANES);
            weak_seed(generator, generator->first, &state);
            for (size_t j = 0; j < 64 * SEEK_LANES; j++)
                CU_ASSERT_EQUAL(numbers[j], weak_next(generator, &state));
            continue;
        }
        seek_seeded_numbers(generator, from, DECK_SIZE + 1, numbers);
        for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
            weak_seed(generator, from + lane, &state);
            for (unsigned j = 0; j < DECK_SIZE + 1; j++)
                CU_ASSERT_EQUAL(numbers[j * SEEK_LANES + lane], weak_next(generator, &state));
        }
    }
}

TEST(a_cycle_comes_round_after_all_its_states)
{
    for (size_t i = 0; weak_generator_at(i); i++) {
        const struct weak_generator *generator = weak_generator_at(i);

        if (!weak_is_cycle(generator))
            continue;
        CU_ASSERT_EQUAL(seek_advance(generator, generator->first, generator->seeds),
                        generator->first);
        CU_ASSERT_NOT_EQUAL(seek_advance(generator, generator->first, generator->seeds / 2),
                            generator->first);
    }
}

static void ask_all(struct seek *seek, const struct seek_target *target)
{
    for (size_t i = 0; i < WEAK_MAPPINGS; i++)
        seek->questions[seek->question_count++] =
            (struct seek_question){weak_mapping_at(i), target};
}

TEST(a_uniform_order_is_found_nowhere)
{
    struct seek_target target = {.known = DECK_SIZE};
    uint64_t state = 1;
    card_t deck[DECK_SIZE];
    struct seek seek;

    if (is_whole())
        return;
    deck_in_order(deck);
    deck_mix(deck, &state);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        target.moved[i] = (uint8_t)card_index(deck[i]);
    for (size_t i = 0; weak_generator_at(i); i++) {
        seek_init(&seek, weak_generator_at(i));
        seek.seeds = FEW;
        ask_all(&seek, &target);
        CU_ASSERT_EQUAL(seek_run(&seek, NULL), 0);
        CU_ASSERT_EQUAL(seek.hit_count, 0);
    }
}

/* Of the first of two seeds, far from each other, whatever thread comes first to which. */
TEST(the_first_hit_ends_a_search_on_any_number_of_threads)
{
    const struct weak_generator *generator = weak_generator_at(9);
    struct seek_target targets[2] = {{.known = DECK_SIZE}, {.known = DECK_SIZE}};
    struct seek seek;

    CU_ASSERT_STRING_EQUAL_FATAL(generator->name, "xorshift32");
    make_target(generator, weak_mapping_at(0), seed_at(generator, 100000), 0, &targets[0]);
    make_target(generator, weak_mapping_at(0), seed_at(generator, 10000), 0, &targets[1]);
    for (unsigned jobs = 1; jobs <= 4; jobs++) {
        seek_init(&seek, generator);
        seek.jobs = jobs;
        seek.is_first_enough = true;
        for (unsigned i = 0; i < 2; i++)
            seek.questions[seek.question_count++] =
                (struct seek_question){weak_mapping_at(0), &targets[i]};
        CU_ASSERT_EQUAL(seek_run(&seek, NULL), 0);
        CU_ASSERT_EQUAL(seek.hit_count, 1);
        CU_ASSERT_EQUAL(seek.hits[0].seed, seed_at(generator, 10000));
        CU_ASSERT_TRUE(seek.done < seek.seeds);
    }
}

TEST(a_search_that_is_stopped_says_so)
{
    struct seek_target target = {.known = DECK_SIZE};
    atomic_bool stop = true;
    struct error error;
    struct seek seek;

    make_target(weak_generator_at(0), weak_mapping_at(0), 1, 0, &target);
    seek_init(&seek, weak_generator_at(0));
    seek.stop = &stop;
    ask_all(&seek, &target);
    CU_ASSERT_EQUAL(seek_run(&seek, &error), ERROR_ABORTED);
    CU_ASSERT_EQUAL(seek.done, 0);
}
