/* The terminal's meters, Must Hit, configuration, administrator and defects. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/chase_the_flush.h"
#include "games/game.h"
#include "games/three_card_catch.h"
#include "tests/seeded.h"
#include "tests/suite.h"
#include "tests/terminal_table.h"

static struct terminal_table table;
static struct terminal_memory before, after;
static struct error error;

static void same_but_for_the_log(void)
{
    terminal_table_memory(&table, &after);
    CU_ASSERT_EQUAL(memcmp(&before, &after, sizeof before), 0);
}

static const struct terminal_must_hit_rule mystery = {
    .reset = 250000000, .hit_by = 500000000, .opening = 250000000, .rate = 100};

static void set_up(const char *options, const struct terminal_config *config)
{
    terminal_table_open(&table, options);
    CU_ASSERT_EQUAL_FATAL(terminal_model_configure(&table.device->model, config, 0, &error), 0);
    terminal_table_listen(&table);
    terminal_table_forget(&table);
}

static struct terminal_config stax_with_must_hit(uint64_t opening)
{
    struct terminal_config config = *terminal_preset("stax");

    config.must_hit = mystery;
    config.must_hit.opening = opening;
    return config;
}

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

static void the_presets_are_what_the_sheets_say(void)
{
    preset_is_the_sheet("stax", &game_chase_the_flush, CHASE_STAX);
    preset_is_the_sheet("three-card-catch", &game_three_card_catch, CATCH_PROGRESSIVE);
    CU_ASSERT_PTR_NULL(terminal_preset("flush-rush"));
    CU_ASSERT_EQUAL(terminal_config_hand(terminal_preset("stax"), "royal"), -1);
}

static void a_meter_pays_by_its_rounding_and_goes_to_its_reseed_value(void)
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
        set_up("", &config);
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

static void a_hand_of_a_fixed_amount_moves_no_meter(void)
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

static void start_with(uint8_t seats)
{
    terminal_table_forget(&table);
    table.device->sensors = seats;
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_START_ROUND, 0), 0);
}

static void the_second_winner_of_a_meter_gets_its_reseed_value(void)
{
    struct terminal_config config = *terminal_preset("stax");

    config.meters[3].opening = 777770000;
    set_up("", &config);
    start_with(0x0a);
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
    start_with(seats);
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
static void thousands_of_rounds_end_as_the_rules_of_the_games_have_it(void)
{
    static const struct must_hit_rule rule = {250000000, 500000000, 100};
    struct terminal_config config = stax_with_must_hit(250000000);
    uint64_t seed = 11;
    struct meters meters;

    meters_init(&meters, game_chase_the_flush.meters, 4, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &rule, &error), 0);
    set_up("", &config);
    test_mode(1);
    for (unsigned i = 0; i < 3000; i++)
        round_on_both_sides(&seed, &meters);
    terminal_table_close(&table);

    for (unsigned rounding = ROUNDING_UP; rounding <= ROUNDING_NEAREST; rounding++) {
        config = *terminal_preset("three-card-catch");
        config.rounding = (enum terminal_rounding)rounding;
        meters_init(&meters, game_three_card_catch.meters, 5, (enum rounding)rounding);
        set_up("", &config);
        for (unsigned i = 0; i < 1000; i++)
            round_on_both_sides(&seed, &meters);
        terminal_table_close(&table);
    }
}

static void what_would_pass_the_ceiling_is_carried_into_the_next_meter(void)
{
    struct terminal_config config = stax_with_must_hit(499980000);
    const struct frame *paid;

    set_up("", &config);
    start_with(0x58);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    paid = terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(paid);
    CU_ASSERT_EQUAL(wire_get64(paid->payload + 7), 50000);
    CU_ASSERT_EQUAL(table.device->memory.meters[4], 250130000);
    CU_ASSERT_EQUAL(table.device->memory.sign_cents, 50000);
    terminal_table_ask(&table, TERMINAL_SIGN, NULL, 0);
    CU_ASSERT_EQUAL(table.reply.size, 10);
    start_with(0x58);
    terminal_table_ask(&table, TERMINAL_SIGN, NULL, 0);
    CU_ASSERT_EQUAL(table.reply.size, 1);
    terminal_table_close(&table);
}

static void must_hit_is_paid_exactly_when_its_target_is_reached(void)
{
    for (int off = -1; off <= 1; off++) {
        struct terminal_config config = stax_with_must_hit(300000000);

        set_up("", &config);
        table.device->memory.target = (uint64_t)(300050000 + off);
        start_with(0x02);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0) != NULL, off <= 0);
        CU_ASSERT_EQUAL(table.device->memory.meters[4], off <= 0 ? 250000000 : 300050000);
        terminal_table_close(&table);
    }
}

static void a_long_evening_never_passes_the_ceiling_and_pays_only_who_has_paid(void)
{
    struct terminal_config config = stax_with_must_hit(250000000);
    uint64_t seed = 3;
    unsigned wins[8] = {0}, awards = 0;

    config.must_hit.rate = 5000;
    set_up("seed=3", &config);
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t seats = (uint8_t)((1 + seeded_below(&seed, 127)) << 1), target[8];
        const struct frame *paid;

        wire_put64(target, table.device->memory.target);
        start_with(seats);
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
static void each_target_above_the_reset_value_up_to_the_ceiling_is_as_likely(void)
{
    struct terminal_config config = stax_with_must_hit(250000000);
    unsigned drawn[9] = {0};

    config.wager = 1;
    config.must_hit =
        (struct terminal_must_hit_rule){.reset = 1000, .hit_by = 1007, .opening = 1000, .rate = 1};
    set_up("seed=9", &config);
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

static void the_same_seed_draws_the_same_evening(void)
{
    struct terminal_config config = stax_with_must_hit(250000000);
    struct terminal_memory evenings[2];
    static const char *const options[] = {"seed=1", "seed=1", "seed=2"};

    for (unsigned i = 0; i < 3; i++) {
        set_up(options[i], &config);
        for (unsigned j = 0; j < 3000; j++) {
            start_with(0xfe);
            terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        }
        terminal_table_memory(&table, &evenings[i > 0]);
        terminal_table_close(&table);
        if (i)
            CU_ASSERT_EQUAL(memcmp(&evenings[0], &evenings[1], sizeof evenings[0]) == 0, i == 1);
    }
}

static void a_loaded_award_needs_test_mode_and_counts_once(void)
{
    struct terminal_config config = stax_with_must_hit(250000000);
    const uint8_t seat = 3, nine = 9, two = 2;

    set_up("", &config);
    table.device->memory.target = 500000000;
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_LOAD_MUST_HIT, &seat, 1),
                    REFUSED_TEST_MODE);
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_TEST_MODE, &two, 1), REFUSED_VALUE);
    test_mode(1);
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_LOAD_MUST_HIT, &nine, 1), REFUSED_VALUE);
    load(3);
    start_with(0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0)->payload[4], 3);
    table.device->memory.target = 500000000;
    start_with(0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    load(4);
    start_with(0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    load(3);
    test_mode(0);
    start_with(0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0));
    terminal_table_close(&table);
}

static void nobody_loaded_cannot_let_the_meter_pass_its_ceiling(void)
{
    static const struct {
        uint64_t opening;
        bool paid;
    } cases[] = {{499900000, false}, {499900001, true}};

    for (unsigned i = 0; i < 2; i++) {
        struct terminal_config config = stax_with_must_hit(cases[i].opening);

        set_up("", &config);
        test_mode(1);
        load(0);
        start_with(0x0a);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_MUST_HIT_PAID, 0) != NULL,
                        cases[i].paid);
        terminal_table_close(&table);
    }
}

static void allowed(struct terminal_config *config, bool expected)
{
    error.text[0] = '\0';
    CU_ASSERT_EQUAL(terminal_config_check(config, &error), expected ? 0 : ERROR_CONFIG);
    CU_ASSERT_EQUAL(error.text[0] == '\0', expected);
    *config = stax_with_must_hit(250000000);
}

static void a_configuration_keeps_within_what_a_table_can_be(void)
{
    struct terminal_config config = stax_with_must_hit(250000000);

    allowed(&config, true);
    config.wager = 0, allowed(&config, false);
    config.wager = TERMINAL_WAGER_MAX + 1, allowed(&config, false);
    config.rounding = TERMINAL_ROUNDINGS, allowed(&config, false);
    config.meter_count = 0, allowed(&config, false);
    config.meter_count = 6, allowed(&config, false);
    config.hand_count = 0, allowed(&config, false);
    config.hand_count = 17, allowed(&config, false);
    config.meters[1].name[0] = '\0', allowed(&config, false);
    strcpy(config.meters[1].name, "a b"), allowed(&config, false);
    strcpy(config.meters[1].name, "must-hit"), allowed(&config, false);
    strcpy(config.meters[1].name, "star"), allowed(&config, false);
    memset(config.meters[1].name, 'x', 9), allowed(&config, false);
    strcpy(config.meters[1].name, "eight-ch"), allowed(&config, true);
    config.meters[1].reseed = TERMINAL_METER_MAX, allowed(&config, true);
    config.meters[1].reseed = TERMINAL_METER_MAX + 1, allowed(&config, false);
    config.meters[1].opening = TERMINAL_METER_MAX + 1, allowed(&config, false);
    config.meters[1].rate = 10000, allowed(&config, true);
    config.meters[1].rate = 10001, allowed(&config, false);
    config.hands[0].meter = 4, allowed(&config, false);
    config.hands[0].cents = 1, allowed(&config, false);
    config.hands[4].cents = 0, allowed(&config, false);
    config.hands[4].cents = TERMINAL_PAYS_MAX + 1, allowed(&config, false);
    config.must_hit.rate = 10001, allowed(&config, false);
    config.must_hit.reset = 0, allowed(&config, false);
    config.must_hit.hit_by = TERMINAL_METER_MAX + 1, allowed(&config, false);
    config.must_hit.hit_by = 250350000, allowed(&config, true);
    config.must_hit.hit_by = 250349999, allowed(&config, false);
    config.must_hit.opening = 249999999, allowed(&config, false);
    config.must_hit.opening = 500000000, allowed(&config, true);
    config.must_hit.opening = 500000001, allowed(&config, false);
    config = *terminal_preset("three-card-catch");
    config.must_hit = mystery, allowed(&config, false);
}

struct message {
    uint8_t bytes[FRAME_PAYLOAD_MAX];
    size_t size;
};

static void put(struct message *message, const void *bytes, size_t size)
{
    memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

static struct message correction(const char *admin, unsigned meter, uint64_t value,
                                 const char *reason)
{
    struct message message = {.size = 0};
    uint8_t number[10] = {(uint8_t)meter}, length = (uint8_t)strlen(admin);

    wire_put64(number + 1, value);
    number[9] = (uint8_t)strlen(reason);
    put(&message, &length, 1);
    put(&message, admin, strlen(admin));
    put(&message, number, sizeof number);
    put(&message, reason, strlen(reason));
    return message;
}

static unsigned correct(const char *admin, unsigned meter, uint64_t value, const char *reason)
{
    struct message message = correction(admin, meter, value, reason);

    return terminal_table_ask(&table, TERMINAL_CORRECT, message.bytes, message.size);
}

static void only_an_administrator_with_a_reason_corrects_a_meter(void)
{
    struct terminal_config config = stax_with_must_hit(250000000);
    const struct terminal_memory *memory;
    char reason[50];

    memset(reason, 'r', sizeof reason);
    reason[49] = '\0';
    set_up("admin=1234", &config);
    memory = &table.device->memory;
    terminal_table_memory(&table, &before);
    CU_ASSERT_EQUAL(correct("4711", 3, 1, "why"), REFUSED_AUTHORIZATION);
    CU_ASSERT_EQUAL(memory->log[memory->logged - 1].code, TERMINAL_LOG_ADMINISTRATOR_REFUSED);
    CU_ASSERT_EQUAL(correct("12345", 3, 1, "why"), REFUSED_AUTHORIZATION);
    CU_ASSERT_EQUAL(correct("1234", 3, 1, ""), REFUSED_VALUE);
    CU_ASSERT_EQUAL(correct("1234", 3, 1, reason), REFUSED_VALUE);
    CU_ASSERT_EQUAL(correct("1234", 3, 1, "a\nb"), REFUSED_VALUE);
    CU_ASSERT_EQUAL(correct("1234", 5, 1, "why"), REFUSED_VALUE);
    CU_ASSERT_EQUAL(correct("1234", 3, TERMINAL_METER_MAX + 1, "why"), REFUSED_VALUE);
    CU_ASSERT_EQUAL(correct("1234", 4, 249999999, "why"), REFUSED_VALUE);
    CU_ASSERT_EQUAL(correct("1234", 4, 500000001, "why"), REFUSED_VALUE);
    same_but_for_the_log();
    CU_ASSERT_EQUAL(correct("1234", 3, TERMINAL_METER_MAX, reason + 1), 0);
    CU_ASSERT_EQUAL(memory->meters[3], TERMINAL_METER_MAX);
    CU_ASSERT_EQUAL(memory->ledger[0].before, 500000000);
    CU_ASSERT_EQUAL(memory->ledger[0].after, TERMINAL_METER_MAX);
    CU_ASSERT_STRING_EQUAL(memory->ledger[0].reason, reason + 1);
    CU_ASSERT_EQUAL(correct("1234", 4, 480000000, "put back"), 0);
    CU_ASSERT_TRUE(memory->target > 480000000);
    start_with(0x02);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(memory->meters[3], TERMINAL_METER_MAX);
    terminal_table_close(&table);
}

static void a_meter_is_corrected_between_approvals_and_configured_between_rounds(void)
{
    struct message configuration = {.size = 0};

    put(&configuration,
        "\x05"
        "86420",
        6);
    for (unsigned state = TERMINAL_IDLE; state < TERMINAL_STATES; state++) {
        bool between = state == TERMINAL_IDLE || state == TERMINAL_OPEN;

        terminal_table_open(&table, "");
        terminal_table_reach(&table, (enum terminal_state)state);
        CU_ASSERT_EQUAL(correct("86420", 0, 1, "why"), between ? 0 : REFUSED_STATE);
        CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_CONFIGURE, configuration.bytes, 6),
                        state == TERMINAL_IDLE ? REFUSED_LENGTH : REFUSED_STATE);
        CU_ASSERT_EQUAL(terminal_model_configure(&table.device->model, terminal_preset("stax"),
                                                 table.now, &error),
                        state == TERMINAL_IDLE ? 0 : ERROR_CONFIG);
        terminal_table_close(&table);
    }
}

/* A configuration as it goes over the wire: five meters with the longest names, 16 hands. */
static struct message large_configuration(void)
{
    struct message message = {.size = 0};
    uint8_t numbers[26] = {0};

    put(&message,
        "\x05"
        "86420\0\0\x01\xf4\x01\x05",
        12);
    wire_put64(numbers, 5000000);
    wire_put64(numbers + 8, 6000000);
    wire_put16(numbers + 16, 400);
    for (char i = '1'; i <= '5'; i++) {
        char name[9] = "\x08meter--1";

        put(&message, name, 8);
        put(&message, &i, 1);
        put(&message, numbers, 18);
    }
    put(&message, "\0\0\x10", 3);
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t hand[] = {i % 2 ? TERMINAL_NONE : i % 5, 0, 0, 0, i % 2};

        put(&message, hand, sizeof hand);
    }
    return message;
}

static void a_configuration_or_correction_cut_anywhere_changes_nothing(void)
{
    struct message whole[] = {large_configuration(), correction("86420", 2, 5, "a reason")};
    static const uint8_t types[] = {TERMINAL_CONFIGURE, TERMINAL_CORRECT};

    CU_ASSERT_TRUE(whole[0].size <= FRAME_PAYLOAD_MAX);
    for (unsigned i = 0; i < 2; i++) {
        terminal_table_open(&table, "");
        terminal_table_memory(&table, &before);
        for (size_t size = 0; size < whole[i].size; size++) {
            terminal_table_forget(&table);
            CU_ASSERT_EQUAL(terminal_table_ask(&table, types[i], whole[i].bytes, size),
                            REFUSED_LENGTH);
        }
        CU_ASSERT_EQUAL(terminal_table_ask(&table, types[i], whole[i].bytes, whole[i].size + 1),
                        REFUSED_LENGTH);
        same_but_for_the_log();
        CU_ASSERT_EQUAL(terminal_table_ask(&table, types[i], whole[i].bytes, whole[i].size), 0);
        CU_ASSERT_EQUAL(table.device->memory.meters[2], i ? 5 : 6000000);
        terminal_table_close(&table);
    }
}

static void an_impossible_configuration_on_the_wire_changes_nothing(void)
{
    static const struct {
        size_t at;
        uint8_t byte;
    } changes[] = {{6, 0xff}, {10, 3},   {11, 6},    {11, 0},  {12, 9},
                   {13, ' '}, {20, '2'}, {37, 0xff}, {147, 1}, {149, 17}};
    struct message whole = large_configuration();

    terminal_table_open(&table, "");
    terminal_table_memory(&table, &before);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct message message = whole;

        terminal_table_forget(&table);
        message.bytes[changes[i].at] = changes[i].byte;
        CU_ASSERT_NOT_EQUAL(
            terminal_table_ask(&table, TERMINAL_CONFIGURE, message.bytes, message.size), 0);
    }
    same_but_for_the_log();
    terminal_table_close(&table);
}

static void each_defect_shows_where_its_specification_says(void)
{
    struct terminal_config config = stax_with_must_hit(499990000);

    terminal_table_open(&table, "fault=dark@seat:1,fault=lit@seat:7");
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0x80);
    terminal_table_reach(&table, TERMINAL_OPEN);
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0x88);
    terminal_table_close(&table);

    terminal_table_open(&table, "fault=wrong-meter@round:2,fault=no-contribution@round:3");
    for (unsigned i = 1; i <= 4; i++) {
        static const uint64_t star[] = {0, 10000100000, 10000210000, 10000210000, 10000310000};

        start_with(0x02);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_EQUAL(table.device->memory.meters[0], star[i]);
    }
    terminal_table_close(&table);

    terminal_table_open(&table, "fault=wrong-sign@jackpot:2");
    start_with(0x0e);
    terminal_table_reach(&table, TERMINAL_SIGNED);
    CU_ASSERT_EQUAL(table.device->memory.sign_cents, 50000);
    terminal_table_press(&table, TERMINAL_OK, 0);
    terminal_table_press(&table, TERMINAL_SEAT, 1);
    terminal_table_press(&table, TERMINAL_HAND, 3);
    terminal_table_press(&table, TERMINAL_PENDING_JACKPOT, 0);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    terminal_table_press(&table, TERMINAL_CODE, 0);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    CU_ASSERT_EQUAL(table.device->memory.sign_cents, 50100);
    CU_ASSERT_EQUAL(table.device->memory.ledger[1].cents, 50000);
    terminal_table_close(&table);

    terminal_table_open(&table, "fault=early-amount");
    terminal_table_reach(&table, TERMINAL_PENDING);
    terminal_table_ask(&table, TERMINAL_SCREEN, NULL, 0);
    CU_ASSERT_EQUAL(table.reply.size, 12);
    CU_ASSERT_EQUAL(wire_get64(table.reply.payload + 4), 50000);
    terminal_table_close(&table);

    set_up("fault=late-must-hit", &config);
    start_with(0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(table.device->memory.meters[4], 500090000);
    terminal_table_close(&table);
}

static void a_device_that_is_unplugged_or_loses_power_does_so_on_time(void)
{
    const uint8_t key = TERMINAL_START_ROUND;

    terminal_table_open(&table, "fault=unplug@frames:3");
    table.is_deaf = true;
    terminal_table_press(&table, TERMINAL_START_ROUND, 0);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_FALSE(table.device->model.gone);
    terminal_table_press(&table, TERMINAL_START_ROUND, 0);
    CU_ASSERT_TRUE(table.device->model.gone);
    terminal_table_close(&table);

    terminal_table_open(&table, "fault=power@key:2");
    terminal_table_press(&table, TERMINAL_OK, 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_POWER_UP, 0));
    memset(&table.reply, 0, sizeof table.reply);
    {
        const uint8_t frame[] = {8, 1, 4, 0x10, 4, key, 0xee, 0x2a, 0};

        terminal_table_say(&table, frame, sizeof frame);
    }
    CU_ASSERT_EQUAL(table.reply.type, 0);
    CU_ASSERT_EQUAL(table.device->memory.state, TERMINAL_OPEN);
    CU_ASSERT_PTR_NOT_NULL(terminal_table_event(&table, TERMINAL_POWER_UP, 0));
    terminal_table_close(&table);
}

static void what_is_no_option_or_no_fault_is_a_sentence(void)
{
    static const char *const wrong[] = {
        "seed",
        "seed=",
        "seed=x",
        "seed=-1",
        "seed=99999999999999999999",
        "code=123",
        "code=123456789",
        "admin=12c4",
        "serial=",
        "serial=123456789012345678901234567890123",
        "preset=flush-rush",
        "colour=red",
        "=",
        "fault=",
        "fault=jam@packet:3",
        "fault=dark@seat:0",
        "fault=dark@seat:8",
        "fault=dark@seat:",
        "fault=dark@seat:1x",
        "fault=power@key:+1",
        "fault=power@key:4294967296",
        "fault=early-amount@round:1",
        "fault=unplug@frames:07",
        "serial=12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    struct model *model;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error.text[0] = '\0';
        CU_ASSERT_PTR_NULL(terminal_model_new(wrong[i], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "terminal"));
    }
    model = terminal_model_new("seed=18446744073709551615,preset=three-card-catch,serial=T-99,"
                               "code=00000000,admin=1111,fault=power@key:4294967295",
                               &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    CU_ASSERT_EQUAL(((struct terminal_device *)model)->memory.config.meter_count, 5);
    CU_ASSERT_STRING_EQUAL(((struct terminal_device *)model)->identity.serial, "T-99");
    for (unsigned i = 1; i < TERMINAL_MODEL_DEFECTS; i++)
        CU_ASSERT_EQUAL(terminal_model_fault(model, "early-amount", &error), 0);
    CU_ASSERT_EQUAL(terminal_model_fault(model, "early-amount", &error), ERROR_CONFIG);
    model->ops->free(model);
}

SUITE("terminal_bank", TEST(the_presets_are_what_the_sheets_say),
      TEST(a_meter_pays_by_its_rounding_and_goes_to_its_reseed_value),
      TEST(a_hand_of_a_fixed_amount_moves_no_meter),
      TEST(the_second_winner_of_a_meter_gets_its_reseed_value),
      TEST(thousands_of_rounds_end_as_the_rules_of_the_games_have_it),
      TEST(what_would_pass_the_ceiling_is_carried_into_the_next_meter),
      TEST(must_hit_is_paid_exactly_when_its_target_is_reached),
      TEST(a_long_evening_never_passes_the_ceiling_and_pays_only_who_has_paid),
      TEST(each_target_above_the_reset_value_up_to_the_ceiling_is_as_likely),
      TEST(the_same_seed_draws_the_same_evening),
      TEST(a_loaded_award_needs_test_mode_and_counts_once),
      TEST(nobody_loaded_cannot_let_the_meter_pass_its_ceiling),
      TEST(a_configuration_keeps_within_what_a_table_can_be),
      TEST(only_an_administrator_with_a_reason_corrects_a_meter),
      TEST(a_meter_is_corrected_between_approvals_and_configured_between_rounds),
      TEST(a_configuration_or_correction_cut_anywhere_changes_nothing),
      TEST(an_impossible_configuration_on_the_wire_changes_nothing),
      TEST(each_defect_shows_where_its_specification_says),
      TEST(a_device_that_is_unplugged_or_loses_power_does_so_on_time),
      TEST(what_is_no_option_or_no_fault_is_a_sentence))
