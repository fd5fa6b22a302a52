/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of a bet sensor unit: against bytes of the page, against its model over every kind of
 * link, and against devices that lie. */
#include "devices/sensors/unit/bet_unit.h"

#include <stdio.h>
#include <string.h>

#include "devices/sensors/unit/model.h"
#include "tests/support/devices/bet_unit_golden.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

#define START 0x00c0ffee /* which makes the nonce of the page */

static struct {
    struct clock clock;
    struct hal hal;
    struct puppet_stage stage;
    struct puppet *puppet; /* NULL: a model */
    struct model *model;   /* NULL: a puppet */
    struct model_pump *pump;
    struct link *link;
    struct bet_unit *unit;
    struct bet_unit_event event;
} bench;
static struct error error;

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *why)
{
    (void)context;
    (void)name;
    return bench.model = bet_unit_model_new(options, why);
}

static void start(void)
{
    memset(&bench, 0, sizeof bench);
    clock_virtual(&bench.clock, START);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench.hal, &bench.clock, &error), 0);
}

static void open_at(const char *address)
{
    CU_ASSERT_EQUAL_FATAL(link_open(&bench.link, &bench.hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bet_unit_open(&bench.unit, bench.link, &error), 0);
}

static void open_model(const char *options)
{
    char address[LINK_ADDRESS_MAX];

    start();
    bench.hal.make_model = make_model;
    snprintf(address, sizeof address, "emu:unit?%s", options);
    open_at(address);
}

static void open_far(struct model_pump *(*pump)(struct model *model))
{
    start();
    clock_real(&bench.clock);
    bench.model = bet_unit_model_new("", &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench.model);
    bench.pump = pump(bench.model);
    open_at(model_pump_address(bench.pump));
}

static void say(const char *hex)
{
    uint8_t bytes[512];

    puppet_put(bench.puppet, bytes, shoe_bench_hex(hex, bytes, sizeof bytes));
}

static void say_frame(uint8_t type, uint8_t sequence, const char *payload)
{
    struct frame frame = {.class = FRAME_BET_SENSOR, .type = type, .sequence = sequence};
    uint8_t encoded[FRAME_ENCODED_MAX];

    frame.size = (uint8_t)shoe_bench_hex(payload, frame.payload, sizeof frame.payload);
    puppet_put(bench.puppet, encoded, frame_encode(&frame, encoded));
}

static bool heard(const char *hex)
{
    uint8_t expected[512], bytes[512];
    size_t size = shoe_bench_hex(hex, expected, sizeof expected);

    return puppet_take(bench.puppet, bytes, sizeof bytes) == size && !memcmp(bytes, expected, size);
}

/* With the first two frames of the page, HELLO and its reply. */
static void open_puppet(void)
{
    char address[LINK_ADDRESS_MAX];

    start();
    puppet_stage_open(&bench.stage, &bench.hal);
    bench.puppet = puppet_add(&bench.stage);
    snprintf(address, sizeof address, "emu:%s", bench.puppet->name);
    say(bet_unit_golden[1].hex);
    open_at(address);
    CU_ASSERT(heard(bet_unit_golden[0].hex));
}

static void close_bench(void)
{
    bet_unit_close(bench.unit);
    link_close(bench.link);
    if (bench.pump) {
        model_pump_stop(bench.pump);
        bench.model->ops->free(bench.model);
    }
    if (bench.puppet)
        puppet_stage_close(&bench.stage);
    hal_close(&bench.hal);
}

/* The next event within two seconds: its kind, or -1 for none or an error. */
static int next(void)
{
    int result =
        bet_unit_next(bench.unit, &bench.event, clock_deadline(&bench.clock, 2000), &error);

    return result == 1 ? (int)bench.event.kind : -1;
}

static void expect_seat(enum bet_event_kind kind, unsigned seat)
{
    CU_ASSERT_EQUAL_FATAL(next(), BET_UNIT_EVENT_SEAT);
    CU_ASSERT_EQUAL(bench.event.seat.kind, kind);
    CU_ASSERT_EQUAL(bench.event.seat.seat, seat);
    CU_ASSERT_EQUAL(bench.event.seat.time, bench.event.time);
}

/* A request of the page, two frames of it: the unit's reply is put where the driver will find it.
 */
static size_t row;

#define GOLDEN(call, expected)                                                                     \
    do {                                                                                           \
        say(bet_unit_golden[row + 1].hex);                                                         \
        CU_ASSERT_EQUAL(call, expected);                                                           \
        CU_ASSERT(heard(bet_unit_golden[row].hex));                                                \
        row += 2;                                                                                  \
    } while (0)

/* An event of the page and its acknowledgement. */
static void golden_event(void)
{
    say(bet_unit_golden[row].hex);
    CU_ASSERT_EQUAL(
        bet_unit_next(bench.unit, &bench.event, clock_deadline(&bench.clock, 2000), &error), 1);
    CU_ASSERT(heard(bet_unit_golden[row + 1].hex));
    row += 2;
}

static void golden_seat(enum bet_event_kind kind, unsigned seat)
{
    golden_event();
    CU_ASSERT_EQUAL(bench.event.kind, BET_UNIT_EVENT_SEAT);
    CU_ASSERT_EQUAL(bench.event.seat.kind, kind);
    CU_ASSERT_EQUAL(bench.event.seat.seat, seat);
}

static void expect_status(const struct bet_unit_status *status, enum bet_unit_state state,
                          bool test_mode, unsigned placed, unsigned locked, unsigned lit)
{
    CU_ASSERT_EQUAL(status->state, state);
    CU_ASSERT_EQUAL(status->test_mode, test_mode);
    CU_ASSERT_EQUAL(status->placed, placed);
    CU_ASSERT_EQUAL(status->locked, locked);
    CU_ASSERT_EQUAL(status->lit, lit);
}

TEST(a_round_is_spoken_and_understood_as_the_page_has_it)
{
    struct log_entry entries[LOG_REPLY_MAX];
    struct bet_unit_status status;
    struct frame reply;
    unsigned count;
    uint32_t total;

    open_puppet();
    row = 2;
    GOLDEN(bet_unit_status(bench.unit, &status, &error), 0);
    expect_status(&status, BET_UNIT_IDLE, false, 0, 0, 0);
    GOLDEN(bet_unit_place(bench.unit, 0x0a, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(bet_unit_refusal(bench.unit), REFUSED_TEST_MODE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "refuses PLACE"));
    GOLDEN(bet_unit_test_mode(bench.unit, true, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_refusal(bench.unit), 0);
    golden_event();
    CU_ASSERT_EQUAL(bench.event.kind, BET_UNIT_EVENT_TEST_MODE);
    CU_ASSERT_TRUE(bench.event.test_mode);
    GOLDEN(bet_unit_place(bench.unit, 0x0a, &error), 0);
    golden_seat(BET_EVENT_PLACED, 1);
    golden_seat(BET_EVENT_PLACED, 3);
    GOLDEN(bet_unit_lock(bench.unit, 0x0a, &error), 0);
    GOLDEN(bet_unit_light(bench.unit, 0x0a, &error), 0);
    golden_seat(BET_EVENT_LAMP_DARK, 3);
    golden_seat(BET_EVENT_LIFTED_LOCKED, 1);
    golden_seat(BET_EVENT_LATE, 2);
    GOLDEN(bet_unit_status(bench.unit, &status, &error), 0);
    expect_status(&status, BET_UNIT_ROUND, true, 0x0c, 0x0a, 0x02);
    GOLDEN(bet_unit_unlock(bench.unit, &error), 0);
    GOLDEN(bet_unit_unlock(bench.unit, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(bet_unit_refusal(bench.unit), REFUSED_STATE);
    golden_seat(BET_EVENT_LIFTED, 2);
    GOLDEN(bet_unit_place(bench.unit, 0, &error), 0);
    golden_seat(BET_EVENT_STUCK_HIGH, 3);
    GOLDEN(host_log(bet_unit_host(bench.unit), 8, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(total, 10);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT_EQUAL(entries[0].number, 8);
    CU_ASSERT_EQUAL(entries[0].millis, 400);
    CU_ASSERT_EQUAL(entries[0].code, BET_UNIT_LIFTED);
    CU_ASSERT_EQUAL(entries[1].detail, 3);
    CU_ASSERT_EQUAL(entries[1].value, 1);
    GOLDEN(host_request(bet_unit_host(bench.unit), WIRE_CLEAR_ERROR, "\1", 1, &reply, &error),
           REFUSED_VALUE);
    golden_event();
    CU_ASSERT_EQUAL(bench.event.kind, BET_UNIT_EVENT_POWER_UP);
    expect_status(&bench.event.status, BET_UNIT_IDLE, true, 0x08, 0, 0x02);
    CU_ASSERT_EQUAL(row, bet_unit_golden_count);
    close_bench();
}

static void play_round(void)
{
    struct log_entry entries[LOG_REPLY_MAX];
    struct bet_unit_status status;
    struct wire_identity identity;
    unsigned count;
    uint32_t total;

    CU_ASSERT_EQUAL(host_identity(bet_unit_host(bench.unit), &identity, &error), 0);
    CU_ASSERT_STRING_EQUAL(identity.model, "DP-BET7");
    CU_ASSERT_EQUAL(bet_unit_test_mode(bench.unit, true, &error), 0);
    CU_ASSERT_EQUAL_FATAL(next(), BET_UNIT_EVENT_TEST_MODE);
    CU_ASSERT_EQUAL(bet_unit_place(bench.unit, 0x82, &error), 0);
    expect_seat(BET_EVENT_PLACED, 1);
    expect_seat(BET_EVENT_PLACED, 7);
    CU_ASSERT_EQUAL(bet_unit_lock(bench.unit, 0x82, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_light(bench.unit, 0x82, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_place(bench.unit, 0x84, &error), 0);
    expect_seat(BET_EVENT_LIFTED_LOCKED, 1);
    expect_seat(BET_EVENT_LATE, 2);
    CU_ASSERT_EQUAL(bet_unit_status(bench.unit, &status, &error), 0);
    expect_status(&status, BET_UNIT_ROUND, true, 0x84, 0x82, 0x82);
    CU_ASSERT_EQUAL(bet_unit_unlock(bench.unit, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_light(bench.unit, 0, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_place(bench.unit, 0, &error), 0);
    expect_seat(BET_EVENT_LIFTED, 2);
    expect_seat(BET_EVENT_LIFTED, 7);
    CU_ASSERT_EQUAL(host_log(bet_unit_host(bench.unit), 0, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(total, 9);
    CU_ASSERT_EQUAL_FATAL(count, 9);
    CU_ASSERT_EQUAL(entries[3].code, BET_UNIT_LOCK);
    CU_ASSERT_EQUAL(entries[3].detail, 0x82);
    CU_ASSERT_EQUAL(entries[8].detail, 7);
    CU_ASSERT_EQUAL(bet_unit_repeats(bench.unit), 0);
}

TEST(a_round_is_played_over_every_kind_of_link)
{
    open_model("");
    play_round();
    close_bench();
    open_far(model_pump_pty);
    play_round();
    close_bench();
    open_far(model_pump_tcp);
    play_round();
    close_bench();
}

/* The steps of a round; each waits for what it causes. Returns false after the last one. */
static bool do_step(unsigned step)
{
    switch (step) {
    case 0:
        CU_ASSERT_EQUAL(bet_unit_test_mode(bench.unit, true, &error), 0);
        return true;
    case 1:
        CU_ASSERT_EQUAL(bet_unit_place(bench.unit, 0x0a, &error), 0);
        return true;
    case 2:
        CU_ASSERT_EQUAL(bet_unit_lock(bench.unit, 0x0a, &error), 0);
        return true;
    case 3:
        CU_ASSERT_EQUAL(bet_unit_light(bench.unit, 0x0a, &error), 0);
        return true;
    case 4:
        CU_ASSERT_EQUAL(bet_unit_place(bench.unit, 0x02, &error), 0);
        return true;
    case 5:
        CU_ASSERT_EQUAL(bet_unit_unlock(bench.unit, &error), 0);
        return true;
    default:
        return false;
    }
}

/* Everything that the seats tell for a second; returns how often the unit came up. */
static unsigned listen(char *text, size_t size)
{
    nanos_t deadline = clock_deadline(&bench.clock, 1000);
    unsigned started = 0;

    while (bet_unit_next(bench.unit, &bench.event, deadline, &error) == 1) {
        size_t used = strlen(text);

        if (bench.event.kind == BET_UNIT_EVENT_SEAT)
            snprintf(text + used, size - used, "%u %s\n", bench.event.seat.seat,
                     bet_event_text(bench.event.seat.kind));
        started += bench.event.kind == BET_UNIT_EVENT_POWER_UP ? 1 : 0;
    }
    return started;
}

/* `when` is how long after the step's request the power goes; it goes in no step if `cut` is 6. */
static void play_with_power_cut(unsigned cut, unsigned when, char *text, size_t size)
{
    struct bet_unit_status status;
    unsigned started = 0;

    open_model("");
    text[0] = '\0';
    for (unsigned step = 0; do_step(step); step++) {
        if (step == cut) {
            clock_advance(&bench.clock, clock_deadline(&bench.clock, when));
            bet_unit_model_power_cycle(bench.model, clock_now(&bench.clock));
        }
        started += listen(text, size);
    }
    CU_ASSERT_EQUAL(started, cut < 6 ? 1 : 0);
    CU_ASSERT_EQUAL(bet_unit_status(bench.unit, &status, &error), 0);
    expect_status(&status, BET_UNIT_IDLE, true, 0x02, 0, 0x0a);
    close_bench();
}

TEST(a_power_cycle_at_any_step_of_a_round_changes_nothing)
{
    static const unsigned whens[] = {0, 3, 39, 40, 50, 59, 60, 61, 99, 500};
    char expected[512], told[512];

    play_with_power_cut(6, 0, expected, sizeof expected);
    CU_ASSERT_STRING_EQUAL(expected,
                           "1 wager placed\n3 wager placed\n3 wager lifted while locked\n");
    for (unsigned cut = 0; cut < 6; cut++)
        for (size_t i = 0; i < sizeof whens / sizeof whens[0]; i++) {
            play_with_power_cut(cut, whens[i], told, sizeof told);
            CU_ASSERT_STRING_EQUAL(told, expected);
        }
}

static const struct {
    uint8_t type;
    const char *payload, *said;
} lies[] = {
    {0x40, "00", "PLACED (event 0x40 of 1 byte): the seat is 0"},
    {0x40, "08", "the seat is 8"},
    {0x40, "", "its size by the protocol is 1"},
    {0x40, "01 00", "its size by the protocol is 1"},
    {0x41, "00", "LIFTED"},
    {0x42, "ff", "LATE"},
    {0x43, "08", "LIFTED WHILE LOCKED"},
    {0x44, "00 01", "LAMP"},
    {0x44, "01 02", "the second byte is 2"},
    {0x44, "01", "its size by the protocol is 2"},
    {0x45, "08 00", "STUCK"},
    {0x45, "07 ff", "the second byte is 255"},
    {0x46, "02", "on or off is 2"},
    {0x46, "", "TEST MODE"},
    {0x47, "00 00 00 00 00 00", "POWER UP is impossible: state 0"},
    {0x47, "02 00 00 00 00", "POWER UP"},
    {0x48, "", "event 0x48"},
    {0x7e, "00", "event 0x7e"},
};

TEST(what_a_lying_unit_says_is_an_error_that_names_the_value)
{
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        open_puppet();
        say_frame(lies[i].type, 0, lies[i].payload);
        error = (struct error){0};
        CU_ASSERT_EQUAL(next(), -1);
        CU_ASSERT_EQUAL(error.code, ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, lies[i].said));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, bench.link->address));
        say_frame(0x40, 1, "05");
        expect_seat(BET_EVENT_PLACED, 5);
        close_bench();
    }
}

static const char *const bad_status[] = {
    "00 00 00 00 00 00",
    "03 00 00 00 00 00",
    "01 01 00 00 00 00",
    "01 00 02 00 00 00",
    "01 00 00 01 00 00",
    "02 00 00 00 01 00",
    "01 00 00 00 00 01",
    "01 00 00 02 02 00",
    "01 00 00 00 00",
    "01 00 00 00 00 00 00",
    "",
};

TEST(a_status_that_is_impossible_is_an_error_of_the_device)
{
    struct bet_unit_status status;

    for (size_t i = 0; i < sizeof bad_status / sizeof bad_status[0]; i++) {
        open_puppet();
        say_frame(0x83, 2, bad_status[i]);
        CU_ASSERT_EQUAL(bet_unit_status(bench.unit, &status, &error), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "STATUS"));
        CU_ASSERT_EQUAL(bet_unit_refusal(bench.unit), 0);
        close_bench();
    }
}

TEST(a_reply_of_the_wrong_size_is_an_error_of_the_device)
{
    static const char *const bad_log[] = {"", "00 00 00 01", "00 00 00 01 01", "00 00 00 01 0f",
                                          "00 00 00 01 00 00"};
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;
    uint32_t total;

    for (size_t i = 0; i < sizeof bad_log / sizeof bad_log[0]; i++) {
        open_puppet();
        say_frame(0x84, 2, bad_log[i]);
        CU_ASSERT_EQUAL(host_log(bet_unit_host(bench.unit), 0, entries, &count, &total, &error),
                        ERROR_DEVICE);
        close_bench();
    }
    open_puppet();
    say_frame(0x90, 2, "00");
    CU_ASSERT_EQUAL(bet_unit_lock(bench.unit, 0x02, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the reply to LOCK has 1 byte, not 0"));
    close_bench();
}

TEST(a_set_of_other_seats_never_leaves_the_host)
{
    static const unsigned sets[] = {0x01, 0x03, 0x100, 0xfffffffe};

    open_puppet();
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        CU_ASSERT_EQUAL(bet_unit_lock(bench.unit, sets[i], &error), ERROR_CONFIG);
        CU_ASSERT_EQUAL(bet_unit_light(bench.unit, sets[i], &error), ERROR_CONFIG);
        CU_ASSERT_EQUAL(bet_unit_place(bench.unit, sets[i], &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "PLACE"));
    }
    CU_ASSERT(heard(""));
    close_bench();
}

TEST(a_wager_is_said_again_only_after_a_loss_of_power)
{
    open_puppet();
    say_frame(0x40, 0, "03");
    say_frame(0x40, 1, "03");
    expect_seat(BET_EVENT_PLACED, 3);
    CU_ASSERT_EQUAL(next(), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is told twice, and no power was lost"));
    say_frame(0x47, 0, "01 00 00 08 00 00");
    CU_ASSERT_EQUAL(next(), BET_UNIT_EVENT_POWER_UP);
    say_frame(0x40, 1, "03");
    say_frame(0x40, 2, "04");
    say_frame(0x41, 3, "03");
    say_frame(0x41, 4, "03");
    say_frame(0x40, 5, "03");
    expect_seat(BET_EVENT_PLACED, 4);
    expect_seat(BET_EVENT_LIFTED, 3);
    expect_seat(BET_EVENT_PLACED, 3);
    CU_ASSERT_EQUAL(bet_unit_repeats(bench.unit), 3);
    /* A lamp may be wrong twice. */
    say_frame(0x44, 6, "03 00");
    say_frame(0x44, 7, "03 00");
    expect_seat(BET_EVENT_LAMP_DARK, 3);
    expect_seat(BET_EVENT_LAMP_DARK, 3);
    close_bench();
}

TEST(wagers_that_do_not_take_turns_are_noticed)
{
    static const struct {
        uint8_t first, second;
    } wrong[] = {{0x40, 0x42}, {0x42, 0x40}, {0x41, 0x43}, {0x43, 0x41}};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        open_puppet();
        say_frame(wrong[i].first, 0, "06");
        CU_ASSERT_EQUAL(next(), BET_UNIT_EVENT_SEAT);
        say_frame(wrong[i].second, 1, "06");
        CU_ASSERT_EQUAL(next(), -1);
        CU_ASSERT_EQUAL(error.code, ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "seat 6"));
        close_bench();
    }
}

TEST(a_torn_cable_is_an_error_of_the_device)
{
    struct bet_unit_status status;
    int result = 0;

    open_model("fault=unplug@frames:5");
    for (int i = 0; i < 10 && !result; i++)
        result = bet_unit_status(bench.unit, &status, &error);
    CU_ASSERT_EQUAL(result, ERROR_DEVICE);
    CU_ASSERT_EQUAL(bet_unit_refusal(bench.unit), 0);
    close_bench();
}

TEST(a_unit_that_says_nothing_is_not_opened)
{
    char address[LINK_ADDRESS_MAX];

    start();
    puppet_stage_open(&bench.stage, &bench.hal);
    bench.puppet = puppet_add(&bench.stage);
    snprintf(address, sizeof address, "emu:%s", bench.puppet->name);
    CU_ASSERT_EQUAL_FATAL(link_open(&bench.link, &bench.hal, address, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_open(&bench.unit, bench.link, &error), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NULL(bench.unit);
    close_bench();
}
