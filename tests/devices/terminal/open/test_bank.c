/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's meters and Must Hit, to the millionth. */
#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"
#include "games/game.h"
#include "games/three_card_catch/three_card_catch.h"
#include "tests/support/devices/terminal_table.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct terminal_table table;
static struct terminal_memory before, after;
static struct error error;

static void preset_is_the_sheet(const char *preset, const struct game *game, int wager)
{
    const struct terminal_config *config = terminal_preset(preset);
    const struct wager *stake = &game->wagers[wager];

    CU_ASSERT_PTR_NOT_NULL_FATAL(config);
    CU_ASSERT_EQUAL(terminal_config_check(config, &error), 0);
    CU_ASSERT_EQUAL(config->wager, stake->fixed);
    CU_ASSERT_EQUAL((int)config->rounding, (int)game->rounding);
    CU_ASSERT_EQUAL_FATAL(config->meter_count, game->meter_count);
    for (unsigned i = 0; i < config->meter_count; i++) {
        CU_ASSERT_STRING_EQUAL(config->meters[i].name, game->meters[i].name);
        CU_ASSERT_EQUAL((micros_t)config->meters[i].reseed, game->meters[i].reseed);
        CU_ASSERT_EQUAL((micros_t)config->meters[i].opening, game->meters[i].reseed);
        CU_ASSERT_EQUAL(config->meters[i].rate, game->meters[i].rate);
    }
    CU_ASSERT_EQUAL_FATAL(config->hand_count, stake->line_count);
    for (unsigned i = 0; i < config->hand_count; i++) {
        struct pay pay = stake->tables[0].pays[i];
        bool meter = pay.kind == PAY_METER;

        CU_ASSERT_STRING_EQUAL(config->hands[i].name, stake->lines[i].name);
        CU_ASSERT_EQUAL(config->hands[i].meter, meter ? pay.amount : TERMINAL_NONE);
        CU_ASSERT_EQUAL(config->hands[i].cents, meter ? 0 : (uint32_t)pay.amount);
        CU_ASSERT_EQUAL(terminal_config_hand(config, stake->lines[i].name), (int)i);
    }
}

TEST(the_presets_are_what_the_sheets_say)
{
    preset_is_the_sheet("stax", game_find("chase-the-flush"), CHASE_STAX);
    preset_is_the_sheet("three-card-catch", game_find("three-card-catch"), CATCH_PROGRESSIVE);
    CU_ASSERT_PTR_NULL(terminal_preset("flush-rush"));
    CU_ASSERT_EQUAL(terminal_config_hand(terminal_preset("stax"), "royal"), -1);
}

TEST(a_meter_pays_by_its_rounding_and_goes_to_its_reseed_value)
{
    static const struct {
        enum terminal_rounding rounding;
        uint64_t value, pays, left; /* left above the reseed value */
    } cases[] = {
        {TERMINAL_ROUND_CENTS, 500000000, 50000, 0},
        {TERMINAL_ROUND_CENTS, 500009999, 50000, 9999},
        {TERMINAL_ROUND_CENTS, 500010000, 50001, 0},
        {TERMINAL_ROUND_UP, 500000000, 50000, 0},
        {TERMINAL_ROUND_UP, 500000001, 50100, 0},
        {TERMINAL_ROUND_UP, 500999999, 50100, 0},
        {TERMINAL_ROUND_NEAREST, 500499999, 50000, 0},
        {TERMINAL_ROUND_NEAREST, 500500000, 50100, 0},
        {TERMINAL_ROUND_NEAREST, 500000000, 50000, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_config config = *terminal_preset("stax");
        struct terminal_memory *memory;

        config.rounding = cases[i].rounding;
        config.meters[3].opening = cases[i].value;
        terminal_table_open_with(&table, "", &config);
        memory = &table.device->memory;
        terminal_table_reach(&table, TERMINAL_AMOUNT);
        CU_ASSERT_EQUAL(memory->amount, cases[i].pays);
        CU_ASSERT_EQUAL(memory->meters[3], cases[i].value);
        terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
        CU_ASSERT_EQUAL(memory->meters[3], 500000000 + cases[i].left);
        CU_ASSERT_EQUAL(memory->ledger[0].cents, cases[i].pays);
        CU_ASSERT_EQUAL(memory->ledger[0].before, cases[i].value);
        CU_ASSERT_EQUAL(memory->ledger[0].after, 500000000 + cases[i].left);
        terminal_table_close(&table);
    }
}

TEST(an_award_of_a_meter_without_a_cent_is_shown_and_paid_as_no_cents)
{
    static const uint64_t values[] = {0, 9999};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct terminal_config config = *terminal_preset("stax");

        config.meters[3].opening = values[i];
        terminal_table_open_with(&table, "", &config);
        terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
        terminal_table_ask(&table, TERMINAL_SCREEN, NULL, 0);
        CU_ASSERT_EQUAL(table.reply.size, 4);
        terminal_table_code(&table, "4711");
        for (unsigned paid = 0; paid < 2; paid++) {
            terminal_table_ask(&table, TERMINAL_SCREEN, NULL, 0);
            CU_ASSERT_EQUAL_FATAL(table.reply.size, 12);
            CU_ASSERT_EQUAL(table.reply.payload[0], TERMINAL_AMOUNT + paid);
            CU_ASSERT_EQUAL(wire_get64(table.reply.payload + 4), 0);
            terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
        }
        terminal_table_ask(&table, TERMINAL_SIGN, NULL, 0);
        CU_ASSERT_EQUAL(table.reply.size, 10);
        CU_ASSERT_EQUAL(table.device->memory.meters[3], 500000000 + values[i]);
        CU_ASSERT_EQUAL(table.device->memory.ledger[0].cents, 0);
        terminal_table_press(&table, TERMINAL_OK, 0);
        terminal_table_ask(&table, TERMINAL_SCREEN, NULL, 0);
        CU_ASSERT_EQUAL(table.reply.size, 4);
        terminal_table_close(&table);
    }
}

TEST(a_hand_of_a_fixed_amount_moves_no_meter)
{
    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_CHOOSE);
    terminal_table_memory(&table, &before);
    terminal_table_press(&table, TERMINAL_HAND, 4);
    terminal_table_press(&table, TERMINAL_PENDING_JACKPOT, 0);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    terminal_table_press(&table, TERMINAL_CODE, 0);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    terminal_table_memory(&table, &after);
    CU_ASSERT_EQUAL(memcmp(before.meters, after.meters, sizeof before.meters), 0);
    CU_ASSERT_EQUAL(after.sign_cents, 25000);
    CU_ASSERT_EQUAL(after.sign_meter, TERMINAL_NONE);
    CU_ASSERT_EQUAL(after.ledger[0].cents, 25000);
    terminal_table_close(&table);
}

/* Approves a hand for a seat and returns what was paid. */
static uint64_t approve(unsigned seat, unsigned hand)
{
    const struct terminal_memory *memory = &table.device->memory;

    terminal_table_press(&table, TERMINAL_SEAT, seat);
    terminal_table_press(&table, TERMINAL_HAND, hand);
    terminal_table_press(&table, TERMINAL_PENDING_JACKPOT, 0);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    terminal_table_press(&table, TERMINAL_CODE, 0);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_OK, 0), 0);
    return memory->ledger[(memory->booked - 1) % TERMINAL_LEDGER_SIZE].cents;
}

TEST(the_second_winner_of_a_meter_gets_its_reseed_value)
{
    struct terminal_config config = *terminal_preset("stax");

    config.meters[3].opening = 777770000;
    terminal_table_open_with(&table, "", &config);
    terminal_table_start(&table, 0x0a);
    CU_ASSERT_EQUAL(approve(3, 3), 77777);
    CU_ASSERT_EQUAL(approve(1, 3), 50000);
    terminal_table_close(&table);
}

static void load(unsigned seat)
{
    uint8_t byte = (uint8_t)seat;

    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_LOAD_MUST_HIT, &byte, 1), 0);
}

static void test_mode(uint8_t on)
{
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_TEST_MODE, &on, 1), 0);
}

static void meters_equal(const struct meters *meters)
{
    for (unsigned i = 0; i < meters->count; i++)
        CU_ASSERT_EQUAL((micros_t)table.device->memory.meters[i], meters->meter[i].value);
}

/* One random round on both sides: jackpots of some seats, Must Hit for one of them or nobody. */
static void round_on_both_sides(uint64_t *seed, struct meters *meters)
{
    uint8_t seats = (uint8_t)((1 + seeded_below(seed, 127)) << 1);
    cents_t wagered = 500 * (cents_t)__builtin_popcount(seats), pays = 0;
    unsigned winner = seeded_below(seed, 40) ? 0 : (unsigned)__builtin_ctz(seats);

    if (meters->must_hit >= 0) {
        const struct meter *meter = &meters->meter[meters->must_hit];

        if (meter->value + wagered * meter->rate > meter->ceiling)
            winner = (unsigned)__builtin_ctz(seats);
        load(winner);
    } else {
        winner = 0;
    }
    terminal_table_start(&table, seats);
    for (unsigned seat = 1; seat <= 7; seat++)
        if (seats >> seat & 1 && !seeded_below(seed, 10)) {
            unsigned hand = seeded_below(seed, 4);

            CU_ASSERT_EQUAL((cents_t)approve(seat, hand), meters_award(meters, hand));
            terminal_table_forget(&table);
        }
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_END_ROUND, 0), 0);
    CU_ASSERT_EQUAL(meters_end_round(meters, wagered, winner != 0, &pays, &error), 0);
    if (winner) {
        const struct frame *paid = terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0);

        CU_ASSERT_PTR_NOT_NULL_FATAL(paid);
        CU_ASSERT_EQUAL(paid->payload[4], winner);
        CU_ASSERT_EQUAL((cents_t)wire_get64(paid->payload + 7), pays);
    } else {
        CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    }
    meters_equal(meters);
}

/* The engine of the rules was written by somebody else from the same page. */
TEST(thousands_of_rounds_end_as_the_rules_of_the_games_have_it)
{
    static const struct must_hit_rule rule = {250000000, 500000000, 100};
    struct terminal_config config = terminal_table_must_hit(250000000);
    uint64_t seed = 11;
    struct meters meters;

    meters_init(&meters, game_find("chase-the-flush")->meters, 4, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &rule, &error), 0);
    terminal_table_open_with(&table, "", &config);
    test_mode(1);
    for (unsigned i = 0; i < 3000; i++)
        round_on_both_sides(&seed, &meters);
    terminal_table_close(&table);

    for (unsigned rounding = ROUNDING_UP; rounding <= ROUNDING_NEAREST; rounding++) {
        config = *terminal_preset("three-card-catch");
        config.rounding = (enum terminal_rounding)rounding;
        meters_init(&meters, game_find("three-card-catch")->meters, 5, (enum rounding)rounding);
        terminal_table_open_with(&table, "", &config);
        for (unsigned i = 0; i < 1000; i++)
            round_on_both_sides(&seed, &meters);
        terminal_table_close(&table);
    }
}

TEST(what_would_pass_the_ceiling_is_carried_into_the_next_meter)
{
    struct terminal_config config = terminal_table_must_hit(499980000);
    const struct frame *paid;

    terminal_table_open_with(&table, "", &config);
    terminal_table_start(&table, 0x58);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    paid = terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(paid);
    CU_ASSERT_EQUAL(wire_get64(paid->payload + 7), 50000);
    CU_ASSERT_EQUAL(table.device->memory.meters[4], 250130000);
    CU_ASSERT_EQUAL(table.device->memory.sign_cents, 50000);
    terminal_table_ask(&table, TERMINAL_SIGN, NULL, 0);
    CU_ASSERT_EQUAL(table.reply.size, 10);
    terminal_table_start(&table, 0x58);
    terminal_table_ask(&table, TERMINAL_SIGN, NULL, 0);
    CU_ASSERT_EQUAL(table.reply.size, 1);
    terminal_table_close(&table);
}

TEST(must_hit_is_paid_exactly_when_its_target_is_reached)
{
    for (int off = -1; off <= 1; off++) {
        struct terminal_config config = terminal_table_must_hit(300000000);

        terminal_table_open_with(&table, "", &config);
        table.device->memory.target = (uint64_t)(300050000 + off);
        terminal_table_start(&table, 0x02);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0) != NULL, off <= 0);
        CU_ASSERT_EQUAL(table.device->memory.meters[4], off <= 0 ? 250000000 : 300050000);
        terminal_table_close(&table);
    }
}

TEST(a_long_evening_never_passes_the_ceiling_and_pays_only_who_has_paid)
{
    struct terminal_config config = terminal_table_must_hit(250000000);
    uint64_t seed = 3;
    unsigned wins[8] = {0}, awards = 0;

    config.must_hit.rate = 5000;
    terminal_table_open_with(&table, "seed=3", &config);
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t seats = (uint8_t)((1 + seeded_below(&seed, 127)) << 1), target[8];
        const struct frame *paid;

        wire_put64(target, table.device->memory.target);
        terminal_table_start(&table, seats);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_TRUE(table.device->memory.meters[4] <= config.must_hit.hit_by);
        CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 1));
        paid = terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0);
        for (unsigned j = 0; !paid && j < table.heard_count; j++)
            CU_ASSERT_PTR_NULL(memmem(table.heard[j].payload, table.heard[j].size, target, 8));
        if (!paid)
            continue;
        awards++;
        wins[paid->payload[4]]++;
        CU_ASSERT_TRUE(seats >> paid->payload[4] & 1);
        CU_ASSERT_TRUE(wire_get64(paid->payload + 7) <= 50000);
        CU_ASSERT_TRUE(wire_get64(paid->payload + 7) > 25000);
    }
    CU_ASSERT_TRUE(awards > 1000);
    for (unsigned seat = 1; seat <= 7; seat++)
        CU_ASSERT_TRUE(wins[seat] > awards / 14 && wins[seat] < awards / 4);
    terminal_table_close(&table);
}

/* Seven possible targets: each comes, and none too often. 4 sigma of 7000 draws is 124. */
TEST(each_target_above_the_reset_value_up_to_the_ceiling_is_as_likely)
{
    struct terminal_config config = terminal_table_must_hit(250000000);
    unsigned drawn[9] = {0};

    config.wager = 1;
    config.must_hit =
        (struct terminal_must_hit_rule){.reset = 1000, .hit_by = 1007, .opening = 1000, .rate = 1};
    terminal_table_open_with(&table, "seed=9", &config);
    for (unsigned i = 0; i < 7000; i++) {
        uint64_t target;

        table.device->memory.meters[4] = 1007;
        terminal_bank_pay(&table.device->memory, 4);
        target = table.device->memory.target - 1000;
        CU_ASSERT_TRUE_FATAL(target >= 1 && target <= 7);
        drawn[target]++;
    }
    for (unsigned target = 1; target <= 7; target++)
        CU_ASSERT_TRUE(drawn[target] > 876 && drawn[target] < 1124);
    terminal_table_close(&table);
}

TEST(the_same_seed_draws_the_same_evening)
{
    struct terminal_config config = terminal_table_must_hit(250000000);
    struct terminal_memory evenings[2];
    static const char *const options[] = {"seed=1", "seed=1", "seed=2"};

    for (unsigned i = 0; i < 3; i++) {
        terminal_table_open_with(&table, options[i], &config);
        for (unsigned j = 0; j < 3000; j++) {
            terminal_table_start(&table, 0xfe);
            terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        }
        terminal_table_memory(&table, &evenings[i > 0]);
        terminal_table_close(&table);
        if (i)
            CU_ASSERT_EQUAL(memcmp(&evenings[0], &evenings[1], sizeof evenings[0]) == 0, i == 1);
    }
}

TEST(a_loaded_award_needs_test_mode_and_counts_once)
{
    struct terminal_config config = terminal_table_must_hit(250000000);
    const uint8_t seat = 3, nine = 9, two = 2;

    terminal_table_open_with(&table, "", &config);
    table.device->memory.target = 500000000;
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_LOAD_MUST_HIT, &seat, 1),
                    REFUSED_TEST_MODE);
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_TEST_MODE, &two, 1), REFUSED_VALUE);
    test_mode(1);
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_LOAD_MUST_HIT, &nine, 1), REFUSED_VALUE);
    load(3);
    terminal_table_start(&table, 0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0)->payload[4], 3);
    table.device->memory.target = 500000000;
    terminal_table_start(&table, 0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    load(4);
    terminal_table_start(&table, 0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    load(3);
    test_mode(0);
    terminal_table_start(&table, 0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    terminal_table_close(&table);
}

TEST(nobody_loaded_cannot_let_the_meter_pass_its_ceiling)
{
    static const struct {
        uint64_t opening;
        bool paid;
    } cases[] = {{499900000, false}, {499900001, true}};

    for (unsigned i = 0; i < 2; i++) {
        struct terminal_config config = terminal_table_must_hit(cases[i].opening);

        terminal_table_open_with(&table, "", &config);
        test_mode(1);
        load(0);
        terminal_table_start(&table, 0x0a);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0) != NULL,
                        cases[i].paid);
        terminal_table_close(&table);
    }
}
