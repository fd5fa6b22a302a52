/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of weak generators: published numbers, and mappings followed by hand. */
#include <stdlib.h>
#include <string.h>

#include "devices/deck/shuffle.h"
#include "devices/deck/weak.h"
#include "tests/support/suite.h"

static const struct weak_generator *generator_named(const char *name)
{
    size_t i = 0;

    while (weak_generator_at(i) && strcmp(weak_generator_at(i)->name, name) != 0)
        i++;
    CU_ASSERT_PTR_NOT_NULL_FATAL(weak_generator_at(i));
    return weak_generator_at(i);
}

static const struct weak_mapping *mapping_named(const char *name)
{
    size_t i = 0;

    while (weak_mapping_at(i) && strcmp(weak_mapping_at(i)->name, name) != 0)
        i++;
    CU_ASSERT_PTR_NOT_NULL_FATAL(weak_mapping_at(i));
    return weak_mapping_at(i);
}

TEST(every_row_of_the_catalogue_gives_what_was_published)
{
    struct error error = {.code = 0};

    CU_ASSERT_EQUAL(weak_check(&error), 0);
}

/* Where the standards and their authors print the ten thousandth number. */
TEST(the_ten_thousandth_numbers_are_those_of_the_standards)
{
    static const struct {
        const char *name;
        uint64_t seed;
        uint32_t number;
    } known[] = {
        {"minstd", 1, 1043618065}, {"minstd2", 1, 399268537}, {"mt19937", 5489, 4123659995}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct weak_generator *generator = generator_named(known[i].name);
        struct weak_state state;
        uint32_t number = 0;

        weak_seed(generator, known[i].seed, &state);
        for (unsigned j = 0; j < 10000; j++)
            number = weak_next(generator, &state);
        CU_ASSERT_EQUAL(number, known[i].number);
    }
}

#ifdef __GLIBC__
TEST(glibc_is_what_the_c_library_of_this_machine_does)
{
    static const uint32_t seeds[] = {0,          1,          42,         0x7fffffff,
                                     0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    const struct weak_generator *generator = generator_named("glibc");

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct weak_state state;

        srandom(seeds[i]);
        weak_seed(generator, seeds[i], &state);
        for (unsigned j = 0; j < 100; j++)
            CU_ASSERT_EQUAL(weak_next(generator, &state), (uint32_t)random());
    }
}

TEST(glibc_type0_is_what_the_c_library_of_this_machine_does)
{
    const struct weak_generator *generator = generator_named("glibc-type0");
    struct random_data data = {.state = NULL};
    struct weak_state state;
    char memory[8];
    int32_t number;

    CU_ASSERT_EQUAL(initstate_r(12345, memory, sizeof memory, &data), 0);
    weak_seed(generator, 12345, &state);
    for (unsigned j = 0; j < 100; j++) {
        random_r(&data, &number);
        CU_ASSERT_EQUAL(weak_next(generator, &state), (uint32_t)number);
    }
}
#endif

TEST(a_generator_that_gives_other_numbers_is_told)
{
    struct weak_generator wrong = *generator_named("msvc");
    struct error error = {.code = 0};

    wrong.multiplier += 4;
    CU_ASSERT_EQUAL(weak_generator_check(&wrong, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the catalogue is wrong: number 2 of generator msvc "
                                              "with seed 1 is "));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "published as 18467"));

    wrong = *generator_named("vb6");
    wrong.multiplier += 2;
    memset(&wrong.vector, 0, sizeof wrong.vector);
    wrong.vector.numbers[0] = (uint32_t)wrong.increment;
    for (unsigned i = 1; i < WEAK_VECTOR; i++)
        wrong.vector.numbers[i] =
            (uint32_t)(wrong.vector.numbers[i - 1] * wrong.multiplier + wrong.increment) & 0xffffff;
    CU_ASSERT_EQUAL(weak_generator_check(&wrong, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the states of generator vb6 are not one cycle"));
}

TEST(a_mapping_that_makes_another_order_is_told)
{
    struct weak_mapping wrong = *mapping_named("up-modulo");
    struct error error = {.code = 0};

    wrong.procedure = WEAK_PICK;
    CU_ASSERT_EQUAL(weak_mapping_check(&wrong, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the catalogue is wrong: mapping up-modulo of msvc"));
}

/* Four cards by msvc with seed 1, whose numbers are 41, 18467, 6334, 26500. */
TEST(mappings_move_four_cards_as_one_does_by_hand)
{
    static const struct {
        const char *mapping, *cards;
    } known[] = {
        {"down-modulo", "DACB"},    /* 41 % 4 = 1: ADCB; 18467 % 3 = 2; 6334 % 2 = 0 */
        {"up-modulo", "BDCA"},      /* 1 below: BACD; 2 below: BDCA; 0 */
        {"rise-modulo", "ABDC"},    /* 41 % 2 = 1, 18467 % 3 = 2: themselves; 6334 % 4 = 2 */
        {"sattolo-modulo", "DABC"}, /* 41 % 3 = 2: ABDC; 18467 % 2 = 1: ADBC; 0 */
        {"naive-modulo", "ADCB"},   /* 1: BACD; 18467 % 4 = 3: BDCA; 2: itself; 26500 % 4 = 0 */
        {"pick-modulo", "BDAC"},    /* 1 of ABCD, 2 of ACD, 0 of AC */
        {"down-high", "CDBA"},      /* 41 * 4 / 32768 = 0: DBCA; 18467 * 3 / 32768 = 1: DCBA; 0 */
        {"sort", "ACBD"},           /* 41, 6334, 18467, 26500 */
        {"sort-down", "DBCA"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct weak_state state;
        card_t cards[] = {'A', 'B', 'C', 'D'};

        weak_seed(generator_named("msvc"), 1, &state);
        weak_shuffle(generator_named("msvc"), mapping_named(known[i].mapping), &state, cards, 4);
        CU_ASSERT_EQUAL(memcmp(cards, known[i].cards, 4), 0);
    }
}

TEST(of_equal_keys_the_card_that_was_above_stays_above)
{
    struct weak_generator constant = *generator_named("msvc");
    card_t cards[] = {'A', 'B', 'C', 'D'};
    struct weak_state state;

    constant.multiplier = constant.increment = 0;
    weak_seed(&constant, 1, &state);
    weak_shuffle(&constant, mapping_named("sort"), &state, cards, 4);
    CU_ASSERT_EQUAL(memcmp(cards, "ABCD", 4), 0);
    weak_shuffle(&constant, mapping_named("sort-down"), &state, cards, 4);
    CU_ASSERT_EQUAL(memcmp(cards, "ABCD", 4), 0);
}

TEST(every_entry_shuffles_a_deck_and_goes_on_from_there)
{
    for (uint32_t entry = 0; weak_entry_generator(entry); entry++) {
        char text[WEAK_ENTRY_TEXT];
        struct shuffle_method method;
        struct shuffle shuffle;
        card_t deck[DECK_SIZE], once[DECK_SIZE];

        weak_entry_text(entry, text);
        CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(text, strlen(text), &method, NULL), 0);
        for (unsigned i = 0; i < DECK_SIZE; i++)
            deck[i] = card_from_index(i);
        shuffle_start(&shuffle, method, UINT64_MAX);
        shuffle_cards(&shuffle, deck, DECK_SIZE);
        CU_ASSERT_EQUAL(cards_once(deck, DECK_SIZE), DECK_SIZE);
        memcpy(once, deck, sizeof deck);
        for (unsigned i = 0; i < DECK_SIZE; i++)
            deck[i] = card_from_index(i);
        shuffle_cards(&shuffle, deck, DECK_SIZE);
        CU_ASSERT_NOT_EQUAL(memcmp(once, deck, sizeof deck), 0);
    }
}

TEST(an_entry_is_found_by_its_whole_name_alone)
{
    uint32_t entry;

    CU_ASSERT_TRUE(weak_entry_find("lcg:down-modulo", 15, &entry));
    CU_ASSERT_STRING_EQUAL(weak_entry_generator(entry)->name, "lcg");
    CU_ASSERT_STRING_EQUAL(weak_entry_mapping(entry)->name, "down-modulo");
    CU_ASSERT_FALSE(weak_entry_find("lcg:down-modulo", 14, &entry));
    CU_ASSERT_FALSE(weak_entry_find("lcg", 3, &entry));
    CU_ASSERT_FALSE(weak_entry_find("lcg:", 4, &entry));
    CU_ASSERT_FALSE(weak_entry_find(":down-modulo", 12, &entry));
}
