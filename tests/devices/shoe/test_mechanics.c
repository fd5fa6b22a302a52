/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of an emulated shoe, below any protocol. */
#include "devices/shoe/mechanics.h"

#include <string.h>

#include "tests/support/suite.h"

static struct shoe_model_base model;
#define shoe model.mechanics
static struct shoe_draw seen;
static struct error error;

static void read_option(const char *option)
{
    static const struct model_option options[] = {
        SHOE_OPTIONS, {"fault=SPEC", shoe_option_fault}, {NULL, NULL}};

    CU_ASSERT_EQUAL_FATAL(model_options_read(options, "a shoe", option, &model, &error), 0);
}

static void make(const char *option)
{
    shoe_mechanics_init(&shoe, 1);
    if (option)
        read_option(option);
}

static void add_fault(const char *spec)
{
    CU_ASSERT_EQUAL_FATAL(shoe_model_fault(&model.model, spec, &error), 0);
}

static void draw(unsigned count)
{
    while (count--)
        CU_ASSERT_TRUE(shoe_mechanics_draw(&shoe, &seen));
}

TEST(a_new_shoe_is_locked_with_a_whole_deck)
{
    make(NULL);
    CU_ASSERT_TRUE(shoe.memory.is_locked);
    CU_ASSERT_EQUAL(shoe.memory.number, 1);
    CU_ASSERT_TRUE(shoe_mechanics_is_order(shoe.memory.deck, DECK_SIZE));
    CU_ASSERT_FALSE(shoe.memory.is_loaded);
    CU_ASSERT_EQUAL(shoe.due, NEVER);
    make("seed=7");
    CU_ASSERT_EQUAL(shoe.memory.number, 1);
    CU_ASSERT_TRUE(shoe_mechanics_is_order(shoe.memory.deck, DECK_SIZE));
}

TEST(a_deck_has_52_cards_and_then_none)
{
    make(NULL);
    draw(DECK_SIZE);
    CU_ASSERT_EQUAL(seen.index, 51);
    CU_ASSERT_FALSE(shoe_mechanics_draw(&shoe, &seen));
    shoe_mechanics_refill(&shoe);
    CU_ASSERT_EQUAL(shoe.memory.number, 2);
    draw(1);
    CU_ASSERT_EQUAL(seen.index, 0);
}

TEST(the_cut_card_comes_once_in_each_deck)
{
    make("cut=2");
    add_fault("misread@card:3");
    draw(2);
    CU_ASSERT_FALSE(seen.has_cut_card);
    draw(1);
    CU_ASSERT_TRUE(seen.has_cut_card);
    CU_ASSERT_EQUAL(seen.fault, SHOE_CANNOT_READ);
    CU_ASSERT_FALSE(seen.has_card);
    /* The card that could not be read is drawn again, the cut card is not. */
    draw(1);
    CU_ASSERT_FALSE(seen.has_cut_card);
    CU_ASSERT_TRUE(seen.has_card);
    CU_ASSERT_EQUAL(seen.index, 2);
    shoe_mechanics_refill(&shoe);
    draw(3);
    CU_ASSERT_TRUE(seen.has_cut_card);
}

TEST(an_error_hides_the_next_one_until_it_is_cleared)
{
    make(NULL);
    add_fault("jam@card:1");
    add_fault("misread@card:1");
    add_fault("overdraw@card:1");
    draw(1);
    CU_ASSERT_EQUAL(seen.fault, SHOE_CANNOT_READ);
    shoe.memory.error = SHOE_CANNOT_READ;
    shoe.memory.is_locked = false;
    draw(1);
    CU_ASSERT_EQUAL(seen.fault, SHOE_NO_FAULT);
    CU_ASSERT_TRUE(seen.has_card && seen.outside);
    shoe_mechanics_refill(&shoe);
    shoe.memory.error = SHOE_NO_FAULT;
    draw(1);
    CU_ASSERT_EQUAL(seen.fault, SHOE_JAM);
    draw(1);
    CU_ASSERT_EQUAL(seen.fault, SHOE_OVERDRAW);
    CU_ASSERT_TRUE(seen.has_card);
    CU_ASSERT_FALSE(seen.outside);
}

/* What the hand does next: draws, changes the deck, or nothing. */
static const struct {
    bool is_locked, is_in_error;
    uint8_t drawn;
    nanos_t pause; /* 0: never */
} plans[] = {
    {false, false, 0, 400}, {false, false, 51, 400}, {false, false, 52, 0}, {false, true, 5, 0},
    {true, false, 0, 0},    {true, false, 1, 3000},  {true, true, 1, 0},
};

TEST(the_hand_draws_from_an_open_shoe_and_fills_a_locked_one)
{
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        nanos_t pause = plans[i].pause * NANOS_PER_MILLI;

        make("draw=400");
        read_option("refill=3000");
        shoe.memory.is_locked = plans[i].is_locked;
        shoe.memory.error = plans[i].is_in_error ? SHOE_JAM : SHOE_NO_FAULT;
        shoe.memory.drawn = plans[i].drawn;
        shoe_mechanics_plan(&shoe, 1000);
        CU_ASSERT_EQUAL(shoe.due, pause ? 1000 + pause : NEVER);
        CU_ASSERT_EQUAL(shoe_mechanics_refills(&shoe), plans[i].is_locked);
    }
}

TEST(a_given_order_lies_on_top_of_the_rest_of_the_deck)
{
    static const card_t top[] = {0x3c, 0x00, 0x1b};

    make(NULL);
    shoe_mechanics_load(&shoe, top, 3);
    CU_ASSERT(!memcmp(shoe.memory.deck, top, 3));
    CU_ASSERT_TRUE(shoe_mechanics_is_order(shoe.memory.deck, DECK_SIZE));
    CU_ASSERT_TRUE(shoe.memory.is_loaded);
    CU_ASSERT_EQUAL(shoe_mechanics_record(&shoe, top + 1, 2, &error), 0);
    shoe_mechanics_refill(&shoe);
    CU_ASSERT(!memcmp(shoe.memory.deck, top + 1, 2));
    CU_ASSERT_TRUE(shoe.memory.is_loaded);
    shoe_mechanics_refill(&shoe);
    CU_ASSERT_FALSE(shoe.memory.is_loaded);
    CU_ASSERT_TRUE(shoe_mechanics_is_order(shoe.memory.deck, DECK_SIZE));
    shoe_mechanics_free(&shoe);
}

TEST(the_cable_is_torn_at_its_frame_and_once)
{
    make("fault=unplug@frames:3");
    CU_ASSERT_FALSE(shoe_mechanics_is_unplugged(&shoe, 2));
    CU_ASSERT_TRUE(shoe_mechanics_is_unplugged(&shoe, 5));
    CU_ASSERT_FALSE(shoe_mechanics_is_unplugged(&shoe, 6));
}
