/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal can be set up as, who may do it, and what may be wrong with it. */
#include <string.h>

#include "tests/support/devices/terminal_table.h"
#include "tests/support/suite.h"

static struct terminal_table table;
static struct terminal_memory before, after;
static struct error error;

static void same_but_for_the_log(void)
{
    terminal_table_memory(&table, &after);
    CU_ASSERT_EQUAL(memcmp(&before, &after, sizeof before), 0);
}

static void allowed(struct terminal_config *config, bool expected)
{
    error.text[0] = '\0';
    CU_ASSERT_EQUAL(terminal_config_check(config, &error), expected ? 0 : ERROR_CONFIG);
    CU_ASSERT_EQUAL(error.text[0] == '\0', expected);
    *config = terminal_table_must_hit(250000000);
}

TEST(a_configuration_keeps_within_what_a_table_can_be)
{
    struct terminal_config config = terminal_table_must_hit(250000000);

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
    config.must_hit = terminal_table_must_hit(250000000).must_hit, allowed(&config, false);
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

TEST(only_an_administrator_with_a_reason_corrects_a_meter)
{
    struct terminal_config config = terminal_table_must_hit(250000000);
    const struct terminal_memory *memory;
    char reason[50];

    memset(reason, 'r', sizeof reason);
    reason[49] = '\0';
    terminal_table_open_with(&table, "admin=1234", &config);
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
    terminal_table_start(&table, 0x02);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(memory->meters[3], TERMINAL_METER_MAX);
    terminal_table_close(&table);
}

TEST(a_meter_is_corrected_between_approvals_and_configured_between_rounds)
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

TEST(a_configuration_or_correction_cut_anywhere_changes_nothing)
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

TEST(an_impossible_configuration_on_the_wire_changes_nothing)
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

TEST(each_defect_shows_where_its_specification_says)
{
    struct terminal_config config = terminal_table_must_hit(499990000);

    terminal_table_open(&table, "fault=dark@seat:1,fault=lit@seat:7");
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0x80);
    terminal_table_reach(&table, TERMINAL_OPEN);
    CU_ASSERT_EQUAL(terminal_lit(table.device), 0x88);
    terminal_table_close(&table);

    terminal_table_open(&table, "fault=wrong-meter@round:2,fault=no-contribution@round:3");
    for (unsigned i = 1; i <= 4; i++) {
        static const uint64_t star[] = {0, 10000100000, 10000210000, 10000210000, 10000310000};

        terminal_table_start(&table, 0x02);
        terminal_table_press(&table, TERMINAL_END_ROUND, 0);
        CU_ASSERT_EQUAL(table.device->memory.meters[0], star[i]);
    }
    terminal_table_close(&table);

    terminal_table_open(&table, "fault=wrong-sign@jackpot:2");
    terminal_table_start(&table, 0x0e);
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

    terminal_table_open_with(&table, "fault=late-must-hit", &config);
    terminal_table_start(&table, 0x0a);
    terminal_table_press(&table, TERMINAL_END_ROUND, 0);
    CU_ASSERT_EQUAL(table.device->memory.meters[4], 500090000);
    terminal_table_close(&table);
}

TEST(a_device_that_is_unplugged_or_loses_power_does_so_on_time)
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

TEST(what_is_no_option_or_no_fault_is_a_sentence)
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
        CU_ASSERT(strstr(error.text, "a terminal") || strstr(error.text, " write "));
    }
    model = terminal_model_new("seed=18446744073709551615,preset=three-card-catch,serial=T-99,"
                               "code=00000000,admin=1111,fault=power@key:4294967295",
                               &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    CU_ASSERT_EQUAL(((struct terminal_device *)model)->memory.config.meter_count, 5);
    CU_ASSERT_STRING_EQUAL(((struct terminal_device *)model)->identity.serial, "T-99");
    for (unsigned i = 1; i < DEFECTS_MAX; i++)
        CU_ASSERT_EQUAL(terminal_model_fault(model, "early-amount", &error), 0);
    CU_ASSERT_EQUAL(terminal_model_fault(model, "early-amount", &error), ERROR_CONFIG);
    model->ops->free(model);
}
