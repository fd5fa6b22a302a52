/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's model, frame by frame and key by key. */
#include "devices/terminal/open/model.h"

#include <string.h>

#include "tests/support/devices/terminal_golden.h"
#include "tests/support/devices/terminal_table.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct terminal_table table;
static struct terminal_memory before, after;

static void same_but_for_the_log(void)
{
    terminal_table_memory(&table, &after);
    CU_ASSERT_EQUAL(memcmp(&before, &after, sizeof before), 0);
}

static void open_with_must_hit(const char *options, uint64_t opening)
{
    struct terminal_config config = terminal_table_must_hit(opening);

    terminal_table_open_with(&table, options, &config);
}

struct golden {
    enum terminal_state state; /* to be reached first */
    const char *request, *reply;
};

TEST(every_request_of_the_page_gets_the_reply_of_the_page)
{
    static const struct golden goldens[] = {
        {TERMINAL_OPEN, GOLDEN_STATUS, GOLDEN_STATUS_REPLY},
        {TERMINAL_IDLE, GOLDEN_SENSORS, GOLDEN_SENSORS_REPLY},
        {TERMINAL_IDLE, GOLDEN_START, GOLDEN_START_REPLY},
        {TERMINAL_OPEN, GOLDEN_SEAT3, GOLDEN_SEAT_REPLY},
        {TERMINAL_CODE_ENTRY, GOLDEN_CODE, GOLDEN_CODE_REPLY},
        {TERMINAL_CODE_ENTRY, GOLDEN_WRONG, GOLDEN_WRONG_REPLY},
        {TERMINAL_IDLE, GOLDEN_METERS, GOLDEN_METERS_REPLY},
        {TERMINAL_SIGNED, GOLDEN_SIGN, GOLDEN_SIGN_REPLY},
        {TERMINAL_OPEN, GOLDEN_LIGHTS, GOLDEN_LIGHTS_REPLY},
        {TERMINAL_CODE_ENTRY, GOLDEN_SCREEN, GOLDEN_SCREEN_REPLY},
        {TERMINAL_IDLE, GOLDEN_CONFIGURE, GOLDEN_CONFIGURE_REPLY},
        {TERMINAL_IDLE, GOLDEN_CORRECT, GOLDEN_CORRECT_REPLY},
        {TERMINAL_IDLE, GOLDEN_TEST, GOLDEN_TEST_REPLY},
    };

    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        terminal_table_open(&table, "");
        terminal_table_reach(&table, goldens[i].state);
        terminal_table_forget(&table);
        terminal_table_say_hex(&table, goldens[i].request);
        CU_ASSERT_TRUE(terminal_table_heard(&table, goldens[i].reply));
        terminal_table_close(&table);
    }
}

TEST(requests_that_need_others_before_them_read_as_on_the_page)
{
    terminal_table_open(&table, "");
    terminal_table_say_hex(&table, GOLDEN_CORRECT);
    terminal_table_say_hex(&table, GOLDEN_LEDGER);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_LEDGER_REPLY));
    terminal_table_close(&table);

    terminal_table_open(&table, "");
    terminal_table_press(&table, TERMINAL_OK, 0);
    terminal_table_press(&table, TERMINAL_START_ROUND, 0);
    terminal_table_say_hex(&table, GOLDEN_LOG);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_LOG_REPLY));
    terminal_table_close(&table);

    open_with_must_hit("", 400000000);
    terminal_table_say_hex(&table, GOLDEN_TEST);
    terminal_table_say_hex(&table, GOLDEN_LOAD);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_LOAD_REPLY));
    CU_ASSERT_EQUAL(table.device->memory.loaded_seat, 3);
    terminal_table_close(&table);

    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    terminal_table_press(&table, TERMINAL_CODE, 0);
    table.sequence = 0;
    CU_ASSERT_FALSE(terminal_table_heard(&table, GOLDEN_SCREEN_AMOUNT));
    terminal_table_forget(&table);
    terminal_table_say_hex(&table, "07 01 04 15 0a 73 78 00");
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_SCREEN_AMOUNT));
    terminal_table_close(&table);
}

TEST(the_configuration_of_the_page_is_understood)
{
    const struct terminal_memory *memory;

    terminal_table_open(&table, "");
    memory = &table.device->memory;
    terminal_table_say_hex(&table, GOLDEN_CONFIGURE);
    CU_ASSERT_EQUAL(memory->config.wager, 500);
    CU_ASSERT_EQUAL(memory->config.rounding, TERMINAL_ROUND_CENTS);
    CU_ASSERT_EQUAL(memory->config.meter_count, 1);
    CU_ASSERT_STRING_EQUAL(memory->config.meters[0].name, "star");
    CU_ASSERT_EQUAL(memory->config.meters[0].reseed, 10000000000);
    CU_ASSERT_EQUAL(memory->config.meters[0].rate, 200);
    CU_ASSERT_EQUAL(memory->meters[0], 12345678900);
    CU_ASSERT_EQUAL(memory->config.must_hit.reset, 250000000);
    CU_ASSERT_EQUAL(memory->config.must_hit.hit_by, 500000000);
    CU_ASSERT_EQUAL(memory->config.must_hit.rate, 100);
    CU_ASSERT_EQUAL(memory->meters[1], 499980000);
    CU_ASSERT_EQUAL(memory->config.hand_count, 2);
    CU_ASSERT_EQUAL(memory->config.hands[0].meter, 0);
    CU_ASSERT_EQUAL(memory->config.hands[1].meter, TERMINAL_NONE);
    CU_ASSERT_EQUAL(memory->config.hands[1].cents, 2500);
    terminal_table_close(&table);
}

TEST(every_event_of_the_page_is_said_as_on_the_page)
{
    const uint8_t on = 1, seat = 1;

    terminal_table_open(&table, "");
    terminal_table_press(&table, TERMINAL_START_ROUND, 0);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_LIGHTS));
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_SCREEN));
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_METERS));
    terminal_table_hello(&table);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_REFUSED));
    terminal_table_close(&table);

    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_AMOUNT);
    terminal_table_hello(&table);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_JACKPOT));
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_SIGN));
    terminal_table_close(&table);

    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    terminal_table_code(&table, "0815");
    terminal_table_forget(&table);
    terminal_model_power_cycle(&table.device->model, table.now);
    terminal_table_listen(&table);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_POWER));
    terminal_table_close(&table);

    open_with_must_hit("", 481130000);
    terminal_table_hello(&table);
    terminal_table_ask(&table, TERMINAL_TEST_MODE, &on, 1);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_TEST));
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_LOAD_MUST_HIT, &seat, 1), 0);
    terminal_table_press(&table, TERMINAL_START_ROUND, 0);
    terminal_table_hello(&table);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_TRUE(terminal_table_heard(&table, GOLDEN_EV_MUSTHIT));
    terminal_table_close(&table);
}

/* The whole table once more, written by hand: rows are states, columns are keys, 0 is refused. */
static const uint8_t expected[TERMINAL_STATES][TERMINAL_KEYS] = {
    /*      START CANCEL END SEAT HAND NONE PENDING PAY CANCEL CODE ESC OK */
    {0},
    {0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, /* idle */
    {0, 0, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0}, /* open */
    {0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0}, /* choose */
    {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0}, /* pending */
    {0, 0, 0, 0, 0, 0, 0, 0, 6, 2, 0, 0, 0}, /* confirm */
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 2, 0}, /* code */
    {0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0}, /* amount */
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, /* signed */
};

TEST(each_key_leads_on_or_is_refused_as_the_table_says)
{
    for (unsigned state = TERMINAL_IDLE; state < TERMINAL_STATES; state++)
        for (unsigned key = TERMINAL_START_ROUND; key < TERMINAL_KEYS; key++) {
            unsigned reason, next = expected[state][key];

            terminal_table_open(&table, "");
            terminal_table_reach(&table, (enum terminal_state)state);
            terminal_table_forget(&table);
            terminal_table_memory(&table, &before);
            reason = terminal_table_press(&table, (enum terminal_key)key, 3);
            CU_ASSERT_EQUAL(reason, next ? 0 : TERMINAL_WRONG_STATE);
            CU_ASSERT_EQUAL(table.device->memory.state, next ? next : state);
            if (!next) {
                const struct frame *event = terminal_table_event(&table, TERMINAL_KEY_REFUSED, 0);

                same_but_for_the_log();
                CU_ASSERT_PTR_NOT_NULL_FATAL(event);
                CU_ASSERT_EQUAL(event->payload[0], key);
                CU_ASSERT_EQUAL(table.event_count, 1);
            }
            terminal_table_close(&table);
        }
}

/* So a request that is repeated after a loss of power cannot do its work twice. */
TEST(no_key_is_possible_twice_in_a_row)
{
    for (unsigned state = TERMINAL_IDLE; state < TERMINAL_STATES; state++)
        for (unsigned key = TERMINAL_START_ROUND; key < TERMINAL_KEYS; key++) {
            enum terminal_state next =
                terminal_next_state((enum terminal_state)state, (enum terminal_key)key);

            if (next)
                CU_ASSERT_EQUAL(terminal_next_state(next, (enum terminal_key)key), 0);
        }
}

static void refused(unsigned reason, unsigned expected_reason)
{
    CU_ASSERT_EQUAL(reason, expected_reason);
    same_but_for_the_log();
}

TEST(a_round_needs_a_wager)
{
    terminal_table_open(&table, "");
    table.device->sensors = 0;
    terminal_table_memory(&table, &before);
    refused(terminal_table_press(&table, TERMINAL_START_ROUND, 0), TERMINAL_NO_WAGERS);
    table.device->sensors = 0x80;
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_START_ROUND, 0), 0);
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0x80);
    terminal_table_close(&table);
}

TEST(a_wager_that_comes_after_the_start_does_not_count)
{
    const uint8_t all = 0xfe, bit_0 = 0x03;

    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_OPEN);
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_SENSORS, &all, 1), 0);
    CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_SENSORS, &bit_0, 1), REFUSED_VALUE);
    CU_ASSERT_EQUAL(table.device->sensors, 0xfe);
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0x0a);
    terminal_table_memory(&table, &before);
    refused(terminal_table_press(&table, TERMINAL_SEAT, 2), TERMINAL_NO_WAGER);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(table.device->memory.meters[0], 10000200000);
    terminal_table_close(&table);
}

TEST(only_a_seat_with_a_wager_that_has_not_won_can_win)
{
    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_SIGNED);
    terminal_table_press(&table, TERMINAL_OK, 0);
    terminal_table_memory(&table, &before);
    refused(terminal_table_press(&table, TERMINAL_SEAT, 3), TERMINAL_SEAT_PAID);
    refused(terminal_table_press(&table, TERMINAL_SEAT, 4), TERMINAL_NO_WAGER);
    refused(terminal_table_press(&table, TERMINAL_CANCEL_ROUND, 0), TERMINAL_ROUND_PAID);
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_SEAT, 1), 0);
    terminal_table_memory(&table, &before);
    refused(terminal_table_press(&table, TERMINAL_HAND, 8), TERMINAL_UNKNOWN_HAND);
    refused(terminal_table_press(&table, TERMINAL_HAND, 255), TERMINAL_UNKNOWN_HAND);
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_HAND, 7), 0);
    terminal_table_close(&table);
}

TEST(a_cancelled_round_adds_nothing_and_puts_the_lights_out)
{
    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_OPEN);
    terminal_table_memory(&table, &before);
    terminal_table_forget(&table);
    terminal_table_press(&table, TERMINAL_CANCEL_ROUND, 0);
    terminal_table_memory(&table, &after);
    CU_ASSERT_EQUAL(memcmp(before.meters, after.meters, sizeof before.meters), 0);
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0);
    CU_ASSERT_PTR_NULL(terminal_table_event(&table, TERMINAL_METERS_CHANGED, 0));
    CU_ASSERT_EQUAL(terminal_table_event(&table, TERMINAL_LIGHTS_CHANGED, 0)->payload[0], 0);
    terminal_table_close(&table);
}

TEST(each_way_out_leads_back_to_the_open_round_and_pays_nothing)
{
    static const struct {
        enum terminal_state from;
        enum terminal_key key;
        enum terminal_log_code code;
    } ways[] = {{TERMINAL_CHOOSE, TERMINAL_NO_HAND, TERMINAL_LOG_HAND_UNDONE},
                {TERMINAL_CONFIRM, TERMINAL_CANCEL_JACKPOT, TERMINAL_LOG_JACKPOT_CANCELLED},
                {TERMINAL_CODE_ENTRY, TERMINAL_ESC, TERMINAL_LOG_CODE_ESCAPED}};

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const struct terminal_memory *memory;

        terminal_table_open(&table, "");
        memory = &table.device->memory;
        terminal_table_reach(&table, TERMINAL_OPEN);
        terminal_table_memory(&table, &before);
        terminal_table_reach(&table, TERMINAL_OPEN);
        terminal_table_press(&table, TERMINAL_SEAT, 3);
        if (ways[i].from >= TERMINAL_CONFIRM) {
            terminal_table_press(&table, TERMINAL_HAND, 3);
            terminal_table_press(&table, TERMINAL_PENDING_JACKPOT, 0);
        }
        if (ways[i].from == TERMINAL_CODE_ENTRY)
            terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
        CU_ASSERT_EQUAL(memory->state, ways[i].from);
        CU_ASSERT_EQUAL(terminal_table_press(&table, ways[i].key, 0), 0);
        same_but_for_the_log();
        CU_ASSERT_EQUAL(memory->log[memory->logged - 1].code, ways[i].code);
        CU_ASSERT_EQUAL(memory->log[memory->logged - 1].detail, 3);
        terminal_table_close(&table);
    }
}

static bool has_logged(const struct terminal_memory *memory, enum terminal_log_code code)
{
    for (uint32_t i = 0; i < memory->logged; i++)
        if (memory->log[i].code == code)
            return true;
    return false;
}

TEST(the_third_wrong_code_ends_the_approval)
{
    const struct terminal_memory *memory;

    terminal_table_open(&table, "");
    memory = &table.device->memory;
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    CU_ASSERT_EQUAL(terminal_table_code(&table, "4712"), TERMINAL_WRONG_CODE);
    CU_ASSERT_EQUAL(terminal_table_code(&table, "47110"), TERMINAL_WRONG_CODE);
    CU_ASSERT_EQUAL(memory->state, TERMINAL_CODE_ENTRY);
    CU_ASSERT_FALSE(has_logged(memory, TERMINAL_LOG_CODE_LOCKED));
    CU_ASSERT_EQUAL(terminal_table_code(&table, "0000"), TERMINAL_CODE_LOCKED);
    CU_ASSERT_EQUAL(memory->state, TERMINAL_OPEN);
    CU_ASSERT_EQUAL(memory->seat, 0);
    CU_ASSERT_EQUAL(memory->awards, 0);
    CU_ASSERT_TRUE(has_logged(memory, TERMINAL_LOG_CODE_LOCKED));
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    CU_ASSERT_EQUAL(terminal_table_code(&table, "0000"), TERMINAL_WRONG_CODE);
    terminal_table_close(&table);
}

TEST(the_right_code_counts_after_two_wrong_ones_and_a_loss_of_power_forgives_none)
{
    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    terminal_table_code(&table, "1111");
    terminal_model_power_cycle(&table.device->model, table.now);
    terminal_table_listen(&table);
    terminal_table_code(&table, "2222");
    CU_ASSERT_EQUAL(table.device->memory.wrong_codes, 2);
    CU_ASSERT_EQUAL(terminal_table_code(&table, "4711"), 0);
    CU_ASSERT_EQUAL(table.device->memory.state, TERMINAL_AMOUNT);
    terminal_table_close(&table);
}

TEST(only_all_digits_of_a_code_are_the_code)
{
    struct terminal_secret code, other;

    CU_ASSERT_FALSE(terminal_secret_parse(&code, "123", 3));
    CU_ASSERT_FALSE(terminal_secret_parse(&code, "123456789", 9));
    CU_ASSERT_FALSE(terminal_secret_parse(&code, "12a4", 4));
    CU_ASSERT_TRUE(terminal_secret_parse(&code, "12345678", 8));
    for (unsigned i = 0; i < TERMINAL_CODE_MAX; i++) {
        other = code;
        CU_ASSERT_TRUE(terminal_secret_equal(&code, &other));
        other.digits[i] = '0';
        CU_ASSERT_FALSE(terminal_secret_equal(&code, &other));
    }
    terminal_secret_parse(&code, "1234", 4);
    terminal_secret_parse(&other, "12340", 5);
    CU_ASSERT_FALSE(terminal_secret_equal(&code, &other));
}

static bool heard_bytes(const void *bytes, size_t size)
{
    for (unsigned i = 0; i < table.heard_count; i++)
        if (memmem(table.heard[i].payload, table.heard[i].size, bytes, size))
            return true;
    return false;
}

TEST(the_amount_is_on_the_wire_only_once_the_code_is_accepted)
{
    static const enum terminal_key keys[] = {TERMINAL_START_ROUND, TERMINAL_SEAT, TERMINAL_HAND,
                                             TERMINAL_PENDING_JACKPOT, TERMINAL_PAY_JACKPOT};
    uint8_t amount[8];

    wire_put64(amount, 50000);
    terminal_table_open(&table, "");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        CU_ASSERT_EQUAL(terminal_table_press(&table, keys[i], 3), 0);
        terminal_table_ask(&table, TERMINAL_SCREEN, NULL, 0);
        CU_ASSERT_EQUAL(table.reply.size, 4);
        terminal_table_ask(&table, TERMINAL_SIGN, NULL, 0);
        terminal_table_ask(&table, WIRE_STATUS, NULL, 0);
    }
    terminal_table_code(&table, "0000");
    CU_ASSERT_FALSE(heard_bytes(amount, sizeof amount));
    terminal_table_code(&table, "4711");
    CU_ASSERT_TRUE(heard_bytes(amount, sizeof amount));
    terminal_table_close(&table);
}

TEST(no_code_is_ever_said_or_written_down)
{
    static const char code[] = "73519462", wrong[] = "73519463";
    const struct terminal_memory *memory;

    terminal_table_open(&table, "code=73519462");
    memory = &table.device->memory;
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    terminal_table_code(&table, wrong);
    terminal_table_code(&table, code);
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    for (uint8_t first[4] = {0}; first[3] < memory->logged; first[3] = (uint8_t)(first[3] + 14))
        CU_ASSERT_EQUAL(terminal_table_ask(&table, WIRE_LOG, first, 4), 0);
    for (size_t digits = 3; digits <= 8; digits++) {
        CU_ASSERT_FALSE(heard_bytes(code, digits));
        CU_ASSERT_PTR_NULL(memmem(memory, sizeof *memory, code, digits));
    }
    terminal_table_close(&table);
}

TEST(winners_are_paid_in_the_order_of_their_keys)
{
    static const uint8_t order[] = {7, 2, 5};

    terminal_table_open(&table, "");
    table.device->sensors = 0xfe;
    terminal_table_press(&table, TERMINAL_START_ROUND, 0);
    for (unsigned i = 0; i < sizeof order; i++) {
        const struct frame *paid;

        terminal_table_forget(&table);
        terminal_table_press(&table, TERMINAL_SEAT, order[i]);
        terminal_table_press(&table, TERMINAL_HAND, 1);
        terminal_table_press(&table, TERMINAL_PENDING_JACKPOT, 0);
        terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
        terminal_table_press(&table, TERMINAL_CODE, 0);
        terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
        terminal_table_press(&table, TERMINAL_OK, 0);
        paid = terminal_table_event(&table, TERMINAL_JACKPOT_PAID, 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(paid);
        CU_ASSERT_EQUAL(wire_get32(paid->payload), i + 1);
        CU_ASSERT_EQUAL(paid->payload[4], order[i]);
        CU_ASSERT_EQUAL(table.device->memory.ledger[i].seat, order[i]);
    }
    terminal_table_close(&table);
}

static const enum terminal_key round_with_a_jackpot[] = {TERMINAL_START_ROUND,
                                                         TERMINAL_SEAT,
                                                         TERMINAL_NO_HAND,
                                                         TERMINAL_SEAT,
                                                         TERMINAL_HAND,
                                                         TERMINAL_PENDING_JACKPOT,
                                                         TERMINAL_CANCEL_JACKPOT,
                                                         TERMINAL_SEAT,
                                                         TERMINAL_HAND,
                                                         TERMINAL_PENDING_JACKPOT,
                                                         TERMINAL_PAY_JACKPOT,
                                                         TERMINAL_ESC,
                                                         TERMINAL_SEAT,
                                                         TERMINAL_HAND,
                                                         TERMINAL_PENDING_JACKPOT,
                                                         TERMINAL_PAY_JACKPOT,
                                                         TERMINAL_CODE,
                                                         TERMINAL_PAY_JACKPOT,
                                                         TERMINAL_OK,
                                                         TERMINAL_END_ROUND};

#define STEPS (sizeof round_with_a_jackpot / sizeof round_with_a_jackpot[0])

/* Plays the round; the power goes before step `cycle`. */
static void play_round(unsigned cycle)
{
    open_with_must_hit("seed=7", 499900000);
    for (unsigned i = 0; i < STEPS; i++) {
        if (i == cycle) {
            table.now += NANOS_PER_SECOND;
            terminal_model_power_cycle(&table.device->model, table.now);
            terminal_table_listen(&table);
            CU_ASSERT_PTR_NOT_NULL(terminal_table_event(&table, TERMINAL_POWER_UP, 0));
        }
        CU_ASSERT_EQUAL(terminal_table_press(&table, round_with_a_jackpot[i], 3), 0);
    }
}

TEST(a_loss_of_power_at_any_step_changes_no_meter_and_no_award)
{
    play_round(STEPS);
    terminal_table_memory(&table, &before);
    CU_ASSERT_EQUAL(before.awards, 2);
    terminal_table_close(&table);
    for (unsigned cycle = 0; cycle < STEPS; cycle++) {
        play_round(cycle);
        for (unsigned i = 0; i < table.device->memory.booked; i++)
            table.device->memory.ledger[i].millis = before.ledger[i].millis;
        same_but_for_the_log();
        terminal_table_close(&table);
    }
}

TEST(an_award_that_nobody_acknowledged_is_told_after_a_loss_of_power)
{
    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_AMOUNT);
    table.is_deaf = true;
    terminal_table_press(&table, TERMINAL_PAY_JACKPOT, 0);
    terminal_table_forget(&table);
    table.is_deaf = false;
    terminal_model_power_cycle(&table.device->model, table.now);
    terminal_table_listen(&table);
    CU_ASSERT_EQUAL(table.events[0].type, TERMINAL_JACKPOT_PAID);
    CU_ASSERT_EQUAL(table.events[table.event_count - 1].type, TERMINAL_POWER_UP);
    terminal_table_close(&table);
}

TEST(a_full_queue_refuses_keys_before_an_event_is_lost)
{
    unsigned refusal = 0;
    const uint8_t start = TERMINAL_START_ROUND, cancel = TERMINAL_CANCEL_ROUND;

    terminal_table_open(&table, "");
    table.is_deaf = true;
    for (unsigned i = 0; i < 40 && !refusal; i++) {
        terminal_table_memory(&table, &before);
        terminal_table_forget(&table);
        refusal = terminal_table_ask(&table, TERMINAL_KEY, i % 2 ? &cancel : &start, 1);
    }
    CU_ASSERT_EQUAL(refusal, REFUSED_BUSY);
    same_but_for_the_log();
    CU_ASSERT_EQUAL(table.device->peer.queued, 28);
    CU_ASSERT_EQUAL(table.device->peer.overflows, 0);
    terminal_table_close(&table);
}

TEST(a_request_of_a_wrong_length_or_an_unknown_one_changes_nothing)
{
    static const uint8_t lengths[][3] = {{WIRE_STATUS, 0, 0},       {WIRE_LOG, 4, 4},
                                         {WIRE_CLEAR_ERROR, 1, 1},  {TERMINAL_SENSORS, 1, 1},
                                         {TERMINAL_METERS, 0, 0},   {TERMINAL_SIGN, 0, 0},
                                         {TERMINAL_LIGHTS, 0, 0},   {TERMINAL_SCREEN, 0, 0},
                                         {TERMINAL_LEDGER, 4, 4},   {TERMINAL_LOAD_MUST_HIT, 1, 1},
                                         {TERMINAL_TEST_MODE, 1, 1}};
    uint8_t payload[FRAME_PAYLOAD_MAX] = {0};

    terminal_table_open(&table, "");
    terminal_table_memory(&table, &before);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (size_t size = 0; size <= FRAME_PAYLOAD_MAX; size++) {
            terminal_table_forget(&table);
            if (size < lengths[i][1] || size > lengths[i][2])
                CU_ASSERT_EQUAL(terminal_table_ask(&table, lengths[i][0], payload, size),
                                REFUSED_LENGTH);
        }
    for (uint8_t type = WIRE_CLEAR_ERROR + 1; type < WIRE_FIRST_EVENT; type++) {
        terminal_table_forget(&table);
        if (type < TERMINAL_KEY || type > TERMINAL_LOAD_MUST_HIT)
            CU_ASSERT_EQUAL(terminal_table_ask(&table, type, payload, 0), REFUSED_UNKNOWN);
    }
    same_but_for_the_log();
    terminal_table_close(&table);
}

TEST(a_key_that_does_not_exist_is_refused)
{
    static const struct {
        uint8_t payload[10];
        uint8_t size, refusal;
    } keys[] = {{{0}, 0, REFUSED_LENGTH},
                {{0}, 1, REFUSED_VALUE},
                {{TERMINAL_KEYS}, 1, REFUSED_VALUE},
                {{TERMINAL_OK, 1}, 2, REFUSED_LENGTH},
                {{TERMINAL_SEAT}, 1, REFUSED_LENGTH},
                {{TERMINAL_SEAT, 0}, 2, REFUSED_VALUE},
                {{TERMINAL_SEAT, 8}, 2, REFUSED_VALUE},
                {{TERMINAL_SEAT, 1, 1}, 3, REFUSED_LENGTH},
                {{TERMINAL_HAND}, 1, REFUSED_LENGTH},
                {{TERMINAL_CODE, '1', '2', '3'}, 4, REFUSED_VALUE},
                {{TERMINAL_CODE, '1', '2', '3', 'x'}, 5, REFUSED_VALUE},
                {{TERMINAL_CODE, '1', '2', '3', '4', '5', '6', '7', '8', '9'}, 10, REFUSED_VALUE}};

    terminal_table_open(&table, "");
    terminal_table_memory(&table, &before);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        CU_ASSERT_EQUAL(terminal_table_ask(&table, TERMINAL_KEY, keys[i].payload, keys[i].size),
                        keys[i].refusal);
    same_but_for_the_log();
    terminal_table_close(&table);
}

TEST(noise_does_not_move_the_terminal)
{
    uint64_t seed = 5;

    terminal_table_open(&table, "");
    terminal_table_reach(&table, TERMINAL_CODE_ENTRY);
    terminal_table_memory(&table, &before);
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t noise[64];

        for (size_t j = 0; j < sizeof noise; j++)
            noise[j] = (uint8_t)seeded_next(&seed);
        terminal_table_forget(&table);
        terminal_table_say(&table, noise, sizeof noise);
    }
    same_but_for_the_log();
    terminal_table_forget(&table);
    terminal_table_say(&table, (const uint8_t *)"", 1);
    CU_ASSERT_EQUAL(terminal_table_press(&table, TERMINAL_CODE, 0), 0);
    terminal_table_close(&table);
}

TEST(the_log_keeps_its_last_entries_and_counts_on)
{
    uint8_t first[4] = {0};

    terminal_table_open(&table, "");
    for (unsigned i = 0; i < TERMINAL_LOG_SIZE + 10; i++) {
        table.now += NANOS_PER_MILLI;
        terminal_table_forget(&table);
        terminal_table_press(&table, TERMINAL_OK, 0);
    }
    CU_ASSERT_EQUAL(terminal_table_ask(&table, WIRE_LOG, first, 4), 0);
    CU_ASSERT_EQUAL(wire_get32(table.reply.payload), TERMINAL_LOG_SIZE + 10);
    CU_ASSERT_EQUAL(table.reply.payload[4], 14);
    CU_ASSERT_EQUAL(wire_get32(table.reply.payload + 5), 10);
    CU_ASSERT_EQUAL(wire_get64(table.reply.payload + 9), 1234 + 11);
    wire_put32(first, TERMINAL_LOG_SIZE + 9);
    terminal_table_ask(&table, WIRE_LOG, first, 4);
    CU_ASSERT_EQUAL(table.reply.payload[4], 1);
    wire_put32(first, TERMINAL_LOG_SIZE + 10);
    terminal_table_ask(&table, WIRE_LOG, first, 4);
    CU_ASSERT_EQUAL(table.reply.payload[4], 0);
    CU_ASSERT_EQUAL(table.reply.size, 5);
    wire_put32(first, UINT32_MAX);
    terminal_table_ask(&table, WIRE_LOG, first, 4);
    CU_ASSERT_EQUAL(table.reply.payload[4], 0);
    terminal_table_close(&table);
}
