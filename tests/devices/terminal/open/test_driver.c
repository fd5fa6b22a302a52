/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's driver: against frames of the page, against the model, against a hostile device.
 */
#include "devices/terminal/terminal.h"

#include <stdio.h>
#include <string.h>

#include "devices/terminal/open/device.h"
#include "devices/terminal/open/model.h"
#include "hal/link/fault.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/terminal_golden.h"
#include "tests/support/devices/terminal_table.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct link *wire;
static struct terminal *terminal;
static struct terminal_device *device;
static struct error error;
static struct terminal_event event;

static struct model *make_terminal(void *context, const char *name, const char *options,
                                   struct error *why)
{
    struct model *model = terminal_model_new(options, why);

    (void)context;
    (void)name;
    device = (struct terminal_device *)model;
    return model;
}

static void set_up(const char *address)
{
    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    hal.make_model = make_terminal;
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", wire, &error), 0);
}

static void tear_down(void)
{
    terminal_close(terminal);
    link_close(wire);
    hal_close(&hal);
}

static int press(enum terminal_key key)
{
    struct terminal_press pressed = {.key = key, .seat = 3, .hand = 3, .code = "4711"};

    return terminal_key(terminal, &pressed, &error);
}

static int next(void)
{
    return terminal_next(terminal, &event, clock_deadline(&clock_, 100), &error);
}

/* Takes events until one of that kind comes. */
static bool next_is(enum terminal_event_kind kind)
{
    while (next() == 1)
        if (event.kind == kind)
            return true;
    return false;
}

/* A device that says what the page says. */
static struct puppet_stage stage;
static struct puppet *puppet;

static void put_hex(const char *hex)
{
    uint8_t bytes[FRAME_ENCODED_MAX];

    puppet_put(puppet, bytes, terminal_unhex(hex, bytes, sizeof bytes));
}

static void put_frame(uint8_t type, uint8_t sequence, const void *payload, size_t size)
{
    struct frame frame = {
        .class = FRAME_TERMINAL, .type = type, .sequence = sequence, .size = (uint8_t)size};
    uint8_t encoded[FRAME_ENCODED_MAX];

    memcpy(frame.payload, payload, size);
    puppet_put(puppet, encoded, frame_encode(&frame, encoded));
}

static void set_up_puppet(void)
{
    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    put_hex("06 01 04 81 01 01 01 03 86 0b 00");
    {
        char address[32];

        snprintf(address, sizeof address, "emu:%s", puppet->name);
        CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    }
    CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", wire, &error), 0);
    puppet->from_host.start = puppet->from_host.end;
}

static void tear_down_puppet(void)
{
    tear_down();
    puppet_stage_close(&stage);
}

/* The page's reply is ready, and the number of the page's request is next. */
static void will_answer(const char *request, const char *reply)
{
    uint8_t bytes[FRAME_ENCODED_MAX];
    struct frame_decoder decoder = {.used = 0};
    struct frame frame;
    size_t taken;

    CU_ASSERT_EQUAL(
        frame_decode(&decoder, bytes, terminal_unhex(request, bytes, sizeof bytes), &taken, &frame),
        FRAME_READY);
    device_host(&terminal->device)->sequence = (uint8_t)(frame.sequence - 1);
    put_hex(reply);
}

static void was_asked(const char *request)
{
    uint8_t golden[FRAME_ENCODED_MAX], sent[FRAME_ENCODED_MAX];
    size_t count = terminal_unhex(request, golden, sizeof golden);

    CU_ASSERT_EQUAL(puppet_take(puppet, sent, sizeof sent), count);
    CU_ASSERT_EQUAL(memcmp(sent, golden, count), 0);
}

TEST(keys_go_out_as_on_the_page)
{
    struct terminal_press code = {.key = TERMINAL_CODE, .code = "0815"};

    set_up_puppet();
    will_answer(GOLDEN_START, GOLDEN_START_REPLY);
    CU_ASSERT_EQUAL(press(TERMINAL_START_ROUND), 0);
    was_asked(GOLDEN_START);
    will_answer(GOLDEN_SEAT3, GOLDEN_SEAT_REPLY);
    CU_ASSERT_EQUAL(press(TERMINAL_SEAT), 0);
    was_asked(GOLDEN_SEAT3);
    will_answer(GOLDEN_HAND3, "05 01 04 90 06 04 04 f6 0d 00");
    CU_ASSERT_EQUAL(press(TERMINAL_HAND), 0);
    was_asked(GOLDEN_HAND3);
    will_answer(GOLDEN_CODE, GOLDEN_CODE_REPLY);
    CU_ASSERT_EQUAL(press(TERMINAL_CODE), 0);
    was_asked(GOLDEN_CODE);
    will_answer(GOLDEN_WRONG, GOLDEN_WRONG_REPLY);
    CU_ASSERT_EQUAL(terminal_key(terminal, &code, &error), TERMINAL_WRONG_CODE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "refuses the key code: the code is wrong"));
    was_asked(GOLDEN_WRONG);
    tear_down_puppet();
}

TEST(questions_go_out_and_answers_are_read_as_on_the_page)
{
    struct terminal_status status;
    struct terminal_meters meters;
    struct terminal_screen screen;
    struct terminal_sign sign;
    uint8_t lights;

    set_up_puppet();
    will_answer(GOLDEN_STATUS, GOLDEN_STATUS_REPLY);
    CU_ASSERT_EQUAL(terminal_status(terminal, &status, &error), 0);
    was_asked(GOLDEN_STATUS);
    CU_ASSERT_EQUAL(status.state, TERMINAL_OPEN);
    CU_ASSERT_EQUAL(status.locked, 0x0a);
    CU_ASSERT_EQUAL(status.rounds, 1);
    will_answer(GOLDEN_METERS, GOLDEN_METERS_REPLY);
    CU_ASSERT_EQUAL(terminal_meters(terminal, &meters, &error), 0);
    was_asked(GOLDEN_METERS);
    CU_ASSERT_EQUAL(meters.count, 4);
    CU_ASSERT_EQUAL(meters.must_hit, TERMINAL_NONE);
    CU_ASSERT_STRING_EQUAL(meters.meter[3].name, "diamond");
    CU_ASSERT_EQUAL(meters.meter[3].micros, 500000000);
    will_answer(GOLDEN_SCREEN, GOLDEN_SCREEN_REPLY);
    CU_ASSERT_EQUAL(terminal_screen(terminal, &screen, &error), 0);
    was_asked(GOLDEN_SCREEN);
    CU_ASSERT_EQUAL(screen.state, TERMINAL_CODE_ENTRY);
    CU_ASSERT_FALSE(screen.amount_shown);
    will_answer("07 01 04 15 0a 73 78 00", GOLDEN_SCREEN_AMOUNT);
    CU_ASSERT_EQUAL(terminal_screen(terminal, &screen, &error), 0);
    was_asked("07 01 04 15 0a 73 78 00");
    CU_ASSERT_TRUE(screen.amount_shown);
    CU_ASSERT_EQUAL(screen.cents, 50000);
    will_answer(GOLDEN_SIGN, GOLDEN_SIGN_REPLY);
    CU_ASSERT_EQUAL(terminal_sign(terminal, &sign, &error), 0);
    was_asked(GOLDEN_SIGN);
    CU_ASSERT_EQUAL(sign.seat, 3);
    CU_ASSERT_EQUAL(sign.meter, 3);
    CU_ASSERT_EQUAL(sign.cents, 50000);
    will_answer(GOLDEN_LIGHTS, GOLDEN_LIGHTS_REPLY);
    CU_ASSERT_EQUAL(terminal_lights(terminal, &lights, &error), 0);
    was_asked(GOLDEN_LIGHTS);
    CU_ASSERT_EQUAL(lights, 0x0a);
    tear_down_puppet();
}

TEST(orders_go_out_as_on_the_page)
{
    struct terminal_config config = {
        .wager = 500,
        .meter_count = 1,
        .meters = {{"star", 10000000000, 12345678900, 200}},
        .must_hit = {250000000, 500000000, 499980000, 100},
        .hand_count = 2,
        .hands = {{"a", 0, 0}, {"b", TERMINAL_NONE, 2500}},
    };

    set_up_puppet();
    will_answer(GOLDEN_SENSORS, GOLDEN_SENSORS_REPLY);
    CU_ASSERT_EQUAL(terminal_sensors(terminal, 0x0a, &error), 0);
    was_asked(GOLDEN_SENSORS);
    will_answer(GOLDEN_CONFIGURE, GOLDEN_CONFIGURE_REPLY);
    CU_ASSERT_EQUAL(terminal_configure(terminal, "86420", &config, &error), 0);
    was_asked(GOLDEN_CONFIGURE);
    will_answer(GOLDEN_CORRECT, GOLDEN_CORRECT_REPLY);
    CU_ASSERT_EQUAL(
        terminal_correct(terminal, "86420", 3, 612345678, "paid seat 4, not seat 3", &error), 0);
    was_asked(GOLDEN_CORRECT);
    will_answer(GOLDEN_TEST, GOLDEN_TEST_REPLY);
    CU_ASSERT_EQUAL(terminal_test_mode(terminal, true, &error), 0);
    was_asked(GOLDEN_TEST);
    will_answer(GOLDEN_LOAD, GOLDEN_LOAD_REPLY);
    CU_ASSERT_EQUAL(terminal_load_must_hit(terminal, 3, &error), 0);
    was_asked(GOLDEN_LOAD);
    tear_down_puppet();
}

TEST(log_and_ledger_are_read_as_on_the_page)
{
    struct log_entry entries[LOG_REPLY_MAX];
    struct terminal_ledger_entry entry;
    uint32_t total;
    unsigned count;

    set_up_puppet();
    will_answer(GOLDEN_LOG, GOLDEN_LOG_REPLY);
    CU_ASSERT_EQUAL(device_log(&terminal->device, 0, entries, &count, &total, &error), 0);
    was_asked(GOLDEN_LOG);
    CU_ASSERT_EQUAL(total, 2);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT_EQUAL(entries[0].code, TERMINAL_LOG_KEY_REFUSED);
    CU_ASSERT_EQUAL(entries[0].detail, TERMINAL_OK);
    CU_ASSERT_EQUAL(entries[0].value, TERMINAL_WRONG_STATE << 8 | TERMINAL_IDLE);
    CU_ASSERT_EQUAL(entries[1].number, 1);
    CU_ASSERT_EQUAL(entries[1].millis, 1234);
    will_answer(GOLDEN_LEDGER, GOLDEN_LEDGER_REPLY);
    CU_ASSERT_EQUAL(terminal_ledger(terminal, 0, &entry, &error), 0);
    was_asked(GOLDEN_LEDGER);
    CU_ASSERT_EQUAL(entry.code, TERMINAL_LOG_CORRECTED);
    CU_ASSERT_EQUAL(entry.meter, 3);
    CU_ASSERT_EQUAL(entry.before, 500000000);
    CU_ASSERT_EQUAL(entry.after, 612345678);
    CU_ASSERT_STRING_EQUAL(entry.reason, "paid seat 4, not seat 3");
    tear_down_puppet();
}

TEST(events_are_read_as_on_the_page)
{
    static const struct {
        const char *hex;
        enum terminal_event_kind kind;
    } events[] = {
        {GOLDEN_EV_LIGHTS, TERMINAL_EVENT_LIGHTS},  {GOLDEN_EV_SCREEN, TERMINAL_EVENT_SCREEN},
        {GOLDEN_EV_METERS, TERMINAL_EVENT_METERS},  {GOLDEN_EV_JACKPOT, TERMINAL_EVENT_JACKPOT},
        {GOLDEN_EV_SIGN, TERMINAL_EVENT_SIGN},      {GOLDEN_EV_REFUSED, TERMINAL_EVENT_REFUSED},
        {GOLDEN_EV_POWER, TERMINAL_EVENT_POWER_UP}, {GOLDEN_EV_TEST, TERMINAL_EVENT_TEST_MODE}};

    set_up_puppet();
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        put_hex(events[i].hex);
        CU_ASSERT_EQUAL(next(), 1);
        CU_ASSERT_EQUAL(event.kind, events[i].kind);
        switch (event.kind) {
        case TERMINAL_EVENT_LIGHTS:
            CU_ASSERT_EQUAL(event.lights, 0x0a);
            break;
        case TERMINAL_EVENT_SCREEN:
            CU_ASSERT_EQUAL(event.screen.state, TERMINAL_OPEN);
            break;
        case TERMINAL_EVENT_METERS:
            CU_ASSERT_EQUAL(event.meters.meter[0].micros, 10000200000);
            break;
        case TERMINAL_EVENT_JACKPOT:
            CU_ASSERT_EQUAL(event.award.number, 1);
            CU_ASSERT_EQUAL(event.award.seat, 3);
            CU_ASSERT_EQUAL(event.award.cents, 50000);
            break;
        case TERMINAL_EVENT_SIGN:
            CU_ASSERT_EQUAL(event.sign.cents, 50000);
            break;
        case TERMINAL_EVENT_REFUSED:
            CU_ASSERT_EQUAL(event.refused.key, TERMINAL_END_ROUND);
            CU_ASSERT_EQUAL(event.refused.reason, TERMINAL_WRONG_STATE);
            break;
        case TERMINAL_EVENT_POWER_UP:
            CU_ASSERT_EQUAL(event.screen.wrong_codes, 1);
            break;
        case TERMINAL_EVENT_TEST_MODE:
            CU_ASSERT_TRUE(event.test_mode);
            break;
        case TERMINAL_EVENT_MUST_HIT:
            CU_FAIL("none was sent");
        }
    }
    tear_down_puppet();

    set_up_puppet();
    put_hex(GOLDEN_EV_MUSTHIT);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.kind, TERMINAL_EVENT_MUST_HIT);
    CU_ASSERT_EQUAL(event.award.meter, 4);
    CU_ASSERT_EQUAL(event.award.cents, 48123);
    tear_down_puppet();
}

TEST(an_award_that_is_told_again_is_handed_out_once)
{
    uint8_t award[15] = {0, 0, 0, 1, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0xc3, 0x50};

    set_up_puppet();
    put_frame(TERMINAL_JACKPOT_PAID, 0, award, sizeof award);
    put_frame(TERMINAL_JACKPOT_PAID, 1, award, sizeof award);
    put_frame(TERMINAL_LIGHTS_CHANGED, 2, "\x0a", 1);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.kind, TERMINAL_EVENT_JACKPOT);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.kind, TERMINAL_EVENT_LIGHTS);
    award[4] = 2;
    put_frame(TERMINAL_JACKPOT_PAID, 3, award, sizeof award);
    CU_ASSERT_EQUAL(next(), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "award 1 twice"));
    award[3] = 2;
    put_frame(TERMINAL_JACKPOT_PAID, 4, award, sizeof award);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.award.seat, 2);
    tear_down_puppet();
}

/* The regular approval with everything that can be seen on the way, and the end of the round. */
static void play_a_round(void)
{
    struct terminal_approval approval;
    struct terminal_meters meters;
    struct terminal_status status;
    uint8_t lights;
    nanos_t deadline = clock_deadline(hal.clock, 5000);

    CU_ASSERT_EQUAL(terminal_sensors(terminal, 0x0a, &error), 0);
    CU_ASSERT_EQUAL(press(TERMINAL_START_ROUND), 0);
    CU_ASSERT_EQUAL(terminal_lights(terminal, &lights, &error), 0);
    CU_ASSERT_EQUAL(lights, 0x0a);
    CU_ASSERT_EQUAL(terminal_approve(terminal, 3, 3, "4711", &approval, &error), 0);
    CU_ASSERT_EQUAL(approval.cents, 50000);
    CU_ASSERT_EQUAL(approval.sign.cents, 50000);
    CU_ASSERT_EQUAL(approval.sign.seat, 3);
    CU_ASSERT_FALSE(approval.early);
    CU_ASSERT_EQUAL(press(TERMINAL_END_ROUND), 0);
    CU_ASSERT_EQUAL(terminal_meters(terminal, &meters, &error), 0);
    CU_ASSERT_EQUAL(meters.meter[0].micros, 10000200000);
    CU_ASSERT_EQUAL(meters.meter[3].micros, 500500000);
    CU_ASSERT_EQUAL(terminal_status(terminal, &status, &error), 0);
    CU_ASSERT_EQUAL(status.state, TERMINAL_IDLE);
    CU_ASSERT_EQUAL(status.awards, 1);
    for (unsigned awards = 0; awards < 1;) {
        CU_ASSERT_EQUAL_FATAL(terminal_next(terminal, &event, deadline, &error), 1);
        awards += event.kind == TERMINAL_EVENT_JACKPOT;
    }
    CU_ASSERT_EQUAL(event.award.cents, 50000);
}

TEST(a_round_with_a_jackpot_goes_through_in_process)
{
    struct wire_identity identity;

    set_up("emu:terminal?serial=T-42");
    CU_ASSERT_EQUAL(device_identity(&terminal->device, &identity, &error), 0);
    CU_ASSERT_STRING_EQUAL(identity.model, "DP-TERM1");
    CU_ASSERT_STRING_EQUAL(identity.serial, "T-42");
    play_a_round();
    CU_ASSERT_EQUAL(device_host(&terminal->device)->counts.retries, 0);
    tear_down();
}

static void play_on(struct model *model, struct model_pump *pump)
{
    clock_real(&clock_);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, model_pump_address(pump), &error), 0);
    CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", wire, &error), 0);
    play_a_round();
    tear_down();
    model_pump_stop(pump);
    model->ops->free(model);
}

TEST(a_round_with_a_jackpot_goes_through_on_a_terminal_line_and_a_socket)
{
    struct model *model = terminal_model_new("", &error);

    play_on(model, model_pump_pty(model));
    model = terminal_model_new("", &error);
    play_on(model, model_pump_tcp(model));
}

TEST(a_round_goes_through_a_line_that_damages_one_byte_in_a_thousand)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct link_faults faults = {
            .seed = seed, .flip = 500, .drop = 300, .duplicate = 200};

        clock_virtual(&clock_, 1000);
        CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
        hal.make_model = make_terminal;
        CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, "emu:terminal", &error), 0);
        CU_ASSERT_EQUAL_FATAL(fault_link(&wire, wire, &faults, &error), 0);
        CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", wire, &error), 0);
        play_a_round();
        tear_down();
    }
}

TEST(an_approval_survives_a_loss_of_power_at_each_of_its_keys)
{
    for (unsigned key = 1; key <= 9; key++) {
        char address[64];

        snprintf(address, sizeof address, "emu:terminal?fault=power@key:%u", key);
        set_up(address);
        CU_ASSERT_EQUAL(terminal_sensors(terminal, 0x0a, &error), 0);
        if (press(TERMINAL_START_ROUND))
            CU_ASSERT_EQUAL(key, 1);
        {
            struct terminal_approval approval;

            CU_ASSERT_EQUAL(terminal_approve(terminal, 3, 3, "4711", &approval, &error), 0);
            CU_ASSERT_EQUAL(approval.cents, 50000);
            CU_ASSERT_EQUAL(approval.sign.cents, 50000);
        }
        if (press(TERMINAL_END_ROUND))
            CU_ASSERT_EQUAL(key, 9);
        CU_ASSERT_EQUAL(device->memory.state, TERMINAL_IDLE);
        CU_ASSERT_EQUAL(device->memory.meters[3], 500500000);
        CU_ASSERT_EQUAL(device->memory.awards, 1);
        CU_ASSERT_TRUE(next_is(TERMINAL_EVENT_POWER_UP));
        /* Before the first key there was no event whose number could come again. */
        CU_ASSERT_EQUAL(device_host(&terminal->device)->counts.restarts, key > 1);
        tear_down();
    }
}

static int approve(unsigned seat, unsigned hand, const char *code)
{
    struct terminal_approval approval;

    return terminal_approve(terminal, seat, hand, code, &approval, &error);
}

TEST(an_approval_ends_where_the_terminal_refuses)
{
    set_up("emu:terminal");
    CU_ASSERT_EQUAL(approve(3, 3, "4711"), TERMINAL_WRONG_STATE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no round is open"));
    terminal_sensors(terminal, 0x0a, &error);
    press(TERMINAL_START_ROUND);
    CU_ASSERT_EQUAL(approve(4, 3, "4711"), TERMINAL_NO_WAGER);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "seat-4"));
    CU_ASSERT_EQUAL(approve(8, 3, "4711"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(approve(3, 3, "123456789"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(device->memory.state, TERMINAL_OPEN);
    CU_ASSERT_EQUAL(approve(3, 8, "4711"), TERMINAL_UNKNOWN_HAND);
    CU_ASSERT_EQUAL(device->memory.state, TERMINAL_CHOOSE);
    press(TERMINAL_NO_HAND);
    CU_ASSERT_EQUAL(approve(3, 3, "4712"), TERMINAL_WRONG_CODE);
    CU_ASSERT_EQUAL(device->memory.state, TERMINAL_CODE_ENTRY);
    CU_ASSERT_PTR_NULL(strstr(error.text, "4712"));
    press(TERMINAL_ESC);
    CU_ASSERT_EQUAL(approve(3, 3, "12"), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(strstr(error.text, "12 "));
    press(TERMINAL_ESC);
    CU_ASSERT_EQUAL(approve(3, 3, "4711"), 0);
    CU_ASSERT_EQUAL(approve(3, 3, "4711"), TERMINAL_SEAT_PAID);
    tear_down();
}

TEST(an_approval_sees_an_early_amount_and_a_wrong_sign)
{
    struct terminal_approval approval;

    set_up("emu:terminal?fault=early-amount,fault=wrong-sign@jackpot:1");
    terminal_sensors(terminal, 0x0a, &error);
    press(TERMINAL_START_ROUND);
    CU_ASSERT_EQUAL(terminal_approve(terminal, 3, 3, "4711", &approval, &error), 0);
    CU_ASSERT_TRUE(approval.early);
    CU_ASSERT_EQUAL(approval.cents, 50000);
    CU_ASSERT_EQUAL(approval.sign.cents, 50100);
    tear_down();
}

TEST(a_device_that_is_unplugged_is_a_failed_device)
{
    set_up("emu:terminal?fault=unplug@frames:4");
    terminal_sensors(terminal, 0x0a, &error);
    CU_ASSERT_EQUAL(press(TERMINAL_START_ROUND), 0);
    CU_ASSERT_EQUAL(approve(3, 3, "4711"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "emu:terminal"));
    tear_down();
}

TEST(the_events_of_a_round_come_in_its_order)
{
    static const enum terminal_event_kind kinds[] = {
        TERMINAL_EVENT_TEST_MODE, TERMINAL_EVENT_LIGHTS, TERMINAL_EVENT_SCREEN,
        TERMINAL_EVENT_SCREEN,    TERMINAL_EVENT_SCREEN, TERMINAL_EVENT_SCREEN,
        TERMINAL_EVENT_SCREEN,    TERMINAL_EVENT_SCREEN, TERMINAL_EVENT_JACKPOT,
        TERMINAL_EVENT_SIGN,      TERMINAL_EVENT_METERS, TERMINAL_EVENT_SCREEN,
        TERMINAL_EVENT_SIGN,      TERMINAL_EVENT_SCREEN, TERMINAL_EVENT_MUST_HIT,
        TERMINAL_EVENT_SIGN,      TERMINAL_EVENT_METERS, TERMINAL_EVENT_LIGHTS,
        TERMINAL_EVENT_SCREEN,    TERMINAL_EVENT_REFUSED};
    struct terminal_config config = terminal_table_must_hit(300000000);

    set_up("emu:terminal");
    CU_ASSERT_EQUAL(terminal_configure(terminal, "86420", &config, &error), 0);
    CU_ASSERT_TRUE(next_is(TERMINAL_EVENT_METERS));
    CU_ASSERT_EQUAL(event.meters.must_hit, 4);
    CU_ASSERT_EQUAL(event.meters.meter[4].micros, 300000000);
    CU_ASSERT_EQUAL(terminal_test_mode(terminal, true, &error), 0);
    CU_ASSERT_EQUAL(terminal_load_must_hit(terminal, 1, &error), 0);
    terminal_sensors(terminal, 0x0a, &error);
    press(TERMINAL_START_ROUND);
    CU_ASSERT_EQUAL(approve(3, 3, "4711"), 0);
    CU_ASSERT_EQUAL(press(TERMINAL_END_ROUND), 0);
    CU_ASSERT_EQUAL(press(TERMINAL_OK), TERMINAL_WRONG_STATE);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        CU_ASSERT_EQUAL(next(), 1);
        CU_ASSERT_EQUAL(event.kind, kinds[i]);
        if (event.kind == TERMINAL_EVENT_MUST_HIT) {
            CU_ASSERT_EQUAL(event.award.seat, 1);
            CU_ASSERT_EQUAL(event.award.number, 2);
            CU_ASSERT_EQUAL(event.award.cents, 30010);
        }
    }
    CU_ASSERT_EQUAL(next(), 0);
    tear_down();
}

TEST(an_administrators_orders_arrive_and_are_written_down)
{
    struct terminal_config config = *terminal_preset("three-card-catch");
    struct terminal_ledger_entry entry;
    struct log_entry entries[LOG_REPLY_MAX];
    uint32_t total;
    unsigned count;

    set_up("emu:terminal");
    config.meters[4].opening = 999123456;
    CU_ASSERT_EQUAL(terminal_configure(terminal, "1234", &config, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&terminal->device), REFUSED_AUTHORIZATION);
    CU_ASSERT_EQUAL(terminal_configure(terminal, "86420x", &config, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(terminal_configure(terminal, "86420", &config, &error), 0);
    CU_ASSERT_EQUAL(device_refusal(&terminal->device), 0);
    CU_ASSERT_EQUAL(device->memory.meters[4], 999123456);
    CU_ASSERT_EQUAL(device->memory.config.rounding, TERMINAL_ROUND_UP);
    CU_ASSERT_EQUAL(device->memory.config.hand_count, 10);
    CU_ASSERT_EQUAL(device->memory.config.hands[5].cents, 100000);
    config.wager = 0;
    CU_ASSERT_EQUAL(terminal_configure(terminal, "86420", &config, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(terminal_correct(terminal, "86420", 4, 250000000, "", &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(terminal_correct(terminal, "86420", 4, 250000000, "test", &error), 0);
    CU_ASSERT_EQUAL(terminal_ledger(terminal, 0, &entry, &error), 0);
    CU_ASSERT_EQUAL(entry.before, 999123456);
    CU_ASSERT_EQUAL(entry.after, 250000000);
    CU_ASSERT_STRING_EQUAL(entry.reason, "test");
    CU_ASSERT_EQUAL(terminal_ledger(terminal, 1, &entry, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&terminal->device), REFUSED_VALUE);
    CU_ASSERT_EQUAL(device_log(&terminal->device, 0, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL_FATAL(count, 3);
    CU_ASSERT_EQUAL(entries[0].code, TERMINAL_LOG_ADMINISTRATOR_REFUSED);
    CU_ASSERT_EQUAL(entries[1].code, TERMINAL_LOG_CONFIGURED);
    CU_ASSERT_EQUAL(entries[2].code, TERMINAL_LOG_CORRECTED);
    CU_ASSERT_EQUAL(terminal_sensors(terminal, 1, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(terminal_load_must_hit(terminal, 8, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(terminal_load_must_hit(terminal, 1, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&terminal->device), REFUSED_TEST_MODE);
    tear_down();
}

TEST(every_key_of_a_recording_has_a_name_and_back)
{
    static const char *const keys[] = {
        "start-round", "cancel-round",     "end-round",   "seat-1",         "seat-7", "none",
        "hand",        "pending-jackpot",  "pay-jackpot", "cancel-jackpot", "code",   "esc",
        "ok",          "hand:A-K-Q suited"};
    static const char *const wrong[] = {"",      "seat",   "seat-0", "seat-8", "seat-1 ",
                                        "hand:", "hand:x", "Start",  "codes",  "end"};
    const struct terminal_config *config = terminal_preset("stax");
    struct terminal_press pressed;
    char text[TERMINAL_KEY_TEXT];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        CU_ASSERT_EQUAL(terminal_key_parse(keys[i], config, &pressed, &error), 0);
        CU_ASSERT_STRING_EQUAL(terminal_key_name(&pressed, config, text), keys[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CU_ASSERT_EQUAL(terminal_key_parse(wrong[i], config, &pressed, &error), ERROR_CONFIG);
    pressed = (struct terminal_press){.key = TERMINAL_CODE, .code = "4711"};
    CU_ASSERT_STRING_EQUAL(terminal_key_name(&pressed, config, text), "code");
}
